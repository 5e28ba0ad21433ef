"""The terminal table, played by typing lines and pressing keys."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest
from rich.console import Console

from typed_table import Table, pressing, reader
from undercut.app.new_game import NewGame
from undercut.app.store import Store
from undercut.app.stored_games import StoreError
from undercut.app.terminal import compile_notice as waiting
from undercut.app.terminal import table as terminal
from undercut.app.terminal.colours import WIDTH
from undercut.app.terminal.prompts import Asked
from undercut.app.terminal.table import Terminal
from undercut.games.table.description import Choice, Group, Question
from undercut.kernels.jit import COMPILED
from undercut.play.records.record import verify_record
from undercut.text.errors import AgentError, OptionsError, RecordError

START = (
    "from undercut.app.new_game import NewGame; "
    "from undercut.app.terminal.table import play; "
    "play(NewGame({game!r}, ({opponent!r},), None, {seed}), None)"
)
LIMIT = 120  # seconds a program may need to start, kernels compiled first


@pytest.mark.parametrize("spec", ["gin:first_starter=0", "distilled:first_starter=0"])
def test_a_line_divides_one_turn_from_the_next(spec: str) -> None:
    lines = ["pass"] if spec.startswith("gin") else []
    shown = Table(spec).type(*lines, "11", "draw", "1")
    turns = re.findall(r"^You throw .*\n\n── Deal 1 .*\nSimple .*\n", shown, re.M)
    assert len(turns) == shown.count("── Deal 1") == 2


def test_help_rules_and_score_are_there_at_any_time() -> None:
    shown = Table().type("help", "take", "RULES", "score")
    assert "k 8h                knock, throwing 8h" in shown
    assert "12. The first player to reach 100 points wins the match." in shown
    assert "  total           0       0" in shown


@pytest.mark.parametrize("word", ["quit", "q", "EXIT"])
def test_quitting_asks_and_says_the_score(word: str) -> None:
    shown = Table().type(word, "stop")
    assert shown == ("\nYou left the match. Deal 1 · You 0 · Simple 0 · first to 100. Good-bye.\n")
    assert "Your hand" in Table().type(word, "")


@pytest.mark.parametrize("key", [EOFError, KeyboardInterrupt])
def test_ctrl_d_and_ctrl_c_leave_politely(key: type[BaseException]) -> None:
    def read(prompt: str) -> str:
        raise key

    assert Table().run(read).endswith("Good-bye.\n")


def test_a_terminal_without_symbols_gets_letters() -> None:
    table = Table()
    raw = io.BytesIO()
    table.console = Console(file=io.TextIOWrapper(raw, encoding="ascii"), width=80, highlight=False)
    Terminal(table.session, table.console, reader(["quit", "stop"])).run()
    table.console.file.flush()
    assert "  Upcard     Jd    pile 1 card" in raw.getvalue().decode("ascii")
    assert "-- Deal 1 - You 0 - Simple 0" in raw.getvalue().decode("ascii")


def test_lines_are_never_wider_than_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns, width in (("300", WIDTH), (str(WIDTH - 1), WIDTH - 1)):
        monkeypatch.setenv("COLUMNS", columns)
        assert terminal._console().width == width


def test_cards_are_named_where_somebody_wants_that() -> None:
    def shown(*given: bool) -> str:
        table = Table("prsi:first_starter=0", opponents=["smallest"])
        Terminal(table.session, table.console, reader(["quit", "stop"]), *given).run()
        return table.file.getvalue()

    assert shown() == shown(False) != shown(True)


def test_what_is_only_named_is_not_listed() -> None:
    listed, named = Choice("pass", "pass"), Choice("meld", "meld all")
    groups = (Group("Draw?", "named", (named,)), Group("Draw?", "list", (listed,)))
    assert Asked(Question(groups), []).numbered == [listed]


def test_choices_on_the_hand_are_numbered_as_its_cards_lie() -> None:
    cards = [Choice(card, card, (card,)) for card in ("2c", "9d", "Ks")]
    asked = Asked(Question((Group("Throw?", "hand", tuple(cards)),)), ["Ks", "2c", "9d"])
    assert [choice.action for choice in asked.numbered] == ["Ks", "2c", "9d"]


def test_each_suit_has_its_colour() -> None:
    table = Table()
    table.console = Console(
        file=table.file, width=80, highlight=False, force_terminal=True, color_system="standard"
    )
    shown = table.run(reader(["quit", "stop"]))
    hand = shown[shown.index("Your hand") :]  # in groups, with lines between them
    colours = {symbol: set(re.findall(rf"\x1b\[([\d;]+)m *\w+{symbol}", hand)) for symbol in "♣♦♥♠"}
    assert colours == {"♣": {"1;32"}, "♦": {"1;94"}, "♥": {"1;91"}, "♠": {"1"}}


def test_unknown_games_and_opponents_and_impossible_records_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionsError, match="unknown game 'bridge'"):
        terminal.play(NewGame("bridge"), None)
    with pytest.raises(OptionsError, match="unknown agent 'nobody'"):
        terminal.play(NewGame("gin", ("nobody",)), None)
    with pytest.raises(RecordError, match="no such folder"):
        terminal.play(NewGame("gin"), tmp_path / "missing" / "match.jsonl")


@pytest.mark.parametrize("word", ["give up", "g"])
def test_a_match_that_is_given_up_is_recorded_as_left(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.jsonl"
    deals = 0

    def read(prompt: str) -> str:
        nonlocal deals
        deals += prompt.startswith("Enter")
        if prompt.startswith("Stop"):
            return word
        return "quit" if deals == 1 else pressing("1")(prompt)

    monkeypatch.setattr("builtins.input", read)
    terminal.play(NewGame("gin", ("simple",), None, 3), path, data=tmp_path)
    match = verify_record(path)
    assert (match.deals, match.is_left) == (1, True)
    assert "recorded in" in capsys.readouterr().out
    assert Store(tmp_path).games()[0].state == "left"
    with pytest.raises(RecordError, match="is there already"):
        terminal.play(NewGame("gin", ("simple",), None, 3), path, data=tmp_path)


SHORT = "prsi:max_moves=6"


def test_a_match_is_played_again_with_the_same_cards_or_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wishes = iter(["same", "again"])

    def read(prompt: str) -> str:
        return next(wishes, "") if prompt.startswith("Enter: stop") else pressing("d")(prompt)

    monkeypatch.setattr("builtins.input", read)
    terminal.play(NewGame(SHORT, ("biggest",), None, 3), None, data=tmp_path)
    found = [(game.seed, game.training) for game in reversed(Store(tmp_path).games())]
    assert [found[0], found[1], found[2][1]] == [(3, False), (3, True), True]
    assert found[2][0] != 3


def test_the_same_cards_again_in_the_middle_are_for_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for training in (False, True):
        monkeypatch.setattr("builtins.input", reader(["again", "quit", "stop"]))
        terminal.play(NewGame(SHORT, ("biggest",), None, 3, training=training), None, data=tmp_path)
    assert "or a training game, is played again." in capsys.readouterr().out
    assert [game.seed for game in Store(tmp_path).games()] == [3, 3, 3]


@pytest.mark.parametrize("yes", ["yes", "Y"])
def test_a_record_is_saved_and_nothing_is_overwritten_unasked(
    yes: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    second.write_text("mine")
    asked = ["save", "", "save", str(first), "save", str(second), "no"]
    asked += ["save", str(tmp_path / "none" / "file"), "save", str(second), yes, ""]
    answers = iter(asked)
    over = False

    def read(prompt: str) -> str:
        nonlocal over
        over = over or prompt.startswith("Enter: stop")
        assert "Overwrite" not in prompt or second.read_text() == "mine"
        return next(answers) if over else pressing("d")(prompt)

    monkeypatch.setattr("builtins.input", read)
    terminal.play(NewGame(SHORT, ("biggest",), None, 3), None, data=tmp_path)
    assert verify_record(first).deals == verify_record(second).deals == 1
    shown = capsys.readouterr().out
    assert shown.count("Nothing was written.") == 2
    assert "cannot write the record" in shown
    assert "A match is recorded when it has ended." in Table().type("save")


def test_the_pile_can_be_looked_through() -> None:
    assert "\nPile: J♦\n" in Table().type("pile")
    assert re.search(r"\nPile: .*J♦.*\n", Table().type("pass", "draw", "1", "pile"))


@pytest.mark.parametrize(("is_cold", "seconds"), [(True, 0.0), (False, 2.0)])
def test_who_has_to_wait_is_told_why(
    is_cold: bool, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once where all has to be compiled, else after two seconds; and not when it is over."""
    done: list[str] = []

    class Clock:
        daemon = False

        def __init__(self, interval: float, call: Any, arguments: Any) -> None:
            assert interval == seconds
            self.call = lambda: call(*arguments)

        def start(self) -> None:
            assert self.daemon, "it keeps no program that wants to end"
            self.call()

        def cancel(self) -> None:
            done.append("cancelled")

    monkeypatch.setattr(waiting, "Timer", Clock)
    monkeypatch.setattr(waiting, "is_cache_cold", lambda: is_cold)
    file = io.StringIO()
    with waiting.patience(Console(file=file, width=80)):
        assert file.getvalue().startswith("Getting ready: on a first start")
        assert done == []
    assert done == ["cancelled"]


