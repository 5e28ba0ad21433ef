"""Beliefs about the other hand, from a plain list of events."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp

from cards.reference.cards import PACK, Card
from games.gin.reference.rules import Deal


@dataclass
class Event:
    """An action, who made it, and the card that lay face up before it."""

    seat: int
    action: str
    upcard: Card | None


def features(deal: Deal, events: Sequence[Event], me: int) -> dict[str, dict[Card, int]]:
    """The paper's four planes, by card; cards that are not there have the value 0."""
    planes: dict[str, dict[Card, int]] = {"open": {}, "taken": {}, "refused": {}, "thrown": {}}
    for card in deal.hands[me]:
        planes["open"][card] = 1
    for card in deal.view(me)["pile"]:
        planes["open"][card] = -1
    turn, passes = 1, 0
    for event in events:
        verb, _, card = event.action.partition(" ")
        passes += verb == "pass"
        must_draw = passes == 2 and verb == "draw" and not _has_thrown(events, event)
        if event.seat == me or verb not in ("take", "draw", "pass", "discard", "knock"):
            continue
        if verb == "take":
            planes["taken"][event.upcard or ""] = turn
        elif verb in ("draw", "pass") and not must_draw:
            planes["refused"][event.upcard or ""] = turn
        elif verb in ("discard", "knock"):
            if not (verb == "knock" and deal.turns[-1].face_down and deal.phase != "over"):
                planes["thrown"][card] = turn
            turn += 1
    return planes


def _has_thrown(events: Sequence[Event], until: Event) -> bool:
    before = events[: next(i for i, event in enumerate(events) if event is until)]
    return any(event.action.startswith("discard") for event in before)


def marginals(
    chances: Sequence[float],
    hand: Iterable[Card],
    pile: Iterable[Card],
    known: Iterable[Card],
    size: int,
) -> list[float]:
    """Marginals that agree with the known cards: a common factor for the odds, by bisection."""
    seen, held = {*hand, *pile}, {*known}
    free = [i for i, card in enumerate(PACK) if card not in seen | held]
    left = size - len(held)
    kept = [min(max(chances[i], 1e-6), 1 - 1e-6) for i in free]

    def fitted(factor: float) -> list[float]:
        odds = [factor * chance / (1 - chance) for chance in kept]
        return [each / (1 + each) for each in odds]

    low, high = -60.0, 60.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if sum(fitted(exp(middle))) > left else (middle, high)
    result = [1.0 if card in held else 0.0 for card in PACK]
    for i, value in zip(free, fitted(exp(low)) if left > 0 else [0.0] * len(free), strict=True):
        result[i] = value
    return result
