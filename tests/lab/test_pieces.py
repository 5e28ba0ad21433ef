"""How matches and tournaments are cut into pieces: how large, how they grow, what a crew gets."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lab.here import Here
from lab.tables import quick_agents, rounds_from
from undercut.lab import compare, ratings, remote_rounds, rounds, tournament
from undercut.lab.compare import _Course
from undercut.lab.lineup import Line
from undercut.lab.remote_rounds import Away, rounds_work
from undercut.lab.results_file import Heading, Ledger, LedgerError, Part
from undercut.lab.rounds import Rounds
from undercut.lab.tournament import Tournament
from undercut.lab.workers import Piece, Setup, Work, _Left


@pytest.mark.parametrize(
    ("seconds", "sizes"), [(0.2, [64, 128, 256, 512, 40]), (0.25, [64] * 15 + [40])]
)
def test_pieces_of_a_match_double_until_they_take_a_quarter_of_a_second(
    seconds: float, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    now, played = [0.0], list[range]()
    monkeypatch.setattr(compare.time, "perf_counter", lambda: now[0])

    def play(numbers: range) -> Rounds:
        played.append(numbers)
        now[0] += seconds
        return rounds_from(np.ones(len(numbers)))

    course = _Course(play, None, 2, 1000)
    assert len(course.rounds(range(1000))) == 1000
    assert [len(numbers) for numbers in played] == sizes
    assert [numbers.start for numbers in played] == np.cumsum([0, *sizes[:-1]]).tolist()


@pytest.mark.parametrize(
    ("seconds", "luck", "sizes"),
    [
        (0.49, False, [64, 128, 256, 300, 252]),
        (0.5, False, [64] * 15 + [40]),
        (0.1, True, [64, 128, 150, 150, 150, 150, 150, 58]),
    ],
)
def test_parts_of_a_tournament_double_up_to_the_largest(
    seconds: float, luck: bool, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    now, played = [0.0], list[tuple[Any, range]]()
    monkeypatch.setattr(tournament.time, "perf_counter", lambda: now[0])
    monkeypatch.setitem(rounds.PART, "cpu", 600)
    monkeypatch.setattr(tournament, "TRACED_PART", 300)

    def play(game: Any, agents: Any, numbers: range, seed: int, setup: Setup, how: Any) -> Rounds:
        assert (seed, how is not None) == (5, luck)
        assert setup == Setup(workers=3)
        played.append(([agent.name for agent in agents], numbers))
        now[0] += seconds
        return rounds_from(np.ones(len(numbers)))

    monkeypatch.setattr(tournament, "play_rounds", play)
    game, agents = quick_agents("simple", "random", "patient")
    names, told = [agent.name for agent in agents], list[str]()
    contest = Tournament(game, dict(zip(names, agents, strict=True)), 2000, 5)
    contest.luck = SimpleNamespace() if luck else None  # type: ignore[assignment]
    contest.play(Setup(workers=3), told.append)
    assert told == ["simple v random", "simple v patient", "random v patient"]
    for place, table in enumerate((["simple", "random"], ["simple", "patient"])):
        own = played[place * len(sizes) : (place + 1) * len(sizes)]
        assert [names for names, _ in own] == [table] * len(sizes)
        assert [len(numbers) for _, numbers in own] == sizes
        assert own[-1][1].stop == 1000


LINE = Line("gin:target=1", ("simple", "random"), (0, 1), ())


def test_a_piece_is_as_large_as_a_process_has_room_for() -> None:
    assert rounds_work(LINE, range(9), 1).most == rounds.PART["cpu"] // 2 == 1 << 16
    assert rounds_work(LINE, range(9), 1, device="cuda").most == 1 << 18
    assert rounds_work(LINE, range(9), 1, adjust=True).most == rounds.TRACED_PART // 2 == 1 << 11
    assert rounds_work(LINE, range(9), 1, traced=True).most == 1 << 11
    three = replace(LINE, specs=("a", "b", "c"), order=(0, 1, 2))
    assert rounds_work(three, range(9), 1).most == (1 << 17) // 6


def test_whoever_plays_sums_up_where_that_is_exact_or_the_parts_are_many() -> None:
    crew = Here()
    crew.size = 2  # type: ignore[misc]
    three = replace(LINE, order=(0, 1, 1))
    for line, adjust, count, can in (
        (LINE, False, 1, True),
        (LINE, True, 79, False),
        (LINE, True, 80, True),
        (three, False, 79, False),
        (three, False, 80, True),
    ):
        away = Away(crew, line, range(count), 1, Setup(), adjust)
        assert away.can_sum_up(10) is can
    assert remote_rounds.WHOLE_PARTS == 4


def test_while_nobody_knows_how_fast_a_work_is_the_next_are_begun() -> None:
    works: list[Work[int]] = [
        Work(LINE, lambda game, agents, numbers: 0, range(count)) for count in (9, 0, 8, 7, 6)
    ]
    left, cut = _Left(works, 2), list[tuple[int, range]]()
    while (found := left.cut()) is not None:
        cut.append((works.index(found[0]), found[1]))
    pieces = [(0, range(1)), (0, range(1, 2)), (2, range(1)), (2, range(1, 2))]
    assert cut == pieces, "one for each of the crew, of two works; one of nothing is passed over"
    works[0].pace.heard(1, 0.1)
    assert left.cut() == (works[0], range(2, 8)), "half a second, and one more"
    assert left.cut() == (works[0], range(8, 9))
    cut = [(works.index(work), numbers) for work, numbers in iter(left.cut, None)]
    assert cut == [(3, range(1)), (3, range(1, 2))]
    limited = Work(LINE, works[0].play, range(9), works[0].pace, most=2)
    assert _Left([limited], 2).cut() == (limited, range(2))
    assert Piece(works[0], range(1), 5).result == 5


WHOLE = Part(
    table=[2, 0],
    first=3,
    games=2,
    beats=[[4, 0]],
    wins=[[1, 2], [3, 4]],
    points=[[5, 6], [7, 8]],
    deals=[1, 2],
    tally=[[1, 1]],
    luck=[[0.5, 0.5], [0.1, 0.2]],
    forfeits=[[0, 1], [0, 0]],
)


@pytest.mark.parametrize(
    "wrong",
    [
        {"table": [3, 0]},
        {"table": [2, -1]},
        {"table": [2, 0, 1]},
        {"first": -1},
        {"games": 0},
        {"deals": [1]},
        {"deals": []},
        {"beats": []},
        {"beats": [[4, 0], [4, 0]]},
        {"beats": [[4]]},
        {"wins": [[1, 2]]},
        {"wins": [[1, 2], [3]]},
        {"points": [[5, 6]]},
        {"points": [[5, 6], [7, 8, 9]]},
        {"tally": [[1]]},
        {"luck": [[0.5, 0.5]]},
        {"luck": [[0.5], [0.5, 0.5]]},
        {"forfeits": [[0, 1]]},
        {"forfeits": [[0, 1], [0]]},
    ],
)
def test_a_part_whose_columns_do_not_fit_is_not_whole(wrong: dict[str, Any]) -> None:
    assert WHOLE.is_whole(3)
    assert replace(WHOLE, luck=[], forfeits=[], tally=[], first=0, games=1).is_whole(3)
    assert not replace(WHOLE, **wrong).is_whole(3)
    empty = replace(WHOLE, deals=[], beats=[[]], wins=[[], []], points=[[], []], tally=[[]])
    assert not replace(empty, luck=[], forfeits=[]).is_whole(3)


def test_as_many_games_as_were_played_can_be_asked_for_again() -> None:
    ledger = Ledger(None, Heading("gin", 1, ["a", "b", "c"], 1))
    ledger.add(WHOLE)
    assert WHOLE.end == 5
    ledger.add(replace(WHOLE, first=0))
    ledger.check_asked(5)
    with pytest.raises(LedgerError, match=r"has 10 games: give -n 10 or more"):
        ledger.check_asked(4)


def test_very_many_rounds_are_put_together_and_none_is_lost() -> None:
    beats = np.arange(3 * 5000, dtype=np.float64).reshape(5000, 3)
    units = ratings._units(beats, 4.0)
    assert units.shape == (4096, 6)
    both = np.concatenate([beats, 4.0 - beats], axis=1)
    assert units.sum(axis=0) == pytest.approx(both.sum(axis=0))
    assert ratings._units(beats[:4096], 4.0) == pytest.approx(both[:4096])


def test_a_rating_that_varies_ten_times_as_much_is_a_guess() -> None:
    """The fourth agent's varies by itself, a little less or a little more than that."""
    chance = np.random.default_rng(1)
    own = chance.normal(size=(200_000, 4))
    for size, weights in ((9.0, [0.25] * 4), (11.0, [1 / 3, 1 / 3, 1 / 3, 0.0])):
        samples = own * np.sqrt([1.0, 1.0, 1.0, size])
        assert ratings._well_known(samples) == pytest.approx(np.array(weights))


def test_strengths_explain_wins_even_where_one_side_has_won_nearly_all() -> None:
    """From far away, where a step of Newton's method would go too far."""
    wins = np.array([[0.0, 9999.0], [1.0, 0.0]])
    for start in ([0.0, 0.0], [-9.0, 9.0], [30.0, -30.0]):
        found = ratings._most_likely(wins, np.array(start))
        assert found == pytest.approx(np.array([0.5, -0.5]) * np.log(9999), abs=1e-6)
    none_left = ratings._log_odds(np.array([[-3.0], [1.0]]), 2, None)
    assert none_left == pytest.approx(np.array([-0.5, 0.5]) * np.log(1000), abs=1e-6)
