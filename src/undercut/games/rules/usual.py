"""What many games do alike, for a game to take over: it names them as its own."""

from typing import Protocol

from undercut.cards.french import Cards, lowest, size
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Array, Buffer, Options, Seat, State, View
from undercut.kernels.rng import Generator


def no_problem(options: Options) -> str:
    """`find_problem` where everything within the limits of the options can be played."""
    return ""


@kernel
def clear_nothing(view: View) -> None:
    """`clear_view` where `observe` writes every field."""


@kernel
def count_nothing(state: State, options: Options, gained: Buffer, counts: Buffer) -> None:
    """`tally` of a game that keeps no counts."""


@kernel
def start_by_chance(options: Options, seats: int, generator: Generator) -> Seat:
    """`first_starter` where chance decides who begins the first deal."""
    return rng.below(generator, seats)


@kernel
def start_in_turn(state: State, options: Options) -> Seat:
    """`next_starter` where two players begin in turn."""
    return 1 - int(state.starter)


class WithTarget(Protocol):
    """The options of a game whose match goes to a target."""

    @property
    def target(self) -> int: ...


@kernel
def is_target_reached(scores: Buffer, deals: int, options: WithTarget) -> bool:
    """`is_match_over` of a match of two that goes to a target."""
    is_reached: bool = max(scores[0], scores[1]) >= options.target
    return is_reached


@kernel
def list_cards(cards: Cards, out: Buffer) -> int:
    """Write the cards of a set in order; return how many there are."""
    count = 0
    while cards:
        out[count] = lowest(cards)
        cards &= cards - 1
        count += 1
    return count


@kernel
def shuffle_last(generator: Generator, cards: Cards, deck: Array) -> int:
    """Put the cards of a set in random order at the end of a deck; return where they begin."""
    first = len(deck) - size(cards)
    list_cards(cards, deck[first:])
    rng.shuffle(generator, deck, first, len(deck))
    return first
