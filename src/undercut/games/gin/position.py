"""Gin positions as text: everything one seat may know, in one short line.

Fields stand between dots: who looks and who is the non-dealer, the scores, the hand, the first
upcard with a p for each pass, the turns, and after a knock the cards on the table. A turn is `t`
(took the upcard), `s` (drew from the stock; own draws name the card) or `n` (the first discard of
a deal without an upcard), then the card thrown; `x` is a knock card that lies face down.
"""

from typing import Any

from undercut.core.cards import (
    HIDDEN,
    NONE,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
)
from undercut.core.cards import size as count_cards
from undercut.core.errors import NotationError
from undercut.core.melds import LAYOUT, find_meld
from undercut.core.records import View, new
from undercut.games.gin import rules as gin
from undercut.games.gin.rules import Outcome, Phase

_PHASES = {Phase.SPREAD: "s", Phase.DEFEND: "d", Phase.OVER: "o"}
_OUTCOMES = {Outcome.KNOCK: "k", Outcome.GIN: "g", Outcome.UNDERCUT: "u", Outcome.VOID: "v"}


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
            _format_table(view),
        ]
    ).rstrip(".")


def parse_view(text: str, options: Any) -> View:
    """Read the fields of a position; they must be just as `format_view` writes them."""
    fields = text.split(".")
    if not 5 <= len(fields) <= 6:
        raise NotationError(f"not a position: {text!r} has {len(fields)} fields, not 5 or 6")
    view = new(gin.VIEW, 1)[0]
    try:
        _read_head(view, fields)
        _read_turns(view, fields[4], options)
        _read_table(view, fields[5] if len(fields) == 6 else "", options)
        _check_cards(view)
        again = format_view(view)
    except NotationError as error:
        raise NotationError(f"not a position: {text!r}: {error}") from None
    except (ValueError, IndexError):
        raise NotationError(f"not a position: {text!r}: a field is malformed") from None
    if again != text:
        raise NotationError(f"not a position: {text!r} would be written {again!r}")
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


def _format_table(view: View) -> str:
    phase = Phase(int(view.phase))
    if phase not in _PHASES:
        return ""
    outcome = _OUTCOMES.get(Outcome(int(view.outcome)), "")
    knocker = "" if view.knocker == NONE else str(int(view.knocker))
    melds = [
        "~".join(format_cards(int(meld), "") for meld in view.melds[seat] if meld)
        for seat in range(2)
    ]
    return "-".join(
        [_PHASES[phase] + outcome + knocker, format_cards(int(view.theirs), ""), *melds]
    )


def _read_head(view: View, fields: list[str]) -> None:
    if len(fields[0]) != 2 or not set(fields[0]) <= {"0", "1"}:
        raise NotationError(f"seats are 0 and 1, not {fields[0]!r}")
    view.me, view.starter = int(fields[0][0]), int(fields[0][1])
    view.scores[0], view.scores[1] = (int(score) for score in fields[1].split("-"))
    view.hand = parse_cards(fields[2])
    upcard = fields[3].rstrip("p")
    view.passes = len(fields[3]) - len(upcard)
    view.first_upcard = NONE if upcard == "-" else parse_card(upcard)
    if view.passes > 2 or (view.passes and view.first_upcard == NONE):
        raise NotationError(f"not a first upcard and its passes: {fields[3]!r}")


def _read_turns(view: View, text: str, options: Any) -> None:
    """Play the turns over: who drew what, what lies on the pile, whose turn it is."""
    view.upcard, view.taken, view.knocker = view.first_upcard, NONE, NONE
    view.pile = 0 if view.first_upcard == NONE else 1 << int(view.first_upcard)
    view.stock = 31
    taken_early = text.startswith("t") and view.passes < 2
    view.opener = (view.starter + view.passes) % 2 if taken_early else view.starter
    view.seat = view.opener if view.passes != 1 or taken_early else 1 - view.starter
    view.phase = _first_phase(view, options)
    if view.phase == Phase.DISCARD:
        gin.note(view.history, 0, NONE)  # the first discard follows no draw
    for turn, token in enumerate([] if text == "-" else text.split("-")):
        if turn >= gin.TURNS:
            raise NotationError(f"more than {gin.TURNS} turns")
        _read_turn(view, turn, token)