BOT = """
class Bot:
    def act(self, view, legal, random):
        if sum(view.scores):
            {fails}
        return legal[-1]
"""


@pytest.mark.parametrize(
    ("fails", "told"),
    [
        ("raise RuntimeError('I hold 8h')", r"Bot could not answer \(RuntimeError\)\."),
        ("return -1", r"Bot could not answer\."),  # the error lists what it may do: its cards
    ],
)
def test_an_opponent_that_fails_ends_the_match_with_one_line_and_the_game_is_kept(
    fails: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bot, path = tmp_path / "bot.py", tmp_path / "match.jsonl"
    bot.write_text(BOT.format(fails=fails))
    monkeypatch.setattr("builtins.input", pressing("1"))
    resumed = r" Nothing is lost: undercut play --resume 1 goes on here\.$"
    with pytest.raises(AgentError, match=rf"^python:\S+:{told}{resumed}"):
        terminal.play(
            NewGame("gin:knock_limit=99", (f"python:{bot}:Bot",), None, 3),
            path,
            data=tmp_path / "data",
        )
    assert "recorded when it has ended" in capsys.readouterr().out
    assert not path.exists()
    assert max(Store(tmp_path / "data").last().scores) > 0


def test_a_game_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waiting = iter(["1", "1", "log", "hint"])

    def read(prompt: str) -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)
    terminal.play(NewGame("gin:first_starter=0", ("simple",), None, 3), None, data=tmp_path)
    first = capsys.readouterr().out
    assert "Nothing is lost: undercut play --resume 1 goes on here" in first
    assert " points on average, and " in first
    terminal.resume(None, None, None, tmp_path)
    second = capsys.readouterr().out
    hand = re.search(r"Your hand.*", first[first.rindex("Your hand") :])
    assert hand is not None
    assert hand.group() in second
    with pytest.raises(StoreError, match="there is no game 7"):
        terminal.resume(7, None, None, tmp_path)


