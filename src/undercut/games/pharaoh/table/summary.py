"""The end of a deal of Pharaoh or Prší: places, points and the reason of the end."""

from collections.abc import Sequence

from undercut.games.pharaoh.rules.deal import Options
from undercut.games.pharaoh.table.places import name_place
from undercut.games.pharaoh.table.readable import PharaohView
from undercut.games.table.description import Area, Company, Part, Summary
from undercut.games.table.description import points as say_points
from undercut.text.translation import say, say_count


def summarise(view: PharaohView, points: Sequence[int], company: Company) -> Summary:
    """Every seat's place, points and number of cards."""
    places = places_of(points)
    areas = []
    for seat in sorted(range(len(points)), key=lambda seat: places[seat]):
        held = view.held[seat]
        left = say_count("{count} card left", "{count} cards left", held) if held else ""
        told = (company.called(seat), say_points(points[seat]), left)
        parts = tuple(Part(before=words) for words in told)
        areas.append(Area("places", name_place(places[seat]), parts, seat=seat))
    return Summary(tuple(areas), tuple(verdict(view.outcome, points, view.me, view.options)))


def places_of(points: Sequence[int]) -> list[int]:
    """The place of each seat; equal seats share a place.

    >>> places_of([1, 4, 1])
    [2, 1, 2]
    """
    return [1 + sum(other > own for other in points) for own in points]


def verdict(outcome: str | None, points: Sequence[int], me: int, options: Options) -> list[str]:
    """The reason of the end unless a player went out, and the viewer's result."""
    values = {
        "place": name_place(places_of(points)[me]),
        "players": len(points),
        "award": say_points(points[me]),
    }
    told = say("You are {place} of {players}: {award}.", **values)
    if points.count(points[me]) > 1:
        told = say("You share the {place} place of {players}: {award}.", **values)
    stop = say_count(
        "No card was played or taken for {count} round: whoever has fewer cards is ahead.",
        "No card was played or taken for {count} rounds: whoever has fewer cards is ahead.",
        options.stop_rounds,
    )
    limit = say_count(
        "{count} move played: whoever has fewer cards is ahead.",
        "{count} moves played: whoever has fewer cards is ahead.",
        options.max_moves,
    )
    reason = {"stop": [stop], "limit": [limit]}.get(outcome or "", [])
    return [*reason, told]
