"""Learning from mistakes: each error of a reviewed game is a puzzle, repeated at growing intervals.

The schedule is Leitner's: a puzzle that was solved moves on to the next box and comes back later;
one that was not returns to the first box.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from undercut.app.kept_reviews import ErrorKept, kept_reviews
from undercut.app.store import Store

DAYS = (1, 1, 2, 4, 8, 16, 32)
"""The days until a puzzle in each box comes back; box 0 has those that were not solved."""


@dataclass(frozen=True)
class Puzzle:
    """An error of a stored game, to be done better."""

    number: int  # of the game
    deal: int  # from 0
    error: ErrorKept
    box: int = 0
    due: date = date.min  # date.min: never tried

    def is_due(self, today: date) -> bool:
        """Whether it is time to repeat it."""
        return self.due <= today


@dataclass(frozen=True)
class ThemeCount:
    """How many puzzles have a theme."""

    name: str
    count: int
    due: int


def today() -> date:
    """The current day."""
    return datetime.now(UTC).date()


def puzzles(store: Store) -> list[Puzzle]:
    """All puzzles: those of the lowest box first, and then the errors that cost most."""
    boxes = dict(_boxes(store))
    found = [
        Puzzle(number, deal, error, *boxes.get((number, error.ply), ()))
        for number, review in kept_reviews(store).items()
        for deal, error in review.errors
    ]
    return sorted(found, key=lambda each: (each.box, -each.error.points, each.number))


def chosen(found: Sequence[Puzzle], number: int = 0, theme: str = "") -> list[Puzzle]:
    """The puzzles of one game, or of all for 0, and of one theme, or of all for ""."""
    return [
        each
        for each in found
        if number in (0, each.number) and (not theme or theme in each.error.themes)
    ]


def theme_counts(found: Sequence[Puzzle], day: date) -> list[ThemeCount]:
    """The themes of some puzzles, the most frequent first."""
    count, due = Counter[str](), Counter[str]()
    for each in found:
        count.update(each.error.themes)
        due.update(each.error.themes if each.is_due(day) else ())
    return [ThemeCount(name, number, due[name]) for name, number in count.most_common()]


def note_answer(store: Store, puzzle: Puzzle, is_right: bool, day: date) -> None:
    """Move a puzzle to the next box, or back to the first one, where it can be tried at once."""
    box = min(puzzle.box + 1, len(DAYS) - 1) if is_right else 0
    _put(store, puzzle, box, day + timedelta(days=DAYS[box]) if is_right else day)


def note_given_up(store: Store, puzzle: Puzzle, day: date) -> None:
    """Put a puzzle whose solution was shown into the first box, for another day."""
    _put(store, puzzle, 0, day + timedelta(days=DAYS[0]))


def _put(store: Store, puzzle: Puzzle, box: int, due: date) -> None:
    values = (puzzle.number, puzzle.error.ply, box, due.isoformat())
    store.execute("INSERT OR REPLACE INTO boxes VALUES (?, ?, ?, ?)", *values)


def _boxes(store: Store) -> Iterator[tuple[tuple[int, int], tuple[int, date]]]:
    """The box and the day of each puzzle that was tried; damaged ones are left out."""
    for number, ply, box, due in store.rows("SELECT game, ply, box, due FROM boxes"):
        try:
            place, day = int(str(box)), date.fromisoformat(str(due))
            yield (int(str(number)), int(str(ply))), (min(max(place, 0), len(DAYS) - 1), day)
        except ValueError:
            continue
