"""Positions built from text, and kernel results read back as text.

A game joins the contract tests by an entry in SLOW, LIVELY and IN_WORDS here, in accounts.py and
rulesets.py, and, where the plain way to deal again does not do, in redeal.py. Pharaoh's slow engine
is the specification itself, as data: compare_pharaoh.py sets it beside the kernels.
"""

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from random import Random
from typing import Any

import numpy as np

from hands import rich_deck
from reference.cards import PACK, from_mask, in_order, number
from reference.gin import UNKNOWN
from reference.gin import Deal as SlowGin
from reference.rummy import Round as SlowRummy
from undercut.core import rng
from undercut.core.cards import HIDDEN, NONE, each
from undercut.core.jit import COMPILED
from undercut.core.records import new, pack
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.gin import rules as gin
from undercut.games.pharaoh import rules as pharaoh
from undercut.games.rummy import rules as rummy

# By the name of a rules module: the slow engine, and what its cards are called.
SLOW: dict[str, tuple[Any, list[str]]] = {"gin": (SlowGin, PACK), "rummy": (SlowRummy, PACK)}

# Decks that make for lively deals.
RICH: dict[str, Callable[[Random], list[str]]] = {"gin": rich_deck, "rummy": rich_deck}


def scaled(compiled: int, interpreted: int) -> int:
    """A sample size: large when kernels are compiled, small when they are not."""
    return compiled if COMPILED else interpreted


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

    def points(self) -> list[int]:
        out = np.zeros(self.game.seats, dtype=np.int64)
        self.rules.score(self.state, self.options, out)
        return out.tolist()

    def next_starter(self) -> int:
        return int(self.rules.next_starter(self.state, self.options))

    def copy(self) -> "Table":
        """Another table in the same position."""
        twin = copy(self)
        states = new(self.rules.STATE, 1)
        states[0] = self.state
        twin.state, twin.played, twin.out = states[0], list(self.played), self.out.copy()
        return twin

    def slow_twin(self) -> Any:
        """The same position in the slow engine."""
        engine, names = SLOW[self.rules.NAME]
        deck = [names[card] for card in self.deck]
        slow = engine(self.game.options, deck, self.starter, self.scores)
        for action in self.played:
            slow.replay(self.game.notation.format_action(action))
        return slow

    def unseen(self, seat: int) -> list[int]:
        """The cards that a seat has never seen in this deal, after the slow engine if any."""
        if self.rules.NAME not in SLOW:
            return self._unknown(seat)
        seen, (_, names) = self.slow_twin().seen[seat], SLOW[self.rules.NAME]
        return [card for card in self.deck if names[card] not in seen]

    def _unknown(self, seat: int) -> list[int]:
        """The cards of other hands and of the stock; all of them while nothing was shuffled."""
        assert self.state["reshuffles"] == 0
        known = [*each(int(self.state["hands"][seat])), *self.state["pile"].tolist()]
        return [card for card in self.deck if card not in known]


def random_table(game: Game, random: Random, starter: int | None = None) -> Table:
    """A fresh deal by the standard library's chance, not by ours."""
    cards = game.rules.STATE["deck"].shape[0]
    deck = random.sample(range(cards), cards)
    return Table(game, deck, random.randrange(game.seats) if starter is None else starter)


def fresh_tables(game: Game, count: int, seed: int) -> list[Table]:
    """Fresh deals, every second one with a deck that makes for lively play."""
    random = Random(seed)
    tables = []
    scores = tuple(30 + 15 * seat for seat in range(game.seats))
    for place in range(count):
        if place % 2 and game.rules.NAME in RICH:
            deck = RICH[game.rules.NAME](random)
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
        groups = LIVELY[table.rules.NAME](actions)
        table.apply(random.choice(random.choice([actions, *groups])))
        yield table


def _lively_gin(actions: list[int]) -> list[list[int]]:
    """Knocks as soon as they are noticed; melds are laid down."""
    knocks = [action for action in actions if gin.KNOCK <= action < gin.DRAW]
    melds = [action for action in actions if action >= gin.MELD]
    return [knocks or actions, melds or knocks or actions]


def _lively_rummy(actions: list[int]) -> list[list[int]]:
    """Put-downs as soon as they are noticed."""
    return [[action for action in actions if action >= rummy.MELD] or actions]


def _lively_pharaoh(actions: list[int]) -> list[list[int]]:
    """Cards are played rather than drawn."""
    plays = [action for action in actions if action >= pharaoh.PLAY] or actions
    return [plays, plays, plays]


