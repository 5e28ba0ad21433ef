"""What counting says of the other hand: every card out of sight is equally likely."""

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
    """Write for each card the chance that the other seat holds it, or a lane's share of them.

    Every model of the other hand is a kernel with these arguments.
    """
    if lane == 0:
        for card in range(52):
            chances[card] = 0.5
        if settings.remember:
            fit_marginals(view, True, chances)
        else:
            spread_evenly(view, chances)
    meet(lanes)
