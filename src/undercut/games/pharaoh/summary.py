"""The end of a deal of Pharaoh or Prší: places, points, and why it ended."""

from collections.abc import Sequence

from undercut.core.records import View
from undercut.games.description import Area, Company, Part, Summary, counted
from undercut.games.pharaoh.rules import Options, Outcome

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")

_FEWER = "whoever has fewer cards is ahead"


def summarise(view: View, points: Sequence[int], company: Company) -> Summary:
    """Who came in which place with how many points, and who has how many cards left."""
    places = places_of(points)
    areas = []
    for seat in sorted(range(len(points)), key=lambda seat: places[seat]):
        held = int(view.held[seat])
        left = f"{counted(held, 'card')} left" if held else ""
        told = (company.names[seat], counted(points[seat], "point"), left)
        parts = tuple(Part(before=words) for words in told)
        areas.append(Area("places", PLACES[places[seat] - 1], parts, seat=seat))
    outcome = Outcome(int(view.outcome))
    told_last = verdict(outcome, points, int(view.me), company.options)
    return Summary(tuple(areas), tuple(told_last))


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
