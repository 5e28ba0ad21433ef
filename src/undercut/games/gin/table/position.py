"""Gin positions as text: the view of one seat in one short line.

Dots separate the fields: the viewing seat and the non-dealer, the scores, the hand, the first
upcard with a p for each pass, the turns, and after a knock the cards on the table. A turn is `t`
(took the upcard), `s` (drew from the stock; own draws name the card) or `n` (the first discard of
a deal without an upcard), then the card thrown; `x` is a face-down knock card.
"""

from typing import NamedTuple

from undercut.cards.french import (
    HIDDEN,
    NONE,
    Card,
    Cards,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
)
from undercut.cards.french import size as count_cards
from undercut.cards.melds import deadwood
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.deal import Options, Outcome, Phase
from undercut.games.gin.rules.layout import View
from undercut.games.gin.table.laid import format_table, is_void, read_table
from undercut.games.table.position_fields import SCORE, read_numbers, require
from undercut.kernels.records import Record, new


def format_view(view: View) -> str:
    """The fields of a position."""
    upcard = "-" if view.first_upcard == NONE else format_card(view.first_upcard)
    return ".".join(
        [
            f"{int(view.me)}{int(view.starter)}",
            f"{int(view.scores[0])}-{int(view.scores[1])}",
            format_cards(int(view.hand), ""),
            upcard + "p" * int(view.passes),
            _format_turns(view) or "-",
            format_table(view),
        ]
    ).rstrip(".")


def parse_view(text: str, options: Options) -> Record:
    """Parse the fields of a position, and replay its turns."""
    fields = text.split(".")
    require(5 <= len(fields) <= 6, f"it has {len(fields)} fields, not 5 or 6")
    view: Record = new(gin.VIEW, 1)[0]
    _read_head(view, fields, options)
    turns = _read_turns(view, fields[4], options)
    _play(view, turns, options)
    if len(fields) == 6:
        read_table(view, fields[5], options)
    else:
        begins = view.phase == Phase.DRAW and view.turn > 0
        require(not (begins and is_void(view, options)), "the deal is void")
        require(view.upcard != HIDDEN, "only a knock card lies face down")
    is_mine = view.turn > 0 and _player(view, int(view.turn) - 1) == view.me
    if is_mine and view.phase != Phase.DISCARD and _is_gin(int(view.hand), options):
        require(view.outcome == Outcome.GIN, "a hand all in melds ends the deal")
    return view


def _player(view: View, turn: int) -> int:
    return (int(view.opener) + turn) % 2


def _format_turns(view: View) -> str:
    turns = [_format_turn(view, turn, _player(view, turn)) for turn in range(int(view.turn))]
    if view.phase == Phase.DISCARD and gin.drawn(view, int(view.turn)) != NONE:
        turns.append(_format_draw(view, int(view.turn), int(view.seat)))
    return "-".join(turns)


def _format_turn(view: View, turn: int, player: int) -> str:
    thrown = gin.thrown(view, turn)
    return _format_draw(view, turn, player) + ("x" if thrown == HIDDEN else format_card(thrown))


def _format_draw(view: View, turn: int, player: int) -> str:
    card = gin.drawn(view, turn)
    if card == NONE:
        return "n"
    if gin.was_taken(view, turn):
        return "t"
    return "s" + (format_card(card) if player == view.me and card != HIDDEN else "")


def _read_head(view: View, fields: list[str], options: Options) -> None:
    require(fields[0] in ("00", "01", "10", "11"), f"seats are 0 and 1, not {fields[0]!r}")
    view.me, view.starter = int(fields[0][0]), int(fields[0][1])
    view.scores[0], view.scores[1] = read_numbers(fields[1], 2, SCORE)
    view.hand = parse_cards(fields[2])
    upcard = fields[3].rstrip("p")
    view.passes = min(len(fields[3]) - len(upcard), 3)
    view.first_upcard = NONE if upcard == "-" else parse_card(upcard)
    has_upcard = view.first_upcard != NONE
    require(
        has_upcard == bool(options.upcard) and view.passes <= (2 if has_upcard else 0),
        f"not a first upcard and its passes: {fields[3]!r}",
    )


class _Turn(NamedTuple):
    """One player's turn; NONE for no card, HIDDEN for an unseen card."""

    player: int
    way: str
    drawn: int
    thrown: int


def _read_turns(view: View, text: str, options: Options) -> list[_Turn]:
    tokens = [] if text == "-" else text.split("-")
    require(len(tokens) <= gin.TURNS, f"more than {gin.TURNS} turns")
    taken_early = text.startswith("t") and view.passes < 2
    view.opener = (view.starter + view.passes) % 2 if taken_early else view.starter
    turns: list[_Turn] = []
    upcard = int(view.first_upcard)
    for token in tokens:
        require(len(turns) == 0 or turns[-1].thrown >= 0, f"no turn can follow: {text!r}")
        turns.append(_read_turn(view, token, len(turns), upcard))
        upcard = turns[-1].thrown
    if turns:
        first = "n" if not options.upcard else "t" if view.passes < 2 else "s"
        require(turns[0].way == first, f"the first turn must begin with {first!r}: {text!r}")
    return turns


