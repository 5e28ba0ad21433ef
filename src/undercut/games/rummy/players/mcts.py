"""A Rummy player with tree search (see `search`) and rollouts of the heuristic player.

The value of a round is the chance to win the game from the scores after it.
"""

from typing import Annotated, NamedTuple

from undercut.cards.french import NONE, lowest, size
from undercut.games.rummy.players import heuristic as rummy_heuristic
from undercut.games.rummy.players.heuristic import coming, discard_value, discards
from undercut.games.rummy.players.strategy.guess import guess
from undercut.games.rummy.players.strategy.hand import best_put_down, loose_cards
from undercut.games.rummy.players.strategy.restrictions import restrict
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.deal import Phase
from undercut.games.rummy.rules.layout import Options, State, View
from undercut.kernels import records
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Buffer, Seat
from undercut.kernels.rng import Generator
from undercut.play.agent import Turn
from undercut.players.search import tree as search
from undercut.players.search.timed import SearchEntry
from undercut.players.search.tree import CERTAIN, Plan
from undercut.text.spec import Option, join_fields


class Scope(NamedTuple):
    """The scope of the search."""

    width: Annotated[int, Option(1, 11, "discards weighed in one position")] = 4
    draws_only: Annotated[
        int, Option(0, 1, "search only what to draw; the heuristic does the rest")
    ] = 0
    craft: Annotated[
        int, Option(0, 100, "how much better than chance the other hand is assumed to be")
    ] = 4


# The heuristic's settings are those of rollouts.
Settings = join_fields("Settings", search.Search, Scope, rummy_heuristic.Settings)


@cold_kernel
def list_moves(view: View, turn: Turn[Options, records.Settings], out: Buffer) -> int:
    """Write the candidate moves; return their number.

    The best put-down represents all put-downs. It is the only candidate if it leads to going out,
    or after the turn's first put-down.
    """
    legal, settings = turn.legal, turn.settings
    if settings.draws_only and view.phase == Phase.PLAY:
        out[0] = rummy_heuristic.choose(view, turn)
        return 1
    if view.phase == Phase.DRAW:
        for i in range(len(legal)):
            out[i] = legal[i]
        return len(legal)
    count = 0
    if legal[len(legal) - 1] >= rummy.MELD:
        allowed = restrict(view, legal, settings, turn.workspace)
        action = best_put_down(view, turn.workspace[:allowed])
        if action != NONE:
            out[0] = action
            count = 1
            is_out = size(loose_cards(view, int(view.hand))) <= 1
            if is_out or view.fresh != 0 or settings.meld_everything or settings.as_coded:
                return 1
    return _list_discards(view, turn.options, settings, out, count)


@kernel
def _list_discards(
    view: View, options: Options, settings: records.Settings, out: Buffer, count: int
) -> int:
    """Write the heuristic's best discards, best first."""
    live = coming(view)
    left = discards(view, options)
    for _ in range(min(int(settings.width), size(left))):
        best, most = NONE, -1e9
        cards = left
        while cards:
            card = lowest(cards)
            cards ^= 1 << card
            value = discard_value(view, card, live, settings)
            if value > most:
                best, most = card, value
        left ^= 1 << best
        out[count] = best
        count += 1
    return count


@kernel
def _worth(state: State, options: Options, me: Seat) -> int:
    """The estimated chance to win the game after a round, by the points that are missing."""
    mine, theirs = int(state.scores[me]), int(state.scores[1 - me])
    mine += rummy.gain(state, options, me)
    theirs += rummy.gain(state, options, 1 - me)
    if mine >= options.target or theirs >= options.target:
        if mine == theirs:
            return CERTAIN // 2
        return CERTAIN if mine > theirs else 0
    missing, other = options.target - mine, options.target - theirs
    return CERTAIN * other // (missing + other)


@kernel
def _sample(
    view: View, options: Options, settings: records.Settings, generator: Generator, state: State
) -> None:
    """Sample a determinization in which the other hand has improved."""
    guess(view, options, int(settings.craft), generator, state)


choose, WORKSPACE = search.build(
    rummy, Plan(rummy_heuristic.choose, list_moves, _sample, _worth, rummy_heuristic.WORKSPACE)
)


AGENT = SearchEntry(
    "Searches: deals the hidden cards many times over and plays each round to its end.",
    choose,
    Settings(),
    WORKSPACE,
)
