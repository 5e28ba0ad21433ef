"""PettingZoo's own tests pass for every preset, and hidden cards change nothing."""

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils.conversions import parallel_to_aec

from undercut.adapters import pettingzoo
from undercut.games.families import all_families
from undercut.games.table.position import format_position
from undercut.kernels import rng
from undercut.kernels.records import new
from undercut.play.deal import Deal
from undercut.text.errors import IllegalAction, OptionsError

PRESETS = [name for family in all_families() if family.encoding for name in family.rules.PRESETS]
TABLES = [(preset, None) for preset in PRESETS] + [("pharaoh", seats) for seats in (3, 5, 8)]
every_table = pytest.mark.parametrize(("preset", "players"), TABLES)

# A dictionary with a mask is what their own games have; they know these by name.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
]


@every_table
def test_it_passes_their_tests(preset: str, players: int | None) -> None:
    make = partial(pettingzoo.env, preset, players)
    api_test(make(), num_cycles=40)
    seed_test(make, num_cycles=20)
    render_test(make)
    parallel_api_test(pettingzoo.parallel_env(preset, players), num_cycles=20)


@every_table
def test_it_passes_their_test_of_cycles(preset: str, players: int | None) -> None:
    def parallel_env(max_cycles: int) -> Any:
        env = pettingzoo.parallel_env(preset, players, max_cycles=max_cycles)
        for agent in env.possible_agents:
            env.action_space(agent).seed(1)
        return env

    def env(max_cycles: int) -> Any:
        return parallel_to_aec(parallel_env(max_cycles))

    max_cycles_test(SimpleNamespace(parallel_env=parallel_env, env=env))


@every_table
def test_an_episode_ends_with_rewards_that_add_up_to_nothing(
    preset: str, players: int | None
) -> None:
    env, steps = pettingzoo.env(preset, players), 0
    env.reset(seed=2)
    while not any(env.terminations.values()):
        mask = env.last()[0]["action_mask"]
        assert env.agent_selection == env.possible_agents[env._match.deal.seat]
        legal = np.flatnonzero(mask)
        env.step(int(legal[steps % len(legal)]))
        steps += 1
    assert sum(env.rewards.values()) == pytest.approx(0)
    for _ in range(len(env.agents)):
        env.step(None)
    assert env.agents == []
    with pytest.raises(IllegalAction, match="reset begins"):
        env.step(0)


@every_table
def test_what_agents_see_lies_in_their_spaces(preset: str, players: int | None) -> None:
    env, parallel = pettingzoo.env(preset, players), pettingzoo.parallel_env(preset, players)
    env.reset(seed=1)
    seen, _ = parallel.reset(seed=1)
    for agent in env.agents:
        assert env.observe(agent) in env.observation_space(agent)
        assert seen[agent] in parallel.observation_space(agent)
        assert env.observation_space(agent) == parallel.observation_space(agent)
        assert env.action_space(agent) == parallel.action_space(agent)


@every_table
def test_hidden_cards_change_nothing(preset: str, players: int | None) -> None:
    env, chance = pettingzoo.env(preset, players, render_mode="ansi"), new(rng.GENERATOR, 1)[0]
    rng.start(chance, 9)
    env.reset(seed=5)
    for step in range(8):
        match = env._match
        true, on_turn = match.deal, env.agent_selection
        for agent in env.agents:
            seen, text = env.observe(agent), env.render()
            assert text.startswith(format_position(true.game, true.observe()))
            assert seen["action_mask"].any() == (agent == on_turn)
            seat = env.possible_agents.index(agent)
            match.deal = Deal._of_view(true.game, true.observe(seat), chance)
            again = env.observe(agent)
            assert all((seen[name] == again[name]).all() for name in seen)
            assert agent != on_turn or env.render() == text
            match.deal = true
        legal = np.flatnonzero(env.observe(on_turn)["action_mask"])
        env.step(int(legal[step % len(legal)]))
        if any(env.terminations.values()):
            return


def test_matches_cuts_and_refusals() -> None:
    env = pettingzoo.env("gin", episode="match", max_cycles=3)
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="not legal"):
        env.step(3)
    with pytest.raises(IllegalAction, match="is on turn"):
        env.step(None)
    for _ in range(6):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[-1]))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    with pytest.raises(OptionsError, match="3 players"):
        pettingzoo.env("gin", players=3)
