"""The command line, command by command, as a user meets it."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner, Result

from lab.tables import GAME
from simulated import on_simulated_gpu
from undercut import __version__
from undercut.app.new_game import NewGame
from undercut.cli import main
from undercut.games.families import all_families
from undercut.lab import bench
from undercut.players.catalog import agent_names

RECORD = Path(__file__).parents[1] / "games" / "gin" / "records" / "gin.jsonl"

BOTS = """
class Thrower:
    name = "thrower"
    def act(self, view, legal, random):
        raise RuntimeError("I am\\nlost")

class Cheat:
    name = "cheat"
    def act(self, view, legal, random):
        return 99999

class Mute:
    pass

class First:
    name = "first"
    def act(self, view, legal, random):
        return legal[0]
"""


def undercut(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def refused(*arguments: str | Path) -> str:
    """The one line with which a command is refused; kernels may have been compiled before."""
    result = undercut(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = [line for line in result.stderr.splitlines() if not line.startswith("compil")]
    assert len(lines) == 1, result.stderr
    assert "Traceback" not in lines[0]
    return lines[0]


@pytest.fixture
def bots(tmp_path: Path) -> str:
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    (tmp_path / "broken.py").write_text("def (")
    return str(path)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("mach gin", "unknown command 'mach': one of play, games, match, tournament"),
        ("evaluate paper runs/test", "is called 'score' now (see undercut score --help)"),
        ("match", "GAME"),
        ("match gin", "AGENT"),
        ("match gn simple simple", "unknown game 'gn': one of gin, distilled"),
        ("match distilled+fast simple simple", "unknown variant 'fast' of distilled: one of up"),
        ("match gin:targt=5 simple simple", "unknown option 'targt' of gin: one of target,"),
        ("match gin:target=0 simple simple", "target=0: must be from 1 to 10000"),
        ("match gin:target=x simple simple", "target=x: not a whole number from 1 to 10000"),
        ("match gin:target simple simple", "not a field: 'target'"),
        ("match gin simpel simple", "unknown agent 'simpel' for gin: one of "),
        ("match gin simple:speed=1 simple", "unknown option 'speed' of simple: one of knock_at"),
        ("match gin simple:knock_at=100 simple", "knock_at=100: must be from 0"),
        ("match gin simple python:bots.py", "python:FILE.py:CLASS"),
        ("match gin simple python:none.py:Bot", "cannot load 'python:none.py:Bot'"),
        ("match gin simple", "1 player: gin is for 2"),
        ("engine nobody", "unknown agent 'nobody': one of "),
        ("replay README.md", "README.md: line 1: not a record"),
        ("match gin simple simple simple", "3 players: gin is for 2"),
        ("match gin simple simple -n 0", "-n 0: must be a whole number from 1"),
        ("match gin simple simple -n -4", "-n -4: must be a whole number from 1"),
        ("match gin simple simple -n many", "-n many: must be a whole number from 1"),
        ("match gin simple simple -n 1e99", "-n 1e99: must be a whole number from 1"),
        ("match gin simple simple -n 9999999999999", "must be a whole number from 1"),
        ("match gin simple simple --seed -1", "--seed -1: must be a whole number from 0"),
        ("match gin simple simple --seed 9223372036854775808", "from 0 to 9223372036854775807"),
        ("match gin simple simple --workers 0", "--workers 0: must be a whole number from 1"),
        ("match gin simple simple --device tpu", "'tpu' is not one of 'cpu', 'cuda'"),
        ("match gin simple simple --fast", "--fast"),
        ("match gin simple simple --sprt 0.5", "--sprt 0.5: must be two numbers"),
        ("match gin simple simple --sprt 0.6,0.5", "--sprt 0.6,0.5: two win rates"),
        ("match gin simple simple --sprt 0.5,0.6 --alpha 3", "--alpha 3: must be more than 0"),
        ("match gin simple simple --sprt .5,.6 --sprt-elo 0,9", "give one of them"),
        ("tournament gin simple", "1 agents: gin needs at least 2"),
        ("tournament gin simple patient simple", "'simple' is given twice"),
        ("tournament gin simple patient -n 0", "-n 0: must be a whole number from 1"),
        ("tournament gin simple patient --seats 3", "3 players: gin is for 2"),
        ("tournament gin simple patient --plot x.doc", "cannot plot to 'x.doc'"),
        (
            "tournament gin simple patient --resume no/such/file",
            "cannot write 'no/such/file': there is",
        ),
        ("rules chess", "unknown game 'chess': one of gin, distilled"),
        ("rules gin:knock_limit=100", "knock_limit=100: must be from 0 to 99"),
        ("agents chess", "unknown game 'chess': one of gin, distilled"),
        ("replay nothing.jsonl", "cannot read the record 'nothing.jsonl'"),
        ("bench --seconds 0", "--seconds"),
        ("bench --game whist", "unknown game 'whist': one of gin, rummy, pharaoh"),
    ],
)
def test_bad_input_is_one_clear_line(command: str, said: str) -> None:
    assert said in refused(*command.split())


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        ("mach gin", "match"),
        ("match gn simple simple", "gin"),
        ("rules Pharoah", "pharaoh"),
        ("match distilled+knokc simple simple", "knock"),
        ("match gin:targt=5 simple simple", "target"),
        ("match gin simpel simple", "simple"),
        ("match gin skiled simple", "skilled"),
        ("match gin simple:knokat=1 simple", "knock_at"),
        ("engine simpl", "simple"),
        ("play --oponent x", "--opponent"),
    ],
)
def test_a_mistyped_name_is_recognised(command: str, meant: str) -> None:
    said = refused(*command.split())
    assert re.search(rf"[Dd]id you mean.*'{meant}'", said), said


def test_a_game_that_is_not_there_is_all_that_is_said(tmp_path: Path) -> None:
    done = undercut("play", "--resume", "99", "--data", str(tmp_path))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"undercut: there is no game 99 in {str(tmp_path)!r}\n"


def test_a_name_that_is_like_no_other_is_not_guessed() -> None:
    assert "did you mean" not in refused("rules", "backgammon")


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("Thrower", "thrower raised RuntimeError: I am lost"),
        ("Cheat", "cheat answered"),
        ("Mute", "it has neither act nor act_batch"),
        ("Nobody", "cannot load"),
    ],
)
def test_agents_that_misbehave(bots: str, bot: str, said: str) -> None:
    assert said in refused("match", GAME, "simple", f"python:{bots}:{bot}", "-n", "2")


def test_an_agent_that_is_no_python(bots: str) -> None:
    broken = bots.replace("bots.py", "broken.py")
    assert "SyntaxError" in refused("match", GAME, "simple", f"python:{broken}:Bot", "-n", "2")


@pytest.mark.parametrize("change", ["cut", "edit", "garbage", "binary"])
def test_bad_records(tmp_path: Path, change: str) -> None:
    text = RECORD.read_bytes()
    path = tmp_path / "game.jsonl"
    changes = {
        "cut": text[: len(text) // 2],
        "edit": text.replace(b"discard Kd", b"discard 2c", 1),
        "garbage": b"hello\n",
        "binary": bytes(range(256)),
    }
    path.write_bytes(changes[change])
    assert "record" in refused("replay", path) or "not JSON" in refused("replay", path)
    refused("replay", path, "--verify", "--json")


def test_json_of_a_match() -> None:
    command = ("match", GAME, "simple", "random", "-n", "20", "--seed", "4", "--json")
    result = undercut(*command)
    assert result.exit_code == 0
    assert result.stdout.count("\n") == 1
    played = json.loads(result.stdout)
    assert played["game"] == GAME
    assert played["agents"] == ["simple", "random"]
    assert played["games"] == 20
    assert played["seed"] == 4
    again = json.loads(undercut(*command, "--workers", "1").stdout)
    other = json.loads(undercut(*command[:-2], "5", "--json").stdout)
    for each in (played, again, other):
        del each["deals_per_second"]
    assert again == played
    assert other != played


def test_a_match_without_luck() -> None:
    command = ("match", GAME, "patient", "simple", "-n", "8", "--adjust", "--workers", "1")
    shown = undercut(*command)
    assert shown.exit_code == 0, shown.output
    assert "with the luck of the cards taken out" in shown.stdout
    assert "as good as games" in shown.stdout
    found = json.loads(undercut(*command, "--json").stdout)
    assert found["adjusted"]["win_rates"][0] == pytest.approx(
        found["win_rate"] - found["adjusted"]["luck"][0]
    )


def test_a_tournament_without_luck() -> None:
    command = ("tournament", GAME, "patient", "simple", "-n", "8", "--adjust", "--workers", "1")
    shown = undercut(*command)
    assert shown.exit_code == 0, shown.output
    assert "with the luck of the cards taken out, as in the ratings" in shown.stdout


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_games_without_values_are_refused(command: str) -> None:
    said = refused(command, "rummy", "greedy", "random", "-n", "2", "--adjust")
    assert "rummy cannot be adjusted for luck: one of gin, distilled" in said


def test_an_odd_number_of_games_is_rounded_up_aloud() -> None:
    result = undercut("match", GAME, "simple", "random", "-n", "5", "--json")
    assert json.loads(result.stdout)["games"] == 6
    assert "games come in pairs, seats exchanged: playing 6, not 5" in result.stderr
    assert undercut("match", GAME, "simple", "random", "-n", "6").stderr == ""


def test_a_match_on_the_screen() -> None:
    result = undercut("match", GAME, "simple", "random:", "-n", "20")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"{GAME}: 20 games, 20 deals, seed 0")
    assert all(len(line) <= 80 for line in lines)
    for text in ("win rate", "95 % interval", "simple", "points with each deal", "draws per deal"):
        assert text in result.stdout


def test_a_sequential_test_on_the_screen() -> None:
    command = ("match", GAME, "simple", "random", "-n", "4000", "--sprt", "0.5,0.7")
    result = undercut(*command)
    assert "0.7 accepted, 0.5 rejected after" in " ".join(result.stdout.split())
    in_elo = undercut(*command[:-2], "--sprt-elo", "0,150", "--json")
    assert json.loads(in_elo.stdout)["sprt"]["verdict"] == "high"


def test_your_own_agent_plays(bots: str) -> None:
    result = undercut("match", GAME, "simple", f"python:{bots}:First", "-n", "4", "--json")
    assert json.loads(result.stdout)["agents"] == ["simple", "first"]


def test_a_tournament(tmp_path: Path) -> None:
    command = ("tournament", GAME, "simple", "patient", "random", "-n", "10")
    shown = undercut(*command, "--plot", tmp_path / "ratings.png")
    assert shown.exit_code == 0
    assert (tmp_path / "ratings.png").exists()
    assert all(len(line) <= 80 for line in shown.stdout.splitlines())
    for text in ("Elo", "95 % interval", "simple", "patient", "random", "wins of the row"):
        assert text in shown.stdout
    results = tmp_path / "results.db"
    first = undercut(*command, "--json", "--resume", results)
    second = undercut(*command, "--json", "--resume", results)
    assert first.stdout == second.stdout
    assert json.loads(first.stdout)["games"] == 10
    assert "another match or tournament: its seed is 0, not 1" in refused(
        *command, "--resume", results, "--seed", "1"
    )


def test_many_agents_fit_on_the_screen() -> None:
    agents = [f"simple:knock_at={limit}" for limit in range(1, 7)]
    result = undercut("tournament", GAME, *agents, "-n", "2")
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    assert "…" not in result.stdout


def test_rules() -> None:
    listed = undercut("rules").stdout
    assert "gin" in listed
    assert "+upcard +knock +long" in listed
    shown = undercut("rules", "distilled+knock:target=75").stdout
    words = " ".join(shown.split())
    assert "target 75 1 to 10000 the match ends when" in words
    assert "gin_bonus 10 0 to 1000" in words
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_agents() -> None:
    shown = undercut("agents").stdout
    assert undercut("agents", "distilled").stdout == shown
    for family in all_families():
        listed = undercut("agents", family.name).stdout.splitlines()
        assert max(len(line) for line in listed) <= 80
        for spec in [*agent_names(family), *(level.spec for level in family.levels)]:
            assert len([line for line in listed if line.split()[:1] == [spec]]) == 1
    assert re.search(r"^ blueprint +master +[\d.]+ % ± [\d.]+ +[\d.]+ [µm]s *$", shown, re.M)


def test_one_agent() -> None:
    shown = undercut("agents", "gin", "patient").stdout
    words = " ".join(shown.split())
    assert "patient: As simple, but goes out only with gin." in words
    assert re.search(r"knock_at +0 +0 to 99 +go out", shown)
    assert "Set them as in patient:knock_at=0" in words
    assert all(len(line) <= 80 for line in shown.splitlines())
    level = undercut("agents", "gin", "casual").stdout
    assert "As casual (blueprint:forgets=1,temperature=7): Goes by what lies open" in level
    assert list(json.loads(undercut("agents", "gin", "casual", "--json").stdout)["agents"]) == [
        "blueprint"
    ]
    assert "unknown agent 'x' for gin" in undercut("agents", "gin", "x").stderr


def test_replay() -> None:
    shown = undercut("replay", RECORD).stdout
    assert shown.startswith("gin: simple v thrifty\ndeal 1: simple plays first\n")
    assert "  simple: draw (Ks)\n" in shown
    assert "the match is over" in shown
    assert "verified, all 61 events" in undercut("replay", RECORD, "--verify").stdout
    told = json.loads(undercut("replay", RECORD, "--json", "--verify").stdout)
    assert told["verified"] is True
    assert told["events"][0]["event"] == "match"


def test_replay_of_what_one_seat_was_told() -> None:
    shown = undercut("replay", RECORD.with_name("gin-seat-1.jsonl")).stdout
    assert "holds hidden cards" in shown


def test_play_hands_over_to_the_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    table: Any = ModuleType("undercut.app.terminal.table")
    asked: list[Any] = []
    table.play = lambda *arguments, full_screen: asked.append(arguments)
    table.resume = lambda *arguments, full_screen: asked.append(arguments)
    table.find_in_play = lambda store, number: None
    monkeypatch.setitem(sys.modules, "undercut.app.terminal.table", table)
    monkeypatch.setenv("UNDERCUT_DATA", str(tmp_path))
    assert undercut("play").stdout == "In a browser: undercut play --web\n"
    undercut("play", "distilled", "--opponent", "thrifty", "--seed", "7", "--record", "r")
    undercut("play", "gin", "--training", "--data", tmp_path)
    undercut("play", "--resume")
    undercut("play", "--resume", "12", "--language", "czech")
    assert asked == [
        (NewGame(), None, None, None),
        (NewGame("distilled", ("thrifty",), seed=7), Path("r"), None, None),
        (NewGame("gin", training=True), None, None, tmp_path),
        (None, None, None, None),
        (12, None, "cs", None),
    ]
    assert "GAME cannot be changed" in undercut("play", "rummy", "--resume", "1").stderr
    assert "must be the number of a game" in undercut("play", "--resume", "last").stderr


def test_bench_of_one_game_in_json() -> None:
    options = ["--seconds", "0.01", "--no-peers", "--workers", "2", "--json"]
    report = json.loads(undercut("bench", "--game", "rummy", *options).stdout)
    assert {"machine", "measures"} == set(report)
    assert len(report["measures"]) == 7
    assert all(each["what"].startswith("Rummy") for each in report["measures"])


def thousands(tasks: list[bench.Task], seconds: float) -> Iterator[bench.Measure]:
    for task in tasks:
        ratio = 1.0 if task.engine == "undercut, 1 thread" else 12.5
        yield bench.Measure(task.what, task.engine, 1000, ratio)


def test_bench_that_is_stopped_keeps_what_it_has_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(tasks: list[bench.Task], seconds: float) -> Iterator[bench.Measure]:
        yield from thousands(tasks[:2], seconds)
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "run", stopped)
    command = ["bench", "--game", "rummy", "--no-peers", "--workers", "2"]
    shown = undercut(*command)
    assert shown.exit_code == 130
    assert shown.stdout.count("  1,000") == 2
    assert shown.stderr == "undercut: stopped\n"
    told = undercut(*command, "--json")
    assert told.exit_code == 130
    assert len(json.loads(told.stdout)["measures"]) == 2
    assert told.stderr.count("  1,000") == 2, "progress"
    monkeypatch.setattr(bench, "run", lambda tasks, seconds: stopped([], seconds))
    assert undercut(*command, "--json").stdout == ""


def test_bench_on_a_gpu_names_each_compilation() -> None:
    """On a simulated GPU, whose kernels seem to take a second each, and to compile."""
    program = """
