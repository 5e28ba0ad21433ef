"""What a network sees of Pharaoh: planes of 32 cards, and of every player what all can count.

Players are numbered from the one who looks, in the order of play.
"""

from undercut.games.contract import MAX_SEATS
from undercut.games.pharaoh.rules.layout import ACTIONS
from undercut.games.pharaoh.rules.view import old_beside, on_pile
from undercut.kernels.jit import kernel
from undercut.kernels.records import Buffer, Options, Seat, State, View
from undercut.players.bits import (
    asks_first,
    encode_nothing,
    same_output,
    single,
    take_first,
    thermometer,
)
from undercut.players.encoding import Encoding, Piece

_CARDS = 32
_HAND, _PILE, _TOP, _SHUFFLED, _OLD, _MATCH, _COURSE, _RULES = range(8)
_DENIED = 8  # + the number of a player, and then
_COUNTS = _DENIED + MAX_SEATS
PLANES = (*(_CARDS,) * 5, 61, 32, 32, *(_CARDS,) * MAX_SEATS, *(39,) * MAX_SEATS)
OTHERS = MAX_SEATS - 1


def _counted(number: int) -> tuple[Piece, ...]:
    """What all can count of a player, by his number from the one who looks."""
    return (
        Piece(f"cards_{number}", 16, "cards in this player's hand, one bit each"),
        Piece(f"fresh_{number}", 13, "those of them that were shuffled last"),
        Piece(f"gained_{number}", 8, "cards taken in the last draw and since"),
        Piece(f"out_{number}", 1, "this player is out"),
        Piece(f"starter_{number}", 1, "this player moved first"),
    )


PIECES = (
    Piece("hand", 32, "the seat's own cards"),
    Piece("pile", 32, "the discard pile"),
    Piece("top", 32, "its top"),
    Piece("shuffled", 32, "cards that were shuffled last and have not been played since"),
    Piece("old", 32, "cards that have been in other hands since before"),
    Piece("suit", 4, "the suit to match"),
    Piece("value", 8, "the value to match"),
    Piece("skips", 4, "skips still to be served, one bit each"),
    Piece("count", 13, "cards to take when drawing, one bit each"),
    Piece("stock", 32, "cards in the stock, one bit each"),
    Piece("left", 8, "players who still have cards, one bit each"),
    Piece("idle", 8, "moves in a row without a card played or taken"),
    Piece("just_out", 1, "somebody went out by the last move"),
    Piece("reshuffles", 3, "how often the pile was shuffled"),
    Piece("moves", 12, "a bit for every eight moves"),
    Piece("players", 8, "players at the table, one bit each"),
    Piece("most_cards", 4, "the most cards played at once, one bit each"),
    Piece("seven_cards", 5, "cards to take for each VII, one bit each"),
    Piece(
        "rules",
        15,
        "aces stack, over on active, leaves-under, quads, quad effects, first out wins, heart VII "
        "returns, upcard effects; seven bits are not used",
    ),
    *(
        Piece(f"denied_{number}", 32, "cards this player could have put first when it last drew")
        for number in range(MAX_SEATS)
    ),
    *(piece for number in range(MAX_SEATS) for piece in _counted(number)),
)


@kernel
def encode(view: View, options: Options, words: Buffer) -> None:
    """Fill the words of PLANES."""
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
    """What is to be matched, taken or served, and how much is left to draw."""
    bits = single(int(view.suit)) | (single(int(view.value)) << 4)
    bits |= thermometer(int(view.ace), 4) << 12
    bits |= thermometer(int(view.count), 13) << 16
    return bits | (thermometer(int(view.stock), 32) << 29)


@kernel
def _course(view: View) -> int:
    bits = thermometer(int(view.left), 8) | (thermometer(int(view.idle), 8) << 8)
    bits |= int(view.just_out >= 0) << 16
    bits |= thermometer(int(view.reshuffles), 3) << 17
    return bits | (thermometer(int(view.moves) // 8, 12) << 20)


@kernel
def _rules(options: Options) -> int:
    bits = thermometer(int(options.players), 8) | (thermometer(int(options.most_cards), 4) << 8)
    bits |= thermometer(int(options.seven_cards), 5) << 12
    bits |= int(options.aces_stack) << 17
    bits |= int(options.over_on_active) << 18
    bits |= int(options.leaves_under) << 19
    bits |= int(options.quads) << 20
    bits |= int(options.quad_effects) << 21
    bits |= int(options.first_out_wins) << 22
    bits |= int(options.heart_seven_returns) << 23
    return bits | (int(options.upcard_effects) << 24)


@kernel
def _counts(view: View, seat: Seat) -> int:
    """What all can count of a player."""
    bits = thermometer(int(view.held[seat]), 16) | (thermometer(int(view.fresh[seat]), 13) << 16)
    bits |= thermometer(int(view.gained[seat]), 8) << 29
    bits |= int(view.out_at[seat] >= 0) << 37
    return bits | (int(view.starter == seat) << 38)


@kernel
def reveal(state: State, options: Options, seat: Seat, words: Buffer) -> None:
    """The hands of the others, in the order of play."""
    players = int(options.players)
    for number in range(OTHERS):
        words[number] = 0
        if number + 1 < players:
            words[number] = int(state.hands[(seat + number + 1) % players])


ENCODING = Encoding(
    version=1,
    pieces=PIECES,
    planes=PLANES,
    encode=encode,
    more=(),
    encode_more=encode_nothing,
    asked=ACTIONS,
    outputs=ACTIONS,
    output_of=same_output,
    is_asked=asks_first,
    rest=take_first,
    workspace=0,
    remembered=(_PILE, _SHUFFLED, _OLD, *range(_DENIED, _COUNTS)),
    hidden=(_CARDS,) * OTHERS,
    reveal=reveal,
)
