"""The end of a rummy deal in lines of text."""

from rich.text import Text

from undercut.app.session import YOU, Session
from undercut.app.terminal.painting import Lines, paint_cards
from undercut.app.terminal.rummy.drawing import draw_melds, times
from undercut.app.terminal.telling import counted
from undercut.games.melding.hand import CardTexts, held, worth
from undercut.games.rummy.describe import Table, describe
from undercut.games.rummy.rules import Options, Outcome


def summarise(session: Session) -> Lines:
    """The melds on the table, both hands, how the deal ended, and where the points come from."""
    table = describe(session.view())
    opponent = session.names[1 - table.me]
    hands = {YOU: held(table.hand), opponent: table.known}
    width = len(f"{opponent} holds")
    left = [_draw_hand(name, hands[name], width) for name in session.names]
    told = Text(f"  {verdict(table, opponent, session.game.options)}", style="bold")
    return [*draw_melds(table, session.names), *left, Text(), told]


def _draw_hand(name: str, cards: CardTexts, width: int) -> Text:
    who = "You hold" if name == YOU else f"{name} holds"
    line = Text(f"  {who.ljust(width)}  ")
    if not cards:
        return line.append("no cards")
    return line.append_text(paint_cards(cards)).append(
        f"   {counted(worth(cards), 'point')}", style="bold"
    )


def verdict(table: Table, opponent: str, options: Options) -> str:
    """How a deal ended, and who gets how many points for what."""
    if table.winner is None:
        return _tie_verdict(table, options)
    i_won = table.winner == table.me
    left = worth(table.known if i_won else held(table.hand))
    out = "You are out" if i_won else f"{opponent} is out"
    award = counted(left, "point")
    if table.outcome == Outcome.RUMMY and options.rummy_doubles:
        out = f"Rummy! {out} at once"
        award = f"2 x {left} = {counted(2 * left, 'point')}"
    return f"{out}: {award} for {YOU if i_won else opponent}."


def _tie_verdict(table: Table, options: Options) -> str:
    reason = f"{counted(options.max_turns, 'turn')} played"
    if table.stock == 0 and table.turnovers == options.turnovers:
        reason = "The stock is empty"
        if table.turnovers:
            reason += f" and the pile was turned over {times(table.turnovers)}"
    award = f"{counted(options.tie_points, 'point')} for each"
    return f"{reason}: a tie, {award if options.tie_points else 'nobody scores'}."
