"""Pharaoh (Faraón) and Prší: the rules of one deal and of a match, for two to eight players.

The code follows the formal specification: each of its rules and each of its mechanics is a kernel
with the specification's line in the docstring. Numbers such as [P 6] refer to
docs/rules/pharaoh.md, which also explains every deviation. DP, ST, LP, LP_MC, ace, suit, val, cnt,
i and mc of the specification are the fields `pile`, `deck`, `hands`, `out_at`, `ace`, `suit`,
`value`, `count`, `seat` and `moves`; Cn is a play of `length` cards.

A rule decides which cards a player may put first on the pile. The other cards of the tuple follow,
since all have one value. The layouts are in layout.py, a seat's view in view.py.
"""

from undercut.cards.french import NONE, lowest, size
from undercut.cards.german import (
    ACE,
    HEARTS_SEVEN,
    LEAVES,
    LEAVES_UNDER,
    OVER,
    PACK,
    SEVEN,
    UNDER,
    Card,
    Cards,
)
from undercut.games.pharaoh.rules.layout import (
    ACTIONS,
    DRAW,
    LEGAL,
    NAME,
    PAIRS,
    PASS,
    PLAY,
    PRESETS,
    QUADS,
    RATES,
    SEATS,
    STARTING,
    STATE,
    TALLY,
    TRIPLES,
    TUPLES,
    VARIANTS,
    VERSION,
    VIEW,
    WITHIN,
    Options,
    Outcome,
    State,
    find_problem,
    first_card,
    named_suit,
    played_value,
    slot_of,
    tuple_size,
    tuple_suits,
)
from undercut.games.pharaoh.rules.view import clear_view, complete, observe
from undercut.games.rules.usual import cards_in, dealing, start_by_option
from undercut.kernels import rng
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Action, Buffer, Seat
from undercut.kernels.rng import Seed

# The names that a rules module provides; other files define some of them.
__all__ = ["ACTIONS", "DRAW", "LEGAL", "NAME", "PASS", "PLAY", "PRESETS", "RATES", "SEATS", "STATE"]
__all__ += ["TALLY", "VARIANTS", "VERSION", "VIEW", "Options", "Outcome", "apply", "begin"]
__all__ += ["clear_view", "complete", "deal", "find_problem", "first_cards", "first_starter"]
__all__ += ["gain", "is_match_over", "is_over", "legal", "next_starter", "observe", "pace", "place"]
__all__ += ["played_cards", "reseed", "score", "standing", "tally"]

_SUIT: Cards = sum(1 << 4 * value for value in range(8))  # all cards of suit 0
_VALUE: Cards = 0b1111  # all cards of value 0
_BEHIND = 1 << 20  # the standing of a player who still has cards
_WORD = 0xFFFFFFFF


