"""Learning from mistakes: the schedule, the choice of puzzles, and what the store keeps."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from undercut.app import practice
from undercut.app.kept_reviews import (
    DealKept,
    ErrorKept,
    ReviewKept,
    keep_review,
    kept_reviews,
    summarized,
)
from undercut.app.store import Store
from undercut.games.families import parse_game
from undercut.lab.review.review import Review, Reviewer
from undercut.lab.review.worth import POINTS
from undercut.play.hindsight import played_deals
from undercut.play.records.record import read_record

DAY = date(2026, 3, 1)
RECORDS = Path(__file__).parents[2] / "examples" / "records"


def error(ply: int, points: float, *themes: str) -> ErrorKept:
    return ErrorKept(ply, "mistake", themes, points, "draw")


def stored(folder: Path) -> Store:
    """A store with two reviewed games."""
    store, game = Store(folder), parse_game("gin")
    for errors in (
        [error(3, 2.0, "kept a high card"), error(9, 7.0, "broke a meld", "kept a high card")],
        [error(5, 4.0, "broke a meld")],
    ):
        number = store.begin(game, ["you", "simple"], 1).number
        keep_review(store, number, ReviewKept(8, (DealKept(12, -3.0, 1.5, tuple(errors)),)))
    return store


def plies(found: list[practice.Puzzle]) -> list[tuple[int, int]]:
    return [(each.number, each.error.ply) for each in found]


def test_new_puzzles_are_due_the_most_costly_first(tmp_path: Path) -> None:
    found = practice.puzzles(stored(tmp_path))
    assert plies(found) == [(1, 9), (2, 5), (1, 3)]
    assert all(each.is_due(DAY) for each in found)
    assert plies(practice.chosen(found, number=1)) == [(1, 9), (1, 3)]
    assert plies(practice.chosen(found, theme="broke a meld")) == [(1, 9), (2, 5)]
    assert plies(practice.chosen(found, 2, "kept a high card")) == []


def test_a_solved_puzzle_comes_back_later_each_time_and_an_unsolved_one_begins_again(
    tmp_path: Path,
) -> None:
    store, day = stored(tmp_path), DAY
    for box, days in enumerate((1, 2, 4, 8, 16, 32, 32), start=1):
        (puzzle,) = practice.chosen(practice.puzzles(store), number=2)
        assert puzzle.is_due(day)
        practice.note_answer(store, puzzle, True, day)
        (puzzle,) = practice.chosen(practice.puzzles(store), number=2)
        assert puzzle.box == min(box, 6)
        assert puzzle.due == day + timedelta(days=days)
        assert not puzzle.is_due(puzzle.due - timedelta(days=1))
        day = puzzle.due
    practice.note_answer(store, puzzle, False, day)
    (puzzle,) = practice.chosen(practice.puzzles(store), number=2)
    assert (puzzle.box, puzzle.due) == (0, day), "it can be tried again at once"
    practice.note_given_up(store, puzzle, day)
    (puzzle,) = practice.chosen(practice.puzzles(store), number=2)
    assert (puzzle.box, puzzle.due) == (0, day + timedelta(days=1))
    assert plies(practice.puzzles(store)) == [(1, 9), (2, 5), (1, 3)]


def test_puzzles_of_higher_boxes_come_last(tmp_path: Path) -> None:
    store = stored(tmp_path)
    practice.note_answer(store, practice.puzzles(store)[0], True, DAY)
    assert plies(practice.puzzles(store)) == [(2, 5), (1, 3), (1, 9)]


def test_themes_are_counted_with_those_that_are_due(tmp_path: Path) -> None:
    store = stored(tmp_path)
    practice.note_answer(store, practice.chosen(practice.puzzles(store), 2)[0], True, DAY)
    found = practice.theme_counts(practice.puzzles(store), DAY)
    assert [(each.name, each.count, each.due) for each in found] == [
        ("broke a meld", 2, 1),
        ("kept a high card", 2, 2),
    ]


def test_a_new_review_keeps_the_boxes_and_a_deleted_game_takes_its_puzzles_along(
    tmp_path: Path,
) -> None:
    store = stored(tmp_path)
    practice.note_answer(store, practice.chosen(practice.puzzles(store), 2)[0], True, DAY)
    again = ReviewKept(256, (DealKept(12, 0.0, 0.0, (error(5, 4.5), error(6, 1.0))),))
    keep_review(store, 2, again)
    boxes = {each.error.ply: each.box for each in practice.chosen(practice.puzzles(store), 2)}
    assert boxes == {5: 1, 6: 0}
    store.delete(2)
    assert plies(practice.puzzles(store)) == [(1, 9), (1, 3)]
    assert store.rows("SELECT * FROM boxes") == []
    keep_review(store, 2, again)
    assert 2 not in kept_reviews(store), "a review of a deleted game is not kept"


@pytest.mark.parametrize("data", ["", "{", "[]", '{"samples":-1,"deals":[]}', '{"deals":3}'])
def test_damaged_rows_are_left_out(data: str, tmp_path: Path) -> None:
    store = stored(tmp_path)
    practice.note_answer(store, practice.puzzles(store)[0], True, DAY)
    store.execute("UPDATE reviews SET data = ? WHERE game = 2", data)
    store.execute("UPDATE boxes SET due = ?", data)
    assert plies(practice.puzzles(store)) == [(1, 9), (1, 3)]


def test_the_summary_has_the_numbers_of_the_review() -> None:
    record = read_record(RECORDS / "prsi.jsonl")
    deal = next(played_deals(record))
    found = Reviewer(record.game, 24, seed=5).review_deal(deal)
    review = Review(record.game, tuple(record.header.players), (found,), 24, 5)
    erred = 0
    for seat, side in enumerate(review.seats):
        kept = summarized(review, seat)
        (own,) = kept.deals
        assert own.decisions == side.decisions
        assert own.lost == pytest.approx(side.points)
        assert own.luck == pytest.approx(found.accounts[POINTS].share(seat).luck)
        assert own.result == pytest.approx(found.accounts[POINTS].share(seat).result)
        wanted = [(each.ply, each.kind, each.themes) for each in review.errors if each.seat == seat]
        assert sorted((each.ply, each.kind, each.themes) for _, each in kept.errors) == sorted(
            wanted
        )
        erred += len(wanted)
    assert erred
