"""The end of a gin deal in lines of text."""

from rich.text import Text

from undercut.app.session import YOU, Session
from undercut.app.terminal.painting import Lines, paint_cards
from undercut.app.terminal.telling import counted
from undercut.games.gin.describe import Table, describe
from undercut.games.gin.rules import Options, Outcome
from undercut.games.melding.hand import Hand


def summarise(session: Session) -> Lines:
    """Both hands as they lie, how the deal ended, and where the points come from."""
    options = session.game.options
    table = describe(session.view(), options)
    opponent = session.names[1 - table.me]
    names = [name.capitalize() if name == YOU else name for name in session.names]
    width = max(len(name) for name in names)
    lines = [
        _draw_hand(f"  {name.ljust(width)}  ", hand)
        for name, hand in zip(names, table.hands, strict=True)
        if hand is not None
    ]
    return [*lines, Text(), Text(f"  {verdict(table, opponent, options)}", style="bold")]


def _draw_hand(name: str, hand: Hand) -> Text:
    groups = [paint_cards(group) for group in (*hand.melds, hand.loose) if group]
    line = Text(name).append_text(Text(" │ ", style="dim").join(groups))
    if hand.laid_off:
        line.append(" │ laid off ").append_text(paint_cards(hand.laid_off))
    return line.append(f"   deadwood {hand.deadwood}", style="bold")


def verdict(table: Table, opponent: str, options: Options) -> str:
    """How a deal ended, and who gets how many points for what."""
    if table.knocker is None:
        return _void_verdict(table, options)
    knocker, other = table.hands[table.knocker], table.hands[1 - table.knocker]
    assert knocker is not None, "hands lie open when a deal has ended with a knock"
    assert other is not None, "hands lie open when a deal has ended with a knock"
    i_knocked = table.knocker == table.me
    who, whom = ("you", opponent) if i_knocked else (opponent, "you")
    if table.outcome == Outcome.GIN:
        whose = f"{opponent}'s" if i_knocked else "your"
        reason = f"{whose} deadwood {other.deadwood}"
        return f"Gin for {who}: {_award(reason, other.deadwood, options.gin_bonus)}."
    start = f"{'You' if i_knocked else opponent} knocked with {knocker.deadwood}"
    start += f" against {other.deadwood}"
    difference = other.deadwood - knocker.deadwood
    if table.outcome == Outcome.UNDERCUT:
        award = _award(f"{-difference}", -difference, options.undercut_bonus)
        return f"Undercut! {start}: {award} for {whom}."
    return f"{start}: {counted(difference, 'point')} for {who}."


def _award(reason: str, points: int, bonus: int) -> str:
    """What is scored, and what for."""
    if bonus == 0:
        return counted(points, "point")
    return f"{reason} + bonus {bonus} = {counted(points + bonus, 'point')}"


def _void_verdict(table: Table, options: Options) -> str:
    if table.stock <= options.void_stock:
        reason = f"Only {table.stock} cards are left in the stock"
    else:
        reason = f"{options.max_discard_takes} cards have been taken from the pile"
    again = "" if options.void_alternates else ", the same player begins"
    return f"{reason}: nobody scores{again}."
