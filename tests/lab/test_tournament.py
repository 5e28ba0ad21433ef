"""Round robins: the same standings however often they are stopped."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lab.tables import RULES, quick_agents
from undercut.games.families import parse_game
from undercut.lab import tournament as module
from undercut.lab.compare import play_match
from undercut.lab.results_file import WIN, LedgerError, Part
from undercut.lab.tournament import Tournament, parse_entrants
from undercut.lab.workers import Setup
from undercut.text.errors import OptionsError

AGENTS = ("simple", "random", "thrifty")
GAMES = 24


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FIRST_PART", 4)
    monkeypatch.setattr(module, "_PART_SECONDS", 0.0)  # parts do not grow


def contest(
    path: Path | None = None, games: int = GAMES, agents: tuple[str, ...] = AGENTS, seed: int = 1
) -> Tournament:
    game, _ = quick_agents()
    return Tournament(game, parse_entrants(agents, game), games, seed, path)


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    return contest().play().to_json()


def test_standings(expected: dict[str, Any]) -> None:
    assert expected["agents"] == list(AGENTS)
    assert expected["games"] == GAMES
    assert expected["elo"][1] == min(expected["elo"])
    for (low, high), elo in zip(expected["ci95"], expected["elo"], strict=True):
        assert low < elo < high
    rates = expected["win_rates"]
    assert rates[0][0] is None
    assert rates[0][1] == pytest.approx(1 - rates[1][0])
    assert json.loads(json.dumps(expected)) == expected


def test_a_table_is_a_match_of_its_agents(expected: dict[str, Any]) -> None:
    game, agents = quick_agents("simple", "thrifty")
    match = play_match(game, agents, GAMES, seed=1)
    assert expected["win_rates"][0][2] == pytest.approx(match.moments.win_rate(0))


@pytest.mark.parametrize("stop_after", [1, 3, 5])
def test_stopped_and_taken_up_again(
    tmp_path: Path, expected: dict[str, Any], stop_after: int
) -> None:
    path = tmp_path / "results.db"
    played = 0

    def stop(count: int) -> None:
        nonlocal played
        played += count
        if played > 8 * stop_after:
            raise KeyboardInterrupt

    with contest(path) as first, pytest.raises(KeyboardInterrupt):
        first.play(Setup(progress=stop))
    with contest(path) as second:
        assert second.games_left == second.games - 8 * stop_after
        assert second.play().to_json() == expected
    with contest(path) as third:
        assert third.games_left == 0
        assert third.play().to_json() == expected


def test_more_games_can_be_added(tmp_path: Path, expected: dict[str, Any]) -> None:
    path = tmp_path / "results.db"
    with contest(path, games=8) as small:
        small.play()
    with contest(path) as large:
        assert large.games_left == large.games - 3 * 8
        assert large.play().to_json() == expected


def finished(path: Path) -> int:
    """Play a tournament to its end; how many parts it was kept in."""
    with contest(path) as done:
        done.play()
        return len(done.ledger.parts)


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        assert database.execute(statement).rowcount > 0


@pytest.mark.parametrize("kept", [0, 1, 5])
def test_a_part_cut_short_by_a_kill_is_played_again(
    tmp_path: Path, expected: dict[str, Any], kept: int
) -> None:
    """A process that dies in the middle of a transaction leaves its journal behind."""
    path, whole = tmp_path / "results.db", tmp_path / "whole.db"
    assert finished(whole) > 5
    program = f"""
import os, sqlite3
from pathlib import Path
from undercut.lab.results_file import Heading, Ledger
import msgspec
bodies = [row[0] for row in sqlite3.connect({str(whole)!r}).execute("SELECT body FROM rows")]
ledger = Ledger(Path({str(path)!r}), msgspec.json.decode(bodies[0], type=Heading))
database = ledger._database
database.execute("ATTACH {str(whole)!r} AS whole")
database.execute("INSERT INTO main.rows SELECT * FROM whole.rows LIMIT {kept} OFFSET 1")
database.execute("PRAGMA cache_size=1")  # so that pages are written before the end
database.execute("BEGIN")
for _ in range(200):
    database.execute("INSERT INTO main.rows SELECT * FROM whole.rows WHERE rowid = 2")
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", program], check=True)
    assert path.stat().st_size > 2 * whole.stat().st_size, "half of a transaction is in the file"
    with contest(path) as again:
        assert len(again.ledger.parts) == kept
        assert again.play().to_json() == expected
    assert not Path(f"{path}-journal").exists()


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("DELETE FROM rows WHERE rowid = 3", "part 2 of .* does not follow"),
        ("INSERT INTO rows SELECT * FROM rows WHERE rowid = 3", "part 10 of .* does not follow"),
        ("UPDATE rows SET crc = crc + 1 WHERE rowid = 4", "is damaged"),
        ("UPDATE rows SET body = replace(body, '0', '1') WHERE rowid = 4", "is damaged"),
        ("UPDATE rows SET body = x'ff' WHERE rowid = 1", "is damaged"),
        ("DELETE FROM rows", "is damaged"),
    ],
)
def test_damaged_files_are_refused_and_left_alone(
    tmp_path: Path, statement: str, message: str
) -> None:
    path = tmp_path / "results.db"
    finished(path)
    change(path, statement)
    content = path.read_bytes()
    with pytest.raises(LedgerError, match=message):
        contest(path)
    assert path.read_bytes() == content


