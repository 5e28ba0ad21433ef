"""One test for each numbered rule of docs/rules/distilled.md."""

import numpy as np
import pytest

from cards.reference.cards import PACK
from games.gin.positions import draw_and_discard, gin_table, gin_view_in_words
from positions import Table, generator
from undercut.games.families import parse_game
from undercut.games.gin.rules import deal as gin
from undercut.kernels.records import pack

# Three melds and a four; a 4c makes gin of it.
NEARLY = "Ac 2c 3c 5d 6d 7d 9h 9s 9c 4h"
LOOSE = "As Kd Qh Jd Tc 8s 6s 5c 3h 2d"  # 65 points, no meld


def _knocks(table: Table) -> list[str]:
    return [action for action in table.legal() if action.startswith("knock")]


def test_d1_chance_decides_who_deals_first() -> None:
    game = parse_game("distilled")
    assert (game.seats, game.options.target) == (2, 50)
    options = pack(game.options)
    assert {gin.first_starter(options, 2, generator(seed)) for seed in range(20)} == {0, 1}


def test_d2_eleven_cards_for_the_non_dealer_ten_for_the_dealer_and_no_upcard() -> None:
    table = Table(parse_game("distilled"), PACK, starter=1)
    own, other = gin_view_in_words(table.view(1)), gin_view_in_words(table.view(0))
    assert own["hand"] == frozenset([*PACK[:10], PACK[20]])
    assert other["hand"] == frozenset(PACK[10:20])
    assert (own["stock"], own["upcard"], own["pile"]) == (31, None, frozenset())


def test_d3_the_non_dealer_throws_any_card_then_the_dealer_has_his_turn() -> None:
    table = gin_table(seat0=LOOSE + " 9h", game="distilled")
    assert table.seat == 0
    assert len(table.legal()) == 11
    assert all(action.startswith("discard") for action in table.legal())
    table.play("discard 9h")
    assert table.seat == 1
    assert table.legal() == ["draw", "take"]


def test_d3_gin_counts_on_the_first_turn() -> None:
    table = gin_table(seat0=NEARLY + " 4c", seat1=LOOSE, game="distilled").play("discard 4h")
    assert table.is_over
    assert table.points() == [65, 0]


def test_d4_a_turn_with_two_cards_in_the_stock_makes_the_deal_void() -> None:
    table = gin_table(seat0=LOOSE + " Ah", game="distilled", starter=0).play("discard Ah")
    draw_and_discard(table, 28)
    assert not table.is_over
    draw_and_discard(table, 1)
    assert table.is_over
    view = gin_view_in_words(table.view())
    assert (view["stock"], view["outcome"]) == (2, "void")
    assert table.points() == [0, 0]
    assert table.next_starter() == table.starter


def test_d5_draw_or_take_then_throw_another_card() -> None:
    table = gin_table(seat0=LOOSE + " Ah", seat1=NEARLY, game="distilled").play(
        "discard Ah", "take"
    )
    assert "discard Ah" not in table.legal()
    assert len(table.legal()) == 10
    table.play("discard 9h", "draw")
    assert len(table.legal()) == 11


def test_d6_gin_ends_the_deal_by_itself() -> None:
    table = gin_table(seat0=LOOSE + " 4c", seat1=NEARLY, game="distilled").play(
        "discard 4c", "take"
    )
    assert "knock 4h" not in table.legal()
    table.play("discard 4h")
    assert table.is_over
    view = gin_view_in_words(table.view(0))
    assert (view["outcome"], view["knocker"]) == ("gin", 1)
    assert table.points() == [0, 65]


def test_d6_there_is_no_gin_with_eleven_cards() -> None:
    """All eleven are melded, yet a card must be thrown; the wrong one spoils it."""
    gin_of_eleven = "Ac 2c 3c 4c 5d 6d 7d 9h 9s 9c 9d"
    table = gin_table(seat0=gin_of_eleven, seat1=LOOSE, game="distilled")
    assert len(table.legal()) == 11
    assert not table.is_over
    table.play("discard 9d")
    assert table.points() == [65, 0]
    kept = gin_table(seat0=gin_of_eleven, seat1=LOOSE, game="distilled").play("discard 6d")
    assert not kept.is_over


def test_d7_the_other_s_hand_is_melded_so_that_least_counts_and_nothing_is_laid_off() -> None:
    """4d and 9d would fit the winner's melds."""
    seat1 = "7c 7h 7s 9d Th Jh Qh 4d Kd As"
    table = gin_table(seat0=NEARLY + " 4c", seat1=seat1, game="distilled").play("discard 4h")
    assert table.points() == [9 + 4 + 10 + 1, 0]


