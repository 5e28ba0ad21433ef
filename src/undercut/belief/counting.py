"""What counting says of the other hand: every card that was not seen is alike likely."""

from typing import Any

from undercut.belief.marginals import fit_marginals
from undercut.core.game import Buffer, Options, View
from undercut.core.jit import kernel


@kernel
def estimate(
    view: View, options: Options, settings: Any, workspace: Buffer, chances: Buffer
) -> None:
    """Write for each card the chance that the other seat holds it.

    Every model of the other hand is a kernel with these arguments.
    """
    for card in range(52):
        chances[card] = 0.5
    fit_marginals(view, chances)
