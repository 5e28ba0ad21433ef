"""The gin table at the terminal, played by typing lines."""

import re

import pytest
from click.testing import CliRunner

from typed_table import Table, pressing, reader
from undercut.cards.card import Card
from undercut.cli import main
from undercut.games.families import parse_game, rule_sets
from undercut.kernels.jit import COMPILED


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
    assert max(len(line) for line in lines if not re.search("──|^Seal opened", line)) <= 80


def test_the_welcome_explains_the_aim_in_three_lines() -> None:
    shown = Table().run(pressing("quit"))
    lines = shown.splitlines()
    assert lines[1] == "Gin Rummy (gin:first_starter=0): you against Simple, first to 100"
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
    assert "Simple passes.\nYou draw" in shown
    assert re.search(
        r"^Simple (draws|takes \S+) from the (stock|pile) and throws \S+\.$", shown, re.M
    )


def test_cards_the_opponent_took_are_shown() -> None:
    for seed in range(50):
        table = Table("gin:first_starter=1", seed)
        first = table.session.events[0]
        if first.verb == "take":
            shown = table.run(pressing("quit"))
            card = Card(*first.cards).symbol
            assert f"  Known      Simple took and still holds {card}\n" in shown
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
    shown = table.type(*lines, layoff, "done", "yes")
    assert "Lay down your melds, and lay off cards that fit the knocker's:" in shown
    assert re.search(r"^You lay off \S+ on \S+\.$", shown, re.M)
    assert " │ laid off " in shown
    assert table.session.is_deal_over


@pytest.mark.parametrize("word", ["auto", "a", ""])
def test_auto_lays_down_what_leaves_least(word: str) -> None:
    seed, lines, _ = knocked_on()
    best = Table("gin", seed).type(*lines, word)
    nothing = Table("gin", seed).type(*lines, "done", "done")
    left = [int(re.findall(r"  You .*deadwood (\d+)", shown)[-1]) for shown in (best, nothing)]
    assert left[0] < left[1]


@pytest.mark.parametrize(
    ("answers", "is_played"),
    [
        (["done", "yes"], True),
        (["done", "done"], True),
        (["done"], False),
        (["done", "help", "done"], False),
        (["done", "fly", "yes"], False),
        (["yes", "done"], False),
    ],
)
def test_a_choice_that_gives_points_away_is_asked_for_twice(
    answers: list[str], is_played: bool
) -> None:
    seed, lines, _ = knocked_on()
    table = Table("gin", seed)
    shown = " ".join(table.type(*lines, *answers).split())
    assert table.session.is_deal_over == is_played
    assert re.search(r"That leaves \d+ points more deadwood than you need. The same again", shown)


def test_what_is_proposed_stands_first_and_the_best_choice_has_the_first_number() -> None:
    seed, lines, _ = knocked_on()
    shown = Table("gin", seed).type(*lines)
    asked = shown[shown.rindex("    a  auto: lay down the best way (") :]
    numbered = re.findall(r"^ +(\d+)  (\w+)", asked, re.M)
    assert numbered[0][0] == "1"
    assert numbered[0][1] in ("meld", "lay")
    assert numbered[-1][1] == "done"


def test_the_end_of_a_deal_shows_both_hands_and_opens_the_seal() -> None:
    seed, lines, _ = knocked_on()
    shown = Table("gin", seed).run(reader([*lines, "auto"]))
    sealed = re.search(r"^Seal \(see help\) (\w{16})…$", shown, re.M)
    opened = re.search(r"^Seal opened: undercut (verify .*)$", shown, re.M)
    assert sealed is not None
    assert opened is not None
    assert opened[1].split()[-1].startswith(sealed[1])
    assert "the seal fits" in CliRunner().invoke(main, opened[1].split()).output
    end = shown[shown.index("Deal 1 is over") :]
    assert "Seal opened" in end
    assert "Seal opened" not in shown.removesuffix(end)
    for name in ("You   ", "Simple"):
        cards = re.search(rf"^  {name}  (.*)   deadwood \d+$", end, re.M)
        assert cards is not None
        assert len(re.findall("[♣♦♥♠]", cards[1])) == 10