def test_d7_faces_count_ten_or_eleven_twelve_and_thirteen() -> None:
    for game, faces in (("distilled", 10 + 10 + 10), ("distilled:face_points=13", 13 + 12 + 11)):
        table = gin_table(seat0=NEARLY + " 4c", seat1=LOOSE, game=game).play("discard 4h")
        assert table.points() == [faces + 35, 0]


def test_d7_no_bonus_without_the_knock_variant() -> None:
    seat1 = "Jc Qc Kc Th Ts Td 8c 8s 8h 8d"
    table = gin_table(seat0=NEARLY + " 4c", seat1=seat1, game="distilled").play("discard 4h")
    assert gin_view_in_words(table.view())["outcome"] == "gin"
    assert table.points() == [0, 0]


def test_d8_fifty_points_win() -> None:
    options = pack(parse_game("distilled").options)
    for scores, over in (((49, 49), False), ((50, 0), True), ((0, 73), True)):
        assert gin.is_match_over(np.array(scores), 3, options) == over


@pytest.mark.parametrize(("game", "target"), [("distilled", 50), ("distilled+long", 100)])
def test_d8_either_seat_wins_by_reaching_the_target(game: str, target: int) -> None:
    options = pack(parse_game(game).options)
    for points, over in ((target - 1, False), (target, True), (target + 1, True)):
        for scores in ((points, 0), (0, points)):
            assert gin.is_match_over(np.array(scores), 3, options) == over


def test_d9_the_deal_passes_on_after_a_score() -> None:
    for starter in (0, 1):
        hands = [NEARLY + " 4c", LOOSE][:: -1 if starter else 1]
        table = gin_table(*hands, game="distilled", starter=starter).play("discard 4h")
        assert table.next_starter() == 1 - starter


def test_d10_the_ace_is_low_only() -> None:
    round_the_corner = "Qc Kc Ac 5d 6d 7d 9h 9s 9c 9d 4h"
    table = gin_table(seat0=round_the_corner, seat1=LOOSE, game="distilled").play("discard 4h")
    assert not table.is_over


def test_d10_fifty_takes_make_a_deal_void() -> None:
    table = gin_table(seat0=LOOSE + " Jh", seat1="4s 7h 9c Js Kh Qc 2h 5h 8d Ad", game="distilled")
    table.play("discard Jh")
    for _ in range(50):
        table.play("take")
        table.play(table.legal()[0])
    assert table.is_over
    assert gin_view_in_words(table.view())["outcome"] == "void"
    assert table.next_starter() == table.starter


def test_d11_the_upcard_is_offered_to_both_and_a_pass_leaves_the_stock_alone() -> None:
    game = "distilled+upcard"
    table = gin_table(seat0=LOOSE, seat1=NEARLY, upcard="Jh", stock="Kc", game=game)
    assert table.legal() == ["take", "pass"]
    table.play("pass")
    assert (table.seat, table.legal()) == (1, ["take", "pass"])
    table.play("pass")
    assert (table.seat, table.legal(), table.view()["stock"]) == (0, ["draw"], 31)
    table.play("draw", "discard Kc")
    assert (table.seat, table.legal()) == (1, ["draw", "take"])


def test_d11_whoever_takes_it_throws_another_card_and_gin_counts() -> None:
    game = "distilled+upcard"
    table = gin_table(seat0=LOOSE, seat1=NEARLY, upcard="4c", game=game).play("pass", "take")
    assert "discard 4c" not in table.legal()
    table.play("discard 4h")
    assert table.points() == [0, 65]
    table = gin_table(seat0=LOOSE, seat1=NEARLY, upcard="4c", game=game)
    table.play("take", "discard Kd")
    assert (table.seat, table.legal()) == (1, ["draw", "take"])


def test_d12_ten_points_may_knock_and_gin_still_ends_the_deal_by_itself() -> None:
    table = gin_table(seat0=NEARLY + " Ks", seat1=LOOSE, game="distilled+knock")
    assert "knock Ks" in table.legal()
    table = gin_table(seat0=NEARLY + " 4c", seat1=LOOSE, game="distilled+knock")
    assert "knock 4c" in table.legal()
    assert "knock 4h" not in table.legal()
    assert table.play("discard 4h").is_over
    table = gin_table(seat0=LOOSE + " Ks", seat1=NEARLY, game="distilled+knock")
    assert _knocks(table) == []