def _first_phase(view: View, options: Any) -> Phase:
    if not options.upcard:
        return Phase.DISCARD
    return Phase.DRAW if view.passes == 2 else Phase.OFFER


def _read_turn(view: View, turn: int, token: str) -> None:
    player = _player(view, turn)
    way, rest = token[0], token[1:]
    if way == "t":
        card = int(view.upcard)
        view.taken = card
        view.takes += 1
        view.pile &= ~(1 << card)
        view.upcard = NONE
        _know(view, player, card)
    elif way == "s":
        own = player == view.me
        card = parse_card(rest[:2]) if own else HIDDEN
        rest = rest[2:] if own else rest
        view.stock -= 1
        view.taken = NONE
    elif way == "n" and turn == 0:
        card = NONE
    else:
        raise NotationError(f"not a turn: {token!r}")
    gin.note(view.history, 16 * turn, card)
    view.seat, view.phase = player, Phase.DISCARD
    if rest:
        _throw(view, turn, HIDDEN if rest == "x" else parse_card(rest))


def _know(view: View, player: int, card: int) -> None:
    if player == view.me:
        view.shown |= 1 << card
    else:
        view.theirs |= 1 << card


def _throw(view: View, turn: int, card: int) -> None:
    gin.note(view.history, 16 * turn + 8, card)
    view.turn = turn + 1
    view.upcard, view.taken = card, NONE
    if card != HIDDEN:
        view.pile |= 1 << card
        view.shown &= ~(1 << card)
        view.theirs &= ~(1 << card)
    view.seat, view.phase = 1 - view.seat, Phase.DRAW


def _read_table(view: View, text: str, options: Any) -> None:
    if not text:
        return
    head, theirs, *melds = text.split("-")
    view.phase = {letter: phase for phase, letter in _PHASES.items()}[head[0]]
    letters = {letter: outcome for outcome, letter in _OUTCOMES.items()}
    view.outcome = letters.get(head[1:2], Outcome.NONE)
    view.knocker = int(head[-1]) if head[-1].isdigit() else NONE
    for seat in range(2):
        for place, cards in enumerate(melds[seat].split("~") if melds[seat] else []):
            view.melds[seat, place] = parse_cards(cards)
            if place >= LAYOUT or find_meld(int(view.melds[seat, place])) == NONE:
                raise NotationError(f"not a meld: {cards!r}")
    if view.knocker == NONE:
        return
    view.theirs = parse_cards(theirs)
    _read_melded(view)
    by_itself = options.automatic_gin and view.outcome == Outcome.GIN
    lays = view.phase == Phase.SPREAD or by_itself
    view.seat = view.knocker if lays else 1 - view.knocker


def _read_melded(view: View) -> None:
    """Which cards of each hand are down: own melds, and for the defender what was laid off."""
    knocker = int(view.knocker)
    laid = [0, 0]
    for seat in range(2):
        for meld in view.melds[seat]:
            laid[seat] |= int(meld)
    hand = int(view.hand) if knocker == view.me else int(view.theirs)
    if view.phase == Phase.SPREAD:
        view.melded[knocker] = laid[knocker]
    else:
        view.melded[knocker] = laid[knocker] & hand
        view.melded[1 - knocker] = laid[1 - knocker] | (laid[knocker] & ~hand)
    if view.outcome == Outcome.GIN and laid[knocker] == 0:
        view.melded[knocker] = hand  # gin that ended the deal by itself


def _check_cards(view: View) -> None:
    held = 11 if view.phase == Phase.DISCARD and view.seat == view.me else 10
    if count_cards(int(view.hand)) != held:
        raise NotationError(f"{count_cards(int(view.hand))} cards in hand, not {held}")
    if int(view.hand) & int(view.theirs) or int(view.pile) & (int(view.hand) | int(view.theirs)):
        raise NotationError("a card is in two places")
    if int(view.shown) & ~int(view.hand):
        raise NotationError("a card was taken and is neither held nor thrown")
    if view.stock < 0:
        raise NotationError("more cards drawn than the stock has")
