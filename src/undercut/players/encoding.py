"""How a network sees a game: as bits that say what a seat may know, and with a number for each answer."""

from collections.abc import Callable
from dataclasses import dataclass

from undercut.games.contract import Game
from undercut.kernels.records import Action, View
from undercut.players.bits import Layout, Piece, asks_first, encode_nothing, same_output, take_first
from undercut.players.provided import provided

_NOTHING = Layout()


@dataclass(frozen=True)
class Encoding:
    """What a game provides so that networks can learn it.

    A row of inputs is a few int64 words of which the low bits count, 62 at most: networks read
    them as zeros and ones. The words of `laying` follow. Only agents read them that also decide
    where our networks are not asked.
    """

    version: int  # rises when a bit changes its place or its meaning
    seen: Layout
    encode: Callable[..., None]  # (view, options, words): fill them
    asked: int  # every action that a network is asked about is below this
    outputs: int
    remembered: tuple[int, ...]  # the words that one has to remember: they do not lie open
    hidden: tuple[int, ...]  # planes of what the seat cannot see: what training may ask for
    reveal: Callable[..., None]  # (state, options, seat, words); a state never leaves `play`
    output_of: Callable[[Action], int] = same_output
    """The number of an action; actions that are never legal at once may share one."""
    is_asked: Callable[[View, int], bool] = asks_first
    """Whether a network is asked: (view, 0), for others never."""
    rest: Callable[..., Action] = take_first  # plays where it is not: a kernel like those of agents
    workspace: int = 0  # that `rest` needs
    laying: Layout = _NOTHING
    encode_laying: Callable[..., None] = encode_nothing  # (view, options, words)

    @property
    def planes(self) -> tuple[int, ...]:
        """For each word that a network reads how many of its bits are used."""
        return self.seen.planes

    @property
    def inputs(self) -> int:
        """How many bits a network reads."""
        return sum(self.planes)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All pieces in their order."""
        return self.seen.pieces + self.laying.pieces

    @property
    def words(self) -> tuple[int, ...]:
        """As `planes`, with those of `laying`."""
        return self.planes + self.laying.planes


def encoding_of(game: Game) -> Encoding:
    """How networks see a game; an error for a game that does not say."""
    encoding: Encoding = provided(game, "encoding", f"networks cannot see {game.name}")
    return encoding
