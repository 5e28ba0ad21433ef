"""The terminal table, played by typing lines and pressing keys."""

import hashlib
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
from undercut.app.terminal import table as terminal
from undercut.app.terminal.table import Terminal
from undercut.core.errors import AgentError, OptionsError, RecordError
from undercut.core.jit import COMPILED
from undercut.games.families import parse_game, rule_sets
from undercut.play.record import verify_record

START = (
    "from undercut.app.terminal.table import play; "
    "play({game!r}, [{opponent!r}], None, {seed}, None)"
)
LIMIT = 120  # seconds a program may need to start, kernels compiled first


def told_points(shown: str) -> list[int]:
    """The points that the end of each deal speaks of."""
    ends = shown.split(" is over ──")[1:]
    told = [re.search(r"(\d+) points?(?: for \w+)?\.\n|nobody scores", end) for end in ends]
    return [int(match[1] or 0) for match in told if match]


@pytest.mark.parametrize("spec", rule_sets("gin"))
def test_a_whole_match_is_played_and_fits_eighty_columns(spec: str) -> None:
    table = Table(spec if COMPILED else f"{spec}:target=20", width=400)
    shown = table.run(pressing("1"))
    assert table.session.is_over
    assert "wins the match" in shown or "You win the match" in shown
    assert told_points(shown) == [max(result.points) for result in table.session.results]
    lines = shown.splitlines()[2:]  # the title may be long
    assert max(len(line) for line in lines if "──" not in line) <= 80


def test_the_welcome_explains_the_aim_in_three_lines() -> None:
    shown = Table().run(pressing("quit"))
    lines = shown.splitlines()
    assert lines[1] == "Gin Rummy (gin:first_starter=0): you against simple, first to 100"
    assert [line.split()[0] for line in lines[2:5]] == ["Collect", "Each", "With"]
    assert "help, rules, score and quit" in lines[5]


def test_the_table_shows_upcard_piles_hand_and_deadwood() -> None:
    shown = Table().run(pressing("quit"))
    assert "  Upcard     J♦    pile 1 card    stock 31 cards\n" in shown
    hand = "  Your hand  2♦  3♦  4♦  │  A♣ 10♣  7♦  A♥  J♥  3♠  8♠   deadwood 40\n"
    assert hand in shown
    assert "    1  take J♦ (t)\n    2  pass, leave it there (p)\n" in shown


def test_a_turn_in_numbers_and_the_same_turn_in_words() -> None:
    numbers = Table().type("1", "4", "1")
    words = Table().type("t", "Ac", "draw")
    assert numbers == words
    assert "You take J♦ from the pile.\n" in numbers
    assert "You throw A♣.\n" in numbers
    assert re.search(r"^You draw \S+ from the stock\.$", numbers, re.M)


def test_what_the_opponent_did_is_told() -> None:
    shown = Table().type("pass", "11")
    assert "simple passes.\nYou draw" in shown
    assert re.search(
        r"^simple (draws|takes \S+) from the (stock|pile) and throws \S+\.$", shown, re.M
    )


@pytest.mark.parametrize("spec", ["gin:first_starter=0", "distilled:first_starter=0"])
def test_a_line_divides_one_turn_from_the_next(spec: str) -> None:
    lines = ["pass"] if spec.startswith("gin") else []
    shown = Table(spec).type(*lines, "11", "draw", "1")
    turns = re.findall(r"^You throw .*\n\n── Deal 1 .*\nsimple .*\n", shown, re.M)
    assert len(turns) == shown.count("── Deal 1") == 2


def test_cards_the_opponent_took_are_shown() -> None:
    for seed in range(50):
        table = Table("gin:first_starter=1", seed)
        first = table.session.events[0].text
        if first.startswith("take "):
            shown = table.run(pressing("quit"))
            symbol = dict(zip("cdhs", "♣♦♥♠", strict=True))[first[-1]]
            card = first[5].replace("T", "10") + symbol
            assert f"  Known      simple took and still holds {card}\n" in shown
            return
    pytest.fail("simple never took the first upcard")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", "type a number or a word (help lists the words)"),
        ("fly", "not understood: 'fly' (help lists the words)"),
        ("9", "there is no choice 9: 1 to 2"),
        ("0", "there is no choice 0: 1 to 2"),
        ("draw", "'draw' is not possible now"),
        ("Kh", "'discard' is not possible now"),
        ("1x", "not understood: '1x' (help lists the words)"),
        ("k", "there is nothing to knock now"),
        ("meld 2d 3d 5d", "not a meld: '2♦ 3♦ 5♦'"),
        ("auto", "not understood: 'auto' (help lists the words)"),
    ],
)
def test_bad_input_is_answered_and_the_question_asked_again(line: str, answer: str) -> None:
    shown = Table().type(line)
    assert shown.startswith(f"  {answer}")
    question = "    1  take J♦ (t)\n    2  pass, leave it there (p)\n"
    assert question in shown


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("Jd", "you took J♦ this turn: it may not be thrown back at once"),
        ("Kd", "you do not hold K♦"),
        ("k Kd", "you do not hold K♦"),
        ("k Jh", "that leaves 40 points of deadwood; 10 is the most to knock"),
        ("d", "'draw' is not possible now"),
        ("12", "there is no choice 12: 1 to 10"),
        ("discard", "which one? discard 2♦,"),
        ("2d 3d 4d", "'meld' is not possible now"),
    ],
)
def test_a_throw_that_is_not_allowed_is_explained(line: str, answer: str) -> None:
    shown = Table().type("take", line)
    assert f"\n  {answer}" in shown
    assert shown.count("Throw which card?") == 2


