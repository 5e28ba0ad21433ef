"""Two-player Rummy, both editions: the rules of one round and of a game to a target.

Numbers such as [R 7] are in docs/rules/rummy.md. A turn is a draw, then any number of put-downs,
one meld or one card at a time, then a discard.

The cards of the table are three sets: those that lie in sets, those that lie in runs, and the
lowest card of each run, which tells touching runs apart. Stock and discard pile are one queue:
cards are drawn at its front, thrown and taken at its back, and to turn the pile over is to move
the line between the two, since the oldest discard is drawn first [R 10].
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from undercut.core import rng
from undercut.core.cards import NONE, PACK, Card, Cards, lowest, points, size
from undercut.core.game import Action, Buffer, Rate, Seat, State, View
from undercut.core.jit import cold_kernel, kernel
from undercut.core.melds import MELDS, is_run, list_melds, meld_cards, run_starts, set_ranks
from undercut.core.rng import Generator

NAME = "rummy"
VERSION = 1
SEATS = (2, 2)

# Actions 0..51 discard that card.
DRAW = 52
TAKE = 53
TURN_OVER = 54  # the discard pile, and draw
MELD = 55  # + the number of a meld
LAY_ON_SET = MELD + MELDS  # + the card that is laid off
LAY_ON_HIGHER = LAY_ON_SET + 52  # as the new lowest card of a run
LAY_ON_LOWER = LAY_ON_HIGHER + 52  # as the new highest card of a run
ACTIONS = LAY_ON_LOWER + 52

LEGAL = 128  # legal actions at once, at most (tested)
TABLE = 17  # melds on the table, at most: each has three cards
QUEUE = 32  # places for stock and discard pile: the other 20 cards are in hands or on the table
FIRST = 52 - QUEUE  # the place of the queue in `deck`

_ACES: Cards = sum(1 << 13 * suit for suit in range(4))
_KINGS: Cards = _ACES << 12
_SUIT: Cards = 0b1111111111111


class Phase(IntEnum):
    """What the seat on turn has to do."""

    DRAW = 0
    PLAY = 1  # put down, or discard
    OVER = 2


class Outcome(IntEnum):
    """How a round ended."""

    NONE = 0
    OUT = 1
    RUMMY = 2  # out at once, with nothing put down before
    TIE = 3


class Options(NamedTuple):
    """Every house rule. Truth values are 0 or 1."""

    target: int = 100  # the game ends when a player has this many points [R 13]
    may_discard_taken: int = 1  # the card just taken may be thrown back [R 7]
    turnovers: int = 2  # with so many made, an empty stock ties the round; -1: never [R 11]
    tie_points: int = 5  # for each player in a tied round [R 11]
    rummy_doubles: int = 1  # going out at once counts double [R 9]
    max_turns: int = 300  # after so many turns a round is tied [R 12]
    max_rounds: int = 1_000  # after so many rounds the game ends as it stands [R 12]
    first_starter: int = 0  # who plays first in the first round; -1: chance decides [R 1]
    alternate_starter: int = 1  # 0: the same player begins every round [R 1]


LIMITS: dict[str, tuple[int, int]] = {
    "target": (1, 10_000),
    "may_discard_taken": (0, 1),
    "turnovers": (-1, 100),
    "tie_points": (0, 1_000),
    "rummy_doubles": (0, 1),
    "max_turns": (1, 10_000),
    "max_rounds": (1, 1_000_000),
    "first_starter": (-1, 1),
    "alternate_starter": (0, 1),
}


def find_problem(options: Options) -> str:
    """Why a rule set cannot be played: within their limits all these can."""
    return ""


PRESETS: dict[str, Options] = {
    "rummy": Options(),
    "rummy-classic": Options(may_discard_taken=0, turnovers=-1, tie_points=0),
}

VARIANTS: dict[str, dict[str, Any]] = {}

STATE = np.dtype(
    [
        ("hands", "i8", 2),
        ("shown", "i8", 2),  # cards of a hand that the other seat saw coming into it
        ("thrown", "i8", 2),  # cards a seat has thrown and not taken back
        ("refused", "i8", 2),  # discards a seat has passed over and not taken since
        ("laid", "i8", 2),  # the cards each seat has put on the table
        ("fresh", "i8"),  # those put down in this turn
        ("sets", "i8"),  # the cards of the table that lie in sets; the others lie in runs
        ("starts", "i8"),  # the lowest card of each run on the table
        ("scores", "i2", 2),  # points before this round
        ("opened", "i2", 2),  # the turn of a seat's first put-down, or NONE
        ("turn", "i2"),  # turns ended so far
        ("takes", "i2"),
        ("turnovers", "i2"),
        ("deck", "i1", 52),  # the hands as dealt, then the queue, which goes round in a ring
        ("table", "i1", TABLE),  # one card of each meld, in the order the melds were made
        ("melds", "i1"),  # how many there are
        ("front", "i1"),  # the place in the queue where the stock begins
        ("stock", "i1"),  # cards in it
        ("pile", "i1"),  # cards on the discard pile
        ("starter", "i1"),
        ("seat", "i1"),  # whose turn it is
        ("phase", "i1"),
        ("upcard", "i1"),  # the top of the discard pile, or NONE
        ("taken", "i1"),  # the discard taken this turn, or NONE
        ("winner", "i1"),
        ("outcome", "i1"),
    ],
    align=True,
)

VIEW = np.dtype(
    [
        ("hand", "i8"),
        ("theirs", "i8"),  # cards the other seat is known to hold
        ("shown", "i8"),  # own cards that the other seat knows
        ("thrown", "i8", 2),  # by seat, as all that follows
        ("refused", "i8", 2),
        ("laid", "i8", 2),
        ("fresh", "i8"),
        ("sets", "i8"),
        ("starts", "i8"),
        ("scores", "i2", 2),
        ("opened", "i2", 2),
        ("turn", "i2"),
        ("takes", "i2"),
        ("turnovers", "i2"),
        ("queue", "i1", QUEUE),  # NONE where unknown or empty: `stock_card`, `pile_card`
        ("table", "i1", TABLE),
        ("melds", "i1"),
        ("front", "i1"),
        ("stock", "i1"),
        ("pile", "i1"),
        ("starter", "i1"),
        ("me", "i1"),  # whose view this is
        ("seat", "i1"),
        ("phase", "i1"),
        ("upcard", "i1"),
        ("taken", "i1"),
        ("winner", "i1"),
        ("outcome", "i1"),
        ("held", "i1"),  # how many cards the other seat holds
    ],
    align=True,
)

TALLY = (
    "rounds",
    "turns",
    "decided",
    "rummies",
    "ties",
    "limits",  # ties by the limit of turns
    "points",  # of decided rounds
    "starter_wins",
    "takes",
    "turnovers",
    "melds",
)

RATES = (
    Rate("turns_per_deal", "turns"),
    Rate("decided_per_deal", "decided", is_share=True),
    Rate("ties_per_deal", "ties", is_share=True),
    Rate("limits_per_deal", "limits", is_share=True),
    Rate("rummies_per_decided_deal", "rummies", "decided", is_share=True),
    Rate("points_per_decided_deal", "points", "decided"),
    Rate("starter_wins_per_decided_deal", "starter_wins", "decided", is_share=True),
    Rate("takes_per_deal", "takes"),
    Rate("turnovers_per_deal", "turnovers"),
    Rate("melds_per_deal", "melds"),
)


@kernel
def runs(table: State | View) -> Cards:
    """The cards of the table that lie in runs."""
    return (int(table.laid[0]) | int(table.laid[1])) & ~int(table.sets)


@kernel
def fits_sets(sets: Cards) -> Cards:
    """The cards that would be the fourth of a set, given all cards that lie in sets."""
    ranks = (sets | (sets >> 13) | (sets >> 26) | (sets >> 39)) & _SUIT
    # The product puts a copy of the 13 rank bits into each of the four suits.
    return (ranks * _ACES) & ~sets


@kernel
def fits_below(starts: Cards) -> Cards:
    """The cards that would be the new lowest card of a run, given the lowest cards now."""
    return (starts & ~_ACES) >> 1


@kernel
def fits_above(cards: Cards, starts: Cards) -> Cards:
    """The cards that would be the new highest card of a run, given all runs and their lowest."""
    # A card ends its run unless the next one continues it. An ace never continues a run, so
    # there is no carrying from a king into the next suit.
    ends = cards & ~((cards & ~starts) >> 1)
    return (ends & ~_KINGS) << 1


@kernel
def meld_on_table(table: State | View, number: int) -> Cards:
    """The cards of a meld on the table; melds are numbered in the order they were made."""
    card = int(table.table[number])
    sets = int(table.sets)
    if (sets >> card) & 1:
        return sets & (_ACES << (card % 13))
    cards, starts = runs(table), int(table.starts)
    first, end = card, card + 1
    while not (starts >> first) & 1:
        first -= 1
    while (cards >> end) & 1 and not (starts >> end) & 1:
        end += 1
    return (1 << end) - (1 << first)


@kernel
def stock_card(view: View, number: int) -> Card:
    """A card of the stock, 0 being drawn first; NONE while it is unknown."""
    return int(view.queue[(int(view.front) + number) % QUEUE])


@kernel
def pile_card(view: View, number: int) -> Card:
    """A card of the discard pile, 0 being the oldest."""
    return stock_card(view, int(view.stock) + number)


@kernel
def deal(
    state: State, options: Options, generator: Generator, starter: Seat, scores: Buffer
) -> None:
    """Shuffle and deal; `starter` is the non-dealer, `scores` the points so far."""
    for card in range(52):
        state.deck[card] = card
    rng.shuffle(generator, state.deck, 0, 52)
    begin(state, options, starter, scores)


@cold_kernel
def begin(state: State, options: Options, starter: Seat, scores: Buffer) -> None:
    """Deal from the deck as it lies: ten cards each, the upcard, the stock [R 2]."""
    for seat in range(2):
        cards = 0
        for place in range(10):
            cards |= 1 << int(state.deck[10 * seat + place])
        state.hands[(starter + seat) % 2] = cards
        state.shown[seat] = 0
        state.thrown[seat] = 0
        state.refused[seat] = 0
        state.laid[seat] = 0
        state.scores[seat] = scores[seat]
        state.opened[seat] = NONE
    state.fresh = 0
    state.sets = 0
    state.starts = 0
    for i in range(TABLE):
        state.table[i] = NONE
    state.melds = 0
    state.turn = 0
    state.takes = 0
    # The upcard lies in place 0 of the ring, which is the one behind the last of the stock.
    state.front = 1
    state.stock = 31
    state.pile = 1
    state.upcard = state.deck[FIRST]
    state.turnovers = 0
    state.starter = starter
    state.seat = starter
    state.phase = Phase.DRAW
    state.taken = NONE
    state.winner = NONE
    state.outcome = Outcome.NONE


@kernel
def is_over(state: State) -> bool:
    """Whether the round has ended."""
    return state.phase == Phase.OVER


@kernel
def pace(state: State) -> int:
    """A number that changes with each turn."""
    return int(state.turn)


@kernel
def legal(state: State, options: Options, out: Buffer) -> int:
    """Write the legal actions, in order; return how many there are."""
    if state.phase == Phase.PLAY:
        return _legal_plays(state, options, out)
    if state.phase == Phase.OVER:
        return 0
    if state.stock > 0:  # [R 4]
        out[0] = DRAW
        out[1] = TAKE
    else:  # [R 10]
        out[0] = TAKE
        out[1] = TURN_OVER
    return 2


@kernel
def _legal_plays(state: State, options: Options, out: Buffer) -> int:
    hand = int(state.hands[state.seat])
    held_back = 0  # the card that may not be thrown [R 7]
    if state.taken != NONE and not options.may_discard_taken:
        held_back = 1 << int(state.taken)
    count = list_cards(hand & ~held_back, 0, out, 0)
    if set_ranks(hand) | run_starts(hand):
        count += list_melds(hand, out[count:], MELD)
    if state.melds > 0:
        starts = int(state.starts)
        above = fits_above(runs(state), starts)
        count = list_cards(hand & fits_sets(int(state.sets)), LAY_ON_SET, out, count)
        count = list_cards(hand & fits_below(starts), LAY_ON_HIGHER, out, count)
        count = list_cards(hand & above, LAY_ON_LOWER, out, count)
    if held_back:
        count = _keep_a_discard(hand, held_back, out, count)
    return count


@kernel
def list_cards(cards: Cards, offset: int, out: Buffer, count: int) -> int:
    """Write `offset` + each card behind the first `count` entries; return how many there are."""
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        out[count] = offset + card
        count += 1
    return count


@cold_kernel
def _keep_a_discard(hand: Cards, held_back: Cards, out: Buffer, count: int) -> int:
    """Drop the put-downs that leave only the card that may not be thrown [R 7]."""
    kept = 0
    for i in range(count):
        action = int(out[i])
        if action < MELD or hand & ~put_down_cards(action) != held_back:
            out[kept] = action
            kept += 1
    return kept


@kernel
def put_down_cards(action: Action) -> Cards:
    """The cards that a meld or a lay-off puts on the table."""
    if action < LAY_ON_SET:
        return meld_cards(action - MELD)
    return 1 << (action - LAY_ON_SET) % 52


@kernel
def apply(state: State, options: Options, action: Action) -> None:
    """Carry out an action; trusts its caller that it is legal."""
    if action < DRAW:
        _discard(state, options, action)
    elif action == TAKE:
        _take(state)
    elif action < MELD:
        _draw(state, action == TURN_OVER)
    else:
        _put_down(state, action)


@kernel
def _draw(state: State, turns_over: bool) -> None:
    seat = int(state.seat)
    state.refused[seat] |= 1 << int(state.upcard)
    if turns_over:
        state.stock = state.pile
        state.pile = 0
        state.upcard = NONE
        state.turnovers += 1
    card = int(state.deck[FIRST + int(state.front)])
    state.front = (int(state.front) + 1) % QUEUE
    state.stock -= 1
    state.hands[seat] |= 1 << card
    state.phase = Phase.PLAY


@kernel
def _take(state: State) -> None:
    seat = int(state.seat)
    card = int(state.upcard)
    single = 1 << card
    state.hands[seat] |= single
    state.shown[seat] |= single
    state.thrown[seat] &= ~single
    state.refused[seat] &= ~single
    state.taken = card
    state.takes += 1
    state.pile -= 1
    state.upcard = NONE
    if state.pile > 0:
        state.upcard = state.deck[_top(state)]
    state.phase = Phase.PLAY


@kernel
def _top(state: State) -> int:
    """The place in `deck` of the top of the discard pile."""
    return FIRST + (int(state.front) + int(state.stock) + int(state.pile) - 1) % QUEUE


@kernel
def _put_down(state: State, action: Action) -> None:
    seat = int(state.seat)
    cards = put_down_cards(action)
    state.hands[seat] &= ~cards
    state.shown[seat] &= ~cards
    state.laid[seat] |= cards
    state.fresh |= cards
    if state.opened[seat] == NONE:
        state.opened[seat] = state.turn
    if action < LAY_ON_SET:
        state.table[state.melds] = lowest(cards)
        state.melds += 1
        if is_run(cards):
            state.starts |= 1 << lowest(cards)
        else:
            state.sets |= cards
    elif action < LAY_ON_HIGHER:
        state.sets |= cards
    elif action < LAY_ON_LOWER:
        state.starts ^= cards | (cards << 1)
    if state.hands[seat] == 0:
        _go_out(state)


@kernel
def _go_out(state: State) -> None:
    """The round ends at once [R 8]."""
    seat = int(state.seat)
    state.outcome = Outcome.RUMMY if state.opened[seat] == state.turn else Outcome.OUT  # [R 9]
    state.winner = seat
    state.turn += 1
    state.phase = Phase.OVER


@kernel
def _discard(state: State, options: Options, card: Card) -> None:
    seat = int(state.seat)
    single = 1 << card
    state.hands[seat] &= ~single
    state.shown[seat] &= ~single
    state.thrown[seat] |= single
    state.pile += 1
    state.deck[_top(state)] = card
    state.upcard = card
    if state.hands[seat] == 0:
        _go_out(state)
    else:
        _begin_turn(state, options)


@kernel
def _begin_turn(state: State, options: Options) -> None:
    state.turn += 1
    state.seat = 1 - state.seat
    state.taken = NONE
    state.fresh = 0
    state.phase = Phase.DRAW
    is_burned = state.stock == 0 and state.turnovers == options.turnovers  # [R 11]
    if is_burned or state.turn >= options.max_turns:  # [R 12]
        state.outcome = Outcome.TIE
        state.phase = Phase.OVER


@kernel
def gain(state: State, options: Options, seat: Seat) -> int:
    """A seat's points for a round that is over [R 9, R 11]."""
    if state.outcome == Outcome.TIE:
        return options.tie_points
    if seat != state.winner:
        return 0
    gained = points(int(state.hands[1 - seat]), 10)
    if state.outcome == Outcome.RUMMY and options.rummy_doubles:
        return 2 * gained
    return gained


