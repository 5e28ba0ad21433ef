"""Two-player Rummy, both editions: the rules of one round and of a game to a target.

Numbers such as [R 7] refer to docs/rules/rummy.md. A turn is a draw, then any number of put-downs,
each of one meld or one card, then a discard. The layouts are in layout.py, the melds on the table
in laid.py, a seat's view in view.py.
"""

from undercut.cards.french import NONE, Card, Cards, lowest, points
from undercut.cards.melds import is_run, list_melds, meld_cards, run_starts, set_ranks
from undercut.games.rules.usual import cards_in, clear_nothing, dealing, no_problem, start_by_option
from undercut.games.rummy.rules.laid import fits_above, fits_below, fits_sets, meld_on_table, runs
from undercut.games.rummy.rules.layout import (
    ACTIONS,
    DRAW,
    FIRST,
    LAY_ON_HIGHER,
    LAY_ON_LOWER,
    LAY_ON_SET,
    LEGAL,
    MELD,
    NAME,
    PRESETS,
    QUEUE,
    RATES,
    SEATS,
    STATE,
    TABLE,
    TAKE,
    TALLY,
    TURN_OVER,
    VARIANTS,
    VERSION,
    VIEW,
    Options,
    Outcome,
    Phase,
    State,
    pile_card,
    stock_card,
)
from undercut.games.rummy.rules.view import complete, observe, unseen
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Action, Buffer, Seat

# The names that a rules module provides; other files define some of them.
__all__ = ["ACTIONS", "DRAW", "FIRST", "LAY_ON_HIGHER", "LAY_ON_LOWER", "LAY_ON_SET", "LEGAL"]
__all__ += ["MELD", "NAME", "PRESETS", "QUEUE", "RATES", "SEATS", "STATE", "TABLE", "TAKE", "TALLY"]
__all__ += ["TURN_OVER", "VARIANTS", "VERSION", "VIEW", "Options", "Outcome", "Phase", "apply"]
__all__ += ["begin", "clear_view", "complete", "deal", "find_problem", "first_starter"]
__all__ += ["fits_above", "fits_below", "fits_sets", "gain", "is_match_over", "is_over", "legal"]
__all__ += ["list_cards", "meld_on_table", "next_starter", "observe", "pace", "pile_card"]
__all__ += ["put_down_cards", "runs", "score", "stock_card", "tally", "unseen"]


@cold_kernel
def begin(state: State, options: Options, starter: Seat, scores: Buffer) -> None:
    """Deal from the deck in its present order: ten cards each, the upcard, the stock [R 2]."""
    for seat in range(2):
        state.hands[(starter + seat) % 2] = cards_in(state.deck, 10 * seat, 10)
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
    # The upcard lies in place 0 of the ring, directly behind the stock's last card.
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


deal = dealing(NAME, begin)


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
    """Append `offset` + each card to the first `count` entries; return the new count."""
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
    """Carry out an action, which must be legal."""
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
    pile = int(state.pile) - 1
    state.pile = pile
    state.upcard = NONE
    if pile > 0:
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
    turn = int(state.turn) + 1
    state.turn = turn
    state.seat = 1 - state.seat
    state.taken = NONE
    state.fresh = 0
    state.phase = Phase.DRAW
    is_burned = state.stock == 0 and state.turnovers == options.turnovers  # [R 11]
    if is_burned or turn >= options.max_turns:  # [R 12]
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


first_starter = start_by_option  # [R 1]
find_problem, clear_view = no_problem, clear_nothing


@kernel
def next_starter(state: State, options: Options) -> Seat:
    """The seat that plays first in the next round: they alternate, also after ties [R 1]."""
    if options.alternate_starter:
        return 1 - int(state.starter)
    return int(state.starter)


@kernel
def is_match_over(scores: Buffer, deals: int, options: Options) -> bool:
    """Whether a player has reached the target, or the game its limit of rounds [R 12, R 13]."""
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
