"""Round robins: the same standings however often they are stopped."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lab.tables import RULES, quick_agents
from undercut.core.errors import OptionsError
from undercut.games.families import parse_game
from undercut.lab import tournament as module
from undercut.lab.compare import play_match
from undercut.lab.ledger import WIN, LedgerError, Part
from undercut.lab.tournament import Tournament, parse_entrants

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
    path = tmp_path / "results.jsonl"
    played = 0

    def stop(count: int) -> None:
        nonlocal played
        played += count
        if played > 8 * stop_after:
            raise KeyboardInterrupt

    with contest(path) as first, pytest.raises(KeyboardInterrupt):
        first.play(progress=stop)
    with contest(path) as second:
        assert second.games_left == second.games - 8 * stop_after
        assert second.play().to_json() == expected
    with contest(path) as third:
        assert third.games_left == 0
        assert third.play().to_json() == expected


def test_more_games_can_be_added(tmp_path: Path, expected: dict[str, Any]) -> None:
    path = tmp_path / "results.jsonl"
    with contest(path, games=8) as small:
        small.play()
    with contest(path) as large:
        assert large.games_left == large.games - 3 * 8
        assert large.play().to_json() == expected


def finished(path: Path) -> list[bytes]:
    with contest(path) as done:
        done.play()
    return path.read_bytes().splitlines(keepends=True)


def test_a_line_cut_short_by_a_kill_is_played_again(
    tmp_path: Path, expected: dict[str, Any]
) -> None:
    path = tmp_path / "results.jsonl"
    lines = finished(path)
    path.write_bytes(b"".join(lines[:4]) + lines[4][:-20])
    with contest(path) as again:
        assert again.ledger.is_torn
        assert again.play().to_json() == expected
    assert path.read_bytes() == b"".join(lines)


def damage(lines: list[bytes], kind: str) -> list[bytes]:
    if kind == "a digit changed":
        return [*lines[:3], lines[3].replace(b'"deals":', b'"deals":1'), *lines[4:]]
    if kind == "a line missing":
        return [*lines[:2], *lines[3:]]
    if kind == "a line twice":
        return [*lines[:3], *lines[2:]]
    if kind == "not JSON":
        return [*lines[:3], b"hello\n", *lines[4:]]
    if kind == "no object":
        return [*lines[:3], b"[1, 2]\n", *lines[4:]]
    if kind == "not text":
        return [*lines[:3], b"\xff\xfe\n", *lines[4:]]
    return [b"hello\n", *lines]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("a digit changed", "line 4 of .* is damaged"),
        ("a line missing", "line 3 of .* does not follow"),
        ("a line twice", "line 4 of .* does not follow"),
        ("not JSON", "line 4 of .* is damaged"),
        ("no object", "line 4 of .* is damaged"),
        ("not text", "line 4 of .* is damaged"),
        ("another file", "line 1 of .* is damaged"),
    ],
)
def test_damaged_files_are_refused_and_left_alone(tmp_path: Path, kind: str, message: str) -> None:
    path = tmp_path / "results.jsonl"
    content = b"".join(damage(finished(path), kind))
    path.write_bytes(content)
    with pytest.raises(LedgerError, match=message):
        contest(path)
    assert path.read_bytes() == content


def test_a_file_without_lines_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "novel.txt"
    path.write_text("It was a dark and stormy night")
    with pytest.raises(LedgerError, match="is not a file of tournament results"):
        contest(path)
    assert path.read_text() == "It was a dark and stormy night"


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    lines = finished(path)
    path.write_bytes(b"".join(lines[1:]))
    with pytest.raises(LedgerError, match="is not a file of tournament results"):
        contest(path)


def test_other_tournaments_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    finished(path)
    with pytest.raises(LedgerError, match="its seed is 1, not 2"):
        contest(path, seed=2)
    with pytest.raises(LedgerError, match="its agents is simple, random, thrifty, not simple, ra"):
        contest(path, agents=("simple", "random"))
    with pytest.raises(LedgerError, match="more games than asked for"):
        contest(path, games=4)
    game = parse_game("distilled")
    with pytest.raises(LedgerError, match="its game is gin:target=1, not distilled"):
        Tournament(game, parse_entrants(AGENTS, game), GAMES, 1, path)


def test_one_file_one_run(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with contest(path), pytest.raises(LedgerError, match="in use by another tournament"):
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
