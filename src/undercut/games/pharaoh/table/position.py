"""Pharaoh positions as text: the view of one seat in one line.

Dots separate the fields: the viewing seat, the starter, the seat on turn, the seat just out and the
outcome; moves, shuffles of the pile and idle moves; the scores; the card to match, the skips and
the cards to take; the hand; the pile from its bottom; the cards of the last shuffle, nothing before
the first one; then for each seat the number of its cards, of those from the last shuffle, and of
those taken since it last drew, the cards that it could have played then, and the move by which it
went out. Sets of cards that people need not read are hexadecimal.
"""

from undercut.cards.french import NONE
from undercut.cards.french import size as count_cards
from undercut.cards.german import (
    ACE,
    OVER,
    PACK,
    SEVEN,
    Cards,
    format_card,
    format_cards,
    list_cards,
    parse_card,
    parse_cards,
)
from undercut.games.pharaoh.rules.layout import VIEW, Options, Outcome, View
from undercut.games.pharaoh.rules.view import on_pile, unseen_fresh, unseen_old
from undercut.games.table.position_fields import (
    SCORE,
    read_letter,
    read_number,
    read_numbers,
    require,
    split_field,
)
from undercut.kernels.records import Record, new

_OUTCOMES = {Outcome.NONE: "", Outcome.OUT: "o", Outcome.STOP: "s", Outcome.LIMIT: "l"}
_FIELDS = 8
_PILE = 32
_ACES = 4


def format_view(view: View) -> str:
    """The fields of a position."""
    seats = range(int(view.players))
    is_first_shuffle = view.reshuffles == 0
    need = format_card(4 * int(view.value) + int(view.suit))
    return ".".join(
        [
            _format_head(view),
            f"{int(view.moves)}-{int(view.reshuffles)}-{int(view.idle)}",
            "-".join(str(int(view.scores[seat])) for seat in seats),
            f"{need}-{int(view.ace)}-{int(view.count)}",
            format_cards(int(view.hand), ""),
            "".join(format_card(card) for card in view.pile[: int(view.piled)]),
            "" if is_first_shuffle else f"{int(view.shuffled):x}",
            "~".join(_format_seat(view, seat) for seat in seats),
        ]
    )


def parse_view(text: str, options: Options) -> Record:
    """Read the fields of a position."""
    fields = split_field(text, ".", _FIELDS)
    view: Record = new(VIEW, 1)[0]
    view.players = options.players
    _read_head(view, fields[0])
    _read_numbers(view, fields[1:4], int(options.max_moves))
    _read_seats(view, fields[7])
    _read_cards(view, fields[4:7])
    _check_cards(view)
    _check_need(view, options)
    _check_end(view, options)
    if view.moves == 0:
        _check_start(view, options)
    return view


def _format_head(view: View) -> str:
    just_out = "n" if view.just_out == NONE else str(int(view.just_out))
    seats = f"{int(view.me)}{int(view.starter)}{int(view.seat)}{just_out}"
    return seats + _OUTCOMES[Outcome(int(view.outcome))]


def _format_seat(view: View, seat: int) -> str:
    out_at = "n" if view.out_at[seat] == NONE else str(int(view.out_at[seat]))
    counts = (view.held[seat], view.fresh[seat], view.gained[seat])
    return "-".join([*(str(int(count)) for count in counts), f"{int(view.denied[seat]):x}", out_at])


def _read_head(view: View, text: str) -> None:
    require(len(text) >= 4, f"not four seats: {text!r}")
    view.me, view.starter, view.seat = (_read_seat(view, digit) for digit in text[:3])
    view.just_out = NONE if text[3] == "n" else _read_seat(view, text[3])
    view.outcome = read_letter(text[4:], _OUTCOMES)


def _read_seat(view: View, digit: str) -> int:
    return read_number(digit, int(view.players) - 1)


def _read_numbers(view: View, fields: list[str], most: int) -> None:
    view.moves, view.reshuffles, view.idle = read_numbers(fields[0], 3, most)
    is_counted = view.reshuffles <= view.moves and view.idle <= view.moves
    require(bool(is_counted), f"more shuffles or idle moves than moves: {fields[0]!r}")
    players = int(view.players)
    view.scores[:players] = read_numbers(fields[1], players, SCORE)
    need, ace, count = split_field(fields[2], "-", 3)
    view.value, view.suit = divmod(parse_card(need), 4)
    view.ace, view.count = read_number(ace, _ACES), read_number(count, 40)


def _read_seats(view: View, text: str) -> None:
    view.out_at[:] = NONE
    for seat, part in enumerate(split_field(text, "~", int(view.players))):
        *counts, denied, out_at = split_field(part, "-", 5)
        view.held[seat], view.fresh[seat] = (read_number(count, 32) for count in counts[:2])
        view.gained[seat] = read_number(counts[2], 127)
        view.denied[seat] = _read_mask(denied)
        if out_at != "n":
            view.out_at[seat] = read_number(out_at, int(view.moves))
            require(bool(view.out_at[seat] < view.moves), f"no move {out_at} was made yet")
        view.left += out_at == "n"
        is_fresh = bool(view.fresh[seat] <= view.held[seat])
        require(is_fresh, f"not the cards of a seat: {part!r}")
        is_out = (view.held[seat] == 0) == (out_at != "n")
        require(is_out, f"seat {seat} holds {counts[0]} cards but went out at {out_at!r}")
        require(bool(view.gained[seat] or not view.denied[seat]), f"seat {seat} drew no card")
    gone = [move for move in view.out_at.tolist() if move != NONE]
    require(len(set(gone)) == len(gone), "two seats went out by one move")


