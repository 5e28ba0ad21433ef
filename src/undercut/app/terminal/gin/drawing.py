"""A gin table in lines of text, drawn from what one seat may know."""

from rich.text import Text

from undercut.app.terminal.hand_drawing import CELL, label
from undercut.app.terminal.painting import Lines, paint_card, paint_cards
from undercut.app.terminal.telling import counted, phrase_action
from undercut.games.gin.describe import Table


def draw_piles(table: Table, opponent: str) -> Lines:
    """The upcard, how much lies on the pile and in the stock, and what the other one took."""
    line = label("Upcard")
    line.append_text(paint_card(table.upcard, CELL) if table.upcard else Text("none"))
    line.append(f"    pile {counted(table.pile, 'card')}    stock {counted(table.stock, 'card')}")
    if not table.known:
        return [line]
    known = label("Known").append(f"  {opponent} took and still holds ")
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


def phrase(action: str, is_you: bool) -> str:
    """An action as part of a sentence; nothing for a meld, which lies there to be seen."""
    verb, _, rest = action.partition(" ")
    if verb == "pass":
        return "pass" if is_you else "passes"
    if verb == "knock":
        return f"knock{'' if is_you else 's'}, throwing {rest or 'a card face down'}"
    return phrase_action(action, is_you)
