"""A gin table in lines of text, drawn from what one seat may know."""

from collections.abc import Sequence
from itertools import groupby

from rich.text import Text

from undercut.app.painting import Lines, paint, paint_card, paint_cards
from undercut.app.session import YOU, Event
from undercut.core.cards import RANKS, parse_card
from undercut.games.gin_describe import CardTexts, Hand, Table

ORDERS = ("melds", "suits", "ranks")

_INDENT = 11  # the column where cards begin
_CELL = 4  # columns of a card


def arrange(hand: Hand, order: str) -> list[CardTexts]:
    """A hand in one of the ORDERS, in groups."""
    cards = [*hand.loose, *(card for meld in hand.melds for card in meld)]
    if order == "melds":
        return [group for group in (*hand.melds, hand.loose) if group]
    if order == "suits":
        suits = groupby(sorted(cards, key=parse_card), key=lambda card: card[1])
        return [tuple(group) for _, group in suits]
    return [tuple(sorted(cards, key=lambda card: (RANKS.index(card[0]), card[1])))]


def draw_hand(groups: list[CardTexts], deadwood: int) -> Text:
    """The person's hand on one line."""
    line = Text(_label("Your hand"))
    for i, group in enumerate(groups):
        line.append("  │" if i else "", style="dim")
        for card in group:
            line.append_text(paint_card(card, _CELL))
    return line.append(f"   deadwood {deadwood}", style="bold")


def draw_numbers(groups: list[CardTexts], taken: str | None) -> Text:
    """Below the hand, the number that throws each card; the card just taken has none."""
    line = Text(" " * _INDENT, style="dim")
    number = 0
    for i, group in enumerate(groups):
        line.append("   " if i else "")
        for card in group:
            number += card != taken
            line.append(("-" if card == taken else str(number)).rjust(_CELL))
    return line


def draw_piles(table: Table, opponent: str) -> Lines:
    """The upcard, how much lies on the pile and in the stock, and what the other one took."""
    line = Text(_label("Upcard"))
    line.append_text(paint_card(table.upcard, _CELL) if table.upcard else Text("none"))
    line.append(f"    pile {_count(table.pile)}    stock {_count(table.stock)}")
    if not table.known:
        return [line]
    known = Text(_label("Known")).append(f"  {opponent} took and still holds ")
    return [line, known.append_text(paint_cards(table.known))]


def draw_laid(table: Table, opponent: str) -> Lines:
    """The melds that have been laid down, and what the other player, having knocked, has left."""
    lines = []
    width = max(len("You"), len(opponent))
    for seat, melds in enumerate(table.laid):
        if melds:
            who = ("You" if seat == table.me else opponent).ljust(width)
            laid = Text("  │  ", style="dim").join(paint_cards(meld) for meld in melds)
            lines.append(Text(f"  {who} laid down  ").append_text(laid))
    hand = table.hands[1 - table.me]
    if hand is None:
        return lines
    if hand.deadwood == 0:
        return [*lines, Text(f"  {opponent} has gin: no deadwood, and nothing may be laid off")]
    rest = Text(f"  {opponent.ljust(width)} kept       ").append_text(paint_cards(hand.loose))
    return [*lines, rest.append(f"   deadwood {hand.deadwood}", style="bold")]


def offer(key: str, words: str) -> Text:
    """One answer a person can give."""
    return Text(f"  {key:>3}  ", style="bold").append_text(paint(words, style="not bold"))


def tell(events: Sequence[Event], names: Sequence[str]) -> Lines:
    """What was done, in sentences; `names` are by seat, the person is YOU."""
    lines = []
    for (seat, _), group in groupby(events, key=lambda event: (event.seat, _topic(event))):
        is_you = names[seat] == YOU
        phrases = [phrase for event in group if (phrase := _phrase(event.text, is_you))]
        if phrases:
            who = "You" if is_you else names[seat]
            lines.append(paint(f"{who} {' and '.join(phrases)}."))
    return lines


def _topic(event: Event) -> str:
    """What shares a sentence: a draw and a throw do, each lay-off has its own."""
    return event.text if event.text.startswith("lay ") else ""


def _phrase(action: str, is_you: bool) -> str:
    """An action as part of a sentence; nothing for a meld, which lies there to be seen."""
    verb, _, rest = action.partition(" ")
    ending = "" if is_you else "s"
    if verb == "draw":
        return f"draw{ending} {rest + ' ' if rest else ''}from the stock"
    if verb == "take":
        return f"take{ending} {rest} from the pile"
    if verb == "pass":
        return "pass" if is_you else "passes"
    if verb == "discard":
        return f"throw{ending} {rest}"
    if verb == "knock":
        return f"knock{ending}, throwing {rest or 'a card face down'}"
    if verb == "lay":
        return f"lay{ending} off {rest}"
    return ""


def _label(word: str) -> str:
    return f"  {word}".ljust(_INDENT)


def _count(cards: int) -> str:
    return f"{cards} card" if cards == 1 else f"{cards} cards"
