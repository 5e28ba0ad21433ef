"""The base class for the text of a game."""

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

    A subclass adds `format_action`, `parse_action` and `format_outcome`; `find_problem` can refuse
    impossible positions.
    """

    def __init__(self, rules: Rules) -> None:
        self._layout = rules.VIEW
        self._seats = range(rules.SEATS[1])

    @abstractmethod
    def format_action(self, action: Action) -> str:
        """An action in a card player's words."""

    def find_problem(self, view: View, options: Any) -> str:
        """The problem of a parsed view, "" without one."""
        return ""

    def format_public(self, action: Action, after: View) -> str:
        """An action as every seat may know it: nothing is hidden."""
        return self.format_action(action)

    def format_hand(self, view: View) -> str:
        """The viewing seat's cards."""
        return format_cards(int(view.hand))

    def hidden_gain(self, before: View, after: View) -> str:
        """The cards that the viewing seat gained."""
        return format_cards(int(after.hand) & ~int(before.hand))

    def format_upcard(self, view: View) -> str:
        """The first upcard: there is none."""
        return ""

    def format_view(self, view: View) -> str:
        """The fields in order, with a letter for NONE."""
        fields = [np.ravel(view[name]).tolist() for name in self._layout.names or ()]
        words = ([_NONE if each == NONE else str(each) for each in field] for field in fields)
        return ".".join("-".join(field) for field in words)

    def parse_view(self, text: str, options: Any) -> View:
        """Parse the text of `format_view`."""
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
