"""Tables of Pharaoh and Prší at the terminal, played by typing lines."""

import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from games.pharaoh.positions import dealt, placed, redealt, scaled, shuffled, walk
from typed_table import Table, pressing, reader
from undercut.app.new_game import NewGame
from undercut.app.session import Session
from undercut.app.terminal import table as terminal
from undercut.app.terminal.table import Terminal, invite
from undercut.games.families import parse_game
from undercut.games.pharaoh.rules.deal import Options
from undercut.games.pharaoh.table.describe import DESCRIPTION
from undercut.games.pharaoh.table.events import phrase
from undercut.games.pharaoh.table.summary import verdict
from undercut.games.table.description import Company, Effect, Event
from undercut.play.records.record import verify_record
from undercut.text.errors import OptionsError
from undercut.text.translation import fold, speaking

GAMES = ["pharaoh", "pharaoh:players=4", "pharaoh:players=8", "prsi:players=3,deals=2"]
OPPONENT = "biggest"  # quick, and plays everything there is


def begin(spec: str = "pharaoh", seed: int = 1, width: int = 80) -> Table:
    return Table(spec, seed, width, [OPPONENT])


def at(*hands: str, pile: str, spec: str = "pharaoh", **numbers: Any) -> Table:
    """A table in a position as `placed` makes it, the person to move."""
    position = placed(*hands, pile=pile, game=spec)
    for name, value in numbers.items():
        setattr(position.state, name, value)
    return begin(position.game.name).place(position.state)


def eager(session: Session) -> Callable[[str], str]:
    """Someone who plays what can be played, in words."""

    def read(prompt: str) -> str:
        return "" if prompt.startswith("Enter") else session.choices()[-1].removeprefix("play ")

    return read


@pytest.mark.parametrize("spec", GAMES)
def test_a_whole_match_is_played_and_fits_eighty_columns(spec: str) -> None:
    table = begin(spec, 2, 400)
    shown = table.run(eager(table.session))
    session = table.session
    assert session.is_over
    assert len(session.results) == session.game.options.deals
    assert re.search(r"wins? the match|share the win", shown)
    ends = re.findall(r"^  You (?:are|share the) (\w+) .*: (\d+) points?\.$", shown, re.M)
    assert [int(points) for _, points in ends] == [result.points[0] for result in session.results]
    told = shown.partition("── The match is over")[0]  # the score sheet fits any width
    lines = told.splitlines()[2:]  # the title may be long
    assert max(len(line) for line in lines if not re.search(" · |──|^Seal opened", line)) <= 80


@pytest.mark.parametrize("spec", GAMES)
def test_a_match_in_numbers_is_the_match_in_words(spec: str) -> None:
    """The answer 1 always plays the lowest card that fits, and names hearts for overs."""
    words = begin(spec, 3)

    def first(prompt: str) -> str:
        plays = [c for c in words.session.choices() if c.startswith("play")]
        return next((play for play in plays if len(play.split()) in (2, 4)), "")

    in_words = words.run(first)
    numbers = begin(spec, 3)

    def one(prompt: str) -> str:
        choices = numbers.session.choices()
        return "1 hearts" if len(choices) > 1 and "suit" in choices[1] else "1"

    assert numbers.run(one) == in_words
    assert words.session.is_over


@pytest.mark.parametrize("spec", GAMES)
def test_hidden_cards_do_not_change_one_letter_of_the_screen(spec: str) -> None:
    shown = 0
    for seed in range(scaled(4, 2)):
        random = Random(seed)
        for table in walk(dealt(shuffled(random), spec), random, eager=True):
            if table.is_over or table.seat != 0 or len(table.legal()) == 1 or random.random() < 0.5:
                continue
            twin = redealt(table, 0, random)
            screens = [
                begin(spec).place(each.state).run(pressing("quit")) for each in (table, twin)
            ]
            assert screens[0] == screens[1]
            shown += 1
    assert shown > 1


def test_the_welcome_explains_the_aim_in_three_lines() -> None:
    lines = begin().run(pressing("quit")).splitlines()
    assert lines[1] == "Pharaoh: you against Biggest, a single deal"
    assert [line.split()[0] for line in lines[2:5]] == ["Get", "Sevens", "Cards:"]
    assert "help, rules, score and quit" in lines[5]
    title = begin("prsi:players=3,deals=5").run(pressing("q")).splitlines()[1]
    assert title == "Prší (prsi:deals=5,players=3): you against Biggest A and Biggest B, 5 deals"
    title = begin("pharaoh:players=8").run(pressing("q")).splitlines()[1]
    assert title == "Pharaoh (pharaoh:players=8): you against 7 others, a single deal"


