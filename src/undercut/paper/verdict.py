"""Comparison with the paper's numbers, and possible reasons for missed ones."""

from dataclasses import dataclass
from itertools import product
from math import hypot, sqrt

from undercut.learn.score import KS, MEASURES
from undercut.paper.matches import KINDS, OPPONENTS, SIMPLE, WITHOUT
from undercut.paper.reproduce import Reproduction, Result


@dataclass(frozen=True)
class Printed:
    """A win rate in the paper, which has a sampling error of its own."""

    rate: float
    text: str
    games: int = 1500

    @property
    def error(self) -> float:
        """Half of its 95 % interval."""
        return float(1.96 * sqrt(self.rate * (1 - self.rate) / self.games))


TKCA = {10: 0.3775, 15: 0.6147, 20: 0.7961, 25: 0.9068}
MATCHES = {
    WITHOUT: Printed(0.57, "57.0 % (54.45 – 59.52 %) of 1,500"),
    SIMPLE: Printed(1042 / 1500, "69.5 % (67.1 – 71.8 %), 1,042 of 1,500"),
}


def verdict(run: Reproduction) -> str:
    """A line for each printed number, then possible reasons for the missed ones."""
    found = run.result("score")
    lines, missed = [], []
    for measure, k in product(MEASURES, KS):
        name = f"{measure}@{k}"
        figure = found["beliefs"]["network"][name]
        lines.append(_compare(name, figure["mean"], figure["ci95"], TKCA[k]))
        if figure["ci95"][1] < TKCA[k]:
            missed.append(name)
    for against, printed in MATCHES.items():
        result = run.result(f"match_{against}")
        interval = _with_error(result, printed)
        label = f"wins against {OPPONENTS[against]}"
        lines.append(_compare(label, result["win_rate"], interval, printed.rate))
        if interval[1] < printed.rate:
            missed.append(against)
    parts = ["## In short", "\n".join(f"- {line}" for line in lines)]
    reasons = _reasons(run, missed)
    if reasons:
        parts.append("The measurements below suggest reasons for the missed numbers:")
        parts.append("\n".join(f"- {reason}" for reason in reasons))
    return "\n\n".join(parts)


def _with_error(result: Result, printed: Printed) -> list[float]:
    """The interval of a match here, widened by the sampling error of the printed number."""
    rate, (low, high) = result["win_rate"], result["ci95"]
    return [rate - hypot(rate - low, printed.error), rate + hypot(high - rate, printed.error)]


def _compare(label: str, value: float, interval: list[float], printed: float) -> str:
    low, high = interval
    both = f"{label}: {value:.2%} here, {printed:.2%} in the paper"
    points = f"{100 * abs(value - printed):.2f} points"
    if high < printed:
        return f"{both}: **missed** by {points}"
    if low > printed:
        return f"{both}: {points} more"
    return f"{both}: no difference beyond chance"


def _reasons(run: Reproduction, missed: list[str]) -> list[str]:
    reasons = []
    if missed and run.scale.divisor > 1:
        reasons.append(
            f"The networks saw 1/{run.scale.divisor:,} of the paper's decisions, and the agents "
            f"sample {run.scale.samples} hands where the paper's sample 100."
        )
    found = run.result("score")
    if any("@" in name for name in missed):
        nearby = nearest(found["beliefs"]["network"])
        reasons.append(f"The paper does not state its measure clearly: {nearby}")
        reasons += [
            f"At {choice}s alone, if these are the paper's entries: {nearest(figures)}"
            for choice, figures in found["beliefs"]["network"]["by_choice"].items()
            if figures
        ]
    if any(name.startswith("tkca") for name in missed):
        reasons.append(_spread(found, missed[0]))
    for against in MATCHES:
        if against in missed:
            reasons += [_settings_reason(run, kind, against) for kind in KINDS if kind != "match"]
    return reasons


def nearest(figures: Result) -> str:
    """The distance of each measure from the printed numbers, and the nearest measure."""
    distances = {
        measure: sum(abs(figures[f"{measure}@{k}"]["mean"] - TKCA[k]) for k in KS) / len(KS)
        for measure in MEASURES
    }
    listed = ", ".join(f"{name}@K {100 * value:.2f}" for name, value in distances.items())
    closest = min(MEASURES, key=lambda measure: distances[measure])
    return f"mean distances in points are {listed}; {closest}@K comes nearest."


def _spread(found: Result, name: str) -> str:
    """The range of a measure over turns and over opponents."""
    spans = []
    for what in ("turn", "opponent"):
        values = found["beliefs"]["network"][f"by_{what}"][name]
        all_values = values.values() if isinstance(values, dict) else values
        known = [value for value in all_values if value is not None]
        spans.append(f"from {min(known):.2%} to {max(known):.2%} by {what}")
    return (
        f"{name} goes {spans[0]} and {spans[1]}. The paper states neither the turns of its "
        "decisions nor the strength of its opponents."
    )


def _settings_reason(run: Reproduction, kind: str, against: str) -> str:
    """Whether the same network does better with other settings."""
    result, usual = (run.result(f"{each}_{against}") for each in (kind, "match"))
    whom = f"against {OPPONENTS[against]}"
    low, high = result["ci95"]
    if low > usual["ci95"][1]:
        said = "more than with the paper's settings, which are then part of the reason"
    elif high < usual["ci95"][0]:
        said = "less than with the paper's settings, which are not the reason"
    else:
        said = "no significant difference from the paper's settings"
    printed = MATCHES[against]
    reached = ""
    if _with_error(result, printed)[1] >= printed.rate:
        reached = " The printed number is reached, within the error of both samples."
    return f"With the {KINDS[kind]} it wins {result['win_rate']:.1%} {whom}: {said}.{reached}"
