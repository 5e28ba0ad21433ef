"""Duel in words: `play 8h`, positions, and what a record says."""

from typing import Any

from duel import rules
from undercut.core.cards import NONE, format_card, format_cards, parse_card, parse_cards
from undercut.core.errors import NotationError
from undercut.core.records import Action, View, new


def format_action(action: Action) -> str:
    """`play 8h`."""
    if not 0 <= action < rules.ACTIONS:
        raise NotationError(f"not an action of duel: {action} (0 to {rules.ACTIONS - 1})")
    return "play " + format_card(action)


def parse_action(text: str) -> Action:
    """Read `play 8h`, or the card alone."""
    return parse_card(text.strip().removeprefix("play "))


def format_public(action: Action, after: View) -> str:
    """Cards are played openly."""
    return format_action(action)


def format_hand(view: View) -> str:
    """The cards of the seat that looks."""
    return format_cards(int(view.hand))


def hidden_gain(before: View, after: View) -> str:
    """The card that was drawn."""
    return format_cards(int(after.hand) & ~int(before.hand))


def format_upcard(view: View) -> str:
    """No card lies open."""
    return ""


def format_outcome(view: View) -> str:
    """How many tricks each has won."""
    return f"{int(view.tricks[0])}-{int(view.tricks[1])}"


def format_view(view: View) -> str:
    """Who looks, plays and began; scores, tricks, the hand, the card to beat, what was played."""
    numbers = "-".join(str(int(each)) for each in (*view.scores, *view.tricks, view.led))
    card = "" if view.card == NONE else format_card(view.card)
    cards = [format_cards(int(each), "") for each in (view.hand, view.played)]
    seats = f"{int(view.me)}{int(view.seat)}{int(view.starter)}"
    return ".".join([seats, numbers, cards[0], card, cards[1], str(int(view.stock))])


def parse_view(text: str, options: Any) -> View:
    """Read what `format_view` writes."""
    view = new(rules.VIEW, 1)[0]
    try:
        seats, numbers, hand, card, played, stock = text.split(".")
        view.me, view.seat, view.starter = map(int, seats)
        *pairs, view.led = map(int, numbers.split("-"))
        view.scores[:], view.tricks[:] = pairs[:2], pairs[2:]
        view.hand, view.played = parse_cards(_spaced(hand)), parse_cards(_spaced(played))
        view.card, view.stock = parse_card(card) if card else NONE, int(stock)
    except (ValueError, OverflowError) as error:
        raise NotationError(f"not a position: {text!r}: {error}") from None
    if format_view(view) != text or int(view.hand) & int(view.played) or view.seat > 1:
        raise NotationError(f"not a position: {text!r}")
    held, hidden = int(view.hand).bit_count(), 52 - (int(view.hand) | int(view.played)).bit_count()
    theirs = hidden - int(view.stock)
    if view.stock < 0 or not 0 <= theirs <= options.hand or not held <= options.hand:
        raise NotationError(f"not a position: {text!r}: a hand has at most {options.hand} cards")
    if view.me > 1 or view.starter > 1 or min(*view.scores, *view.tricks, view.led) < 0:
        raise NotationError(f"not a position: {text!r}: there are two seats, and nothing below 0")
    return view


def _spaced(cards: str) -> str:
    return " ".join(cards[place : place + 2] for place in range(0, len(cards), 2))
