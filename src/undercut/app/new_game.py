"""The wish for a new game, whether it is played in a terminal or in a browser."""

from typing import NamedTuple


class NewGame(NamedTuple):
    """A game to begin; the game itself chooses opponents that are not named."""

    game: str = "gin"
    opponents: tuple[str, ...] = ()
    seats: int | None = None
    seed: int | None = None  # None: new cards each time
    training: bool = False
    people: int = 1  # they take the first seats
