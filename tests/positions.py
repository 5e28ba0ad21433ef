"""A table of any game: spoken to in words, walked by chance from its first position to its last."""

from collections.abc import Iterable, Iterator
from copy import copy
from random import Random
from typing import Any

import numpy as np

from cards.reference.cards import number
from helpers import SlowTwin, helpers_for
from undercut.cards.french import each
from undercut.games.contract import Game
from undercut.games.table.description import YOU, Company, Question
from undercut.games.table.plain_description import description_of
from undercut.games.table.position import format_position, parse_position
from undercut.kernels import rng
from undercut.kernels.jit import COMPILED
from undercut.kernels.records import differences, new, pack
from undercut.text.errors import NotationError


def scaled(compiled: int, interpreted: int) -> int:
    """A sample size: large when kernels are compiled, small when they are not."""
    return compiled if COMPILED else interpreted


def same_record(found: Any, expected: Any) -> None:
    """Fail with the names of the fields that differ."""
    assert differences(found, expected) == ""
    assert found.tobytes() == expected.tobytes()


class Table:
    """A game in progress on the rules' own kernels, spoken to in words."""

    def __init__(
        self,
        game: Game,
        deck: Iterable[str | int],
        starter: int = 0,
        scores: tuple[int, ...] | None = None,
    ) -> None:
        self.game = game
        self.rules = game.rules
        self.options = pack(game.options)
        self.deck = [number(card) if isinstance(card, str) else int(card) for card in deck]
        self.starter = starter
        self.scores = scores or (0,) * game.seats
        self.played: list[int] = []
        self.state = new(game.rules.STATE, 1)[0]
        self.out = np.zeros(game.rules.LEGAL, dtype=np.int64)
        self.state["deck"][: len(self.deck)] = self.deck
        game.rules.begin(self.state, self.options, starter, np.array(self.scores, dtype=np.int64))

    @property
    def seat(self) -> int:
        return int(self.state["seat"])

    @property
    def is_over(self) -> bool:
        return bool(self.rules.is_over(self.state))

    def actions(self) -> list[int]:
        return self.out[: self.rules.legal(self.state, self.options, self.out)].tolist()

    def legal(self) -> list[str]:
        return [self.game.notation.format_action(action) for action in self.actions()]

    def apply(self, action: int) -> None:
        self.rules.apply(self.state, self.options, action)
        self.played.append(action)

    def play(self, *texts: str) -> "Table":
        """Play some legal actions; returns the table, so that a test can go on."""
        for text in texts:
            assert text in self.legal(), f"{text!r} is not legal: {', '.join(self.legal())}"
            self.apply(self.game.notation.parse_action(text))
        return self

    def play_any(self, random: Random) -> None:
        self.apply(random.choice(self.actions()))

    def view(self, seat: int | None = None) -> Any:
        view = new(self.rules.VIEW, 1)[0]
        self.rules.observe(self.state, self.options, self.seat if seat is None else seat, view)
        return view

    observe = view  # as a Deal calls it

    def readable(self, seat: int | None = None) -> Any:
        """What a seat may know, as people read it."""
        record = self.view(seat)
        is_asked = not self.is_over and record.me == self.seat
        return self.game.family.view(self.game, record, self.actions() if is_asked else ())

    def points(self) -> list[int]:
        out = np.zeros(self.game.seats, dtype=np.int64)
        self.rules.score(self.state, self.options, out)
        return out.tolist()

    def tally(self) -> dict[str, int]:
        """The counts of a deal that is over, added to counts that are already there."""
        counts, names = np.full(16, 1_000), self.rules.TALLY
        gained = np.array(self.points(), dtype=np.int64)
        self.rules.tally(self.state, self.options, gained, counts)
        assert (counts[len(names) :] == 1_000).all()
        named = zip(names, (counts - 1_000).tolist(), strict=False)
        return {name: count for name, count in named if count}

    def question(self) -> Question:
        """What the seat on turn is asked at the table."""
        names = ["other"] * self.game.seats
        names[self.seat] = YOU
        return description_of(self.game.family).question(self.readable(), Company(tuple(names)))

    def next_starter(self) -> int:
        return int(self.rules.next_starter(self.state, self.options))

    def copy(self) -> "Table":
        """Another table in the same position."""
        twin = copy(self)
        states = new(self.rules.STATE, 1)
        states[0] = self.state
        twin.state, twin.played, twin.out = states[0], list(self.played), self.out.copy()
        return twin

    def slow_twin(self) -> SlowTwin:
        """The same position in the slow engine."""
        known = helpers_for(self.game)
        assert known.slow is not None
        deck = [known.names[card] for card in self.deck]
        slow = known.slow(self.game.options, deck, self.starter, self.scores)
        for action in self.played:
            slow.replay(self.game.notation.format_action(action))
        return slow

    def unseen(self, seat: int) -> list[int]:
        """The cards that a seat has never seen in this deal, after the slow engine if any."""
        known = helpers_for(self.game)
        if known.slow is None:
            return self._unknown(seat)
        seen = self.slow_twin().seen[seat]
        return [card for card in self.deck if known.names[card] not in seen]

    def _unknown(self, seat: int) -> list[int]:
        """The cards of other hands and of the stock; all of them while nothing was shuffled."""
        assert "reshuffles" not in self.rules.STATE.fields or self.state["reshuffles"] == 0
        hands = [cards for other, cards in enumerate(self.state["hands"]) if other != seat]
        hidden = {card for cards in hands for card in each(int(cards))}
        hidden |= {*helpers_for(self.game).stock(self.state)}
        return [card for card in self.deck if card in hidden]