@cold_kernel
def begin(state: State, options: Options, starter: Seat, scores: Buffer) -> None:
    """Deal from the deck in its present order: hands from the starter on, upcard, stock [P 2].

    Specification: cards are dealt evenly to all players, so that each player has a maximum of 5
    cards and at least 5 cards remain in the deck; one card is put on top of DP; ace = 0,
    suit = TOP[suit], val = TOP[val], cnt = 1.
    """
    rng.start(state.chance, _digest(state.deck))
    players = int(options.players)
    each = min(int(options.deal), (32 - 5) // players)
    for seat in range(len(state.hands)):
        state.hands[seat] = 0
        state.denied[seat] = 0
        state.gained[seat] = 0
        state.out_at[seat] = NONE
        state.scores[seat] = 0
    for seat in range(players):
        state.hands[(starter + seat) % players] = cards_in(state.deck, each * seat, each)
        state.scores[seat] = scores[seat]
    upcard = int(state.deck[each * players])
    state.front = each * players + 1
    state.stock = 32 - each * players - 1
    for number in range(32):
        state.pile[number] = NONE
    state.pile[0] = upcard
    state.piled = 1
    state.shuffled = PACK ^ (1 << upcard)
    state.ace = 0
    state.suit = upcard % 4
    state.value = upcard // 4
    state.count = 1
    state.seat = starter
    state.moves = 0
    state.starter = starter
    state.left = players
    state.just_out = NONE
    state.idle = 0
    state.draws = 0
    state.penalties = 0
    state.skips = 0
    state.reshuffles = 0
    state.quads = 0
    state.returns = 0
    state.outcome = Outcome.NONE
    if options.upcard_effects:  # [P 3]
        _count_aces(state, upcard // 4, 1)
        _count_sevens(state, options, upcard // 4, 1)


deal = dealing(NAME, begin)


@kernel
def reseed(state: State, seed: Seed) -> None:
    """Seed the shuffles of the pile [P 13]; otherwise the deck's order determines their seed."""
    rng.start(state.chance, seed)


@kernel
def _digest(deck: Buffer) -> int:
    """A hash of a deck's order that does not reveal the order.

    It seeds the shuffles of the pile [P 13], so the deck and the moves determine the whole deal.
    """
    high, low = 0, 0
    for place in range(32):
        high = ((high ^ int(deck[place])) * 0x9E3779B1 + 1) & _WORD
        low = ((low ^ high) * 0x85EBCA6B) & _WORD
        low ^= low >> 15
    return ((high & 0x7FFFFFFF) << 32) | low


@kernel
def is_over(state: State) -> bool:
    """Whether the deal has ended."""
    return state.outcome != Outcome.NONE


@kernel
def pace(state: State) -> int:
    """A number that changes with each move."""
    return int(state.moves)


# The rules: which cards a player may put first on the pile


@kernel
def match_suit(state: State) -> Cards:
    """(ace == 0 & cnt == 1 & suit == Cn[0][suit] & Cn[val] = v) -> put Cn into DP [P 5]"""
    if state.ace == 0 and state.count == 1:
        return _SUIT << int(state.suit)
    return 0


@kernel
def match_value(state: State) -> Cards:
    """(ace == 0 & cnt == 1 & val == Cn[val]) -> put Cn into DP [P 5]"""
    if state.ace == 0 and state.count == 1:
        return _VALUE << 4 * int(state.value)
    return 0


@kernel
def over_on_anything(state: State, options: Options) -> Cards:
    """(ace == 0 & cnt == 1 & over == Cn[val]) -> put Cn into DP [P 9]"""
    if (state.ace == 0 and state.count == 1) or options.over_on_active:
        return _VALUE << 4 * OVER
    return 0


@kernel
def anything_on_leaves_under(state: State, options: Options) -> Cards:
    """(val == under & suit == leaves & Cn[val] == v) -> put Cn into DP [P 10]"""
    if options.leaves_under and state.value == UNDER and state.suit == LEAVES:
        return PACK
    return 0


@kernel
def ace_on_ace(state: State, options: Options) -> Cards:
    """(ace == k (1 <= k <= 3) & Cn[val] == ace) -> put Cn into DP [P 8]"""
    if state.ace > 0 and options.aces_stack:
        return _VALUE << 4 * ACE
    return 0


@kernel
def leaves_under_on_anything(state: State, options: Options) -> Cards:
    """(ace == 0 & Cn[0] == (leaves, under)) -> put Cn into DP [P 10]"""
    if state.ace == 0 and options.leaves_under:
        return 1 << LEAVES_UNDER
    return 0


@kernel
def seven_on_penalty(state: State) -> Cards:
    """Added, since the mechanics know cnt + 3 * n: (ace == 0 & cnt > 1 & Cn[val] == VII) [P 7]"""
    if state.ace == 0 and state.count > 1:
        return _VALUE << 4 * SEVEN
    return 0


@kernel
def can_draw(state: State) -> bool:
    """() -> draw cnt cards from ST; skipped players and players without a card pass [P 6, P 13]"""
    return state.ace == 0 and (state.stock > 0 or state.piled > 1)


@kernel
def first_cards(state: State, options: Options) -> Cards:
    """The cards that any rule allows first, in whatever hand they are."""
    return (
        match_suit(state)
        | match_value(state)
        | over_on_anything(state, options)
        | anything_on_leaves_under(state, options)
        | ace_on_ace(state, options)
        | leaves_under_on_anything(state, options)
        | seven_on_penalty(state)
    )


@kernel
def legal(state: State, options: Options, out: Buffer) -> int:
    """Write the legal actions, in order; return how many there are."""
    if state.outcome != Outcome.NONE:
        return 0
    out[0] = DRAW if can_draw(state) else PASS
    hand = int(state.hands[state.seat])
    return _list_plays(hand, hand & first_cards(state, options), int(options.most_cards), out)


@kernel
def _list_plays(hand: Cards, firsts: Cards, most_cards: int, out: Buffer) -> int:
    """Write the tuples of a hand that begin with one of `firsts`, after the first entry."""
    count = 1
    while firsts:
        value = lowest(firsts) // 4
        first = (firsts >> 4 * value) & _VALUE
        firsts ^= first << 4 * value
        held = (hand >> 4 * value) & _VALUE
        tuples = int(WITHIN[held]) & int(STARTING[first]) & _up_to(most_cards)
        # With all four cards in hand, each tuple of three is also one of four.
        parts = 2 if held == _VALUE and most_cards == 4 else 1
        for slot in range(slot_of(value), slot_of(value) + (4 if value == OVER else 1)):
            for part in range(parts):
                offset = PLAY + TUPLES * slot + QUADS * part
                numbers = tuples >> TRIPLES * part
                while numbers:
                    number = lowest(numbers)
                    numbers ^= 1 << number
                    out[count] = offset + number
                    count += 1
    return count


@kernel
def _up_to(most_cards: int) -> int:
    """All tuples of at most this many cards, as a mask without tuples of four."""
    if most_cards >= 3:
        return (1 << QUADS) - 1
    return (1 << TRIPLES) - 1 if most_cards == 2 else (1 << PAIRS) - 1


@kernel
def apply(state: State, options: Options, action: Action) -> None:
    """Carry out an action, which must be legal.

    First the consequent of its rule, then the mechanics, last () -> mc += 1.
    """
    length = 0
    if action < PLAY:
        _draw(state, options)
        _serve_skip(state)
        _end_penalty(state)
        state.just_out = NONE
    else:
        length = tuple_size((action - PLAY) % TUPLES)
        value = played_value(action)
        cards = _put(state, action)
        _serve_skip(state)
        _count_aces(state, value, length)
        _cancel_penalty(state, options, first_card(action))
        _count_sevens(state, options, value, length)
        _set_suit(state, action)
        _set_value(state, value)
        if length == 4 and options.quads:
            _burn(state, options)
        _go_out(state, options, cards)
    _finish(state, options)
    if state.outcome == Outcome.NONE:
        _pass_turn(state, options, length)
    state.moves += 1


# The consequents


@kernel
def _draw(state: State, options: Options) -> None:
    """() -> draw cnt cards from ST [P 6]"""
    seat = int(state.seat)
    if state.ace > 0:
        state.skips += 1
        state.idle += 1
        return
    could_play = first_cards(state, options)
    wanted = int(state.count)
    taken = _take(state, seat, wanted)
    if taken > 0:
        state.draws += 1
        state.penalties += taken if wanted > 1 else 0
        state.denied[seat] = could_play
        state.gained[seat] = taken
        state.idle = 0
    else:
        state.idle += 1


@kernel
def _take(state: State, seat: Seat, wanted: int) -> int:
    """Put cards from the stock into a hand; shuffle the pile when the stock is empty [P 13]."""
    cards = 0
    taken = 0
    while taken < wanted and (state.stock > 0 or state.piled > 1):
        if state.stock == 0:
            _reshuffle(state)
        cards |= 1 << int(state.deck[state.front])
        state.front += 1
        state.stock -= 1
        taken += 1
    state.hands[seat] |= cards
    return taken


@cold_kernel
def _reshuffle(state: State) -> None:
    """Shuffle the pile except its top card: it becomes the stock [P 13]."""
    under = int(state.piled) - 1
    cards = 0
    for number in range(under):
        card = int(state.pile[number])
        cards |= 1 << card
        state.deck[number] = card
    state.pile[0] = state.pile[under]
    for number in range(1, under + 1):
        state.pile[number] = NONE
    state.piled = 1
    rng.shuffle(state.chance, state.deck, 0, under)
    state.front = 0
    state.stock = under
    state.shuffled = cards
    state.reshuffles += 1


@kernel
def _put(state: State, action: Action) -> Cards:
    """put Cn into DP, the last card on top [P 4]; return the cards"""
    number = (action - PLAY) % TUPLES
    first = 4 * played_value(action)
    suits = tuple_suits(number)
    cards = 0
    piled = int(state.piled)
    for i in range(tuple_size(number)):
        card = first + suits[i]
        cards |= 1 << card
        state.pile[piled + i] = card
    state.piled = piled + tuple_size(number)
    state.hands[state.seat] ^= cards
    state.shuffled &= ~cards
    state.idle = 0
    return cards


# The mechanics


@kernel
def _serve_skip(state: State) -> None:
    """() -> ace = max(0, ace - 1), before aces are counted: a turn serves one skip [P 8]"""
    if state.ace > 0:
        left = int(state.ace) - 1
        state.ace = left
        state.count = 0 if left > 0 else 1


@kernel
def _count_aces(state: State, value: int, length: int) -> None:
    """Cn[val] == ace -> ace += n + 1, and one is served at once; skipping draws nothing [P 8]"""
    if value == ACE:
        state.ace += length
        state.count = 0


@kernel
def _cancel_penalty(state: State, options: Options, first: Card) -> None:
    """Cn[0] == (leaves, under) -> cnt = 1 [P 10]"""
    if first == LEAVES_UNDER and options.leaves_under:
        state.count = 1


@kernel
def _end_penalty(state: State) -> None:
    """(ace == 0 & Cn == empty) -> cnt = 1 [P 6]"""
    if state.ace == 0:
        state.count = 1


@kernel
def _set_suit(state: State, action: Action) -> None:
    """(Cn[val] == over & c is the suit selected) -> suit = c [P 9]

    Cn[val] != over -> suit = Cn[suit]

    The suit of several cards is that of the last.
    """
    if played_value(action) == OVER:
        state.suit = named_suit(action)
    else:
        state.suit = int(state.pile[int(state.piled) - 1]) % 4


@kernel
def _set_value(state: State, value: int) -> None:
    """() -> val = Cn[val]; a draw changes nothing [P 5]"""
    state.value = value


@kernel
def _count_sevens(state: State, options: Options, value: int, length: int) -> None:
    """Cn[val] == VII -> cnt = 3 * n if cnt == 1 else cnt + 3 * n [P 7]"""
    if value == SEVEN:
        before = 0 if state.count == 1 else int(state.count)
        state.count = before + int(options.seven_cards) * length


@kernel
def _burn(state: State, options: Options) -> None:
    """Four cards of a value have no effect: ace = 0, cnt = 1 [P 11]"""
    state.quads += 1
    if not options.quad_effects:
        state.ace = 0
        state.count = 1


@kernel
def _pass_turn(state: State, options: Options, length: int) -> None:
    """len(Cn) != 4 -> i = (i + 1) % #LP, without players who are out [P 11, P 12]"""
    seat = int(state.seat)
    if length == 4 and options.quads and state.hands[seat] != 0:
        return
    players = int(options.players)
    seat = seat + 1 if seat + 1 < players else 0
    while state.out_at[seat] != NONE:
        seat = seat + 1 if seat + 1 < players else 0
    state.seat = seat


@kernel
def _go_out(state: State, options: Options, cards: Cards) -> None:
    """LP_MC holds the value of mc when a player got rid of all cards [P 14]"""
    seat = int(state.seat)
    if state.just_out != NONE and options.heart_seven_returns and (cards >> HEARTS_SEVEN) & 1:
        _bring_back(state)
    state.just_out = NONE
    if state.hands[seat] == 0:
        state.out_at[seat] = state.moves
        state.left -= 1
        state.just_out = seat


@cold_kernel
def _bring_back(state: State) -> None:
    """The player who has just gone out takes the penalty of the heart VII and returns [P 15]."""
    if state.count > 1:  # not when four VIIs were burned
        seat = int(state.just_out)
        taken = _take(state, seat, int(state.count))
        state.gained[seat] += taken
        state.penalties += taken
        state.count = 1
        state.out_at[seat] = NONE
        state.left += 1
        state.returns += 1


@kernel
def _finish(state: State, options: Options) -> None:
    """Game ends, when only one player has remaining card(s) on his hand [P 14, P 16]"""
    players = int(options.players)
    is_out = state.left <= 1 or (options.first_out_wins and state.left < players)
    # A player who has just gone out may return while another player is left [P 15].
    may_return = options.heart_seven_returns and state.just_out != NONE and state.left > 0
    if is_out and not may_return:
        state.outcome = Outcome.OUT
    elif state.idle >= options.stop_rounds * players:
        state.outcome = Outcome.STOP
    elif state.moves + 1 >= options.max_moves:
        state.outcome = Outcome.LIMIT


# The end of a deal


@kernel
def standing(state: State, options: Options, seat: Seat) -> int:
    """The number that ranks a seat when the deal is over: lower is better [P 17]."""
    if state.out_at[seat] != NONE:
        return int(state.out_at[seat])
    if state.outcome == Outcome.OUT:  # the last player, or all but the winner
        return _BEHIND
    return _BEHIND + size(int(state.hands[seat]))


@kernel
def place(state: State, options: Options, seat: Seat) -> int:
    """The place of a seat when the deal is over, 1 for the best; equal seats share a place."""
    own = standing(state, options, seat)
    better = 0
    for other in range(options.players):
        better += standing(state, options, other) < own
    return 1 + better


@kernel
def gain(state: State, options: Options, seat: Seat) -> int:
    """The points of a seat when the deal is over."""
    own = standing(state, options, seat)
    points = -1  # for being equal to itself
    for other in range(options.players):
        theirs = standing(state, options, other)
        points += 2 * (own < theirs) + (own == theirs)
    return points


@cold_kernel
def score(state: State, options: Options, out: Buffer) -> None:
    """Write each seat's points: two for each player behind it, one for each equal one [P 17]."""
    for seat in range(options.players):
        out[seat] = gain(state, options, seat)


first_starter = start_by_option  # [P 3]


@kernel
def next_starter(state: State, options: Options) -> Seat:
    """The seat that moves first in the next deal: the next one [P 18]."""
    return (int(state.starter) + 1) % int(options.players)


@kernel
def is_match_over(scores: Buffer, deals: int, options: Options) -> bool:
    """Whether the match has had all its deals [P 18]."""
    return deals >= options.deals


@cold_kernel
def tally(state: State, options: Options, gained: Buffer, counts: Buffer) -> None:
    """Add a deal that is over to the counts named in TALLY."""
    counts[0] += state.moves
    counts[1] += state.draws
    counts[2] += state.penalties
    counts[3] += state.skips
    counts[4] += state.reshuffles
    counts[5] += state.quads
    counts[6] += state.returns
    counts[7] += state.outcome == Outcome.STOP
    counts[8] += state.outcome == Outcome.LIMIT
    counts[9] += place(state, options, int(state.starter)) == 1


@kernel
def played_cards(action: Action) -> Cards:
    """The cards of a play, as a set."""
    number = (action - PLAY) % TUPLES
    suits = tuple_suits(number)
    cards = 0
    for i in range(tuple_size(number)):
        cards |= 1 << suits[i]
    return cards << 4 * played_value(action)
