"""The readable view of Pharaoh, and moves as another player sees them."""

from random import Random

import pytest

from games.pharaoh.positions import Table, dealt, placed, redealt, scaled, shuffled, walk
from undercut.cards.french import each
from undercut.cards.german import PACK, SUIT_NAMES, format_card, name_card
from undercut.games.pharaoh.rules import deal as pharaoh
from undercut.games.pharaoh.table.describe import fitting
from undercut.games.pharaoh.table.events import see
from undercut.games.table.actions import actions_of
from undercut.games.table.description import Effect, Event

GAMES = ["pharaoh", "pharaoh:players=4", "prsi:players=3", "pharaoh:players=8"]
HOUSE = "pharaoh:players=3,over_on_active=1,heart_seven_returns=1,upcard_effects=1"


def seen(table: Table, text: str, viewer: int) -> Event:
    """Play an action; say how it looked to a viewer."""
    before, actions = table.readable(viewer), actions_of(table.game.family)
    table.play(text)
    return see(actions.texts[actions.read(text)], before, table.readable(viewer))


@pytest.mark.parametrize("spec", GAMES)
def test_the_table_is_what_the_rules_say_it_is(spec: str) -> None:
    for seed in range(scaled(5, 1)):
        random = Random(seed)
        for table in walk(dealt(shuffled(random), spec), random, eager=True):
            drawn = table.readable(0)
            assert str(drawn.hand) == table.hand(0)
            assert drawn.top == table.pile().split()[-1]
            assert (str(drawn.pile), drawn.stock) == (table.pile(), len(table.stock().split()))
            need, skips, count = table.need()
            assert drawn.suit == SUIT_NAMES["HBCL".index(need[1])]
            assert (drawn.skips, drawn.penalty) == (skips, count if count > 1 else 0)
            assert drawn.others == list(range(1, table.game.seats))
            assert [*drawn.held] == [*table.sizes()]
            for other in drawn.others:
                assert {*drawn.known(other)} <= {*table.hand(other).split()}
                assert (drawn.places[other] is not None) == (drawn.held[other] == 0)
        places = table.readable(0).places
        assert all(
            place in (None, found) for place, found in zip(places, table.places(), strict=True)
        )


@pytest.mark.parametrize("spec", [*GAMES, HOUSE, "pharaoh:aces_stack=0,leaves_under=0"])
def test_what_fits_in_words_is_what_the_rules_allow(spec: str) -> None:
    for seed in range(scaled(5, 1)):
        random = Random(seed)
        for table in walk(dealt(shuffled(random), spec), random, eager=True):
            words = fitting(table.readable(0))
            cards = {
                format_card(card)
                for card in range(32)
                for word in words
                if word in ("any card", format_card(card))
                or word in name_card(card)
                or word.removeprefix("any ") == name_card(card).partition(" of ")[0]
            }
            allowed = PACK & int(pharaoh.first_cards(table.state, table.options))
            assert cards == {format_card(card) for card in each(allowed)}


def test_a_draw_is_named_to_the_one_who_drew_and_counted_by_the_others() -> None:
    table = placed("8H KC", "9L UB", "XL", pile="7H", stock="7B 8L 9C KL")
    assert seen(table.copy(), "draw", viewer=0) == Event(0, "draw", ("7B",))
    assert seen(table, "draw", viewer=1) == Event(0, "draw", unseen=1)


def test_a_penalty_is_drawn_at_once() -> None:
    table = placed("7H KC", "9L UB", pile="8H", stock="7B 8L 9C KL").play("play 7H")
    drawn = Event(1, "draw", ("7B", "8L", "9C"), effects=(Effect("unasked"),))
    assert seen(table.copy(), "draw", viewer=1) == drawn
    assert seen(table, "draw", viewer=0) == Event(1, "draw", unseen=3)


def test_one_who_cannot_play_draws_unasked_and_one_who_can_does_not() -> None:
    unasked = seen(placed("8C", "9L", pile="7H"), "draw", viewer=0)
    assert unasked.effects == (Effect("unasked"),)
    assert seen(placed("8H", "9L", pile="7H"), "draw", viewer=0).effects == ()


def test_a_skipped_player_and_one_who_finds_no_card_are_told_apart() -> None:
    table = placed("AH KC", "9L UB", pile="8H").play("play AH")
    assert seen(table, "pass", viewer=0) == Event(1, "skip")
    everything = " ".join(format_card(card) for card in range(32) if card not in (0, 31))
    table = placed(everything, "7H", pile="AL", stock="", seat=1)
    assert seen(table, "pass", viewer=0) == Event(1, "pass")


def test_a_shuffle_an_out_and_a_return_are_told() -> None:
    table = placed("8C", "9L UB", pile="9H XH 7B", stock="")
    assert seen(table, "draw", viewer=1) == Event(
        0, "draw", unseen=1, effects=(Effect("shuffled"),)
    )
    table = placed("8H", "9H 9L", "KC", pile="XH")
    out = Event(0, "play", ("8H",), effects=(Effect("out", 1),))
    assert seen(table, "play 8H", viewer=1) == out
    table = placed("8H", "7H 9L", "KC", pile="XH", game="pharaoh:heart_seven_returns=1")
    table.play("play 8H")
    back = Event(1, "play", ("7H",), effects=(Effect("back", 0),))
    assert seen(table, "play 7H", viewer=0) == back


def test_cards_that_only_one_player_can_hold_are_known() -> None:
    table = placed("8C KC", "9L UB", "XL", pile="9H XH 7B", stock="")
    assert [table.readable(0).known(seat) for seat in (1, 2)] == ["", ""]
    table = placed("8C KC", "9L UB", pile="9H XH 7B", stock="")
    assert table.readable(0).known(1) == "9L UB"


@pytest.mark.parametrize("spec", GAMES)
def test_what_a_seat_cannot_know_changes_nothing_it_is_shown(spec: str) -> None:
    for seed in range(scaled(3, 1)):
        random = Random(seed)
        for table in walk(dealt(shuffled(random), spec), random, eager=True):
            if table.is_over or random.random() < 0.7:
                continue
            viewer = random.randrange(table.game.seats)
            twin = redealt(table, viewer, random)
            before, after = table.readable(viewer), twin.readable(viewer)
            assert after.fields() == before.fields()
            known = [[*map(view.known, view.others)] for view in (before, after)]
            assert known[0] == known[1]
            move = table.legal()[0]  # a draw or a pass: all that another may do whatever he holds
            if table.seat != viewer:
                assert seen(twin, move, viewer) == seen(table.copy(), move, viewer)