def test_the_table_shows_others_piles_what_fits_and_the_hand() -> None:
    shown = at("7H 9L XH KC", "8B", "9B UB", pile="8H").run(pressing("quit"))
    assert "  Others     Biggest A 1 card    Biggest B 2 cards\n" in shown
    assert "  On top     8H    pile 1    stock 24\n" in shown
    assert "  Fits       hearts, any eight, any over or UL\n" in shown
    assert "  Your hand  7H  9L 10H  KC\n              1   -   2   -\n" in shown
    assert "Play which card? Type its number, or its name: XH is 10H (ten of hearts).\n" in shown
    assert "    3  draw a card (d)\n" in shown


def test_a_suit_that_was_named_is_shown() -> None:
    shown = at("7H 9C", "8B", pile="OH", suit=2).run(pressing("quit"))
    assert "  On top     OH, acorns asked for    pile 1    stock 28\n" in shown
    assert "  Fits       acorns, any over or UL\n" in shown


def test_a_penalty_and_skips_are_shown() -> None:
    shown = at("7C 9C", "8B", pile="7H", count=6).run(pressing("quit"))
    assert "  To take    6 cards, or answer with any seven or UL\n" in shown
    assert "    2  draw 6 cards (d)\n" in shown
    shown = at("AC 9C", "8B", "KH", pile="AH", count=0, ace=2).run(pressing("quit"))
    assert "  Skipped    you and 1 player after you, unless you answer with any ace\n" in shown
    assert "    2  pass, and be skipped (p)\n" in shown


def test_a_skip_that_nothing_answers_is_shown() -> None:
    table = placed("9C", "8B", pile="AH", game="pharaoh:aces_stack=0")
    table.state.ace, table.state.count = 1, 0
    (need,) = [
        area
        for area in DESCRIPTION.table(table.readable(0), Company(("you", "biggest"))).areas
        if area.kind == "need"
    ]
    assert (need.label, need.parts[0].before) == ("Skipped", "you")


def test_players_who_are_out_and_cards_that_are_known_are_shown() -> None:
    table = placed("8C KC 8B", "9L UB", "XL", pile="9B XH 7B", stock="")
    table.state.hands[2], table.state.out_at[2], table.state.left = 0, 3, 2
    table.state.hands[1] |= 1 << 15
    shown = begin("pharaoh:players=3").place(table.state).run(pressing("quit"))
    assert "  Others     Biggest A 3 cards: 9L 10L UB" in shown
    assert "Biggest B out first\n" in shown


def test_several_cards_are_offered_and_played_in_their_order() -> None:
    table = at("7H 7L OC", "8B KB", pile="8H")
    shown = table.run(reader(["7H 7L"]))
    assert "  Or several at once, the last of them on top:\n    3  7H 7L\n" in shown
    assert "You play 7H 7L.\n" in shown
    assert re.search(r"^Biggest draws 6 cards\.$", shown, re.M)
    assert "  On top     7L " in shown


@pytest.mark.parametrize("line", ["OH acorns", "play OH suit acorns", "oh a", "1 acorns", "1 A"])
def test_an_over_names_a_suit(line: str) -> None:
    shown = at("OH 9C KL", "8B KB", pile="8L").type(line)
    assert shown.startswith("You play OH and ask for acorns.\n")


def test_overs_explain_how_to_name_a_suit() -> None:
    shown = at("OH 9C KL", "8B KB", pile="8L").run(pressing("quit"))
    assert "  Overs name a suit: 1 leaves, or OH leaves.\n" in shown


REFUSED = [
    ("", "type a number or a word (help lists the words)"),
    ("fly", "not understood: 'fly' (help lists the words)"),
    ("9", "there is no choice 9: 1 to 3"),
    ("KH", "you do not hold KH"),
    ("9C", "9C cannot come first now: play hearts, any eight, any over or UL, or draw"),
    ("7L 7H", "7L cannot come first now: play hearts, any eight, any over or UL, or draw"),
    ("pass", "you cannot pass now: play hearts, any eight, any over or UL, or draw"),
    ("7H 9C", "not a play: 'play 7H 9C' (one to four different cards of one value)"),
    ("OH", "name a suit too: OH hearts, OH bells, OH acorns or OH leaves"),
]


