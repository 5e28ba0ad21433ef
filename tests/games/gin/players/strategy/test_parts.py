"""Decisions in parts: the same as in one go, in whatever order the items are done."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest

from cards.hands import rich_deck
from kernels.lanes import side_by_side
from positions import Table, generator, random_table, scaled
from undercut.cards.french import NONE
from undercut.games.families import parse_game
from undercut.games.gin.players import montecarlo
from undercut.games.gin.players.strategy import thinking
from undercut.games.gin.rules.deal import Phase
from undercut.kernels.records import new, pack, words_for
from undercut.kernels.rng import GENERATOR
from undercut.play.agent import KernelAgent, Parts, Team, Turn
from undercut.play.agent import Random as Chance
from undercut.players.catalog import parse_agent

GAME = parse_game("gin")
SPECS = [
    "heuristic:samples=3",
    "published:samples=3",
    "estimator:samples=3",
    "estimator:settings=printed,samples=2,remember=1",
    "montecarlo:samples=3,gate=0.5",
]


def _agent(spec: str) -> tuple[KernelAgent, Parts]:
    agent = parse_agent(spec, GAME)
    assert isinstance(agent, KernelAgent)
    assert agent.parts is not None
    return agent, agent.parts


def _thought_end(agent: KernelAgent) -> int:
    """How much of the working space holds what it made up its mind by."""
    if agent.name.startswith("montecarlo"):
        return words_for(montecarlo.TASK)
    return thinking.THOUGHT_END


def _choices(seed: int) -> Iterator[Table]:
    """The choices of a deal between simple players, to its end."""
    random, simple = Random(seed), parse_agent("simple", GAME)
    table = random_table(GAME, random) if seed % 2 else Table(GAME, rich_deck(random))
    while not table.is_over:
        if len(table.actions()) > 1:
            yield table
        table.apply(simple.act(table.view(), table.actions(), Chance(generator(seed))))  # type: ignore[union-attr]


def _tables(count: int, seed: int) -> list[Table]:
    """Positions, two thirds of them discards."""
    random = Random(seed)
    found = [table.copy() for start in range(9) for table in _choices(10 * seed + start)]
    discards = [table for table in found if table.state["phase"] == Phase.DISCARD]
    others = [table for table in found if table.state["phase"] != Phase.DISCARD]
    return random.sample(discards, 2 * count) + random.sample(others, count)


def _in_one_go(agent: KernelAgent, table: Table, chance: Any) -> tuple[int, bytes]:
    """The action, and all the numbers it was found by."""
    workspace = np.zeros(agent.workspace, dtype=np.int64)
    legal, options = np.array(table.actions()), pack(GAME.options)
    turn = Turn(legal, options, pack(agent.settings), chance, workspace)
    action = agent.choose(table.view(), turn)
    return int(action), workspace[: _thought_end(agent)].tobytes()


Run = Callable[[Callable[[int], Any]], list[Any]]  # calls a function for each lane


class Lanes:
    """A decision's lanes, each with the buffers that a GPU gives it."""

    def __init__(
        self, agent: KernelAgent, parts: Parts, table: Table, run: Run, lanes: int
    ) -> None:
        assert parts.items is not None
        self.agent, self.parts, self.items = agent, parts, parts.items
        self.run, self.lanes = run, lanes
        self.view, self.legal = table.view(), np.array(table.actions())
        self.options, self.settings = pack(GAME.options), pack(agent.settings)
        self.task = np.zeros(parts.items.task(agent.settings), dtype=np.int64)
        self.own = np.zeros((lanes, parts.own), dtype=np.int64)

    def decide(self, order: Callable[[int], Iterable[int]], chance: Any) -> tuple[int, bytes]:
        chances = new(GENERATOR, self.lanes)
        chances[:] = chance
        shared = np.full(self.parts.shared, -1)
        action = self.run(lambda lane: self._begin(lane, chances[lane], shared))[0]
        self.was_weighed = action == NONE
        if self.was_weighed:
            for number in order(self.items.count(self.agent.settings)):
                shared = np.full(self.items.shared, -1)
                self.run(partial(self._item, number, shared))
            action = self.run(lambda lane: self._end(lane, chances[lane]))[0]
        chance["position"] = chances[0]["position"]
        return int(action), self.task[: _thought_end(self.agent)].tobytes()

    def _begin(self, lane: int, chance: Any, shared: Any) -> int:
        return int(self.parts.begin(self.view, self._turn(chance), self._team(lane, shared)))

    def _end(self, lane: int, chance: Any) -> int:
        return int(self.items.end(self.view, self._turn(chance), self._team(lane, self.task)))

    def _item(self, number: int, shared: Any, lane: int) -> None:
        self.items.item(self.view, self.options, number, self._team(lane, shared))

    def _turn(self, chance: Any) -> Turn[Any, Any]:
        return Turn(self.legal, self.options, self.settings, chance, self.task)

    def _team(self, lane: int, shared: Any) -> Team:
        return Team(self.task, shared, self.own[lane], lane, self.lanes)


def _alone(function: Callable[[int], Any]) -> list[Any]:
    return [function(0)]


ORDERS: list[Callable[[int], Iterable[int]]] = [range, lambda count: reversed(range(count))]


@pytest.mark.parametrize("spec", SPECS)
def test_parts_decide_as_the_whole_does(spec: str) -> None:
    agent, parts = _agent(spec)
    weighed = 0
    for table in _tables(scaled(8, 2), SPECS.index(spec)):
        chance = generator(7)
        expected = _in_one_go(agent, table, chance)
        for order in ORDERS:
            lane, again = Lanes(agent, parts, table, _alone, 1), generator(7)
            assert lane.decide(order, again) == expected
            assert again["position"] == chance["position"]
            weighed += lane.was_weighed
    assert weighed > 0


@pytest.mark.interpreted
@pytest.mark.parametrize("spec", [*SPECS[:3], SPECS[-1]])
def test_lanes_decide_as_one_does(spec: str) -> None:
    agent, parts = _agent(spec)
    for seed, table in enumerate(_tables(1, 5)):
        expected = _in_one_go(agent, table, generator(3))
        for count in (5, 8):
            lanes = Lanes(agent, parts, table, partial(side_by_side, count, seed=seed), count)
            assert lanes.decide(range, generator(3)) == expected
