"""A slow twin of the paper's player: every utility by its definition, every hand from scratch.

`view` is what reference.gin tells a seat. Chances are given for every card, and so are the hands of
the other player that the fast player samples: here nothing is left to chance.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

from cards.reference.cards import (
    PACK,
    RANKS,
    SUITS,
    Card,
    Hand,
    card_points,
    mask,
    points,
    rank,
    suit,
)
from cards.reference.melds import ALL_MELDS, cheapest_layouts, deadwood, is_meld, is_run, melded

View = dict[str, Any]

TIE = 1e-9
TRIPLES = {card: [meld for meld in ALL_MELDS if len(meld) == 3 and card in meld] for card in PACK}


@dataclass(frozen=True)
class Outlook:
    """A seat's expectations about the cards."""

    dead: Hand
    unseen: Hand
    chances: dict[Card, float]
    free: dict[Card, float]  # the chance that a card is not melded in the other hand
    bonus: float  # the deadwood bonus, boosted in an emergency
    options: Any
    settings: Any


def counting(hidden: Hand, known: Hand, held: int) -> dict[Card, float]:
    """Every unseen card is equally likely."""
    share = (held - len(known)) / len(hidden) if hidden else 0.0
    return {card: 1.0 if card in known else share if card in hidden else 0.0 for card in PACK}


def melded_chance(card: Card, chances: dict[Card, float]) -> float:
    """The chance that a card is held and lies in a meld, cards taken as independent."""
    row, place = suit(card), rank(card) - 1
    others = [RANKS[place] + other for other in SUITS if other != row]
    near = [RANKS[i] + row if 0 <= i < 13 else "" for i in range(place - 2, place + 3)]
    del near[2]
    return chances[card] * _in_meld(
        tuple(chances[other] for other in others),
        tuple(chances[other] if other else 0.0 for other in near),
    )


@lru_cache(maxsize=100_000)
def _in_meld(same_rank: tuple[float, ...], near: tuple[float, ...]) -> float:
    """Every way the other cards may lie: two of the same rank make a set, two neighbours a run."""
    total = 0.0
    for held in product([False, True], repeat=7):
        likelihood = 1.0
        for chance, is_held in zip(same_rank + near, held, strict=True):
            likelihood *= chance if is_held else 1 - chance
        two_below, below, above, two_above = held[3:]
        in_run = (two_below and below) or (below and above) or (above and two_above)
        total += likelihood * (sum(held[:3]) >= 2 or in_run)
    return total


def look(
    hand: Hand, dead: Hand, chances: dict[Card, float], options: Any, settings: Any
) -> Outlook:
    """The outlook of the player of a hand."""
    free = {card: 1 - melded_chance(card, chances) for card in PACK}
    unseen = frozenset(PACK) - hand - dead
    outlook = Outlook(dead, unseen, chances, free, settings.deadwood_bonus, options, settings)
    loose = sorted(
        (card_points(card, options.face_points) for card in hand - melding(outlook, hand)),
        reverse=True,
    )
    if sum(loose[len(hand) - 9 :]) <= limit(options):
        return replace(outlook, bonus=settings.deadwood_bonus * settings.emergency_booster)
    return outlook


def limit(options: Any) -> int:
    return options.knock_limit if options.knock else 0


def card_utility(outlook: Outlook, card: Card, loose: Hand, down: Hand) -> float:
    """The paper's pseudo-code and what follows it."""
    settings, value = outlook.settings, card_points(card, outlook.options.face_points)
    utility = 0.0
    for triple in TRIPLES[card]:
        if triple & (outlook.dead | down):
            continue
        if settings.count_once and _counts_double(triple, loose):
            continue
        chance = 1.0
        for other in triple:
            chance *= outlook.free[other]
        utility += chance * settings.meld_bonus
        if len(triple & loose) >= 2:
            utility += chance * settings.combination_bonus
    utility += (5 - value) * outlook.bonus
    return utility + {1: 1.0, 2: 0.5}.get(value, 0.0) * settings.low_card_bonus


