"""A deal whose cards are not shuffled before: whoever plays chance names each as it is needed.

Programs that search a game from its root want chance in its place: a draw is a choice of chance
between the cards that may lie on top. The rules draw from a deck that lies in order, so a card
that is named is laid where the rules will draw it.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from undercut.cards.french import Card, each
from undercut.games.contract import Game
from undercut.kernels.records import Action, Options, Seat, State, new
from undercut.kernels.rng import GENERATOR, Seed, start
from undercut.play.deal import Deal
from undercut.play.known_decks import lay, pack_size
from undercut.text.errors import IllegalAction, OptionsError


class Source(Protocol):
    """What a game says of its chance: the module `chance` in its folder."""

    def dealt(self, options: Options, /) -> int: ...
    def drawn(self, state: State, options: Options, action: Action, /) -> int: ...
    def next_cards(self, state: State, before: Sequence[Card], /) -> list[Card]: ...
    def put(self, state: State, cards: Sequence[Card], /) -> None: ...
    def most_actions(self, options: Options, /) -> int: ...
    def most_draws(self, options: Options, /) -> int: ...
    def most_points(self, options: Options, /) -> int: ...


@cache
def find_source(game: Game) -> Source:
    """Where the chance of a game comes in; an error for a game that does not say."""
    if not game.family.chance:
        raise OptionsError(f"{game.name} does not say where its chance comes in")
    source = cast(Source, import_module(game.family.chance))
    source.dealt(game.options)
    return source


class ChanceDeal:
    """A deal that waits for chance, or for the seat on turn.

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
        self.drawn: tuple[Card, ...] = ()  # by the action that waits
        self.waiting: Action | None = None
        self._deal: Deal[Any] | None = None

    @property
    def is_dealt(self) -> bool:
        """Whether the hands have been dealt."""
        return self._deal is not None

    @property
    def deal(self) -> Deal[Any]:
        """The deal, once the hands have been dealt."""
        if self._deal is None:
            raise IllegalAction("the hands have not been dealt yet")
        return self._deal

    @property
    def needs_card(self) -> bool:
        """Whether it is for chance to go on."""
        return len(self.drawn) < self._needed

    def next_cards(self) -> list[Card]:
        """The cards that chance may name, each equally likely."""
        if self._deal is None:
            return sorted(set(range(pack_size(self.game))) - set(self.drawn))
        return self._source.next_cards(self._deal._state, self.drawn)

    def draw(self, card: Card) -> None:
        """Name a card for chance."""
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
        """Play an action; if it draws, chance has to name the cards first."""
        deal = self.deal
        if self.needs_card or action not in deal.actions:
            raise IllegalAction(f"action {action} cannot be played here")
        count = self._source.drawn(deal._state, self.game.options, action)
        if count == 0:
            deal.apply(action)
        else:
            self.waiting, self._needed = action, count

    def exchanged(self, seat: Seat, seed: Seed) -> dict[Card, Card]:
        """Deal what a seat cannot know once more: for cards in other hands, which are there instead.

        All deals that look like this to the seat are equally likely.
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
        """An independent one in the same position."""
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

    def _begin(self) -> Deal[Any]:
        """The hands as they were dealt, from a deck whose other cards lie in any order."""
        rest = set(range(pack_size(self.game))) - set(self.drawn)
        deck, scores = [*self.drawn, *sorted(rest)], [0] * self.game.seats
        return Deal._of_state(self.game, lay(self.game, deck, self.starter, scores))
