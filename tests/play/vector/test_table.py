"""The vector table: many matches side by side are the matches that are played one by one."""

from typing import Any

import numpy as np
import pytest
import torch

from play.line_up import line_up
from positions import scaled
from rulesets import NAMES, every_game, some_of
from undercut.games.contract import Game
from undercut.kernels.records import new
from undercut.play.batch import play_batch
from undercut.play.seating import line_ups
from undercut.play.series import make_series, result_layout
from undercut.play.vector.lockstep import ask_rows
from undercut.play.vector.table import vector_table
from undercut.text.errors import IllegalAction, OptionsError


def played_out(game: Game, agents: list[Any], width: int, count: int, **how: Any) -> Any:
    """The results of matches played on a table, agents asked in rows."""
    results = new(result_layout(game.rules), count)
    table = vector_table(
        game,
        width,
        count=count,
        series=make_series(game, agents, 4, max_deals=2),
        results=results,
        **how,
    )
    actions = np.zeros(width, dtype=np.int64)
    while table.playing:
        for player in range(len(agents)):
            rows = np.flatnonzero((table.counts > 0) & (table.players == player))
            if len(rows):
                actions[rows] = ask_rows(table, agents[player], rows)
        table.apply(actions)
    assert table.finished == count
    return results


@every_game
def test_a_table_plays_the_matches_of_a_batch(game: Game) -> None:
    agents = line_up(game.name)[1]
    count = scaled(24, 4)
    expected = play_batch(game, agents, count, 4, max_deals=2).results
    for width in (1, 5, count, count + 3):
        assert played_out(game, agents, width, count).tobytes() == expected.tobytes()


@pytest.mark.parametrize("rules", ["gin", "pharaoh:players=3"])
def test_a_table_may_begin_in_the_middle_of_a_series(rules: str) -> None:
    game, agents = line_up(rules)
    count, first = scaled(12, 2), 7
    batch = play_batch(game, agents, count, 4, max_deals=2, first=first, trace=300)
    traces = np.zeros_like(batch.traces)
    results = played_out(game, agents, 2, count, first=first, traces=traces)
    assert results.tobytes() == batch.results.tobytes()
    assert traces.tobytes() == batch.traces.tobytes()


def test_line_ups_are_those_of_the_agents() -> None:
    """One agent on two of three seats: it need not change places with itself."""
    game, (one, other, _) = line_up("pharaoh:players=3", "random", "random", "random")
    table = vector_table(game, 3, seed=5, agents=[one, one, other])
    expected = line_ups(make_series(game, [one, one, other], 5), 0, 3)
    assert table.matches.agents[:, :3].tolist() == expected.tolist()
    assert table.matches.round_number.tolist() == [0, 0, 0]


@pytest.mark.compiled
def test_threads_share_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    game, agents = line_up("gin", "simple", "thrifty")
    monkeypatch.setattr("undercut.play.vector.table.THREAD_ROWS", 4)
    alone = played_out(game, agents, 40, 60)
    assert played_out(game, agents, 40, 60, workers=3).tobytes() == alone.tobytes()


@pytest.mark.parametrize("rules", [*some_of(NAMES), "pharaoh:players=5"])
def test_the_points_gained_add_up_to_the_scores(rules: str) -> None:
    game, agents = line_up(rules)
    agent, results = agents[1], new(result_layout(game.rules), 9000)
    table = vector_table(game, 3, seed=2, max_deals=2, results=results)
    total, numbers = np.zeros((3, game.seats), dtype=np.int64), table.matches.number.copy()
    ended, gained = 0, np.zeros(game.seats, dtype=np.int64)
    for _ in range(scaled(1000, 200)):
        table.apply(ask_rows(table, agent, np.arange(3)))
        total += table.gained
        gained += table.gained.sum(axis=0)
        for row in np.flatnonzero(table.matches.number != numbers):
            assert (total[row] == results.scores[numbers[row], : game.seats]).all()
            total[row] = 0
            ended += 1
        assert (total == table.matches.scores[:, : game.seats]).all()
        numbers = table.matches.number.copy()
    assert not scaled(1, 0) or (ended and gained.all())


def test_rows_say_whose_turn_it_is_and_what_is_legal() -> None:
    game, _ = line_up("gin")
    table = vector_table(game, 4, seed=1)
    assert (table.counts == 2).all()
    assert (table.views.me == table.seats).all()
    assert (table.views.seat == table.seats).all()
    texts = [[game.notation.format_action(action) for action in row[:2]] for row in table.legal]
    assert texts == [["take", "pass"]] * 4


def test_impossible_tables_are_refused() -> None:
    game, _ = line_up("gin")
    with pytest.raises(OptionsError, match="a table of 0 matches"):
        vector_table(game, 0)
    with pytest.raises(OptionsError, match="unknown device 'tpu'"):
        vector_table(game, 1, device="tpu")
    with pytest.raises(OptionsError, match="the table has 2 matches"):
        vector_table(game, 2).apply([0])


def test_a_checked_table_refuses_what_is_not_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = line_up("gin")
    table = vector_table(game, 4, seed=1, checked=True)
    before, fine = table.matches.copy(), table.legal[:, 0].copy()
    for wrong in (
        table.legal[2, 2],
        game.rules.ACTIONS,
        -1,
    ):  # what lies behind the legal ones; none
        with pytest.raises(IllegalAction, match=rf"row 2: action {wrong} is not legal: take, pass"):
            table.apply([*fine[:2], wrong, fine[3]])
    assert (table.matches == before).all()
    table.apply(fine)
    assert (table.matches.actions == 1).all()
    monkeypatch.setenv("UNDERCUT_CHECKED", "1")
    with pytest.raises(IllegalAction, match="row 0"):
        vector_table(game, 4).apply([-1] * 4)


def test_a_checked_table_does_not_look_at_rows_without_a_match() -> None:
    game, _ = line_up("pharaoh")
    table = vector_table(game, 2, count=1, checked=True)
    while table.playing:
        table.apply([table.legal[0, 0], -1])


@pytest.mark.compiled
def test_torch_shares_the_memory_of_a_table() -> None:
    game, _ = line_up("gin")
    table = vector_table(game, 8, seed=1)
    legal, hands = torch.from_numpy(table.legal), torch.from_numpy(table.views["hand"])
    table.apply(table.legal[:, 0])
    assert (legal.numpy() == table.legal).all()
    assert (hands.numpy() == table.views.hand).all()
    assert hands.data_ptr() == table.views.ctypes.data + game.rules.VIEW.fields["hand"][1]
