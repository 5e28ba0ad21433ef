"""Gymnasium: one seat of a game as an environment, alone or thousands side by side.

Importing this module registers an environment for every preset: `undercut/Gin-v0`,
`undercut/RummyClassic-v0` and so on. docs/adapters.md explains rewards, actions and first steps.
"""

import os
from collections.abc import Mapping
from typing import Any, SupportsInt, TypeAlias, TypedDict, Unpack

import numpy as np

from undercut.adapters.learner_seat import Episode, Learner, encoded_presets, make_learner
from undercut.games.table.position import format_position
from undercut.kernels import rng
from undercut.kernels.records import Array, new
from undercut.lab.extras import need
from undercut.play.vector.observations import PENALTY, choose_at_random
from undercut.players.observation import Observation

need("gymnasium", "adapters")

import gymnasium  # noqa: E402
from gymnasium.spaces import Box, Discrete  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

Row = Array  # of zeros and ones
Batch: TypeAlias = Any  # rows of all tables, as arrays of NumPy or as tensors of torch


def _spaces(learner: Learner) -> tuple[Box, Discrete]:
    size = learner.observation.size
    return Box(0, 1, (size,), np.int8), Discrete(learner.actions)


class SeatEnv(gymnasium.Env[Row, np.int64]):
    """One seat; the opponent plays all other seats.

    >>> env = gymnasium.make("undercut/Gin-v0", opponent="simple")
    >>> observation, info = env.reset(seed=7)
    >>> observation.shape, info["action_mask"].nonzero()[0].tolist()
    ((1046,), [105, 106])
    """

    metadata: dict[str, object] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str = "gin",
        opponent: str = "random",
        episode: str = "deal",
        lays_down: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self._learner = make_learner(game, opponent, episode, lays_down)
        self.observation_space, self.action_space = _spaces(self._learner)
        self.render_mode = render_mode
        self._seed, self._number = 0, 0
        self._episode: Episode | None = None

    @property
    def observation_layout(self) -> Observation:
        return self._learner.observation

    def action_masks(self) -> Row:
        """The action mask, as sb3-contrib requests it."""
        return self._mask(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Row, dict[str, object]]:
        """Begin the next episode; with a seed, the first of that seed."""
        super().reset(seed=seed)
        self._number += 1
        if self._episode is None or seed is not None:
            self._seed, self._number = _draw_seed(self), 0
        self._episode = Episode(self._learner, self._seed, self._number)
        while self._episode.is_over:  # some deals end before the learner has a choice
            self._number += 1
            self._episode = Episode(self._learner, self._seed, self._number)
        return self._observe(), {"action_mask": self._mask()}

    def step(self, action: SupportsInt) -> tuple[Row, float, bool, bool, dict[str, object]]:
        """Play an action, and let the others play until it is the learner's turn again.

        An illegal action ends the episode, and costs a hundred points.
        """
        episode = self._playing()
        is_legal = int(action) in episode.actions
        reward = episode.play(int(action)) if is_legal else -PENALTY
        is_over = episode.is_over or not is_legal
        return self._observe(), reward, is_over, False, {"action_mask": self._mask()}

    def render(self) -> str | None:
        """The learner's view, in words."""
        if self.render_mode is None:
            return None
        game, view = self._learner.game, self._playing().observe()
        choices = map(game.notation.format_action, self._playing().actions)
        position = "the deal is over" if self._playing().is_over else format_position(game, view)
        return f"{position}\n{game.notation.format_hand(view)}\n{', '.join(choices)}"

    def _playing(self) -> Episode:
        if self._episode is None:
            raise gymnasium.error.ResetNeeded("reset begins the first episode")
        return self._episode

    def _observe(self) -> Row:
        return self._learner.observation.of(self._playing().observe())

    def _mask(self, kind: type = np.int8) -> Row:
        mask: Row = np.zeros(self._learner.actions, dtype=kind)
        mask[self._playing().actions] = 1
        return mask


class Memory(TypedDict, total=False):
    """The device of a vector environment and the kind of its arrays."""

    device: str  # cpu, or cuda
    tensors: bool  # return torch's tensors; on a GPU always
    copy: bool  # False: return the environment's own memory
    workers: int | None  # threads of a CPU; all by default


