"""The review of a match from Python, as an object that prints and as a table."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from undercut.lab.extras import need
from undercut.lab.review import words
from undercut.lab.review.data import decision_rows
from undercut.lab.review.page import section
from undercut.lab.review.review import SAMPLES, Review, Reviewer
from undercut.lab.review.worth import POINTS
from undercut.play.records.record import Record, read_record
from undercut.text.tables import Grid

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, repr=False)
class Reviewed(Review):
    """The review of a match; `print` shows its tables."""

    def __repr__(self) -> str:
        return f"<review of {words.heading(self)}>"

    def __str__(self) -> str:
        return "\n\n".join([words.heading(self), *map(str, self._grids())])

    def _repr_html_(self) -> str:
        return section(self)

    def to_dataframe(self) -> "DataFrame":
        """A row for each decision that was judged; needs the extra 'data'."""
        frame: DataFrame = need("pandas", "data").DataFrame(decision_rows(self))
        return frame

    def _grids(self) -> list[Grid]:
        played = [
            (each.player, str(each.decisions), f"{each.error_rate:.2f}", words.error_counts(each))
            for each in self.seats
        ]
        grids = [Grid(("player", "decisions", "points lost a decision", "errors"), tuple(played))]
        account = self.account(POINTS)
        if account is not None:
            sides = [dict(words.account_rows(account, seat)) for seat in range(len(self.players))]
            rows = [(name, *(words.signed(side[name]) for side in sides)) for name in sides[0]]
            grids.append(Grid(("points", *self.players), tuple(rows)))
        return grids


def review(record: Record | str | Path, samples: int = SAMPLES, seed: int = 0) -> Reviewed:
    """What each decision of a match cost, and how much of the result was luck.

    `record` is a record or its file. The same record, samples and seed give the same review.
    """
    read = record if isinstance(record, Record) else read_record(Path(record))
    found = Reviewer(read.game, samples, seed).review(read)
    return Reviewed(**{name: getattr(found, name) for name in Review.__dataclass_fields__})
