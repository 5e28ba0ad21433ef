"""Matches that a crew plays: the same results, whatever the pieces."""

from concurrent.futures import Future
from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from lab.here import Here
from lab.tables import quick_agents
from undercut.games.families import parse_game
from undercut.lab import lineup as line
from undercut.lab import remote_rounds, rounds
from undercut.lab import workers as crews
from undercut.lab.compare import Comparison, Stopped, play_match
from undercut.lab.lineup import Line, sit_down
from undercut.lab.results_file import Heading, Ledger
from undercut.lab.sprt import Sprt
from undercut.lab.tournament import Tournament
from undercut.lab.workers import LONGEST, SHORTEST, Pace, Play, Played, Setup, Work, pieces
from undercut.play.agent import KernelAgent
from undercut.play.batch import Batch
from undercut.players.catalog import parse_agent
from undercut.text.errors import AgentError


@pytest.fixture
def crew(monkeypatch: pytest.MonkeyPatch) -> Here:
    """With pieces of three rounds, and parts of seven."""
    monkeypatch.setattr(Pace, "next", lambda pace, left, crew: min(3, left))
    monkeypatch.setitem(rounds.PART, "cpu", 14)
    return Here()


def plain(result: Comparison) -> dict[str, object]:
    """What follows from the seed."""
    return {**result.to_json(), "deals_per_second": 0}


def test_a_match_is_the_same_to_the_last_bit(crew: Here) -> None:
    game, agents = quick_agents("simple", "random")
    told: list[int] = []
    away = play_match(game, agents, 101, 3, Setup(crew=crew, progress=told.append))
    assert plain(away) == plain(play_match(game, agents, 101, seed=3))
    assert sum(told) == away.games == 102
    assert told[0] == 6  # games of a piece
    assert away.deals_per_second > 0


