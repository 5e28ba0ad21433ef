"""Pharaoh positions built from text, and what the kernels say of them read back as text."""

from collections.abc import Iterable, Iterator
from random import Random

from positions import Table as AnyTable
from positions import generator, scaled
from undercut.cards.french import each, mask
from undercut.cards.german import PACK, format_card, list_cards, parse_card, parse_cards
from undercut.games.families import parse_game
from undercut.games.pharaoh.rules import deal as pharaoh

__all__ = ["Table", "dealt", "generator", "placed", "redealt", "scaled", "shuffled", "walk"]


class Table(AnyTable):
    """A deal in progress with an interface in words, which also shows all hands."""

    def hand(self, seat: int) -> str:
        return " ".join(format_card(card) for card in each(self.state.hands[seat]))

    def sizes(self) -> list[int]:
        hands = self.state.hands[: self.game.seats]
        return [int(hand).bit_count() for hand in hands]

    def pile(self) -> str:
        return " ".join(format_card(card) for card in self.state.pile[: int(self.state.piled)])

    def piled(self) -> set[int]:
        return set(self.state["pile"][: int(self.state["piled"])].tolist())

    def stock(self) -> str:
        first = int(self.state.front)
        return " ".join(
            format_card(card) for card in self.state.deck[first : first + int(self.state.stock)]
        )

    def need(self) -> tuple[str, int, int]:
        """The card to match, the skips and the cards to take."""
        state = self.state
        return format_card(4 * int(state.value) + int(state.suit)), int(state.ace), int(state.count)

    def plays(self) -> set[str]:
        return {text.removeprefix("play ") for text in self.legal() if text.startswith("play")}

    def places(self) -> list[int]:
        seats = range(self.game.seats)
        return [int(pharaoh.place(self.state, self.options, seat)) for seat in seats]

    def outcome(self) -> str:
        return pharaoh.Outcome(int(self.state.outcome)).name.lower()

    def accounts(self) -> list[int]:
        """All cards, wherever they are."""
        hands = [card for hand in self.state.hands for card in each(hand)]
        return [*hands, *list_cards(self.pile()), *list_cards(self.stock())]


def dealt(deck: Iterable[str | int], game: str = "pharaoh", starter: int = 0) -> Table:
    """A deal at its beginning, from a deck in order: hands from the starter on, upcard, stock."""
    parsed = parse_game(game)
    cards = [parse_card(card) if isinstance(card, str) else card for card in deck]
    return Table(parsed, cards, starter)


def shuffled(random: Random) -> list[int]:
    return random.sample(range(32), 32)


def placed(
    *hands: str, pile: str, stock: str | None = None, game: str = "pharaoh", seat: int = 0
) -> Table:
    """A deal in its middle: hands, the pile from its bottom, the stock from its top.

    A stock that is not given holds all other cards; if it is given, the cards left over lie at
    the bottom of the pile. The top of the pile is without effect, as at the beginning.
    """
    table = dealt(range(32), parse_game(game, len(hands)).name)
    state = table.state
    named = parse_cards(" ".join([*hands, pile, stock or ""]))
    rest = list(each(PACK & ~named))
    in_stock = rest if stock is None else list_cards(stock)
    on_pile = [*([] if stock is None else rest), *list_cards(pile)]
    state.hands[: len(hands)] = [parse_cards(hand) for hand in hands]
    state.deck[: len(in_stock)] = in_stock
    state.front, state.stock = 0, len(in_stock)
    state.pile[:] = -1
    state.pile[: len(on_pile)] = on_pile
    state.piled = len(on_pile)
    state.shuffled = PACK & ~mask(on_pile)
    state.value, state.suit = divmod(on_pile[-1], 4)
    state.ace, state.count = 0, 1
    state.seat = seat
    assert sorted(table.accounts()) == list(range(32))
    return table


def walk(table: Table, random: Random, eager: bool = False) -> Iterator[Table]:
    """A random deal, stopping at every position; an eager deal prefers plays to draws."""
    yield table
    while not table.is_over:
        actions = table.actions()
        plays = [action for action in actions if action >= pharaoh.PLAY]
        table.apply(random.choice(plays if eager and plays else actions))
        yield table


def redealt(table: AnyTable, seat: int, random: Random) -> AnyTable:
    """The same position with the cards that a seat cannot know dealt otherwise.

    This derives its knowledge from the course of the deal, not from the view: the cards on the pile
    at the last shuffle, and the number of them that each player must have drawn since.
    """
    twin = table.copy()
    state = twin.state
    first, stock = int(state.front), int(state.stock)
    old, fresh, counts = [], [], []
    shuffled_last = _shuffled_last(table)
    for other in range(table.game.seats):
        hand = [] if other == seat else list(each(state.hands[other]))
        counts.append(len([card for card in hand if card in shuffled_last]))
        old += [card for card in hand if card not in shuffled_last]
        fresh += [card for card in hand if card in shuffled_last]
    fresh += [int(card) for card in state.deck[first : first + stock]]
    random.shuffle(old)
    random.shuffle(fresh)
    for other in range(table.game.seats):
        if other != seat:
            held = int(state.hands[other]).bit_count()
            cards = [fresh.pop() for _ in range(counts[other])]
            cards += [old.pop() for _ in range(held - counts[other])]
            state.hands[other] = mask(cards)
    state.deck[:] = random.sample(range(32), 32)  # what is left of the deck tells nothing
    state.deck[first : first + stock] = fresh
    state.chance.seed = random.randrange(2**63)
    return twin


def _shuffled_last(table: AnyTable) -> set[int]:
    """Play the deal again: which cards were shuffled last, and not played since."""
    again = Table(table.game, table.deck, table.starter, table.scores)
    before, reshuffles = again.piled(), 0
    found = set(range(32)) - before
    for action in table.played:
        again.apply(action)
        after = again.piled()
        if again.state["reshuffles"] > reshuffles:
            played = each(pharaoh.played_cards(action)) if action >= pharaoh.PLAY else ()
            found = {*before, *played}
            reshuffles = int(again.state["reshuffles"])
        found -= after
        before = after
    return found
