"""The readable view of Gin."""

from collections.abc import Iterator

import pytest

from undercut.cards.card import Cards
from undercut.cards.french import mask, parse_card, parse_cards, points
from undercut.cards.melds import deadwood
from undercut.games.contract import Game
from undercut.games.families import parse_game, rule_sets
from undercut.games.gin.table.describe import DESCRIPTION
from undercut.games.gin.table.readable import GinView
from undercut.games.table.description import Company
from undercut.games.table.melding.hand import Layout, cheapest
from undercut.play.agent import Random
from undercut.play.deal import Deal
from undercut.players.catalog import parse_agent

GIN: Game[GinView] = parse_game("gin")


def cards_of(hand: Layout) -> list[str]:
    return [*hand.cards, *hand.laid_off]


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
        table = deal.view(0)
        cards = cards_of(table.rest)
        in_hand = int(view.hand) & ~int(view.melded[0])
        assert mask(map(parse_card, cards)) == in_hand
        assert len(cards) == len(set(cards))
        assert table.rest.deadwood == deadwood(in_hand, options.face_points)
        assert table.rest.deadwood == points(mask(map(parse_card, table.rest.loose)), 10)
        assert table.stock + table.pile_size + 20 + (table.phase == "discard") == 52


@pytest.mark.parametrize("spec", rule_sets("gin"))
def test_the_other_hand_is_shown_when_it_lies_open(spec: str) -> None:
    for seed in range(5):
        for deal in positions(spec, seed):
            table = deal.view(0)
            if table.knocker is None:
                assert table.hands[1] is None
        hands, twin = deal.view(0).hands, deal.view(1).hands
        if deal.is_over and table.knocker is not None:
            assert hands == twin
            assert all(hand is not None and len(cards_of(hand)) == 10 for hand in hands)


def test_cards_the_other_player_took_are_known_until_they_are_thrown() -> None:
    deal = Deal(GIN, seed=1, starter=1)
    assert deal.view(0).upcard == "Kd"
    deal.play("take")
    table = deal.view(0)
    assert (table.known, table.upcard, table.pile_size) == ("Kd", None, 0)
    assert deal.view(1).taken == "Kd"
    other = next(text for text in deal.legal if text.startswith("discard"))
    deal.play(other)
    table = deal.view(0)
    assert (table.known, table.upcard) == ("Kd", other.split()[1])
    for text in ("draw", None, "draw", "discard Kd"):
        deal.play(text or deal.legal[0])
    assert deal.view(0).known == ""


def test_a_card_that_fits_a_set_and_a_run_goes_where_less_is_left() -> None:
    hand = cheapest(parse_cards("5h 6h 7h 7c 7d 9s"), 10)
    assert hand == Layout((Cards("7c 7d 7h"),), Cards("5h 6h 9s"), 20, Cards())


def test_the_deadwood_after_a_throw() -> None:
    view = Deal(GIN, seed=1).view(0)
    assert view.rest.deadwood == view.deadwood == 57
    assert view.lay_out(view.hand - "Jh").deadwood == 47
    assert view.lay_out(view.hand - "Ac").deadwood == 56


@pytest.mark.parametrize("spec", [*rule_sets("gin"), "gin:knock_face_down=1"])
def test_the_pile_is_told_in_the_order_in_which_it_lies(spec: str) -> None:
    """Also under a card that was just taken."""
    before: tuple[str, ...] = ()
    for deal in positions(spec, 3):
        for seat in range(2):
            view = deal.view(seat)
            pile = view.discards.texts
            assert sorted(pile) == sorted(Cards.from_mask(int(view.record.pile)).texts)
            if view.upcard:
                assert pile[-1] == str(view.upcard)
        shared = min(len(before), len(pile))
        assert pile[:shared] == before[:shared]
        before = pile


def test_the_hidden_hand_stays_on_the_table_after_a_knock() -> None:
    """While the knocker lays down, and with fewer cards while the other one does."""
    company = Company(("One", "Two"))
    shown = set()
    for seed in range(20):
        for deal in positions("gin", seed):
            knocker = deal.view(0).knocker
            if knocker is None or deal.is_over:
                continue
            view = deal.view(knocker)
            hidden = [
                part
                for area in DESCRIPTION.table(view, company).areas
                if area.kind == "players"
                for part in area.parts
            ]
            assert [part.seat for part in hidden] == [1 - knocker]
            held = int(deal.view(1 - knocker).record.hand) & ~int(view.record.melded[1 - knocker])
            assert hidden[0].face_down + len(hidden[0].cards) == held.bit_count()
            shown.add(held.bit_count())
    assert len(shown) > 1
