"""Other deals that look the same to one seat, found without the rules' own `complete`."""

from collections.abc import Callable
from random import Random

from pharaoh_positions import redealt as redealt_pharaoh
from positions import Table
from undercut.games.gin import rules as gin


def redealt(table: Table, seat: int, random: Random) -> Table | None:
    """The same play from a deck in which the cards `seat` never saw lie elsewhere.

    All is replayed through the rules. Where a hidden card decided what was legal (a knock, gin)
    most decks do not fit; None when none was found.
    """
    if table.rules.NAME in OWN_WAYS:
        return OWN_WAYS[table.rules.NAME](table, seat, random)
    hidden = table.unseen(seat)
    if len(hidden) < 2:
        return None
    replay = REPLAYS.get(table.rules.NAME, _replay)
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


def _replay_gin(
    twin: Table, actions: list[int], places: dict[int, int], seat: int, random: Random
) -> bool:
    """As `_replay`, but a knock card put face down may be a card that was never seen."""
    is_spreading = any(map(_is_knock, actions)) and gin.DONE not in actions
    for action in actions:
        legal = twin.actions()
        if _is_knock(action):
            action = gin.KNOCK + places.get(action - gin.KNOCK, action - gin.KNOCK)
            if twin.game.options.knock_face_down and twin.seat != seat and is_spreading:
                # Nobody has seen the knocker's cards yet: he may have put down any of them.
                action = random.choice([*filter(_is_knock, legal)] or [action])
        if action not in legal:
            return False
        twin.apply(action)
    return True


def _is_knock(action: int) -> bool:
    return gin.KNOCK <= action < gin.DRAW


REPLAYS: dict[str, Callable[[Table, list[int], dict[int, int], int, Random], bool]] = {
    "gin": _replay_gin
}
"""By the name of a rules module, where actions cannot just be played again."""

OWN_WAYS: dict[str, Callable[[Table, int, Random], Table | None]] = {
    "pharaoh": redealt_pharaoh  # cards seen once may be hidden again
}
"""By the name of a rules module, where the plain way does not do."""