@cold_kernel
def score(state: State, options: Options, out: Buffer) -> None:
    """Write each seat's points for a round that is over."""
    for seat in range(2):
        out[seat] = gain(state, options, seat)


@kernel
def clear_view(view: View) -> None:
    """Make a view fit for `observe` whose memory may hold anything: it needs nothing."""


@kernel
def observe(state: State, options: Options, me: Seat, view: View) -> None:
    """Fill `view` with what seat `me` may know, and nothing else.

    Players remember: the discard pile is known card by card, and so is the stock once the pile
    has been turned over. With the first stock drawn to its end, the cards that a seat has not
    seen are just the other hand.
    """
    is_known = state.turnovers > 0 or state.stock == 0
    lies_open = is_known or state.phase == Phase.OVER
    view.me = me
    view.hand = state.hands[me]
    view.theirs = state.hands[1 - me] if lies_open else state.shown[1 - me]
    view.shown = state.hands[me] if lies_open else state.shown[me]
    view.held = size(int(state.hands[1 - me]))
    # While the first stock lasts, the pile begins in place 0 of the ring.
    front = int(state.front) if is_known else 0
    known = int(state.pile) + int(state.stock) if is_known else int(state.pile)
    for place in range(QUEUE):
        is_open = (place - front) & (QUEUE - 1) < known
        view.queue[place] = state.deck[FIRST + place] if is_open else NONE
    _copy_public(state, view)