def random_table(game: Game, random: Random, starter: int | None = None) -> Table:
    """A fresh deal by the standard library's chance, not by ours."""
    cards = game.rules.STATE["deck"].shape[0]
    deck = random.sample(range(cards), cards)
    return Table(game, deck, random.randrange(game.seats) if starter is None else starter)


def fresh_tables(game: Game, count: int, random: Random) -> list[Table]:
    """Fresh deals, every second one with a deck that makes for lively play."""
    tables = []
    scores = tuple(30 + 15 * seat for seat in range(game.seats))
    for place in range(count):
        rich_deck = helpers_for(game).rich_deck
        if place % 2 and rich_deck is not None:
            deck = rich_deck(random)
            tables.append(Table(game, deck, random.randrange(game.seats), scores))
        else:
            tables.append(random_table(game, random))
    return tables


def walk(table: Table, random: Random) -> Iterator[Table]:
    """A random deal, stopping at every position from the first to the last."""
    yield table
    while not table.is_over:
        table.play_any(random)
        yield table


def lively_walk(table: Table, random: Random) -> Iterator[Table]:
    """As `walk`, but what is rare among the legal actions is played more often."""
    yield table
    while not table.is_over:
        actions = table.actions()
        groups = helpers_for(table.game).lively(actions)
        table.apply(random.choice(random.choice([actions, *groups])))
        yield table


def changed_positions(game: Game, table: Table) -> list[Any]:
    """The views that changed positions of a deal are read as; nearly all of these are refused."""
    refused, views = 0, []
    for _ in walk(table, Random(4)):
        fields = format_position(game, table.view(0)).split(".")
        for place in range(1, len(fields)):
            for other in ("7", "n", "2", "0", "99999999999999999999", "1-1-1", "x", ""):
                changed = ".".join([*fields[:place], other, *fields[place + 1 :]])
                try:
                    read, view = parse_position(changed)
                except NotationError:
                    refused += 1
                else:
                    assert format_position(read, view) == changed
                    views.append(view)
    assert refused > 100
    return views


def generator(seed: int) -> Any:
    """A generator of ours at the beginning of a seed's stream."""
    made = new(rng.GENERATOR, 1)[0]
    rng.start(made, seed)
    return made