def test_knocks_are_offered_below_the_throws_the_best_first() -> None:
    shown = Table("gin:first_starter=0,knock_limit=45").type("take", "11")
    offers = re.findall(r"^   (\d+)  knock, throwing (\S+) \(deadwood (\d+)\)$", shown, re.M)
    assert [int(number) for number, _, _ in offers] == list(range(11, 11 + len(offers)))
    left = [int(deadwood) for _, _, deadwood in offers]
    assert left == sorted(left)
    assert left[-1] <= 45
    assert f"You knock, throwing {offers[0][1]}.\n" in shown


def test_knocking_is_refused_where_nobody_knocks() -> None:
    table = Table("distilled:first_starter=0")
    card = table.session.choices()[0].split()[1]
    assert "nobody knocks in this game" in table.type(f"knock {card}")


def test_sort_shows_the_hand_by_suits_by_ranks_and_by_melds() -> None:
    shown = Table().type("sort", "sort", "sort")
    hands = re.findall(r"Your hand (.*?)   deadwood", shown)
    assert hands == [
        " A♣ 10♣  │  2♦  3♦  4♦  7♦  │  A♥  J♥  │  3♠  8♠",
        " A♣  A♥  2♦  3♦  3♠  4♦  7♦  8♠ 10♣  J♥",
        " 2♦  3♦  4♦  │  A♣ 10♣  7♦  A♥  J♥  3♠  8♠",
    ]


def test_help_rules_and_score_are_there_at_any_time() -> None:
    shown = Table().type("help", "take", "RULES", "score")
    assert "k 8h                knock, throwing 8h" in shown
    assert "11. The first player to reach 100 points wins the match." in shown
    assert "  total           0       0" in shown


@pytest.mark.parametrize("spec", rule_sets("gin"))
def test_help_and_rules_fit_eighty_columns(spec: str) -> None:
    shown = Table(spec, width=400).type("help", "rules")
    assert max(len(line) for line in shown.splitlines()) <= 80


@pytest.mark.parametrize(
    "spec", [*rule_sets("gin"), "gin:eaai_auto_layoff=1", "gin:face_points=13"]
)
def test_the_rules_say_what_the_options_are(spec: str) -> None:
    game = parse_game(spec)
    text = " ".join(Table(spec).type("rules").split())
    assert f"reach {game.options.target} points" in text
    assert ("may knock" in text) == bool(game.options.knock)
    assert ("gets eleven cards" in text) == (not game.options.upcard)
    assert ("jack 11" in text) == (game.options.face_points == 13)
    assert ("by itself, wherever" in text) == bool(game.options.eaai_auto_layoff)


def knocked_on() -> tuple[int, list[str], list[str]]:
    """A deal in which simple knocks and something may be laid off: seed, lines typed, choices."""
    for seed in range(200):
        session, lines = Table("gin", seed).session, []
        while session.choices() and not session.choices()[0].startswith(("meld", "lay")):
            lines.append(session.choices()[0])
            session.play(lines[-1])
        if any(choice.startswith("lay ") for choice in session.choices()):
            return seed, lines, session.choices()
    pytest.fail("simple never knocked so that something could be laid off")


def test_after_a_knock_cards_are_laid_off_in_words() -> None:
    seed, lines, choices = knocked_on()
    layoff = next(choice for choice in choices if choice.startswith("lay "))
    table = Table("gin", seed)
    shown = table.type(*lines, layoff, "done")
    assert "Lay down your melds, and lay off cards that fit the knocker's:" in shown
    assert re.search(r"^You lay off \S+ on \S+\.$", shown, re.M)
    assert " │ laid off " in shown
    assert table.session.is_deal_over


@pytest.mark.parametrize("word", ["auto", "a", ""])
def test_auto_lays_down_what_leaves_least(word: str) -> None:
    seed, lines, _ = knocked_on()
    best = Table("gin", seed).type(*lines, word)
    nothing = Table("gin", seed).type(*lines, "done")
    left = [int(re.findall(r"  You .*deadwood (\d+)", shown)[-1]) for shown in (best, nothing)]
    assert left[0] < left[1]


