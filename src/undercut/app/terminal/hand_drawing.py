"""A person's hand, and the answers there are, in lines of text."""

from collections.abc import Iterable
from itertools import groupby

from rich.text import Text

from undercut.app.terminal.painting import Lines, paint, paint_card
from undercut.core.cards import RANKS, parse_card
from undercut.games.melding.hand import CardTexts, Hand, held

ORDERS = ("melds", "suits", "ranks")

CELL = 4  # columns of a card
_INDENT = 11  # the column where cards begin
_WIDTH = 79


def arrange(hand: Hand, order: str) -> list[CardTexts]:
    """A hand in one of the ORDERS, in groups."""
    if order == "melds":
        return [group for group in (*hand.melds, hand.loose) if group]
    if order == "suits":
        suits = groupby(sorted(held(hand), key=parse_card), key=lambda card: card[1])
        return [tuple(group) for _, group in suits]
    return [tuple(sorted(held(hand), key=lambda card: (RANKS.index(card[0]), card[1])))]


def draw_hand(groups: list[CardTexts], count: str) -> Text:
    """The person's hand on one line, and what it counts."""
    line = label("Your hand")
    for i, group in enumerate(groups):
        line.append("  │" if i else "", style="dim")
        for card in group:
            line.append_text(paint_card(card, CELL))
    return line.append(f"   {count}", style="bold")


def draw_numbers(groups: list[CardTexts], held_back: str | None) -> Text:
    """Below the hand, the number that throws each card; one that may not be thrown has none."""
    line = Text(" " * _INDENT, style="dim")
    number = 0
    for i, group in enumerate(groups):
        line.append("   " if i else "")
        for card in group:
            number += card != held_back
            line.append(("-" if card == held_back else str(number)).rjust(CELL))
    return line


def label(word: str) -> Text:
    """The beginning of a line of the table."""
    return Text(f"  {word}".ljust(_INDENT))


def rows(start: Text, parts: Iterable[Text]) -> Lines:
    """Parts side by side behind the beginning of a line, as many in a row as there is room for."""
    lines: Lines = []
    indent = Text(" " * len(start))
    for part in parts:
        if not lines or len(lines[-1]) + len(part) > _WIDTH:
            lines.append((indent if lines else start).copy())
        lines[-1].append_text(part)
    return lines


def offer(key: str, words: str) -> Text:
    """One answer a person can give."""
    return Text(f"  {key:>3}  ", style="bold").append_text(paint(words, style="not bold"))
