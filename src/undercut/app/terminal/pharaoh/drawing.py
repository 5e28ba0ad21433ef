"""A table of Pharaoh or Prší in lines of text, drawn from what one seat may know."""

from collections.abc import Sequence

from rich.text import Text

from undercut.app.terminal.hand_drawing import CELL, label, rows
from undercut.app.terminal.painting import (
    Lines,
    Pack,
    paint,
    paint_card,
    paint_cards,
)
from undercut.app.terminal.telling import counted
from undercut.core.german import (
    SUIT_NAMES,
    SUITS,
    VALUES,
    name_card,
    parse_card,
)
from undercut.games.pharaoh.describe import CardTexts, Player, Table

# The suits have no signs that every terminal can show: letters, and the colours of the cards.
GERMAN = Pack(
    ranks={value: value for value in VALUES} | {"X": "10"},
    symbols={suit: suit for suit in SUITS},
    styles={"H": "bold bright_red", "B": "bold yellow", "A": "bold magenta", "L": "bold green"},
)
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_ROW = 16  # cards of a hand side by side


def draw_piles(table: Table, language: str | None) -> Text:
    """The top of the pile, the suit that was asked for, and how many cards are left."""
    line = label("On top").append_text(paint_card(table.top, CELL, GERMAN))
    line.append(name_cards([table.top], language))
    if table.top.startswith("O"):
        style = GERMAN.styles[SUITS[SUIT_NAMES.index(table.suit)]]
        line.append(", ").append(f"{table.suit} asked for", style=style)
    return line.append(f"    pile {table.pile}    stock {table.stock}")


def draw_need(table: Table, fits: Sequence[str]) -> Text:
    """What a player on turn may play, or must suffer."""
    words = either(fits)
    if table.skips:
        more = table.skips - 1
        others = f" and {counted(more, 'player')} after you" if more else ""
        return _warn("Skipped", f"you{others}, unless you answer with {words}")
    if table.penalty:
        return _warn("To take", f"{counted(table.penalty, 'card')}, or answer with {words}")
    return label("Fits").append("  ").append_text(paint(words, pack=GERMAN))


def draw_others(table: Table, names: Sequence[str]) -> Lines:
    """How many cards the others hold, in the order of play; who is out has a place."""
    drawn = [_draw_player(other, names) for other in table.others]
    width = max(len(text) for text in drawn)
    for text in drawn:
        text.pad_right(width - len(text))
    lines = rows(label("Others"), drawn)
    for line in lines:
        line.rstrip()
    return lines


def draw_hand(hand: CardTexts, numbers: Sequence[str], language: str | None) -> Lines:
    """The person's hand, below each card its number, and the names of the cards if wanted."""
    lines = []
    for first in range(0, len(hand), _ROW):
        cards, below = label("" if first else "Your hand"), label("")
        for card, number in zip(hand[first : first + _ROW], numbers[first:], strict=False):
            cards.append_text(paint_card(card, CELL, GERMAN))
            below.append(number.rjust(CELL), style="dim")
        lines += [cards, below]
    if language:
        named = [f"  {card} {name_card(parse_card(card), language)}" for card in hand]
        lines += rows(label(""), [paint(name, pack=GERMAN) for name in named])
    return lines


def draw_suits() -> Text:
    """The letters of the suits, in their colours."""
    suits = zip(SUITS, SUIT_NAMES, strict=True)
    letters = [Text(f"{letter} {name}", GERMAN.styles[letter]) for letter, name in suits]
    line = paint("Cards: XL, UH. ", pack=GERMAN).append_text(Text(", ").join(letters))
    return line.append("; U under, O over, A ace.")


def draw_offers(offers: Sequence[tuple[int, CardTexts]]) -> Lines:
    """Plays side by side, with their numbers."""
    drawn = [
        Text(f"  {number:>3}  ", style="bold").append_text(paint_cards(cards, GERMAN))
        for number, cards in offers
    ]
    return rows(Text(), drawn)


def name_cards(cards: Sequence[str], language: str | None) -> str:
    """The names of cards in brackets, if a language is wanted.

    >>> name_cards(["7L", "7H"], "czech"), name_cards(["7L"], None)
    (' (zelená sedma, červená sedma)', '')
    """
    names = ", ".join(name_card(parse_card(card), language) for card in cards if language)
    return f" ({names})" if names else ""


def either(words: Sequence[str]) -> str:
    """Words of which one is to be chosen.

    >>> either(["leaves", "any seven", "UL"])
    'leaves, any seven or UL'
    """
    return " or ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def phrase(seen: str, is_you: bool, names: Sequence[str], language: str | None) -> str:
    """What was seen as part of a sentence.

    >>> phrase("play OH suit acorns; out 1", False, [], None)
    'plays OH, asks for acorns and is out first'
    """
    move, *notes = seen.split("; ")
    parts = [*_phrase_move(move, is_you, language), *_phrase_notes(notes, is_you, names)]
    if "unasked" in notes:
        parts.insert(0, "have nothing that fits")
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def _phrase_move(move: str, is_you: bool, language: str | None) -> list[str]:
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


def _warn(word: str, words: str) -> Text:
    line = label(word).append("  ")
    line.append_text(paint(words, pack=GERMAN))
    line.stylize("bold yellow", 0, len(line) - len(words))
    return line


def _draw_player(player: Player, names: Sequence[str]) -> Text:
    name = names[player.seat]
    if player.place is not None:
        return Text(f"  {name} out {PLACES[player.place - 1]} ", style="dim")
    line = Text(f"  {name} {counted(player.held, 'card')}")
    if player.known:
        line.append(": " if len(player.known) == player.held else ", among them ")
        line.append_text(paint_cards(player.known, GERMAN))
    return line.append(" ")
