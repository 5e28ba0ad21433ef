"""One test for each numbered rule of docs/rules/gin.md."""

import numpy as np
import pytest

from cards.reference.cards import PACK, from_mask, hand, in_order, points
from games.gin.positions import draw_and_discard, gin_table, gin_view_in_words
from positions import Table, generator
from undercut.games.families import parse_game
from undercut.games.gin.rules import deal as gin
from undercut.kernels.records import pack
from undercut.text.errors import OptionsError

# Three melds and a four: 4 points of deadwood after throwing the king that comes from the stock.
KNOCKER = "Ac 2c 3c 5d 6d 7d 9h 9s 9c 4h"
# 65 points: nothing in it melds, and nothing fits the knocker's melds.
LOOSE = "As Kd Qh Jd Tc 8s 6s 5c 3h 2d"


def _knock(seat1: str = LOOSE, game: str = "gin", seat0: str = KNOCKER) -> Table:
    """Seat 0 has drawn a king and knocks with it."""
    table = gin_table(seat0=seat0, seat1=seat1, upcard="Jh", stock="Ks", game=game)
    return table.play("pass", "pass", "draw", "knock Ks")


def _lay_all(table: Table) -> Table:
    """The knocker lays down his three melds."""
    return table.play("meld 9c 9h 9s", "meld Ac 2c 3c", "meld 5d 6d 7d", "done")


def test_g1_the_non_dealer_plays_first_and_the_deal_passes_on_after_a_score() -> None:
    for starter in (0, 1):
        assert gin_table(starter=starter).seat == starter
    table = _lay_all(_knock()).play("done")
    assert table.points() == [65 - 4, 0]
    assert table.next_starter() == 1


def test_g1_chance_decides_who_begins_the_first_deal() -> None:
    options = pack(parse_game("gin").options)
    first = {gin.first_starter(options, 2, generator(seed)) for seed in range(20)}
    assert first == {0, 1}
    for fixed in (0, 1):
        options = pack(parse_game(f"gin:first_starter={fixed}").options)
        assert {gin.first_starter(options, 2, generator(seed)) for seed in range(20)} == {fixed}


def test_g2_ten_cards_each_one_turned_up_31_in_the_stock() -> None:
    table = Table(parse_game("gin"), PACK, starter=1)
    for seat in (0, 1):
        view = gin_view_in_words(table.view(seat))
        assert view["hand"] == frozenset(PACK[:10] if seat == 1 else PACK[10:20])
        assert view["upcard"] == view["first_upcard"] == PACK[20]
        assert view["pile"] == {PACK[20]}
        assert view["stock"] == 31
        assert view["theirs"] == frozenset()


def test_g3_the_first_upcard_is_offered_to_the_non_dealer_then_to_the_dealer() -> None:
    table = gin_table(seat0=KNOCKER, seat1=LOOSE, upcard="Jh")
    assert table.legal() == ["take", "pass"]
    table.play("pass")
    assert table.seat == 1
    assert table.legal() == ["take", "pass"]
    table.play("take", "discard Kd")
    assert table.seat == 0
    assert table.legal() == ["draw", "take"]


def test_g3_after_two_passes_the_non_dealer_must_draw_from_the_stock() -> None:
    table = gin_table(seat0=KNOCKER, seat1=LOOSE, upcard="Jh", stock="Ks Qs")
    table.play("pass", "pass")
    assert table.seat == 0
    assert table.legal() == ["draw"]
    table.play("draw", "discard Ks")
    assert table.legal() == ["draw", "take"]


def test_g4_a_turn_is_a_draw_from_the_stock_or_the_pile_then_a_discard() -> None:
    table = gin_table(seat0=LOOSE, seat1=KNOCKER, upcard="Jh", stock="Ks Qs")
    table.play("pass", "pass", "draw")
    assert table.legal() == [f"discard {card}" for card in PACK if card in hand(LOOSE + " Ks")]
    table.play("discard Kd")
    view = gin_view_in_words(table.view(1))
    assert (view["upcard"], view["stock"], view["seat"]) == ("Kd", 30, 1)
    table.play("take", "discard 9h", "draw", "discard Qs")
    assert gin_view_in_words(table.view(0))["pile"] == {"Jh", "9h", "Qs"}


