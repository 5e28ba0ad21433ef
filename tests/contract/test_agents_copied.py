"""Every agent that a spec makes can be pickled, copied and printed, and then plays the same."""

import multiprocessing
import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rulesets import quick_specs
from undercut.games.contract import Game
from undercut.games.families import all_families, parse_game
from undercut.play.agent import AnyAgent, BatchedAgent, KernelAgent, Random
from undercut.play.ask import ask
from undercut.play.deal import Deal
from undercut.play.match import play_match
from undercut.play.records.events import Event, Played
from undercut.players.catalog import agent_names, parse_agent
from undercut.players.search.champion import Champion
from undercut.players.search.timed import TimedAgent

WAYS: list[Callable[[AnyAgent], AnyAgent]] = [
    lambda agent: pickle.loads(pickle.dumps(agent)),
    copy,
    deepcopy,
]
GAMES = [family.measured_at for family in all_families()]
BOTS = """
import numpy as np
from undercut.play.agent import KernelAgent, NO_SETTINGS
from undercut.kernels.jit import kernel

class Last:
    name = "last"

    def act(self, view, legal, random):
        return legal[random.below(2) - 1]

class Firsts:
    def act_batch(self, views, legal, counts, generators):
        return legal[np.arange(len(legal)), 0]

ready = Last()

@kernel
def choose(view, turn):
    return int(turn.legal[len(turn.legal) - 1])

quick = KernelAgent("quick", choose, NO_SETTINGS)
"""


def _played(game: Game, agent: AnyAgent) -> list[Event]:
    """A deal of an agent against itself; asked one by one, nothing is compiled for this alone."""
    events: list[Event] = []
    play_match(game, [agent] * game.seats, 3, max_deals=1, note=events.append)
    return [event for event in events if isinstance(event, Played)]


@pytest.mark.parametrize("name", GAMES)
def test_every_agent_is_made_again(name: str) -> None:
    game = parse_game(name)
    for spec in agent_names(game.family):
        agent = parse_agent(spec, game)
        assert repr(agent) == f"agent({spec!r}, {game.name!r})"
        for again in (way(agent) for way in WAYS):
            assert type(again) is type(agent)
            assert again is not agent
            assert (again.name, repr(again)) == (agent.name, repr(agent))


@pytest.mark.compiled  # what is copied is settings, not kernels
@pytest.mark.parametrize("name", GAMES)
def test_an_agent_that_is_made_again_plays_the_same(name: str) -> None:
    game = parse_game(name)
    for spec in quick_specs(game):
        agent = parse_agent(spec, game)
        if isinstance(agent, Champion):  # a test of its own compares its moves
            continue
        assert _played(game, WAYS[0](agent)) == _played(game, agent)


def test_rules_and_settings_come_along() -> None:
    game = parse_game("gin:knock_limit=3,target=50")
    agent = pickle.loads(pickle.dumps(parse_agent("thrifty:link=2", game)))
    assert isinstance(agent, KernelAgent)
    assert agent.options == game.options
    assert agent.settings.link == 2.0
    assert repr(agent) == "agent('thrifty:link=2', 'gin:knock_limit=3,target=50')"


def test_a_network_comes_along() -> None:
    game = parse_game("gin")
    agent = parse_agent("estimator:samples=1,model=paper", game)
    assert isinstance(agent, KernelAgent)
    again = deepcopy(agent)
    assert np.array_equal(again.settings.weights, agent.settings.weights)
    assert len(pickle.dumps(agent)) < 500  # its spec, not its weights


def test_a_timed_search_is_made_again() -> None:
    agent = parse_agent("mcts:seconds=0.25", parse_game("rummy"))
    assert isinstance(agent, TimedAgent)
    for again in (way(agent) for way in WAYS):
        assert isinstance(again, TimedAgent)
        assert again.agent.settings == agent.agent.settings
        assert repr(again) == "agent('mcts:seconds=0.25', 'rummy')"


@pytest.mark.parametrize("member", ["Last", "Firsts", "ready", "quick"])
def test_agents_of_one_s_own_too(member: str, tmp_path: Path) -> None:
    path, game = tmp_path / "bots.py", parse_game("gin")
    path.write_text(BOTS)
    spec = f"python:{path}:{member}"
    agent = parse_agent(spec, game)
    assert isinstance(agent, BatchedAgent) == (member == "Firsts")
    assert isinstance(agent, KernelAgent) == (member == "quick")
    assert agent.name == {"Firsts": spec, "quick": "quick"}.get(member, "last")
    played = _played(game, agent)
    for again in (way(agent) for way in WAYS):
        assert repr(again) == f"agent({spec!r}, 'gin')"
        assert _played(game, again) == played


def test_an_agent_that_was_changed_is_not_taken_for_what_its_spec_makes() -> None:
    agent = parse_agent("thrifty", parse_game("gin"))
    assert isinstance(agent, KernelAgent)
    changed = replace(agent, settings=agent.settings._replace(link=7.0))
    assert repr(changed) == "KernelAgent('thrifty')"
    assert changed.origin is None
    assert deepcopy(changed).settings.link == 7.0


def test_an_agent_plays_in_another_process() -> None:
    game = parse_game("gin")
    agent, deal = parse_agent("simple", game), Deal(game, seed=5)
    question = game, agent, deal.observe(), deal.actions, Random.from_seed(2)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        answer = pool.apply(ask, question)
        assert pool.apply(repr, (agent,)) == "agent('simple', 'gin')"
    assert answer == ask(*question)