def _counts_double(triple: Hand, loose: Hand) -> bool:
    """A set of which the fourth card is held, or a run of which the card below is."""
    if is_run(triple):
        lowest = min(triple, key=rank)
        return rank(lowest) > 1 and RANKS[rank(lowest) - 2] + suit(lowest) in loose
    return any(card in loose and is_meld(triple | {card}) for card in set(PACK) - triple)


def mean_utility(outlook: Outlook, loose: Hand, down: Hand) -> float:
    if not loose:
        return 0.0
    return sum(card_utility(outlook, card, loose, down) for card in loose) / len(loose)


def melding(outlook: Outlook, cards: Hand) -> Hand:
    """The melded cards: least deadwood, then the best loose cards, then the highest number."""
    layouts = cheapest_layouts(cards, outlook.options.face_points)
    means = {melded(layout): 0.0 for layout in layouts}
    if len(means) > 1:
        means = {down: mean_utility(outlook, cards - down, down) for down in means}
    best = max(means.values())
    return max((down for down, mean in means.items() if mean >= best - TIE), key=mask)


def hand_utility(outlook: Outlook, loose: Hand, down: Hand) -> float:
    """Mean utility of the loose cards, number of melded ones, and the bonus."""
    left = points(loose, outlook.options.face_points)
    utility = mean_utility(outlook, loose, down) + len(down)
    if left == 0:
        return utility + outlook.settings.gin_bonus
    return utility + (outlook.settings.knock_bonus if left <= limit(outlook.options) else 0.0)


def utility_without(outlook: Outlook, loose: Hand, down: Hand, card: Card) -> float:
    """The utility when one loose card is thrown: then it lies on the discard pile."""
    return hand_utility(replace(outlook, dead=outlook.dead | {card}), loose - {card}, down)


def utility_melded_afresh(outlook: Outlook, cards: Hand, card: Card) -> float:
    later = replace(outlook, dead=outlook.dead | {card})
    down = melding(later, cards - {card})
    return hand_utility(later, cards - {card} - down, down)


def forced(outlook: Outlook, loose: Hand, choices: Hand) -> Hand:
    """The highest cards, if one of them can be thrown for a knock."""
    face_points = outlook.options.face_points
    most = max(card_points(card, face_points) for card in choices)
    if points(loose, face_points) - most > limit(outlook.options):
        return frozenset()
    return frozenset(card for card in choices if card_points(card, face_points) == most)


def utility_with(outlook: Outlook, cards: Hand, kept: Hand = frozenset()) -> float:
    """Eleven cards after a reasonable discard."""
    down = melding(outlook, cards)
    loose = cards - down
    if not loose:
        return hand_utility(outlook, frozenset(), frozenset(list(down)[:10]))
    choices = loose - kept
    if not choices:
        return max(utility_melded_afresh(outlook, cards, card) for card in cards - kept)
    choices = forced(outlook, loose, choices) or choices
    return max(utility_without(outlook, loose, down, card) for card in choices)


def utility_of_stock(outlook: Outlook, hand: Hand) -> float:
    total, weights = 0.0, 0.0
    for card in outlook.unseen:
        weight = 1 - outlook.chances[card]
        if weight > 0:
            total += weight * utility_with(outlook, hand | {card})
            weights += weight
    return total / weights


def own_outlook(view: View, chances: dict[Card, float], options: Any, settings: Any) -> Outlook:
    return look(view["hand"], view["pile"], chances, options, settings)


def draw_utilities(
    view: View, chances: dict[Card, float], options: Any, settings: Any
) -> tuple[float, float]:
    """The utilities of taking the upcard and of drawing from the stock."""
    outlook = own_outlook(view, chances, options, settings)
    upcard = frozenset({view["upcard"]})
    with_upcard = replace(outlook, dead=outlook.dead - upcard)
    take = utility_with(with_upcard, view["hand"] | upcard, upcard)
    return take, utility_of_stock(outlook, view["hand"])