def test_g4_the_card_just_taken_may_not_be_discarded() -> None:
    table = gin_table(seat0=KNOCKER, seat1=LOOSE, upcard="Ks").play("take")
    assert "discard Ks" not in table.legal()
    assert "knock Ks" not in table.legal()
    assert "discard 4h" in table.legal()
    table.play("discard 4h", "draw", "discard Kd", "draw")
    assert "discard Ks" in table.legal()


def test_g4_a_card_drawn_from_the_stock_may_be_discarded() -> None:
    table = gin_table(seat0=KNOCKER, seat1=LOOSE, upcard="Jh", stock="Ks")
    table.play("pass", "pass", "draw")
    assert {"discard Ks", "knock Ks"} <= set(table.legal())


@pytest.mark.parametrize("card", ["Ah", "Th", "Jh", "Kh"])
def test_g5_ten_points_or_less_may_knock(card: str) -> None:
    seat0 = f"Ac 2c 3c 5d 6d 7d 9h 9s 9c {card}"
    table = gin_table(seat0=seat0, upcard="4s", stock="Ks").play("pass", "pass", "draw")
    assert "knock Ks" in table.legal()


def test_g5_eleven_points_may_not() -> None:
    """Throwing the ten leaves A and 9, ten points; any other throw leaves eleven or more."""
    seat0 = "Ac 2c 3c 5d 6d 7d 8d Th Ah 9s"
    table = gin_table(seat0=seat0, upcard="4s", stock="4d").play("pass", "pass", "draw")
    assert [action for action in table.legal() if action.startswith("knock")] == ["knock Th"]


def test_g5_the_knocker_chooses_his_melds_within_the_limit() -> None:
    seat0 = "5d 6d 7d 8d 9h 9s 9c Jh Js Jc"
    table = gin_table(seat0=seat0, upcard="4s", stock="Ks").play("pass", "pass", "draw", "knock Ks")
    assert "meld 5d 6d 7d" in table.legal()  # leaves the eight
    assert "meld 6d 7d 8d" in table.legal()  # leaves the five
    assert "done" not in table.legal()
    table.play("meld 6d 7d 8d", "meld 9c 9h 9s")
    assert table.legal() == ["meld Jc Jh Js"]
    table.play("meld Jc Jh Js")
    assert table.legal() == ["done"]
    assert gin_view_in_words(table.play("done").view(1))["theirs"] == hand(seat0)


def test_g5_a_meld_that_would_leave_too_much_may_not_be_laid() -> None:
    seat0 = "7c 7d 7h 8h 9h Th Jh Ac Ad Ah"
    table = gin_table(seat0=seat0, upcard="4s", stock="Ks").play("pass", "pass", "draw", "knock Ks")
    assert "meld 7h 8h 9h" not in table.legal()  # it would leave 7 7 and T J
    assert {"meld 7c 7d 7h", "meld 8h 9h Th Jh"} <= set(table.legal())


def test_g6_the_other_player_melds_as_he_likes_and_may_stop_at_once() -> None:
    table = _lay_all(_knock(seat1="8c 8d 8h 8s 9d Td Jd Kd Qh 2s"))
    legal = set(table.legal())
    assert {"done", "meld 8c 8d 8h 8s", "meld 8c 8h 8s", "meld 8d 9d Td Jd"} <= legal
    table.play("done")
    assert table.points() == [83 - 4, 0]


def test_g6_cards_are_laid_off_on_sets_and_at_both_ends_of_runs_and_carry_others() -> None:
    table = _lay_all(_knock(seat1="9d 4d 8d 3d 4c Kd Qh Jc Tc 6s"))
    laying = {action for action in table.legal() if action.startswith("lay ")}
    assert laying == {"lay 9d on nines", "lay 4d on 5d", "lay 8d on 7d", "lay 4c on 3c"}
    table.play("lay 4d on 5d", "lay 3d on 4d", "lay 8d on 7d", "lay 9d on 8d", "lay 4c on 3c")
    assert [from_mask(meld) for meld in table.view()["melds"][0]] == [
        hand("9c 9h 9s"),
        hand("Ac 2c 3c 4c"),
        hand("3d 4d 5d 6d 7d 8d 9d"),
    ]
    table.play("done")
    assert table.points() == [46 - 4, 0]


def test_g6_nothing_is_laid_off_on_loose_cards() -> None:
    """The knocker keeps 4h; 4c 4d 4s would make a set with it, but not here."""
    table = _lay_all(_knock(seat1="4s 8c Kd Qh Jc Tc 6s 3h 5h 6h"))
    assert not [action for action in table.legal() if action.startswith("lay ")]