@kernel
def _copy_public(source: State | View, target: State | View) -> None:
    for seat in range(2):
        target.thrown[seat] = source.thrown[seat]
        target.refused[seat] = source.refused[seat]
        target.laid[seat] = source.laid[seat]
        target.scores[seat] = source.scores[seat]
        target.opened[seat] = source.opened[seat]
    target.fresh = source.fresh
    target.sets = source.sets
    target.starts = source.starts
    target.turn = source.turn
    target.takes = source.takes
    for i in range(TABLE):
        target.table[i] = source.table[i]
    target.melds = source.melds
    target.front = source.front
    target.stock = source.stock
    target.pile = source.pile
    target.turnovers = source.turnovers
    target.starter = source.starter
    target.seat = source.seat
    target.phase = source.phase
    target.upcard = source.upcard
    target.taken = source.taken
    target.winner = source.winner
    target.outcome = source.outcome


@kernel
def complete(view: View, options: Options, generator: Generator, state: State) -> None:
    """Fill `state` with a position that looks like `view` to its seat, the rest by chance.

    Every way to deal the cards this seat cannot know is equally likely.
    """
    me = int(view.me)
    _copy_public(view, state)
    state.hands[me] = view.hand
    state.shown[me] = view.shown
    state.shown[1 - me] = view.theirs
    for place in range(QUEUE):
        state.deck[FIRST + place] = view.queue[place]
    state.hands[1 - me] = _deal_hidden(view, generator, state.deck)


