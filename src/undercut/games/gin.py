"""Gin Rummy and Distilled Gin: the rules of one deal and of a match.

One family, told apart by options. Numbers such as [G 6] are in docs/rules/gin.md, numbers such as
[D 4] in docs/rules/distilled.md. A turn is two actions, a draw and a discard; after a knock the
melds and lay-offs are laid down one action at a time.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from undercut.core import rng
from undercut.core.cards import HIDDEN, NONE, PACK, Cards, card_points, lowest, points, size
from undercut.core.game import LATE, Action, Buffer, Seat, State, View
from undercut.core.jit import cold_kernel, kernel
from undercut.core.melds import (
    LAYOUT,
    MELDS,
    deadwood,
    deadwood_without,
    fitting,
    in_melds,
    is_run,
    list_melds,
    meld_cards,
)
from undercut.core.rng import Generator

NAME = "gin"
VERSION = 1
SEATS = (2, 2)

# Actions 0..51 discard that card; 52..103 knock, discarding that card.
KNOCK = 52
DRAW = 104
TAKE = 105
PASS = 106
DONE = 107
MELD = 108  # + the number of a meld
LAY_ON_SET = MELD + MELDS  # + the card that is laid off
LAY_ON_HIGHER = LAY_ON_SET + 52  # as the new lowest card of a run
LAY_ON_LOWER = LAY_ON_HIGHER + 52  # as the new highest card of a run
ACTIONS = LAY_ON_LOWER + 52

LEGAL = 128  # legal actions at once, at most (tested)
TURNS = 84  # turns in a deal, at most: 31 stock draws, 50 takes, the first discard
HISTORY = TURNS // 4  # a turn is 16 bits of the history: the card thrown above the card drawn


class Phase(IntEnum):
    """What the seat on turn has to do."""

    OFFER = 0  # take the first upcard, or pass
    DRAW = 1
    DISCARD = 2  # discard or knock
    SPREAD = 3  # the knocker lays down melds
    DEFEND = 4  # the other player lays down melds and lays off
    OVER = 5


class Outcome(IntEnum):
    """How a deal ended."""

    NONE = 0
    KNOCK = 1
    GIN = 2
    UNDERCUT = 3
    VOID = 4


class Options(NamedTuple):
    """Every house rule. Truth values are 0 or 1."""

    target: int = 100  # the match ends when a player has this many points [G 10]
    upcard: int = 1  # a first upcard is offered; 0: the non-dealer gets 11 cards [G 2, D 2]
    knock: int = 1  # players may knock; 0: only gin ends a deal [G 5]
    knock_limit: int = 10  # the most deadwood to knock with [G 5]
    gin_bonus: int = 25  # [G 7]
    undercut_bonus: int = 25  # [G 7]
    automatic_gin: int = 0  # a hand all in melds ends the deal by itself [D 6]
    layoffs: int = 1  # the opponent of a knocker may lay off [G 6]
    eaai_auto_layoff: int = 0  # lay-offs are made by the engine, greedily [G 6]
    face_points: int = 10  # 10: each face card ten; 13: jack 11, queen 12, king 13 [D 7]
    knock_face_down: int = 0  # the knocker's discard stays unseen until the deal is over [G 9]
    void_stock: int = 2  # a turn cannot begin with this few cards in the stock [G 8]
    void_alternates: int = 0  # the deal passes on after a void hand too [G 8]
    max_discard_takes: int = 50  # this many takes from the discard pile make a hand void [G 11]
    first_starter: int = NONE  # who plays first in the first deal; -1: chance decides [G 1]


LIMITS: dict[str, tuple[int, int]] = {
    "target": (1, 10_000),
    "upcard": (0, 1),
    "knock": (0, 1),
    "knock_limit": (0, 99),
    "gin_bonus": (0, 1_000),
    "undercut_bonus": (0, 1_000),
    "automatic_gin": (0, 1),
    "layoffs": (0, 1),
    "eaai_auto_layoff": (0, 1),
    "face_points": (10, 13),
    "knock_face_down": (0, 1),
    "void_stock": (0, 30),
    "void_alternates": (0, 1),
    "max_discard_takes": (1, 50),
    "first_starter": (-1, 1),
}

PRESETS: dict[str, Options] = {
    "gin": Options(),
    "distilled": Options(
        target=50, upcard=0, knock=0, gin_bonus=0, undercut_bonus=0, automatic_gin=1
    ),
}


def _distilled_knock(options: Options) -> Options:
    return options._replace(knock=1, gin_bonus=10, undercut_bonus=10)


def _distilled_long(options: Options) -> Options:
    return options._replace(
        target=100, gin_bonus=2 * options.gin_bonus, undercut_bonus=2 * options.undercut_bonus
    )


# In this order, so that `long` doubles the bonuses that `knock` brings.
VARIANTS: dict[str, dict[str, Any]] = {
    "distilled": {
        "upcard": lambda options: options._replace(upcard=1),
        "knock": _distilled_knock,
        "long": _distilled_long,
    }
}

STATE = np.dtype(
    [
        ("hands", "i8", 2),
        ("shown", "i8", 2),  # cards of a hand that the other seat saw being taken
        ("pile", "i8"),  # the cards on the discard pile
        ("melds", "i8", (2, LAYOUT)),  # laid down after a knock, lay-offs included
        ("melded", "i8", 2),  # the cards of a hand that are in melds or laid off
        ("history", "i8", (2, HISTORY)),  # what each seat saw drawn and thrown: `drawn`, `thrown`
        ("scores", "i2", 2),  # match points before this deal
        ("deck", "i1", 52),  # the whole deal, in the order it is drawn
        ("used", "i1"),  # how many cards of `deck` have left the stock
        ("turn", "i1"),  # discards made so far
        ("opener", "i1"),  # the seat whose turn 0 is; then they alternate
        ("starter", "i1"),  # the non-dealer
        ("seat", "i1"),  # whose turn it is
        ("phase", "i1"),
        ("first_upcard", "i1"),  # the card turned up at the deal, or NONE
        ("upcard", "i1"),  # the top of the discard pile, or NONE
        ("taken", "i1"),  # the upcard taken this turn; may not be thrown back [G 4]
        ("takes", "i1"),
        ("passes", "i1"),  # of the first upcard
        ("knocker", "i1"),
        ("outcome", "i1"),
    ],
    align=True,
)

VIEW = np.dtype(
    [
        ("hand", "i8"),
        ("theirs", "i8"),  # cards the other seat is known to hold, or to have put face down
        ("shown", "i8"),  # own cards that the other seat knows
        ("pile", "i8"),
        ("melds", "i8", (2, LAYOUT)),  # by seat
        ("melded", "i8", 2),
        ("history", "i8", HISTORY),  # what was drawn and thrown: read it with `drawn`, `thrown`
        ("scores", "i2", 2),  # by seat
        ("stock", "i1"),  # cards left in it
        ("turn", "i1"),
        ("opener", "i1"),
        ("starter", "i1"),
        ("me", "i1"),  # whose view this is
        ("seat", "i1"),  # whose turn it is
        ("phase", "i1"),
        ("first_upcard", "i1"),
        ("upcard", "i1"),
        ("taken", "i1"),
        ("takes", "i1"),
        ("passes", "i1"),
        ("knocker", "i1"),
        ("outcome", "i1"),
    ],
    align=True,
)

TALLY = (
    "draws",
    "knocks",
    "gins",
    "undercuts",
    "voids",
    "knock_points",
    "gin_points",
    "undercut_points",
    "starter_wins",
    "takes",
)


@kernel
def drawn(view: View, turn: int) -> int:
    """The card drawn in a turn; HIDDEN from the stock by the other seat, NONE if none was drawn."""
    return _noted(view.history, 16 * turn)


@kernel
def thrown(view: View, turn: int) -> int:
    """The card thrown in a turn; HIDDEN for a knock card that lies face down."""
    return _noted(view.history, 16 * turn + 8)


@kernel
def was_taken(view: View, turn: int) -> bool:
    """Whether the card drawn in a turn came from the discard pile."""
    card = drawn(view, turn)
    if turn == 0:
        return card >= 0 and card == view.first_upcard
    return card >= 0 and card == thrown(view, turn - 1)


@kernel
def _noted(history: Buffer, bit: int) -> int:
    return ((int(history[bit >> 6]) >> (bit & 63)) & 255) - 3


@kernel
def note(history: Buffer, bit: int, card: int) -> None:
    """Write a card as one byte; 0 is nothing yet, HIDDEN 1, NONE 2, and then the cards."""
    word = int(history[bit >> 6]) & ~(255 << (bit & 63))
    history[bit >> 6] = word | ((card + 3) << (bit & 63))


@kernel
def _note_draw(state: State, seen_by_0: int, seen_by_1: int) -> None:
    note(state.history[0], 16 * int(state.turn), seen_by_0)
    note(state.history[1], 16 * int(state.turn), seen_by_1)
    if state.turn == 0:
        state.opener = state.seat


@kernel
def deal(
    state: State, options: Options, generator: Generator, starter: Seat, scores: Buffer
) -> None:
    """Shuffle and deal; `starter` is the non-dealer, `scores` the match points so far."""
    for card in range(52):
        state.deck[card] = card
    rng.shuffle(generator, state.deck, 0, 52)
    begin(state, options, starter, scores)


@cold_kernel
def begin(state: State, options: Options, starter: Seat, scores: Buffer) -> None:
    """Deal from the deck as it lies [G 2, D 2]."""
    for seat in range(2):
        cards = 0
        for place in range(10):
            cards |= 1 << int(state.deck[10 * seat + place])
        state.hands[(starter + seat) % 2] = cards
        state.shown[seat] = 0
        state.melded[seat] = 0
        state.scores[seat] = scores[seat]
        for i in range(LAYOUT):
            state.melds[seat, i] = 0
    for i in range(HISTORY):
        state.history[0, i] = 0
        state.history[1, i] = 0
    state.turn = 0
    state.used = 21
    state.starter = starter
    state.seat = starter
    state.opener = starter
    state.taken = NONE
    state.takes = 0
    state.passes = 0
    state.knocker = NONE
    state.outcome = Outcome.NONE
    card = int(state.deck[20])
    if options.upcard:
        state.phase = Phase.OFFER
        state.upcard = card
        state.pile = 1 << card
    else:
        state.phase = Phase.DISCARD
        state.upcard = NONE
        state.pile = 0
        state.hands[starter] |= 1 << card
        _note_draw(state, NONE, NONE)
    state.first_upcard = state.upcard


@kernel
def is_over(state: State) -> bool:
    """Whether the deal has ended."""
    return state.phase == Phase.OVER


@kernel
def pace(state: State) -> int:
    """The turn, or LATE when cards are laid down."""
    return int(state.turn) if state.phase < Phase.SPREAD else LATE


@kernel
def legal(state: State, options: Options, out: Buffer) -> int:
    """Write the legal actions, in order; return how many there are."""
    if state.phase == Phase.DISCARD:
        return _legal_discards(state, options, out)
    if state.phase == Phase.DRAW:
        out[0] = DRAW
        # When both have passed the first upcard, the starter must draw from the stock [G 3].
        if state.passes == 2 and state.turn == 0:
            return 1
        out[1] = TAKE
        return 2
    if state.phase == Phase.OFFER:
        out[0] = TAKE
        out[1] = PASS
        return 2
    if state.phase == Phase.SPREAD:
        return _legal_spread(state, options, out)
    if state.phase == Phase.DEFEND:
        return _legal_defence(state, options, out)
    return 0


@kernel
def _legal_discards(state: State, options: Options, out: Buffer) -> int:
    hand = int(state.hands[state.seat])
    choices = hand
    if state.taken != NONE:
        choices &= ~(1 << int(state.taken))  # [G 4]
    count = 0
    left = choices
    while left:
        card = lowest(left)
        left ^= 1 << card
        out[count] = card
        count += 1
    if options.knock:
        count = _legal_knocks(hand, choices, count, options, out)
    return count


@kernel
def _legal_knocks(hand: Cards, choices: Cards, count: int, options: Options, out: Buffer) -> int:
    face_points = int(options.face_points)
    whole = deadwood(hand, face_points)
    # A discard lowers deadwood by its own points at most: mostly no search is needed.
    if whole > options.knock_limit + face_points:
        return count
    melded = in_melds(hand)
    while choices:
        card = lowest(choices)
        choices ^= 1 << card
        if whole - card_points(card, face_points) <= options.knock_limit:
            left = deadwood_without(hand, card, melded, whole, face_points)
            # Gin that ends the deal by itself needs no knock [D 6].
            if left <= options.knock_limit and not (left == 0 and options.automatic_gin):
                out[count] = KNOCK + card
                count += 1
    return count


@cold_kernel
def _legal_spread(state: State, options: Options, out: Buffer) -> int:
    """The knocker may lay any meld that lets the rest come down to the knock limit [G 5]."""
    seat = int(state.seat)
    left = int(state.hands[seat]) & ~int(state.melded[seat])
    found = list_melds(left, out, MELD)
    count = 0
    for i in range(found):
        rest = left & ~meld_cards(out[i] - MELD)
        if deadwood(rest, options.face_points) <= options.knock_limit:
            out[count] = out[i]
            count += 1
    if points(left, options.face_points) <= options.knock_limit:
        out[count] = DONE
        count += 1
    return count


@cold_kernel
def _legal_defence(state: State, options: Options, out: Buffer) -> int:
    """The opponent melds and lays off in any order, and may always stop [G 6]."""
    seat = int(state.seat)
    left = int(state.hands[seat]) & ~int(state.melded[seat])
    count = list_melds(left, out, MELD)
    if (
        options.layoffs
        and not options.eaai_auto_layoff
        and _unlaid_points(state, options, int(state.knocker)) > 0
    ):
        for i in range(LAYOUT):
            meld = int(state.melds[1 - seat, i])
            if meld:
                count = _legal_layoffs(meld, fitting(meld) & left, count, out)
    out[count] = DONE
    return count + 1


@kernel
def _legal_layoffs(meld: Cards, cards: Cards, count: int, out: Buffer) -> int:
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        if not is_run(meld):
            out[count] = LAY_ON_SET + card
        elif card < lowest(meld):
            out[count] = LAY_ON_HIGHER + card
        else:
            out[count] = LAY_ON_LOWER + card
        count += 1
    return count


@kernel
def _unlaid_points(state: State, options: Options, seat: Seat) -> int:
    """The deadwood of a seat after a knock: what it has not laid down."""
    return points(int(state.hands[seat]) & ~int(state.melded[seat]), options.face_points)


@kernel
def apply(state: State, options: Options, action: Action) -> None:
    """Carry out an action; trusts its caller that it is legal."""
    if action < DRAW:
        _discard(state, options, action)
    elif action == DRAW:
        _draw(state)
    elif action == TAKE:
        _take(state)
    elif action == PASS:
        _pass(state)
    elif action == DONE:
        _done(state, options)
    elif action < LAY_ON_SET:
        _meld(state, meld_cards(action - MELD))
    else:
        _lay_off(state, action)


@kernel
def _pass(state: State) -> None:
    state.passes += 1
    state.seat = 1 - state.seat
    if state.passes == 2:  # [G 3]
        state.phase = Phase.DRAW


@kernel
def _draw(state: State) -> None:
    seat = int(state.seat)
    card = int(state.deck[state.used])
    state.used += 1
    state.hands[seat] |= 1 << card
    if seat == 0:
        _note_draw(state, card, HIDDEN)
    else:
        _note_draw(state, HIDDEN, card)
    state.taken = NONE
    state.phase = Phase.DISCARD


@kernel
def _take(state: State) -> None:
    seat = int(state.seat)
    card = int(state.upcard)
    state.hands[seat] |= 1 << card
    state.shown[seat] |= 1 << card
    state.pile &= ~(1 << card)
    _note_draw(state, card, card)
    state.taken = card
    state.takes += 1
    state.upcard = NONE
    state.phase = Phase.DISCARD


@kernel
def _discard(state: State, options: Options, action: Action) -> None:
    seat = int(state.seat)
    card = action % KNOCK
    single = 1 << card
    state.hands[seat] &= ~single
    if action < KNOCK or not options.knock_face_down:
        state.shown[seat] &= ~single  # nobody sees which card is put face down [G 9]
    state.pile |= single
    state.upcard = card
    note(state.history[0], 16 * int(state.turn) + 8, card)
    note(state.history[1], 16 * int(state.turn) + 8, card)
    state.turn += 1
    state.taken = NONE
    if action >= KNOCK:
        state.knocker = seat
        state.phase = Phase.SPREAD
    elif options.automatic_gin and deadwood(int(state.hands[seat]), options.face_points) == 0:
        _end_with_gin(state, seat)
    else:
        _begin_turn(state, options)


@kernel
def _begin_turn(state: State, options: Options) -> None:
    state.seat = 1 - state.seat
    state.phase = Phase.DRAW
    if 52 - state.used <= options.void_stock or state.takes >= options.max_discard_takes:
        state.outcome = Outcome.VOID  # [G 8, G 11]
        state.phase = Phase.OVER


@kernel
def _end_with_gin(state: State, seat: Seat) -> None:
    """Gin that ends the deal by itself: nothing is chosen, so nothing need be laid down [D 6, D 7]."""
    state.knocker = seat
    state.melded[seat] = state.hands[seat]
    state.outcome = Outcome.GIN
    state.phase = Phase.OVER


@kernel
def _meld(state: State, cards: Cards) -> None:
    seat = int(state.seat)
    place = 0
    while state.melds[seat, place]:
        place += 1
    state.melds[seat, place] = cards
    state.melded[seat] |= cards


@cold_kernel
def _lay_off(state: State, action: Action) -> None:
    seat = int(state.seat)
    kind = (action - LAY_ON_SET) // 52
    card = (action - LAY_ON_SET) % 52
    for i in range(LAYOUT):
        meld = int(state.melds[1 - seat, i])
        if meld and _is_target(meld, kind, card):
            _put_on(state, i, card)
            return


@kernel
def _is_target(meld: Cards, kind: int, card: int) -> bool:
    if fitting(meld) & (1 << card) == 0:
        return False
    if not is_run(meld):
        return kind == 0
    return kind == (1 if card < lowest(meld) else 2)


@kernel
def _put_on(state: State, place: int, card: int) -> None:
    seat = int(state.seat)
    state.melds[1 - seat, place] |= 1 << card
    state.melded[seat] |= 1 << card


@cold_kernel
def _done(state: State, options: Options) -> None:
    if state.phase == Phase.SPREAD:
        state.seat = 1 - state.seat
        state.phase = Phase.DEFEND
        return
    if (
        options.layoffs
        and options.eaai_auto_layoff
        and _unlaid_points(state, options, int(state.knocker)) > 0
    ):
        _lay_off_greedily(state)
    own = _unlaid_points(state, options, int(state.knocker))
    if own == 0:
        state.outcome = Outcome.GIN
    elif _unlaid_points(state, options, 1 - int(state.knocker)) <= own:
        state.outcome = Outcome.UNDERCUT
    else:
        state.outcome = Outcome.KNOCK
    state.phase = Phase.OVER


@kernel
def _lay_off_greedily(state: State) -> None:
    """As the EAAI engine: again and again the first card that fits, on the first meld it fits."""
    seat = int(state.seat)
    left = int(state.hands[seat]) & ~int(state.melded[seat])
    rest = left
    while rest:
        card = lowest(rest)
        rest ^= 1 << card
        for i in range(LAYOUT):
            meld = int(state.melds[1 - seat, i])
            if meld and fitting(meld) & (1 << card):
                _put_on(state, i, card)
                left &= ~(1 << card)
                rest = left
                break


@cold_kernel
def score(state: State, options: Options, out: Buffer) -> None:
    """Write each seat's points for a deal that is over [G 7, D 7]."""
    out[0] = 0
    out[1] = 0
    if state.outcome == Outcome.VOID:
        return
    knocker = int(state.knocker)
    if options.automatic_gin and state.outcome == Outcome.GIN:
        # The other hand is melded for its owner [D 7].
        difference = deadwood(int(state.hands[1 - knocker]), options.face_points)
    else:
        difference = _unlaid_points(state, options, 1 - knocker)
        difference -= _unlaid_points(state, options, knocker)
    if state.outcome == Outcome.GIN:
        out[knocker] = difference + options.gin_bonus
    elif state.outcome == Outcome.UNDERCUT:
        out[1 - knocker] = options.undercut_bonus - difference
    else:
        out[knocker] = difference


