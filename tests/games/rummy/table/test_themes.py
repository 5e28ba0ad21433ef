"""The themes of errors in Rummy that Gin does not have."""

from games.rummy.positions import placed
from games.themes import themes


def test_laid_down_too_early_too_late_and_the_wrong_cards() -> None:
    table = placed("2c 3c 4c 6d 7d 8d 9s 9h Kc", pile="Jd", stock="Qs 2h").play("draw")
    lays = "meld 2c 3c 4c", "meld 6d 7d 8d"
    assert themes(table, lays[0], "discard Kc") == {"laid down too early"}
    assert themes(table, "discard Kc", lays[0]) == {"laid down too late"}
    assert themes(table, *lays) == {"laid down the wrong cards"}
    assert not {"laid down too early", "laid down too late"} & themes(
        table, "discard 9s", "discard Kc"
    )


def test_threw_a_card_that_fits_the_table() -> None:
    table = placed("5c 7d 9s 9h Kc", melds=["2c 3c 4c"], pile="Jd", stock="Qs 2h").play("draw")
    fits = "threw a card that fits the table"
    assert fits in themes(table, "discard 5c", "discard Kc")
    assert fits not in themes(table, "discard Kc", "discard 5c")


def test_cards_on_the_table_are_no_outs() -> None:
    table = placed("8h 8s 2d", melds=["8c 9c Tc"], pile="Jd", stock="Qs 2h").play("draw")
    assert str(table.readable().outs("8h")) == "8d"
    assert "8c" not in table.readable().unseen


def test_a_take_that_makes_no_meld_is_for_no_gain() -> None:
    table = placed("8h 8s 2d", pile="Kc", stock="Qs 2h")
    assert themes(table, "take", "draw") == {"took for no gain"}
    useful = placed("8h 8s 2d", pile="8d", stock="Qs 2h")
    assert themes(useful, "take", "draw") == set()
    assert themes(useful, "draw", "take") == {"left a useful card"}
