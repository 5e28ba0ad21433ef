"""PettingZoo: every seat of a game is an agent, and they take turns.

`env("gin")` is an AEC environment with action masks. docs/adapters.md explains rewards, actions and
first steps.
"""

from typing import SupportsIndex

import numpy as np

from undercut.adapters.learner_seat import EPISODES, above_others, check_episode
from undercut.games.families import parse_game
from undercut.games.table.position import format_position
from undercut.kernels.records import Array
from undercut.kernels.rng import SEED_LIMIT
from undercut.lab.extras import need
from undercut.play.match import Match
from undercut.players.observation import Observation
from undercut.text.errors import IllegalAction

need("pettingzoo", "adapters")

from gymnasium.spaces import Box, Dict, Discrete  # noqa: E402
from gymnasium.utils.seeding import np_random  # noqa: E402
from pettingzoo import AECEnv, ParallelEnv  # noqa: E402

RENDER_MODES = ("human", "ansi")


class _Seats:
    """A match that advances to the next choice of any seat, and the observations of all seats."""

    def __init__(
        self,
        game: str = "gin",
        players: int | None = None,
        episode: str = "deal",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """After `max_cycles` steps, or turns for each agent on average, an episode is truncated."""
        super().__init__()
        check_episode(episode)
        self._game = parse_game(game, players)
        self._seen, self._actions = Observation(self._game), self._game.rules.ACTIONS
        self._max_deals, self._chance = EPISODES[episode], np_random()[0]
        self._steps, self._limit = 0, max_cycles
        self.metadata: dict[str, object] = {
            "name": f"undercut_{self._game.rules.NAME}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": isinstance(self, ParallelEnv),
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self._game.seats)]
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: Dict(
                observation=Box(0, 1, (self._seen.size,), np.int8),
                action_mask=Box(0, 1, (self._actions,), np.int8),
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(self._actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Array]:
        """An agent's observation and action mask; without a choice the mask is empty."""
        deal, seat = self._match.deal, self.possible_agents.index(agent)
        mask = np.zeros(self._actions, dtype=np.int8)
        if seat == deal.seat:
            mask[deal.actions] = 1
        return {"observation": self._seen.of(deal.observe(seat)), "action_mask": mask}

    def render(self) -> str | None:
        """The view of the agent on turn, in words."""
        if self.render_mode is None:
            return None
        view, is_over = self._match.deal.observe(), self._match.is_over
        text = "the match is over" if is_over else format_position(self._game, view)
        text += f"\n{self._on_turn}: {self._game.notation.format_hand(view)}"
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """There is nothing to close."""

    @property
    def _on_turn(self) -> str:
        return self.possible_agents[self._match.deal.seat]

    def _begin(self, seed: int | None) -> None:
        """Begin the next match; with a seed, the first of that seed."""
        if seed is not None:
            self._chance = np_random(seed)[0]
        drawn = int(self._chance.integers(SEED_LIMIT))
        self._match = Match.from_seed(self._game, drawn, max_deals=self._max_deals)
        self._go_on()
        self._steps = 0
        self.agents = self.possible_agents.copy()

    def _play(self, action: SupportsIndex) -> list[float] | None:
        """Play an action; returns each seat's reward if a deal has ended."""
        match = self._match
        deals, before = match.deals, match.scores
        match.apply(action.__index__())
        self._go_on()
        self._steps += 1
        if match.deals == deals:
            return None
        return above_others([now - then for now, then in zip(match.scores, before, strict=True)])

    def _go_on(self) -> None:
        """Play forced moves up to the next choice."""
        match = self._match
        while not match.is_over:
            if match.deal.is_over:
                match.next_deal()
            actions = match.deal.actions
            if len(actions) > 1:
                return
            match.apply(actions[0])


class TurnsEnv(_Seats, AECEnv[str, dict[str, Array], int]):  # type: ignore[misc]  # no types
    """The agents take turns, in the order of play; a turn is one action.

    >>> game = env("gin")
    >>> game.reset(seed=7)
    >>> observation, reward, over, cut, info = game.last()
    >>> game.agents, observation["observation"].shape
    (['seat_0', 'seat_1'], (1259,))
    """

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._on_turn

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; an illegal one is an error."""
        if not self.agents:
            raise IllegalAction("reset begins an episode")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalAction(f"{agent} is on turn: None is not an action")
        gained = self._play(action)
        self._cumulative_rewards[agent] = 0.0
        if gained is not None:
            self.rewards = dict(zip(self.possible_agents, gained, strict=True))
            self._accumulate_rewards()
        elif self.rewards[agent]:
            self._clear_rewards()
        if self._match.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._limit and self._steps == self._limit * len(self.possible_agents):
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._on_turn


class TogetherEnv(_Seats, ParallelEnv[str, dict[str, Array], int]):  # type: ignore[misc]
    """The same in one call for all agents: only the action of the agent on turn counts.

    An agent without a choice has an empty mask. An illegal action is played as the first legal one.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[dict[str, dict[str, Array]], dict[str, dict[str, object]]]:
        self._begin(seed)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, dict[str, Array]],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, object]],
    ]:
        agents, legal = self.agents, self._match.deal.actions
        action = int(actions[self._on_turn])
        rewards = self._play(action if action in legal else legal[0]) or [0.0] * len(agents)
        is_over = self._match.is_over
        is_cut = not is_over and self._steps == self._limit
        if is_over or is_cut:
            self.agents = []
        return (
            self._observations(),
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, is_over),
            dict.fromkeys(agents, is_cut),
            {agent: {} for agent in agents},
        )

    def _observations(self) -> dict[str, dict[str, Array]]:
        return {agent: self.observe(agent) for agent in self.possible_agents}


env = TurnsEnv
parallel_env = TogetherEnv
