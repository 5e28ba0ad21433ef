"""Observations: the knowledge of a seat as a row of zeros and ones, in named pieces.

They are the inputs of our own networks (players/encoding.py), then bits for the decisions that our
networks do not make: in Gin, how melds are laid down.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from undercut.games.contract import Game, Rules
from undercut.kernels.jit import hole, hole_value, kernel_name, specialise
from undercut.kernels.records import Array, Buffer, Layout, Options, Records, View, pack
from undercut.play.vector.observations import Display, row_bytes, spread
from undercut.players.encoding import Encoding, encoding_of

asked_words: int = hole_value()
view_layout: Layout = hole_value()
options_layout: Layout = hole_value()


@hole
def encode(view: View, options: Options, words: Buffer) -> None: ...
@hole
def encode_laying(view: View, options: Options, words: Buffer) -> None: ...


def _encode_all(view: View, options: Options, words: Buffer) -> None:
    encode(view, options, words[:asked_words])
    encode_laying(view, options, words[asked_words:])


def _observe_all(views: Buffer, options: Buffer, planes: Buffer, words: Buffer, out: Array) -> None:
    """Views and options come as words: a call with records takes ten times as long."""
    rules = options.view(options_layout)[0]
    for i in range(len(views)):
        encode(views[i].view(view_layout)[0], rules, words)
        spread(words, planes, out[i])


@cache
def _encoder(encoding: Encoding, name: str) -> Callable[..., None]:
    return specialise(
        _encode_all,
        name,
        encode=encoding.encode,
        encode_laying=encoding.encode_laying,
        asked_words=len(encoding.planes),
    )


@cache
def _observer(encoder: Callable[..., None], rules: Rules) -> Callable[..., None]:
    return specialise(
        _observe_all,
        f"{rules.NAME}_{kernel_name(encoder)}",
        encode=encoder,
        view_layout=np.dtype((np.record, rules.VIEW)),
        options_layout=np.dtype((np.record, pack(next(iter(rules.PRESETS.values()))).dtype)),
    )


@dataclass(frozen=True)
class Span:
    """The position of a piece in an observation."""

    name: str
    first: int
    end: int
    about: str


class Observation:
    """The observations of a game; short ones leave out the pieces for laying down melds.

    >>> from undercut.games.families import parse_game
    >>> from undercut.play.deal import Deal
    >>> game = parse_game("gin")
    >>> seen = Observation(game)
    >>> seen.size, seen.version
    (1259, 2)
    >>> row = seen.of(Deal(game, seed=7).observe())
    >>> int(row[seen.piece("hand")].sum())
    10
    """

    def __init__(self, game: Game, *, short: bool = False) -> None:
        encoding, name = encoding_of(game), game.rules.NAME
        self.game, self.version = game, encoding.version
        self.planes = encoding.planes if short else encoding.words
        self.size = sum(self.planes)  # of an observation
        is_whole = short or not encoding.laying.planes
        self.encode = encoding.encode if is_whole else _encoder(encoding, name)
        self._kernel = _observer(self.encode, game.rules)
        self._options = np.frombuffer(pack(game.options), np.int64)
        self._widths = np.array(self.planes, dtype=np.int64)
        self._words = np.zeros(len(self.planes), dtype=np.int64)

    @cached_property
    def pieces(self) -> tuple[Span, ...]:
        """The pieces in their order."""
        spans, first = [], 0
        for piece in encoding_of(self.game).pieces:
            if first < self.size:
                spans.append(Span(piece.name, first, first + piece.width, piece.about))
            first += piece.width
        return tuple(spans)

    def piece(self, name: str) -> slice:
        """The position of a piece: `row[seen.piece("hand")]`."""
        span = next(each for each in self.pieces if each.name == name)
        return slice(span.first, span.end)

    def of(self, view: View) -> Array:
        """The observation of one view."""
        row = np.zeros((1, row_bytes(self.size)), dtype=np.int8)
        words = np.frombuffer(view, np.int64)[None]
        self._kernel(words, self._options, self._widths, self._words, row)
        return row[0, : self.size]

    def of_many(self, views: Records) -> Array:
        """A row for each view, by the same kernel."""
        rows = np.zeros((len(views), row_bytes(self.size)), dtype=np.int8)
        words = np.frombuffer(np.ascontiguousarray(views), np.int64).reshape(len(views), -1)
        words.flags.writeable = False  # as the words of one view, so that kernels compile once
        self._kernel(words, self._options, self._widths, self._words, rows)
        return rows[:, : self.size]

    def display(self, actions: int) -> Display:
        """The setting of a vector table that shows these observations and masks of `actions` bits."""
        return Display(self.encode, self.planes, actions)
