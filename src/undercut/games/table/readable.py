"""The view of one seat, in cards, numbers and words. A game adds its own fields.

Python programs, the terminal, the page and hints read it; kernels and agents read its `record`. It
derives from that record, the options and the legal actions, so it contains no hidden information.
"""

from collections.abc import Sequence, Sized
from typing import TYPE_CHECKING, ClassVar

from undercut.cards.card import Card, Cards, deck_of
from undercut.cards.picture import draw_cards
from undercut.games.table.actions import Action, actions_of
from undercut.kernels import records
from undercut.kernels.records import Seat
from undercut.text.tables import Grid, html_of

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from undercut.games.contract import Game
else:
    from typing import TypeVar


class View:
    """The view of one seat, for any game. Most games have a subclass with more fields."""

    FIELDS: ClassVar[tuple[str, ...]] = ()
    """The names of the game's own fields, in display order."""

    def __init__(self, game: "Game", record: records.View, actions: Sequence[int] = ()) -> None:
        self.game = game
        self.options: records.Settings = game.options  # the house rules
        self.record = record  # for kernels
        self.actions = actions  # the legal actions as numbers; empty if the seat is not on turn

    @property
    def legal(self) -> list[Action]:
        """The legal actions of the seat, in words; empty if it is not on turn."""
        return actions_of(self.game.family).put(self.actions)

    @property
    def choices(self) -> list[str]:
        """The legal actions as plain strings."""
        return [str(action) for action in self.legal]

    @property
    def me(self) -> Seat:
        """The seat that has this view."""
        return int(self.record.me)

    @property
    def seat(self) -> Seat:
        """The seat on turn."""
        return int(self.record.seat)

    @property
    def hand(self) -> Cards:
        """The seat's own cards."""
        texts = self.game.notation.format_hand(self.record)
        return Cards(texts, self.game.family.pack)

    def outs(self, card: str) -> Cards:
        """The unseen cards that would complete something with a card of the hand; here none."""
        return Cards((), self.game.family.pack)

    @property
    def scores(self) -> tuple[int, ...]:
        """All points in the match before this deal, by seat."""
        scores = self.record["scores"][: self.game.seats]
        return tuple(scores.tolist())

    @property
    def position(self) -> str:
        """The view in one line of text: `Deal.from_position` and `undercut hint` read it."""
        from undercut.games.table.position import format_position

        return format_position(self.game, self.record)

    def _card(self, number: int) -> Card | None:
        """The card with a kernel's number; None for no card or a face-down one."""
        return deck_of(self.game.family.pack)[number] if number >= 0 else None

    def fields(self) -> dict[str, object]:
        """Every displayed field, by its name."""
        names = ("me", "seat", "hand", *self.FIELDS, "scores", "legal")
        return {name: getattr(self, name) for name in names}

    def __str__(self) -> str:
        rows = tuple((name, _text(value)) for name, value in self._filled())
        return f"{self.game.name}\n{Grid((), rows, is_ragged=True)}"

    def __repr__(self) -> str:
        turn = "" if self.seat == self.me else f", seat {self.seat} to play"
        return f"<{self.game.name}: seat {self.me} holds {self.hand or 'nothing'}{turn}>"

    def _repr_svg_(self) -> str:
        """The hand, its melds apart."""
        from undercut.games.table.description import YOU, Company
        from undercut.games.table.plain_description import description_of

        company = Company(tuple(YOU if s == self.me else str(s) for s in range(self.game.seats)))
        orders = description_of(self.game.family).table(self, company).orders
        if not orders:
            return self.hand._repr_svg_()
        pack = self.game.family.pack
        return draw_cards([Cards(group, pack) for group in orders[0].groups])

    def _repr_html_(self) -> str:
        shown = {"hand": _Drawn(self._repr_svg_())}
        filled = self._filled()
        rows = tuple((name, shown.get(name) or _Shown(value)) for name, value in filled)
        return f"<b>{html_of(self.game.name)}</b>" + Grid((), rows, is_ragged=True)._repr_html_()

    def _filled(self) -> list[tuple[str, object]]:
        """The fields that are not empty."""
        return [(name, value) for name, value in self.fields().items() if not _is_empty(value)]


if TYPE_CHECKING:
    Seen = TypeVar("Seen", bound=View, default=View, covariant=True)
else:
    Seen = TypeVar("Seen", bound=View, covariant=True)


class _Drawn:
    """A picture, for a notebook."""

    def __init__(self, svg: str) -> None:
        self._svg = svg

    def _repr_html_(self) -> str:
        return self._svg


class _Shown:
    """A value of a field, for a notebook."""

    def __init__(self, value: object) -> None:
        self.value = value

    def _repr_html_(self) -> str:
        if isinstance(self.value, tuple | list):
            return ", ".join(_Shown(each)._repr_html_() for each in self.value) or "–"
        return "–" if _is_empty(self.value) else html_of(self.value)


def _is_empty(value: object) -> bool:
    """Whether a value is None or has no elements; 0 is not empty."""
    if isinstance(value, tuple | list):
        return all(map(_is_empty, value))
    return value is None or (isinstance(value, Sized) and len(value) == 0)


def _text(value: object) -> str:
    """A value of a field on one line.

    >>> _text((Cards("8h 9h"), None)), _text(3)
    ('8h 9h, –', '3')
    """
    if isinstance(value, tuple | list):
        return ", ".join(map(_text, value)) or "–"
    return "–" if _is_empty(value) else str(value)
