"""The checked door of a deal: what it refuses, and that refusing changes nothing."""

from random import Random
from typing import Any

import numpy as np
import pytest

from undercut.games.families import parse_game
from undercut.play.deal import Deal, legal_actions
from undercut.text.errors import IllegalAction, OptionsError

GIN = parse_game("gin")


def position(deal: Deal) -> tuple[Any, ...]:
    return deal.seat, deal.actions, [deal.observe(seat).tobytes() for seat in (0, 1)]


def played_out(seed: int) -> Deal:
    deal = Deal(GIN, seed)
    while not deal.is_over:
        deal.apply(deal.actions[-1])
    return deal


@pytest.mark.parametrize("answer", [None, "pass", 106.0, -1, 445, 2**63, 2**70, 51])
def test_what_is_no_legal_action_is_refused_and_changes_nothing(answer: Any) -> None:
    deal = Deal(GIN, seed=1)
    before = position(deal)
    with pytest.raises(IllegalAction, match="not legal for seat 0 now: take, pass"):
        deal.apply(answer)
    assert position(deal) == before


def test_an_action_may_be_any_whole_number() -> None:
    deals = [Deal(GIN, seed=1) for _ in range(3)]
    for deal, kind in zip(deals, (int, np.int16, np.int64), strict=True):
        deal.play("pass")
        deal.apply(kind(deal.actions[0]))
    assert position(deals[0]) == position(deals[1]) == position(deals[2])


def test_a_deal_that_is_over_takes_no_action() -> None:
    with pytest.raises(IllegalAction, match="the deal is over"):
        played_out(seed=1).apply(0)


def test_points_and_the_next_starter_need_a_deal_that_is_over() -> None:
    deal = Deal(GIN, seed=1)
    for ask in (deal.points, deal.next_starter):
        with pytest.raises(IllegalAction, match="not over"):
            ask()
    over = played_out(seed=1)
    assert len(over.points()) == 2
    assert over.next_starter() in (0, 1)


def test_a_copy_goes_its_own_way() -> None:
    deal = Deal(GIN, seed=3, starter=1, scores=(40, 7))
    before = position(deal)
    twin = deal.copy()
    twin.play("take")
    assert position(deal) == before != position(twin)
    deal.play("take")
    assert position(deal) == position(twin)


def test_a_deal_knows_who_starts_and_the_scores() -> None:
    deal = Deal(GIN, seed=3, starter=1, scores=(40, 7))
    assert deal.seat == 1
    assert deal.observe().scores.tolist() == [40, 7]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"starter": 2}, "starter 2: must be from 0 to 1"),
        ({"seed": -1}, "seed -1"),
        ({"seed": 2**63}, "seed 9223372036854775808"),
        ({"scores": (1, 2, 3)}, "3 scores: gin has 2 seats"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionsError, match=message):
        Deal(GIN, **{"seed": 1, **given})


def test_there_is_no_view_from_a_seat_that_is_not_there() -> None:
    with pytest.raises(OptionsError, match="seat 2: must be from 0 to 1"):
        Deal(GIN, seed=1).observe(2)


@pytest.mark.parametrize("name", ["gin", "distilled", "rummy"])
def test_what_is_legal_can_be_told_from_a_view(name: str) -> None:
    game, random = parse_game(name), Random(3)
    deal = Deal(game, seed=4)
    for _ in range(40):
        if deal.is_over:
            break
        assert legal_actions(game, deal.observe()) == deal.actions
        if deal.actions:
            with pytest.raises(IllegalAction, match="it is the other seat's turn"):
                legal_actions(game, deal.observe(1 - deal.seat))
        deal.apply(random.choice(deal.actions))
    while not deal.is_over:
        deal.apply(random.choice(deal.actions))
    with pytest.raises(IllegalAction, match=r"the deal is over|other seat's turn"):
        legal_actions(game, deal.observe())
