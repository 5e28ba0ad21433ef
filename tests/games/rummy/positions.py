"""Rummy positions built from text, and what the kernels say of them read back as text."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from cards.reference.cards import PACK, from_mask, in_order
from positions import Table
from text.words import card_name, numbers
from undercut.cards.french import NONE, each, format_card, parse_card, parse_cards
from undercut.cards.melds import is_run
from undercut.games.families import parse_game
from undercut.games.rummy.rules import deal as rummy


class RummyTable(Table):
    """A round in progress, spoken to in words."""

    def discards(self) -> list[str]:
        return [text for text in self.legal() if text.startswith("discard")]

    def put_downs(self) -> list[str]:
        return [text for text in self.legal() if text.startswith(("meld", "lay"))]

    def melds(self) -> list[str]:
        return [
            " ".join(in_order(from_mask(rummy.meld_on_table(self.state, place))))
            for place in range(int(self.state.melds))
        ]

    def hand(self, seat: int) -> frozenset[str]:
        return from_mask(self.state.hands[seat])

    def stock(self) -> list[str]:
        return self._queue(0, int(self.state.stock))

    def pile(self) -> list[str]:
        return self._queue(int(self.state.stock), int(self.state.pile))

    def _queue(self, first: int, count: int) -> list[str]:
        places = [(int(self.state.front) + first + i) % 32 for i in range(count)]
        return [format_card(self.state.deck[20 + place]) for place in places]

    def outcome(self) -> str:
        return rummy.Outcome(int(self.state.outcome)).name.lower()


def dealt(
    deck: Iterable[str], game: str = "rummy", starter: int = 0, scores: tuple[int, int] = (0, 0)
) -> RummyTable:
    """A round at its beginning, from a deck in order: starter, other, upcard, stock."""
    return RummyTable(parse_game(game), deck, starter, scores)


def shuffled(random: Random) -> list[str]:
    return random.sample(PACK, 52)


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
) -> RummyTable:
    """A round in its middle: seat 0 is to draw, the melds on the table are seat 1's.

    The discard pile is given from the oldest card to the top. A stock that is not given holds
    cards that are left over, as many as there is room for.
    """
    named = [*mine.split(), *theirs.split(), *pile.split(), *" ".join(melds).split()]
    rest = [PACK[place * 23 % 52] for place in range(52)]
    rest = [card for card in rest if card not in named]
    drawn = rest[: 31 - len(pile.split())] if stock is None else stock.split()
    table = dealt(PACK, game)
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


def eager_walk(table: RummyTable, random: Random) -> Iterator[RummyTable]:
    """Play a round by chance, stopping before each action; what can be put down is."""
    while not table.is_over:
        yield table
        table.play(random.choice(table.put_downs() or table.legal()))


def rummy_view_in_words(view: Any) -> dict[str, Any]:
    """A view of the kernels as the slow engine would tell it."""
    words = numbers(view, "me", "held", "turn", "takes", "turnovers", "starter", "seat")
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