def test_g6_nothing_is_laid_off_on_gin() -> None:
    gin_hand = "Ac 2c 3c 5d 6d 7d 9h 9s 9c 4c"
    table = _knock(seat1="8d 4d 9d Kd Qh Jc Tc 6s 3h 5h", seat0=gin_hand)
    table.play("meld 9c 9h 9s", "meld Ac 2c 3c 4c", "meld 5d 6d 7d", "done")
    assert not [action for action in table.legal() if action.startswith("lay ")]


def test_g6_layoffs_can_be_switched_off() -> None:
    table = _lay_all(_knock(seat1="8d 4d 9d Kd Qh Jc Tc 6s 3h 5h", game="gin:layoffs=0"))
    assert table.legal() == ["done"]
    table.play("done")
    assert table.points() == [75 - 4, 0]


def test_g6_the_eaai_engine_lays_off_by_itself_and_greedily() -> None:
    """It puts 8d on the eights, so that 9d has nothing to lie on; a player would not."""
    seat0 = "8c 8h 8s 5d 6d 7d Ac 2c 3c 4h"
    seat1 = "8d 9d Td Kh Qh Jc 6s 3h 2h Ah"
    table = _knock(seat0=seat0, seat1=seat1, game="gin:eaai_auto_layoff=1")
    table.play("meld 8c 8h 8s", "meld 5d 6d 7d", "meld Ac 2c 3c", "done")
    assert not [action for action in table.legal() if action.startswith("lay ")]
    table.play("meld Ah 2h 3h", "done")
    assert table.points() == [9 + 10 + 10 + 10 + 10 + 6 - 4, 0]
    chosen = _knock(seat0=seat0, seat1=seat1)
    chosen.play("meld 8c 8h 8s", "meld 5d 6d 7d", "meld Ac 2c 3c", "done", "meld Ah 2h 3h")
    chosen.play("lay 8d on 7d", "lay 9d on 8d", "lay Td on 9d", "done")
    assert chosen.points() == [10 + 10 + 10 + 6 - 4, 0]


def _laid_off_by_the_engine(knocker: list[str], loose: str, defender: str) -> list[str]:
    """The knocker's melds in the order he laid them, after the engine's lay-offs, as text."""
    seat0 = " ".join([*knocker, loose])
    table = _knock(seat0=seat0, seat1=defender, game="gin:eaai_auto_layoff=1")
    for meld in knocker:
        table.play(f"meld {meld}")
    table.play("done", "done")
    on_table = [from_mask(meld) for meld in table.view()["melds"][0]]
    own = [card for cards in knocker for card in cards.split()]
    laid_off = frozenset().union(*on_table) - set(own)
    assert from_mask(table.view()["melded"][1]) == laid_off
    left = points(hand(defender) - laid_off, 10) - points(frozenset(loose.split()), 10)
    assert table.points() == ([left, 0] if left > 0 else [0, 25 - left])
    return [" ".join(in_order(meld)) for meld in on_table]


@pytest.mark.parametrize(
    ("defender", "run"),
    [
        ("8d 9d Kh Qc Js Tc 6s 4s 3s 2s", "5d 6d 7d 8d 9d"),
        ("8d 9d Td Jd Qd Kh Qc Js Tc 6s", "5d 6d 7d 8d 9d Td Jd Qd"),
        ("4d 3d Kh Qc Js Tc 6s 4s 3s 8h", "3d 4d 5d 6d 7d"),
        ("4d 3d 2d Ad Kh Qc Js Tc 6s 8h", "Ad 2d 3d 4d 5d 6d 7d"),
        ("4d 3d 8d 9d Kh Qc Js Tc 6s 2s", "3d 4d 5d 6d 7d 8d 9d"),
        ("9d 3d Kh Qc Js Tc 6s 4s 3s 2s", "5d 6d 7d"),
    ],
)
def test_g6_the_engine_finds_whole_chains_at_both_ends(defender: str, run: str) -> None:
    """A three does not fit 5d 6d 7d before the four, though the engine comes to it first."""
    melds = ["5d 6d 7d", "9c 9h 9s", "Ac 2c 3c"]
    assert _laid_off_by_the_engine(melds, "4h", defender)[0] == run