def test_a_resumed_deal_is_not_told_from_its_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    new = NewGame("gin:first_starter=0", ("simple",), None, 1)
    monkeypatch.setattr(
        "builtins.input", reader(["pass", "draw", "1", "draw", "2", "quit", "stop"])
    )
    terminal.play(new, None, data=tmp_path)
    before = capsys.readouterr().out
    monkeypatch.setattr("builtins.input", reader(["log", "quit", "stop"]))
    terminal.resume(None, None, data=tmp_path)
    shown, _, log = capsys.readouterr().out.partition("Your hand")
    assert "You played this deal before" in shown
    assert before.count("You throw") == log.count("and throw ") == 2
    assert shown.count("You throw") == 1, "only the last own move, and the answer"


def test_moves_are_taken_back_in_training_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for training, answer in (
        (True, "Your last move is taken back."),
        (False, "only in a training"),
    ):
        lines = iter(["1", "undo", "quit", "stop"])
        monkeypatch.setattr("builtins.input", lambda prompt, lines=lines: next(lines))
        terminal.play(NewGame("gin", (), None, 3, training=training), None, data=tmp_path)
        assert answer in capsys.readouterr().out


def test_several_people_pass_the_screen_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prompts: list[str] = []

    def read(prompt: str) -> str:
        prompts.append(prompt)
        if len(prompts) > 60:
            raise EOFError
        return "1" if prompt == "> " else ""

    monkeypatch.setattr("builtins.input", read)
    terminal.play(NewGame("pharaoh", ("smallest",), None, 3, people=2), None, data=tmp_path)
    shown = capsys.readouterr().out
    assert Store(tmp_path).games()[0].players == ("you", "you", "smallest")
    passes = [prompt for prompt in prompts if "pass the screen on" in prompt]
    assert len(passes) >= 2
    assert "You are Player 2." in shown
    with pytest.raises(OptionsError, match="3 players: gin is for 2"):
        terminal.play(NewGame("gin", (), None, 3, people=3), None, data=tmp_path)


