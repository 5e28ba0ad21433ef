"""The particle filter against `simple`, beside its slow twin and the enumeration of all deals."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from cards.reference.cards import PACK, Hand
from cards.reference.melds import deadwood
from games.gin.reference import agents
from positions import generator
from posterior import HAND, NoParticle, Story, filtered, likelihood, posterior, read_story
from undercut.cards.french import NONE, each
from undercut.games.families import parse_game
from undercut.games.gin.rules.layout import Phase, drawn, thrown, was_taken
from undercut.kernels.records import pack
from undercut.play.agent import Random
from undercut.play.deal import Deal
from undercut.players.catalog import parse_agent

GAME = parse_game("gin")
OPTIONS = pack(GAME.options)
SPARE = 4  # hidden cards that neither the hand nor the draws need, where all deals are counted


def decisions(seed: int) -> Iterator[Deal[Any]]:
    """A deal of simple against simple before each decision with concealed hands."""
    deal, chance = Deal(GAME, seed=seed), Random(generator(seed))
    simple: Any = parse_agent("simple", GAME)
    while not deal.is_over and deal.observe().phase < Phase.SPREAD:
        yield deal
        deal.apply(simple.act(deal.observe(), deal.actions, chance))


def true_places(deal: Deal[Any]) -> list[int]:
    """The first hand of the seat that is not on turn, and its draws from the stock."""
    view = deal.observe(1 - deal.seat)
    hand, draws = int(view.hand), []
    for turn in reversed(range(int(view.turn))):
        if (turn + int(view.opener)) % 2 == view.me:
            hand = hand | 1 << thrown(view, turn)
            hand ^= 1 << drawn(view, turn)
            if not was_taken(view, turn):
                draws.append(drawn(view, turn))
    return [*each(hand), *reversed(draws)]


def slow_likelihood(story: Story, places: list[int]) -> float:
    """The same by the slow twin of `simple`, in words."""
    hand, chance = frozenset(PACK[card] for card in places[:HAND]), 1.0
    history: dict[int, tuple[str, str]] = {}
    for offered, takes, place, card, turn in story.moves.tolist():
        if offered != NONE and _takes(hand, PACK[offered]) != bool(takes):
            return 0.0
        if card == NONE:
            continue
        new = PACK[offered if takes else places[place]]
        hand |= {new}
        earlier = tuple(history.get(number, (None, None)) for number in range(turn))
        allowed = _discards(hand, new if takes else None, (*earlier, (new, None)))
        if f"discard {PACK[card]}" not in allowed:
            return 0.0
        chance /= len(allowed)
        hand -= {PACK[card]}
        history[turn] = new, PACK[card]
    return chance


@cache
def _takes(hand: Hand, upcard: str) -> bool:
    view = {"phase": "draw", "hand": hand, "upcard": upcard}
    return agents.simple(view, ["draw", "take"], GAME.options) == {"take"}


@cache
def _discards(hand: Hand, taken: str | None, history: tuple[Any, ...]) -> set[str]:
    knocks = [f"knock {card}" for card in hand - {taken} if deadwood(hand - {card}, 10) <= 10]
    view = {"phase": "discard", "hand": hand, "taken": taken, "history": history}
    return agents.simple(view, knocks, GAME.options)


def exact(story: Story) -> np.ndarray[Any, Any]:
    """The chance of each hidden card, from all deals of the hidden cards."""
    total, found = 0.0, np.zeros(52)
    draws, cards = story.places - HAND, set(story.cards.tolist())
    for drawn_cards in permutations(cards, draws):
        for hand in combinations(sorted(cards - {*drawn_cards}), HAND):
            places = [*hand, *drawn_cards]
            if _is_possible(story, places):
                chance = slow_likelihood(story, places)
                total += chance
                held = [card for card in places if story.limits[card] > story.places]
                found[held] += chance
    return found / total


def _is_possible(story: Story, places: list[int]) -> bool:
    """Whether every card that was thrown lies in a place that came before."""
    at = {card: max(place, HAND - 1) for place, card in enumerate(places)}
    return all(at.get(card, 51) < story.limits[card] for card in story.cards.tolist())


def test_the_true_cards_have_the_chance_of_the_slow_twin() -> None:
    compared, least = 0, 1.0
    for seed in range(12):
        for deal in decisions(seed):
            story, places = read_story(deal.observe()), true_places(deal)
            assert len(places) == story.places
            assert _is_possible(story, places)
            chance = likelihood(story, OPTIONS, np.array(places), len(story.moves))
            assert chance == pytest.approx(slow_likelihood(story, places), rel=1e-9)
            assert chance > 0  # they are what it did
            compared, least = compared + 1, min(least, chance)
    assert compared > 100
    assert least < 0.5  # among them are ties


@pytest.mark.parametrize(("seed", "number"), [(2, 7), (6, 9), (8, 6), (11, 6)])
def test_particles_have_the_distribution_of_all_deals(seed: int, number: int) -> None:
    deal = list_of(seed)[number]
    story, places = read_story(deal.observe()), true_places(deal)
    others = [card for card in story.cards.tolist() if card not in places]
    few = [card for card in story.cards.tolist() if card in {*places, *others[:SPARE]}]
    story = story._replace(cards=np.array(few))
    wanted = exact(story)
    found = filtered(story, OPTIONS, seed=1, particles=4096)
    assert found == pytest.approx(wanted, abs=0.02)
    free = [card for card in few if story.limits[card] > story.places]
    evenly = wanted[free].sum() / len(free)
    assert np.abs(wanted[free] - evenly).max() > 0.15  # the moves tell something


def list_of(seed: int) -> list[Deal[Any]]:
    """Copies of a deal before each decision."""
    return [deal.copy() for deal in decisions(seed)]


def test_a_posterior_is_that_of_a_hand() -> None:
    for deal in list_of(4):
        view = deal.observe()
        found = posterior(view, OPTIONS, seed=1, particles=64)
        assert found.sum() == pytest.approx(10)
        for card in each(int(view.theirs)):
            assert found[card] == 1
        for card in each(int(view.hand) | int(view.pile)):
            assert found[card] == 0


def test_moves_of_another_player_fit_no_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("posterior.MOST", 1)
    deal = list_of(3)[7]
    story = read_story(deal.observe())
    kept = int(next(card for card in story.cards if story.limits[card] > story.places))
    moves = story.moves.copy()
    moves[-1, 3] = kept  # it throws a card that it took: no deal has that
    moves[-1, :2] = kept, 1
    with pytest.raises(NoParticle):
        filtered(story._replace(moves=moves), OPTIONS, seed=1, particles=64)