def test_g6_the_engine_lays_off_the_lowest_card_first() -> None:
    """Seven, eight, nine all go on the run; the eight alone would have gone on the eights."""
    melds = ["4d 5d 6d", "8c 8h 8s", "Ac 2c 3c"]
    found = _laid_off_by_the_engine(melds, "4h", "7d 8d 9d Kh Qh Jc 6s 3h 2h Ts")
    assert found == ["4d 5d 6d 7d 8d 9d", "8c 8h 8s", "Ac 2c 3c"]


def test_g6_the_engine_does_not_look_ahead() -> None:
    """It comes to the five before the six, and puts it on the fives: the four has no place then."""
    melds = ["7d 8d 9d", "5c 5h 5s", "Ac 2c 3c"]
    found = _laid_off_by_the_engine(melds, "4h", "4d 5d 6d Kh Qh Jc 6s 3h 2h Ts")
    assert found == ["6d 7d 8d 9d", "5c 5d 5h 5s", "Ac 2c 3c"]


@pytest.mark.parametrize("run_first", [False, True])
def test_g6_the_engine_prefers_the_meld_that_was_laid_first(run_first: bool) -> None:
    melds = ["8c 8h 8s", "5d 6d 7d", "Ac 2c 3c"]
    grown = ["8c 8d 8h 8s", "5d 6d 7d", "Ac 2c 3c"]
    if run_first:
        melds[:2] = melds[1::-1]
        grown = ["5d 6d 7d 8d", "8c 8h 8s", "Ac 2c 3c"]
    assert _laid_off_by_the_engine(melds, "4h", "8d Kh Qh Jc 6s 3h 2h Ts 9c Td") == grown


def test_g6_the_engine_lays_off_at_the_ends_of_the_pack_without_going_round() -> None:
    """The ace of hearts is the next card behind the king of diamonds, and fits the hearts only."""
    melds = ["Jd Qd Kd", "2h 3h 4h", "9c 9d 9s"]
    found = _laid_off_by_the_engine(melds, "4s", "Td Ah Kc 8c Ac 7c 6c 5s 3c 2s")
    assert found == ["Td Jd Qd Kd", "Ah 2h 3h 4h", "9c 9d 9s"]


def test_g7_a_knock_scores_the_difference() -> None:
    table = _lay_all(_knock()).play("done")
    assert gin_view_in_words(table.view(0))["outcome"] == "knock"
    assert table.points() == [65 - 4, 0]


def test_g7_gin_scores_the_other_s_deadwood_and_25() -> None:
    table = _knock(seat0="Ac 2c 3c 5d 6d 7d 9h 9s 9c 4c")
    table.play("meld 9c 9h 9s", "meld Ac 2c 3c 4c", "meld 5d 6d 7d", "done", "done")
    assert gin_view_in_words(table.view(0))["outcome"] == "gin"
    assert table.points() == [65 + 25, 0]


def test_g7_less_deadwood_than_the_knocker_undercuts_him() -> None:
    table = _lay_all(_knock(seat1="Jc Qc Kc Th Ts Td 8c 8s 8h Ad"))
    table.play("meld 8c 8h 8s", "meld Td Th Ts", "meld Jc Qc Kc", "done")
    assert gin_view_in_words(table.view(0))["outcome"] == "undercut"
    assert table.points() == [0, 4 - 1 + 25]


def test_g7_equal_deadwood_is_an_undercut_too() -> None:
    table = _lay_all(_knock(seat1="Jc Qc Kc Th Ts Td 8c 8s 8h 4s"))
    table.play("meld 8c 8h 8s", "meld Td Th Ts", "meld Jc Qc Kc", "done")
    assert table.points() == [0, 25]


def test_g7_if_both_have_gin_the_knocker_scores_the_bonus() -> None:
    table = _knock(seat0="Ac 2c 3c 5d 6d 7d 9h 9s 9c 4c", seat1="Jc Qc Kc Th Ts Td 8c 8s 8h 8d")
    table.play("meld 9c 9h 9s", "meld Ac 2c 3c 4c", "meld 5d 6d 7d", "done")
    table.play("meld 8c 8d 8h 8s", "meld Td Th Ts", "meld Jc Qc Kc", "done")
    assert table.points() == [25, 0]


def test_g7_gin_that_is_not_laid_down_is_only_a_knock() -> None:
    table = _knock(seat0="Ac 2c 3c 5d 6d 7d 9h 9s 9c 4c")
    table.play("meld 9c 9h 9s", "meld Ac 2c 3c", "meld 5d 6d 7d", "done", "done")
    assert gin_view_in_words(table.view(0))["outcome"] == "knock"
    assert table.points() == [65 - 4, 0]