def test_with_luck_taken_out_and_a_test_that_ends_it(
    crew: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("undercut.lab.compare.TRACED_PART", 10)
    game, agents = quick_agents("simple", "random")
    away, here = (
        play_match(game, agents, 400, 3, Setup(crew=who), sprt=Sprt(0.5, 0.7), adjust=True)
        for who in (crew, None)
    )
    assert plain(away) == plain(here)
    assert away.games < 400


@pytest.mark.parametrize("whole", [1, 100])
def test_three_players_of_whom_two_are_one(
    whole: int, crew: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shares of a third: sums of other parts would differ."""
    monkeypatch.setattr(remote_rounds, "WHOLE_PARTS", whole)
    game = parse_game("pharaoh", 3)
    random, other = parse_agent("random", game), parse_agent("random", game)
    for agents in ([random, other, random], [random, other, parse_agent("random", game)]):
        away = play_match(game, agents, 70, setup=Setup(crew=crew))
        assert plain(away) == plain(play_match(game, agents, 70))


def test_games_are_sent_back_to_be_kept(crew: Here) -> None:
    game, agents = quick_agents("simple", "random")
    kept: dict[bool, list[Batch]] = {True: [], False: []}
    for is_away, batches in kept.items():
        setup = Setup(crew=crew if is_away else None, keep=batches.append)
        play_match(game, agents, 40, setup=setup)
    away, here = ([match for batch in kept[i] for match in _matches(batch)] for i in (True, False))
    assert away == here
    assert len(here) == 40


def _matches(batch: Batch) -> list[tuple[int, bytes]]:
    rows = zip(batch.traces, batch.results.choices.tolist(), strict=True)
    return [(batch.first + i, row[:count].tobytes()) for i, (row, count) in enumerate(rows)]


def test_a_match_goes_on_elsewhere_after_ctrl_c(crew: Here, tmp_path: Path) -> None:
    game, agents = quick_agents("simple", "random")
    heading = Heading(game.name, game.rules.VERSION, ["simple", "random"], 3)
    expected = plain(play_match(game, agents, 60, seed=3))

    def stop(games: int) -> None:
        if len(told) == 4:
            raise KeyboardInterrupt
        told.append(games)

    told: list[int] = []
    with closing(Ledger(tmp_path / "1.db", heading)) as ledger:
        play = partial(play_match, game, agents, seed=3, ledger=ledger)
        with pytest.raises(Stopped) as stopped:
            play(games=60, setup=Setup(crew=crew, progress=stop))
        assert stopped.value.so_far.games == sum(told) == 24
        assert plain(play(games=60)) == expected
    with closing(Ledger(tmp_path / "2.db", heading)) as ledger:
        play_match(game, agents, 20, seed=3, ledger=ledger)
        assert plain(play_match(game, agents, 60, 3, Setup(crew=crew), ledger=ledger)) == expected


def test_a_tournament_goes_on_elsewhere(crew: Here, tmp_path: Path) -> None:
    game, agents = quick_agents("simple", "random", "patient")
    entrants = {agent.name: agent for agent in agents}
    path = tmp_path / "kept.db"
    with Tournament(game, entrants, 10, 5, path) as begun:
        begun.play()
    with Tournament(game, entrants, 40, 5, path) as away, Tournament(game, entrants, 40, 5) as here:
        told: list[int] = []
        setup = Setup(crew=crew, progress=told.append)
        assert away.play(setup).to_json() == here.play().to_json()
        assert sum(told) == 3 * (40 - 10)


def test_who_stops_listening_stops_the_crew() -> None:
    jobs: list[Future[Played[int]]] = []

    class Busy:
        """Does the first piece, and no other."""

        size, faults = 3, dict[str, str]()

        def submit(self, line: Line, play: Play[int], numbers: range, /) -> Future[Played[int]]:
            jobs.append(Future())
            jobs[0].done() or jobs[0].set_result(Played(7, 0.1, {}))
            return jobs[-1]

    work: Work[int] = Work(Line("", (), (), ()), lambda game, agents, numbers: 0, range(100))
    played = pieces(Busy(), [work])
    assert next(played) == (work, range(1), 7)
    assert len(jobs) == 3  # one for each, as long as nobody knows how fast they are
    played.close()
    assert [job.cancelled() for job in jobs] == [False, True, True]


def test_pieces_take_half_a_second_or_more() -> None:
    pace = Pace()
    assert [pace.next(10**6, 2) for _ in range(3)] == [1, 1, 0]  # one each, then wait
    pace.heard(1, 20.0)  # it was compiled
    pace.heard(1, 0.001)
    assert pace.next(10**6, 2) == crews.GROWTH
    pace.heard(100, 0.1)
    for left, seconds in ((10**6, LONGEST), (8000, 2.0), (1000, SHORTEST)):
        assert pace.next(left, 2) == pytest.approx(1000 * seconds, abs=2)
    assert pace.next(300, 2) == 300
    pace.heard(3, 9.0)  # the end of another work says little
    assert pace.next(1000, 2) == pytest.approx(1000 * SHORTEST, abs=2)


def test_files_come_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("class Bot:\n    def act(self, view, legal, random): return legal[0]")
    shipped = Path(line.__file__).parents[1] / "games/gin/players/blueprint.safetensors"
    Path("my.safetensors").write_bytes(shipped.read_bytes())
    game = parse_game("gin")
    specs = ["python:bot.py:Bot", "blueprint:model=my.safetensors", "estimator:model=paper"]
    sent = Line.of(game, [parse_agent(spec, game) for spec in specs])
    assert [name for name, _ in sent.files] == ["bot.py", "my.safetensors"]
    Path("bot.py").unlink()
    Path("my.safetensors").unlink()
    _, (bot, blueprint, _) = sit_down(sent)
    assert bot.act(None, [5, 6], None) == 5  # type: ignore[union-attr, arg-type]
    expected = parse_agent("blueprint", game)
    assert isinstance(blueprint, KernelAgent)
    assert isinstance(expected, KernelAgent)
    assert np.array_equal(blueprint.settings.weights, expected.settings.weights)


def test_who_has_no_spec_stays_here() -> None:
    class Mine:
        name = "mine"

    with pytest.raises(AgentError, match="mine: only an agent made from a spec can play elsewhere"):
        Line.of(parse_game("gin"), [Mine()])  # type: ignore[list-item]
