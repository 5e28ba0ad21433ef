"""Position strings: short, canonical, and back again to the very same view."""

import pytest
from play_helpers import deals_along, scaled

from rulesets import EVERY, some_of
from undercut.core.errors import OptionsError, UndercutError
from undercut.games.position import format_position, parse_position

START = "gin.01.0-0.6c8c9c8dTd7hQhKh7sQs.9h.-"


@pytest.mark.parametrize("rules", some_of(EVERY))
def test_every_view_comes_back_byte_for_byte(rules: str) -> None:
    longest = 0
    for seed in range(scaled(16, 2)):
        for number, deal in enumerate(deals_along(rules, seed)):
            view = deal.view((number + number // 5) % deal.game.seats)
            text = format_position(deal.game, view)
            game, again = parse_position(text)
            assert game.options == deal.game.options
            assert again.tobytes() == view.tobytes(), text
            longest = max(longest, len(text))
    assert longest < 500


@pytest.mark.parametrize("rules", ["gin:knock_face_down=1", "rummy:max_turns=90"])
def test_positions_need_no_escaping_in_a_link(rules: str) -> None:
    for deal in deals_along(rules, 5):
        text = format_position(deal.game, deal.view(1))
        assert set(text) <= set("abcdefghijklmnopqrstuvwxyzACDHJKQST0123456789-._~"), text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "starts with a game"),
        ("gin", "starts with a game"),
        ("whist.01.0-0", "unknown game"),
        ("gin.01.0-0.6c", "fields, not 5 or 6"),
        (START.replace("6c", "6x"), "not a card: '6x'"),
        (START.replace("6c", "8c"), "stands twice"),
        (START.replace("6c", ""), "9 cards in hand, not 10"),
        (START.replace("9h", "Qs"), "a card is in two places"),
        (START.replace(".01.", ".07."), "seats are 0 and 1"),
        (START.replace("0-0", "0-zero"), "malformed"),
        (START.replace("9h", "9hppp"), "passes"),
        (START.replace("9h.-", "9h.q"), "not a turn: 'q'"),
        (START.replace("6c8c", "8c6c"), "would be written"),
    ],
)
def test_malformed_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(UndercutError, match=message):
        parse_position(text)


def test_unknown_options_in_a_position_are_refused() -> None:
    with pytest.raises(OptionsError, match="unknown option 'speed'"):
        parse_position(START.replace("gin.", "gin~speed-9."))