def test_g8_no_turn_begins_with_two_cards_in_the_stock() -> None:
    table = gin_table(seat0=LOOSE, seat1="4s 7h 9c Js Kh Qc 2h 5h 8d Ad").play("pass", "pass")
    draw_and_discard(table, 28)
    assert not table.is_over
    assert gin_view_in_words(table.view())["stock"] == 3
    draw_and_discard(table, 1)
    assert table.is_over
    view = gin_view_in_words(table.view())
    assert (view["stock"], view["outcome"]) == (2, "void")
    assert table.points() == [0, 0]
    assert table.next_starter() == table.starter


@pytest.mark.parametrize(("option", "left"), [("void_stock=0", 0), ("void_stock=30", 30)])
def test_g8_how_low_the_stock_may_run_is_an_option(option: str, left: int) -> None:
    table = gin_table(seat0=LOOSE, seat1=KNOCKER, game=f"gin:{option}").play("pass", "pass")
    draw_and_discard(table, 31 - left)
    assert table.is_over
    assert table.view()["stock"] == left


def test_g8_the_deal_may_pass_on_after_a_void_hand() -> None:
    game = "gin:void_stock=30,void_alternates=1"
    table = gin_table(seat0=LOOSE, seat1=KNOCKER, game=game, starter=0).play("pass", "pass")
    assert draw_and_discard(table, 1).next_starter() == 1


def test_g8_a_knock_with_the_last_card_still_counts() -> None:
    table = gin_table(seat0=KNOCKER, stock="Ks", game="gin:void_stock=30").play("pass", "pass")
    table.play("draw", "knock Ks")
    assert not table.is_over


def test_g9_the_knock_card_lies_face_up() -> None:
    view = gin_view_in_words(_knock().view(1))
    assert view["upcard"] == "Ks"
    assert view["history"][-1] == ("?", "Ks")


def test_g9_face_down_it_is_seen_only_after_the_deal() -> None:
    table = _knock(game="gin:knock_face_down=1")
    for _ in range(2):
        view = gin_view_in_words(table.view(1))
        assert (view["upcard"], view["history"][-1], view["pile"]) == ("?", ("?", "?"), {"Jh"})
        assert gin_view_in_words(table.view(0))["upcard"] == "Ks"
        if table.seat == 0:
            _lay_all(table)
    table.play("done")
    assert gin_view_in_words(table.view(1))["upcard"] == "Ks"


def test_g9_a_card_seen_being_taken_may_be_the_one_that_lies_face_down() -> None:
    """Until the knocker's hand lies open nobody can tell which of his cards it is."""
    seat0 = "Ac 2c 3c 5d 6d 7d 9h 9s 9c Kh"
    views = []
    for knock in ("knock Kh", "knock 4h"):
        table = gin_table(
            seat0=seat0,
            seat1=LOOSE,
            upcard="4h",
            stock="Jh 9d",
            game="gin:knock_face_down=1,knock_limit=14",
        )
        table.play("take", "discard 9c", "draw", "discard Jh", "draw", knock)
        view = table.view(1)
        assert "4h" in gin_view_in_words(view)["theirs"]
        views.append(view.tobytes())
    assert views[0] == views[1]


def test_g10_the_first_with_100_points_wins() -> None:
    options = pack(parse_game("gin").options)
    for scores, over in (((99, 99), False), ((100, 0), True), ((3, 124), True), ((0, 0), False)):
        assert gin.is_match_over(np.array(scores), 5, options) == over
    table = gin_table(scores=(99, 42))
    assert gin_view_in_words(table.view(1))["scores"] == [99, 42]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("points", "over"), [(36, False), (37, True), (38, True)])
def test_g10_either_seat_wins_by_reaching_the_target(seat: int, points: int, over: bool) -> None:
    options = pack(parse_game("gin:target=37").options)
    for other in (0, 36):
        scores = np.array([points, other] if seat == 0 else [other, points])
        for deals in (0, 1, 1_000):
            assert gin.is_match_over(scores, deals, options) == over


def test_g11_fifty_takes_make_a_deal_void() -> None:
    """The two exchange the same few cards over and over."""
    table = gin_table(seat0=LOOSE, seat1="4s 7h 9c Js Kh Qc 2h 5h 8d Ad", upcard="Jh")
    for take in range(50):
        assert table.legal()[:2] in (["take", "pass"], ["draw", "take"])
        assert table.view()["takes"] == take
        table.play("take")
        table.play(table.legal()[0])
    assert table.is_over
    view = gin_view_in_words(table.view())
    assert (view["takes"], view["outcome"], view["stock"]) == (50, "void", 31)
    assert table.next_starter() == table.starter


