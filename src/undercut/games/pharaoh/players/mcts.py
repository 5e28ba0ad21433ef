"""A Pharaoh player that searches (see `search`), with the heuristic player for the rest of a deal.

What counts is the place, so a deal is worth as much as the share of the others left behind.
"""

from typing import Annotated, NamedTuple

from undercut.cards.french import NONE, size
from undercut.games.pharaoh.players import heuristic as pharaoh_heuristic
from undercut.games.pharaoh.players.heuristic import move_worth
from undercut.games.pharaoh.rules import deal as pharaoh
from undercut.games.pharaoh.rules.layout import Options, State, View
from undercut.kernels import records
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Buffer, Seat
from undercut.kernels.rng import Generator
from undercut.players.search import tree as search
from undercut.players.search.timed import SearchEntry
from undercut.players.search.tree import CERTAIN, MOVES, Plan
from undercut.text.spec import Option, join_fields


class Scope(NamedTuple):
    """What it searches."""

    width: Annotated[int, Option(1, MOVES - 1, "moves weighed in one position")] = 8
    craft: Annotated[
        int,
        Option(1, 100, "how often the hidden cards are dealt until they explain why others drew"),
    ] = 4


Settings = join_fields("Settings", search.Search, Scope, pharaoh_heuristic.Settings)


@cold_kernel
def _list_moves(
    view: View,
    legal: Buffer,
    options: Options,
    settings: records.Settings,
    generator: Generator,
    out: Buffer,
    space: Buffer,
) -> int:
    """Write the moves that the heuristic thinks best, the best first; return how many."""
    width = min(int(settings.width), len(legal))
    ceiling, last = 1e9, NONE
    for count in range(width):
        best, most = NONE, -1e9
        for action in legal:
            worth = move_worth(view, options, settings, int(action))
            is_left = worth < ceiling or (worth == ceiling and action > last)
            if is_left and worth > most:
                best, most = int(action), worth
        out[count] = best
        ceiling, last = most, best
    return width


@cold_kernel
def _sample(
    view: View, options: Options, settings: records.Settings, generator: Generator, state: State
) -> None:
    """Deal the hidden cards, again while somebody would hardly have drawn with such a hand."""
    for _ in range(settings.craft):
        pharaoh.complete(view, options, generator, state)
        if _denied(view, options, state) == 0:
            return


@kernel
def _denied(view: View, options: Options, state: State) -> int:
    """How many cards others hold that they would have played instead of drawing."""
    count = 0
    for seat in range(options.players):
        if seat != view.me:
            held = size(int(state.hands[seat]) & int(view.denied[seat]))
            count += max(0, held - int(view.gained[seat]))
    return count


@kernel
def _worth(state: State, options: Options, seat: Seat) -> int:
    """The share of the other players that a seat has left behind, equal ones counting half."""
    return CERTAIN * pharaoh.gain(state, options, seat) // (2 * (int(options.players) - 1))


choose, WORKSPACE = search.build(
    pharaoh, Plan(pharaoh_heuristic.choose, _list_moves, _sample, _worth, space=1)
)


AGENT = SearchEntry(
    "Searches: deals the hidden cards many times over and plays each deal to its end.",
    choose,
    Settings(iterations=800, depth=1, trust=0.5),
    WORKSPACE,
)