@pytest.mark.parametrize(("line", "answer"), REFUSED)
def test_bad_input_is_explained_and_changes_nothing(line: str, answer: str) -> None:
    table = at("7H 7L 9C", "8B KB", pile="8H")
    shown = table.type(line)
    assert shown.startswith(f"  {answer}\n")
    assert shown.count("Play which card?") == 1
    assert table.session.events == []


def test_refusals_know_penalties_skips_and_house_rules() -> None:
    shown = at("7C 9C", "8B", pile="7H", count=3).type("9C", "pass")
    assert "9C cannot come first now: play any seven or UL, or draw 3 cards\n" in shown
    assert "you cannot pass now: play any seven or UL, or draw 3 cards\n" in shown
    shown = at("AC 9C", "8B", pile="AH", count=0, ace=1).type("draw")
    assert "you cannot draw now: play any ace, or pass\n" in shown
    shown = at("7H 7C", "8B", pile="8H", spec="prsi").type("7H 7C")
    assert "2 cards at once: 1 at most\n" in shown


def test_once_the_person_is_out_only_outs_are_told() -> None:
    for seed in range(20):
        table = begin("pharaoh:players=4", seed)
        shown = table.run(eager(table.session))
        out = re.search(r"^You .* are out (first|second)\.\n", shown, re.M)
        if out:
            rest = shown[out.end() :].partition("\n──")[0].splitlines()
            assert rest
            assert all(re.search(r" is out \w+\.$", line) for line in rest if line)
            assert len(table.session.events) > len(rest)
            return
    pytest.fail("the person was never out early")


@pytest.mark.parametrize(
    ("seen", "you", "other"),
    [
        (Event(0, "play", ("7L", "7C")), "play 7L 7C", "plays 7L 7C"),
        (
            Event(0, "play", ("OH",), "bells"),
            "play OH and ask for bells",
            "plays OH and asks for bells",
        ),
        (
            Event(0, "play", ("7H",), effects=(Effect("back", 1),)),
            "play 7H and bring B back",
            "plays 7H and brings B back",
        ),
        (
            Event(0, "play", ("7L",), effects=(Effect("out", 2),)),
            "play 7L and are out second",
            "plays 7L and is out second",
        ),
        (Event(0, "skip"), "are skipped", "is skipped"),
        (Event(0, "pass"), "find no card to draw", "finds no card to draw"),
    ],
)
def test_moves_are_told_in_sentences(seen: Event, you: str, other: str) -> None:
    company = Company(("A", "B"))
    assert phrase(seen, True, company) == you
    assert phrase(seen, False, company) == other


def test_draws_are_told_in_sentences() -> None:
    company, naming = Company(()), Company((), names_cards=True)
    one, three = (
        Event(1, "draw", unseen=1),
        Event(1, "draw", unseen=3, effects=(Effect("shuffled"),)),
    )
    assert phrase(one, False, company) == "draws a card"
    assert phrase(three, False, company) == "draws 3 cards and shuffles the pile"
    drawn = Event(0, "draw", ("7L",))
    unasked = replace(drawn, effects=(Effect("unasked"),))
    assert phrase(unasked, True, company) == "have nothing that fits and draw 7L"
    with speaking("sk"):
        assert phrase(drawn, True, naming) == "ťaháte 7L (zelená sedmička)"


CALLED = {
    "en": ("under of leaves", "You play"),
    "cs": ("zelený spodek", "Hrajete"),
    "sk": ("zelený dolník", "Hráte"),
}


@pytest.mark.parametrize("language", CALLED)
def test_cards_are_called_by_their_names_and_can_be_typed_so(language: str) -> None:
    under, you_play = CALLED[language]
    for typed in ("UL", under, fold(under).upper()):
        table = at("UL 9H UH", "8B KB 7C", pile="8L")
        with speaking(language):
            Terminal(table.session, table.console, reader([typed, "quit", "stop"]), True).run()
        shown = table.file.getvalue()
        assert f" UL {under}\n" in shown
        assert f"{you_play} UL ({under}).\n" in shown