class TableVectorEnv(VectorEnv[Batch, Batch, Batch]):
    """Many such seats side by side: `gymnasium.make_vec("undercut/Gin-v0", 1024)`.

    After the end of an episode, the next one begins in the same step. `infos["final_obs"]` then has
    the last observations of the rows in `infos["_final_obs"]`. With `copy=False` the arrays are the
    environment's own memory: the next step overwrites them.
    """

    metadata: dict[str, object] = {  # noqa: RUF012
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "gin",
        opponent: str = "random",
        episode: str = "deal",
        lays_down: bool = False,
        **memory: Unpack[Memory],
    ) -> None:
        for unknown in memory.keys() - Memory.__annotations__.keys():
            raise TypeError(f"unexpected keyword argument {unknown!r}")
        learner = make_learner(game, opponent, episode, lays_down)
        device = memory.get("device", "cpu")
        self._learner, self._device, self._copies = learner, device, memory.get("copy", True)
        self._settings: dict[str, object] = {"device": device}
        if device == "cpu":
            self._settings["workers"] = memory.get("workers") or os.cpu_count() or 1
        else:
            self._settings["checked"] = True
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = _spaces(learner)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._chance = new(rng.GENERATOR, 1)[0]
        self._table: Any = None
        self._never = np.zeros(num_envs, dtype=np.bool_)
        is_torch = memory.get("tensors", False) or device != "cpu"
        self._give = _as_tensors if is_torch else _as_arrays

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Batch, dict[str, object]]:
        """Begin new episodes in all rows; without a seed, with a random one."""
        super().reset(seed=seed)
        given = _draw_seed(self)
        rng.start(self._chance, _draw_seed(self))
        if self._table is None:
            self._table = self._learner.table(self.num_envs, given, **self._settings)
        else:
            self._table.restart(0, given)
        return self._observations(), self._infos()

    def step(self, actions: Batch) -> tuple[Batch, Batch, Batch, Batch, dict[str, object]]:
        table = self._table
        table.apply(actions if self._device == "cpu" else _on_gpu(actions))
        shown, infos = table.shown, self._infos()
        if self._device == "cpu" and shown.over.any():
            infos |= self._finals(shown.over)
        give = self._give
        return (
            self._observations(),
            give(shown.rewards, self._copies),
            give(shown.over, self._copies),
            give(self._never, False),
            infos,
        )

    def random_actions(self) -> Batch:
        table = self._table
        if self._device != "cpu":
            legal, counts = (_as_tensors(each, False) for each in (table.legal, table.counts))
            chance = need("torch", "train").rand(self.num_envs, device=legal.device)
            return legal.gather(1, (chance * counts).long()[:, None])[:, 0]
        choose_at_random(table.legal, table.counts, self._chance, table.actions)
        return table.actions

    def _observations(self) -> Batch:
        rows = self._table.shown.rows
        return self._give(rows, self._copies)[:, : self._learner.observation.size]

    def _infos(self) -> dict[str, object]:
        masks = self._give(self._table.shown.masks, self._copies)
        return {"action_mask": masks[:, : self._learner.actions]}

    def _finals(self, over: Row) -> dict[str, object]:
        """The last observations of finished episodes, in Gymnasium's format."""
        last = self._table.shown.finals[:, : self._learner.observation.size]
        if not self._copies:
            return {"final_obs": last, "_final_obs": over, "final_info": {}}
        seen = np.full(self.num_envs, None, dtype=object)
        for row in np.flatnonzero(over):
            seen[row] = last[row].copy()
        return {"final_obs": seen, "_final_obs": over.copy(), "final_info": {}}


def _as_arrays(array: Batch, copies: bool) -> Batch:
    return array.copy() if copies else array


def _as_tensors(array: Batch, copies: bool) -> Batch:
    torch = need("torch", "train")
    device = "cpu" if isinstance(array, np.ndarray) else "cuda"
    tensor = torch.as_tensor(array, device=device)
    return tensor.clone() if copies else tensor


def _on_gpu(actions: Batch) -> Batch:
    """The device array of a tensor, for kernels."""
    from undercut.play.gpu.target import load_cuda

    return load_cuda().as_cuda_array(actions.long())


def _draw_seed(env: "SeatEnv | TableVectorEnv") -> int:
    """A seed derived from the environment's own; learners do not know it."""
    return int(env.np_random.integers(rng.SEED_LIMIT))


def environment_names() -> Mapping[str, str]:
    """The environments, and the rule set of each.

    >>> environment_names()["undercut/RummyClassic-v0"]
    'rummy-classic'
    """
    presets = encoded_presets()
    return {f"undercut/{preset.title().replace('-', '')}-v0": preset for preset in presets}


for _name, _preset in environment_names().items():
    if _name not in gymnasium.registry:
        gymnasium.register(
            _name,
            f"{__name__}:SeatEnv",
            vector_entry_point=f"{__name__}:TableVectorEnv",
            kwargs={"game": _preset},
        )