@kernel
def clear_view(view: View) -> None:
    """Make a view fit for `observe` whose memory may hold anything."""
    view.turn = 0
    for i in range(HISTORY):
        view.history[i] = 0


@kernel
def observe(state: State, options: Options, me: Seat, view: View) -> None:
    """Fill `view` with what seat `me` may know, and nothing else.

    The view is cleared or was filled before, so its history beyond its own last turn is 0.
    """
    for i in range((max(int(view.turn), int(state.turn)) >> 2) + 1):
        view.history[i] = state.history[me, i]
    view.me = me
    view.hand = state.hands[me]
    view.shown = state.shown[me] & state.hands[me]
    view.theirs = state.shown[1 - me] | state.melded[1 - me]
    if _sees_hand(state, me):
        view.theirs = state.hands[1 - me]
    for seat in range(2):
        view.melded[seat] = state.melded[seat]
        view.scores[seat] = state.scores[seat]
        for i in range(LAYOUT):
            view.melds[seat, i] = state.melds[seat, i]
    view.pile = state.pile
    view.first_upcard = state.first_upcard
    view.upcard = state.upcard
    view.stock = 52 - state.used
    view.turn = state.turn
    view.opener = state.opener
    view.starter = state.starter
    view.seat = state.seat
    view.phase = state.phase
    view.taken = state.taken
    view.takes = state.takes
    view.passes = state.passes
    view.knocker = state.knocker
    view.outcome = state.outcome
    if options.knock_face_down and state.phase != Phase.OVER and state.knocker == 1 - me:
        _hide_knock_card(view)


