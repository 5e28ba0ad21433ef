"""Why an agent decides as it does, in plain data: any agent may say so, in its own numbers."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Comparison:
    """What was weighed against each other: a row each, the best first."""

    key: str  # what programs call it
    columns: tuple[tuple[str, str], ...]  # pairs: what programs call it, and its heading
    rows: tuple[tuple[str | float | None, ...], ...]  # None: was not looked at


@dataclass(frozen=True)
class Figure:
    """A number that counted."""

    key: str  # what programs call it
    words: str
    value: float | None  # None: was not looked at


@dataclass(frozen=True)
class Explanation:
    """An action and why it was chosen."""

    action: int
    reason: str = ""
    comparisons: tuple[Comparison, ...] = ()
    figures: tuple[Figure, ...] = ()
    belief: tuple[tuple[str, float], ...] = ()  # pairs: a card, and how likely something is of it
    believed: str = ""  # what that is: "the other player holds a card"