def _read_turn(view: View, token: str, turn: int, upcard: int) -> _Turn:
    player = _player(view, turn)
    way, rest = token[:1], token[1:]
    require(way in ("t", "s") or (way == "n" and turn == 0), f"not a turn: {token!r}")
    drawn = {"t": upcard, "n": NONE}.get(way, HIDDEN)
    if way == "s" and player == view.me:
        drawn, rest = parse_card(rest[:2]), rest[2:]
    if not rest:
        return _Turn(player, way, drawn, NONE)
    thrown = HIDDEN if rest == "x" else parse_card(rest)
    require(way != "t" or thrown != drawn, f"the card taken may not be thrown: {token!r}")
    require(thrown != HIDDEN or player != view.me, f"a seat sees its own cards: {token!r}")
    return _Turn(player, way, drawn, thrown)


def _dealt_hand(view: View, turns: list[_Turn], options: Options) -> Cards:
    """The hand before the first turn: the turns in reverse."""
    own = [turn for turn in turns if turn.player == view.me]
    held = 11 if not options.upcard and view.me == view.starter else 10
    held += sum((turn.drawn != NONE) - (turn.thrown != NONE) for turn in own)
    hand = int(view.hand)
    require(count_cards(hand) == held, f"{count_cards(hand)} cards in hand, not {held}")
    for turn in reversed(own):
        if turn.thrown != NONE:
            goes_on = turn is not turns[-1] and _is_gin(hand, options)
            require(not goes_on, "a hand all in melds ends the deal")
            require(not hand & _single(turn.thrown), "a card is in two places")
            hand |= _single(turn.thrown)
        require(hand | _single(turn.drawn) == hand, "a drawn card is missing")
        hand &= ~_single(turn.drawn)
    return hand


def _play(view: View, turns: list[_Turn], options: Options) -> None:
    """Replay the turns: the known cards, the pile, and the seat on turn."""
    hand = _dealt_hand(view, turns, options)
    view.upcard, view.taken, view.knocker = view.first_upcard, NONE, NONE
    view.pile = 0 if view.first_upcard == NONE else 1 << int(view.first_upcard)
    require(not hand & int(view.pile), "a card is in two places")
    view.stock = 31
    view.seat = view.opener if view.passes != 1 or turns else 1 - view.starter
    view.phase = _first_phase(view, options)
    if view.phase == Phase.DISCARD:
        gin.note(view.history, 0, NONE)  # the first discard follows no draw
    seen = hand | int(view.pile)
    for number, turn in enumerate(turns):
        require(number == 0 or not is_void(view, options), "the deal was void before its last turn")
        _draw(view, number, turn, seen)
        seen |= _single(turn.drawn)
        if turn.thrown != NONE:
            _throw(view, number, turn, seen)
            seen |= _single(turn.thrown)


def _single(card: Card) -> Cards:
    return 1 << card if card >= 0 else 0


def _first_phase(view: View, options: Options) -> Phase:
    if not options.upcard:
        return Phase.DISCARD
    return Phase.DRAW if view.passes == 2 else Phase.OFFER


def _is_gin(hand: Cards, options: Options) -> bool:
    """Whether a hand of ten ends the deal by automatic gin."""
    return bool(options.automatic_gin and deadwood(hand, 10) == 0)


def _draw(view: View, number: int, turn: _Turn, seen: Cards) -> None:
    if turn.way == "t":
        single = 1 << turn.drawn
        view.taken = turn.drawn
        view.takes += 1
        view.pile &= ~single
        view.upcard = NONE
        if turn.player == view.me:
            view.shown |= single
        else:
            view.theirs |= single
    elif turn.way == "s":
        require(turn.drawn < 0 or not seen >> turn.drawn & 1, "a card is in two places")
        view.stock -= 1
        view.taken = NONE
    gin.note(view.history, 16 * number, turn.drawn)
    view.seat, view.phase = turn.player, Phase.DISCARD


def _throw(view: View, number: int, turn: _Turn, seen: Cards) -> None:
    card = turn.thrown
    gin.note(view.history, 16 * number + 8, card)
    view.turn = number + 1
    view.upcard, view.taken = card, NONE
    if card != HIDDEN:
        single = 1 << card
        may_hold = turn.player == view.me or not seen & ~int(view.theirs) & single
        require(may_hold, "a card is in two places")
        view.pile |= single
        view.shown &= ~single
        theirs = int(view.theirs) & ~single
        view.theirs = theirs
        require(count_cards(theirs) <= 10, "more than ten cards were taken and kept")
    view.seat, view.phase = 1 - view.seat, Phase.DRAW
