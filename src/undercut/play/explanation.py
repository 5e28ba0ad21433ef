"""The explanation of a decision as plain data, which any agent may return."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Comparison:
    """A table of the alternatives that the agent compared, best first."""

    key: str  # the name for programs
    columns: tuple[tuple[str, str], ...]  # pairs: the key for programs, and the heading
    rows: tuple[tuple[str | float | None, ...], ...]  # None: not evaluated


@dataclass(frozen=True)
class Figure:
    """A single number that influenced the decision."""

    key: str  # the name for programs
    words: str
    value: float | None  # None: not evaluated


@dataclass(frozen=True)
class Explanation:
    """An action and the reasons for it."""

    action: int
    reason: str = ""
    comparisons: tuple[Comparison, ...] = ()
    figures: tuple[Figure, ...] = ()
    belief: tuple[tuple[str, float], ...] = ()  # pairs: a card and a probability
    believed: str = ""  # the event of that probability: "the other player holds a card"
