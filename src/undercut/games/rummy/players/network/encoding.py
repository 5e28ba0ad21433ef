"""The observation of Rummy: planes of 52 cards, the course of the round, the score, the rules."""

from undercut.cards.french import NONE, Cards, size
from undercut.cards.melds import in_melds
from undercut.games.rummy.rules.layout import ACTIONS, QUEUE, Options, Phase, View, stock_card
from undercut.games.rummy.rules.view import unseen
from undercut.kernels.jit import kernel
from undercut.kernels.records import Buffer, Seat
from undercut.players.bits import Layout, Piece, flag, gauge, reveal_other, share, single
from undercut.players.encoding import Encoding

SEEN = Layout(
    Piece("hand", 52, "the seat's own cards"),
    Piece("upcard", 52, "the top of the discard pile"),
    Piece("theirs", 52, "cards the other seat is known to hold"),
    Piece("shown", 52, "own cards that the other seat knows"),
    Piece("my_throws", 52, "cards this seat has thrown and not taken back"),
    Piece("his_throws", 52, "cards the other seat has"),
    Piece("my_refused", 52, "upcards this seat has left and not taken since"),
    Piece("his_refused", 52, "upcards the other seat has"),
    Piece("my_laid", 52, "cards this seat has put on the table"),
    Piece("his_laid", 52, "cards the other seat has"),
    Piece("sets", 52, "cards of sets on the table"),
    Piece("starts", 52, "the lowest card of each run on the table"),
    Piece("fresh", 52, "cards put down in this turn"),
    Piece("known", 52, "cards of pile and stock whose place this seat knows"),
    Piece("melded", 52, "own cards that are in a meld of the hand"),
    Piece("next", 52, "the next card of the stock, where the seat knows it"),
    (
        Piece("drawn", 1, "this seat has drawn"),
        Piece("took", 1, "it took from the pile"),
        Piece("starter", 1, "this seat played first"),
        Piece("turnovers", 3, "how often the pile was turned over, one bit each"),
        Piece("put_down", 1, "something was put down in this turn"),
        Piece("stock", 32, "cards in the stock, one bit each"),
    ),
    (
        Piece("opened", 2, "this seat has put something down, the other has"),
        Piece("my_cards", 13, "cards in hand, one bit each"),
        Piece("his_cards", 13, "cards in the other hand"),
    ),
    (
        Piece("my_score", 25, "a bit for every 25th of the target"),
        Piece("his_score", 25, "the same of the other seat"),
    ),
    (
        Piece(
            "rules",
            3,
            "a taken card may be thrown back, rummy doubles, players take turns to begin",
        ),
        Piece("turnover_limit", 4, "the rule for turnovers, from -1 on, one bit each"),
        Piece("tie_points", 5, "a bit for every five points of a tie, four at most"),
    ),
    Piece("turn", 30, "a bit for every two turns"),
)
_HAND, _UPCARD, _THEIRS, _SHOWN, _MY_THROWS, _HIS_THROWS, _MY_REFUSED, _HIS_REFUSED = SEEN.words(
    "hand upcard theirs shown my_throws his_throws my_refused his_refused"
)
_MY_LAID, _HIS_LAID, _SETS, _STARTS, _FRESH, _KNOWN, _MELDED, _NEXT = SEEN.words(
    "my_laid his_laid sets starts fresh known melded next"
)
_COURSE, _SIZES, _SCORES, _RULES, _TURN = SEEN.words("drawn opened my_score rules turn")
_TOOK, _STARTER, _TURNOVERS, _PUT_DOWN, _STOCK = SEEN.places(
    "took starter turnovers put_down stock"
)
_MY_CARDS, _HIS_CARDS, _MY_SCORE, _HIS_SCORE = SEEN.places("my_cards his_cards my_score his_score")
_LIMIT, _TIE_POINTS, _TURNS = SEEN.places("turnover_limit tie_points turn")


@kernel
def encode(view: View, options: Options, words: Buffer) -> None:
    """Fill the words of SEEN."""
    me = int(view.me)
    other = 1 - me
    hand = int(view.hand)
    words[_HAND] = hand
    words[_UPCARD] = single(int(view.upcard))
    words[_THEIRS] = int(view.theirs)
    words[_SHOWN] = int(view.shown)
    words[_MY_THROWS] = int(view.thrown[me])
    words[_HIS_THROWS] = int(view.thrown[other])
    words[_MY_REFUSED] = int(view.refused[me])
    words[_HIS_REFUSED] = int(view.refused[other])
    words[_MY_LAID] = int(view.laid[me])
    words[_HIS_LAID] = int(view.laid[other])
    words[_SETS] = int(view.sets)
    words[_STARTS] = int(view.starts)
    words[_FRESH] = int(view.fresh)
    words[_KNOWN] = _known(view)
    words[_MELDED] = in_melds(hand)
    words[_NEXT] = single(stock_card(view, 0)) if view.stock > 0 else 0
    words[_COURSE] = _course(view)
    words[_SIZES] = _sizes(view, hand, other)
    mine, theirs, target = int(view.scores[me]), int(view.scores[other]), int(options.target)
    words[_SCORES] = share(mine, target, _MY_SCORE) | share(theirs, target, _HIS_SCORE)
    words[_RULES] = _rules(options)
    words[_TURN] = gauge(int(view.turn) // 2, _TURNS)


@kernel
def _known(view: View) -> Cards:
    """The cards of pile and stock that this seat knows."""
    cards = 0
    for place in range(QUEUE):
        cards |= single(int(view.queue[place]))
    return cards


@kernel
def _course(view: View) -> int:
    course = int(view.phase == Phase.PLAY) | flag(view.taken != NONE, _TOOK)
    course |= flag(view.starter == view.me, _STARTER)
    course |= gauge(int(view.turnovers), _TURNOVERS)
    return course | flag(view.fresh != 0, _PUT_DOWN) | gauge(int(view.stock), _STOCK)


@kernel
def _sizes(view: View, hand: Cards, other: Seat) -> int:
    opened = int(view.opened[view.me] != NONE) | (int(view.opened[other] != NONE) << 1)
    return opened | gauge(size(hand), _MY_CARDS) | gauge(int(view.held), _HIS_CARDS)


@kernel
def _rules(options: Options) -> int:
    rules = int(options.may_discard_taken) | (int(options.rummy_doubles) << 1)
    rules |= int(options.alternate_starter) << 2
    rules |= gauge(int(options.turnovers) + 1, _LIMIT)
    return rules | (gauge(min(int(options.tie_points) // 5, 4), _TIE_POINTS))


@kernel
def limit(view: View, options: Options, words: Buffer) -> None:
    """The cards that may be hidden, those that the other seat holds, and how many more it has."""
    words[0] = unseen(view)
    words[1] = int(view.theirs)
    words[2] = int(view.held) - size(int(view.theirs))


ENCODING = Encoding(
    version=1,
    seen=SEEN,
    encode=encode,
    asked=ACTIONS,
    outputs=ACTIONS,
    remembered=(*range(_THEIRS, _HIS_REFUSED + 1), _KNOWN, _NEXT),
    hidden=(52,),
    reveal=reveal_other,
    limit=limit,
)
