"""Results as people and programs see them: every word and every number, against files.

The files in `shown` say what was shown when they were written, and `golden.py` how they are
written anew.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from golden import check_golden, described, rounded
from lab.tables import batch_of, compare, quick_agents
from undercut.lab import plot
from undercut.lab.compare import Comparison, play_match
from undercut.lab.result_tables import adjusted_columns, agents_grid
from undercut.lab.rounds import Rounds, rounds_of
from undercut.lab.sprt import Sprt
from undercut.lab.statistics import Moments
from undercut.lab.timing import DecisionTime
from undercut.lab.tournament import Standings, Tournament, parse_entrants
from undercut.lab.workers import Setup

SHOWN = Path(__file__).parent / "shown"


def everything(result: Comparison | Standings) -> str:
    """All forms that a result has."""
    frame = result.to_dataframe().to_csv(float_format="%.6g")
    plain = json.dumps(rounded(result.to_json()), indent=1, ensure_ascii=False)
    return "\n\n".join([str(result), repr(result), result._repr_html_(), frame, plain, ""])


def in_two_seconds(result: Comparison, **more: Any) -> Comparison:
    return replace(result, moments=replace(result.moments, seconds=2.0, **more))


def test_a_match_of_two() -> None:
    game, agents = quick_agents("thrifty", "simple")
    sprt = Sprt(0.4, 0.8)
    result = in_two_seconds(play_match(game, agents, 21, seed=5, sprt=sprt), forfeits=(0, 3))
    check_golden(SHOWN / "match.txt", everything(replace(result, asked=50)))


def test_a_match_of_three() -> None:
    scores = [[9, 0, 0]] * 3 + [[0, 1, 2]] * 3 + [[4, 4, 1]] * 6
    result = compare(batch_of(scores, deals=np.arange(1, 13)))
    check_golden(SHOWN / "three.txt", everything(in_two_seconds(result)))


def test_a_match_of_one_round() -> None:
    """There is no interval of a single round."""
    result = compare(batch_of([[3, 10], [5, 6]]))
    check_golden(SHOWN / "round.txt", everything(in_two_seconds(result)))


def lucky(rounds: Rounds) -> Rounds:
    """The same rounds, in which luck was found out."""
    luck = np.random.default_rng(2).normal(0, 0.2, (len(rounds), 1))
    return replace(rounds, luck=np.concatenate([luck, -luck], axis=1))


def test_a_match_without_luck() -> None:
    batch = batch_of([[7, 3], [0, 5], [6, 6], [9, 1], [2, 8], [4, 3]])
    moments = Moments.of(lucky(rounds_of(batch)))
    result = in_two_seconds(Comparison(batch.game, batch.agents, 1, moments))
    grid = agents_grid(result.agents, range(2), adjusted_columns(result.moments))
    check_golden(SHOWN / "adjusted.txt", f"{grid}\n\n{everything(result)}")


def standings(*specs: str) -> Standings:
    game, _ = quick_agents()
    return Tournament(game, parse_entrants(specs, game), 12, seed=1).play(Setup(workers=1))


TIMES = (DecisionTime(1.5, 2.5, 40), DecisionTime(25.0, 90.0, 40), DecisionTime(300.0, 40.0, 7))


def test_a_tournament() -> None:
    found = replace(standings("random", "simple", "simple:knock_at=5"), times=TIMES)
    check_golden(SHOWN / "tournament.txt", everything(found))


def test_a_tournament_without_luck() -> None:
    entrants: Any = dict.fromkeys("abc")
    contest = Tournament(batch_of([[0, 0]]).game, entrants, 12, 1)
    for table, bias in zip(contest.tables, (3, 2, 8), strict=True):
        scores = [[number % 5, (number * bias) % 7] for number in range(12)]
        contest._keep(table, range(6), lucky(rounds_of(batch_of(scores))))
    check_golden(SHOWN / "tournament-adjusted.txt", everything(contest._standings()))


@pytest.mark.parametrize("seats", [2, 3])
def test_the_picture_of_a_tournament(
    seats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With times and names that are too long; three seats have places too."""
    figures: list[Any] = []
    new = plot.new_figure

    def kept(**options: Any) -> Any:
        figures.append(new(**options))
        return figures[-1]

    monkeypatch.setattr(plot, "new_figure", kept)
    found = standings("random", "simple", "simple:knock_at=5")
    if seats == 3:
        scores = [[9, 0, 0]] * 6 + [[0, 1, 2]] * 6
        found = replace(found, moments=compare(batch_of(scores)).moments)
    else:
        names = ("a" * 34, "b" * 35, "random")
        found = replace(found, times=TIMES, agents=names)
    plot.plot_standings(found, tmp_path / "ratings.svg")
    check_golden(SHOWN / f"picture-{seats}.txt", described(figures[0]))
