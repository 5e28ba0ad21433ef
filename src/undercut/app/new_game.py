"""The options of a new game in a terminal or in a browser."""

from typing import NamedTuple


class NewGame(NamedTuple):
    """A game to begin; without opponents, the game chooses them."""

    game: str | None = None
    opponents: tuple[str, ...] = ()
    seats: int | None = None
    seed: int | None = None  # None: new cards each time
    training: bool = False
    people: int = 1  # they take the first seats

    @property
    def spec(self) -> str:
        return self.game or "gin"
