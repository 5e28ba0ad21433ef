"""A deal with explicit chance nodes: the caller chooses each card when it is drawn.

Search libraries such as OpenSpiel model a draw as a chance node, whose outcomes are the cards that
may be on top of the stock. The rules draw from a deck in a fixed order. So a chosen card is put
where the rules will draw it.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from undercut.cards.french import Card, each
from undercut.games.contract import Game
from undercut.games.table.readable import View
from undercut.kernels.records import Action, Options, Seat, State, new
from undercut.kernels.rng import GENERATOR, Seed, start
from undercut.play.deal import Deal
from undercut.play.known_decks import lay, pack_size
from undercut.text.errors import IllegalAction, OptionsError


class Source(Protocol):
    """The chance nodes of a game: the interface of its module `chance`."""

    def dealt(self, options: Options, /) -> int: ...
    def drawn(self, state: State, options: Options, action: Action, /) -> int: ...
    def next_cards(self, state: State, before: Sequence[Card], /) -> list[Card]: ...
    def put(self, state: State, cards: Sequence[Card], /) -> None: ...
    def most_actions(self, options: Options, /) -> int: ...
    def most_draws(self, options: Options, /) -> int: ...
    def most_points(self, options: Options, /) -> int: ...


@cache
def find_source(game: Game) -> Source:
    """The module `chance` of a game; an error for a game without one."""
    if not game.family.chance:
        raise OptionsError(f"{game.name} does not say where its chance comes in")
    source = cast(Source, import_module(game.family.chance))
    source.dealt(game.options)
    return source


class ChanceDeal:
    """A deal that is at a chance node or at a decision of the seat on turn.

    >>> from undercut.games.families import parse_game
    >>> table = ChanceDeal(parse_game("gin"), starter=0)
    >>> for card in range(21):
    ...     table.draw(card)
    >>> table.needs_card, table.deal.legal
    (False, ['take', 'pass'])
    """

    def __init__(self, game: Game, starter: Seat = 0) -> None:
        self.game, self.starter = game, starter
        self._source = find_source(game)
        self._needed = self._source.dealt(game.options)
        self.drawn: tuple[Card, ...] = ()  # cards chosen for the action that waits
        self.waiting: Action | None = None
        self._deal: Deal[View] | None = None

    @property
    def is_dealt(self) -> bool:
        """Whether the hands have been dealt."""
        return self._deal is not None

    @property
    def deal(self) -> Deal[View]:
        """The deal, once the hands have been dealt."""
        if self._deal is None:
            raise IllegalAction("the hands have not been dealt yet")
        return self._deal

    @property
    def needs_card(self) -> bool:
        """Whether this is a chance node."""
        return len(self.drawn) < self._needed

    def next_cards(self) -> list[Card]:
        """The outcomes of the chance node, all equally likely."""
        if self._deal is None:
            return sorted(set(range(pack_size(self.game))) - set(self.drawn))
        return self._source.next_cards(self._deal._state, self.drawn)

    def draw(self, card: Card) -> None:
        """Choose the outcome of a chance node."""
        if not self.needs_card or card not in self.next_cards():
            raise IllegalAction(f"chance cannot draw {card} here")
        self.drawn += (card,)
        if self.needs_card:
            return
        if self._deal is None:
            self._deal = self._begin()
        elif self.waiting is not None:
            self._source.put(self._deal._state, self.drawn)
            self._deal.apply(self.waiting)
        self.drawn, self._needed, self.waiting = (), 0, None

    def apply(self, action: Action) -> None:
        """Play an action. If it draws cards, it waits until `draw` has chosen them."""
        deal = self.deal
        if self.needs_card or action not in deal.actions:
            raise IllegalAction(f"action {action} cannot be played here")
        count = self._source.drawn(deal._state, self.game.options, action)
        if count == 0:
            deal.apply(action)
        else:
            self.waiting, self._needed = action, count

    def exchanged(self, seat: Seat, seed: Seed) -> dict[Card, Card]:
        """Sample a determinization for a seat: maps each exchanged card to the one in its place.

        All deals that fit the view of the seat are equally likely.
        """
        generator = new(GENERATOR, 1)[0]
        start(generator, seed)
        other = Deal._of_view(self.game, self.deal.observe(seat), generator)
        places: dict[Card, Card] = {}
        for held, instead in zip(self.deal._state["hands"], other._state["hands"], strict=True):
            gone, come = int(held) & ~int(instead), int(instead) & ~int(held)
            places |= dict(zip(each(gone), each(come), strict=True))
        return places

    def copy(self) -> "ChanceDeal":
        """An independent copy."""
        twin = object.__new__(ChanceDeal)
        twin.__dict__.update(self.__dict__)
        twin._deal = None if self._deal is None else self._deal.copy()
        return twin

    def __deepcopy__(self, memo: dict[int, object]) -> "ChanceDeal":
        return self.copy()

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "_source"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._source = find_source(self.game)

    def _begin(self) -> Deal[View]:
        """A deal with the chosen hands; the order of the other cards does not matter."""
        rest = set(range(pack_size(self.game))) - set(self.drawn)
        deck, scores = [*self.drawn, *sorted(rest)], [0] * self.game.seats
        return Deal._of_state(self.game, lay(self.game, deck, self.starter, scores))
