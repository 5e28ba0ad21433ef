"""Rummy positions as text: the view of one seat in one line.

Dots separate the fields: the viewing seat, the starter, the seat on turn and the phase; the scores;
turns, takes, turnovers and the turn of each seat's first put-down; the hand; the known cards of the
other hand, and own cards that the other seat knows; the queue, as the place where the stock begins,
the sizes of stock and pile, and their known cards in order; cards thrown; cards refused; the melds,
each with its first lowest card in front; who laid them and when.
"""

from undercut.cards.french import (
    NONE,
    Card,
    Cards,
    each,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
)
from undercut.cards.french import size as count_cards
from undercut.cards.melds import find_meld, is_run
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.deal import Options, Outcome, Phase
from undercut.games.rummy.rules.layout import View
from undercut.games.rummy.table.possible import check_view
from undercut.games.table.position_fields import (
    SCORE,
    read_letter,
    read_number,
    read_numbers,
    require,
    split_field,
)
from undercut.kernels.records import Record, new

_PHASES = {Phase.DRAW: "d", Phase.PLAY: "p", Phase.OVER: "o"}
_OUTCOMES = {Outcome.NONE: "", Outcome.OUT: "o", Outcome.RUMMY: "r", Outcome.TIE: "t"}
_FIELDS = 10


def format_view(view: View) -> str:
    """The fields of a position."""
    taken = "" if view.taken == NONE else format_card(view.taken)
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
            _format_pair(view.laid[0], view.fresh) + "-" + taken,
        ]
    )


def parse_view(text: str, options: Options) -> Record:
    """Read the fields of a position."""
    fields = split_field(text, ".", _FIELDS)
    view: Record = new(rummy.VIEW, 1)[0]
    _read_head(view, fields[0])
    _read_numbers(view, fields[1], fields[2], int(options.max_turns))
    _read_cards(view, fields)
    _read_queue(view, fields[5])
    _read_table(view, fields[8], fields[9])
    check_view(view, options)
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


def _format_pair(first: Card, second: Card) -> str:
    return format_cards(int(first), "") + "-" + format_cards(int(second), "")


def _format_queue(view: View) -> str:
    count = int(view.stock) + int(view.pile)
    cards = [rummy.stock_card(view, number) for number in range(count)]
    known = "".join(format_card(card) for card in cards if card != NONE)
    return f"{int(view.front)}-{int(view.stock)}-{int(view.pile)}-{known}"


def _format_meld(view: View, number: int) -> str:
    first = int(view.table[number])
    rest = rummy.meld_on_table(view, number) & ~(1 << first)
    return format_card(first) + format_cards(rest, "")


def _read_head(view: View, text: str) -> None:
    seats, phase, outcome, winner = text[:3], text[3:4], text[4:5], text[5:]
    require(len(seats) == 3 and set(seats) <= {"0", "1"}, f"seats are 0 and 1, not {text!r}")
    require(winner in ("", "0", "1"), f"seats are 0 and 1, not {text!r}")
    view.me, view.starter, view.seat = (int(seat) for seat in seats)
    view.phase = read_letter(phase, _PHASES)
    view.outcome = read_letter(outcome, _OUTCOMES)
    view.winner = int(winner) if winner else NONE


def _read_numbers(view: View, scores: str, numbers: str, most: int) -> None:
    view.scores[0], view.scores[1] = read_numbers(scores, 2, SCORE)
    turn, takes, turnovers, *opened = split_field(numbers, "-", 5)
    view.turn = read_number(turn, most)
    view.takes = read_number(takes, most)
    view.turnovers = read_number(turnovers, most)
    for seat in range(2):
        view.opened[seat] = NONE if opened[seat] == "n" else read_number(opened[seat], most)


def _read_cards(view: View, fields: list[str]) -> None:
    view.hand = parse_cards(fields[3])
    view.theirs, view.shown = _read_pair(fields[4])
    view.thrown[0], view.thrown[1] = _read_pair(fields[6])
    view.refused[0], view.refused[1] = _read_pair(fields[7])


def _read_pair(text: str) -> tuple[Cards, Cards]:
    first, second = split_field(text, "-", 2)
    return parse_cards(first), parse_cards(second)


def _read_queue(view: View, text: str) -> None:
    *numbers, cards = split_field(text, "-", 4)
    front, stock, pile = (read_number(part, rummy.QUEUE) for part in numbers)
    fits = front < rummy.QUEUE and stock < rummy.QUEUE and stock + pile <= rummy.QUEUE
    require(fits, f"not a stock and a discard pile: {text!r}")
    view.front, view.stock, view.pile = front, stock, pile
    view.queue[:] = NONE
    known = [parse_card(cards[i : i + 2]) for i in range(0, len(cards), 2)]
    first = 0 if view.turnovers else stock
    expected = stock + pile - first
    require(len(known) == expected, f"{len(known)} cards are known, not {expected}: {text!r}")
    for number, card in enumerate(known, first):
        view.queue[(front + number) % rummy.QUEUE] = card
    view.upcard = known[-1] if pile else NONE


def _read_table(view: View, melds: str, laid: str) -> None:
    view.table[:] = NONE
    texts = melds.split("~") if melds else []
    require(len(texts) <= rummy.TABLE, f"more than {rummy.TABLE} melds")
    first, fresh, taken = split_field(laid, "-", 3)
    view.laid[0], view.fresh = parse_cards(first), parse_cards(fresh)
    view.taken = parse_card(taken) if taken else NONE
    view.melds = len(texts)
    on_table = 0
    for number, text in enumerate(texts):
        cards, lead = parse_cards(text), parse_card(text[:2])
        require(
            not cards & on_table and _may_lead(lead, cards, int(view.laid[0])),
            f"not a meld: {text!r}",
        )
        on_table |= cards
        view.table[number] = lead
        if is_run(cards):
            view.starts |= cards & -cards
        else:
            view.sets |= cards
    view.laid[1] = on_table & ~int(view.laid[0])
    is_laid = not (int(view.laid[0]) | int(view.fresh)) & ~on_table
    require(is_laid, f"cards that lie in no meld: {laid!r}")


def _may_lead(lead: Card, cards: Cards, laid: Cards) -> bool:
    """Whether a meld can have begun as the meld of one player, with this card as its lowest."""
    if find_meld(cards) == NONE:
        return False
    later = [card for card in each(cards) if card > lead]
    if is_run(cards):
        first = [1 << lead | 1 << later[0] | 1 << later[1]] if len(later) > 1 else []
    else:
        first = [cards & ~(1 << card) for card in [*each(cards), 52]]
        first = [part for part in first if count_cards(part) > 2 and part & -part == 1 << lead]
    return any(part & laid in (0, part) for part in first)
