"""The rummy table at the terminal, played by typing lines."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.rummy.positions import placed
from typed_table import Table, pressing, reader
from undercut.app.new_game import NewGame
from undercut.app.presentation import Shown
from undercut.app.session import Session
from undercut.app.terminal import table as terminal
from undercut.games.families import parse_game
from undercut.kernels.jit import COMPILED
from undercut.play.records.events import Over, Played
from undercut.play.records.record import verify_record
from undercut.text.errors import OptionsError

EDITIONS = ["rummy", "rummy-classic"]
OPPONENT = "greedy"


def begin(spec: str = "rummy", seed: int = 1, width: int = 80) -> Table:
    return Table(spec, seed, width, [OPPONENT])


def at(*cards: Any, spec: str = "rummy", **position: Any) -> Table:
    """A table in a position as `placed` makes it, the person to draw."""
    return begin(spec).place(placed(*cards, game=spec, **position).state)


def eager(session: Session) -> Callable[[str], str]:
    """Someone who puts down all that can be, in words, and throws the first card there is."""

    def read(prompt: str) -> str:
        if prompt.startswith("Enter"):
            return ""
        choices = session.choices()
        return next((c for c in choices if c.startswith(("meld", "lay"))), choices[0])

    return read


def verdicts(shown: str) -> list[str]:
    """The sentence that ends each deal."""
    ends = shown.split(" is over ──")[1:]
    return [end.split("\n\n")[1].splitlines()[0].strip() for end in ends if "Seal opened" in end]


@pytest.mark.parametrize("spec", [*EDITIONS, "rummy:tie_points=3,turnovers=0,target=30"])
def test_a_whole_match_is_played_and_fits_eighty_columns(spec: str) -> None:
    table = begin(spec if COMPILED or ":" in spec else f"{spec}:target=20", 2, 400)
    shown = table.run(eager(table.session))
    results = table.session.results
    assert table.session.is_over
    assert re.search(r"wins? the match|share the win", shown)
    award = re.compile(r"(\d+) points?(?: for \w+)?\.|nobody scores")
    told = [match[1] or 0 for text in verdicts(shown) if (match := award.search(text))]
    assert [int(points) for points in told] == [max(result.points) for result in results]
    lines = shown.splitlines()[2:]  # the title may be long
    assert max(len(line) for line in lines if not re.search("──|^Seal opened", line)) <= 80


@pytest.mark.parametrize("spec", EDITIONS)
def test_a_match_in_numbers_is_the_match_in_words(spec: str) -> None:
    """The last number is always a put-down if one is legal, else a throw of the last card."""
    table = begin(f"{spec}:target=10", 3)
    shown = Shown(table.session)

    def last(prompt: str) -> str:
        if prompt.startswith("Enter"):
            return ""
        groups = [group for group in shown.question().groups if group.place != "named"]
        return str(sum(len(group.choices) for group in groups))

    numbers = table.run(last)
    typed = [event for event in table.session.record() if isinstance(event, Played)]
    lines = [event.action for event in typed if event.seat == 0]
    twin = begin(f"{spec}:target=10", 3)
    words = iter(lines)

    def same(prompt: str) -> str:
        choices = twin.session.choices()
        return next(word for word in words if word in choices) if choices else ""

    assert twin.run(same) == numbers


def test_the_welcome_explains_the_aim_in_three_lines() -> None:
    lines = begin().run(pressing("quit")).splitlines()
    assert lines[1] == "Rummy: you against Greedy, first to 100"
    assert [line.split()[0] for line in lines[2:5]] == ["Put", "Each", "The"]
    assert "help, rules, score and quit" in lines[5]
    titles = begin("rummy-classic:target=50").run(pressing("q")).splitlines()
    assert titles[1].startswith("Classic Rummy (rummy-classic:target=50): you against Greedy")


def test_the_table_shows_melds_with_numbers_piles_and_hands() -> None:
    table = at("4h 8c 9d", "Ks Kd", melds=["5h 6h 7h", "8d 8h 8s"], pile="3h")
    shown = table.run(pressing("quit"))
    assert "  Greedy      1: 5♥ 6♥ 7♥   2: 8♦ 8♥ 8♠\n" in shown
    assert "  Upcard     3♥    pile 1 card    stock 30 cards\n" in shown
    assert "  Opponent   holds 2 cards\n" in shown
    assert "  Your hand  8♣  9♦  4♥   21 points\n" in shown
    assert "    1  draw from the stock (d)\n    2  take 3♥ (t)\n" in shown


def test_cards_the_opponent_took_are_shown() -> None:
    position = placed("4h 8c 9d", "Ks Kd 2c", pile="3h")
    position.state.shown[1] = 1 << 51
    shown = begin().place(position.state).run(pressing("quit"))
    assert "  Opponent   holds 3 cards, among them K♠\n" in shown


def test_many_melds_take_more_than_one_row() -> None:
    melds = ["Ac 2c 3c 4c 5c 6c", "9c Tc Jc Qc", "2d 3d 4d", "7d 8d 9d Td", "Jh Qh Kh", "5s 6s 7s"]
    shown = at("Ah", "As", melds=melds, pile="3h", stock="9s 8s").run(pressing("quit"))
    rows = re.findall(r"^  Greedy .*\n(?:  +\d+: .*\n)+", shown, re.M)
    assert len(rows) == 1
    assert re.findall(r"(\d+): ", rows[0]) == ["1", "2", "3", "4", "5", "6"]
    assert max(map(len, rows[0].splitlines())) <= 80


PUT_DOWNS = "2c 2d 2s 4h 8h Kc Kd"
MELDS = ["5h 6h 7h", "8c 8d 8s"]


def test_several_put_downs_in_one_turn() -> None:
    table = at(PUT_DOWNS, "Ks Qd Jd", melds=MELDS, pile="3h", stock="9c 9d 9s")
    shown = table.type("d", "meld 2c 2d 2s", "lay 8h on 2", "lay 4h on 5h", "Kc")
    assert "You put down 2♣ 2♦ 2♠.\n" in shown
    assert "You lay off 8♥ on eights.\n" in shown
    assert "You lay off 4♥ on 5♥.\n" in shown
    assert "  You         3: 2♣ 2♦ 2♠\n" in shown
    assert "  Greedy      1: 4♥ 5♥ 6♥ 7♥   2: 8♣ 8♦ 8♥ 8♠\n" in shown
    assert "You throw K♣.\n" in shown


@pytest.mark.parametrize(
    "line", ["lay 8h on 1", "lay 8h on 7h", "l 8h on 5h-7h", "LAY 8H ON 1", "11"]
)
def test_a_card_that_fits_two_melds_goes_where_it_is_told(line: str) -> None:
    table = at(PUT_DOWNS, "Ks Qd Jd", melds=MELDS, pile="3h", stock="9c 9d 9s")
    shown = table.type("draw", line)
    assert "   11  lay off 8♥ on 1: 5♥ 6♥ 7♥\n   12  lay off 8♥ on 2: 8♣ 8♦ 8♠\n" in shown
    assert "1: 5♥ 6♥ 7♥ 8♥" in shown


def test_what_can_be_put_down_is_offered_below_the_throws() -> None:
    table = at("2c 2d 2h 2s 3h 4h 8h", "Ks Qd Jd", melds=MELDS, pile="Kh", stock="9c 9d 9s")
    shown = table.type("draw")
    offers = re.findall(r"^   +(\d+)  (meld|lay off) (.*)$", shown, re.M)
    assert [int(number) for number, _, _ in offers] == list(range(9, 9 + len(offers)))
    assert {" ".join(offer) for _, *offer in offers} == {
        "meld 2♣ 2♦ 2♥ 2♠",
        "meld 2♥ 3♥ 4♥",
        "lay off 8♥ on 2: 8♣ 8♦ 8♠",
        "lay off 4♥ on 1: 5♥ 6♥ 7♥",
        "lay off 8♥ on 1: 5♥ 6♥ 7♥",
    }


def test_a_part_of_a_meld_may_be_named() -> None:
    table = at("2c 2d 2h 2s 9h", "Ks", pile="Kh", stock="9c Td")
    table.session.play("draw")
    (group,) = [each for each in Shown(table.session).question().groups if each.place == "named"]
    assert sorted(choice.words for choice in group.choices) == [
        "meld 2c 2d 2h",
        "meld 2c 2d 2s",
        "meld 2c 2h 2s",
        "meld 2d 2h 2s",
    ]
    shown = at("2c 2d 2h 2s 9h", "Ks", pile="Kh", stock="9c Td").type("d", "2c 2d 2s")
    assert "You put down 2♣ 2♦ 2♠.\n" in shown


DRAWING = [
    ("", "type a number or a word (help lists the words)"),
    ("fly", "not understood: 'fly' (help lists the words)"),
    ("3", "there is no choice 3: 1 to 2"),
    ("Kc", "a turn begins with a card: draw, or take the upcard"),
    ("meld 2c 2d 2s", "a turn begins with a card: draw, or take the upcard"),
    ("lay 8h on 1", "a turn begins with a card: draw, or take the upcard"),
    ("o", "the pile is turned over only when the stock is empty"),
    ("knock", "not understood: 'knock' (help lists the words)"),
]
PLAYING = [
    ("Ad", "you do not hold A♦"),
    ("meld Qc Qh Qs", "you do not hold Q♣ Q♥ Q♠"),
    ("meld 2c 2d 3s", "not a meld: '2♣ 2♦ 3♠'"),
    ("lay 8h", "which one? lay 8♥ on 7♥, lay 8♥ on eights"),
    ("lay Kc on kings", "there is no such meld on the table to lay K♣ on kings"),
    ("lay 8h on 9", "there is no meld 9 on the table: 1 to 2"),
    ("lay Kc on 2", "K♣ does not fit on 2: 8♣ 8♦ 8♠"),
    ("lay 9h on 1", "9♥ does not fit on 1: 5♥ 6♥ 7♥"),
    ("lay 9d on 8d", "there is no such meld on the table to lay 9♦ on 8♦"),
    ("d", "you have drawn already: put cards down, or throw one"),
    ("take", "you have drawn already: put cards down, or throw one"),
    ("turn over", "you have drawn already: put cards down, or throw one"),
    ("99", "there is no choice 99: 1 to 12"),
]


@pytest.mark.parametrize(
    ("first", "line", "answer"),
    [*((False, *each) for each in DRAWING), *((True, *each) for each in PLAYING)],
)
def test_bad_input_is_explained_and_changes_nothing(first: bool, line: str, answer: str) -> None:
    table = at(PUT_DOWNS, "Ks Qd Jd", melds=MELDS, pile="3h", stock="9c 9d 9s")
    lines = ["draw"] if first else []
    shown = table.type(*lines, line)
    assert f"  {answer}" in " ".join(shown.split("\n"))
    question = "Throw which card?" if first else "1  draw from the stock (d)"
    assert shown.count(question) == (2 if first else 1)
    assert len(table.session.events) == len(lines)


def test_the_card_just_taken_may_be_thrown_back_in_the_later_edition_only() -> None:
    for spec in EDITIONS:
        table = at("4h 9c", "Ks Kd", pile="3h", spec=spec)
        shown = table.type("take", "3h")
        refused = "you took 3♥ this turn: it may not be thrown back at once" in shown
        assert refused == (spec == "rummy-classic")
        assert ("You throw 3♥." in shown) != refused
        assert bool(re.search(r"^ +1 +- +2$", shown, re.M)) == refused


def test_a_put_down_that_leaves_only_the_card_just_taken_is_refused_with_its_reason() -> None:
    table = at("2c 2d 2s", "Ks Kd", pile="3h", spec="rummy-classic")
    shown = table.type("take", "meld 2c 2d 2s")
    assert "  that would leave only 3♥, which may not be thrown back at once" in shown
    assert "  Or first put down" not in shown


def test_the_pile_is_turned_over() -> None:
    table = at("4h 9c", "Ks Kd", pile="3h 7c 8d", stock="")
    shown = table.run(reader(["draw", "o", "3h"]))
    assert "    1  take 8♦ (t)\n    2  turn the pile over and draw 3♥ (o)\n" in shown
    assert "  the stock is empty: take 8♦, or turn the pile over\n" in shown
    assert "You turn the pile over and draw 3♥.\n" in shown
    assert "(the pile turned over once)" in shown
    assert re.search(r"^Greedy (draws 7♣ from the stock|takes 3♥)", shown, re.M)
    assert "  Opponent   holds 2 cards: " in shown


def test_what_the_opponent_puts_down_is_told() -> None:
    table = at("4h 9c", "2c 2d 2s 8h Kd Qd", melds=["5h 6h 7h"], pile="3h", stock="Jc Ts 9s 5c")
    shown = table.type("draw", "Jc")
    assert "Greedy puts down 2♣ 2♦ 2♠.\n" in shown
    assert "Greedy lays off 8♥ on 7♥.\n" in shown
    assert re.search(r"^Greedy throws \S+\.$", shown, re.M)


def test_sort_shows_the_hand_by_suits_by_ranks_and_by_melds() -> None:
    table = at("2c 2d 2s 4h Kc", "Ks", pile="3h")
    hands = re.findall(r"Your hand (.*?)   \d+ points", table.type("sort", "sort", "sort"))
    assert hands == [
        " 2♣  K♣  │  2♦  │  4♥  │  2♠",
        " 2♣  2♦  2♠  4♥  K♣",
        " 2♣  2♦  2♠  │  K♣  4♥",
    ]


@pytest.mark.parametrize("spec", [*EDITIONS, "rummy:turnovers=0", "rummy:turnovers=7"])
def test_help_and_rules_fit_eighty_columns_and_say_what_the_options_are(spec: str) -> None:
    shown = begin(spec, width=400).type("help", "rules")
    assert max(len(line) for line in shown.splitlines()) <= 80
    options = parse_game(spec).options
    text = " ".join(shown.split())
    assert "lay 8h on 2 lay a card off on the meld with that number" in text
    assert f"has {options.target} points" in text
    assert ("not the card just taken" in text) == (not options.may_discard_taken)
    assert ("when a turn begins, the stock is empty" in text) == (options.turnovers >= 0)
    assert ("turned over twice" in text) == (options.turnovers == 2)
    assert ("turned over 7 times" in text) == (options.turnovers == 7)
    assert (f"each player scores {options.tie_points}" in text) == (options.tie_points > 0)


def test_the_end_of_a_deal_shows_the_table_and_both_hands() -> None:
    table = begin("rummy", 2)
    shown = table.run(eager(table.session))
    end = shown[shown.index("Deal 1 is over") :]
    end = end[: end.index("Seal opened")]
    assert re.search(r"^  (You|Greedy) +\d+: ", end, re.M)
    for who in ("You hold", "Greedy holds"):
        assert re.search(rf"^  {who} +(no cards|.*[♣♦♥♠]   \d+ points?)$", end, re.M)
    points = max(table.session.results[0].points)
    assert re.search(rf"\b{points} points? for (you|Greedy|each)\.$", end, re.M)


def test_equal_totals_share_the_win() -> None:
    """Every deal is tied at its end, so both players reach the target together."""
    table = begin("rummy:max_turns=1,tie_points=5,target=10")
    shown = table.run(pressing("1"))
    assert verdicts(shown) == ["1 turn played: a tie, 5 points for each."] * 2
    assert "  total          10      10\n" in shown
    assert "  You and Greedy share the win, 1/2 each.\n" in shown
    over = table.session.record()[-1]
    assert isinstance(over, Over)
    assert over.shares == [0.5, 0.5]


def test_the_match_that_was_played_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.jsonl"
    monkeypatch.setattr("builtins.input", pressing("1"))
    terminal.play(NewGame("rummy:max_turns=4,target=10", ("heuristic",), None, 3), path)
    shown = capsys.readouterr().out
    assert "you against Heuristic" in shown
    assert "recorded in" in shown
    assert verify_record(path).deals == 2


def test_agents_and_numbers_of_players_that_do_not_exist_are_refused() -> None:
    with pytest.raises(
        OptionsError, match="'simple' for rummy: one of blueprint, champion, greedy, heuristic"
    ):
        terminal.invite("rummy", ["simple"])
    with pytest.raises(OptionsError, match="3 players: rummy is for 2"):
        terminal.invite("rummy", [], 3)
    with pytest.raises(OptionsError, match="3 players: rummy is for 2"):
        terminal.invite("rummy", ["greedy", "mcts"])


@pytest.mark.parametrize("spec", ["gin", "rummy-classic"])
def test_an_opponent_is_there_without_being_asked_for(spec: str) -> None:
    game, opponents = terminal.invite(spec, [])
    assert [opponent.name for opponent in opponents] == ["skilled"]
    assert terminal.invite(spec, ["random"])[1][0].name == "random"
    assert game.seats == 2
