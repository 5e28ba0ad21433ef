"""The interfaces of agents. Agents keep no memory: the view includes the history."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import (
    Any,
    Generic,
    NamedTuple,
    Protocol,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    runtime_checkable,
)

import numpy as np

from undercut.kernels import rng
from undercut.kernels.jit import hole
from undercut.kernels.records import (
    Action,
    Buffer,
    Options,
    Record,
    Records,
    Settings,
    View,
    new,
    pack,
)
from undercut.kernels.rng import Generator
from undercut.play.explanation import Explanation

Item = TypeVar("Item")
Rules = TypeVar("Rules")
Own = TypeVar("Own")


class NoSettings(NamedTuple):
    """The settings of an agent that has none."""


NO_SETTINGS = NoSettings()


class Random:
    """Random numbers for an agent in Python: the same stream as for a kernel agent."""

    def __init__(self, generator: rng.Generator) -> None:
        self.generator = generator

    @classmethod
    def from_seed(cls, seed: int) -> "Random":
        """A new stream."""
        generator = new(rng.GENERATOR, 1)[0]
        rng.start(generator, seed)
        return cls(generator)

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1."""
        return int(rng.below(self.generator, limit))

    def uniform(self) -> float:
        """A number in [0, 1)."""
        return float(rng.uniform(self.generator))

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items, each equally likely."""
        return items[self.below(len(items))]


@runtime_checkable
class RecordAgent(Protocol):
    """Decides one view, a record, at a time. players/python_agent.py has the form with text."""

    name: str

    def act(self, view: View, legal: Sequence[Action], random: Random) -> Action:
        """Choose one of the legal actions."""
        ...


@runtime_checkable
class BatchedAgent(Protocol):
    """Decides a batch of views in one call, for networks."""

    name: str

    def act_batch(
        self, views: Records, legal: Buffer, counts: Buffer, generators: Records
    ) -> Buffer:
        """One action for each view; row i of `legal` holds counts[i] actions."""
        ...


@runtime_checkable
class MovableAgent(Protocol):
    """Decides many games at once on a GPU, in another form."""

    def on_device(self, device: str) -> BatchedAgent:
        """The form for a device."""
        ...


class Turn(NamedTuple, Generic[Rules, Own]):
    """All that a kernel agent gets for a decision, beside the view."""

    legal: Buffer  # the legal actions
    options: Rules  # of the game
    settings: Own  # of the agent
    generator: Generator
    workspace: Buffer  # int64 numbers, as many as the agent has asked for


class Team(NamedTuple):
    """A lane of a team that works on one part of a decision, and its memory (int64 numbers)."""

    task: Buffer  # kept from one part of a decision to the next
    shared: Buffer  # by the lanes of the team
    own: Buffer
    lane: int
    lanes: int


@dataclass(frozen=True)
class Items:
    """The second half of a decision: independent work items, then `end` chooses the action."""

    item: Callable[..., None]  # (view, options, number, team)
    end: Callable[..., Action]  # (view, turn, team)
    count: Callable[[Settings], int]  # the number of items, by the settings
    task: Callable[[Settings], int]  # the int64 numbers of a task, in which items write
    shared: int


@dataclass(frozen=True)
class Parts:
    """A kernel agent's decision as parallel parts, for a GPU.

    As one piece, a slow decision would keep too few threads of the GPU busy. The lanes of a `Team`
    work together on each part. `begin` returns an action, or NONE if there are items to do; only
    the result of lane 0 counts.
    """

    begin: Callable[..., Action]
    """(view, turn, team)"""
    shared: int
    own: int
    lanes: int = 32  # that run `begin` together; more than 32 are a whole block
    items: Items | None = None


@dataclass(frozen=True)
class ValueHead:
    """How to read a network's estimate of the rest of the deal, once it has decided."""

    is_asked: Callable[..., bool]  # (view, 0): whether the network itself decides
    read: Callable[..., float]  # (turn), after `choose`: the gain of the seat on turn
    match: float  # the value of a whole match; where points count, of 60 points


class Origin(NamedTuple):
    """The call that creates an agent."""

    make: Callable[[str, str], "AnyAgent"]  # (spec, name of the game)
    spec: str
    game: str


class FromSpec:
    """An agent that remembers its spec: pickle and copy create it again, and `repr` shows it.

    Agents keep no memory, so the new agent plays the same.
    """

    name: str
    origin: Origin | None = None  # None if it was not created from a spec
    by_clock: bool = False  # whether it thinks for some time: a seed may then give other matches

    def come_from(self, origin: Origin) -> None:
        """Set the origin of this agent."""
        object.__setattr__(self, "origin", origin)

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        if self.origin is None:
            return super().__reduce_ex__(protocol)
        make, spec, game = self.origin
        return make, (spec, game)

    def __repr__(self) -> str:
        if self.origin is None:
            return f"{type(self).__name__}({self.name!r})"
        return f"agent({self.origin.spec!r}, {self.origin.game!r})"


@hole
def choose(view: View, turn: Turn[Options, Settings]) -> Action:
    """A decision of a kernel agent; loops over decisions bind it."""


@dataclass(frozen=True, repr=False)
class KernelAgent(FromSpec):
    """The fast form: a kernel choose(view, turn).

    `workspace` is the number of int64 numbers that the caller provides as working space.
    """

    name: str
    choose: Callable[..., Action]
    options: Options  # of the game it plays
    settings: Settings = NO_SETTINGS
    workspace: int = 0
    parts: Parts | None = None
    looks: bool = True  # whether it reads the view; if not, loops may skip `observe`
    reasons: "Reasons | None" = None
    value: ValueHead | None = None

    def act(self, view: View, legal: Sequence[Action], random: Random) -> Action:
        """One decision; as in batches, a forced move does not call the kernel."""
        if len(legal) == 1:
            return int(legal[0])
        options, settings, workspace = self.packed
        actions = np.asarray(legal, dtype=np.int64)
        turn = Turn(actions, options, settings, random.generator, workspace)
        return int(self.choose(view, turn))

    def explain(self, view: View, legal: Sequence[Action], random: Random) -> Explanation | None:
        """A decision and the reasons for it; None if the agent gives no reasons."""
        return None if self.reasons is None else self.reasons(self, view, legal, random)

    @cached_property
    def packed(self) -> tuple[Record, Record, Buffer]:
        """The options, settings and working space as arguments for the kernel."""
        workspace = np.zeros(max(1, self.workspace), dtype=np.int64)
        return pack(self.options), pack(self.settings), workspace


Reasons: TypeAlias = Callable[[KernelAgent, View, Sequence[Action], Random], Explanation]
AnyAgent: TypeAlias = RecordAgent | BatchedAgent | KernelAgent
