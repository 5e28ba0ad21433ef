"""The themes of errors in Pharaoh: each with a decision that has it, and one that has not."""

from pathlib import Path

import pytest

from games.pharaoh.positions import placed
from games.themes import themes
from undercut.games.pharaoh.table.themes import THEMES

HAND = "7H AH OB 9H 9B XH"
OTHERS = "7C AB KC KB"


@pytest.mark.parametrize(
    ("played", "better", "theme"),
    [
        ("play 7H", "play XH", "wasted a seven"),
        ("play AH", "play XH", "wasted an ace"),
        ("play OB suit bells", "play XH", "wasted an over"),
        ("play XH", "play 7H", "held a seven back"),
        ("play XH", "play AH", "held an ace back"),
        ("play XH", "play OB suit bells", "held an over back"),
        ("play OB suit bells", "play OB suit hearts", "named the wrong suit"),
        ("play 9H", "play 9H 9B", "split equal cards"),
        ("play 9H 9B", "play 9H", "played too many equal cards"),
        ("draw", "play XH", "drew with a card to play"),
        ("play XH", "draw", "should have drawn"),
    ],
)
def test_one_theme(played: str, better: str, theme: str) -> None:
    table = placed(HAND, OTHERS, pile="8H")
    assert themes(table, played, better) == {theme}


def test_the_order_of_equal_cards() -> None:
    table = placed("9H 9B 9C XH", OTHERS, pile="8H")
    found = themes(table, "play 9H 9B 9C", "play 9H 9C 9B")
    assert found == {"left the wrong card on top"}


def test_a_seven_that_answers_a_seven_is_not_wasted() -> None:
    table = placed("7H XH KH 9C", "7C AB 8B KB", pile="8C", seat=1).play("play 7C")
    assert themes(table, "play 7H", "draw") == {"should have drawn"}
    assert themes(table, "draw", "play 7H") == {"did not answer a seven or an ace"}


def test_a_card_that_the_next_player_can_answer() -> None:
    table = placed(HAND, OTHERS, pile="8H")
    gift = "gave the next player a card to play"
    assert themes(table, "play 9H", "play XH", (0.8, 0.6)) == {gift}
    assert themes(table, "play 9H", "play XH", (0.8, 0.75)) == set()


def test_every_theme_has_a_test() -> None:
    source = Path(__file__).read_text()
    assert [theme.name for theme in THEMES if f'"{theme.name}"' not in source] == []
