"""The text of a game with as little as can be said of it: what a notation begins from."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from undercut.cards.french import NONE, format_cards
from undercut.games.contract import Rules
from undercut.games.table.position_fields import read_number, require, split_field
from undercut.kernels.records import Action, View, new

_NONE = "n"


class PlainText(ABC):
    """Hands of French cards, and positions in which every field of a view is a number.

    A game adds `format_action`, `parse_action` and `format_outcome`, and says what cannot be.
    """

    def __init__(self, rules: Rules) -> None:
        self._layout = rules.VIEW
        self._seats = range(rules.SEATS[1])

    @abstractmethod
    def format_action(self, action: Action) -> str:
        """An action as a card player says it."""

    def find_problem(self, view: View, options: Any) -> str:
        """What is wrong with a view that was read, "" if nothing is."""
        return ""

    def format_public(self, action: Action, after: View) -> str:
        """An action as one who sees this after it may know it: nothing is hidden."""
        return self.format_action(action)

    def format_hand(self, view: View) -> str:
        """The cards of the seat that looks."""
        return format_cards(int(view.hand))

    def hidden_gain(self, before: View, after: View) -> str:
        """The cards that came into the hand."""
        return format_cards(int(after.hand) & ~int(before.hand))

    def format_upcard(self, view: View) -> str:
        """No card lies open at first."""
        return ""

    def format_view(self, view: View) -> str:
        """The fields one after the other, with a letter for NONE."""
        fields = [np.ravel(view[name]).tolist() for name in self._layout.names or ()]
        words = ([_NONE if each == NONE else str(each) for each in field] for field in fields)
        return ".".join("-".join(field) for field in words)

    def parse_view(self, text: str, options: Any) -> View:
        """Read what `format_view` writes."""
        view: View = new(self._layout, 1)[0]
        names = self._layout.names or ()
        for name, field in zip(names, split_field(text, ".", len(names)), strict=True):
            kind = self._layout[name]
            most, size = np.iinfo(kind.base).max, int(np.prod(kind.shape))
            parts = split_field(field, "-", size)
            numbers = [NONE if part == _NONE else read_number(part, most) for part in parts]
            view[name] = np.reshape(numbers, kind.shape)
        seats = [int(view[name]) for name in ("me", "seat", "starter") if name in names]
        require(all(seat in self._seats for seat in seats), f"seats are {[*self._seats]}")
        require(min(np.ravel(view["scores"])) >= 0, "points are not below 0")
        problem = self.find_problem(view, options)
        require(not problem, problem)
        return view