def takes(view: View, chances: dict[Card, float], options: Any, settings: Any) -> set[bool]:
    """Whether the upcard is taken; both, where the utilities are too close to tell."""
    upcard = frozenset({view["upcard"]})
    before = deadwood(view["hand"], options.face_points)
    if settings.take_extensions:
        before += points(upcard, options.face_points)
    if deadwood(view["hand"] | upcard, options.face_points) < before:
        return {True}
    take, stock = draw_utilities(view, chances, options, settings)
    return {True, False} if abs(take - stock) < TIE else {take > stock}


def candidates(view: View, outlook: Outlook) -> tuple[Hand, Hand, dict[Card, float]]:
    """Loose cards, melded cards, and the utility of the hand without each card to choose from."""
    hand = view["hand"]
    allowed = hand - {view["taken"]}
    down = melding(outlook, hand)
    loose = hand - down
    if loose & allowed:
        choices = loose & allowed
        return loose, down, {card: utility_without(outlook, loose, down, card) for card in choices}
    return loose, down, {card: utility_melded_afresh(outlook, hand, card) for card in allowed}


def imagined(view: View, hand: Hand, options: Any, settings: Any) -> Outlook:
    """The other player's outlook with this hand: by counting, optionally with known takes."""
    unseen = frozenset(PACK) - hand - view["pile"]
    known = view["shown"] if settings.remember else frozenset()
    chances = counting(unseen - known, known, 10)
    return look(hand, view["pile"], chances, options, settings)


def gains(
    view: View, choices: set[Card], hands: list[Hand], options: Any, settings: Any
) -> dict[Card, float]:
    """The other player's mean gain by each discard, over some hands."""
    found = dict.fromkeys(choices, 0.0)
    for hand in hands:
        outlook = imagined(view, hand, options, settings)
        stock = utility_of_stock(outlook, hand)
        for card in choices:
            take = utility_with(outlook, hand | {card}, frozenset({card}))
            found[card] += max(0.0, take - stock) / len(hands)
    return found


def seems_close(hands: list[Hand], options: Any, settings: Any) -> bool:
    left = [deadwood(hand, options.face_points) for hand in hands]
    return sum(left) / len(left) <= settings.close_deadwood


def throws(
    view: View, chances: dict[Card, float], hands: list[Hand], options: Any, settings: Any
) -> set[Card]:
    """The cards it may throw, given the hands it has sampled."""
    outlook = own_outlook(view, chances, options, settings)
    loose, _, utilities = candidates(view, outlook)
    settled = _settled(view, outlook, loose, frozenset(utilities), hands)
    if settled:
        return _best({card: utilities[card] for card in settled})
    gained = gains(view, set(utilities), hands, options, settings)
    return _best({card: utilities[card] - settings.opponent * gained[card] for card in utilities})


def _settled(view: View, outlook: Outlook, loose: Hand, choices: Hand, hands: list[Hand]) -> Hand:
    options, settings = outlook.options, outlook.settings
    if not loose:
        hand = view["hand"]
        return frozenset(card for card in choices if deadwood(hand - {card}) == 0)
    if choices - loose:
        return frozenset()
    highest = forced(outlook, loose, choices)
    careful = settings.competition or settings.force_carefully
    if highest and careful and seems_close(hands, options, settings):
        left = points(loose - set(list(highest)[:1]), options.face_points)
        return highest if left <= settings.low_deadwood else frozenset()
    return highest


def _best(values: dict[Card, float]) -> set[Card]:
    most = max(values.values())
    return {card for card, value in values.items() if value >= most - 2 * TIE}


def knocks(view: View, card: Card, hands: list[Hand], options: Any, settings: Any) -> bool:
    """Whether it knocks with a discard, if the rules let it."""
    left = deadwood(view["hand"] - {card}, options.face_points)
    if not (settings.competition or settings.knock_carefully):
        return True
    return left <= settings.low_deadwood or not seems_close(hands, options, settings)
