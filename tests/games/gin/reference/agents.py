"""The gin agents, slowly: for a view in words, every action an agent might choose.

`view` is what reference.gin tells a seat; chance picks among the actions returned.
"""

from itertools import combinations
from typing import Any

from cards.reference.cards import Card, Hand, card_points, points, rank, suit
from cards.reference.melds import cheapest_layouts, deadwood, defended_deadwood, melded, melds

View = dict[str, Any]


def random(view: View, legal: list[str], options: Any) -> set[str]:
    """Plays any legal action."""
    return set(legal)


def simple(view: View, legal: list[str], options: Any, knock_at: int = 99) -> set[str]:
    """The competition's SimpleGinRummyPlayer."""
    if view["phase"] in ("offer", "draw"):
        with_upcard = view["hand"] | {view["upcard"]}
        makes_meld = any(view["upcard"] in meld for meld in melds(with_upcard))
        return {"take"} if makes_meld else {"draw", "pass"} & set(legal)
    if view["phase"] == "discard":
        choices = view["hand"] - {view["taken"]} - _repeating(view)
        thrown = _leaving_least(view["hand"], choices, options)
        return {_throw(view["hand"], card, legal, options, knock_at) for card in thrown}
    return _lay_cheapest_melds(view, legal, options) or _lay_off(legal)


def patient(view: View, legal: list[str], options: Any) -> set[str]:
    """As simple, but goes out only with gin."""
    return simple(view, legal, options, knock_at=0)


def thrifty(view: View, legal: list[str], options: Any, link: int = 1) -> set[str]:
    """Deadwood first, then cards that may still become melds."""
    hand, face_points = view["hand"], options.face_points
    if view["phase"] in ("offer", "draw"):
        held = hand | {view["upcard"]}
        after = min(deadwood(held - {card}, face_points) for card in hand)
        is_lower = after < deadwood(hand, face_points)
        return {"take"} if is_lower else {"draw", "pass"} & set(legal)
    if view["phase"] == "discard":
        costs = {}
        for card in hand - {view["taken"]}:
            left = hand - {card}
            cost = deadwood(left, face_points) - link * links(left)
            costs[card] = (cost, -card_points(card, 13))
        best = min(costs.values())
        return {
            _throw(hand, card, legal, options, 99) for card, cost in costs.items() if cost == best
        }
    return _lay_jointly(view, legal, options) or _lay_off(legal)


def links(cards: Hand) -> int:
    """Two cards that are a pair, or at most two ranks apart in one suit."""
    return sum(
        rank(first) == rank(second)
        or (suit(first) == suit(second) and abs(rank(first) - rank(second)) <= 2)
        for first, second in combinations(cards, 2)
    )


def _repeating(view: View) -> set[Card]:
    """Cards that with the card just drawn would make an exchange this seat has made before."""
    *earlier, (drawn, _) = view["history"]
    own = earlier[-2::-2]
    return {
        other
        for exchange in own
        if drawn in exchange and None not in exchange
        for other in exchange
        if other != drawn
    }


def _leaving_least(hand: Hand, choices: Hand, options: Any) -> set[Card]:
    left = {card: deadwood(hand - {card}, options.face_points) for card in choices}
    return {card for card, value in left.items() if value == min(left.values())}


def _throw(hand: Hand, card: Card, legal: list[str], options: Any, knock_at: int) -> str:
    knock = f"knock {card}"
    is_low = deadwood(hand - {card}, options.face_points) <= knock_at
    return knock if knock in legal and is_low else f"discard {card}"


def _loose(view: View) -> Hand:
    return frozenset(view["hand"] - view["melded"][view["me"]])


def _lay_cheapest_melds(view: View, legal: list[str], options: Any) -> set[str]:
    layouts = cheapest_layouts(_loose(view), options.face_points)
    wanted = {meld for layout in layouts for meld in layout}
    return {action for action in legal if _meld(action) in wanted}


def _lay_jointly(view: View, legal: list[str], options: Any) -> set[str]:
    """Melds after which the loose cards can still come down as far as before."""
    loose = _loose(view)
    least = _least(view, loose, options)
    return {
        action
        for action in legal
        if (meld := _meld(action)) and _least(view, loose - meld, options) == least
    }


def _least(view: View, loose: Hand, options: Any) -> int:
    knocker = view["knocker"]
    is_gin = view["phase"] == "defend" and view["theirs"] == view["melded"][knocker]
    if view["phase"] == "spread" or not options.layoffs or is_gin:
        return deadwood(loose, options.face_points)
    return defended_deadwood(loose, view["melds"][knocker], options.face_points)


def _meld(action: str) -> Hand | None:
    verb, _, cards = action.partition(" ")
    return frozenset(cards.split()) if verb == "meld" else None


def _lay_off(legal: list[str]) -> set[str]:
    """Anything that can be laid off, on a run rather than on a set; else done."""
    laying = {action for action in legal if action.startswith("lay ")}
    on_runs = {action for action in laying if len(action.rpartition(" ")[2]) == 2}
    return on_runs or laying or {"done"}


def unmelded_points(view: View, options: Any) -> int:
    """The points of a hand that are left after its melds and lay-offs."""
    return points(_loose(view), options.face_points)


def is_cheapest(laid: list[Hand], hand: Hand, options: Any) -> bool:
    """Whether some melds leave no more than the deadwood of a hand."""
    left = points(hand - melded(laid), options.face_points)
    return left == deadwood(hand, options.face_points)


PLAYERS = {"random": random, "simple": simple, "patient": patient, "thrifty": thrifty}
