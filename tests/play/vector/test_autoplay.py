"""A vector table at which some choices are not asked for: the same matches, fewer questions."""

from typing import Any

import numpy as np
import pytest

from simulated import on_simulated_gpu
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.kernels.records import new
from undercut.play.agent import KernelAgent
from undercut.play.batch import play_batch
from undercut.play.series import make_series, result_layout
from undercut.play.vector.autoplay import Autoplay
from undercut.play.vector.lockstep import ask_rows
from undercut.play.vector.table import vector_table
from undercut.players.catalog import parse_agent
from undercut.players.encoding import encoding_of


def _kernel(spec: str, game: Game) -> KernelAgent:
    agent = parse_agent(spec, game)
    assert isinstance(agent, KernelAgent)
    return agent


def _played(
    game: Game, agents: list[Any], autoplay: Autoplay, choosers: list[int], count: int
) -> Any:
    """Results of matches in which only the first agent is asked; how often, and in which phases."""
    results, asked = new(result_layout(game.rules), count), []
    series = make_series(game, agents, 4, max_deals=3, choosers=choosers)
    table = vector_table(game, 7, count=count, series=series, results=results, autoplay=autoplay)
    while table.playing:
        rows = np.flatnonzero(table.counts)
        table.actions[rows] = ask_rows(table, agents[0], rows)
        asked += [
            (int(player), int(view.phase))
            for player, view in zip(table.players[rows], table.views[rows], strict=True)
        ]
        table.apply()
    return results, asked


@pytest.mark.parametrize("rival", ["simple", "patient"])
def test_the_matches_are_those_that_are_played_without_asking(rival: str) -> None:
    game = parse_game("gin")
    learner, other = _kernel("patient", game), _kernel(rival, game)
    autoplay = Autoplay(encoding_of(game).is_asked, learner, other)
    agents = [learner, other]
    choosers = [0, 1] if rival == "simple" else [0, 0]
    results, asked = _played(game, agents, autoplay, choosers, 30)
    whole = play_batch(game, agents, 30, seed=4, max_deals=3)
    assert (results.scores == whole.results.scores).all()
    assert (results.actions == whole.results.actions).all()
    assert max(phase for _, phase in asked) == 2, "laying down is not asked for"
    assert {player for player, _ in asked} == ({0} if rival == "simple" else {0, 1})


def test_deals_that_ended_are_counted() -> None:
    game = parse_game("gin")
    agent = _kernel("simple", game)
    autoplay = Autoplay(encoding_of(game).is_asked, agent, agent)
    table = vector_table(game, 16, seed=3, autoplay=autoplay)
    deals, gained = 0, np.zeros(2, dtype=np.int64)
    for _ in range(300):
        before = table.matches.copy()
        table.actions[:] = ask_rows(table, agent, np.arange(16))
        table.apply()
        same = table.matches.number == before.number
        change = table.matches.deals - before.deals
        assert (table.ended[same] == change[same]).all()
        assert (table.ended[~same] >= 1).all()
        assert (table.gained[table.ended == 0] == 0).all()
        deals += int(table.ended.sum())
        gained += table.gained.sum(axis=0)
    assert deals > 50
    assert (gained > 0).all()


def test_all_rows_begin_again() -> None:
    game = parse_game("gin")
    table = vector_table(game, 5, seed=3)
    fresh = vector_table(game, 5, seed=3, first=1 << 40)
    for _ in range(30):
        table.apply(table.legal[:, 0])
    table.restart(1 << 40)
    assert (table.matches.number == fresh.matches.number).all()
    assert all(
        (table.views[name] == fresh.views[name]).all() for name in ("hand", "upcard", "phase")
    )


ON_GPU = """
import numpy as np
from numba import cuda
from undercut.players.catalog import parse_agent
from undercut.players.encoding import encoding_of
from undercut.games.families import parse_game
from undercut.play.vector.autoplay import Autoplay
from undercut.play.vector.table import vector_table

game = parse_game("gin")
simple = parse_agent("simple", game)

def pick(legal, counts, matches):
    chance = ((matches["number"] * 7919 + matches["choices"] * 104729) % 1000) / 1000
    return legal[np.arange(len(counts)), (chance * counts).astype(int)]

for autoplay in (None, Autoplay(encoding_of(game).is_asked, simple, simple)):
    here = vector_table(game, 6, seed=1, autoplay=autoplay)
    there = vector_table(game, 6, seed=1, device="cuda", autoplay=autoplay)
    for step in range(70):
        if step == 60:
            here.restart(1 << 40)
            there.restart(1 << 40)
        mine, yours = np.array(here.matches), there.matches.copy_to_host()
        first, second = np.argsort(mine["number"]), np.argsort(yours["number"])
        views = there.views.copy_to_host()
        for name in views.dtype.names:
            assert (here.views[name][first] == views[name][second]).all(), (step, name)
        for name in mine.dtype.names:
            assert (mine[name][first] == yours[name][second]).all(), (step, name)
        assert here.ended.sum() == there.ended.copy_to_host().sum() or step in (0, 60)
        assert here.gained.sum() == there.gained.copy_to_host().sum() or step in (0, 60)
        here.apply(pick(here.legal, here.counts, mine))
        given = pick(there.legal.copy_to_host(), there.counts.copy_to_host(), yours)
        there.apply(cuda.to_device(given))
print("the same")
"""


@pytest.mark.compiled
def test_a_gpu_s_table_is_the_same() -> None:
    assert on_simulated_gpu(ON_GPU).strip() == "the same"
