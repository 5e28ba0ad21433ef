"""Rummy positions built from text, and what the kernels say of them read back as text."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import numpy as np

from reference import rummy as slow
from undercut.core import rng
from undercut.core.cards import NONE, each, format_card, parse_card, parse_cards
from undercut.core.game import Game, new, pack
from undercut.core.jit import COMPILED
from undercut.core.melds import is_run
from undercut.games import rummy
from undercut.games.catalog import parse_game
from undercut.games.rummy_text import format_action, parse_action


def scaled(compiled: int, interpreted: int) -> int:
    """A sample size: large when kernels are compiled, small when they are not."""
    return compiled if COMPILED else interpreted


def generator(seed: int) -> Any:
    made = new(rng.GENERATOR, 1)[0]
    rng.start(made, seed)
    return made


def card_names(cards: int) -> set[str]:
    return {format_card(card) for card in each(int(cards))}


class Table:
    """A round in progress, spoken to in words."""

    def __init__(self, game: Game, state: Any) -> None:
        self.game = game
        self.options = pack(game.options)
        self.state = state
        self.out = np.zeros(rummy.LEGAL, dtype=np.int64)

    @property
    def is_over(self) -> bool:
        return bool(rummy.is_over(self.state))

    def discards(self) -> list[str]:
        return [text for text in self.legal() if text.startswith("discard")]

    def actions(self) -> list[int]:
        return self.out[: rummy.legal(self.state, self.options, self.out)].tolist()

    def legal(self) -> list[str]:
        return [format_action(action) for action in self.actions()]

    def put_downs(self) -> list[str]:
        return [text for text in self.legal() if text.startswith(("meld", "lay"))]

    def play(self, *texts: str) -> "Table":
        for text in texts:
            assert text in self.legal(), f"{text!r} is not legal: {', '.join(self.legal())}"
            rummy.apply(self.state, self.options, parse_action(text))
        return self

    def view(self, seat: int) -> Any:
        view = new(rummy.VIEW, 1)[0]
        rummy.observe(self.state, self.options, seat, view)
        return view

    def melds(self) -> list[str]:
        return [
            " ".join(sorted(card_names(rummy.meld_on_table(self.state, i)), key=slow.order))
            for i in range(int(self.state.melds))
        ]

    def hand(self, seat: int) -> set[str]:
        return card_names(self.state.hands[seat])

    def stock(self) -> list[str]:
        return self._queue(0, int(self.state.stock))

    def pile(self) -> list[str]:
        return self._queue(int(self.state.stock), int(self.state.pile))

    def _queue(self, first: int, count: int) -> list[str]:
        places = [(int(self.state.front) + first + i) % 32 for i in range(count)]
        return [format_card(self.state.deck[20 + place]) for place in places]

    def points(self) -> list[int]:
        out = np.zeros(2, dtype=np.int64)
        rummy.score(self.state, self.options, out)
        return out.tolist()

    def outcome(self) -> str:
        return rummy.Outcome(int(self.state.outcome)).name.lower()

    def copy(self) -> "Table":
        states = new(rummy.STATE, 1)
        states[0] = self.state
        return Table(self.game, states[0])


def dealt(
    deck: Iterable[str], game: str = "rummy", starter: int = 0, scores: tuple[int, int] = (0, 0)
) -> Table:
    """A round at its beginning, from a deck in order: starter, other, upcard, stock."""
    state = new(rummy.STATE, 1)[0]
    parsed = parse_game(game)
    state.deck[:] = [parse_card(card) for card in deck]
    rummy.begin(state, pack(parsed.options), starter, np.array(scores, dtype=np.int64))
    return Table(parsed, state)


def shuffled(random: Random) -> list[str]:
    return random.sample(slow.PACK, 52)


def placed(
    mine: str,
    theirs: str = "",
    melds: Iterable[str] = (),
    pile: str = "",
    stock: str | None = None,
    game: str = "rummy",
    turnovers: int = 0,
    turn: int = 10,
    opened: tuple[int, int] = (0, 1),
) -> Table:
    """A round in its middle: seat 0 is to draw, the melds on the table are seat 1's.

    The discard pile is given from the oldest card to the top. A stock that is not given holds
    cards that are left over, as many as there is room for.
    """
    named = [*mine.split(), *theirs.split(), *pile.split(), *" ".join(melds).split()]
    rest = [slow.PACK[place * 23 % 52] for place in range(52)]
    rest = [card for card in rest if card not in named]
    drawn = rest[: 31 - len(pile.split())] if stock is None else stock.split()
    table = dealt(slow.PACK, game)
    state = table.state
    state.hands[:] = parse_cards(mine), parse_cards(theirs)
    state.front = (32 - len(drawn)) % 32
    state.stock, state.pile = len(drawn), len(pile.split())
    for number, card in enumerate([*drawn, *pile.split()]):
        state.deck[20 + (int(state.front) + number) % 32] = parse_card(card)
    state.upcard = parse_card(pile.split()[-1]) if pile else NONE
    for number, meld in enumerate(melds):
        cards = parse_cards(meld)
        state.laid[1] |= cards
        state.table[number] = min(each(cards))
        state.melds = number + 1
        if is_run(cards):
            state.starts |= cards & -cards
        else:
            state.sets |= cards
    state.turnovers, state.turn = turnovers, turn
    state.opened[:] = opened
    return table


def slow_round(deck: list[str], game: str, starter: int) -> slow.Round:
    return slow.Round(deck, starter, parse_game(game).options._asdict())


def walk(table: Table, random: Random, eager: bool = False) -> Iterator[str]:
    """Play a round by chance, stopping before each action; an eager one puts down what it can."""
    while not table.is_over:
        texts = table.legal()
        if eager:
            texts = table.put_downs() or texts
        text = random.choice(texts)
        yield text
        table.play(text)
