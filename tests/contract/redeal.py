"""Other deals that look the same to one seat, found without the rules' own `complete`."""

from random import Random

from helpers import helpers_for
from positions import Table


def redealt(table: Table, seat: int, random: Random) -> Table | None:
    """The same play from a deck in which the cards `seat` never saw lie elsewhere.

    All is replayed through the rules. Where a hidden card decided what was legal (a knock, gin)
    most decks do not fit; None when none was found.
    """
    known = helpers_for(table.game)
    if known.redealt is not None:
        twin: Table | None = known.redealt(table, seat, random)
        return twin
    hidden = table.unseen(seat)
    if len(hidden) < 2:
        return None
    replay = known.replay or _replay
    for attempt in range(40):
        # Exchanging two cards only keeps a knock legal more often than shuffling all.
        moving = hidden if attempt % 4 == 0 else random.sample(hidden, 2)
        places = dict(zip(moving, random.sample(moving, len(moving)), strict=True))
        deck = [places.get(card, card) for card in table.deck]
        twin = Table(table.game, deck, table.starter, table.scores)
        if replay(twin, table.played, places, seat, random):
            return twin
    return None


def _replay(
    twin: Table, actions: list[int], places: dict[int, int], seat: int, random: Random
) -> bool:
    """Play the same actions; False where one is not legal. No action names an unseen card."""
    for action in actions:
        if action not in twin.actions():
            return False
        twin.apply(action)
    return True