def test_the_end_of_a_deal_shows_both_hands_and_opens_the_seal() -> None:
    seed, lines, _ = knocked_on()
    shown = Table("gin", seed).run(reader([*lines, "auto"]))
    sealed = re.search(r"^Seal \(see help\) (\w{64})$", shown, re.M)
    opened = re.search(r"^Seal opened: (.*)$", shown, re.M)
    assert sealed is not None
    assert opened is not None
    assert hashlib.sha256(opened[1].encode()).hexdigest() == sealed[1]
    end = shown[shown.index("Deal 1 is over") :]
    assert "Seal opened" in end
    assert "Seal opened" not in shown.removesuffix(end)
    for name in ("You   ", "simple"):
        cards = re.search(rf"^  {name}  (.*)   deadwood \d+$", end, re.M)
        assert cards is not None
        assert len(re.findall("[♣♦♥♠]", cards[1])) == 10


@pytest.mark.parametrize("word", ["quit", "q", "EXIT"])
def test_quitting_says_the_score(word: str) -> None:
    shown = Table().type(word)
    assert shown == ("\nYou left the match. Deal 1 · you 0 · simple 0 · first to 100. Good-bye.\n")


@pytest.mark.parametrize("key", [EOFError, KeyboardInterrupt])
def test_ctrl_d_and_ctrl_c_leave_politely(key: type[BaseException]) -> None:
    def read(prompt: str) -> str:
        raise key

    assert Table().run(read).endswith("Good-bye.\n")


def test_a_terminal_without_symbols_gets_letters() -> None:
    table = Table()
    raw = io.BytesIO()
    table.console = Console(file=io.TextIOWrapper(raw, encoding="ascii"), width=80, highlight=False)
    Terminal(table.session, table.console, pressing("quit")).run()
    table.console.file.flush()
    assert "  Upcard     Jd    pile 1 card" in raw.getvalue().decode("ascii")
    assert "-- Deal 1 - you 0 - simple 0" in raw.getvalue().decode("ascii")


def test_each_suit_has_its_colour() -> None:
    table = Table()
    table.console = Console(
        file=table.file, width=80, highlight=False, force_terminal=True, color_system="standard"
    )
    shown = table.run(pressing("quit"))
    colours = {symbol: re.findall(rf"\x1b\[([\d;]+)m *\w+{symbol}", shown)[0] for symbol in "♣♦♥♠"}
    assert len(set(colours.values())) == 4


def test_unknown_games_and_opponents_and_impossible_records_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionsError, match="unknown game 'bridge'"):
        terminal.play("bridge", [], None, None, None)
    with pytest.raises(OptionsError, match="unknown agent 'nobody'"):
        terminal.play("gin", ["nobody"], None, None, None)
    with pytest.raises(RecordError, match="no such folder"):
        terminal.play("gin", [], None, None, tmp_path / "missing" / "match.jsonl")


def test_the_deals_that_were_finished_are_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.jsonl"
    deals = 0

    def read(prompt: str) -> str:
        nonlocal deals
        deals += prompt.startswith("Enter")
        return "quit" if deals == 2 else pressing("1")(prompt)

    monkeypatch.setattr("builtins.input", read)
    terminal.play("gin", ["simple"], None, 3, path)
    assert verify_record(path).deals == 2
    assert "recorded in" in capsys.readouterr().out


BOT = """
class Bot:
    def act(self, view, legal, random):
        if sum(view.scores):
            raise RuntimeError("lost my glasses")
        return legal[-1]
"""


def test_an_opponent_that_fails_ends_the_match_with_one_line_and_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, path = tmp_path / "bot.py", tmp_path / "match.jsonl"
    bot.write_text(BOT)
    monkeypatch.setattr("builtins.input", pressing("1"))
    with pytest.raises(AgentError, match="RuntimeError: lost my glasses"):
        terminal.play("gin:knock_limit=99", [f"python:{bot}:Bot"], None, 3, path)
    assert verify_record(path).deals >= 1


def test_nothing_is_recorded_when_no_deal_was_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    terminal.play("gin", [], None, 3, tmp_path / "match.jsonl")
    assert list(tmp_path.iterdir()) == []
    assert "nothing to record" in capsys.readouterr().out


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
    child.expect("You left the match")
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
    assert done.stdout.endswith("Good-bye.\n")


def test_a_first_start_says_that_it_compiles_and_can_be_left(tmp_path: Path) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "undercut", "play", "--opponent", "simple", "--seed", "1"],
        env={**os.environ, "UNDERCUT_CACHE": str(tmp_path), "TERM": "dumb"},
        encoding="utf-8",
        timeout=LIMIT,
    )
    line = "on a first start the rules are compiled, once"
    child.expect(line if COMPILED else "> ")
    assert COMPILED or line not in child.before
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == (130 if COMPILED else 0), "while it compiles nothing is left yet"
    assert "Traceback" not in child.before