@kernel
def unseen(view: View) -> Cards:
    """The cards that lie in the stock or in the other hand, for all this seat knows."""
    cards = int(view.hand) | int(view.theirs) | int(view.laid[0]) | int(view.laid[1])
    for place in range(QUEUE):
        if view.queue[place] != NONE:
            cards |= 1 << int(view.queue[place])
    return PACK & ~cards


@kernel
def _deal_hidden(view: View, generator: Generator, deck: Buffer) -> Cards:
    """Deal the unseen cards to the other hand and the stock; return the hand."""
    cards = unseen(view)
    hand = int(view.theirs)
    if cards == 0:
        return hand
    # The hand's share lies at the beginning of the deck, the stock's in its place in the queue,
    # so that a card is dealt by exchanging it with one of those not dealt yet.
    missing = int(view.held) - size(hand)
    stock = FIRST + int(view.front)
    for i in range(missing + int(view.stock)):
        card = lowest(cards)
        cards ^= 1 << card
        deck[i if i < missing else stock + i - missing] = card
    for i in range(missing):
        other = i + rng.below(generator, missing + int(view.stock) - i)
        place = other if other < missing else stock + other - missing
        deck[i], deck[place] = deck[place], deck[i]
        hand |= 1 << int(deck[i])
    rng.shuffle(generator, deck, stock, stock + int(view.stock))
    return hand


