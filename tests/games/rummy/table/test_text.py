"""Rummy's text, its positions and its sizes; the contract tests have what every game promises."""

from random import Random

import numpy as np
import pytest

from cards.reference.cards import PACK
from games.rummy.positions import dealt, eager_walk, placed, shuffled
from positions import generator
from undercut.cards.french import NONE, mask
from undercut.games.families import parse_game
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.table import text as rummy_text
from undercut.games.table.position import parse_position
from undercut.kernels.records import new
from undercut.text.errors import NotationError, OptionsError


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


# The counts of a round


@pytest.mark.parametrize(("starter", "starter_wins"), [(0, {"starter_wins": 1}), (1, {})])
def test_tally_counts_a_round_that_was_won(starter: int, starter_wins: dict[str, int]) -> None:
    table = placed("5h 6h", "Ac Kd", ["7c 7d 7s"], pile="7h", turn=10)
    table.state.starter = starter
    table.play("take", "meld 5h 6h 7h")
    counted = {"rounds": 1, "turns": 11, "decided": 1, "points": 11, "takes": 1, "melds": 2}
    assert table.tally() == counted | starter_wins


def test_tally_counts_a_rummy_with_all_its_points() -> None:
    table = placed("Kc Qc", "8h", ["5h 6h 7h"], pile="9d", stock="Ks 9h", opened=(2, NONE))
    table.play("draw", "discard Ks", "draw", "lay 8h on 7h", "lay 9h on 8h")
    counted = {"rounds": 1, "turns": 12, "decided": 1, "rummies": 1, "points": 40, "melds": 1}
    assert table.tally() == counted


def test_tally_counts_a_tie_by_the_stock_without_points() -> None:
    table = placed("Kc 2s", "2c 3c", pile="9d Td", stock="", turnovers=1, turn=297)
    table.play("turn over", "discard 2s", "draw", "discard 2c")
    assert table.outcome() == "tie"
    assert table.points() == [5, 5]
    assert table.tally() == {"rounds": 1, "turns": 299, "ties": 1, "turnovers": 2}


def test_tally_counts_a_tie_by_the_limit_of_turns() -> None:
    table = placed("Kc 2s", "2c 3c", pile="9d", turn=299).play("take", "discard Kc")
    assert table.outcome() == "tie"
    assert table.tally() == {"rounds": 1, "turns": 300, "ties": 1, "limits": 1, "takes": 1}


def test_a_round_that_is_won_in_its_last_turn_is_no_limit() -> None:
    table = placed("5h 6h", "Ac Kd", pile="7h", turn=299).play("take", "meld 5h 6h 7h")
    counted = {"rounds": 1, "turns": 300, "decided": 1, "points": 11, "takes": 1, "melds": 1}
    assert table.tally() == counted | {"starter_wins": 1}


# Completing a view


def test_completing_deals_another_hand_and_another_stock_with_every_generator() -> None:
    table = dealt(shuffled(Random(6))).play("draw")
    hidden = table.hand(1) | set(table.stock())
    stocks, hands = set(), set()
    for seed in range(40):
        twin = table.copy()
        rummy.complete(table.view(0), table.options, generator(seed), twin.state)
        assert {*twin.hand(1), *twin.stock()} == hidden
        stocks.add(tuple(twin.stock()))
        hands.add(twin.hand(1))
    assert len(stocks) == len(hands) == 40
    rising = np.mean([np.diff([PACK.index(card) for card in stock]) > 0 for stock in stocks])
    assert 0.42 < rising < 0.58, "in no order"


def test_completing_leaves_a_stock_that_has_lain_open_as_it_is() -> None:
    table = dealt(shuffled(Random(6)))
    while table.state.turnovers == 0:
        table.play("draw" if table.state.stock else "turn over")
        table.play(table.discards()[0])
    for seed in range(10):
        twin = table.copy()
        rummy.complete(table.view(), table.options, generator(seed), twin.state)
        assert twin.stock() == table.stock()
        assert twin.pile() == table.pile()
        assert [twin.hand(seat) for seat in (0, 1)] == [table.hand(seat) for seat in (0, 1)]


def test_the_state_is_small() -> None:
    assert rummy.STATE.itemsize <= 256
    assert rummy.VIEW.itemsize <= 256
