"""The moves that a search tries: those that the guide likes best."""

from collections.abc import Sequence

from undercut.games.contract import Game
from undercut.kernels.records import Action, View
from undercut.play.agent import AnyAgent, KernelAgent, Random
from undercut.play.ask import ask
from undercut.players.encoding import encoding_of
from undercut.players.policy.reasons import move_chances

CERTAIN = 0.999  # a guide's chance of a move from which on nothing else is tried


def candidate_moves(
    game: Game, guide: AnyAgent, view: View, legal: Sequence[Action], random: Random, most: int
) -> list[Action]:
    """The moves to try, the guide's first; only that one if the guide is nearly certain of it."""
    own = ask(game, guide, view, list(legal), random)
    if len(legal) == 1:
        return [own]
    if not isinstance(guide, KernelAgent) or guide.value is None:
        return [own, *(move for move in legal if move != own)][:most]
    encoding = encoding_of(game)
    if not encoding.is_asked(view, 0):
        return [own]
    chances = move_chances(guide, encoding, legal)
    if chances.max() >= CERTAIN:
        return [own]
    ranked = [int(legal[place]) for place in (-chances).argsort(kind="stable")]
    return [own, *(move for move in ranked if move != own)][:most]
