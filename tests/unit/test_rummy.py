"""Rummy's text, its positions and its sizes; the contract tests have what every game promises."""

from random import Random

import pytest

from positions import generator
from reference.cards import PACK
from rummy_positions import dealt, eager_walk, shuffled
from undercut.core.cards import mask
from undercut.core.errors import NotationError, OptionsError
from undercut.core.game import new
from undercut.games import rummy, rummy_text
from undercut.games.catalog import parse_game
from undercut.games.position import parse_position


def test_known_cards_of_the_other_hand_stay_there() -> None:
    deck = shuffled(Random(2))
    table = dealt(deck).play("draw", "discard " + deck[0], "take", "discard " + deck[10])
    chance, state = generator(8), new(rummy.STATE, 1)[0]
    for _ in range(20):
        rummy.complete(table.view(0), table.options, chance, state)
        assert int(state.hands[1]) & mask([PACK.index(deck[0])])


def test_completing_overwrites_whatever_was_there() -> None:
    states = new(rummy.STATE, 1)
    table = dealt(shuffled(Random(3)))
    for _ in eager_walk(table, Random(4)):
        states.view("i1")[:] = 77
        rummy.complete(table.view(), table.options, generator(5), states[0])
        twin = table.copy()
        twin.state = states[0]
        assert twin.view(table.seat).tobytes() == table.view().tobytes()


# A king is never laid below a card of its run, an ace never above one.
IMPOSSIBLE = {rummy.LAY_ON_HIGHER + 13 * suit + 12 for suit in range(4)} | {
    rummy.LAY_ON_LOWER + 13 * suit for suit in range(4)
}
POSSIBLE = [action for action in range(rummy.ACTIONS) if action not in IMPOSSIBLE]


def test_action_text_reads_back() -> None:
    texts = [rummy_text.format_action(action) for action in POSSIBLE]
    assert len(set(texts)) == len(texts)
    assert [rummy_text.parse_action(text) for text in texts] == POSSIBLE


@pytest.mark.parametrize(
    "text", ["", "turn", "turn over 5h", "meld 5h 6h", "lay 5h", "lay 5h on 9h", "discard", "knock"]
)
def test_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        rummy_text.parse_action(text)


@pytest.mark.parametrize("action", [*sorted(IMPOSSIBLE), -1, rummy.ACTIONS])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    with pytest.raises(NotationError):
        rummy_text.format_action(action)


@pytest.mark.parametrize(
    ("old", "new_text"),
    [("0", "2"), (".", ""), ("-", "~"), ("d", "x"), ("Ac", "Kc"), ("-31-", "-32-"), ("0-0", "a-0")],
)
def test_positions_that_are_malformed_are_refused(old: str, new_text: str) -> None:
    table = dealt(PACK)
    written = rummy_text.format_view(table.view(0))
    assert parse_position("rummy." + written)
    with pytest.raises(NotationError, match="not a position"):
        parse_position("rummy." + written.replace(old, new_text, 1))


def test_records_say_what_was_dealt_drawn_and_how_it_ended() -> None:
    deck = shuffled(Random(4))
    table = dealt(deck)
    before = table.view(0)
    assert rummy_text.format_upcard(before) == deck[20]
    assert set(rummy_text.format_hand(before).split()) == set(deck[:10])
    assert rummy_text.hidden_gain(before, table.copy().play("draw").view(0)) == deck[21]
    assert rummy_text.hidden_gain(before, table.copy().play("take").view(0)) == ""
    for _ in eager_walk(table, Random(5)):
        pass
    assert rummy_text.format_outcome(table.view(0)) == table.outcome()


def test_unknown_or_impossible_options_are_refused() -> None:
    for spec in ("rummy:face_points=10", "rummy:turnovers=-2", "rummy+knock", "rummy:target=x"):
        with pytest.raises(OptionsError):
            parse_game(spec)
    with pytest.raises(OptionsError):
        parse_game("rummy", seats=3)


def test_the_state_is_small() -> None:
    assert rummy.STATE.itemsize <= 256
    assert rummy.VIEW.itemsize <= 256
