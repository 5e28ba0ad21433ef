"""The observation of Gin: planes of 52 cards, the course of the deal, the score and the rules."""

from undercut.cards.french import HIDDEN, PACK, Cards, card_points, heaviest, lowest, size
from undercut.cards.melds import LAYOUT, deadwood, in_melds, is_run
from undercut.games.gin.players.strategy.laying import WORKSPACE, lay_cheapest
from undercut.games.gin.rules.layout import (
    DONE,
    DRAW,
    HISTORY,
    PASS,
    Options,
    Phase,
    View,
    drawn,
    knock_limit,
    thrown,
)
from undercut.kernels.jit import kernel, wrapped_product
from undercut.kernels.records import Action, Buffer, Settings
from undercut.play.agent import Turn
from undercut.players.bits import Layout, Piece, flag, gauge, reveal_other, share, single
from undercut.players.encoding import Encoding

OUTPUTS = 106  # discards, knocks, draw or pass, take

RECENT = 3  # the number of each seat's throws in order
TURNS = 8  # the number of each seat's turns with a flag for a take
_SPREAD = int(Phase.SPREAD)
_UNKNOWN = -3  # unequal to every card, HIDDEN and NONE
_POSITIVE = (1 << 63) - 1
_DRAWN = 0x00FF00FF00FF00FF  # the bytes with the card drawn, for four turns
_EACH_TURN = 0x0001000100010001
_GATHER = 1 | (1 << 24) | (1 << 33) | (1 << 57)

EXACT = 31  # bits for exact deadwood: 0 to 29, and 30 or more

SEEN = Layout(
    Piece("hand", 52, "the seat's own cards"),
    Piece("upcard", 52, "the top of the discard pile"),
    Piece("pile", 52, "the rest of the discard pile"),
    Piece("theirs", 52, "cards the other seat is known to hold"),
    Piece("thrown", 52, "cards the other seat has thrown"),
    Piece("refused", 52, "upcards the other seat has left"),
    Piece("shown", 52, "own cards that the other seat knows"),
    Piece("melded", 52, "own cards that are in a meld of the hand"),
    Piece("best", 52, "the discards that leave least deadwood; nothing before the draw"),
    *(Piece(f"my_throw_{i}", 52, f"own throw, {i} turns before the last") for i in range(RECENT)),
    *(
        Piece(f"his_throw_{i}", 52, f"the other's, {i} turns before the last")
        for i in range(RECENT)
    ),
    Piece("his_take", 52, "the upcard the other seat took last"),
    (
        Piece("phase", 3, "offer, draw, discard (also set while cards are laid down)"),
        Piece("passed", 1, "somebody has passed the first upcard"),
        Piece("starter", 1, "this seat played first"),
        Piece("took", 1, "the card in hand was just taken from the pile"),
        Piece("stock", 32, "cards in the stock, one bit each"),
    ),
    (
        Piece("deadwood", EXACT, "one of 0 to 30 and more; with a discard due, after the best one"),
        Piece("deadwood_scale", 11, "a bit for every six points of it"),
    ),
    (
        Piece("my_score", 25, "a bit for every 25th of the target"),
        Piece("his_score", 25, "the same of the other seat"),
    ),
    (
        Piece("rules", 5, "knocking, a first upcard, automatic gin, lay-offs, faces above ten"),
        Piece("gin_bonus", 5, "a bit for every five points"),
        Piece("undercut_bonus", 5, "a bit for every five points"),
        Piece("target", 4, "a bit for every 25 points"),
    ),
    (
        Piece("turn", 24, "turns so far, one bit each"),
        Piece("my_takes", TURNS, "whether this seat took, in its last turns, the latest first"),
        Piece("his_takes", TURNS, "whether the other seat took"),
    ),
    (
        Piece("fits", 1, "the upcard would lie in a meld"),
        Piece("gain", 11, "deadwood that the upcard would save, one bit a point"),
        Piece("knock_limit", 13, "the most deadwood to knock with, one bit a point"),
    ),
)
_HAND, _UPCARD, _PILE, _THEIRS, _THROWN, _REFUSED = SEEN.words(
    "hand upcard pile theirs thrown refused"
)
_SHOWN, _MELDED, _BEST, _HIS_TAKE = SEEN.words("shown melded best his_take")
_MY_THROWS, _HIS_THROWS = SEEN.words("my_throw_0 his_throw_0")  # the first of RECENT words
_COURSE, _DEADWOOD, _SCORES, _RULES, _TURN, _OFFER = SEEN.words(
    "phase deadwood my_score rules turn fits"
)
_PASSED, _STARTER, _TOOK, _STOCK = SEEN.places("passed starter took stock")
_SCALE, _MY_SCORE, _HIS_SCORE = SEEN.places("deadwood_scale my_score his_score")
_GIN_BONUS, _UNDERCUT_BONUS, _TARGET = SEEN.places("gin_bonus undercut_bonus target")
_TURNS, _MY_TAKES, _HIS_TAKES = SEEN.places("turn my_takes his_takes")
_GAIN, _LIMIT = SEEN.places("gain knock_limit")

