"""belief/: what counting says, and hands drawn to fit any chances."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from cards.reference.cards import PACK
from games.gin.positions import gin_view_in_words
from games.gin.reference import sample as slow
from kernels.reference import rng as slow_rng
from positions import generator, lively_walk, random_table, scaled
from undercut.cards.french import each, size
from undercut.games.families import parse_game
from undercut.games.gin.players.belief import counting
from undercut.games.gin.players.belief.sample import SAMPLER, draw, draw_numbered, prepare
from undercut.games.gin.players.strategy import thinking
from undercut.games.gin.rules import deal as gin
from undercut.kernels.records import new, pack


def _counted(view: Any, options: Any, remember: int = 1) -> Any:
    chances = np.zeros(52)
    settings = pack(thinking.Settings(remember=remember))
    counting.estimate(view, options, settings, np.zeros(1, dtype=np.int64), chances, 0, 1)
    return chances


def test_who_does_not_remember_takes_all_cards_out_of_sight_for_alike() -> None:
    random = Random(2)
    table = random_table(parse_game("gin"), random)
    for _ in lively_walk(table, random):
        view = table.view()
        words = gin_view_in_words(view)
        chances = _counted(view, pack(table.game.options), remember=0)
        hidden = set(PACK) - words["hand"] - words["pile"]
        expected = [10 / len(hidden) if card in hidden else 0.0 for card in PACK]
        assert chances == pytest.approx(expected)


@pytest.mark.parametrize("game", ["gin", "distilled", "gin:knock_face_down=1"])
def test_counting_knows_what_was_seen_and_nothing_else(game: str) -> None:
    random = Random(1)
    for _ in range(scaled(8, 2)):
        table = random_table(parse_game(game), random)
        for _ in lively_walk(table, random):
            for seat in (0, 1):
                view = table.view(seat)
                words = gin_view_in_words(view)
                chances = dict(zip(PACK, _counted(view, pack(table.game.options)), strict=True))
                if words["phase"] in ("offer", "draw", "discard"):
                    drawing = words["phase"] == "discard" and words["seat"] != seat
                    assert sum(chances.values()) == pytest.approx(11 if drawing else 10)
                assert all(chances[card] == 0 for card in words["hand"] | words["pile"])
                assert all(chances[card] == 1 for card in words["theirs"])
                hidden = set(PACK) - words["hand"] - words["pile"] - words["theirs"]
                assert len({round(chances[card], 12) for card in hidden}) <= 1


def _sampler(chances: Any) -> Any:
    sampler = new(SAMPLER, 1)[0]
    prepare(np.array(chances), sampler, 0, 1)
    return sampler


def _spread(random: Random, cards: int, wanted: int, width: float) -> list[float]:
    """Probabilities of some cards with a given sum and spread."""
    while True:
        raw = [np.exp(width * random.gauss(0, 1)) for _ in range(cards)]
        chances = [wanted * value / sum(raw) for value in raw]
        if max(chances) < 0.999:
            return chances + [0.0] * (52 - cards)


@pytest.mark.parametrize("width", [0.0, 0.4, 1.0])
@pytest.mark.parametrize(("cards", "wanted"), [(3, 1), (6, 3), (7, 6), (8, 4)])
def test_the_odds_give_each_card_its_share(cards: int, wanted: int, width: float) -> None:
    """Exactly, by going through every hand."""
    chances = _spread(Random(cards), cards, wanted, width)
    sampler = _sampler(chances)
    odds = sampler["odds"][:cards].tolist()
    assert slow.shares(odds, wanted) == pytest.approx(chances[:cards], abs=1e-7)


def test_every_hand_is_drawn_as_often_as_its_odds_say() -> None:
    """Chi-square over the 70 hands of four of eight cards; 99.99 % of samples lie below 122."""
    chances = _spread(Random(4), 8, 4, 0.6)
    sampler, chance, count = _sampler(chances), generator(1), scaled(40_000, 4_000)
    expected = slow.distribution(sampler["odds"][:8].tolist(), 4)
    drawn = Counter(frozenset(each(draw(sampler, chance))) for _ in range(count))
    assert set(drawn) <= set(expected)
    error = sum((drawn[hand] - count * p) ** 2 / (count * p) for hand, p in expected.items())
    assert error < 122


@pytest.mark.parametrize("width", [0.0, 0.5, 1.5])
def test_ten_of_forty_cards_turn_up_as_often_as_they_should(width: float) -> None:
    chances = np.array(_spread(Random(7), 41, 10, width))
    sampler, chance, count = _sampler(chances), generator(2), scaled(30_000, 500)
    held = np.zeros(52)
    for _ in range(count):
        hand = draw(sampler, chance)
        assert size(hand) == 10
        held += (hand >> np.arange(52)) & 1
    assert not held[41:].any()
    error = np.sqrt(count * chances[:41] * (1 - chances[:41]))
    assert np.abs(held[:41] - count * chances[:41]).max() < 4.5 * error.max()


def test_cards_that_are_certain_are_in_every_hand() -> None:
    chances = [1.0, 0.0, 1.0, *[0.8] * 10, *[0.0] * 39]
    sampler, chance = _sampler(chances), generator(3)
    for _ in range(100):
        hand = draw(sampler, chance)
        assert hand & 0b111 == 0b101
        assert size(hand) == 10
    assert draw(_sampler([1.0] * 10 + [0.0] * 42), chance) == (1 << 10) - 1
    assert draw(_sampler([0.0] * 52), chance) == 0


def test_even_extreme_chances_give_whole_hands() -> None:
    chances = [1e-6] * 20 + [0.999] * 9 + [0.0] * 23
    chances[51] = 10 - sum(chances)
    sampler, chance = _sampler(chances), generator(4)
    assert {size(draw(sampler, chance)) for _ in range(200)} == {10}


def test_the_same_seed_gives_the_same_hands() -> None:
    """Interpreted and compiled runs give these fixed numbers."""
    sampler = _sampler(_spread(Random(9), 20, 10, 0.5))
    chance = generator(11)
    assert [draw(sampler, chance) for _ in range(3)] == [756316, 290331, 556586]


def test_a_hand_depends_on_its_number_and_the_seed_alone() -> None:
    sampler, seed = _sampler(_spread(Random(5), 41, 10, 0.7)), 2**60 + 7
    count = scaled(200, 20)
    apart = [
        draw(sampler, generator(slow_rng.derived(seed, 0, number, 0))) for number in range(count)
    ]
    for numbers in (range(count), reversed(range(count)), Random(6).sample(range(count), count)):
        chance = generator(99)  # whatever it was used for before
        drawn = {number: draw_numbered(sampler, seed, number, chance) for number in numbers}
        assert [drawn[number] for number in range(count)] == apart
    assert len(set(apart)) == count
    assert draw_numbered(sampler, seed + 1, 0, generator(99)) != apart[0]


def test_a_view_after_a_knock_has_a_known_hand() -> None:
    random = Random(12)
    game = parse_game("gin:knock_limit=99")
    table = random_table(game, random).play("pass", "pass", "draw")
    table.apply(next(action for action in table.actions() if action >= gin.KNOCK))
    while table.state["phase"] == gin.Phase.SPREAD:
        table.play_any(random)
    chances = _counted(table.view(), pack(game.options))
    assert sorted(chances)[-10:] == [1.0] * 10
    assert sum(chances) == 10
