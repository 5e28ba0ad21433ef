"""The luck correction of Gin: its chance nodes, and the value of a state.

A small network, trained by `benchmarks/luck.py`, sees both hands and predicts the end of the deal.
The score determines the value of each end. docs/adjust.md has the measurements.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from undercut.cards.french import NONE, Card, Cards, card_points, lowest
from undercut.cards.melds import completing, deadwood, deadwood_without, in_melds
from undercut.games.gin.players.network.encoding import EXACT, deadwood_bits
from undercut.games.gin.rules.deal import begin
from undercut.games.gin.rules.layout import DRAW, Options, Phase, State
from undercut.kernels.jit import count_ones, kernel
from undercut.kernels.records import Action, Array, Buffer, Settings
from undercut.play.luck import Luck
from undercut.players.bits import Layout, Piece, flag, gauge
from undercut.players.equity import LEVELS, MEASURES, measure_worths
from undercut.players.luck.network import answer_kernel, memory_for
from undercut.players.luck.weights import Judge, load_judge
from undercut.players.network_files import Shipped

NETWORK = Shipped(
    Path(__file__).parent / "luck.safetensors",
    "276b60ea2b6a4c4987a36c079132ebba04ce042a407ea498366204f271fb1a5b",
)
WIDTH, INNER = 128, 16  # of the network

_CARDS = 52
_DEALT = 20  # cards in two hands; the next one is the upcard or the starter's eleventh card
_PLANES = [
    "mine",
    "theirs",
    "pile",
    "offered",
    "my_melds",
    "their_melds",
    "my_outs",
    "their_outs",
    "feeds",
]
_DEADWOODS = ("my_deadwood", "their_deadwood", "with_offer")
SEEN = Layout(
    *(Piece(name, _CARDS) for name in _PLANES),
    (Piece("offer", 1), Piece("starter", 1), Piece("fits", 1), Piece("stock", 32)),
    *(Piece(name, EXACT + 11) for name in _DEADWOODS),
    (Piece("my_count", 16), Piece("their_count", 16)),  # of outs
)
PLANES = SEEN.planes
_MINE, _THEIRS, _PILE, _OFFERED, _MY_MELDS = SEEN.words("mine theirs pile offered my_melds")
_THEIR_MELDS, _MY_OUTS, _THEIR_OUTS, _FEEDS = SEEN.words("their_melds my_outs their_outs feeds")
_MY_DEADWOOD, _THEIR_DEADWOOD, _WITH_OFFER = SEEN.words(" ".join(_DEADWOODS))
_COURSE, _OUTS = SEEN.words("offer my_count")
_STARTER, _FITS, _STOCK = SEEN.places("starter fits stock")
_MY_COUNT, _THEIR_COUNT = SEEN.places("my_count their_count")
_WORDS = len(PLANES)
_MEMORY = memory_for(_WORDS, WIDTH)

answer = answer_kernel(PLANES, "gin")


@kernel
def chances(state: State, options: Options, action: Action) -> int:
    """The number of outcomes of a chance node: a draw from the stock, or the deal (NONE)."""
    if action == DRAW:
        return _CARDS - int(state.used)
    return 2 * (_CARDS - _DEALT) if action == NONE else 0


@kernel
def lay(state: State, options: Options, action: Action, case: int, scores: Buffer) -> None:
    """Set one outcome: another card of the stock; or exchanged hands and another next card."""
    if action == DRAW:
        _exchange(state, int(state.used), int(state.used) + case)
        return
    if case % 2:
        for place in range(_DEALT // 2):
            _exchange(state, place, _DEALT // 2 + place)
    _exchange(state, _DEALT, _DEALT + case // 2)
    begin(state, options, int(state.starter), scores)


@kernel
def _exchange(state: State, place: int, other: int) -> None:
    card = state.deck[place]
    state.deck[place] = state.deck[other]
    state.deck[other] = card


@kernel
def encode(state: State, options: Options, words: Buffer) -> None:
    """Fill the words of PLANES, from the perspective of the seat on turn, with both hands open."""
    seat, face_points = int(state.seat), int(options.face_points)
    mine, theirs, pile = int(state.hands[seat]), int(state.hands[1 - seat]), int(state.pile)
    stock = ((1 << _CARDS) - 1) & ~(mine | theirs | pile)
    outs, others = completing(mine), completing(theirs)
    words[_MINE] = mine
    words[_THEIRS] = theirs
    words[_PILE] = pile
    words[_MY_MELDS] = in_melds(mine)
    words[_THEIR_MELDS] = in_melds(theirs)
    words[_MY_OUTS] = outs & stock
    words[_THEIR_OUTS] = others & stock
    words[_FEEDS] = others & mine
    mine_left, their_left = count_ones(outs & stock), count_ones(others & stock)
    words[_OUTS] = gauge(mine_left, _MY_COUNT) | gauge(their_left, _THEIR_COUNT)
    words[_THEIR_DEADWOOD] = deadwood_bits(deadwood(theirs, face_points))
    is_offer = state.phase == Phase.OFFER
    if is_offer:
        least, offered, taker = deadwood(mine, face_points), int(state.upcard), mine
    else:
        least, offered = _after_discard(mine, face_points)
        taker = theirs
    words[_MY_DEADWOOD] = deadwood_bits(least)
    words[_OFFERED] = 1 << offered
    words[_WITH_OFFER] = deadwood_bits(_after_discard(taker | (1 << offered), face_points)[0])
    course = int(is_offer) | flag(state.starter == seat, _STARTER)
    course |= (((outs if is_offer else others) >> offered) & 1) << _FITS.shift
    words[_COURSE] = course | gauge(count_ones(stock), _STOCK)


@kernel
def _after_discard(hand: Cards, face_points: int) -> tuple[int, Card]:
    """The least deadwood after a discard, and the highest discard that leaves it."""
    melded, whole, cards = in_melds(hand), deadwood(hand, face_points), hand
    least, best, most = 1 << 20, NONE, 0
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        left = deadwood_without(hand, card, melded, whole, face_points)
        worth = card_points(card, face_points)
        if left < least or (left == least and worth > most):
            least, best, most = left, card, worth
    return least, best


@kernel
def value(state: State, options: Options, settings: Settings, workspace: Buffer) -> float:
    """The expected gain of seat 0 in the deal, as a share of the match."""
    words, memory = workspace[:_WORDS], workspace[_WORDS : _WORDS + _MEMORY]
    answers = workspace[_WORDS + _MEMORY :].view(np.float32)
    encode(state, options, words)
    answer(settings, words, memory, answers)
    mine = _level(state, int(state.seat), options)
    theirs = _level(state, 1 - int(state.seat), options)
    worth = 0.0
    for i in range(MEASURES):
        worth += settings.worths[mine, theirs, i] * answers[i]
    return -worth if state.seat else worth


@kernel
def _level(state: State, seat: int, options: Options) -> int:
    return LEVELS * int(state.scores[seat]) // int(options.target)


class Values(NamedTuple):
    """The parameters of `value`: the layers of the network, and the values of its outputs."""

    entry: Array
    inner: Array
    heads: Array
    worths: Array  # by the levels of both scores: players/equity.py


@cache
def _judge() -> Judge:
    return load_judge(NETWORK, PLANES)


def settings(options: Options) -> Values:
    """The network, and the values of its outputs in matches to this target."""
    judge = _judge()
    worths = measure_worths(np.array(judge.about["points"]), int(options.target))
    return Values(*judge.layers, worths)


LUCK = Luck(
    chances=chances,
    lay=lay,
    value=value,
    settings=settings,
    workspace=_WORDS + _MEMORY + MEASURES + INNER,
    planes=PLANES,
    encode=encode,
)
