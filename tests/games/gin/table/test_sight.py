"""What is told of a gin view."""

from collections.abc import Iterator

import pytest

from undercut.cards.french import (
    mask,
    parse_card,
    parse_cards,
    points,
)
from undercut.cards.melds import deadwood
from undercut.games.families import parse_game, rule_sets
from undercut.games.gin.rules.deal import Phase
from undercut.games.gin.table.sight import deadwood_after, look
from undercut.games.table.melding.hand import Hand, cheapest
from undercut.play.agent import Random
from undercut.play.deal import Deal
from undercut.players.catalog import parse_agent

GIN = parse_game("gin")


def cards_of(hand: Hand) -> list[str]:
    return [*hand.loose, *hand.laid_off, *(card for meld in hand.melds for card in meld)]


def positions(spec: str, seed: int) -> Iterator[Deal]:
    """A deal between two simple players, after each action."""
    game = parse_game(spec)
    agent, chance = parse_agent("simple", game), Random.from_seed(seed)
    deal = Deal(game, seed)
    while True:
        yield deal
        if deal.is_over:
            return
        deal.apply(agent.act(deal.observe(), deal.actions, chance))


@pytest.mark.parametrize("spec", [*rule_sets("gin"), "gin:knock_face_down=1"])
def test_the_hand_is_laid_out_as_cheaply_as_can_be(spec: str) -> None:
    for deal in positions(spec, 3):
        view, options = deal.observe(0), deal.game.options
        table = look(view, options)
        cards = cards_of(table.hand)
        in_hand = int(view.hand) & ~int(view.melded[0])
        assert mask(map(parse_card, cards)) == in_hand
        assert len(cards) == len(set(cards))
        assert table.hand.deadwood == deadwood(in_hand, options.face_points)
        assert table.hand.deadwood == points(mask(map(parse_card, table.hand.loose)), 10)
        assert table.stock + table.pile + 20 + (table.phase == Phase.DISCARD) == 52


@pytest.mark.parametrize("spec", rule_sets("gin"))
def test_the_other_hand_is_shown_when_it_lies_open(spec: str) -> None:
    for seed in range(5):
        for deal in positions(spec, seed):
            table = look(deal.observe(0), deal.game.options)
            if table.knocker is None:
                assert table.hands[1] is None
        hands = look(deal.observe(0), deal.game.options).hands
        twin = look(deal.observe(1), deal.game.options).hands
        if deal.is_over and table.knocker is not None:
            assert hands == twin
            assert all(hand is not None and len(cards_of(hand)) == 10 for hand in hands)


def test_cards_the_other_player_took_are_known_until_they_are_thrown() -> None:
    deal = Deal(GIN, seed=1, starter=1)
    assert look(deal.observe(0), GIN.options).upcard == "Kd"
    deal.play("take")
    table = look(deal.observe(0), GIN.options)
    assert (table.known, table.upcard, table.pile) == (("Kd",), None, 0)
    assert look(deal.observe(1), GIN.options).taken == "Kd"
    other = next(text for text in deal.legal if text.startswith("discard"))
    deal.play(other)
    table = look(deal.observe(0), GIN.options)
    assert (table.known, table.upcard) == (("Kd",), other.split()[1])
    for text in ("draw", None, "draw", "discard Kd"):
        deal.play(text or deal.legal[0])
    assert look(deal.observe(0), GIN.options).known == ()


def test_a_card_that_fits_a_set_and_a_run_goes_where_less_is_left() -> None:
    hand = cheapest(parse_cards("5h 6h 7h 7c 7d 9s"), 10)
    assert hand == Hand((("7c", "7d", "7h"),), (), ("5h", "6h", "9s"), 20)


def test_the_deadwood_after_a_throw() -> None:
    view = Deal(GIN, seed=1).observe(0)
    assert look(view, GIN.options).hand.deadwood == 57
    assert deadwood_after(view, parse_card("Jh"), GIN.options) == 47
    assert deadwood_after(view, parse_card("Ac"), GIN.options) == 56
