"""What happened at a table of Pharaoh or Prší, as parts of sentences."""

from collections.abc import Sequence

from undercut.core.german import name_card, parse_card
from undercut.games.description import both, counted
from undercut.games.pharaoh.summary import PLACES


def name_cards(cards: Sequence[str], language: str) -> str:
    """The names of cards in brackets, if a language is wanted.

    >>> name_cards(["7L", "7H"], "czech"), name_cards(["7L"], "")
    (' (zelená sedma, červená sedma)', '')
    """
    names = ", ".join(name_card(parse_card(card), language) for card in cards if language)
    return f" ({names})" if names else ""


def phrase(seen: str, is_you: bool, names: Sequence[str], language: str) -> str:
    """What was seen as part of a sentence.

    >>> phrase("play OH suit acorns; out 1", False, [], "")
    'plays OH, asks for acorns and is out first'
    """
    move, *notes = seen.split("; ")
    parts = [*_phrase_move(move, is_you, language), *_phrase_notes(notes, is_you, names)]
    if "unasked" in notes:
        parts.insert(0, "have nothing that fits")
    return both(parts)


def _phrase_move(move: str, is_you: bool, language: str) -> list[str]:
    ending = "" if is_you else "s"
    verb, *rest = move.split()
    if verb == "skip":
        return ["are skipped" if is_you else "is skipped"]
    if verb == "pass":
        return ["find no card to draw" if is_you else "finds no card to draw"]
    if verb == "draw":
        cards = " ".join(rest) + name_cards(rest, language) if is_you else _some(int(rest[0]))
        return [f"draw{ending} {cards}"]
    suit = rest[-1] if "suit" in rest else ""
    cards_played = rest[:-2] if suit else rest
    played = f"play{ending} {' '.join(cards_played)}{name_cards(cards_played, language)}"
    return [played, f"ask{ending} for {suit}"] if suit else [played]


def _phrase_notes(notes: Sequence[str], is_you: bool, names: Sequence[str]) -> list[str]:
    parts = []
    for note in notes:
        word, _, number = note.partition(" ")
        if word == "shuffled":
            parts.append("shuffle the pile" if is_you else "shuffles the pile")
        if word == "out":
            parts.append(f"{'are' if is_you else 'is'} out {PLACES[int(number) - 1]}")
        if word == "back":
            parts.append(f"{'bring' if is_you else 'brings'} {names[int(number)]} back")
    return parts


def _some(cards: int) -> str:
    return "a card" if cards == 1 else counted(cards, "card")