LAID = Layout(
    Piece("my_laid", 52, "own cards that are laid down or laid off"),
    Piece("his_laid", 52, "the other's"),
    Piece("sets", 52, "cards of sets on the table"),
    Piece("starts", 52, "the lowest card of each run on the table"),
    (
        Piece("laying", 3, "the knocker lays down, the other does, the deal is over"),
        Piece("knocker", 2, "this seat knocked, the other did"),
    ),
)
_MY_LAID, _HIS_LAID, _SETS, _STARTS, _LAYING = LAID.words("my_laid his_laid sets starts laying")
(_KNOCKER,) = LAID.places("knocker")


@kernel
def encode(view: View, options: Options, words: Buffer) -> None:
    """Fill the words of SEEN."""
    hand, face_points = int(view.hand), int(options.face_points)
    words[_HAND] = hand
    words[_THEIRS] = int(view.theirs)
    words[_SHOWN] = int(view.shown)
    upcard = single(int(view.upcard))
    words[_UPCARD] = upcard
    words[_PILE] = int(view.pile) & ~upcard
    melded = in_melds(hand)
    words[_MELDED] = melded
    least = deadwood(hand, face_points)
    if view.phase == Phase.DISCARD:
        least = _best_discards(view, hand, melded, least, face_points, words)
        words[_OFFER] = 0
    else:
        _encode_offer(hand, upcard, least, face_points, words)
        words[_BEST] = 0
    words[_DEADWOOD] = deadwood_bits(least)
    _encode_course(view, words)
    _encode_history(view, words)
    me, target = int(view.me), int(options.target)
    mine, theirs = int(view.scores[me]), int(view.scores[1 - me])
    words[_SCORES] = share(mine, target, _MY_SCORE) | share(theirs, target, _HIS_SCORE)
    words[_RULES] = _rules(options)
    words[_OFFER] |= gauge(knock_limit(options, int(view.first_upcard)), _LIMIT)


@kernel
def _best_discards(
    view: View, hand: Cards, melded: Cards, whole: int, face_points: int, words: Buffer
) -> int:
    """Write the discards with the least deadwood; return this deadwood.

    A card in no meld reduces deadwood by its own points, so only cards in melds need a search.
    """
    choices = hand & ~single(int(view.taken))
    least, best = 1 << 20, heaviest(choices & ~melded, face_points)
    if best:
        least = whole - card_points(lowest(best), face_points)
    choices &= melded
    while choices:
        card = lowest(choices)
        choices ^= 1 << card
        left = deadwood(hand & ~(1 << card), face_points)
        if left <= least:
            best = best | (1 << card) if left == least else 1 << card
            least = left
    words[_BEST] = best
    return least


@kernel
def _encode_course(view: View, words: Buffer) -> None:
    phase = 1 << min(int(view.phase), 2)
    phase |= gauge(int(view.passes), _PASSED) | flag(view.starter == view.me, _STARTER)
    words[_COURSE] = phase | flag(view.taken >= 0, _TOOK) | gauge(int(view.stock), _STOCK)


