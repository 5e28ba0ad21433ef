"""A Pharaoh player that counts cards, and holds overs and leaves-under back.

A hand needs one turn for each value, so its evaluation counts the values. The player keeps cards
that fit on anything for a turn in which no other card fits. It prefers top cards that the next
player can hardly answer, especially if that player is close to going out.
"""

from typing import Annotated, NamedTuple

from undercut.cards.french import size
from undercut.cards.german import ACE, LEAVES_UNDER, OVER, SEVEN, Cards
from undercut.games.pharaoh.players.strategy.answer import (
    SUIT,
    VALUE,
    answer_chance,
    answers,
    length,
    next_seat,
    top_suit,
)
from undercut.games.pharaoh.rules import deal as pharaoh
from undercut.games.pharaoh.rules.layout import Options, View, played_value
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action
from undercut.play.agent import Turn
from undercut.players.entry import Entry
from undercut.text.spec import Option


class Settings(NamedTuple):
    """The weights of its evaluation; a value left in hand costs 1."""

    cards: Annotated[
        float,
        Option(-100.0, 100.0, "the worth of a card left in hand: values with few cards go first"),
    ] = 0.28
    overs: Annotated[float, Option(-100.0, 100.0, "the further worth of an over kept")] = 1.06
    under: Annotated[float, Option(-100.0, 100.0, "the further worth of leaves-under kept")] = 1.93
    sevens: Annotated[float, Option(-100.0, 100.0, "the further worth of a VII kept")] = 0.14
    aces: Annotated[float, Option(-100.0, 100.0, "the further worth of an ace kept")] = 0.36
    stop: Annotated[
        float, Option(-100.0, 100.0, "the worth of a move that the next player cannot answer")
    ] = 0.35
    close: Annotated[
        float,
        Option(
            -100.0, 100.0, "the further worth of such a move, shared by the cards of that player"
        ),
    ] = 0.33
    again: Annotated[
        float, Option(-100.0, 100.0, "the worth of being able to go on after such a move")
    ] = 0.36
    draw: Annotated[float, Option(-100.0, 100.0, "the cost of drawing a card")] = 3.0


_OUT = 1e6  # the worth of going out


@kernel
def choose(view: View, turn: Turn[Options, Settings]) -> Action:
    """The best move, ties by chance."""
    most, found, choice = -1e9, 0, int(turn.legal[0])
    for action in turn.legal:
        worth = move_worth(view, turn.options, turn.settings, int(action))
        if worth > most:
            most, found = worth, 0
        if worth == most:
            found += 1
            if rng.below(turn.generator, found) == 0:
                choice = int(action)
    return choice


@kernel
def move_worth(view: View, options: Options, settings: Settings, action: Action) -> float:
    """The value of a move: of the hand after it, and of the next player's possible answers."""
    if action < pharaoh.PLAY:
        taken = int(view.count) if action == pharaoh.DRAW else 0
        return hand_worth(int(view.hand), settings) - settings.draw * taken
    hand = int(view.hand) & ~pharaoh.played_cards(action)
    if hand == 0:
        return _OUT
    worth = hand_worth(hand, settings)
    going_on = answers(view, options, action)
    if length(action) == 4 and options.quads:
        return worth + settings.stop + settings.again * (hand & going_on != 0)
    after = next_seat(view, options)
    stop = 1.0 - answer_chance(view, after, going_on)
    worth += stop * (settings.stop + settings.close / int(view.held[after]))
    if hand & _later(view, options, action) != 0:
        worth += stop * settings.again
    return worth


@kernel
def hand_worth(hand: Cards, settings: Settings) -> float:
    """The value of a hand: less for each card value, more for useful cards."""
    worth = settings.cards * size(hand)
    for value in range(8):
        worth -= (hand >> 4 * value) & VALUE != 0
    worth += settings.overs * size(hand & (VALUE << 4 * OVER))
    worth += settings.under * ((hand >> LEAVES_UNDER) & 1)
    worth += settings.sevens * size(hand & (VALUE << 4 * SEVEN))
    return worth + settings.aces * size(hand & (VALUE << 4 * ACE))


@kernel
def _later(view: View, options: Options, action: Action) -> Cards:
    """The legal first cards after a move that the next player cannot answer."""
    value = played_value(action)
    if value in (SEVEN, ACE):
        suit = top_suit(action)
        return SUIT << suit | VALUE << 4 * value | VALUE << 4 * OVER
    return answers(view, options, action)


AGENT = Entry(
    "Counts cards: saves overs and leaves-under, and stops players who are close.",
    choose,
    Settings(),
)
