"""RLCard's gin as an oracle for melds, deadwood and the cards to go out with.

Its play is another game (no first upcard, no laying down, gin by force), see docs/oracles.md; what
it finds in a hand can be compared, runs of any length included.
"""

from random import Random

import numpy as np
import pytest
from rlcard.games.gin_rummy.judge import get_going_out_cards
from rlcard.games.gin_rummy.utils import melding, utils

from undercut.cards.french import Cards, each, format_cards, mask, parse_cards
from undercut.cards.melds import MELD_BUFFER, deadwood, find_meld, list_melds
from undercut.kernels.jit import COMPILED

SAMPLES = 20_000 if COMPILED else 500
LIMIT = 10

# RLCard's suits are in the order spades, hearts, diamonds, clubs.
OUR_CARD = [13 * (3 - card // 13) + card % 13 for card in range(52)]
THEIR_CARD = [utils.get_card(OUR_CARD.index(card)) for card in range(52)]

few_ranks_make_many_melds = pytest.mark.parametrize("ranks", [13, 7])


def random_hands(size: int, ranks: int) -> list[Cards]:
    chance = Random(ranks)
    deck = [13 * suit + rank for suit in range(4) for rank in range(ranks)]
    return [mask(chance.sample(deck, size)) for _ in range(SAMPLES)]


def their_cards(cards: Cards) -> list[object]:
    return [THEIR_CARD[card] for card in each(cards)]


def our_cards(cards: list[object]) -> Cards:
    return mask(OUR_CARD[utils.get_card_id(card)] for card in cards)


@few_ranks_make_many_melds
def test_the_melds_of_a_hand_agree(ranks: int) -> None:
    out = np.zeros(MELD_BUFFER, dtype=np.int64)
    for hand in random_hands(10, ranks):
        cards = their_cards(hand)
        given = melding.get_all_run_melds(cards) + melding.get_all_set_melds(cards)
        found = out[: list_melds(hand, out, 0)].tolist()
        assert sorted(find_meld(our_cards(meld)) for meld in given) == sorted(found)


@few_ranks_make_many_melds
def test_deadwood_agrees(ranks: int) -> None:
    for hand in random_hands(10, ranks):
        cards = their_cards(hand)
        best = melding.get_best_meld_clusters(cards)
        given = utils.get_deadwood_count(cards, best[0] if best else [])
        assert deadwood(hand, 10) == given, format_cards(hand)


@few_ranks_make_many_melds
def test_the_cards_to_go_out_with_agree(ranks: int) -> None:
    for hand in random_hands(11, ranks):
        left = {card: deadwood(hand & ~(1 << card), 10) for card in each(hand)}
        knocks, gins = (our_cards(cards) for cards in get_going_out_cards(their_cards(hand), LIMIT))
        goes_out = mask(card for card, cost in left.items() if cost <= LIMIT)
        makes_gin = mask(card for card, cost in left.items() if cost == 0)
        # If all eleven are in melds, RLCard adds any card of a long meld, even a middle one.
        spare = gins & ~makes_gin if deadwood(hand, 10) == 0 else 0
        assert gins & ~spare == makes_gin, format_cards(hand)
        assert (knocks | gins) & ~spare == goes_out & ~spare, format_cards(hand)


def test_they_call_gin_with_a_run_broken_in_the_middle() -> None:
    """The fault allowed for above; when this fails it has been mended, and `spare` can go."""
    hand = parse_cards("Ac Ad Ah As 5d 6d 7d 3h 4h 5h 6h")
    _, gins = get_going_out_cards(their_cards(hand), LIMIT)
    assert our_cards(gins) & parse_cards("5h")
    assert deadwood(hand & ~parse_cards("5h"), 10) == 13
