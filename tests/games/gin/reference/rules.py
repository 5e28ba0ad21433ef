"""Gin Rummy and Distilled Gin as a card player would write them down.

Numbers such as [G 6] and [D 4] are the rules of docs/rules/gin.md and docs/rules/distilled.md.
Cards and actions are text. Nothing here is fast and nothing is shared with the kernels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cards.reference.cards import (
    RANK_NAMES,
    UNKNOWN,
    Card,
    Hand,
    card_points,
    in_order,
    points,
    rank,
)
from cards.reference.melds import deadwood, is_meld, is_run, melded, melds


@dataclass
class Turn:
    """What happened in one turn."""

    seat: int
    drawn: Card | None = None  # None: the first turn of a deal without upcard
    from_pile: bool = False
    thrown: Card | None = None  # None: not yet
    face_down: bool = False


class Deal:
    """One deal, from a deck in the order in which it is dealt and drawn."""

    def __init__(
        self, options: Any, deck: Sequence[Card], starter: int, scores: Sequence[int] = (0, 0)
    ) -> None:
        self.options = options
        self.starter = starter
        self.scores = list(scores)
        dealer = 1 - starter
        self.hands: list[set[Card]] = [set(), set()]
        self.hands[starter] = set(deck[:10])
        self.hands[dealer] = set(deck[10:20])
        self.pile: list[Card] = []
        self.stock = list(deck[21:])  # the next card is the first
        self.seat = starter
        self.passes = 0
        self.takes = 0
        self.taken: Card | None = None  # from the pile, in this turn
        self.turns: list[Turn] = []
        self.knocker: int | None = None
        self.outcome = "none"
        self.melds: list[list[Hand]] = [[], []]
        self.laid_off: list[set[Card]] = [set(), set()]
        self.gin_by_itself = False
        if options.upcard:  # [G 2, D 11]
            self.pile = [deck[20]]
            self.phase = "offer"
        else:  # [D 2, D 3]
            self.hands[starter].add(deck[20])
            self.turns.append(Turn(starter))
            self.phase = "discard"
        self.first_upcard = self.pile[0] if self.pile else None
        # Every card a seat has ever seen, for the tests that re-deal the others.
        self.seen = [set(self.hands[seat]) | set(self.pile) for seat in (0, 1)]

    # Legal actions

    def legal(self) -> list[str]:
        return getattr(self, "_legal_" + self.phase)()

    def _legal_offer(self) -> list[str]:
        return ["take", "pass"]  # [G 3, D 11]

    def _legal_draw(self) -> list[str]:
        must_draw = self.passes == 2 and not self.turns  # [G 3]
        return ["draw"] if must_draw else ["draw", "take"]

    def _legal_discard(self) -> list[str]:
        hand = frozenset(self.hands[self.seat])
        found = []
        for card in hand:
            if card != self.taken:  # [G 4, D 5]
                found.append(f"discard {card}")
                if self._may_knock(hand - {card}):
                    found.append(f"knock {card}")
        return found

    def _may_knock(self, left: Hand) -> bool:
        least = deadwood(left, self.options.face_points)
        if least == 0 and self.options.automatic_gin:  # [D 6]
            return False
        return bool(self.options.knock) and least <= self._limit()  # [G 5, D 12]

    def _limit(self) -> int:
        """The most deadwood to knock with: in Oklahoma what the first upcard counts [G 12]."""
        if not self.options.oklahoma:
            return int(self.options.knock_limit)
        assert self.first_upcard is not None
        return (
            0
            if self.first_upcard[0] == "A"
            else points([self.first_upcard], self.options.face_points)
        )

    def _legal_spread(self) -> list[str]:
        """The knocker's melds are his choice, within the knock limit [G 5, D 14]."""
        loose, limit = self.loose(self.seat), self._limit()
        found = [
            "meld " + " ".join(in_order(meld))
            for meld in melds(loose)
            if deadwood(loose - meld, self.options.face_points) <= limit
        ]
        return found + ["done"] * (points(loose, self.options.face_points) <= limit)

    def _legal_defend(self) -> list[str]:
        """The other player melds and lays off as he likes [G 6, D 13]."""
        loose = self.loose(self.seat)
        found = ["meld " + " ".join(in_order(meld)) for meld in melds(loose)]
        if self._may_lay_off() and not self.options.eaai_auto_layoff:
            for meld in self.melds[1 - self.seat]:
                found += [
                    f"lay {card} on {_place(card, meld)}"
                    for card in loose
                    if is_meld(meld | {card})
                ]
        return [*found, "done"]

    def _legal_over(self) -> list[str]:
        return []

    def _may_lay_off(self) -> bool:
        """On a knock, not on gin [G 6]."""
        assert self.knocker is not None
        return bool(self.options.layoffs) and len(self.loose(self.knocker)) > 0

    def loose(self, seat: int) -> Hand:
        """The cards of a hand that are neither melded nor laid off."""
        if self.gin_by_itself and seat == self.knocker:
            return frozenset()
        own = frozenset(self.hands[seat])
        return own - melded(self.melds[seat]) - self.laid_off[seat]

    # Effects of actions

    def apply(self, text: str) -> None:
        assert text in self.legal(), (text, self.legal())
        self.replay(text)

    def replay(self, text: str) -> None:
        """Apply an action that is known to be legal."""
        verb, _, rest = text.partition(" ")
        getattr(self, "_" + verb)(rest)
        self._look_around()

    def _pass(self, _: str) -> None:
        self.passes += 1
        self.seat = 1 - self.seat
        if self.passes == 2:
            self.phase = "draw"

    def _draw(self, _: str) -> None:
        card = self.stock.pop(0)
        self.hands[self.seat].add(card)
        self.turns.append(Turn(self.seat, card))
        self.phase = "discard"

    def _take(self, _: str) -> None:
        card = self.pile.pop()
        self.hands[self.seat].add(card)
        self.turns.append(Turn(self.seat, card, from_pile=True))
        self.taken = card
        self.takes += 1
        self.phase = "discard"

    def _throw(self, card: Card) -> None:
        self.hands[self.seat].remove(card)
        self.pile.append(card)
        self.turns[-1].thrown = card
        self.taken = None

    def _discard(self, card: Card) -> None:
        self._throw(card)
        if self.options.automatic_gin and self._is_gin(self.hands[self.seat]):  # [D 6]
            self.knocker = self.seat
            self.gin_by_itself = True
            self._end("gin")
            return
        self.seat = 1 - self.seat
        self.phase = "draw"
        is_stock_low = len(self.stock) <= self.options.void_stock  # [G 8, D 4]
        if is_stock_low or self.takes >= self.options.max_discard_takes:  # [G 11, D 10]
            self._end("void")

    def _is_gin(self, cards: set[Card]) -> bool:
        return deadwood(frozenset(cards), self.options.face_points) == 0

    def _knock(self, card: Card) -> None:
        self._throw(card)
        self.turns[-1].face_down = bool(self.options.knock_face_down)  # [G 9]
        self.knocker = self.seat
        self.phase = "spread"

    def _meld(self, cards: str) -> None:
        self.melds[self.seat].append(frozenset(cards.split()))

    def _lay(self, rest: str) -> None:
        card, _, place = rest.partition(" on ")
        table = self.melds[1 - self.seat]
        fitting = [meld for meld in table if is_meld(meld | {card}) and _place(card, meld) == place]
        assert len(fitting) == 1
        self._put(card, fitting[0])

    def _put(self, card: Card, meld: Hand) -> None:
        table = self.melds[1 - self.seat]
        table[table.index(meld)] = meld | {card}
        self.laid_off[self.seat].add(card)

    def _done(self, _: str) -> None:
        if self.phase == "spread":
            self.seat = 1 - self.seat
            self.phase = "defend"
            return
        if self.options.eaai_auto_layoff and self._may_lay_off():
            self._lay_off_greedily()
        assert self.knocker is not None
        own, other = self._deadwoods()
        if not self.loose(self.knocker):
            self._end("gin")
        elif other <= own:
            self._end("undercut")
        else:
            self._end("knock")

    def _lay_off_greedily(self) -> None:
        """Again and again the first card that fits, on the first meld it fits [G 6]."""
        while True:
            moves = [
                (card, meld)
                for card in in_order(self.loose(self.seat))
                for meld in self.melds[1 - self.seat]
                if is_meld(meld | {card})
            ]
            if not moves:
                return
            self._put(*moves[0])

    def _end(self, outcome: str) -> None:
        self.outcome = outcome
        self.phase = "over"

    def _look_around(self) -> None:
        """Each seat sees its hand, the pile but for a face-down card, and what lies open."""
        for me in (0, 1):
            self.seen[me] |= self.hands[me] | self._pile_seen_by(me) | self._table()
            if self._is_open(1 - me):
                self.seen[me] |= self.hands[1 - me]

    def _table(self) -> Hand:
        return melded(self.melds[0]) | melded(self.melds[1])

    def _is_open(self, seat: int) -> bool:
        """Whether a hand lies open: the knocker's once he is done, both at the end [G 5]."""
        if self.knocker is None:
            return False
        return self.phase == "over" or (self.phase == "defend" and seat == self.knocker)

    def _hides_knock_card(self, me: int) -> bool:
        return self.knocker == 1 - me and self.turns[-1].face_down and self.phase != "over"  # [G 9]

    def _pile_seen_by(self, me: int) -> set[Card]:
        return set(self.pile[:-1] if self._hides_knock_card(me) else self.pile)

    # Scores and views

    def _deadwoods(self) -> tuple[int, int]:
        """The knocker's, then the other player's."""
        assert self.knocker is not None
        face_points = self.options.face_points
        own = points(self.loose(self.knocker), face_points)
        if self.gin_by_itself:  # [D 7]
            return 0, deadwood(frozenset(self.hands[1 - self.knocker]), face_points)
        return own, points(self.loose(1 - self.knocker), face_points)

    def points(self) -> list[int]:
        """[G 7, D 7, D 15, D 16]"""
        gained = [0, 0]
        if self.knocker is not None:
            own, other = self._deadwoods()
            if self.outcome == "gin":
                gained[self.knocker] = other + self.options.gin_bonus
            elif self.outcome == "undercut":
                gained[1 - self.knocker] = own - other + self.options.undercut_bonus
            else:
                gained[self.knocker] = other - own
        return gained

    def next_starter(self) -> int:
        """[G 1, G 8, D 4, D 9]"""
        if self.outcome == "void" and not self.options.void_alternates:
            return self.starter
        return 1 - self.starter

    def known(self, me: int) -> Hand:
        """Cards of the other hand that `me` knows (one of them may lie face down) [G 9]."""
        other = 1 - me
        if self._is_open(other):
            return frozenset(self.hands[other])
        kept: set[Card] = set()
        for turn in self.turns:
            if turn.seat == other:
                if turn.from_pile and turn.drawn is not None:
                    kept.add(turn.drawn)
                if not (turn.face_down and self._hides_knock_card(me)):
                    kept.discard(turn.thrown or "")
        return (
            frozenset(kept) | melded(self.melds[other]) - self.laid_off[me] | self.laid_off[other]
        )

    def view(self, me: int) -> dict[str, Any]:
        """Everything seat `me` may know."""
        hides = self._hides_knock_card(me)
        history = []
        for turn in self.turns:
            is_seen = turn.seat == me or turn.from_pile or turn.drawn is None
            thrown = UNKNOWN if hides and turn is self.turns[-1] else turn.thrown
            history.append((turn.drawn if is_seen else UNKNOWN, thrown))
        return {
            "me": me,
            "hand": frozenset(self.hands[me]),
            "theirs": self.known(me),
            "shown": self._taken_and_kept(me),
            "pile": frozenset(self._pile_seen_by(me)),
            "melds": [list(self.melds[0]), list(self.melds[1])],
            "melded": [frozenset(self.hands[seat]) - self.loose(seat) for seat in (0, 1)],
            "history": history,
            "scores": self.scores,
            "stock": len(self.stock),
            "turn": sum(turn.thrown is not None for turn in self.turns),
            "starter": self.starter,
            "seat": self.seat,
            "phase": self.phase,
            "first_upcard": self.first_upcard,
            "upcard": UNKNOWN if hides else self._upcard(),
            "taken": self.taken,
            "takes": self.takes,
            "passes": self.passes,
            "knocker": self.knocker,
            "outcome": self.outcome,
        }

    def _taken_and_kept(self, seat: int) -> Hand:
        taken = {turn.drawn for turn in self.turns if turn.seat == seat and turn.from_pile}
        return frozenset(self.hands[seat] & taken)

    def _upcard(self) -> Card | None:
        """The card on offer: none once it has been taken, until the next discard."""
        return None if self.taken is not None or not self.pile else self.pile[-1]


def _place(card: Card, meld: Hand) -> str:
    """How a player says where a card goes: "the eights", or the card of a run it lies next to."""
    if not is_run(meld):
        return RANK_NAMES[rank(card) - 1]
    if card_points(card, 13) < min(rank(other) for other in meld):
        return in_order(meld)[0]
    return in_order(meld)[-1]


def is_match_over(scores: Sequence[int], options: Any) -> bool:
    """[G 10, D 8]"""
    return max(scores) >= options.target