@kernel
def _sees_hand(state: State, me: Seat) -> bool:
    """Whether the other hand lies open: the knocker's at once, the defender's at the end."""
    if state.knocker == NONE:
        return False
    return state.phase == Phase.OVER or (state.knocker != me and state.phase == Phase.DEFEND)


@kernel
def _hide_knock_card(view: View) -> None:
    view.pile &= ~(1 << int(view.upcard))
    view.upcard = HIDDEN
    # With [:] it is an array like those of a state, and `note` is compiled once.
    note(view.history[:], 16 * (int(view.turn) - 1) + 8, HIDDEN)


@kernel
def complete(view: View, options: Options, generator: Generator, state: State) -> None:
    """Fill `state` with a position that looks like `view` to its seat, the rest by chance.

    Every way to deal the cards this seat cannot know is equally likely. Which of its cards the
    other seat drew when stays HIDDEN, even from the other seat.
    """
    me = int(view.me)
    _copy_public(view, state)
    _deal_hidden(view, generator, state)
    state.hands[me] = view.hand
    state.shown[me] = view.shown
    state.shown[1 - me] = _taken_and_kept(view, 1 - me)
    for turn in range(_draws(view)):
        if drawn(view, turn) >= 0 and not was_taken(view, turn):
            note(state.history[1 - me], 16 * turn, HIDDEN)


