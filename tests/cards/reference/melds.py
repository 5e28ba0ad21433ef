"""Melds straight from their definition, and every search by trying everything."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations

from cards.reference.cards import PACK, RANKS, SUITS, Card, Hand, points, rank, suit

Layout = frozenset[Hand]  # melds that share no card


def is_set(cards: Hand) -> bool:
    """Three or four cards of one rank."""
    return len(cards) in (3, 4) and len({rank(card) for card in cards}) == 1


def is_run(cards: Hand) -> bool:
    """Three or more consecutive cards of one suit, ace low."""
    ranks = sorted(rank(card) for card in cards)
    return (
        len(cards) >= 3
        and len({suit(card) for card in cards}) == 1
        and ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    )


def is_meld(cards: Hand) -> bool:
    return is_set(cards) or is_run(cards)


def _subsets(cards: Sequence[Card]) -> Iterator[Hand]:
    for count in range(len(cards) + 1):
        for chosen in combinations(cards, count):
            yield frozenset(chosen)


def _find_all_melds() -> list[Hand]:
    """Every subset of a rank and every subset of a suit, kept if it is a meld."""
    ranks = [[name + suit_name for suit_name in SUITS] for name in RANKS]
    suits = [[name + suit_name for name in RANKS] for suit_name in SUITS]
    return [cards for group in ranks + suits for cards in _subsets(group) if is_meld(cards)]


ALL_MELDS = _find_all_melds()


def melds(cards: Hand) -> list[Hand]:
    """Every meld that can be made of some of the cards."""
    return [meld for meld in ALL_MELDS if meld <= cards]


def layouts(cards: Hand) -> Iterator[Layout]:
    """Every way to lay down some melds, none at all included."""
    yield from _layouts(cards, melds(cards))


def _layouts(cards: Hand, candidates: list[Hand]) -> Iterator[Layout]:
    yield frozenset()
    for place, meld in enumerate(candidates):
        left = cards - meld
        later = [other for other in candidates[place + 1 :] if other <= left]
        for rest in _layouts(left, later):
            yield rest | {meld}


def melded(layout: Iterable[Hand]) -> Hand:
    """All cards of some melds."""
    return frozenset().union(*layout)


@lru_cache(100_000)
def deadwood(cards: Hand, face_points: int = 10) -> int:
    """The least points that can be left unmelded."""
    return min(points(cards - melded(layout), face_points) for layout in layouts(cards))


def cheapest_layouts(cards: Hand, face_points: int = 10) -> set[Layout]:
    """Every layout that reaches the deadwood."""
    least = deadwood(cards, face_points)
    return {
        layout for layout in layouts(cards) if points(cards - melded(layout), face_points) == least
    }


@cache
def fitting(meld: Hand) -> Hand:
    """The cards that make a meld longer."""
    return frozenset(card for card in PACK if card not in meld and is_meld(meld | {card}))


def layoffs(cards: Hand, opposing: Iterable[Hand]) -> set[Hand]:
    """Every set of cards that can be laid off on the opposing melds, one card after another."""
    found = set()
    seen = set()
    waiting = [(frozenset(cards), frozenset(opposing))]
    while waiting:
        position = waiting.pop()
        if position in seen:
            continue
        seen.add(position)
        left, table = position
        found.add(frozenset(cards) - left)
        for meld in table:
            for card in fitting(meld) & left:
                waiting.append((left - {card}, table - {meld} | {meld | {card}}))
    return found


def deadwood_after_layoffs(cards: Hand, opposing: Iterable[Hand], face_points: int = 10) -> int:
    """The least points left of loose cards when they may be laid off."""
    return min(points(cards - laid, face_points) for laid in layoffs(cards, opposing))


def defended_deadwood(cards: Hand, opposing: Iterable[Hand], face_points: int = 10) -> int:
    """The least points left when own melds and lay-offs are chosen together."""
    opposing = list(opposing)
    return min(
        deadwood_after_layoffs(cards - melded(layout), opposing, face_points)
        for layout in layouts(cards)
    )
