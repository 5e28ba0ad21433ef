"""The observation of Pharaoh: planes of 32 cards, and public counts for every player.

Player 0 is the viewer; the others follow in the order of play.
"""

from undercut.games.contract import MAX_SEATS
from undercut.games.pharaoh.rules.layout import ACTIONS, Options, State, View
from undercut.games.pharaoh.rules.view import old_beside, on_pile, unseen_fresh, unseen_old
from undercut.kernels.jit import kernel
from undercut.kernels.records import Buffer, Seat
from undercut.players.bits import Layout, Piece, flag, gauge, single
from undercut.players.encoding import Encoding

OTHERS = MAX_SEATS - 1
POOLS = 2  # cards that were shuffled last, and older ones


def _counted(number: int) -> tuple[Piece, ...]:
    """The public counts of a player, by his number."""
    return (
        Piece(f"cards_{number}", 16, "cards in this player's hand, one bit each"),
        Piece(f"fresh_{number}", 13, "those of them that were shuffled last"),
        Piece(f"gained_{number}", 8, "cards taken in the last draw and since"),
        Piece(f"out_{number}", 1, "this player is out"),
        Piece(f"starter_{number}", 1, "this player moved first"),
    )


SEEN = Layout(
    Piece("hand", 32, "the seat's own cards"),
    Piece("pile", 32, "the discard pile"),
    Piece("top", 32, "its top"),
    Piece("shuffled", 32, "cards that were shuffled last and have not been played since"),
    Piece("old", 32, "cards that have been in other hands since before"),
    (
        Piece("suit", 4, "the suit to match"),
        Piece("value", 8, "the value to match"),
        Piece("skips", 4, "skips still to be served, one bit each"),
        Piece("count", 13, "cards to take when drawing, one bit each"),
        Piece("stock", 32, "cards in the stock, one bit each"),
    ),
    (
        Piece("left", 8, "players who still have cards, one bit each"),
        Piece("idle", 8, "moves in a row without a card played or taken"),
        Piece("just_out", 1, "somebody went out by the last move"),
        Piece("reshuffles", 3, "how often the pile was shuffled"),
        Piece("moves", 12, "a bit for every eight moves"),
    ),
    (
        Piece("players", 8, "players at the table, one bit each"),
        Piece("most_cards", 4, "the most cards played at once, one bit each"),
        Piece("seven_cards", 5, "cards to take for each VII, one bit each"),
        Piece(
            "rules",
            15,
            "aces stack, over on active, leaves-under, quads, quad effects, first out wins, heart VII "
            "returns, upcard effects; seven bits are not used",
        ),
    ),
    *(
        Piece(f"denied_{number}", 32, "cards this player could have put first when it last drew")
        for number in range(MAX_SEATS)
    ),
    *(_counted(number) for number in range(MAX_SEATS)),
)
_HAND, _PILE, _TOP, _SHUFFLED, _OLD, _MATCH, _COURSE, _RULES = SEEN.words(
    "hand pile top shuffled old suit left players"
)
_DENIED, _COUNTS = SEEN.words("denied_0 cards_0")  # + the number of a player
_VALUE, _SKIPS, _TAKEN, _STOCK = SEEN.places("value skips count stock")
_LEFT, _IDLE, _JUST_OUT, _RESHUFFLES, _MOVES = SEEN.places("left idle just_out reshuffles moves")
_PLAYERS, _MOST_CARDS, _SEVEN_CARDS, _RULE = SEEN.places("players most_cards seven_cards rules")
_CARDS, _FRESH, _GAINED, _OUT, _STARTER = SEEN.places("cards_0 fresh_0 gained_0 out_0 starter_0")


@kernel
def encode(view: View, options: Options, words: Buffer) -> None:
    """Fill the words of SEEN."""
    pile = on_pile(view)
    words[_HAND] = int(view.hand)
    words[_PILE] = pile
    words[_TOP] = single(int(view.pile[int(view.piled) - 1])) if view.piled > 0 else 0
    words[_SHUFFLED] = int(view.shuffled)
    words[_OLD] = old_beside(view, pile)
    words[_MATCH] = _match(view)
    words[_COURSE] = _course(view)
    words[_RULES] = _rules(options)
    players = int(view.players)
    for number in range(MAX_SEATS):
        words[_DENIED + number] = 0
        words[_COUNTS + number] = 0
        if number < players:
            seat = int(view.me) + number
            seat -= players if seat >= players else 0
            words[_DENIED + number] = int(view.denied[seat])
            words[_COUNTS + number] = _counts(view, seat)


@kernel
def _match(view: View) -> int:
    """The suit and value to match, the skips, the cards to take, and the stock."""
    bits = single(int(view.suit)) | (single(int(view.value)) << _VALUE.shift)
    bits |= gauge(int(view.ace), _SKIPS) | gauge(int(view.count), _TAKEN)
    return bits | gauge(int(view.stock), _STOCK)


@kernel
def _course(view: View) -> int:
    bits = gauge(int(view.left), _LEFT) | gauge(int(view.idle), _IDLE)
    bits |= flag(view.just_out >= 0, _JUST_OUT) | gauge(int(view.reshuffles), _RESHUFFLES)
    return bits | gauge(int(view.moves) // 8, _MOVES)


@kernel
def _rules(options: Options) -> int:
    rules = int(options.aces_stack) | (int(options.over_on_active) << 1)
    rules |= int(options.leaves_under) << 2
    rules |= int(options.quads) << 3
    rules |= int(options.quad_effects) << 4
    rules |= int(options.first_out_wins) << 5
    rules |= int(options.heart_seven_returns) << 6
    rules |= int(options.upcard_effects) << 7
    bits = gauge(int(options.players), _PLAYERS) | gauge(int(options.most_cards), _MOST_CARDS)
    return bits | gauge(int(options.seven_cards), _SEVEN_CARDS) | (rules << _RULE.shift)


@kernel
def _counts(view: View, seat: Seat) -> int:
    """The public counts of a player."""
    bits = gauge(int(view.held[seat]), _CARDS) | gauge(int(view.fresh[seat]), _FRESH)
    bits |= gauge(int(view.gained[seat]), _GAINED)
    return bits | flag(view.out_at[seat] >= 0, _OUT) | flag(view.starter == seat, _STARTER)


@kernel
def reveal(state: State, options: Options, seat: Seat, words: Buffer) -> None:
    """Write the other players' hands, in the order of play."""
    players = int(options.players)
    for number in range(OTHERS):
        words[number] = 0
        if number + 1 < players:
            words[number] = int(state.hands[(seat + number + 1) % players])


@kernel
def limit(view: View, options: Options, words: Buffer) -> None:
    """The unseen cards, shuffled last or older, and how many of each the other players have."""
    players = int(view.players)
    words[0] = unseen_fresh(view)
    words[1] = unseen_old(view)
    for number in range(OTHERS):
        place = POOLS + number * (1 + POOLS)
        for i in range(1 + POOLS):
            words[place + i] = 0
        if number + 1 < players:
            seat = (int(view.me) + number + 1) % players
            words[place + 1] = int(view.fresh[seat])
            words[place + 2] = int(view.held[seat]) - int(view.fresh[seat])


ENCODING = Encoding(
    version=1,
    seen=SEEN,
    encode=encode,
    asked=ACTIONS,
    outputs=ACTIONS,
    remembered=(_PILE, _SHUFFLED, _OLD, *range(_DENIED, _COUNTS)),
    hidden=(32,) * OTHERS,
    reveal=reveal,
    limit=limit,
    pools=POOLS,
)
