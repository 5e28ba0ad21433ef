"""A Pharaoh player with tree search (see `search`) and rollouts of the heuristic player.

The value of a deal is the share of the other players with a worse place.
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
from undercut.play.agent import Turn
from undercut.players.search import tree as search
from undercut.players.search.timed import SearchEntry
from undercut.players.search.tree import CERTAIN, MOVES, Plan
from undercut.text.spec import Option, join_fields


class Scope(NamedTuple):
    """The scope of the search."""

    width: Annotated[int, Option(1, MOVES - 1, "moves weighed in one position")] = 8
    craft: Annotated[
        int,
        Option(1, 100, "how often the hidden cards are dealt until they explain why others drew"),
    ] = 4


Settings = join_fields("Settings", search.Search, Scope, pharaoh_heuristic.Settings)


@cold_kernel
def _list_moves(view: View, turn: Turn[Options, records.Settings], out: Buffer) -> int:
    """Write the heuristic's best moves, best first; return their number."""
    width = min(int(turn.settings.width), len(turn.legal))
    ceiling, last = 1e9, NONE
    for count in range(width):
        best, most = NONE, -1e9
        for action in turn.legal:
            worth = move_worth(view, turn.options, turn.settings, int(action))
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
    """Sample determinizations until one explains why the other players drew."""
    for _ in range(settings.craft):
        pharaoh.complete(view, options, generator, state)
        if _denied(view, options, state) == 0:
            return


@kernel
def _denied(view: View, options: Options, state: State) -> int:
    """The number of cards in other hands that their players would have played before drawing."""
    count = 0
    for seat in range(options.players):
        if seat != view.me:
            held = size(int(state.hands[seat]) & int(view.denied[seat]))
            count += max(0, held - int(view.gained[seat]))
    return count


@kernel
def _worth(state: State, options: Options, seat: Seat) -> int:
    """The share of the other players behind a seat; equal players count half."""
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
