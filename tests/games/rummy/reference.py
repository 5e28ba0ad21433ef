"""Two-player Rummy the slow and obvious way: cards are text, melds are lists of cards.

Numbers such as [R 7] are the rules of docs/rules/rummy.md. Nothing is shared with the kernels.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from cards.reference.cards import PACK, RANK_NAMES, RANKS, SUITS, number

order = number


def rank(card: str) -> int:
    return RANKS.index(card[0])


def value(card: str) -> int:
    return min(rank(card) + 1, 10)


def is_set(cards: list[str]) -> bool:
    return len(cards) in (3, 4) and len({card[0] for card in cards}) == 1


def is_run(cards: list[str]) -> bool:
    ranks = sorted(rank(card) for card in cards)
    in_a_row = ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return len(cards) >= 3 and len({card[1] for card in cards}) == 1 and in_a_row


RUNS = [
    [RANKS[i] + suit for i in range(first, last + 1)]
    for suit in SUITS
    for first in range(13)
    for last in range(first + 2, 13)
]


def melds_in(hand: set[str]) -> list[list[str]]:
    """Every set and every run that can be made of a hand."""
    found = []
    for name in RANKS:
        same = sorted((card for card in hand if card[0] == name), key=order)
        for count in (3, 4):
            found += [list(cards) for cards in combinations(same, count)]
    return found + [list(cards) for cards in RUNS if hand.issuperset(cards)]


class Round:
    """One round between two seats, played by the text of its actions."""

    def __init__(
        self, options: Any, deck: Sequence[str], starter: int, scores: Sequence[int] = (0, 0)
    ) -> None:
        self.options = options
        self.starter = starter
        self.scores = list(scores)
        self.hands: list[set[str]] = [set(), set()]
        self.hands[starter] = set(deck[:10])  # [R 2]
        self.hands[1 - starter] = set(deck[10:20])
        self.pile = [deck[20]]  # the top is last
        self.stock = list(deck[21:])  # the next card to draw is first
        self.melds: list[list[str]] = []
        self.laid: list[set[str]] = [set(), set()]
        self.thrown: list[set[str]] = [set(), set()]
        self.refused: list[set[str]] = [set(), set()]
        self.fresh: set[str] = set()  # put down in this turn
        self.opened: list[int | None] = [None, None]  # the turn of the first put-down
        self.seat = starter
        self.phase = "draw"
        self.taken: str | None = None
        self.turn = 0
        self.takes = 0
        self.turnovers = 0
        self.outcome = "none"
        self.winner: int | None = None
        # The cards that each seat has seen.
        self.seen = [set(self.hands[seat]) | {deck[20]} for seat in (0, 1)]

    # Legal actions

    def legal(self) -> list[str]:
        return getattr(self, "_legal_" + self.phase)()

    def _legal_over(self) -> list[str]:
        return []

    def _legal_draw(self) -> list[str]:
        return ["take", "draw" if self.stock else "turn over"]  # [R 4, R 10]

    def _legal_play(self) -> list[str]:
        hand = self.hands[self.seat]
        may_throw = set(hand)
        if self.taken and not self.options.may_discard_taken:  # [R 7]
            may_throw.discard(self.taken)
        allowed = ["discard " + card for card in may_throw]
        for text, cards in self._put_downs().items():
            left = hand - set(cards)
            if not left or left & may_throw:
                allowed.append(text)
        return allowed

    def _put_downs(self) -> dict[str, list[str]]:
        """The text of each meld and lay-off, and its cards [R 5]."""
        hand = self.hands[self.seat]
        found = {"meld " + " ".join(meld): meld for meld in melds_in(hand)}
        for card in hand:
            for meld in self.melds:
                if is_set([*meld, card]):
                    found[f"lay {card} on {RANK_NAMES[rank(card)]}"] = [card]
                elif is_run([*meld, card]):
                    neighbour = rank(card) + (1 if rank(card) < rank(meld[0]) else -1)
                    found[f"lay {card} on {RANKS[neighbour]}{card[1]}"] = [card]
        return found

    # Effects of actions

    def apply(self, text: str) -> None:
        assert text in self.legal(), (text, self.legal())
        self.replay(text)

    def replay(self, text: str) -> None:
        """Apply an action that is known to be legal."""
        verb, *rest = text.split()
        getattr(self, "_" + verb)(*rest)
        if not self.hands[self.seat]:
            self._go_out()
        elif verb == "discard":
            self._end_turn()
        self._look_around()

    def _draw(self) -> None:
        if self.pile:
            self.refused[self.seat].add(self.pile[-1])
        self.hands[self.seat].add(self.stock.pop(0))
        self.phase = "play"

    def _turn(self, _: str) -> None:
        """[R 10]"""
        self.refused[self.seat].add(self.pile[-1])
        self.turnovers += 1
        self.stock, self.pile = self.pile, []
        self._draw()

    def _take(self) -> None:
        self.taken = self.pile.pop()
        self.takes += 1
        self.hands[self.seat].add(self.taken)
        self.thrown[self.seat].discard(self.taken)
        self.refused[self.seat].discard(self.taken)
        self.phase = "play"

    def _meld(self, *cards: str) -> None:
        self._put_down(*cards)
        self.melds.append(sorted(cards, key=order))

    def _lay(self, card: str, _: str, target: str) -> None:
        self._put_down(card)
        for meld in self.melds:
            longer = sorted([*meld, card], key=order)
            if target in RANK_NAMES:
                fits = is_set(longer)
            else:
                fits = is_run(longer) and target in (meld[0], meld[-1])
            if fits:
                meld[:] = longer
                return
        raise AssertionError(f"{card} fits no meld at {target}")

    def _put_down(self, *cards: str) -> None:
        self.hands[self.seat] -= set(cards)
        self.laid[self.seat] |= set(cards)
        self.fresh |= set(cards)
        if self.opened[self.seat] is None:
            self.opened[self.seat] = self.turn

    def _discard(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.thrown[self.seat].add(card)
        self.pile.append(card)

    def _go_out(self) -> None:
        """[R 8, R 9]"""
        self.winner = self.seat
        self.outcome = "rummy" if self.opened[self.seat] == self.turn else "out"
        self.turn += 1
        self.phase = "over"

    def _end_turn(self) -> None:
        self.turn += 1
        self.seat = 1 - self.seat
        self.phase = "draw"
        self.taken = None
        self.fresh = set()
        is_burned = not self.stock and self.turnovers == self.options.turnovers  # [R 11]
        if is_burned or self.turn >= self.options.max_turns:  # [R 12]
            self.outcome = "tie"
            self.phase = "over"

    def _look_around(self) -> None:
        """Each seat sees its hand, the pile, the table, and both hands at the end."""
        for me in (0, 1):
            self.seen[me] |= self.hands[me] | set(self.pile) | self.laid[0] | self.laid[1]
            if self.phase == "over":
                self.seen[me] |= self.hands[1 - me]

    # Scores and views

    def points(self) -> list[int]:
        """[R 9, R 11]"""
        if self.outcome == "tie":
            return [self.options.tie_points] * 2
        gained = [0, 0]
        if self.winner is not None:
            is_doubled = self.outcome == "rummy" and self.options.rummy_doubles
            loose = sum(value(card) for card in self.hands[1 - self.winner])
            gained[self.winner] = 2 * loose if is_doubled else loose
        return gained

    def next_starter(self) -> int:
        """[R 1]"""
        return 1 - self.starter if self.options.alternate_starter else self.starter

    def certain(self, seat: int) -> set[str]:
        """The cards of the other hand that a seat can be sure of."""
        other = self.hands[1 - seat]
        unseen = set(PACK) - self.seen[seat]
        if unseen == other - self.seen[seat]:
            return set(other)
        return other & self.seen[seat]

    def view(self, me: int) -> dict[str, Any]:
        """Everything seat `me` may know."""
        return {
            "me": me,
            "hand": self.hands[me],
            "theirs": self.certain(me),
            "shown": self.certain(1 - me),
            "held": len(self.hands[1 - me]),
            "thrown": self.thrown,
            "refused": self.refused,
            "laid": self.laid,
            "fresh": self.fresh,
            "melds": self.melds,
            # A stock that was a discard pile is known, card by card.
            "stock": [card if self.turnovers else None for card in self.stock],
            "pile": self.pile,
            "upcard": self.pile[-1] if self.pile else None,
            "taken": self.taken,
            "opened": self.opened,
            "scores": self.scores,
            "turn": self.turn,
            "takes": self.takes,
            "turnovers": self.turnovers,
            "starter": self.starter,
            "seat": self.seat,
            "phase": self.phase,
            "winner": self.winner,
            "outcome": self.outcome,
        }