@kernel
def first_starter(options: Options, seats: int, generator: Generator) -> Seat:
    """Who plays first in the first round of a game [R 1]."""
    if options.first_starter == NONE:
        return rng.below(generator, seats)
    return options.first_starter


@kernel
def next_starter(state: State, options: Options) -> Seat:
    """Who plays first in the next round of the game: they alternate, after ties too [R 1]."""
    if options.alternate_starter:
        return 1 - int(state.starter)
    return int(state.starter)


@kernel
def is_match_over(scores: Buffer, deals: int, options: Options) -> bool:
    """Whether a player has reached the target, or the limit of rounds is [R 12, R 13]."""
    return scores[0] >= options.target or scores[1] >= options.target or deals >= options.max_rounds


@cold_kernel
def tally(state: State, options: Options, gained: Buffer, counts: Buffer) -> None:
    """Add a round that is over to the counts named in TALLY."""
    counts[0] += 1
    counts[1] += state.turn
    if state.outcome == Outcome.TIE:
        counts[4] += 1
        counts[5] += state.turn >= options.max_turns
    else:
        counts[2] += 1
        counts[3] += state.outcome == Outcome.RUMMY
        counts[6] += gained[state.winner]
        counts[7] += state.winner == state.starter
    counts[8] += state.takes
    counts[9] += state.turnovers
    counts[10] += state.melds