def test_a_byte_that_changed_is_noticed_or_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    finished(path)
    content = path.read_bytes()
    with contest(path) as whole:
        parts = whole.ledger.parts
    chance = np.random.default_rng(1)
    told: list[str] = []
    places = [*range(110), *chance.integers(len(content), size=200).tolist()]
    changes = [(place, content[place] ^ int(chance.integers(1, 256))) for place in places]
    # Where a page says how many rows it has: one row less would go unseen by all else.
    changes += [(at + 4, content[at + 4] - 1) for at in range(4096, len(content), 4096)]
    for place, value in changes:
        bad = bytearray(content)
        bad[place] = value % 256
        path.write_bytes(bad)
        try:
            with contest(path) as again:
                assert again.ledger.parts == parts, place
        except LedgerError as error:
            told.append(str(error))
    assert len(told) > 100
    assert not [line for line in told if "\n" in line]


@pytest.mark.parametrize(
    "text",
    ["It was a dark and stormy night", '{"undercut":"tournament","format":2}\n' * 100, "\n\n"],
    ids=["a novel", "an older version", "hardly anything"],
)
def test_another_kind_of_file_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(text)
    with pytest.raises(LedgerError, match="is not a file of results, or one of an old"):
        contest(path)
    assert path.read_text() == text
    assert [*tmp_path.iterdir()] == [path]


def test_another_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE rows (body, crc)")
    content = path.read_bytes()
    with pytest.raises(LedgerError, match="is not a file of results"):
        contest(path)
    assert path.read_bytes() == content


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "no" / "results.db"
    with pytest.raises(LedgerError, match="cannot be used: unable to open database file"):
        contest(path)
    path = tmp_path / "results.db"
    with contest(path) as full:
        assert full.ledger._database is not None
        full.ledger._database.execute("PRAGMA query_only=1")
        with pytest.raises(LedgerError, match="cannot be used: attempt to write a readonly"):
            full.play()


def test_other_tournaments_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    finished(path)
    with pytest.raises(LedgerError, match="its seed is 1, not 2"):
        contest(path, seed=2)
    with pytest.raises(LedgerError, match="its agents are simple, random, thrifty, not simple, r"):
        contest(path, agents=("simple", "random"))
    with pytest.raises(LedgerError, match=f"has {GAMES} games: give -n {GAMES} or more"):
        contest(path, games=4)
    game = parse_game("distilled")
    with pytest.raises(LedgerError, match="its game is gin:target=1, not distilled"):
        Tournament(game, parse_entrants(AGENTS, game), GAMES, 1, path)


def test_one_file_one_run(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    with contest(path), pytest.raises(LedgerError, match="in use by another program"):
        contest(path)
    with contest(path) as second:
        assert second.games_left == second.games


def test_impossible_tournaments() -> None:
    game, _ = quick_agents()
    with pytest.raises(OptionsError, match="1 agents: gin:target=1 needs at least 2"):
        contest(agents=("simple",))
    with pytest.raises(OptionsError, match="'simple' is given twice"):
        parse_entrants(("simple", "random", "simple"), game)
    with pytest.raises(OptionsError, match="0 games"):
        contest(games=0)
    with pytest.raises(OptionsError, match="seed -1"):
        contest(seed=-1)


def test_tables_of_three() -> None:
    """The sums of a tournament at tables of three."""
    game: Any = SimpleNamespace(name="fake", seats=3, rules=RULES)
    agents: Any = dict.fromkeys("abcd")
    four = Tournament(game, agents, 12)
    assert four.games == 4 * 12
    for table in four.tables:  # the first beats the second and third, those two always tie
        part = Part(
            list(table),
            0,
            6,
            beats=[[12, 12], [12, 12], [6, 6]],
            wins=[[6 * WIN, 6 * WIN], [0, 0], [0, 0]],
            points=[[5, 5], [1, 1], [1, 1]],
            deals=[2, 2],
            tally=[[8, 8], [1, 1], [10, 10]],
        )
        four._enter(part, "here")
        four.ledger.add(part)
    standings = four._standings()
    rates = np.array(standings.win_rates, dtype=float)
    # a and b share two tables, a wins both; c and d share two, once each behind a or b.
    assert rates[0, 1:].tolist() == [1.0, 1.0, 1.0]
    assert rates[2, 3] == 0.5
    assert rates[1, 2] == pytest.approx(0.75)
    assert standings.order[:2] == [0, 1]
    told = standings.to_json()
    # a is first at its three tables; b is first at one of three; c and d tie for second always.
    assert told["first_shares"] == pytest.approx([1.0, 1 / 3, 0.0, 0.0])
    assert told["places"] == pytest.approx([1.0, (1 + 2.5 + 2.5) / 3, 2.5, 2.5])
    assert told["points_per_deal"][:2] == pytest.approx([2.5, 7 / 6])
    assert told["statistics"]["knocks_per_deal"] == pytest.approx(0.5)
    assert told["statistics"]["points_per_knock"] == pytest.approx(10.0)
    assert told["tables"][0]["agents"] == ["a", "b", "c"]
