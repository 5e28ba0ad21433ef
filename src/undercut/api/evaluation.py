"""The evaluation of a position from Python, as data and as a table."""

from dataclasses import dataclass

from undercut.api.explanations import Explained
from undercut.games.table.readable import View
from undercut.players.search.evaluate import SAMPLES, Evaluation, MoveValue, evaluator_of, explain


@dataclass(frozen=True, repr=False)
class Evaluated(Explained):
    """The values of all moves; `moves` has the numbers, and `print` shows them as a table."""

    evaluation: Evaluation

    @property
    def moves(self) -> tuple[MoveValue, ...]:
        """The moves, the best first."""
        return self.evaluation.moves


def evaluate(
    view: View, samples: int = SAMPLES, seed: int = 0, *, milliseconds: float | None = None
) -> Evaluated:
    """The value of each move in a view, by rollouts on sampled hidden cards.

    The result depends on the view, `samples` and `seed` alone. With `milliseconds` it samples for
    that long, and the result depends on the machine.

    >>> import undercut
    >>> found = undercut.evaluate(undercut.load("gin").deal(seed=7).view(), samples=40)
    >>> [move.text for move in found.moves]
    ['pass', 'take']
    """
    evaluator = evaluator_of(view.game.name)
    found = evaluator.evaluate(view.record, view.actions, samples, seed, milliseconds)
    shown = Explained.of("evaluator", view.game, explain(found))
    return Evaluated(**vars(shown), evaluation=found)
