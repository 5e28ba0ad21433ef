"""Gin Rummy and Distilled Gin: the rules of one deal and of a match.

Options distinguish the two. Numbers such as [G 6] refer to docs/rules/gin.md, and numbers such as
[D 4] to docs/rules/distilled.md. A turn is two actions, a draw and a discard. After a knock every
meld and every lay-off is an action. The layouts are in layout.py, a seat's view in view.py.
"""

from undercut.cards.french import HIDDEN, NONE, Cards, card_points, lowest, points
from undercut.cards.melds import (
    LAYOUT,
    deadwood,
    deadwood_without,
    fitting,
    in_melds,
    is_run,
    list_melds,
    meld_cards,
)
from undercut.games.gin.rules.layout import (
    ACTIONS,
    DONE,
    DRAW,
    HISTORY,
    KNOCK,
    LAY_ON_HIGHER,
    LAY_ON_LOWER,
    LAY_ON_SET,
    LAYS_DOWN,
    LEGAL,
    MELD,
    NAME,
    PASS,
    PRESETS,
    RATES,
    SEATS,
    STATE,
    TAKE,
    TALLY,
    TURNS,
    VARIANTS,
    VERSION,
    VIEW,
    Options,
    Outcome,
    Phase,
    State,
    drawn,
    find_problem,
    knock_limit,
    note,
    thrown,
    was_taken,
)
from undercut.games.gin.rules.view import clear_view, complete, observe
from undercut.games.rules.pace import LATE
from undercut.games.rules.usual import (
    cards_in,
    dealing,
    is_target_reached,
    list_cards,
    start_by_option,
)
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Action, Buffer, Seat

# The names that a rules module provides; other files define some of them.
__all__ = ["ACTIONS", "DONE", "DRAW", "HISTORY", "KNOCK", "LAYS_DOWN", "LAY_ON_HIGHER"]
__all__ += ["LAY_ON_LOWER", "LAY_ON_SET", "LEGAL", "MELD", "NAME", "PASS", "PRESETS", "RATES"]
__all__ += ["SEATS", "STATE", "TAKE", "TALLY", "TURNS", "VARIANTS", "VERSION", "VIEW", "Options"]
__all__ += ["Outcome", "Phase", "apply", "begin", "clear_view", "complete", "deal", "drawn"]
__all__ += ["find_problem", "first_starter", "is_concealed", "is_match_over", "is_over"]
__all__ += ["knock_limit", "legal"]
__all__ += ["next_starter", "note", "observe", "pace", "score", "tally", "thrown", "was_taken"]


@kernel
def _note_draw(state: State, seen_by_0: int, seen_by_1: int) -> None:
    note(state.history[0], 16 * int(state.turn), seen_by_0)
    note(state.history[1], 16 * int(state.turn), seen_by_1)
    if state.turn == 0:
        state.opener = state.seat


@cold_kernel
def begin(state: State, options: Options, starter: Seat, scores: Buffer) -> None:
    """Deal from the deck in its present order [G 2, D 2]."""
    for seat in range(2):
        state.hands[(starter + seat) % 2] = cards_in(state.deck, 10 * seat, 10)
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


deal = dealing(NAME, begin)


@kernel
def is_over(state: State) -> bool:
    """Whether the deal has ended."""
    return state.phase == Phase.OVER


@kernel
def pace(state: State) -> int:
    """The turn, or LATE when cards are laid down."""
    return int(state.turn) if state.phase < Phase.SPREAD else LATE


@kernel
def is_concealed(state: State) -> bool:
    """Whether both hands are still hidden: only then can a network learn from a decision."""
    return state.phase < Phase.SPREAD


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
    count = list_cards(choices, out)
    if options.knock:
        limit = knock_limit(options, int(state.first_upcard))
        count = _legal_knocks(hand, choices, count, limit, options, out)
    return count


@kernel
def _legal_knocks(
    hand: Cards, choices: Cards, count: int, limit: int, options: Options, out: Buffer
) -> int:
    face_points = int(options.face_points)
    whole = deadwood(hand, face_points)
    # A discard lowers deadwood at most by its own points, so this test often avoids the search.
    if whole > limit + face_points:
        return count
    melded = in_melds(hand)
    while choices:
        card = lowest(choices)
        choices ^= 1 << card
        if whole - card_points(card, face_points) <= limit:
            left = deadwood_without(hand, card, melded, whole, face_points)
            # With automatic gin the deal ends without a knock [D 6].
            if left <= limit and not (left == 0 and options.automatic_gin):
                out[count] = KNOCK + card
                count += 1
    return count


@cold_kernel
def _legal_spread(state: State, options: Options, out: Buffer) -> int:
    """The knocker may lay any meld after which the rest can reach the knock limit [G 5]."""
    seat = int(state.seat)
    left = int(state.hands[seat]) & ~int(state.melded[seat])
    limit = knock_limit(options, int(state.first_upcard))
    found = list_melds(left, out, MELD)
    count = 0
    for i in range(found):
        rest = left & ~meld_cards(out[i] - MELD)
        if deadwood(rest, options.face_points) <= limit:
            out[count] = out[i]
            count += 1
    if points(left, options.face_points) <= limit:
        out[count] = DONE
        count += 1
    return count


@cold_kernel
def _legal_defence(state: State, options: Options, out: Buffer) -> int:
    """The opponent melds and lays off in any order, and may stop at any time [G 6]."""
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
    """The deadwood of a seat after a knock: the cards that it has not laid down."""
    return points(int(state.hands[seat]) & ~int(state.melded[seat]), options.face_points)


@kernel
def apply(state: State, options: Options, action: Action) -> None:
    """Carry out an action, which must be legal."""
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
        state.shown[seat] &= ~single  # a face-down card stays unknown [G 9]
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
    """Automatic gin: the deal ends, and the seat chooses no layout [D 6, D 7]."""
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
    """Like the EAAI engine: repeatedly lay the first card that fits on the first meld it fits."""
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


first_starter = start_by_option  # [G 1]
is_match_over = is_target_reached  # [G 10]


@kernel
def next_starter(state: State, options: Options) -> Seat:
    """The seat that plays first in the next deal of the match [G 1, G 8]."""
    if state.outcome == Outcome.VOID and not options.void_alternates:
        return int(state.starter)
    return 1 - int(state.starter)


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
        counts[10] += 1
    counts[9] += state.takes
