"""The counting belief: every unseen card is equally likely in the other hand."""

from undercut.games.gin.players.belief.marginals import fit_marginals, spread_evenly
from undercut.games.gin.rules.layout import Options, View
from undercut.kernels.jit import kernel, meet
from undercut.kernels.records import Buffer, Floats, Settings


@kernel
def estimate(
    view: View,
    options: Options,
    settings: Settings,
    workspace: Buffer,
    chances: Floats,
    lane: int,
    lanes: int,
) -> None:
    """Write each card's probability to be in the other hand, or a lane's share of these.

    Every belief is a kernel with these arguments.
    """
    if lane == 0:
        for card in range(52):
            chances[card] = 0.5
        if settings.remember:
            fit_marginals(view, True, chances)
        else:
            spread_evenly(view, chances)
    meet(lanes)