import sys, time
import undercut.play.gpu.fused as fused
from undercut.cli import screen
from undercut.kernels.compiling import reported
from undercut.lab import bench

play_whole = fused.play_whole
fused.play_whole = lambda job: 1.0 + 0.0 * play_whole(job)
screen._PATIENCE, screen._TICK = 0.0, 0.01
work = bench.GpuAlone.work

def compiled(alone, amount):
    with reported():
        time.sleep(0.1)
    return work(alone, amount)

bench.GpuAlone.work = compiled
options = "--device cuda --game rummy --seconds 0.01 --workers 1 --json".split()
sys.argv = ["undercut", "bench", *options]
sys.stderr = sys.stdout
from undercut.__main__ import main
main()
"""
    *lines, report = on_simulated_gpu(program).splitlines()
    found = json.loads(report)
    assert found["gpu_agrees_with_cpu"] == {"rummy": True}
    engines = [each["engine"] for each in found["measures"]]
    threads = ["undercut, 1 thread", "undercut, GPU", "undercut, GPU alone"]
    assert engines == ["undercut, 1 thread", *3 * threads]
    notice = "compiling kernels for Rummy: greedy v greedy, whole rounds: undercut, GPU alone"
    place = lines.index(notice)
    assert re.fullmatch(r"compiled \d+ kernels in [\d.]+ s", lines[place + 1])
    assert lines[place + 2].startswith("  undercut, GPU alone  ")
    assert lines[-1].endswith("matches of rummy on the GPU equal the CPU's")


def test_bench_on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its work is done in other tests: here all engines make a thousand of everything a second."""
    monkeypatch.setattr(bench, "run", thousands)
    result = undercut("bench", "--seconds", "0.01", "--workers", "1", "--game", "gin")
    assert "12.5 times as fast" in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    for text in ("OpenSpiel", "RLCard", "times as fast", "deadwood of a 10-card hand"):
        assert text in result.stdout


def test_help_and_version() -> None:
    assert undercut("--version").stdout == f"undercut {__version__}\n"
    assert undercut().stdout == undercut("--help").stdout
    for command in main.commands:
        text = undercut(command, "--help").stdout
        assert f"undercut {command}" in text.partition("\n\n")[2], "an example"
        assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.parametrize(
    "words",
    ["generate {out} gin simple random --decisions 9", "export examples/records {out}.parquet"],
)
def test_what_is_not_installed_is_said_before_the_work(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*anything: object, **more: object) -> NoReturn:
        raise AssertionError("the work has begun")

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr("undercut.learn.generate.play_batch", play)
    monkeypatch.setattr("undercut.adapters.decision_table.rows_of", play)
    done = CliRunner().invoke(main, words.format(out=tmp_path / "out").split())
    assert "this needs pyarrow: pip install 'undercut[train]'" in done.stderr
