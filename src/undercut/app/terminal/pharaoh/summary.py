"""The end of a deal of Pharaoh or Prší in lines of text."""

from collections.abc import Sequence

from rich.text import Text

from undercut.app.session import Session
from undercut.app.terminal.painting import Lines
from undercut.app.terminal.pharaoh.drawing import PLACES
from undercut.app.terminal.telling import counted
from undercut.games.pharaoh.rules import Options, Outcome

_FEWER = "whoever has fewer cards is ahead"


def summarise(session: Session) -> Lines:
    """Who came in which place with how many points, and who has how many cards left."""
    view, points = session.view(), session.results[-1].points
    places = places_of(points)
    width = max(len(name) for name in session.names)
    lines = []
    for seat in sorted(range(len(points)), key=lambda seat: places[seat]):
        held = int(view.held[seat])
        left = f"   {counted(held, 'card')} left" if held else ""
        name, award = session.names[seat].ljust(width), counted(points[seat], "point")
        lines.append(
            Text(f"  {PLACES[places[seat] - 1]:<9}{name}   {award.ljust(9)}{left}".rstrip())
        )
    told = verdict(Outcome(int(view.outcome)), points, session.person, session.game.options)
    return [*lines, Text(), *(Text(f"  {sentence}", style="bold") for sentence in told)]


def places_of(points: Sequence[int]) -> list[int]:
    """The place of each seat; equal seats share the better one.

    >>> places_of([1, 4, 1])
    [2, 1, 2]
    """
    return [1 + sum(other > own for other in points) for own in points]


def verdict(outcome: Outcome, points: Sequence[int], me: int, options: Options) -> list[str]:
    """Why a deal ended, where nobody went out, and how the person did."""
    place = PLACES[places_of(points)[me] - 1]
    share = f"You are {place} of {len(points)}"
    if points.count(points[me]) > 1:
        share = f"You share the {place} place of {len(points)}"
    told = [f"{share}: {counted(points[me], 'point')}."]
    if outcome == Outcome.STOP:
        rounds = counted(options.stop_rounds, "round")
        return [f"No card was played or taken for {rounds}: {_FEWER}.", *told]
    if outcome == Outcome.LIMIT:
        return [f"{counted(options.max_moves, 'move')} played: {_FEWER}.", *told]
    return told