def test_d12_only_the_variant_knocks() -> None:
    assert _knocks(gin_table(seat0=NEARLY + " Ks", game="distilled")) == []


def test_d13_the_other_player_melds_and_lays_off_as_he_chooses() -> None:
    seat1 = "8d 4d 9d Jc Jh Js Kd Qh 6s 4s"
    table = gin_table(seat0=NEARLY + " Ks", seat1=seat1, game="distilled+knock").play("knock Ks")
    table.play("meld 9c 9h 9s", "meld Ac 2c 3c", "meld 5d 6d 7d", "done")
    assert table.legal() == [
        "meld Jc Jh Js",
        "lay 9d on nines",
        "lay 4d on 5d",
        "lay 8d on 7d",
        "done",
    ]
    table.play("lay 8d on 7d", "lay 9d on 8d", "meld Jc Jh Js", "done")
    assert table.points() == [4 + 10 + 10 + 6 + 4 - 4, 0]


def test_d14_the_knocker_chooses_melds_that_leave_ten_or_less() -> None:
    seat0 = "4d 6d 7d 8d 9h 9s 9c Jh Js Jc Ks"
    table = gin_table(seat0=seat0, game="distilled+knock").play("knock Ks")
    assert {"meld 6d 7d 8d", "meld Jc Jh Js"} <= set(table.legal())
    assert "done" not in table.legal()
    table.play("meld 6d 7d 8d", "meld Jc Jh Js")
    assert table.legal() == ["meld 9c 9h 9s"]
    assert table.play("meld 9c 9h 9s").legal() == ["done"]


@pytest.mark.parametrize(
    ("seat1", "melds", "points"),
    [
        ("Jc Qc Kc Th Ts Td 8c 8s 8h 5s", 3, [1, 0]),
        ("Jc Qc Kc Th Ts Td 8c 8s 8h 4s", 3, [0, 10]),
        ("Jc Qc Kc Th Ts Td 8c 8s 8h As", 3, [0, 13]),
        (LOOSE, 0, [61, 0]),
    ],
)
def test_d15_strictly_less_scores_the_difference_else_the_other_scores_ten_more(
    seat1: str, melds: int, points: list[int]
) -> None:
    table = gin_table(seat0=NEARLY + " Ks", seat1=seat1, game="distilled+knock").play("knock Ks")
    table.play("meld 9c 9h 9s", "meld Ac 2c 3c", "meld 5d 6d 7d", "done")
    for _ in range(melds):
        table.play(next(action for action in table.legal() if action.startswith("meld")))
    assert table.play("done").points() == points


@pytest.mark.parametrize(
    ("seat1", "points"), [(LOOSE, [75, 0]), ("Jc Qc Kc Th Ts Td 8c 8s 8h 8d", [10, 0])]
)
def test_d16_gin_scores_the_other_s_deadwood_and_ten(seat1: str, points: list[int]) -> None:
    table = gin_table(seat0=NEARLY + " 4c", seat1=seat1, game="distilled+knock")
    assert table.play("discard 4h").points() == points


def test_d17_face_points_decide_who_may_knock() -> None:
    seat0 = NEARLY.replace("4h", "Kh") + " Ks"
    assert _knocks(gin_table(seat0=seat0, game="distilled+knock")) == ["knock Kh", "knock Ks"]
    assert _knocks(gin_table(seat0=seat0, game="distilled+knock:face_points=13")) == []


def test_d18_the_long_match_is_to_100_with_bonuses_of_twenty() -> None:
    table = gin_table(seat0=NEARLY + " 4c", seat1=LOOSE, game="distilled+knock+long")
    assert table.play("discard 4h").points() == [85, 0]
    seat1 = "Jc Qc Kc Th Ts Td 8c 8s 8h 4s"
    table = gin_table(seat0=NEARLY + " Ks", seat1=seat1, game="distilled+knock+long")
    table.play("knock Ks", "meld 9c 9h 9s", "meld Ac 2c 3c", "meld 5d 6d 7d", "done")
    table.play("meld 8c 8h 8s", "meld Td Th Ts", "meld Jc Qc Kc", "done")
    assert table.points() == [0, 20]
    assert table.game.options.target == 100


def test_d18_without_knocking_only_the_target_changes() -> None:
    table = gin_table(seat0=NEARLY + " 4c", seat1=LOOSE, game="distilled+long")
    assert table.play("discard 4h").points() == [65, 0]
    assert table.game.options == parse_game("distilled:target=100").options
