"""The paper's estimation of the other hand: what a game provides so that `learn` can train it.

It is for games of two with a French pack, in which a seat draws and discards.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from undercut.games.contract import Game
from undercut.kernels.records import Array, Buffer, Columns, Floats, Records
from undercut.players.provided import provided


class Network(Protocol):
    """Trained weights."""

    @property
    def metadata(self) -> Mapping[str, str]:
        """The metadata of its file."""

    def predict(self, features: Array, /) -> Array:
        """The chance of each card, a row for each row of features."""


@dataclass(frozen=True)
class Belief:
    """The features of views, and marginals that agree with the knowledge of a seat."""

    features: int  # of a view
    hidden_units: int  # in each of the two hidden layers of the network
    cards: int
    fill_features: Callable[[Records, Array], None]  # a row of small whole numbers for each view
    marginals: Callable[[Records, Array, bool], Floats]
    """Chances that agree with each view, from any; whether cards seen being taken are remembered."""
    counting: Callable[[Records], Floats]  # the same from counting alone
    unknown: Callable[[Columns], Buffer]  # for each view the cards whose place it cannot know
    turns: Callable[[Columns], Buffer]  # for each view which of its own turns it is, from 1 on
    discards: Callable[
        [Columns], Array
    ]  # for each view whether its choice is a discard, not a draw
    network: Callable[
        [Mapping[str, Array], Mapping[str, str]], Network
    ]  # of weights by their names
    shipped: tuple[str, ...]  # the names of the networks that come with the game
    load_network: Callable[[str | Path], Network]
    save_network: Callable[[Path, Mapping[str, Array], Mapping[str, object]], None]


def belief_of(game: Game) -> Belief:
    """The belief of a game; an error for a game that has none."""
    belief: Belief = provided(
        game, "belief", f"{game.name} has no network that guesses the other hand"
    )
    return belief
