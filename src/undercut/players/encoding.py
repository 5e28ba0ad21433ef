"""How a network sees a game: as bits that say what a seat may know, and with a number for each answer."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from undercut.games.contract import Game
from undercut.games.families import all_families
from undercut.kernels.records import Action, View
from undercut.text.errors import OptionsError
from undercut.text.spec import one_of


class Piece(NamedTuple):
    """Some bits in a row that mean something together."""

    name: str
    width: int
    about: str


@dataclass(frozen=True)
class Encoding:
    """What a game provides so that networks can learn it.

    A row of inputs is a few int64 words of which the low bits count: as many as `planes` says, 62
    at most. Networks read them as zeros and ones. `pieces` names all bits in their order. The words
    of `more` follow: what only those read who also decide where our networks are not asked.
    """

    version: int  # rises when a bit changes its place or its meaning
    pieces: tuple[Piece, ...]  # the bits of `planes`, then those of `more`

    planes: tuple[int, ...]  # for each word how many of its bits are used
    encode: Callable[..., None]  # (view, options, words): fill them
    more: tuple[int, ...]  # as `planes`
    encode_more: Callable[..., None]  # (view, options, words)
    asked: int  # every action that a network is asked about is below this
    outputs: int
    output_of: Callable[
        [Action], int
    ]  # the number of an action; those never legal at once may share
    is_asked: Callable[[View, int], bool]  # whether a network is asked: (view, 0), for others never
    rest: Callable[..., Action]  # what plays where it is not: a kernel like those of agents
    workspace: int  # that `rest` needs
    remembered: tuple[int, ...]  # the words that one has to remember: they do not lie open
    hidden: tuple[int, ...]  # as `planes`, of what the seat cannot see: what training may ask for
    reveal: Callable[..., None]  # (state, options, seat, words); a state never leaves `play`

    @property
    def inputs(self) -> int:
        """How many bits a network reads."""
        return sum(self.planes)

    @property
    def words(self) -> tuple[int, ...]:
        """As `planes`, with those of `more`."""
        return self.planes + self.more


def bit_places(planes: tuple[int, ...]) -> Any:
    """For each bit that is used its place: 64 times its word, and the bit in there."""
    places = [64 * word + bit for word, width in enumerate(planes) for bit in range(width)]
    return np.array(places, dtype=np.int32)


def encoding_of(game: Game) -> Encoding:
    """How networks see a game; an error for a game that does not say."""
    if not game.family.encoding:
        known = [name for each in all_families() if each.encoding for name in each.rules.PRESETS]
        raise OptionsError(f"networks cannot see {game.name}: {one_of(known)}")
    module, _, name = game.family.encoding.partition(":")
    encoding: Encoding = getattr(import_module(module), name)
    return encoding
