"""What somebody asks for who wants to play a game of any kind."""

from typing import NamedTuple


class NewGame(NamedTuple):
    """A game that is to be begun; who is not named follows from the game."""

    game: str = "gin"
    opponents: tuple[str, ...] = ()
    seats: int | None = None
    seed: int | None = None  # None: new cards each time
    training: bool = False
    people: int = 1  # they take the first seats
