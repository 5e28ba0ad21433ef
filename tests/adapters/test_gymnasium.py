"""Gymnasium's own checks pass for every preset, and hidden cards change nothing."""

from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from undercut.adapters.gymnasium import SeatEnv, TableVectorEnv, environment_names
from undercut.adapters.learner_seat import Episode
from undercut.games.gin.rules.layout import DRAW, KNOCK, TAKE
from undercut.kernels import rng
from undercut.kernels.records import new
from undercut.play.deal import Deal
from undercut.text.errors import OptionsError


@pytest.mark.parametrize("name", environment_names())
def test_an_environment_passes_the_checks(name: str) -> None:
    env: Any = gymnasium.make(name, render_mode="ansi")
    check_env(env.unwrapped)
    observation, info = env.reset(seed=1)
    for _ in range(30):
        assert observation in env.observation_space
        assert set(info) == {"action_mask"}
        action = env.action_space.sample(info["action_mask"])
        observation, _, over, _, info = env.step(action)
        assert isinstance(env.render(), str)
        if over:
            assert not info["action_mask"].any()
            observation, info = env.reset()


class _Last:
    """An agent in Python that plays the last legal action."""

    name = "last"

    def act(self, view: Any, legal: list[int], random: Any) -> int:
        return legal[-1]


def test_any_agent_is_an_opponent() -> None:
    for opponent in ("simple", f"python:{__file__}:_Last"):
        env = SeatEnv(opponent=opponent, episode="match", lays_down=True)
        assert env.action_space.n == env._learner.game.rules.ACTIONS > SeatEnv().action_space.n
        _, info = env.reset(seed=3)
        rewards = []
        for _ in range(5000):
            step = env.step(np.flatnonzero(info["action_mask"])[0])
            info = step[4]
            rewards.append(step[1])
            if step[2]:
                break
        assert step[2], "a match to 100 points ends"
        assert sum(reward != 0 for reward in rewards) > 1, "with a reward for every deal"
    assert (env.action_masks() == info["action_mask"]).all()


@pytest.mark.parametrize("name", environment_names())
def test_hidden_cards_change_nothing(name: str) -> None:
    env, chance = SeatEnv(game=environment_names()[name], render_mode="ansi"), _chance()
    env.reset(seed=5)
    for step in range(12):
        assert env._episode is not None
        match, seat = env._episode.match, env._episode.seat
        seen = env._observe(), env._mask(), env.render()
        true = match.deal
        match.deal = Deal._of_view(true.game, true.observe(seat), chance)
        again = env._observe(), env._mask(), env.render()
        assert all(np.array_equal(one, other) for one, other in zip(seen, again, strict=True))
        match.deal = true
        legal = np.flatnonzero(env._mask())
        if env.step(legal[step % len(legal)])[2]:
            env.reset()


def _chance() -> Any:
    generator = new(rng.GENERATOR, 1)[0]
    rng.start(generator, 9)
    return generator


def test_many_environments_side_by_side() -> None:
    envs: Any = gymnasium.make_vec("undercut/Gin-v0", 8)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    observations, infos = envs.reset(seed=7)
    again, _ = envs.reset(seed=7)
    assert (observations == again).all()
    other, _ = envs.reset()
    assert (other != observations).any()
    episodes = 0
    for _ in range(150):
        assert observations in envs.observation_space
        actions = envs.unwrapped.random_actions()
        assert actions in envs.action_space
        assert (infos["action_mask"][np.arange(8), actions] == 1).all()
        before = observations
        observations, rewards, over, cut, infos = envs.step(actions)
        assert before is not observations
        assert not cut.any()
        assert (rewards[~over] == 0).all()
        episodes += over.sum()
        if over.any():
            assert [seen is not None for seen in infos["final_obs"]] == over.tolist()
    assert episodes > 4
    with_statistics = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    with_statistics.reset(seed=1)
    with_statistics.step(envs.unwrapped.random_actions())


def test_tensors_share_the_memory_of_the_table() -> None:
    envs = TableVectorEnv(4, tensors=True, copy=False)
    first, _ = envs.reset(seed=1)
    assert isinstance(first, torch.Tensor)
    seen, rewards, _, _, infos = envs.step(torch.as_tensor(envs.random_actions()))
    assert first.data_ptr() == seen.data_ptr()
    assert (seen.shape, rewards.shape, infos["action_mask"].shape) == ((4, 1046), (4,), (4, 107))


class _Hasty:
    """An agent in Python that takes the upcard, and knocks at once."""

    name = "hasty"

    def act(self, view: Any, legal: list[int], random: Any) -> int:
        knocks = [action for action in legal if KNOCK <= action < DRAW]
        return knocks[0] if knocks else TAKE if TAKE in legal else legal[0]


def test_deals_that_end_before_the_learner_has_a_choice_are_passed_over() -> None:
    env = SeatEnv("gin:knock_limit=99", f"python:{__file__}:_Hasty")
    env.reset(seed=1)
    over = [Episode(env._learner, env._seed, number).is_over for number in range(20)]
    assert "TT" in "".join("FT"[each] for each in over), "two deals, one after the other"
    begun = [number for number, each in enumerate(over) if not each]
    env.reset(seed=1)
    found = [env._number]
    while found[-1] < begun[-1]:
        _, info = env.reset()
        assert info["action_mask"].any()
        found.append(env._number)
    assert found == begun


def test_what_cannot_be_made_is_refused() -> None:
    with pytest.raises(OptionsError, match="unknown episode 'hour'"):
        SeatEnv(episode="hour")
    with pytest.raises(OptionsError, match="last is no kernel"):
        TableVectorEnv(2, opponent=f"python:{__file__}:_Last").reset()
    with pytest.raises(gymnasium.error.ResetNeeded):
        SeatEnv().step(0)


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'worker'"):
        TableVectorEnv(2, worker=1)  # type: ignore[call-arg]


def test_an_illegal_action_ends_the_episode() -> None:
    env = SeatEnv()
    env.reset(seed=1)
    _, reward, over, _, _ = env.step(50)
    assert (reward, over) == (-100, True)