LIVELY: dict[str, Callable[[list[int]], list[list[int]]]] = {
    "gin": _lively_gin,
    "rummy": _lively_rummy,
    "pharaoh": _lively_pharaoh,
}


def gin_table(
    seat0: str = "",
    seat1: str = "",
    upcard: str = "",
    stock: str = "",
    starter: int = 0,
    game: str = "gin",
    scores: tuple[int, int] = (0, 0),
) -> Table:
    """A gin deal with the given cards; places left open are filled with the cards left over.

    In a deal without upcard the starter's hand may name eleven cards.
    """
    parsed = parse_game(game)
    hands = [seat0.split(), seat1.split()]
    extra = hands[starter][10:] or upcard.split()
    first = [hands[starter][:10], hands[1 - starter], extra, stock.split()]
    left = _scattered(card for cards in first for card in cards)
    deck: list[str] = []
    for cards, count in zip(first, (10, 10, 1, 31), strict=True):
        deck += cards + [left.pop() for _ in range(count - len(cards))]
    assert len(set(deck)) == 52
    return Table(parsed, deck, starter, scores)


def _scattered(taken: Iterable[str]) -> list[str]:
    """The other cards in a fixed order in which neighbours make no meld."""
    used = set(taken)
    return [card for card in (PACK[place * 23 % 52] for place in range(52)) if card not in used]


def generator(seed: int) -> Any:
    """A generator of ours at the beginning of a seed's stream."""
    made = new(rng.GENERATOR, 1)[0]
    rng.start(made, seed)
    return made


def card_name(card: int) -> str | None:
    """A card as the slow engine names it."""
    if card in (NONE, HIDDEN):
        return None if card == NONE else UNKNOWN
    return PACK[card]


def _numbers(view: Any, *names: str) -> dict[str, Any]:
    return {name: int(view[name]) for name in names}


def gin_view_in_words(view: Any) -> dict[str, Any]:
    """A view of the kernels as the slow engine would tell it."""
    turns = int(view["turn"]) + (view["phase"] == gin.Phase.DISCARD)
    history = []
    for turn in range(turns):
        thrown = card_name(gin.thrown(view, turn)) if turn < view["turn"] else None
        history.append((card_name(gin.drawn(view, turn)), thrown))
    words = _numbers(view, "me", "stock", "turn", "starter", "seat", "takes", "passes")
    words |= {name: from_mask(view[name]) for name in ("hand", "theirs", "shown", "pile")}
    words |= {name: card_name(int(view[name])) for name in ("first_upcard", "upcard", "taken")}
    return words | {
        "melds": [[from_mask(meld) for meld in melds if meld] for melds in view["melds"]],
        "melded": [from_mask(cards) for cards in view["melded"]],
        "history": history,
        "scores": view["scores"].tolist(),
        "phase": gin.Phase(int(view["phase"])).name.lower(),
        "knocker": None if view["knocker"] == NONE else int(view["knocker"]),
        "outcome": gin.Outcome(int(view["outcome"])).name.lower(),
    }


def rummy_view_in_words(view: Any) -> dict[str, Any]:
    """A view of the kernels as the slow engine would tell it."""
    words = _numbers(view, "me", "held", "turn", "takes", "turnovers", "starter", "seat")
    words |= {name: from_mask(view[name]) for name in ("hand", "theirs", "shown", "fresh")}
    words |= {
        name: [from_mask(cards) for cards in view[name]] for name in ("thrown", "refused", "laid")
    }
    words |= {name: card_name(int(view[name])) for name in ("upcard", "taken")}
    melds = [from_mask(rummy.meld_on_table(view, place)) for place in range(int(view["melds"]))]
    return words | {
        "melds": [in_order(meld) for meld in melds],
        "stock": [card_name(rummy.stock_card(view, place)) for place in range(int(view["stock"]))],
        "pile": [card_name(rummy.pile_card(view, place)) for place in range(int(view["pile"]))],
        "opened": [None if turn == NONE else int(turn) for turn in view["opened"]],
        "scores": view["scores"].tolist(),
        "phase": rummy.Phase(int(view["phase"])).name.lower(),
        "winner": None if view["winner"] == NONE else int(view["winner"]),
        "outcome": rummy.Outcome(int(view["outcome"])).name.lower(),
    }


IN_WORDS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "gin": gin_view_in_words,
    "rummy": rummy_view_in_words,
}
