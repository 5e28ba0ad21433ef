"""What happened at a table of Pharaoh or Prší, as parts of sentences."""

from collections.abc import Sequence

from undercut.cards.packs import GERMAN
from undercut.games.pharaoh.table.places import out_in_place
from undercut.games.table.description import Company, both
from undercut.text.translation import say, say_as, say_count


def name_cards(cards: Sequence[str], company: Company) -> str:
    """The names of cards in brackets, if they are wanted.

    >>> name_cards(["7L", "7H"], Company(None, (), names_cards=True))
    ' (seven of leaves, seven of hearts)'
    """
    names = ", ".join(GERMAN.name_card(card) for card in cards)
    return f" ({names})" if company.names_cards and names else ""


def phrase(seen: str, is_you: bool, company: Company) -> str:
    """What was seen as part of a sentence.

    >>> phrase("play OH suit acorns; out 1", False, Company(None, ()))
    'plays OH, asks for acorns and is out first'
    """
    move, *notes = seen.split("; ")
    parts = [*_phrase_move(move, is_you, company), *_phrase_notes(notes, is_you, company)]
    if "unasked" in notes:
        parts.insert(0, say_as("you", "have nothing that fits"))
    return both(parts)


def _phrase_move(move: str, is_you: bool, company: Company) -> list[str]:
    verb, *rest = move.split()
    if verb == "skip":
        return [say_as("you", "are skipped") if is_you else say("is skipped")]
    if verb == "pass":
        return [say_as("you", "find no card to draw") if is_you else say("finds no card to draw")]
    if verb == "draw":
        return [_phrase_draw(rest, is_you, company)]
    suit = GERMAN.name_suit(rest[-1]) if "suit" in rest else ""
    cards_played = rest[:-2] if suit else rest
    cards = " ".join(cards_played) + name_cards(cards_played, company)
    if is_you:
        played = say_as("you", "play {cards}", cards=cards)
        return [played, say_as("you", "ask for {suit}", suit=suit)] if suit else [played]
    played = say("plays {cards}", cards=cards)
    return [played, say("asks for {suit}", suit=suit)] if suit else [played]


def _phrase_draw(drawn: Sequence[str], is_you: bool, company: Company) -> str:
    """One's own cards are known; of another's, how many they are."""
    if is_you:
        cards = " ".join(drawn) + name_cards(drawn, company)
        return say_as("you", "draw {cards}", cards=cards)
    return say_count("draws a card", "draws {count} cards", int(drawn[0]))


def _phrase_notes(notes: Sequence[str], is_you: bool, company: Company) -> list[str]:
    parts = []
    for note in notes:
        word, _, number = note.partition(" ")
        if word == "shuffled":
            yours = say_as("you", "shuffle the pile")
            parts.append(yours if is_you else say("shuffles the pile"))
        if word == "out":
            parts.append(out_in_place(int(number), is_you))
        if word == "back":
            parts.append(_phrase_return(int(number), is_you, company))
    return parts


def _phrase_return(seat: int, is_you: bool, company: Company) -> str:
    """Somebody is in the game again, by the deed of another."""
    if is_you:
        return say_as("you", "bring {name} back", name=company.names[seat])
    if company.is_you(seat):
        return say("brings you back")
    return say("brings {name} back", name=company.names[seat])