@kernel
def _deal_hidden(view: View, generator: Generator, state: State) -> None:
    """Shuffle the unseen cards into the face-down knock card, the other hand and the stock."""
    hand = int(view.theirs)
    if view.upcard == HIDDEN:
        hand |= _taken_and_kept(view, 1 - view.me)
    unseen = ~(int(view.hand) | hand | int(view.pile)) & PACK
    place = 0
    for cards in (PACK & ~unseen, unseen):
        while cards:
            card = lowest(cards)
            cards ^= 1 << card
            state.deck[place] = card
            place += 1
    place = 52 - size(unseen)
    rng.shuffle(generator, state.deck, place, 52)
    while place < 52 - view.stock:
        hand |= 1 << int(state.deck[place])
        place += 1
    if view.upcard == HIDDEN:
        card = _any_face_down(view, generator, hand)
        hand ^= 1 << card
        state.upcard = card
        state.pile |= 1 << card
        note(state.history[1 - view.me], 16 * (int(view.turn) - 1) + 8, card)
    state.hands[1 - view.me] = hand


@kernel
def _any_face_down(view: View, generator: Generator, cards: Cards) -> int:
    """A card that the knocker may have put face down, of the eleven he had."""
    open_cards = view.theirs if view.phase == Phase.DEFEND else view.melded[view.knocker]
    choices = cards & ~int(open_cards)
    for _ in range(rng.below(generator, size(choices))):
        choices ^= 1 << lowest(choices)
    return lowest(choices)


