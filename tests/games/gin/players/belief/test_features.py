"""The paper's 208 inputs: the kernel against a plain account of the play."""

from random import Random

import numpy as np
import pytest

from cards.reference.cards import PACK, number
from games.gin.positions import features_of, gin_table
from games.gin.reference.belief import Event, features
from positions import Table, lively_walk, random_table, scaled, walk
from undercut.games.families import parse_game
from undercut.games.gin.players.belief.features import (
    FEATURES,
    REFUSED,
    TAKEN,
    THROWN,
    fill_features,
)
from undercut.kernels.records import new

GAMES = ["gin", "distilled", "distilled+upcard+knock", "gin:knock_face_down=1"]


def kernel_features(table: Table, me: int) -> list[int]:
    out = np.full(FEATURES, 99, dtype=np.int8)
    fill_features(table.view(me), out)
    return out.tolist()


def slow_features(table: Table, events: list[Event], me: int) -> list[int]:
    planes = features(table.slow_twin(), events, me)
    return [planes[name].get(card, 0) for name in planes for card in PACK]


@pytest.mark.parametrize("name", GAMES)
def test_features_equal_a_plain_account_of_the_play(name: str) -> None:
    random = Random(7)
    game = parse_game(name)
    seen = np.zeros(4, dtype=bool)
    for number_of_deal in range(scaled(5, 2)):
        table = random_table(game, random)
        events: list[Event] = []
        upcard: str | None = None
        seat = table.seat
        for _ in (walk if number_of_deal % 2 else lively_walk)(table, random):
            if table.played:
                action = game.notation.format_action(table.played[-1])
                events.append(Event(seat, action.replace("  ", " "), upcard))
            for me in (0, 1):
                found = kernel_features(table, me)
                assert found == slow_features(table, events, me)
                seen |= np.array(found).reshape(4, 52).any(axis=1)
            seat = table.seat
            lies = int(table.state["upcard"])
            upcard = PACK[lies] if lies >= 0 else None
    assert seen.all()


def test_a_short_deal_in_the_words_of_the_paper() -> None:
    table = gin_table(seat0="Ac 2c", seat1="Kd Kh", upcard="Ks", stock="9s 8s", starter=0)
    table.play("pass", "take", "discard Kd", "take", "discard Ac", "draw", "discard Kh")
    planes = kernel_features(table, 0)
    assert planes[number("Ks") + TAKEN] == 1
    assert planes[number("Ac") + REFUSED] == 2
    assert planes[number("Kd") + THROWN] == 1
    assert planes[number("Kh") + THROWN] == 2
    assert planes[number("Kd")] == 1
    assert planes[number("Ac")] == planes[number("Kh")] == -1
    assert kernel_features(table, 1)[number("Ks") + REFUSED] == 1


def test_many_views_at_once() -> None:
    table = random_table(parse_game("gin"), Random(3))
    views = new(table.rules.VIEW, 2)
    views[0], views[1] = table.view(0), table.view(1)
    rows = features_of(views)
    assert rows.tolist() == [kernel_features(table, 0), kernel_features(table, 1)]
