"""Position strings: short, canonical, and back again to the very same view."""

import pytest

from play.line_up import deals_along
from rulesets import EVERY, sample, some_of
from undercut.games.families import parse_game
from undercut.games.table.position import format_position, parse_position
from undercut.text.errors import NotationError, OptionsError, UndercutError

START = "gin.01.0-0.6c8c9c8dTd7hQhKh7sQs.9h.-"


@pytest.mark.parametrize("rules", some_of(EVERY))
def test_every_view_comes_back_byte_for_byte(rules: str) -> None:
    longest = 0
    for seed in range(sample(parse_game(rules), 5, 2)):
        for number, deal in enumerate(deals_along(rules, seed)):
            view = deal.observe((number + number // 5) % deal.game.seats)
            text = format_position(deal.game, view)
            game, again = parse_position(text)
            assert game.options == deal.game.options
            assert again.tobytes() == view.tobytes(), text
            longest = max(longest, len(text))
    assert longest < 500


@pytest.mark.parametrize("rules", ["gin:knock_face_down=1", "rummy:max_turns=90"])
def test_positions_need_no_escaping_in_a_link(rules: str) -> None:
    for deal in deals_along(rules, 5):
        text = format_position(deal.game, deal.observe(1))
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
        (START.replace("0-0", "0-zero"), "not a number from 0 to 32767: 'zero'"),
        (START.replace("9h", "9hppp"), "passes"),
        (START.replace("9h.-", "9h.q"), "not a turn: 'q'"),
        (START.replace("6c8c", "8c6c"), "canonical form is"),
    ],
)
def test_malformed_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(UndercutError, match=message):
        parse_position(text)


KNOCKED = (
    "gin~knock_limit-99.10.2-3.6cTcQc6d7d9dTdQdThQh.Tcp.tTs-sQs-s9c9c-tTd-t3s-tQd-t5d"
    ".d1-3c7c8c9c3d3s-3c3d3s~7c8c9c-TcTdTh~QcQdQh"
)
ROUND = (
    "rummy~max_turns-40.101d.0-3.5-3-0-n-n.8cTc3d9d4h5hJh5sJsQs.3s-9dQs.3-29-3-9h5c8d"
    ".8d9dQs-5c3s.5c9h-..--"
)
DEAL = "pharaoh.000n.1-0-0.0-0.9H-0-1.7HUL.9L9H..2-2-0-0-n~2-2-0-0-n"


@pytest.mark.parametrize(
    ("good", "old", "changed", "message"),
    [
        (START, "gin.", "gin~void_stock- 2.", "only letters, digits"),
        (START, "gin.", "gin~void_stock-02.", "canonical form is 'gin~void_stock-2"),
        (START, "gin.", "gin~layoffs-true.", "canonical form is 'gin~layoffs-1"),
        (START, "gin.", "distilled~upcard~upcard.", "canonical form is 'distilled~upcard."),
        (START, "gin.", "distilled.", "not a first upcard"),
        (START, "gin.", " gin.", "only letters, digits"),
        (START, "0-0", "99999-0", "not a number from 0 to 32767"),
        (START, "9h.-", "9h.s5c", "must begin with 't'"),
        (START, "9h.-", "9h.t9h", "may not be thrown"),
        (START.replace(".01.", ".00."), "9h.-", "9hpp.s5c", "10 cards in hand, not 11"),
        (KNOCKED, ".d1", ".q1", "not one of s, d, o: 'q'"),
        (KNOCKED, ".d1", ".d0", "canonical form is"),
        (KNOCKED, "7c8c9c3d3s", "7c8c3d3s", "a meld has cards of the other seat"),
        (KNOCKED, "~QcQdQh", "~QcQdQh~QcQdQh", "a card is in two melds"),
        (KNOCKED, "knock_limit-99", "knock_limit-1", "nobody may knock with"),
        (KNOCKED, "t5d.d1", "tx.d1", "a seat sees its own cards"),
        (KNOCKED, ".d1", ".ov", "the deal is not void"),
        (ROUND, ".101d.", ".101x.", "not one of d, p, o"),
        (ROUND, ".101d.", ".100d.", "the seat on turn must be 1"),
        (ROUND, ".101d.", ".101p.", "the stock begins at another place"),
        (ROUND, "0-3.5-3", "0-3.5-9", "9 takes in 5 turns"),
        (ROUND, "5-3-0", "5-3-1", "cards are known"),
        (ROUND, "8cTc3d", "Tc3d", "seat 1 has 9 cards"),
        (ROUND, "-29-", "-28-", "the stock has 29 cards"),
        (ROUND, ".8d9dQs-", ".9dQs-", "neither seat threw"),
        (ROUND, "0-3.5-3-0-n-n", "0-3.5-3-0-n-0", "put-downs and turns do not agree"),
        (DEAL, "000n", "000x", "not a number from 0 to 1: 'x'"),
        (DEAL, "9H-0-1", "9L-0-1", "not the top of the pile"),
        (DEAL, "9H-0-1", "9H-0-3", "3 cards to take"),
        (DEAL, "0-0-n~", "0-f-n~", "seat 0 drew no card"),
        (DEAL, "1-0-0", "1-0-9", "idle"),
        (DEAL, "1-0-0", "0-0-0", "these are not the cards after a deal"),
        (DEAL, "000n", "000no", "the outcome must be none"),
        (DEAL, "7HUL", "", "does not hold"),
    ],
)
def test_impossible_positions_are_refused(good: str, old: str, changed: str, message: str) -> None:
    assert parse_position(good)
    assert old in good
    with pytest.raises(UndercutError, match=message) as caught:
        parse_position(good.replace(old, changed, 1))
    assert str(caught.value).isprintable()


def test_a_knock_card_lies_the_way_the_rules_say() -> None:
    texts = set()
    for deal in (deal for seed in range(8) for deal in deals_along("gin:knock_face_down=1", seed)):
        for seat in range(2):
            texts.add(format_position(deal.game, deal.observe(seat)))
    hidden = [text for text in texts if "x.s" in text or "x.d" in text]
    assert hidden
    for text in hidden:
        with pytest.raises(NotationError, match="the wrong way up"):
            parse_position(text.replace("gin~knock_face_down-1", "gin"))


def test_a_position_without_a_legal_action_is_refused() -> None:
    """A knocker whose cards never were good for a knock."""
    text = "gin.00.0-0.{}.9cpp.s9s9s.s0---"
    with pytest.raises(NotationError, match="the seat on turn has no legal action"):
        parse_position(text.format("Ac6cTc2d8dKd3hQh4sJs"))
    assert parse_position(text.format("Ac2c3cAd2d3dAh2h3hAs"))


def test_unknown_options_in_a_position_are_refused() -> None:
    with pytest.raises(OptionsError, match="unknown option 'speed'"):
        parse_position(START.replace("gin.", "gin~speed-9."))
