"""The result of a match, and its JSON form."""

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lab.tables import GAMES, batch_of, compare, quick_agents, rounds_from
from undercut.lab import rounds
from undercut.lab.compare import _Kept, play_match
from undercut.lab.results_file import LedgerError
from undercut.lab.sprt import HIGH, UNDECIDED, Sprt
from undercut.lab.workers import Setup
from undercut.play.batch import play_batch
from undercut.text.errors import OptionsError

FIELDS = {
    "game": str,
    "agents": list,
    "games": int,
    "wins": list,
    "win_rate": float,
    "ci95": list,
    "places": list,
    "places_ci95": list,
    "first_shares": list,
    "first_shares_ci95": list,
    "points_per_deal": list,
    "deals": int,
    "deals_per_second": float,
    "seed": int,
    "statistics": dict,
    "statistics_ci95": dict,
}


def test_json_shape() -> None:
    game, agents = quick_agents("simple", "random")
    result = play_match(game, agents, 21, seed=5).to_json()
    for name, kind in FIELDS.items():
        assert type(result[name]) is kind, name
    assert result == json.loads(json.dumps(result))
    assert result["games"] == 22
    assert sum(result["wins"]) == pytest.approx(22)
    assert result["win_rate"] == pytest.approx(result["wins"][0] / 22)
    low, high = result["ci95"]
    assert 0 <= low < result["win_rate"] <= high <= 1
    assert result["agents"] == ["simple", "random"]
    assert result["seed"] == 5
    assert result["statistics"]["deals_per_game"] == pytest.approx(result["deals"] / 22)


def test_a_made_up_match() -> None:
    result = compare(batch_of([[10, 0], [5, 5], [0, 3], [0, 9]], deals=2)).to_json()
    assert result["wins"] == [1.5, 2.5]
    assert result["win_rate"] == 0.375
    assert result["points_per_deal"] == [15 / 8, 17 / 8]
    assert result["lead_per_deal"] == pytest.approx(-2 / 8)
    assert result["deals"] == 8
    assert result["deals_per_second"] == pytest.approx(4.0)
    # 4 draws, 4 knocks, 4 points for knocks
    assert result["statistics"] == {
        "deals_per_game": 2.0,
        "draws_per_deal": 0.5,
        "knocks_per_deal": 0.5,
        "points_per_knock": 1.0,
    }


def test_three_agents() -> None:
    result = compare(batch_of([[9, 0, 0]] * 3 + [[0, 1, 2]] * 3)).to_json()
    assert result["wins"] == [3.0, 0.0, 3.0]
    assert result["win_rate"] == 0.5
    assert result["lead_per_deal"] == pytest.approx((27 - (3 + 6) / 2) / 6)


def test_a_match_is_its_batch_whatever_the_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    game, agents = quick_agents("simple", "random")
    expected = compare(play_batch(game, agents, GAMES, seed=3)).to_json()
    monkeypatch.setitem(rounds.PART, "cpu", 14)
    played = []
    result = play_match(game, agents, GAMES, 3, Setup(progress=played.append)).to_json()
    assert sum(played) == GAMES
    for name in ("games", "wins", "win_rate", "ci95", "points_per_deal", "deals", "statistics"):
        assert result[name] == pytest.approx(expected[name]), name


def test_a_sequential_test_ends_the_match() -> None:
    game, agents = quick_agents("simple", "random")
    sprt = Sprt(0.5, 0.7)
    played: list[int] = []
    setup = Setup(progress=played.append)
    result = play_match(game, agents, 10 * GAMES, 3, setup, sprt=sprt)
    assert result.to_json()["sprt"]["verdict"] == HIGH
    assert result.games == 2 * sprt.pairs <= sum(played) < 10 * GAMES
    same = play_match(game, agents, result.games, seed=3)
    assert result.wins == same.wins
    assert result.moments.deals == same.moments.deals


def test_a_sequential_test_may_not_end() -> None:
    game, agents = quick_agents("simple", "simple")
    result = play_match(game, agents, 20, seed=3, sprt=Sprt(0.5, 0.51))
    assert result.games == 20
    assert result.to_json()["sprt"]["verdict"] == UNDECIDED


def test_no_games_are_refused() -> None:
    game, agents = quick_agents("simple", "random")
    with pytest.raises(OptionsError, match="0 games"):
        play_match(game, agents, 0)


@pytest.mark.parametrize(("table", "first"), [([1, 0], 0), ([0, 1], 2)])
def test_kept_rounds_of_another_match_are_refused(table: list[int], first: int) -> None:
    part = SimpleNamespace(rounds=lambda: rounds_from(np.ones(3)), table=table, first=first)
    ledger: Any = SimpleNamespace(parts=[part], check_asked=lambda total: None)
    with pytest.raises(LedgerError, match="part 1 of the results is not of this match"):
        _Kept(ledger, 2, 10)
    part.table, part.first = [0, 1], 0
    assert _Kept(ledger, 2, 10).kept == 3
