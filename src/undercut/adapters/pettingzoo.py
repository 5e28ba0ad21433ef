"""PettingZoo: every seat of a game is an agent, and they take turns.

`env("gin")` is an AEC environment with action masks. docs/adapters.md has the rewards, the actions and
how to begin.
"""

from typing import SupportsIndex

import numpy as np

from undercut.adapters.learner_seat import EPISODES, check_episode
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.table.position import format_position
from undercut.kernels.records import Array, Seat
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


class Table:
    """A match that goes on by itself to the next choice of any seat, and what each seat sees."""

    def __init__(self, game: str, players: int | None, episode: str) -> None:
        check_episode(episode)
        self.game: Game = parse_game(game, players)
        self.seen = Observation(self.game)
        self.actions = self.game.rules.ACTIONS
        self.agents = [f"seat_{seat}" for seat in range(self.game.seats)]
        self._max_deals, self._chance = EPISODES[episode], np_random()[0]

    def spaces(self) -> tuple[dict[str, Dict], dict[str, Discrete]]:
        """For each agent what it may see, and do."""
        return (
            {
                agent: Dict(
                    observation=Box(0, 1, (self.seen.size,), np.int8),
                    action_mask=Box(0, 1, (self.actions,), np.int8),
                )
                for agent in self.agents
            },
            {agent: Discrete(self.actions) for agent in self.agents},
        )

    def reset(self, seed: int | None) -> None:
        """Begin another match; with a seed, the first of that seed."""
        if seed is not None:
            self._chance = np_random(seed)[0]
        drawn = int(self._chance.integers(SEED_LIMIT))
        self.match = Match.from_seed(self.game, drawn, max_deals=self._max_deals)
        self._go_on()

    @property
    def on_turn(self) -> str:
        """The agent that has a choice."""
        return self.agents[self.match.deal.seat]

    @property
    def is_over(self) -> bool:
        """Whether nobody has."""
        return self.match.is_over

    def play(self, action: SupportsIndex) -> list[float] | None:
        """Play a choice; returns each seat's reward if a deal has ended."""
        match = self.match
        deals, before = match.deals, match.scores
        match.apply(action.__index__())
        self._go_on()
        if match.deals == deals:
            return None
        gained = [now - then for now, then in zip(match.scores, before, strict=True)]
        others = len(gained) - 1
        return [own - (sum(gained) - own) / others for own in gained]

    def observe(self, agent: str) -> dict[str, Array]:
        """What an agent sees; its mask is empty while it has no choice."""
        deal, seat = self.match.deal, self.agents.index(agent)
        mask = np.zeros(self.actions, dtype=np.int8)
        if seat == deal.seat:
            mask[deal.actions] = 1
        return {"observation": self.seen.of(deal.observe(seat)), "action_mask": mask}

    def render(self, mode: str | None) -> str | None:
        """What the agent on turn may know, in words."""
        if mode is None:
            return None
        view = self.match.deal.observe()
        text = "the match is over" if self.is_over else format_position(self.game, view)
        text += f"\n{self.on_turn}: {self.game.notation.format_hand(view)}"
        if mode == "ansi":
            return text
        print(text)
        return None

    def _go_on(self) -> None:
        """A seat is asked only when it has a choice."""
        match = self.match
        while not match.is_over:
            if match.deal.is_over:
                match.next_deal()
            actions = match.deal.actions
            if len(actions) > 1:
                return
            match.apply(actions[0])


class TurnsEnv(AECEnv[str, dict[str, Array], int]):  # type: ignore[misc]  # untyped there
    """The agents take turns, in the order of play; a turn is one action.

    >>> game = env("gin")
    >>> game.reset(seed=7)
    >>> observation, reward, over, cut, info = game.last()
    >>> game.agents, observation["observation"].shape
    (['seat_0', 'seat_1'], (1246,))
    """

    def __init__(
        self,
        game: str = "gin",
        players: int | None = None,
        episode: str = "deal",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """After `max_cycles` turns for each agent, on average, an episode is cut."""
        super().__init__()
        self._table = Table(game, players, episode)
        self.metadata = _metadata(self._table, is_parallelizable=False)
        self.possible_agents = self._table.agents
        self.observation_spaces, self.action_spaces = self._table.spaces()
        self.render_mode = render_mode
        self._turns = 0
        self._limit = max_cycles and max_cycles * len(self.possible_agents)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Dict:
        """What an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """What an agent may do, legal or not."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Begin the next episode."""
        self._table.reset(seed)
        self._turns = 0
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._table.on_turn

    def observe(self, agent: str) -> dict[str, Array]:
        """What an agent may know, and do."""
        return self._table.observe(agent)

    def step(self, action: int | None) -> None:
        """Play an action of the agent that is selected; an illegal one is an error."""
        if not self.agents:
            raise IllegalAction("reset begins an episode")
        agent, table = self.agent_selection, self._table
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalAction(f"{agent} is on turn: None is not an action")
        gained = table.play(action)
        self._cumulative_rewards[agent] = 0.0
        self._turns += 1
        if gained is not None:
            self.rewards = dict(zip(self.possible_agents, gained, strict=True))
            self._accumulate_rewards()
        elif self.rewards[agent]:
            self._clear_rewards()
        if table.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._turns == self._limit:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = table.on_turn

    def render(self) -> str | None:
        """What the agent on turn may know, in words."""
        return self._table.render(self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""


class TogetherEnv(ParallelEnv[str, dict[str, Array], int]):  # type: ignore[misc]
    """The same for those who step all agents at once: only the action of the agent on turn counts.

    Whoever has no choice has an empty mask. An illegal action is played as the first legal one.
    """

    def __init__(
        self,
        game: str = "gin",
        players: int | None = None,
        episode: str = "deal",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """After `max_cycles` steps an episode is cut."""
        self._table = Table(game, players, episode)
        self.metadata = _metadata(self._table, is_parallelizable=True)
        self.possible_agents = self._table.agents
        self.observation_spaces, self.action_spaces = self._table.spaces()
        self.render_mode = render_mode
        self._steps, self._limit = 0, max_cycles
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Dict:
        """What an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """What an agent may do, legal or not."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[dict[str, dict[str, Array]], dict[str, dict[str, object]]]:
        """Begin the next episode."""
        self._table.reset(seed)
        self._steps = 0
        self.agents = self.possible_agents.copy()
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
        """Play the action of the agent on turn."""
        table, agents = self._table, self.agents
        legal = table.match.deal.actions
        action = int(actions[table.on_turn])
        gained = table.play(action if action in legal else legal[0])
        self._steps += 1
        rewards = gained or [0.0] * len(agents)
        is_cut = not table.is_over and self._steps == self._limit
        if table.is_over or is_cut:
            self.agents = []
        return (
            self._observations(),
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, table.is_over),
            dict.fromkeys(agents, is_cut),
            {agent: {} for agent in agents},
        )

    def render(self) -> str | None:
        """What the agent on turn may know, in words."""
        return self._table.render(self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""

    def _observations(self) -> dict[str, dict[str, Array]]:
        return {agent: self._table.observe(agent) for agent in self.possible_agents}


def _metadata(table: Table, is_parallelizable: bool) -> dict[str, object]:
    return {
        "name": f"undercut_{table.game.rules.NAME}_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": is_parallelizable,
        "render_fps": 1,
    }


def seat_of(agent: str) -> Seat:
    """The seat of an agent.

    >>> seat_of("seat_3")
    3
    """
    return int(agent.removeprefix("seat_"))


env = TurnsEnv
parallel_env = TogetherEnv