def test_g11_the_limit_is_an_option_and_the_last_turn_may_still_knock() -> None:
    seat0 = "Ac 2c 3c 5d 6d 7d 9h 9s 4h Ks"
    table = gin_table(seat0=seat0, seat1=LOOSE, upcard="9c", game="gin:max_discard_takes=1")
    table.play("take")
    assert "knock Ks" in table.legal()
    table.play("discard Ks")
    assert table.is_over
    assert table.points() == [0, 0]


def _limits(upcard: str, game: str = "oklahoma") -> list[int]:
    """The deadwood of every knock that a hand with 1 to 10 and 13 points to spare is offered."""
    hands = {
        0: "Ac 2c 3c 5d 6d 7d 9h 9s 9c 9d",
        1: "Ah 2c 3c 4c 5d 6d 7d 9h 9s 9c",
        4: "Ac 2c 3c 5d 6d 7d 9h 9s 9c 4h",
        5: "Ac 2c 3c 5d 6d 7d 9h 9s 9c 5h",
        10: "Ac 2c 3c 5d 6d 7d 9h 9s 9c Th",
        12: "Ac 2c 3c 5d 6d 7d 9h 9s 9c Qh",
    }
    found = []
    for left, cards in hands.items():
        table = gin_table(seat0=cards, upcard=upcard, stock="Ks", game=game)
        if "knock Ks" in table.play("pass", "pass", "draw").legal():
            found.append(left)
    return found


def test_g12_in_oklahoma_the_first_upcard_is_the_limit() -> None:
    assert _limits("4s") == [0, 1, 4]
    assert _limits("5s") == [0, 1, 4, 5]
    assert _limits("Ts") == _limits("Js") == [0, 1, 4, 5, 10, 12]
    assert _limits("Js", "oklahoma:face_points=13") == [0, 1, 4, 5, 10]
    assert _limits("Kd", "oklahoma:face_points=13") == [0, 1, 4, 5, 10, 12]
    assert _limits("4s", "oklahoma:knock_limit=99") == [0, 1, 4]


def test_g12_an_ace_allows_gin_only() -> None:
    assert _limits("As") == [0]


def test_g12_the_limit_stays_when_the_upcard_is_taken_and_holds_for_the_melds() -> None:
    seat0 = "2s 2d 2h 3c 4c 5c 9h 9s 9c 5h"
    table = gin_table(seat0=seat0, upcard="5s", stock="Ks", game="oklahoma").play("take")
    assert "knock 5h" in table.legal()  # 5 points, as many as the first upcard
    table.play("knock 5h")
    assert "meld 3c 4c 5c" in table.legal()
    assert "done" not in table.legal()


def test_g12_oklahoma_needs_a_first_upcard_and_knocks() -> None:
    for given in ("upcard=0", "knock=0,automatic_gin=1"):
        with pytest.raises(OptionsError, match="oklahoma=1 needs knock=1 and upcard=1"):
            parse_game(f"oklahoma:{given}")


def test_g13_in_straight_gin_only_gin_ends_a_deal() -> None:
    assert _limits("4s", "straight") == [0]
    assert parse_game("straight").options == gin.Options(knock_limit=0)
    seat0 = "Ac 2c 3c 5d 6d 7d 9h 9s 9c 9d"
    table = gin_table(seat0=seat0, seat1=LOOSE, upcard="Jh", stock="Ks", game="straight")
    table.play("pass", "pass", "draw", "knock Ks", "meld 9c 9d 9h 9s", "meld Ac 2c 3c")
    table.play("meld 5d 6d 7d", "done", "done")
    assert table.points() == [65 + 25, 0]


def test_g14_the_classic_bonuses_are_20_and_10() -> None:
    assert parse_game("gin-classic").options == gin.Options(gin_bonus=20, undercut_bonus=10)
    undercut = "Ad Ah As 2d 2h 2s Kd Kh Kc 3s"
    table = _lay_all(_knock(seat1=undercut, game="gin-classic"))
    table.play("meld Ad Ah As", "meld 2d 2h 2s", "meld Kc Kd Kh", "done")
    assert table.points() == [0, 4 - 3 + 10]
