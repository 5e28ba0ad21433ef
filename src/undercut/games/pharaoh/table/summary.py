"""The end of a deal of Pharaoh or Prší: places, points, and why it ended."""

from collections.abc import Sequence

from undercut.games.pharaoh.rules.deal import Options
from undercut.games.pharaoh.table.places import name_place
from undercut.games.pharaoh.table.readable import PharaohView
from undercut.games.table.description import Area, Company, Part, Summary
from undercut.games.table.description import points as say_points
from undercut.text.translation import say, say_count


def summarise(view: PharaohView, points: Sequence[int], company: Company) -> Summary:
    """Every seat's place, points and cards that are left."""
    places = places_of(points)
    areas = []
    for seat in sorted(range(len(points)), key=lambda seat: places[seat]):
        held = view.held[seat]
        left = say_count("{count} card left", "{count} cards left", held) if held else ""
        told = (company.called(seat), say_points(points[seat]), left)
        parts = tuple(Part(before=words) for words in told)
        areas.append(Area("places", name_place(places[seat]), parts, seat=seat))
    told_last = verdict(view.outcome, points, view.me, view.options)
    return Summary(tuple(areas), tuple(told_last))


def places_of(points: Sequence[int]) -> list[int]:
    """The place of each seat; equal seats share the better one.

    >>> places_of([1, 4, 1])
    [2, 1, 2]
    """
    return [1 + sum(other > own for other in points) for own in points]


def verdict(outcome: str | None, points: Sequence[int], me: int, options: Options) -> list[str]:
    """Why a deal ended, where nobody went out, and how the person did."""
    values = {
        "place": name_place(places_of(points)[me]),
        "players": len(points),
        "award": say_points(points[me]),
    }
    told = say("You are {place} of {players}: {award}.", **values)
    if points.count(points[me]) > 1:
        told = say("You share the {place} place of {players}: {award}.", **values)
    if outcome == "stop":
        return [_stop_verdict(options.stop_rounds), told]
    return [_limit_verdict(options.max_moves), told] if outcome == "limit" else [told]


def _stop_verdict(rounds: int) -> str:
    return say_count(
        "No card was played or taken for {count} round: whoever has fewer cards is ahead.",
        "No card was played or taken for {count} rounds: whoever has fewer cards is ahead.",
        rounds,
    )


def _limit_verdict(moves: int) -> str:
    return say_count(
        "{count} move played: whoever has fewer cards is ahead.",
        "{count} moves played: whoever has fewer cards is ahead.",
        moves,
    )
