"""A rummy table in lines of text, drawn from what one seat may know."""

from collections.abc import Sequence

from rich.text import Text

from undercut.app.terminal.hand_drawing import CELL, label, rows
from undercut.app.terminal.painting import Lines, paint_card, paint_cards
from undercut.app.terminal.telling import counted, phrase_action
from undercut.games.rummy.describe import Meld, Table

_TIMES = ("", "once", "twice")


def draw_piles(table: Table) -> Lines:
    """The upcard, what lies on the pile and in the stock, and what is known of the other hand."""
    line = label("Upcard")
    line.append_text(paint_card(table.upcard, CELL) if table.upcard else Text("none"))
    line.append(f"    pile {counted(table.pile, 'card')}    stock {counted(table.stock, 'card')}")
    if table.turnovers:
        line.append(f" (the pile turned over {times(table.turnovers)})")
    other = label("Opponent").append(f"  holds {counted(table.held, 'card')}")
    if table.known:
        other.append(": " if len(table.known) == table.held else ", among them ")
        other.append_text(paint_cards(table.known))
    return [line, other]


def draw_melds(table: Table, names: Sequence[str]) -> Lines:
    """The melds on the table, by who made them, with the numbers by which they are called."""
    width = max(len(name) for name in names)
    lines = []
    for seat, name in enumerate(names):
        numbered = enumerate(table.melds, start=1)
        melds = [_draw_meld(number, meld) for number, meld in numbered if meld.maker == seat]
        who = name.capitalize() if seat == table.me else name
        lines += rows(label(who.ljust(width)), melds)
    return lines


def times(number: int) -> str:
    """How often something was done.

    >>> times(2), times(5)
    ('twice', '5 times')
    """
    return _TIMES[number] if number < len(_TIMES) else f"{number} times"


def phrase(action: str, is_you: bool) -> str:
    """An action as part of a sentence."""
    ending = "" if is_you else "s"
    if action.startswith("turn over"):
        return f"turn{ending} the pile over and draw{ending} {action.split()[-1]}"
    if action.startswith("meld "):
        return f"put{ending} down {action.removeprefix('meld ')}"
    return phrase_action(action, is_you)


def _draw_meld(number: int, meld: Meld) -> Text:
    return Text(f"  {number:>2}: ", style="bold").append_text(paint_cards(meld.cards))
