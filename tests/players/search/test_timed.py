"""players/search/timed.py: a search that is given time."""

import time
from typing import Any, NamedTuple

import numpy as np
import pytest

from undercut.games.families import parse_game
from undercut.play.agent import KernelAgent, Random, Turn
from undercut.play.batch import play_batch
from undercut.players.catalog import parse_agent
from undercut.players.search.timed import PROBE, TimedAgent

RUMMY = parse_game("rummy")
RANDOM = Random.from_seed(1)


class Settings(NamedTuple):
    """What every search has."""

    iterations: int = 400
    seconds: float = 0.1


def make_agent(seconds: float, cost: float) -> tuple[TimedAgent, list[int]]:
    """An agent whose every iteration takes so long, and the list of its searches."""
    searches: list[int] = []

    def choose(view: Any, turn: Turn[Any, Any]) -> int:
        searches.append(int(turn.settings.iterations))
        time.sleep(cost * turn.settings.iterations)
        return int(turn.legal[len(searches) % 2])

    inner = KernelAgent("mcts", choose, RUMMY.options, Settings(seconds=seconds))
    return TimedAgent("mcts", inner), searches


def test_the_second_search_fills_the_time() -> None:
    agent, searches = make_agent(seconds=0.5, cost=0.0005)
    started = time.perf_counter()
    assert agent.act(None, [7, 8], RANDOM) == 7
    assert time.perf_counter() - started >= 0.2
    assert searches[0] == PROBE
    assert PROBE < searches[1] <= 1000


def test_a_slow_search_is_not_repeated() -> None:
    agent, searches = make_agent(seconds=0.01, cost=0.0005)
    assert agent.act(None, [7, 8], RANDOM) == 8
    assert searches == [PROBE]


def test_a_single_move_needs_no_time() -> None:
    agent, searches = make_agent(seconds=0.5, cost=0.0005)
    assert agent.act(None, [7], RANDOM) == 7
    assert searches == []


@pytest.mark.parametrize(
    ("spec", "kind"), [("mcts", KernelAgent), ("mcts:seconds=0.5", TimedAgent)]
)
def test_seconds_in_a_spec_make_a_timed_agent(spec: str, kind: type) -> None:
    agent = parse_agent(spec, RUMMY)
    assert isinstance(agent, kind)
    assert agent.name == spec


def test_it_plays_in_matches() -> None:
    agent, searches = make_agent(seconds=0.00001, cost=0.000001)
    batch = play_batch(RUMMY, [agent, parse_agent("greedy", RUMMY)], 2, seed=1, max_deals=1)
    assert np.all(batch.results.deals == 1)
    assert searches