def test_a_terminal_without_symbols_gets_letters() -> None:
    game, opponents = invite("prsi", [OPPONENT])
    raw = io.BytesIO()
    console = Console(file=io.TextIOWrapper(raw, encoding="ascii"), width=80, highlight=False)
    Terminal(Session(game, opponents, 1), console, pressing("quit"), True).run()
    console.file.flush()
    assert "Prsi: you against Biggest" in raw.getvalue().decode("ascii")


HOUSE_RULES = [
    *GAMES,
    "pharaoh:upcard_effects=1,aces_stack=0,over_on_active=1,quad_effects=1,most_cards=4",
    "prsi:heart_seven_returns=1,most_cards=3,stop_rounds=1",
]


@pytest.mark.parametrize("spec", HOUSE_RULES)
def test_help_and_rules_fit_eighty_columns_and_say_what_the_options_are(spec: str) -> None:
    shown = begin(spec, width=400).type("help", "rules")
    assert max(len(line) for line in shown.splitlines() if "You left" not in line) <= 80
    options, text = parse_game(spec).options, " ".join(shown.split())
    each = min(options.deal, 27 // options.players)
    assert f"Each player gets {each} cards of 32" in text
    assert f"a penalty of {options.seven_cards} cards" in text
    assert ("counts as if played" in text) == bool(options.upcard_effects)
    assert ("answer with aces" in text) == bool(options.aces_stack)
    assert ("goes on anything but a seven" in text) == (not options.over_on_active)
    assert ("The under of leaves" in text) == bool(options.leaves_under)
    assert ("plays four cards of one value" in text) == bool(options.quads)
    assert ("the very next move plays 7H" in text) == bool(options.heart_seven_returns)
    assert ("when the first player has no cards" in text) == bool(options.first_out_wins)
    assert ("The match is one deal." in text) == (options.deals == 1)


@pytest.mark.parametrize(
    ("outcome", "points", "told"),
    [
        ("out", [6, 4, 2, 0], ["You are first of 4: 6 points."]),
        ("out", [1, 4, 1], ["You share the second place of 3: 1 point."]),
        (
            "stop",
            [0, 2],
            [
                "No card was played or taken for 3 rounds: whoever has fewer cards is ahead.",
                "You are second of 2: 0 points.",
            ],
        ),
        (
            "limit",
            [1, 1],
            [
                "10000 moves played: whoever has fewer cards is ahead.",
                "You share the first place of 2: 1 point.",
            ],
        ),
    ],
)
def test_the_last_words_on_a_deal(outcome: str, points: list[int], told: list[str]) -> None:
    assert verdict(outcome, points, 0, Options()) == told


def test_places_and_points_are_those_of_the_deal() -> None:
    table = begin("pharaoh:players=4", 5)
    shown = table.run(eager(table.session))
    end = shown[shown.index("Deal 1 is over") :]
    rows = re.findall(
        r"^  (\w+) +(you|Biggest [ABC]) +(\d+) points?( +\d+ cards? left)?$", end, re.M
    )
    assert [row[0] for row in rows] == ["first", "second", "third", "fourth"]
    points = dict(zip(table.session.names, table.session.results[0].points, strict=True))
    assert {name: int(number) for _, name, number, _ in rows} == points
    assert [bool(left) for *_, left in rows] == [False, False, False, True]


def test_the_match_that_was_played_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.jsonl"
    monkeypatch.setattr("builtins.input", pressing("d"))
    new = NewGame("prsi:players=3,deals=2,max_moves=12", (OPPONENT,), None, 3)
    terminal.play(new, path, "sk")
    assert "Partia je zapísaná v" in capsys.readouterr().out
    assert verify_record(path).deals == 2


def test_opponents_take_a_seat_each_and_the_last_all_that_are_left() -> None:
    def names(spec: str, opponents: list[str], seats: int | None = None) -> list[str]:
        return [agent.name for agent in invite(spec, opponents, seats)[1]]

    assert names("pharaoh:players=3", []) == ["skilled"] * 2
    assert names("pharaoh:players=4", ["random", "biggest"]) == ["random", "biggest", "biggest"]
    assert names("prsi", ["random", "biggest"], 5) == ["random"] + ["biggest"] * 3
    assert names("pharaoh", ["random", "biggest"]) == ["random", "biggest"]
    game, opponents = invite("pharaoh:players=2", ["random", "biggest"])
    with pytest.raises(OptionsError, match="2 opponents: pharaoh:players=2 is played against 1"):
        Session(game, opponents)
