"""The readable view of Rummy, and actions as another player sees them."""

from random import Random
from typing import Any

import pytest

from games.rummy.positions import dealt, placed, shuffled
from positions import scaled
from undercut.cards.card import Cards
from undercut.cards.french import mask, parse_card
from undercut.games.rummy.table.describe import DESCRIPTION
from undercut.games.rummy.table.readable import Meld
from undercut.games.table.actions import actions_of
from undercut.games.table.description import Event


def seen(table: Any, text: str, viewer: int) -> Event:
    """Play an action; say how it looked to a viewer."""
    before, actions = table.readable(viewer), actions_of(table.game.family)
    table.play(text)
    return DESCRIPTION.seen(actions.texts[actions.read(text)], before, table.readable(viewer))


@pytest.mark.parametrize("spec", ["rummy", "rummy-classic"])
def test_the_table_is_what_the_rules_say_it_is(spec: str) -> None:
    for seed in range(scaled(4, 2)):
        random = Random(seed)
        table = dealt(shuffled(random), spec)
        while not table.is_over:
            for seat in range(2):
                drawn = table.readable(seat)
                assert set(drawn.hand) == table.hand(seat)
                assert sorted(drawn.layout.cards) == sorted(drawn.hand)
                assert drawn.held == len(table.hand(1 - seat))
                assert set(drawn.known) <= table.hand(1 - seat)
                assert [" ".join(meld.cards) for meld in drawn.melds] == table.melds()
                assert (drawn.stock, drawn.pile_size) == (len(table.stock()), len(table.pile()))
                assert [*drawn.discards] == table.pile()
                assert drawn.upcard == (table.pile()[-1] if table.pile() else None)
                if drawn.turnovers and drawn.stock:
                    assert drawn.next_card == table.stock()[0]
                for meld in drawn.melds:
                    laid = int(table.state.laid[meld.maker])
                    assert laid & mask(map(parse_card, meld.cards))
            eager = table.put_downs() if seed % 2 else []
            table.play(random.choice(eager or table.legal()))


def test_a_meld_belongs_to_the_one_who_made_it_whoever_lays_off_on_it() -> None:
    table = placed("4h 8h 2c 2d 2s Kc", "Ks", melds=["5h 6h 7h"], pile="3d")
    table.play("draw", "lay 4h on 5h", "meld 2c 2d 2s")
    assert table.readable(0).melds == (Meld(Cards("4h 5h 6h 7h"), 1), Meld(Cards("2c 2d 2s"), 0))


def test_a_draw_is_named_to_the_one_who_drew() -> None:
    table = placed("2c 2d", "Ks 9s", pile="3h", stock="Qd 4s 5s")
    assert seen(table.copy(), "draw", viewer=0) == Event(0, "draw", ("Qd",))
    assert seen(table, "draw", viewer=1) == Event(0, "draw")


def test_a_card_taken_is_named_to_all() -> None:
    table = placed("2c 2d", "Ks 9s", pile="3h 7c")
    assert seen(table, "take", viewer=1) == Event(0, "take", ("7c",))


def test_after_a_turnover_every_draw_is_named_since_the_cards_lay_open() -> None:
    table = placed("2c 2d", "Ks 9s", pile="3h 7c 8d", stock="")
    assert table.readable(0).next_card == "3h"
    assert seen(table, "turn over", viewer=1) == Event(0, "turn", ("3h",))
    table.play("discard 3h")
    assert table.readable(0).next_card == "7c"
    assert seen(table, "draw", viewer=0) == Event(1, "draw", ("7c",))


def test_the_next_card_of_the_first_stock_is_not_known() -> None:
    table = placed("2c 2d", "Ks 9s", pile="3h")
    assert table.readable(0).next_card is None


def test_a_lay_off_names_its_card_and_what_it_is_laid_on() -> None:
    table = placed("4h 8h 2c", "Ks", melds=["5h 6h 7h"], pile="3d").play("draw")
    assert seen(table, "lay 4h on 5h", viewer=1) == Event(0, "lay", ("4h",), "5h")
