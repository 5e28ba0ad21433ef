"""The paper's player against its slow twin, number by number, and the hands it is known for."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from hands import rich_deck
from positions import Table, generator, gin_table, gin_view_in_words, random_table, scaled
from reference import heuristic as slow
from reference.cards import PACK, Hand, from_mask, hand
from undercut.agents import gin_utility, heuristic
from undercut.agents.catalog import parse_agent
from undercut.agents.reasoning import Reasoning, explain
from undercut.belief.sample import SAMPLER, draw, prepare
from undercut.core.agent import KernelAgent
from undercut.core.agent import Random as Chance
from undercut.core.game import new, pack
from undercut.core.jit import specialise
from undercut.games import gin
from undercut.games.catalog import parse_game

GAMES = [
    "gin",
    "distilled",
    "distilled+upcard+knock",
    "gin:face_points=13",
    "gin:knock_limit=3",
]
SPECS = [
    "heuristic:samples=2",
    "published:samples=2",
    "heuristic:samples=2,count_once=1,low_card_bonus=3,emergency_booster=0.5",
    "heuristic:samples=2,knock_carefully=1,close_deadwood=60",
    "heuristic:samples=2,force_carefully=1,close_deadwood=60",
]


def _agent(spec: str, game: str = "gin") -> KernelAgent:
    made = parse_agent(spec, parse_game(game))
    assert isinstance(made, KernelAgent)
    return made


def _positions(game: str, count: int, seed: int) -> Iterator[Table]:
    """Positions before the end of deals between simple players, some from rich hands."""
    random = Random(seed)
    simple = _agent("simple", game)
    found = 0
    while found < count:
        table = random_table(parse_game(game), random)
        if random.random() < 0.5:
            table = Table(parse_game(game), rich_deck(random), random.randrange(2))
        while not table.is_over and table.state["phase"] <= gin.Phase.DISCARD:
            if random.random() < 0.15 and len(table.actions()) > 1:
                yield table
                found += 1
            action = simple.act(table.view(), table.actions(), Chance(generator(found)))
            if action >= gin.KNOCK and action < gin.DRAW and random.random() < 0.7:
                action -= gin.KNOCK
            table.apply(action)


def _explain(spec: str, table: Table, seed: int = 5) -> Reasoning:
    agent = parse_agent(spec, table.game)
    assert isinstance(agent, KernelAgent)
    return explain(agent, table.view(), table.actions(), Chance(generator(seed)))


def _chances(reasoning: Reasoning) -> dict[str, float]:
    return dict(zip(PACK, reasoning.chances, strict=True))


def _sampled(reasoning: Reasoning, samples: int, seed: int = 5) -> list[Hand]:
    """The hands that the player has drawn: the first use it makes of chance."""
    sampler, chance = new(SAMPLER, 1)[0], generator(seed)
    prepare(np.array(reasoning.chances), sampler)
    return [from_mask(draw(sampler, chance)) for _ in range(samples)]


def _compare_throw(table: Table, spec: str) -> None:
    view, options = gin_view_in_words(table.view()), table.game.options
    settings, reasoning = _agent(spec).settings, _explain(spec, table)
    hands, chances = _sampled(reasoning, settings.samples), _chances(reasoning)
    outlook = slow.own_outlook(view, chances, options, settings)
    _, _, utilities = slow.candidates(view, outlook)
    assert {PACK[each.card] for each in reasoning.discards} == set(utilities)
    for each in reasoning.discards:
        assert each.utility == pytest.approx(utilities[PACK[each.card]])
    if reasoning.their_deadwood is not None:
        gained = slow.gains(view, set(utilities), hands, options, settings)
        for each in reasoning.discards:
            assert each.gain == pytest.approx(gained[PACK[each.card]], abs=1e-9)
    card = PACK[reasoning.action % gin.KNOCK]
    assert card in slow.throws(view, chances, hands, options, settings)
    if reasoning.action >= gin.KNOCK:
        assert slow.knocks(view, card, hands, options, settings)
    elif gin.KNOCK + reasoning.action in table.actions():
        assert not slow.knocks(view, card, hands, options, settings)


def _compare_draw(table: Table, spec: str) -> None:
    view, options = gin_view_in_words(table.view()), table.game.options
    settings, reasoning = _agent(spec).settings, _explain(spec, table)
    chances = _chances(reasoning)
    take, stock = slow.draw_utilities(view, chances, options, settings)
    assert reasoning.take == pytest.approx(take)
    assert reasoning.stock == pytest.approx(stock)
    assert (reasoning.action == gin.TAKE) in slow.takes(view, chances, options, settings)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("spec", SPECS)
def test_every_number_is_that_of_the_slow_twin(spec: str, game: str) -> None:
    seed = 10 * GAMES.index(game) + SPECS.index(spec)
    for table in _positions(game, scaled(4, 1), seed):
        if table.state["phase"] == gin.Phase.DISCARD:
            _compare_throw(table, spec)
        else:
            _compare_draw(table, spec)
