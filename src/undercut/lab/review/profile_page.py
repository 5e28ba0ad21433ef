"""Profiles as HTML: a table, the themes, and plots of error rate and luck over time."""

from collections.abc import Sequence
from html import escape

from undercut.lab.review.profile import PlayedSide, Profile, by_player, over_time, profile
from undercut.lab.review.review import Review
from undercut.lab.review.words import signed
from undercut.lab.statistics import Estimate
from undercut.text.translation import say

WIDTH, HEIGHT, EDGE = 400, 140, 24
_THEMES = 5  # of a player, that the page names


def profiles(reviews: Sequence[Review]) -> str:
    """The profiles of all players of some reviews."""
    found = by_player(reviews)
    parts = [_player(game, player, sides) for (game, player), sides in found.items()]
    return f"<h1>{escape(say('Profiles'))}</h1>{''.join(parts)}"


def _player(game: str, player: str, sides: Sequence[PlayedSide]) -> str:
    whole, parts = profile(sides), over_time(sides)
    rate, luck = say("points lost a decision"), say("luck, in points a deal")
    lines = [
        say("Deals: {deals}, decisions: {decisions}", deals=whole.deals, decisions=whole.decisions),
        f"{rate}: {told(whole.error_rate, 2)}",
        f"{luck}: {told(whole.luck, 1)}",
    ]
    return (
        f"<h2>{escape(player)}, {escape(game)}</h2><p>{'<br>'.join(map(escape, lines))}</p>"
        f"{plot([each.error_rate for each in parts], rate)}"
        f"{plot([each.luck for each in parts], luck)}{_themes(whole)}"
    )


def told(estimate: Estimate, digits: int) -> str:
    """An estimate with half its interval, such as "0.42 ± 0.10"."""
    value = signed(estimate.value, digits) if digits == 1 else f"{estimate.value:.{digits}f}"
    if estimate.interval is None:
        return value
    low, high = estimate.interval
    return f"{value} ± {(high - low) / 2:.{digits}f}"


def plot(estimates: Sequence[Estimate], label: str) -> str:
    """Estimates over time as SVG, with their intervals; "" for a single one."""
    if len(estimates) < 2:
        return ""
    ends = [each.interval or (each.value, each.value) for each in estimates]
    low, high = min(0.0, *(end[0] for end in ends)), max(0.0, *(end[1] for end in ends))

    def down(value: float) -> float:
        return HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (value - low) / max(1e-9, high - low)

    step = (WIDTH - 2 * EDGE) / (len(estimates) - 1)
    across = [EDGE + step * place for place in range(len(estimates))]
    line = " ".join(
        f"{x:.1f},{down(each.value):.1f}" for x, each in zip(across, estimates, strict=True)
    )
    bars = "".join(
        f'<path d="M{x:.1f} {down(first):.1f}V{down(last):.1f}" stroke="#36c8" stroke-width="3"/>'
        for x, (first, last) in zip(across, ends, strict=True)
    )
    return (
        f'<figure style="margin:1rem 0;max-width:{WIDTH}px">'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#8881"/>'
        f'<path d="M0 {down(0):.1f}H{WIDTH}" stroke="#8886" stroke-dasharray="4 4"/>'
        f'<text x="4" y="14" font-size="11" fill="currentColor">{high:.2f}</text>'
        f'<text x="4" y="{HEIGHT - 4}" font-size="11" fill="currentColor">{low:.2f}</text>'
        f'{bars}<polyline points="{line}" fill="none" stroke="#36c" stroke-width="2.5"/></svg>'
        f"<figcaption><small>{escape(say('{measure}, over time', measure=label))}</small>"
        "</figcaption></figure>"
    )


def _themes(whole: Profile) -> str:
    rows = [
        f"<li>{escape(say(each.name))}: {each.count} × ({each.points:.1f})</li>"
        for each in whole.themes[:_THEMES]
    ]
    if not rows:
        return ""
    heading = say("Themes of errors, and the points that they cost")
    return f"<h3>{escape(heading)}</h3><ul>{''.join(rows)}</ul>"
