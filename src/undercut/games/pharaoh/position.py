"""Pharaoh positions as text: everything one seat may know, in one line.

Fields stand between dots: who looks, who began, whose turn it is, who is just out, how the deal
ended; moves, shuffles of the pile and idle moves; the scores; what must be matched, the skips and
the cards to take; the hand; the pile from its bottom; the cards that were shuffled last, nothing
while these are all that were never on the pile; then for each seat the cards it holds, those of
them shuffled last, those it took since it last drew, the cards it could have played then, and the
move by which it went out. Sets of cards that nobody has to read are hexadecimal.
"""

from typing import Any

from undercut.core.cards import NONE
from undercut.core.cards import size as count_cards
from undercut.core.errors import NotationError
from undercut.core.german import (
    PACK,
    format_card,
    format_cards,
    list_cards,
    parse_card,
    parse_cards,
)
from undercut.core.records import View, new
from undercut.games.pharaoh.layout import VIEW, Outcome
from undercut.games.pharaoh.view import on_pile, unseen_fresh, unseen_old

_OUTCOMES = {Outcome.NONE: "", Outcome.OUT: "o", Outcome.STOP: "s", Outcome.LIMIT: "l"}
_FIELDS = 8


def format_view(view: View) -> str:
    """The fields of a position."""
    seats = range(int(view.players))
    is_first_shuffle = view.reshuffles == 0
    return ".".join(
        [
            _format_head(view),
            f"{int(view.moves)}-{int(view.reshuffles)}-{int(view.idle)}",
            "-".join(str(int(view.scores[seat])) for seat in seats),
            f"{_format_need(view)}-{int(view.ace)}-{int(view.count)}",
            format_cards(int(view.hand), ""),
            "".join(format_card(card) for card in view.pile[: int(view.piled)]),
            "" if is_first_shuffle else f"{int(view.shuffled):x}",
            "~".join(_format_seat(view, seat) for seat in seats),
        ]
    )


def parse_view(text: str, options: Any) -> View:
    """Read the fields of a position; they must be just as `format_view` writes them."""
    fields = text.split(".")
    if len(fields) != _FIELDS:
        raise NotationError(f"not a position: {text!r} has {len(fields)} fields, not {_FIELDS}")
    view = new(VIEW, 1)[0]
    try:
        _read_seats(view, fields[7], int(options.players))
        _read_head(view, fields)
        _read_cards(view, fields[4:7])
        _check(view)
        again = format_view(view)
    except NotationError as error:
        raise NotationError(f"not a position: {text!r}: {error}") from None
    except (ValueError, IndexError, KeyError, OverflowError):
        raise NotationError(f"not a position: {text!r}: a field is malformed") from None
    if again != text:
        raise NotationError(f"not a position: {text!r} would be written {again!r}")
    return view


def _format_head(view: View) -> str:
    just_out = "n" if view.just_out == NONE else str(int(view.just_out))
    seats = f"{int(view.me)}{int(view.starter)}{int(view.seat)}{just_out}"
    return seats + _OUTCOMES[Outcome(int(view.outcome))]


def _format_need(view: View) -> str:
    return format_card(4 * int(view.value) + int(view.suit))


def _format_seat(view: View, seat: int) -> str:
    out_at = "n" if view.out_at[seat] == NONE else str(int(view.out_at[seat]))
    counts = (view.held[seat], view.fresh[seat], view.gained[seat])
    return "-".join([*(str(int(count)) for count in counts), f"{int(view.denied[seat]):x}", out_at])


def _read_head(view: View, fields: list[str]) -> None:
    view.me, view.starter, view.seat = (_read_seat(view, digit) for digit in fields[0][:3])
    view.just_out = NONE if fields[0][3] == "n" else _read_seat(view, fields[0][3])
    view.outcome = {letter: value for value, letter in _OUTCOMES.items()}[fields[0][4:]]
    view.moves, view.reshuffles, view.idle = (int(count) for count in fields[1].split("-"))
    scores = [int(score) for score in fields[2].split("-")]
    if len(scores) != view.players:
        raise NotationError(f"{len(scores)} scores: there are {int(view.players)} seats")
    view.scores[: len(scores)] = scores
    need, ace, count = fields[3].split("-")
    view.value, view.suit = divmod(parse_card(need), 4)
    view.ace, view.count = int(ace), int(count)
    if view.count < 0 or view.ace < 0 or (view.count == 0) != (view.ace > 0):
        raise NotationError(f"not skips and cards to take: {fields[3]!r}")


def _read_seat(view: View, digit: str) -> int:
    if not 0 <= int(digit) < view.players:
        raise NotationError(f"seats are 0 to {int(view.players) - 1}, not {digit!r}")
    return int(digit)


def _read_seats(view: View, text: str, players: int) -> None:
    seats = text.split("~")
    if len(seats) != players:
        raise NotationError(f"{len(seats)} seats: the game is for {players}")
    view.players = players
    view.out_at[:] = NONE
    for seat, counts in enumerate(seats):
        held, fresh, gained, denied, out_at = counts.split("-")
        view.held[seat], view.fresh[seat], view.gained[seat] = int(held), int(fresh), int(gained)
        view.denied[seat] = int(denied, 16)
        view.out_at[seat] = NONE if out_at == "n" else int(out_at)
        view.left += out_at == "n"
        if not 0 <= view.fresh[seat] <= view.held[seat] or view.denied[seat] > PACK:
            raise NotationError(f"not the cards of a seat: {counts!r}")
        if (view.held[seat] == 0) != (out_at != "n"):
            raise NotationError(f"seat {seat} holds {held} cards but went out at {out_at!r}")


def _read_cards(view: View, fields: list[str]) -> None:
    hand, pile, shuffled = fields
    view.hand = parse_cards(hand)
    view.pile[:] = NONE
    cards = list_cards(pile)
    view.pile[: len(cards)] = cards
    view.piled = len(cards)
    view.stock = 32 - len(cards) - int(view.held.sum())
    view.shuffled = int(shuffled, 16) if view.reshuffles else PACK & ~on_pile(view)


def _check(view: View) -> None:
    hand, pile, shuffled, me = int(view.hand), on_pile(view), int(view.shuffled), int(view.me)
    if view.stock < 0 or view.piled < 1 or view.piled != count_cards(pile):
        raise NotationError("the cards of pile, stock and hands are not 32")
    if hand & pile or shuffled & pile or shuffled > PACK:
        raise NotationError("a card is in two places")
    if view.held[me] != count_cards(hand) or view.fresh[me] != count_cards(hand & shuffled):
        raise NotationError(f"seat {me} does not hold {count_cards(hand)} cards")
    fresh = int(view.fresh.sum() - view.fresh[me])
    if count_cards(unseen_fresh(view)) != fresh + int(view.stock):
        raise NotationError("the cards shuffled last are not those of the stock and the hands")
    if count_cards(unseen_old(view)) != int(
        (view.held - view.fresh).sum() - (view.held - view.fresh)[me]
    ):
        raise NotationError("the cards held since before the last shuffle do not add up")
    if view.outcome == Outcome.NONE and view.held[view.seat] == 0:
        raise NotationError(f"seat {int(view.seat)} is out, and cannot be on turn")
