"""The course of a match as a picture: the first player's chance to win, with the errors marked."""

from collections.abc import Iterator
from html import escape

from undercut.lab.review.review import Review
from undercut.lab.review.words import signed
from undercut.lab.review.worth import WIN
from undercut.text.translation import say

WIDTH, HEIGHT, EDGE = 800, 220, 8
_COLOURS = {"inaccuracy": "#ca0", "mistake": "#e80", "blunder": "#d33"}


def graph(review: Review) -> str:
    """The picture as SVG; "" if no deal was finished."""
    values = [value for deal in review.deals for value in deal.chances()]
    if not values:
        return ""
    is_chance = all(deal.unit == WIN for deal in review.deals if deal.accounts)
    low, high = (0.0, 1.0) if is_chance else (min(values), max(values))
    places = dict(_places(review, low, high))
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places.values())
    name = review.players[0]
    label = (
        say("{name}'s chance to win the match, move by move", name=name)
        if is_chance
        else say("{name}'s points of the deal, move by move", name=name)
    )
    return (
        f'<figure style="margin:1rem 0"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#8881"/>'
        f"{''.join(_scale(low, high, is_chance))}"
        f"{''.join(_ends(review, places))}"
        f'<polyline points="{line}" fill="none" stroke="#36c" stroke-width="2.5"/>'
        f"{''.join(_marks(review, places))}</svg><figcaption><small>{escape(label)}</small>"
        "</figcaption></figure>"
    )


def _places(
    review: Review, low: float, high: float
) -> Iterator[tuple[tuple[int, int], tuple[float, float]]]:
    """Where each action of each deal stands in the picture; one more for the end of a deal."""
    count = sum(len(deal.chances()) for deal in review.deals)
    number = 0
    for deal in review.deals:
        for action, value in enumerate(deal.chances()):
            x = EDGE + (WIDTH - 2 * EDGE) * number / max(1, count - 1)
            yield (deal.deal.number, action), (x, _height(value, low, high))
            number += 1


def _height(value: float, low: float, high: float) -> float:
    return HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (value - low) / max(1e-9, high - low)


def _scale(low: float, high: float, is_chance: bool) -> Iterator[str]:
    """Lines with a number: all, half and none of a chance, or the points at the edges and 0."""
    points = [high, 0.0, low] if low < 0 < high else [high, low]
    for value in (1.0, 0.5, 0.0) if is_chance else points:
        y = _height(value, low, high)
        words = f"{100 * value:.0f} %" if is_chance else signed(value)
        yield (
            f'<path d="M0 {y:.1f}H{WIDTH}" stroke="#8886" stroke-dasharray="4 4"/>'
            f'<text x="4" y="{y + 12 if y < 2 * EDGE else y - 4:.1f}" font-size="11" '
            f'fill="currentColor">{words}</text>'
        )


def _ends(review: Review, places: dict[tuple[int, int], tuple[float, float]]) -> Iterator[str]:
    """A line where a deal ends."""
    for deal in review.deals[:-1]:
        if deal.chances():
            x, _ = places[deal.deal.number, len(deal.chances()) - 1]
            yield f'<path d="M{x:.1f} 0V{HEIGHT}" stroke="#8884"/>'


def _marks(review: Review, places: dict[tuple[int, int], tuple[float, float]]) -> Iterator[str]:
    """A point at each error."""
    for deal in review.deals:
        first = deal.deal.moments[0].ply
        for each in deal.judgements:
            if each.kind and (place := places.get((each.deal, each.ply - first))):
                x, y = place
                player = review.players[each.seat]
                title = f"{player}: {each.played.text} ({say(each.kind)})"
                yield (
                    f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{_COLOURS[each.kind]}">'
                    f"<title>{escape(title)}</title></circle>"
                )
