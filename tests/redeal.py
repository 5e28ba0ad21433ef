"""Other deals that look the same to one seat, found without the rules' own `complete`."""

from random import Random

from positions import Table
from reference.cards import PACK
from undercut.games import gin


def redealt(table: Table, seat: int, random: Random) -> Table | None:
    """The same play from a deck in which the cards `seat` never saw lie elsewhere.

    All is replayed through the rules. Where a hidden card decided what was legal (a knock, gin)
    most decks do not fit; None when none was found.
    """
    slow = table.slow_twin()
    hidden = [PACK.index(card) for card in PACK if card not in slow.seen[seat]]
    if len(hidden) < 2:
        return None
    for attempt in range(40):
        # Exchanging two cards only keeps a knock legal more often than shuffling all.
        moving = hidden if attempt % 4 == 0 else random.sample(hidden, 2)
        places = dict(zip(moving, random.sample(moving, len(moving)), strict=True))
        actions = [_moved(action, places) for action in table.played]
        deck = [places.get(card, card) for card in table.deck]
        twin = Table(table.game, deck, table.starter, table.scores)
        if _replay(twin, actions, seat, random):
            return twin
    return None


def _moved(action: int, places: dict[int, int]) -> int:
    """Only a knock card put face down can be a card that was never seen."""
    if gin.KNOCK <= action < gin.DRAW:
        return gin.KNOCK + places.get(action - gin.KNOCK, action - gin.KNOCK)
    return action


def _replay(twin: Table, actions: list[int], seat: int, random: Random) -> bool:
    is_spreading = bool(actions) and any(gin.KNOCK <= action < gin.DRAW for action in actions)
    is_spreading = is_spreading and gin.DONE not in actions
    for action in actions:
        legal = twin.actions()
        is_knock = gin.KNOCK <= action < gin.DRAW
        face_down = is_knock and twin.game.options.knock_face_down and twin.seat != seat
        if face_down and is_spreading:
            # Nobody has seen the knocker's cards yet: he may have put down any of them.
            knocks = [other for other in legal if gin.KNOCK <= other < gin.DRAW]
            action = random.choice(knocks) if knocks else action
        if action not in legal:
            return False
        twin.apply(action)
        if twin.is_over and action is not actions[-1]:
            return False
    return True
