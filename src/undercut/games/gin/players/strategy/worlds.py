"""Worlds, which are sampled determinizations, and rollouts on them.

A world is the hidden information: the other hand and the order of the stock. Each world has a
number and its own random seed, so a player can try every move on the same world, in any order.
"""

from typing import TypeAlias

import numpy as np

from undercut.cards.french import size
from undercut.cards.melds import deadwood
from undercut.games.gin.players import simple
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.layout import Options, State, View
from undercut.kernels import rng
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Action, Buffer, Record, Seat, pack, record_in, words_for
from undercut.kernels.rng import GENERATOR, Generator, Seed
from undercut.play.agent import Turn

Players: TypeAlias = Record  # of the layout PLAYERS

_PLAYER = pack(simple.Settings()).dtype
PLAYERS = np.dtype([("mine", _PLAYER), ("theirs", _PLAYER)], align=True)
"""The settings of the rollout players, for the deciding seat and for the other seat."""

_SIZES = [
    words_for(gin.STATE),
    words_for(GENERATOR),
    words_for(gin.VIEW),
    gin.LEGAL,
    simple.WORKSPACE,
    2,  # both seats' points
]
_STATE_END, DEAL, _VIEW_END, _LEGAL_END, _LAYING_END, WORKSPACE = (
    sum(_SIZES[:end]) for end in range(1, 7)
)
"""Offsets in the workspace: a deal uses the first DEAL numbers, and a rollout all WORKSPACE."""
_STATE, _VIEW, _GENERATOR = np.dtype(gin.STATE), np.dtype(gin.VIEW), np.dtype(GENERATOR)


@cold_kernel
def deal_world(
    view: View, options: Options, craft: float, seed: Seed, number: int, out: Buffer
) -> None:
    """Write the deal of the world with a number.

    If `craft` is 0, all hands of the other player are equally likely. Otherwise the kernel samples
    `craft` hands for each card on the pile, and keeps the one with the least deadwood: the longer
    the deal, the better the hand.
    """
    state = record_in(out[:_STATE_END], _STATE)
    chance = record_in(out[_STATE_END:DEAL], _GENERATOR)
    best, least = 0, 1 << 20
    hands = int(craft * size(int(view.pile)))
    for attempt in range(hands if hands > 1 else 0):
        _deal(view, options, seed, number, attempt, state, chance)
        left = deadwood(int(state.hands[1 - view.me]), int(options.face_points))
        if left < least:
            best, least = attempt, left
    _deal(view, options, seed, number, best, state, chance)


@kernel
def _deal(
    view: View,
    options: Options,
    seed: Seed,
    number: int,
    attempt: int,
    state: State,
    chance: Generator,
) -> None:
    rng.start(chance, rng.derive(seed, 0, number, attempt))
    gin.complete(view, options, chance, state)


@cold_kernel
def try_move(
    deal: Buffer,
    action: Action,
    options: Options,
    players: Players,
    seed: Seed,
    number: int,
    workspace: Buffer,
) -> int:
    """The value of a move on a world for the seat on turn, by a rollout of `players`."""
    for word in range(DEAL):
        workspace[word] = deal[word]
    state = record_in(workspace[:_STATE_END], _STATE)
    chance = record_in(workspace[_STATE_END:DEAL], _GENERATOR)
    me = int(state.seat)
    # The rollout players break ties with the same random numbers after every move.
    rng.start(chance, rng.derive(seed, 1, number, 0))
    gin.apply(state, options, action)
    _play_out(state, options, players, me, chance, workspace)
    return worth(state, options, me, workspace[_LAYING_END:])


@kernel
def _play_out(
    state: State, options: Options, players: Players, me: Seat, chance: Generator, workspace: Buffer
) -> None:
    view = record_in(workspace[DEAL:_VIEW_END], _VIEW)
    legal = workspace[_VIEW_END:_LEGAL_END]
    laying = workspace[_LEGAL_END:_LAYING_END]
    gin.clear_view(view)
    while not gin.is_over(state):
        count = gin.legal(state, options, legal)
        action = int(legal[0])
        if count > 1:
            gin.observe(state, options, int(state.seat), view)
            player = players.mine if state.seat == me else players.theirs
            turn = Turn(legal[:count], options, player, chance, laying)
            action = int(simple.choose(view, turn))
        gin.apply(state, options, action)


@kernel
def worth(state: State, options: Options, me: Seat, gained: Buffer) -> int:
    """The points of a deal that is over; a deal that ends the match counts twice its target."""
    gin.score(state, options, gained)
    points = int(gained[me] - gained[1 - me])
    if int(state.scores[me]) + gained[me] >= options.target:
        return 2 * int(options.target)
    if int(state.scores[1 - me]) + gained[1 - me] >= options.target:
        return -2 * int(options.target)
    return points