@kernel
def _encode_history(view: View, words: Buffer) -> None:
    """Throws, takes and refusals of both seats; the latest throws and takes in order."""
    last = int(view.turn)
    mine = (int(view.me) - int(view.opener)) & 1  # the parity of the seat's own turns
    was_mine = (last - 1 - mine) & 1 == 0
    if was_mine:
        takes = _look_back(view, _MY_THROWS, _HIS_THROWS, words)
    else:
        takes = _look_back(view, _HIS_THROWS, _MY_THROWS, words)
    my_takes, his_takes = takes & 255, takes >> 8
    if not was_mine:
        my_takes, his_takes = his_takes, my_takes
    takes = (my_takes << _MY_TAKES.shift) | (his_takes << _HIS_TAKES.shift)
    words[_TURN] = gauge(last, _TURNS) | takes
    words[_THROWN], words[_REFUSED] = _thrown_and_refused(view, 1 - mine)
    latest = last - 1 - int(was_mine) - 2 * lowest(his_takes | (1 << TURNS))
    if his_takes == 0:
        while latest >= 0 and drawn(view, latest) != _offered(view, latest):
            latest -= 2
    words[_HIS_TAKE] = single(drawn(view, latest)) if latest >= 0 else 0


@kernel
def _look_back(view: View, throws: int, other_throws: int, words: Buffer) -> int:
    """Write the throws of the last turns; return a bit for each turn with a take.

    `throws` and the low eight bits of the result belong to the seat that threw last, `other_throws`
    and the next eight bits to the other seat.
    """
    turn = int(view.turn)
    a, b, c = _four_turns(view, turn), _four_turns(view, turn - 4), _four_turns(view, turn - 8)
    d, e = _four_turns(view, turn - 12), _four_turns(view, turn - 16)
    words[throws] = _noted_card(a >> 56)
    words[other_throws] = _noted_card(a >> 40)
    words[throws + 1] = _noted_card(a >> 24)
    words[other_throws + 1] = _noted_card(a >> 8)
    words[throws + 2] = _noted_card(b >> 56)
    words[other_throws + 2] = _noted_card(b >> 40)
    takes = _taken(a, b) | (_taken(b, c) << 2) | (_taken(c, d) << 4) | (_taken(d, e) << 6)
    if turn > 2 * TURNS:
        return takes
    # There is no turn before the first, and the first upcard is no throw.
    takes &= ((1 << ((turn + 1) >> 1)) - 1) | (((1 << (turn >> 1)) - 1) << TURNS)
    if turn > 0 and drawn(view, 0) == _offered(view, 0):
        takes |= 1 << (((turn - 1) >> 1) + TURNS * ((turn - 1) & 1))
    return takes


@kernel
def _four_turns(view: View, end: int) -> int:
    """The four history entries before turn `end`, the latest in the highest bits."""
    place, bit = (end >> 2) - 1, 16 * (end & 3)
    early = int(view.history[place]) >> bit if place >= 0 else 0
    late = int(view.history[min(place + 1, HISTORY - 1)]) if place >= -1 else 0
    return early | (((late << 1) << (63 - bit)) & _POSITIVE)


@kernel
def _noted_card(noted: int) -> Cards:
    """The card of the low byte, as a set; empty without a card."""
    return (1 << (noted & 63)) >> 3


@kernel
def _taken(turns: int, before: int) -> int:
    """A bit for each of four turns with a take, given the four turns before; the latest first.

    The lowest two bits belong to the latest turn and the one two before it. The bits of the other
    two turns are eight bits higher. A turn has 16 bits: a byte with the card drawn, and one with
    the card thrown.
    """
    offered = ((turns << 8) & _DRAWN) | (before >> 56)
    # The sum carries into the ninth bit of a turn unless both cards are equal.
    left = (((turns & _DRAWN) ^ offered) + _DRAWN) >> 8
    # The product moves the four bits of the turns to places 57, 49, 56 and 48 without overlap.
    return (wrapped_product(~left & _EACH_TURN, _GATHER) >> 48) & 0x0303


@kernel
def _offered(view: View, turn: int) -> int:
    """The upcard at the beginning of a turn; _UNKNOWN if it is hidden or missing."""
    card = thrown(view, turn - 1) if turn > 0 else int(view.first_upcard)
    return card if card >= 0 else _UNKNOWN


@kernel
def _thrown_and_refused(view: View, parity: int) -> tuple[Cards, Cards]:
    """All cards that a seat has thrown, and the upcards that it has left.

    For speed this reads the stored history of every turn: a byte with the card drawn and one with
    the card thrown, both + 3, two turns of a seat in a word. The byte before is the card offered.
    The code does not branch on takes, since these are unpredictable.
    """
    away, refused = 0, 0
    turns = (int(view.turn) - parity + 1) >> 1
    before = int(view.first_upcard) + 3
    for i in range((turns + 1) >> 1):
        word = int(view.history[i])
        cards = word >> 8 if parity else (word << 8) | before
        before = word >> 56
        later = cards >> 32 if 2 * i + 1 < turns else 0
        away |= (1 << ((cards >> 16) & 255)) | (1 << ((later >> 16) & 255))
        refused |= _left_lying(cards) | _left_lying(later)
    return away >> 3, refused >> 3


