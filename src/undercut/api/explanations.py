"""A decision and the reasons for it, as data and, like `undercut hint`, as text."""

from dataclasses import dataclass

from undercut.api.belief import Belief
from undercut.games.contract import Game
from undercut.games.table.actions import Action, actions_of
from undercut.play.explanation import Comparison, Explanation, Figure
from undercut.text.tables import Grid, html_of


@dataclass(frozen=True, repr=False)
class Explained:
    """An agent's decision, with the reasons that it gives."""

    agent: str
    action: Action
    reason: str
    comparisons: tuple[Comparison, ...]  # tables of alternatives
    figures: tuple[Figure, ...]  # numbers that influenced the decision
    belief: Belief | None  # of the other hand

    @classmethod
    def of(cls, agent: str, game: Game, why: Explanation) -> "Explained":
        """The explanation of an agent, with the text of its action."""
        belief = Belief(game.family.pack, why.belief, why.believed) if why.belief else None
        action = actions_of(game.family).texts[why.action]
        return cls(agent, action, why.reason, why.comparisons, why.figures, belief)

    def __repr__(self) -> str:
        return f"{self.agent}: {self.action}" + (f" – {self.reason}" if self.reason else "")

    def __str__(self) -> str:
        tables = [str(grid) for grid in self._grids()]
        belief = [] if self.belief is None else [str(self.belief)]
        return "\n\n".join([repr(self), *tables, *belief])

    def _repr_html_(self) -> str:
        tables = [grid._repr_html_() for grid in self._grids()]
        belief = [] if self.belief is None else [self.belief._repr_html_()]
        return "".join([f"<p>{html_of(repr(self))}</p>", *tables, *belief])

    def _grids(self) -> list[Grid]:
        grids = [_grid(each) for each in self.comparisons]
        if self.figures:
            rows = tuple((figure.words, format_value(figure.value)) for figure in self.figures)
            grids.append(Grid((), rows))
        return grids


def _grid(comparison: Comparison) -> Grid:
    headings = tuple(heading for _, heading in comparison.columns)
    return Grid(headings, tuple(tuple(map(format_value, row)) for row in comparison.rows))


def format_value(value: str | float | None) -> str:
    """A value of an explanation as text.

    >>> format_value(7.125), format_value(400), format_value(None)
    ('7.12', '400', '–')
    """
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else str(value)
