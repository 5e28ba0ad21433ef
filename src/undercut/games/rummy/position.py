"""Rummy positions as text: everything one seat may know, in one line.

Fields stand between dots: who looks, who began, whose turn it is and the phase; the scores; turns,
takes, turnovers and the turn of each seat's first put-down; the hand; cards known of the other
hand, and own cards that it knows; the queue, as the place where the stock begins, the cards in it,
the cards on the pile, and those of them that are known, in order; cards thrown; cards refused; the
melds, each led by the card that was its lowest when it was made; who laid them and when.
"""

from typing import Any

from undercut.core.cards import (
    NONE,
    Cards,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
)
from undercut.core.cards import size as count_cards
from undercut.core.errors import NotationError
from undercut.core.melds import find_meld, is_run
from undercut.core.records import View, new
from undercut.games.rummy import rules as rummy
from undercut.games.rummy.rules import Outcome, Phase

_PHASES = {Phase.DRAW: "d", Phase.PLAY: "p", Phase.OVER: "o"}
_OUTCOMES = {Outcome.NONE: "", Outcome.OUT: "o", Outcome.RUMMY: "r", Outcome.TIE: "t"}
_FIELDS = 10


def format_view(view: View) -> str:
    """The fields of a position."""
    return ".".join(
        [
            _format_head(view),
            f"{int(view.scores[0])}-{int(view.scores[1])}",
            _format_numbers(view),
            format_cards(int(view.hand), ""),
            _format_pair(view.theirs, view.shown),
            _format_queue(view),
            _format_pair(*view.thrown),
            _format_pair(*view.refused),
            "~".join(_format_meld(view, number) for number in range(int(view.melds))),
            _format_pair(view.laid[0], view.fresh) + "-" + _format_one(view.taken),
        ]
    )


def parse_view(text: str, options: Any) -> View:
    """Read the fields of a position; they must be just as `format_view` writes them."""
    fields = text.split(".")
    if len(fields) != _FIELDS:
        raise NotationError(f"not a position: {text!r} has {len(fields)} fields, not {_FIELDS}")
    view = new(rummy.VIEW, 1)[0]
    try:
        _read_head(view, fields)
        _read_queue(view, fields[5])
        _read_table(view, fields[8], fields[9])
        _check_cards(view)
        again = format_view(view)
    except NotationError as error:
        raise NotationError(f"not a position: {text!r}: {error}") from None
    except (ValueError, IndexError, KeyError, OverflowError):
        raise NotationError(f"not a position: {text!r}: a field is malformed") from None
    if again != text:
        raise NotationError(f"not a position: {text!r} would be written {again!r}")
    return view


def _format_head(view: View) -> str:
    phase, outcome = Phase(int(view.phase)), Outcome(int(view.outcome))
    winner = "" if view.winner == NONE else str(int(view.winner))
    seats = f"{int(view.me)}{int(view.starter)}{int(view.seat)}"
    return seats + _PHASES[phase] + _OUTCOMES[outcome] + winner


def _format_numbers(view: View) -> str:
    opened = ["n" if turn == NONE else str(int(turn)) for turn in view.opened]
    counts = [str(int(count)) for count in (view.turn, view.takes, view.turnovers)]
    return "-".join(counts + opened)


def _format_pair(first: Any, second: Any) -> str:
    return format_cards(int(first), "") + "-" + format_cards(int(second), "")


def _format_one(card: Any) -> str:
    return "" if card == NONE else format_card(card)


def _format_queue(view: View) -> str:
    count = int(view.stock) + int(view.pile)
    cards = [rummy.stock_card(view, number) for number in range(count)]
    known = "".join(format_card(card) for card in cards if card != NONE)
    return f"{int(view.front)}-{int(view.stock)}-{int(view.pile)}-{known}"


def _format_meld(view: View, number: int) -> str:
    first = int(view.table[number])
    rest = rummy.meld_on_table(view, number) & ~(1 << first)
    return format_card(first) + format_cards(rest, "")


def _read_head(view: View, fields: list[str]) -> None:
    seats, phase, outcome, winner = fields[0][:3], fields[0][3], fields[0][4:5], fields[0][5:]
    if not set(seats + winner) <= {"0", "1"}:
        raise NotationError(f"seats are 0 and 1, not {fields[0]!r}")
    view.me, view.starter, view.seat = (int(seat) for seat in seats)
    view.phase = {letter: value for value, letter in _PHASES.items()}[phase]
    view.outcome = {letter: value for value, letter in _OUTCOMES.items()}[outcome]
    view.winner = int(winner) if winner else NONE
    view.scores[0], view.scores[1] = (int(score) for score in fields[1].split("-"))
    *counts, first, second = fields[2].split("-")
    view.turn, view.takes, view.turnovers = (int(count) for count in counts)
    view.opened[0], view.opened[1] = (
        NONE if turn == "n" else int(turn) for turn in (first, second)
    )
    view.hand = parse_cards(fields[3])
    view.theirs, view.shown = _read_pair(fields[4])
    view.thrown[0], view.thrown[1] = _read_pair(fields[6])
    view.refused[0], view.refused[1] = _read_pair(fields[7])


def _read_pair(text: str) -> tuple[Cards, Cards]:
    first, second = text.split("-")
    return parse_cards(first), parse_cards(second)


def _read_queue(view: View, text: str) -> None:
    front, stock, pile, cards = text.split("-")
    view.front, view.stock, view.pile = int(front), int(stock), int(pile)
    if not 0 <= view.front < rummy.QUEUE or not 0 <= view.stock + view.pile <= rummy.QUEUE:
        raise NotationError(f"not a stock and a discard pile: {text!r}")
    view.queue[:] = NONE
    count = int(view.stock) + int(view.pile)
    known = [parse_card(cards[i : i + 2]) for i in range(0, len(cards), 2)]
    first = 0 if view.turnovers else int(view.stock)
    if len(known) != count - first:
        raise NotationError(f"{len(known)} cards are known, not {count - first}: {text!r}")
    for number, card in enumerate(known, first):
        view.queue[(int(view.front) + number) % rummy.QUEUE] = card
    view.upcard = known[-1] if view.pile else NONE


def _read_table(view: View, melds: str, laid: str) -> None:
    view.table[:] = NONE
    on_table = 0
    for number, text in enumerate(melds.split("~") if melds else []):
        cards = parse_cards(text)
        if find_meld(cards) == NONE or cards & on_table:
            raise NotationError(f"not a meld: {text!r}")
        on_table |= cards
        view.table[number] = parse_card(text[:2])
        view.melds = number + 1
        if is_run(cards):
            view.starts |= cards & -cards
        else:
            view.sets |= cards
    first, fresh, taken = laid.split("-")
    view.laid[0], view.fresh = parse_cards(first), parse_cards(fresh)
    view.laid[1] = on_table & ~int(view.laid[0])
    view.taken = parse_card(taken) if taken else NONE
    if (int(view.laid[0]) | int(view.fresh)) & ~on_table:
        raise NotationError(f"cards that lie in no meld: {laid!r}")


def _check_cards(view: View) -> None:
    laid = int(view.laid[0]) | int(view.laid[1])
    places = [int(view.hand), int(view.theirs), laid]
    places += [1 << int(card) for card in view.queue if card != NONE]
    if count_cards(sum(places)) != sum(count_cards(place) for place in places):
        raise NotationError("a card is in two places")
    held = 52 - int(view.stock) - int(view.pile) - count_cards(laid) - count_cards(int(view.hand))
    if not count_cards(int(view.theirs)) <= held <= 11:
        raise NotationError(f"the other seat would hold {held} cards")
    view.held = held
