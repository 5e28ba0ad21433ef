"""Members of `Rules` that several games share. A game binds them to its own names."""

from collections.abc import Callable
from typing import Protocol

from undercut.cards.french import NONE, Card, Cards, lowest, size
from undercut.kernels import rng
from undercut.kernels.jit import hole, kernel, specialise
from undercut.kernels.records import Array, Buffer, Options, Seat, State, View
from undercut.kernels.rng import Generator


def no_problem(options: Options) -> str:
    """`find_problem` if all options within their limits can be played."""
    return ""


@hole
def begin(state: State, options: Options, starter: Seat, scores: Buffer) -> None:
    """A game's `begin`."""


def deal(
    state: State, options: Options, generator: Generator, starter: Seat, scores: Buffer
) -> None:
    """Shuffle the deck and `begin`."""
    rng.shuffle_pack(generator, state.deck)
    begin(state, options, starter, scores)


def dealing(name: str, begin: Callable[..., None]) -> Callable[..., None]:
    """`deal` of a game: a copy of the kernel above with the game's `begin`."""
    return specialise(deal, name, begin=begin)


@kernel
def clear_nothing(view: View) -> None:
    """`clear_view` if `observe` writes every field."""


@kernel
def count_nothing(state: State, options: Options, gained: Buffer, counts: Buffer) -> None:
    """`tally` of a game without counts."""


@kernel
def start_by_chance(options: Options, seats: int, generator: Generator) -> Seat:
    """`first_starter` if chance decides who begins the first deal."""
    return rng.below(generator, seats)


class WithFirstStarter(Protocol):
    """The options of a game that may fix who begins the first deal."""

    @property
    def first_starter(self) -> Seat: ...


@kernel
def start_by_option(options: WithFirstStarter, seats: int, generator: Generator) -> Seat:
    """`first_starter` if an option decides: it is a seat, or NONE to leave it to chance."""
    if options.first_starter == NONE:
        return rng.below(generator, seats)
    return options.first_starter


@kernel
def start_in_turn(state: State, options: Options) -> Seat:
    """`next_starter` if two players begin in turn."""
    return 1 - int(state.starter)


class WithTarget(Protocol):
    """The options of a game whose match ends at a target."""

    @property
    def target(self) -> int: ...


@kernel
def is_target_reached(scores: Buffer, deals: int, options: WithTarget) -> bool:
    """`is_match_over` of a match of two to a target."""
    is_reached: bool = max(scores[0], scores[1]) >= options.target
    return is_reached


@kernel
def cards_in(deck: Array, first: int, count: int) -> Cards:
    """The set of `count` cards of a deck or pile, from place `first` on."""
    cards = 0
    for place in range(first, first + count):
        cards |= 1 << int(deck[place])
    return cards


@kernel
def any_card(cards: Cards, generator: Generator) -> Card:
    """A random card of a set that is not empty."""
    for _ in range(rng.below(generator, size(cards))):
        cards ^= 1 << lowest(cards)
    return lowest(cards)


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
    """Put the cards of a set in random order at the end of a deck; return the first place."""
    first = len(deck) - size(cards)
    list_cards(cards, deck[first:])
    rng.shuffle(generator, deck, first, len(deck))
    return first
