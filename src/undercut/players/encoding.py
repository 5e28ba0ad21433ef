"""The observation of a network as bits, and its outputs: what each game declares."""

from collections.abc import Callable
from dataclasses import dataclass

from undercut.games.contract import Game
from undercut.kernels.records import Action, View
from undercut.players.bits import Layout, Piece, asks_first, encode_nothing, same_output, take_first
from undercut.players.provided import provided

_NOTHING = Layout()


@dataclass(frozen=True)
class Encoding:
    """The observation and the outputs of a game.

    An observation is a row of int64 words. The low bits of each, at most 62, are the inputs. The
    words of `laying` follow; only agents that also lay down melds themselves read them.
    """

    version: int  # rises when a bit changes its place or its meaning
    seen: Layout
    encode: Callable[..., None]  # (view, options, words): fill them
    asked: int  # an upper bound of the actions that a network chooses from
    outputs: int
    remembered: tuple[int, ...]  # the words of the history: what does not lie open now
    hidden: tuple[int, ...]  # widths of the hidden cards: targets for training
    reveal: Callable[..., None]  # (state, options, seat, words); a state never leaves `play`
    limit: Callable[..., None]  # (view, options, words): what a view says about the hidden cards
    pools: int = 1
    """The sets that hidden cards come from. The words of `limit` are these sets, and for each
    hidden hand the cards that it certainly holds and its number of further cards from each set."""
    output_of: Callable[[Action], int] = same_output
    """The number of an action; actions that are never legal at once may share one."""
    is_asked: Callable[[View, int], bool] = asks_first
    """Whether the network decides: (view, 0); for other players (view, who) it is false."""
    rest: Callable[..., Action] = (
        take_first  # makes the other decisions: a kernel like that of an agent
    )
    workspace: int = 0  # that `rest` needs
    earlier: tuple[tuple[int, ...], ...] = ()
    """`planes` of earlier versions whose inputs are the first of this one: their networks play."""
    laying: Layout = _NOTHING
    encode_laying: Callable[..., None] = encode_nothing  # (view, options, words)

    @property
    def planes(self) -> tuple[int, ...]:
        """The number of inputs in each word."""
        return self.seen.planes

    @property
    def inputs(self) -> int:
        """The number of inputs of a network."""
        return sum(self.planes)

    @property
    def limits(self) -> int:
        """The number of words that `limit` fills."""
        return self.pools + len(self.hidden) * (1 + self.pools)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All pieces in their order."""
        return self.seen.pieces + self.laying.pieces

    @property
    def words(self) -> tuple[int, ...]:
        """`planes` with the words of `laying`."""
        return self.planes + self.laying.planes


def encoding_of(game: Game) -> Encoding:
    """The encoding of a game; an error for a game without one."""
    encoding: Encoding = provided(game, "encoding", f"networks cannot see {game.name}")
    return encoding
