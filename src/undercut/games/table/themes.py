"""Themes of errors: what kind of error a decision was, from the view that its seat had."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from undercut.games.table.actions import Action, actions_of
from undercut.games.table.readable import Seen, View

if TYPE_CHECKING:
    from undercut.games.contract import Game

NOTABLE = 0.1  # how much more often the next player has an answer to the move that was played
Shown = TypeVar("Shown", bound=View)


@dataclass(frozen=True)
class Decision(Generic[Seen]):
    """The move that was played in a position, and a better one."""

    view: Seen
    played: Action
    better: Action
    answered: float = 0.0  # how often the next player answers the move, or takes the thrown card
    better_answered: float = 0.0  # the same of the better move

    @property
    def verbs(self) -> tuple[str, str]:
        """The verbs of both moves."""
        return self.played.verb, self.better.verb

    @property
    def is_answered_more(self) -> bool:
        """Whether the next player has an answer to the move that was played notably more often."""
        return self.answered - self.better_answered >= NOTABLE


@dataclass(frozen=True)
class Theme(Generic[Shown]):
    """A kind of error, and the decisions that belong to it."""

    name: str
    fits: Callable[[Decision[Shown]], bool]


def themes_of(
    game: "Game", seen: View, moves: tuple[int, int], answered: tuple[float, float] = (0.0, 0.0)
) -> tuple[str, ...]:
    """The names of the themes of an error.

    `moves` are the numbers of the move that was played and of the better one, and `answered` says
    how often the next player answers them.
    """
    played, better = actions_of(game.family).put(moves)
    decision = Decision(seen, played, better, *answered)
    return tuple(theme.name for theme in game.family.themes if theme.fits(decision))
