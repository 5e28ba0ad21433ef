"""Eights the slow and obvious way: cards are text, hands are lists; no kernel is used."""

from collections.abc import Sequence
from typing import Any


class Eights:
    """One deal between two seats, played by the text of its actions."""

    def __init__(
        self, options: Any, deck: Sequence[str], starter: int, scores: Sequence[int]
    ) -> None:
        size = options.hand
        self.hands = [list(deck[:size]), list(deck[size : 2 * size])]
        self.pile, self.stock = [deck[2 * size]], list(deck[2 * size + 1 :])
        self.seat, self.starter, self.scores, self.passes = starter, starter, list(scores), 0
        self.seen = [{*hand, *self.pile} for hand in self.hands]

    @property
    def outcome(self) -> str:
        return "void" if self.passes == 2 else "out" if [] in self.hands else "none"

    def legal(self) -> list[str]:
        if self.outcome != "none":
            return []
        rank, suit = self.pile[-1]
        cards = [
            card for card in self.hands[self.seat] if card[0] in (rank, "8") or card[1] == suit
        ]
        return [f"play {card}" for card in cards] + ["draw" if self.stock else "pass"]

    def apply(self, action: str) -> None:
        hand = self.hands[self.seat]
        self.passes = self.passes + 1 if action == "pass" else 0
        if action == "draw":
            hand.append(self.stock.pop(0))
            self.seen[self.seat].add(hand[-1])
        elif action != "pass":
            self.pile.append(action.split()[1])
            hand.remove(self.pile[-1])
            self.seen[1 - self.seat].add(self.pile[-1])
        self.seat = 1 - self.seat

    replay = apply

    def view(self, seat: int) -> dict[str, Any]:
        return {
            "hand": {*self.hands[seat]},
            "played": {*self.pile},
            "top": self.pile[-1],
            "held": len(self.hands[1 - seat]),
            "stock": len(self.stock),
            "passes": self.passes,
            "turn": (self.seat, self.starter, self.scores),
        }

    def points(self) -> list[int]:
        return [int(hand == []) for hand in self.hands]

    def next_starter(self) -> int:
        return 1 - self.starter