@kernel
def _left_lying(cards: int) -> int:
    """The card of the first byte, unless the second byte shows that it was drawn."""
    return (1 << (cards & 255)) & -int((cards & 255) != ((cards >> 8) & 255))


@kernel
def _encode_offer(hand: Cards, upcard: Cards, whole: int, face_points: int, words: Buffer) -> None:
    """The gain by taking the upcard."""
    joined = hand | upcard
    gain = whole - deadwood(joined, face_points)
    words[_OFFER] = int(in_melds(joined) & upcard != 0) | gauge(gain, _GAIN)


@kernel
def deadwood_bits(points: int) -> int:
    """Deadwood exactly below 30, and on a coarse scale."""
    return (1 << min(points, EXACT - 1)) | gauge(points // 6, _SCALE)


@kernel
def _rules(options: Options) -> int:
    rules = int(options.knock) | (int(options.upcard) << 1) | (int(options.automatic_gin) << 2)
    rules |= int(options.layoffs) << 3
    rules |= int(options.face_points > 10) << 4
    rules |= gauge(int(options.gin_bonus) // 5, _GIN_BONUS)
    rules |= gauge(int(options.undercut_bonus) // 5, _UNDERCUT_BONUS)
    return rules | gauge(int(options.target) // 25, _TARGET)


@kernel
def encode_laid(view: View, options: Options, words: Buffer) -> None:
    """Fill the words of LAID: the table after a knock."""
    me, sets, starts = int(view.me), 0, 0
    for seat in range(2):
        for i in range(LAYOUT):
            meld = int(view.melds[seat, i])
            if meld and is_run(meld):
                starts |= 1 << lowest(meld)
            else:
                sets |= meld
    words[_MY_LAID] = int(view.melded[me])
    words[_HIS_LAID] = int(view.melded[1 - me])
    words[_SETS] = sets
    words[_STARTS] = starts
    laying = (1 << int(view.phase)) >> _SPREAD
    knocker = int(view.knocker == me) | (int(view.knocker == 1 - me) << 1)
    words[_LAYING] = laying | (knocker << _KNOCKER.shift)


@kernel
def output_of(action: Action) -> int:
    """The output of an action: its number; pass shares that of draw, since only one is legal."""
    return DRAW if action == PASS else action


@kernel
def limit(view: View, options: Options, words: Buffer) -> None:
    """The cards that may be hidden, those that the other seat holds, and how many more it has."""
    known = int(view.theirs)
    unseen = ~(int(view.hand) | known | int(view.pile)) & PACK
    missing = size(unseen) - int(view.stock)
    if view.upcard == HIDDEN:
        missing -= 1  # lies face down
        if view.phase == Phase.SPREAD:  # the other seat may have put down a card known before
            melded = int(view.melded[1 - int(view.me)])
            missing += size(known & ~melded)
            unseen |= known & ~melded
            known = melded
    words[0] = unseen
    words[1] = known
    words[2] = missing


@kernel
def is_asked(view: View, who: int) -> bool:
    """Networks do not decide after a knock."""
    return who == 0 and int(view.phase) <= Phase.DISCARD


@kernel
def lay_down(view: View, turn: Turn[Options, Settings]) -> Action:
    """After a knock, the action with the least deadwood."""
    return lay_cheapest(view, turn.legal, turn.options, turn.workspace)


ENCODING = Encoding(
    version=2,
    seen=SEEN,
    earlier=((*SEEN.planes[:-1], SEEN.planes[-1] - _LIMIT.width),),  # without `knock_limit`
    encode=encode,
    laying=LAID,
    encode_laying=encode_laid,
    asked=DONE,
    outputs=OUTPUTS,
    output_of=output_of,
    is_asked=is_asked,
    rest=lay_down,
    workspace=WORKSPACE,
    remembered=(_PILE, _THEIRS, _THROWN, _REFUSED, _SHOWN, *range(_MY_THROWS, _COURSE)),
    hidden=(52,),
    reveal=reveal_other,
    limit=limit,
)