@kernel
def _taken_and_kept(view: View, seat: Seat) -> Cards:
    kept = 0
    for turn in range(_draws(view)):
        if (int(view.opener) + turn) % 2 == seat:
            if was_taken(view, turn):
                kept |= 1 << drawn(view, turn)
            if turn < view.turn and thrown(view, turn) >= 0:
                kept &= ~(1 << thrown(view, turn))
    return kept


@kernel
def _draws(view: View) -> int:
    """How many turns have had their draw."""
    return int(view.turn) + 1 if view.phase == Phase.DISCARD else int(view.turn)


@kernel
def _copy_public(view: View, state: State) -> None:
    for seat in range(2):
        state.melded[seat] = view.melded[seat]
        state.scores[seat] = view.scores[seat]
        for i in range(LAYOUT):
            state.melds[seat, i] = view.melds[seat, i]
    for i in range(HISTORY):
        state.history[0, i] = view.history[i]
        state.history[1, i] = view.history[i]
    state.pile = view.pile
    state.first_upcard = view.first_upcard
    state.upcard = view.upcard
    state.used = 52 - view.stock
    state.turn = view.turn
    state.opener = view.opener
    state.starter = view.starter
    state.seat = view.seat
    state.phase = view.phase
    state.taken = view.taken
    state.takes = view.takes
    state.passes = view.passes
    state.knocker = view.knocker
    state.outcome = view.outcome


@kernel
def first_starter(options: Options, seats: int, generator: Generator) -> Seat:
    """Who plays first in the first deal of a match [G 1]."""
    if options.first_starter == NONE:
        return rng.below(generator, seats)
    return options.first_starter


@kernel
def next_starter(state: State, options: Options) -> Seat:
    """Who plays first in the next deal of the match [G 1, G 8]."""
    if state.outcome == Outcome.VOID and not options.void_alternates:
        return int(state.starter)
    return 1 - int(state.starter)


@kernel
def is_match_over(scores: Buffer, deals: int, options: Options) -> bool:
    """Whether a player has reached the target [G 10]."""
    return scores[0] >= options.target or scores[1] >= options.target


@cold_kernel
def tally(state: State, options: Options, gained: Buffer, counts: Buffer) -> None:
    """Add a deal that is over to the counts named in TALLY."""
    stock_draws = state.used - 21
    counts[0] += stock_draws + state.takes
    outcome = int(state.outcome)
    counts[outcome] += 1
    if outcome != Outcome.VOID:
        counts[4 + outcome] += gained[0] + gained[1]
        if gained[state.starter] > 0:
            counts[8] += 1
    counts[9] += state.takes