def _read_mask(text: str) -> Cards:
    """A set of cards in hexadecimal."""
    is_hexadecimal = 0 < len(text) <= 8 and set(text) <= set("0123456789abcdef")
    require(is_hexadecimal, f"not a set of cards: {text!r}")
    return int(text, 16)


def _read_cards(view: View, fields: list[str]) -> None:
    hand, pile, shuffled = fields
    view.hand = parse_cards(hand)
    view.pile[:] = NONE
    cards = list_cards(pile)
    require(0 < len(cards) <= _PILE, f"{len(cards)} cards on the discard pile")
    view.pile[: len(cards)] = cards
    view.piled = len(cards)
    stock = _PILE - len(cards) - int(view.held.sum())
    require(stock >= 0, "the cards of pile, stock and hands are not 32")
    view.stock = stock
    view.shuffled = _read_mask(shuffled) if view.reshuffles else PACK & ~on_pile(view)


def _check_cards(view: View) -> None:
    """Every card is in one place, and the numbers of cards of each kind add up."""
    hand, pile, shuffled, me = int(view.hand), on_pile(view), int(view.shuffled), int(view.me)
    require(view.piled == count_cards(pile), "a card lies twice on the discard pile")
    require(not hand & pile and not shuffled & pile, "a card is in two places")
    mine = count_cards(hand), count_cards(hand & shuffled)
    is_mine = (int(view.held[me]), int(view.fresh[me])) == mine
    require(is_mine, f"seat {me} does not hold {mine[0]} cards, {mine[1]} of them shuffled last")
    fresh = int(view.fresh.sum()) - mine[1]
    is_fresh = count_cards(unseen_fresh(view)) == fresh + int(view.stock)
    require(is_fresh, "the cards shuffled last are not those of the stock and the hands")
    old = int(view.held.sum()) - mine[0] - fresh
    is_old = count_cards(unseen_old(view)) == old
    require(is_old, "the cards held since before the last shuffle do not add up")


def _check_need(view: View, options: Options) -> None:
    """The card to match is the top of the pile; a seven or an ace may still count."""
    value, suit = divmod(int(view.pile[int(view.piled) - 1]), 4)
    is_top = view.value == value and (view.suit == suit or value == OVER)
    require(is_top, "the card to match is not the top of the pile")
    above = (OVER,) if options.over_on_active else ()
    if view.ace:
        require(view.count == 0 and value in (ACE, *above), "no ace counts here")
    else:
        sevens, rest = divmod(int(view.count), int(options.seven_cards))
        counts = view.count == 1 or (rest == 0 and 0 < sevens <= 4 and value in (SEVEN, *above))
        require(counts, f"{int(view.count)} cards to take")


def _check_end(view: View, options: Options) -> None:
    """The seat that is just out, and the outcome."""
    last = [seat for seat in range(int(view.players)) if view.out_at[seat] == view.moves - 1]
    just_out = last[0] if view.moves and last else NONE
    require(view.just_out == just_out, "another seat has just gone out")
    outcome = _outcome(view, options) if view.moves else Outcome.NONE
    require(view.outcome == outcome, f"the outcome must be {outcome.name.lower()}")
    is_in = view.outcome != Outcome.NONE or view.held[view.seat] > 0
    require(bool(is_in), f"seat {int(view.seat)} is out, and cannot be on turn")


def _outcome(view: View, options: Options) -> Outcome:
    """The outcome after the last move [P 14, P 16]."""
    players = int(view.players)
    is_out = view.left <= 1 or (options.first_out_wins and view.left < players)
    may_return = options.heart_seven_returns and view.just_out != NONE and view.left > 0
    if is_out and not may_return:
        return Outcome.OUT
    if view.idle >= options.stop_rounds * players:
        return Outcome.STOP
    return Outcome.LIMIT if view.moves >= options.max_moves else Outcome.NONE


def _check_start(view: View, options: Options) -> None:
    """Before the first move every seat has the dealt cards, and none has drawn [P 2]."""
    players = int(view.players)
    each = min(int(options.deal), (_PILE - 5) // players)
    is_dealt = view.piled == 1 and (view.held[:players] == each).all()
    require(bool(is_dealt and not view.gained.any()), "these are not the cards after a deal")
    require(view.seat == view.starter, f"the seat on turn must be {int(view.starter)}")
    counting = {ACE: (1, 0), SEVEN: (0, int(options.seven_cards))} if options.upcard_effects else {}
    expected = counting.get(int(view.value), (0, 1))
    require((view.ace, view.count) == expected, "the first upcard has another effect")