def start(game: str = "gin:first_starter=0", **environment: str) -> Any:
    """The game in a terminal of its own."""
    code = START.format(game=game, opponent="simple", seed=1)
    child = pexpect.spawn(
        sys.executable,
        ["-c", code],
        env={**os.environ, "TERM": "dumb", "PYTHONUTF8": "1", **environment},
        encoding="utf-8",
        dimensions=(50, 80),
        timeout=LIMIT,
    )
    child.expect("> ")
    return child


def test_keys_pressed_in_a_dumb_terminal() -> None:
    child = start()
    assert "\x1b" not in child.before
    assert "Upcard     J♦" in child.before
    child.sendline("t")
    child.expect("Throw which card")
    child.expect("> ")
    child.sendline("nonsense")
    child.expect("not understood: 'nonsense'")
    child.expect("> ")
    child.sendline("Ac")
    child.expect("You throw A♣")
    child.expect("> ")
    child.sendline("quit")
    child.expect("play on")
    child.sendline("stop")
    child.expect("You stopped")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


@pytest.mark.parametrize("leave", ["sendintr", "sendeof"])
def test_ctrl_c_and_ctrl_d_in_a_colour_terminal(leave: str) -> None:
    child = start(TERM="xterm-256color")
    assert "\x1b[" in child.before
    getattr(child, leave)()
    child.expect("Good-bye")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_lines_from_a_pipe() -> None:
    code = START.format(game="gin:first_starter=0", opponent="simple", seed=1)
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="t\nAc\n",
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "80"},
        timeout=LIMIT,
        check=True,
    )
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert "You throw A♣." in done.stdout
    assert "Good-bye.\nNothing is lost" in done.stdout


def test_a_first_start_says_that_it_compiles_and_can_be_left(tmp_path: Path) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "undercut", "play", "--opponent", "simple", "--seed", "1"],
        env={**os.environ, "UNDERCUT_CACHE": str(tmp_path), "TERM": "dumb"},
        encoding="utf-8",
        timeout=LIMIT,
    )
    line = "on a first start the program is compiled, once"
    child.expect(line if COMPILED else "> ")
    assert COMPILED or line not in child.before
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == (130 if COMPILED else 0), "while it compiles nothing is left yet"
    assert "Traceback" not in child.before
