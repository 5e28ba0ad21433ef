"""The themes of errors in Gin: each with a decision that has it, and one that has not."""

from pathlib import Path

from games.gin.positions import gin_table
from games.themes import themes
from positions import Table
from undercut.games.gin.table.themes import THEMES

NO_OFFER = "gin:upcard=0"  # seat 0 begins with eleven cards
PAIR = "2c 3c 4c 6d 7d 8d 9s 9h Kc Qd 4s"
KNOCKING = "Ac 2c 3c 4d 5d 6d 7h 8h 9h As Kd"


def begun(hand: str, **given: str) -> Table:
    return gin_table(hand, game=NO_OFFER, **given)


def test_knocked_too_early_and_too_late() -> None:
    table = begun(KNOCKING)
    assert "knocked too early" in themes(table, "knock Kd", "discard Kd")
    assert "knocked too late" in themes(table, "discard Kd", "knock Kd")
    assert not themes(table, "knock Kd", "knock Kd")


def test_knocked_with_the_wrong_card() -> None:
    found = themes(begun("Ac 2c 3c 4d 5d 6d 7h 8h 9h As 5c"), "knock As", "knock 5c")
    assert found == {"knocked with the wrong card", "kept a high card"}


def test_broke_a_meld() -> None:
    table = begun(PAIR)
    assert "broke a meld" in themes(table, "discard 7d", "discard Kc")
    assert "broke a meld" not in themes(table, "discard 7d", "discard 3c")
    assert "broke a meld" not in themes(table, "discard 9s", "discard Kc")


def test_the_card_at_the_end_of_a_run_of_four_can_be_missed() -> None:
    table = begun("2c 3c 4c 5c 7d 8d 9d 9h Kc Qd 4s")
    assert "broke a meld" not in themes(table, "discard 2c", "discard Kc")
    assert "broke a meld" in themes(table, "discard 3c", "discard Kc")


def test_broke_a_pair_or_a_run() -> None:
    table = begun(PAIR)
    assert "broke a pair or a run" in themes(table, "discard 9s", "discard Kc")
    assert "broke a pair or a run" not in themes(table, "discard Kc", "discard 9s")


def test_waited_for_cards_that_are_gone() -> None:
    """The other kings have been thrown: the pair of kings cannot grow."""
    hand = "2c 3c 4c 6d 7d 8d Kc Kd 2h 5s 9h"
    table = begun(hand, seat1="Kh Ks 2d 3d 4h 5h 6c 7s 8c Tc", stock="8h 9s Jd Js")
    table.play("discard 9h", "draw", "discard Kh", "draw", "discard 9s")
    live = table.copy()
    live.play("draw", "discard Jd", "draw")
    table.play("draw", "discard Ks", "draw")
    vain = "waited for cards that are gone"
    assert vain in themes(table, "discard 5s", "discard Kc")
    assert vain not in themes(live, "discard 5s", "discard Kc")
    assert vain not in themes(table, "discard Kc", "discard 5s")


def test_kept_a_high_card() -> None:
    table = begun("2c 3c 4c 6d 7d 8d 9s 5h Kc Qd Ts")
    assert "kept a high card" in themes(table, "discard 5h", "discard Kc")
    assert "kept a high card" not in themes(table, "discard 9s", "discard Kc")
    assert "kept a high card" not in themes(table, "discard Kc", "discard 5h")


def test_ignored_a_known_card() -> None:
    """The other player has taken the eight of hearts: the eight of spades helps him."""
    table = begun("2c 3c 4c 6d 7d 8s Qs 5h Kc Td 8h", stock="2s").play("discard 8h", "take")
    table.play(next(text for text in table.legal() if text.startswith("discard")), "draw")
    known = "ignored a known card"
    assert known in themes(table, "discard 8s", "discard Kc")
    assert known not in themes(table, "discard Kc", "discard 8s")
    assert known not in themes(table, "discard Kc", "discard Td")


def test_fed_the_other_hand_if_the_card_is_taken_more_often() -> None:
    table = begun(PAIR)
    assert "fed the other hand" in themes(table, "discard 9s", "discard Kc", (0.3, 0.1))
    assert "fed the other hand" not in themes(table, "discard 9s", "discard Kc", (0.15, 0.1))
    assert "fed the other hand" not in themes(begun(KNOCKING), "knock Kd", "knock Kd", (1, 0))


def test_took_for_no_gain_and_left_a_useful_card() -> None:
    table = gin_table("2c 3c 4c 6d 7d 8d 9s 9h Kc Qd", upcard="Js", game="gin")
    assert themes(table, "take", "pass") == {"took for no gain"}
    useful = gin_table("2c 3c 4c 6d 7d 8d 9s 9h Kc Qd", upcard="9c", game="gin")
    assert themes(useful, "take", "pass") == set()
    assert themes(useful, "pass", "take") == {"left a useful card"}


def test_left_points_in_the_hand() -> None:
    table = begun("Ac 2c 3c 4c 5d 6d 7d 8h 9h Th Kd").play("knock Kd")
    left = "left points in the hand"
    assert left in themes(table, "meld 2c 3c 4c", "meld Ac 2c 3c 4c")
    assert left not in themes(table, "meld 5d 6d 7d", "meld 8h 9h Th")


def test_every_theme_has_a_test() -> None:
    source = Path(__file__).read_text()
    assert [theme.name for theme in THEMES if f'"{theme.name}"' not in source] == []
