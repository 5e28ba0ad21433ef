"""What an agent provides. Agents keep no memory: the view carries the history."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol, SupportsIndex, TypeAlias, TypeVar, runtime_checkable

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


class NoSettings(NamedTuple):
    """The settings of an agent that has none."""


NO_SETTINGS = NoSettings()


class Random:
    """Chance for an agent written in Python: the same stream a kernel agent would use."""

    def __init__(self, generator: rng.Generator) -> None:
        self.generator = generator

    @classmethod
    def from_seed(cls, seed: int) -> "Random":
        """A stream of its own."""
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
    """One decision at a time, of a record and of numbers; players/python_agent.py has one for words."""

    name: str

    def act(self, view: View, legal: Sequence[Action], random: Random) -> Action:
        """Choose one of the legal actions."""
        ...


@runtime_checkable
class BatchedAgent(Protocol):
    """Decisions of many games at once, for networks."""

    name: str

    def act_batch(
        self, views: Records, legal: Buffer, counts: Buffer, generators: Records
    ) -> Buffer:
        """One action for each view; row i of `legal` holds counts[i] actions."""
        ...


class Team(NamedTuple):
    """One of the lanes that work on a piece together, and its memory, int64 numbers."""

    task: Buffer  # kept from one piece of a decision to the next
    shared: Buffer  # that the lanes have in common
    own: Buffer
    lane: int
    lanes: int


@dataclass(frozen=True)
class Items:
    """What is left of a decision: each item writes its own place of a task, then comes the end."""

    item: Callable[..., None]  # (view, options, number, team)
    end: Callable[..., Action]  # (view, legal, options, generator, task, lane, lanes)
    count: Callable[[Settings], int]  # how many there are, with certain settings
    task: Callable[[Settings], int]  # how many int64 numbers a task takes
    shared: int


@dataclass(frozen=True)
class Parts:
    """A kernel agent's decisions in pieces, most of which can be done side by side.

    A GPU needs that: an agent that thinks long would otherwise keep too few of its threads busy.
    On each piece the lanes of a `Team` work together. `begin` returns an action, or NONE if there are items to do: lane 0's
    counts.
    """

    begin: Callable[..., Action]
    """(view, legal, options, settings, generator, team)"""
    shared: int
    own: int
    lanes: int = 32  # that begin together; all of a block if they are more
    items: Items | None = None


class Origin(NamedTuple):
    """What makes an agent again."""

    make: Callable[[str, str], "AnyAgent"]  # of its spec and the name of its game
    spec: str
    game: str


class FromSpec:
    """An agent that a spec has made: pickled or copied, it is made again, and it is shown so.

    Agents keep no memory, so one that is made again plays the same.
    """

    name: str
    origin: Origin | None = None  # None where no spec has made it

    def come_from(self, origin: Origin) -> None:
        """Say what makes this agent again."""
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
def choose(
    view: View,
    legal: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    """A decision of a kernel agent: what loops that ask one call."""


@dataclass(frozen=True, repr=False)
class KernelAgent(FromSpec):
    """The fast form: a kernel choose(view, legal, options, settings, generator, workspace).

    `workspace` is how many int64 numbers of working space the kernel wants from its caller.
    """

    name: str
    choose: Callable[..., Action]
    options: Options  # of the game it plays
    settings: Settings = NO_SETTINGS
    workspace: int = 0
    parts: Parts | None = None
    looks: bool = (
        True  # whether it ever reads the view; random play does not, and need not be shown one
    )
    reasons: "Reasons | None" = None

    def act(self, view: View, legal: Sequence[Action], random: Random) -> Action:
        """One decision; as in batches, it is asked only for a choice."""
        if len(legal) == 1:
            return int(legal[0])
        options, settings, workspace = self.packed
        actions = np.asarray(legal, dtype=np.int64)
        action = self.choose(view, actions, options, settings, random.generator, workspace)
        return int(action)

    def explain(self, view: View, legal: Sequence[Action], random: Random) -> Explanation | None:
        """A decision and the reasons for it; None from an agent that gives none."""
        return None if self.reasons is None else self.reasons(self, view, legal, random)

    @cached_property
    def packed(self) -> tuple[Record, Record, Buffer]:
        """Its options, settings and working space, as the kernel takes them."""
        workspace = np.zeros(max(1, self.workspace), dtype=np.int64)
        return pack(self.options), pack(self.settings), workspace


Reasons: TypeAlias = Callable[[KernelAgent, View, Sequence[Action], Random], Explanation]
AnyAgent: TypeAlias = RecordAgent | BatchedAgent | KernelAgent
