"""Matches and tournaments of more than two players, and what a game reports of itself."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.test_cli import refused, undercut
from lab.tables import batch_of, compare
from undercut.games.families import parse_game
from undercut.kernels.jit import COMPILED
from undercut.lab.compare import play_match
from undercut.lab.results_file import Part
from undercut.lab.rounds import play_rounds, rounds_of
from undercut.lab.sprt import Sprt
from undercut.lab.timing import time_decisions
from undercut.play.batch import play_batch
from undercut.play.records.events import Ended
from undercut.play.records.record import parse_record, verify_record
from undercut.play.records.trace import record_of
from undercut.players.catalog import parse_agent
from undercut.text.errors import OptionsError

PHARAOH = "pharaoh:max_moves=30"
BOTS = """
class First:
    name = "first"
    def act(self, view, legal, random):
        return legal[0]

class Last:
    name = "last"
    def act(self, view, legal, random):
        return legal[-1]
"""


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (tmp_path / "bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    return ["random", "python:bots.py:First", "python:bots.py:Last"]


@pytest.mark.parametrize("seats", [2, 3, 5, 8])
def test_equals_come_in_the_middle_on_average(seats: int) -> None:
    game = parse_game("pharaoh" if COMPILED else PHARAOH, seats)
    agents = [parse_agent("random", game)] * seats
    games = (240 if COMPILED else 1) * seats
    result = play_match(game, agents, games, seed=2).to_json()
    assert result["games"] >= games
    assert sum(result["places"]) == pytest.approx(seats * (seats + 1) / 2)
    assert sum(result["first_shares"]) == pytest.approx(1)
    held = [low <= (seats + 1) / 2 <= high for low, high in result["places_ci95"]]
    firsts = [low <= 1 / seats <= high for low, high in result["first_shares_ci95"]]
    assert sum(held) >= seats - 1, result["places_ci95"]
    assert sum(firsts) >= seats - 1, result["first_shares_ci95"]


def test_results_do_not_depend_on_the_order_of_the_agents() -> None:
    """Exactly: made-up games in which only the agent counts, not the seat."""
    there = compare(batch_of([[4, 2, 0]] * 6)).to_json()
    back = compare(batch_of([[0, 2, 4]] * 6)).to_json()
    for name in ("places", "first_shares", "points_per_deal"):
        assert there[name] == back[name][::-1]
    assert there["places"] == [1.0, 2.0, 3.0]


def test_a_sequential_test_is_between_two() -> None:
    game = parse_game(PHARAOH, 3)
    agents = [parse_agent("random", game)] * 3
    with pytest.raises(OptionsError, match=r"3 agents: a sequential test .* is between two"):
        play_match(game, agents, 6, sprt=Sprt(0.3, 0.4))
    message = refused("match", PHARAOH, "random", "random", "random", "--sprt", "0.3,0.4")
    assert "3 agents: a sequential test (--sprt) is between two" in message


def test_a_match_of_three_on_the_screen(bots: list[str]) -> None:
    shown = undercut("match", PHARAOH, *bots, "-n", "12")
    assert shown.exit_code == 0, shown.output
    assert all(len(line) <= 80 for line in shown.stdout.splitlines())
    for text in ("place", "first", "95 % interval", "points on the others' mean with each deal"):
        assert text in shown.stdout
    assert (
        "rounds of 6 seatings: playing 12, not 7"
        in undercut("match", PHARAOH, *bots, "-n", "7").stderr
    )
    same = undercut("match", PHARAOH, "random", "random", "random", "-n", "7", "--json")
    assert json.loads(same.stdout)["games"] == 7, "an agent need not change places with itself"


def test_every_game_of_many_is_recorded_as_it_was_played(bots: list[str], tmp_path: Path) -> None:
    agents = [*bots, "random", "random"]
    command = ["match", PHARAOH, *agents, "-n", "10", "--seed", "3", "--record", "games"]
    played = json.loads(undercut(*command, "--json").stdout)
    names = ["random", "first", "last", "random", "random"]
    points = dict.fromkeys(names, 0)
    for file in sorted((tmp_path / "games").iterdir()):
        match = verify_record(file)
        header = json.loads(file.read_text().splitlines()[0])
        for player, score in zip(header["players"], match.scores, strict=True):
            points[player] += score
    told = dict.fromkeys(names, 0.0)
    for name, each in zip(names, played["points_per_deal"], strict=True):
        told[name] += each * played["deals"]
    assert told == pytest.approx(points)


def test_a_tournament_at_tables_of_three(bots: list[str], tmp_path: Path) -> None:
    agents = [*bots, "random:"]
    command = ["tournament", PHARAOH, *agents, "--seats", "3", "-n", "12", "--seed", "5"]
    shown = undercut(*command, "--plot", "ratings.svg")
    assert shown.exit_code == 0, shown.output
    assert "4 agents, 12 games at each table of 3" in shown.stdout
    assert all(len(line) <= 80 for line in shown.stdout.splitlines())
    drawn = (tmp_path / "ratings.svg").read_text()
    for text in ("average place", "share of first places", "Elo points"):
        assert f"<!-- {text}" in drawn, text
    told = json.loads(undercut(*command, "--json").stdout)
    assert told["seats"] == 3
    assert len(told["tables"]) == 4
    assert sum(told["first_shares"]) * 3 == pytest.approx(4), "one win a game, at 3 of 4 tables"
    assert sum(told["places"]) == pytest.approx(8)
    by_place = sorted(range(4), key=lambda agent: told["places"][agent])
    assert max(told["elo"]) == told["elo"][by_place[0]]
    kept = [*command, "--resume", "spring.db", "--json"]
    undercut(*[*kept[: kept.index("-n") + 1], "6", *kept[kept.index("-n") + 2 :]])
    assert json.loads(undercut(*kept).stdout) == told
    assert "players=3, not pharaoh:max_moves=30,players=4" in refused(
        *["4" if word == "3" else word for word in kept]
    )


def test_rounds_are_kept_as_they_were_played() -> None:
    game = parse_game(PHARAOH, 3)
    agents = [parse_agent("random", game) for _ in range(3)]
    rounds = play_rounds(game, agents, range(4), seed=1)
    again = Part(**json.loads(json.dumps(vars(Part.of((0, 2, 3), 0, rounds))))).rounds()
    for name in ("shares", "places", "points", "dealt", "beats", "games", "deals", "tally"):
        assert getattr(again, name) == pytest.approx(getattr(rounds, name)), name


@pytest.mark.parametrize("rules", ["rummy:alternate_starter=0", "rummy", "gin"])
def test_starters_are_counted_deal_by_deal(rules: str) -> None:
    game = parse_game(rules)
    names = ("random", "greedy") if game.rules.NAME == "rummy" else ("simple", "random")
    agents = [parse_agent(name, game) for name in names]
    batch = play_batch(game, agents, 20 if COMPILED else 4, seed=4, trace=20_000)
    decided = won = deals = 0
    for index in range(len(batch)):
        starter = 0
        for event in parse_record(record_of(batch, index)).events:
            starter = getattr(event, "starter", starter)
            if isinstance(event, Ended):
                deals += 1
                points = event.points
                decided += points[0] != points[1]
                won += points[starter] > points[1 - starter]
    told = compare(batch).to_json()
    assert told["deals"] == deals
    assert told["statistics"]["starter_wins_per_decided_deal"] == pytest.approx(won / decided)
    low, high = told["statistics_ci95"]["starter_wins_per_decided_deal"]
    assert low < won / decided < high


def test_the_report_of_rummy() -> None:
    command = ["tournament", "rummy", "random", "greedy", "-n", "2" if not COMPILED else "40"]
    shown = undercut(*command).stdout
    for text in (
        "deals per game",
        "turns per deal",
        "ties per deal",
        "rummies per decided deal",
        "starter wins per decided deal",
        "win rate",
        "points/deal",
    ):
        assert text in shown, text
    assert "µs/decision" not in shown
    told = json.loads(undercut(*command, "--json").stdout)
    assert set(told["statistics"]) == set(told["statistics_ci95"])
    assert "decision_times" not in told
    timed = json.loads(undercut(*command, "--json", "--times").stdout)
    times = timed.pop("decision_times")
    assert timed == told, "the clock changes nothing"
    assert [set(time) for time in times] == [{"mean", "percentile95", "decisions"}] * 2
    assert all(time["mean"] > 0 and time["percentile95"] > 0 for time in times)


class Ponderer:
    """Counts to a large number before each answer."""

    name = "ponderer"

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def act(self, view: Any, legal: list[int], random: Any) -> int:
        for _ in range(self.steps):
            pass
        return int(legal[0])


class Together:
    """A batched agent that draws on its chance."""

    name = "together"

    def act_batch(self, views: Any, legal: Any, counts: Any, generators: Any) -> Any:
        assert len(views) == len(legal) == len(counts) == len(generators) == 1
        assert views[0].stock >= 0
        return legal[:, 0]


def test_decision_times() -> None:
    game = parse_game("pharaoh")
    quick = time_decisions(game, Ponderer(0))
    slow = time_decisions(game, Ponderer(20_000))
    assert slow.mean > 10 * quick.mean
    assert slow.percentile95 >= slow.mean / 2
    assert 5 <= slow.decisions <= quick.decisions <= 500
    assert time_decisions(game, Together()).mean > 0


def test_all_first_still_leaves_doubt() -> None:
    rounds = rounds_of(batch_of([[9, 1, 0]] * 60))
    result = compare(batch_of([[9, 1, 0]] * 60)).moments
    assert np.all(rounds.places[:, 0] == 1)
    low, high = result.place_interval(0)
    assert low == 1.0
    assert 1.1 < high < 1.8
