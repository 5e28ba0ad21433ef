"""Learning from mistakes, for the page of the owner: puzzles from the errors of stored games."""

from collections.abc import Callable
from typing import Protocol

import anyio
import anyio.from_thread
import anyio.to_thread

from undercut.app import coach, practice
from undercut.app.history import Moment, Past
from undercut.app.kept_reviews import keep_review, kept_reviews, summarized
from undercut.app.practice import Puzzle
from undercut.app.presentation import words_of
from undercut.app.session import Session
from undercut.app.store import Store
from undercut.app.stored_games import PLAYING, Stored, game_of
from undercut.app.web import protocol
from undercut.app.web.reviews import SAMPLES, NotWanted, finished_deals
from undercut.app.web.snapshot import rules_of, snapshot
from undercut.games.table.description import YOU, Company
from undercut.games.table.plain_description import description_of
from undercut.lab.review import words
from undercut.lab.review.judgement import SIGNIFICANT, Judgement
from undercut.lab.review.review import Review, Reviewer
from undercut.text.errors import IllegalAction, UndercutError
from undercut.text.translation import mark, say

SOLVERS = 2  # answers that are judged at the same time
TOO = {
    "inaccuracy": mark("That is an inaccuracy. Try again."),
    "mistake": mark("That is a mistake. Try again."),
    "blunder": mark("That is a blunder. Try again."),
}


class Page(Protocol):
    """A page that is told how far the reviews are."""

    def tell(self, message: protocol.Told) -> None:
        """Queue a message."""


class Practice:
    """The puzzles of one store."""

    def __init__(
        self, store: Store, moment: Callable[[int], Moment], reviewers: anyio.CapacityLimiter
    ) -> None:
        """`moment` gives a stored game as it is now."""
        self._store, self._moment, self._reviewers = store, moment, reviewers
        self._solvers = anyio.CapacityLimiter(SOLVERS)
        self._collecting = set[Page]()

    async def show(self, asked: protocol.Practice) -> protocol.PracticeShown:
        """The next puzzle, and how many there are."""
        return await anyio.to_thread.run_sync(self._show, asked, limiter=self._solvers)

    async def attempt(self, asked: protocol.Try) -> protocol.Tried:
        """Judge an answer, and put the puzzle into its next box."""
        return await anyio.to_thread.run_sync(self._attempt, asked, limiter=self._solvers)

    async def reveal(self, asked: protocol.Reveal) -> protocol.Tried:
        """The solution; the puzzle comes back another day."""
        return await anyio.to_thread.run_sync(self._reveal, asked, limiter=self._solvers)

    def forget(self, page: Page) -> None:
        """The page has gone: it waits for no reviews."""
        self._collecting.discard(page)

    async def collect(self, page: Page) -> None:
        """Review the finished games without a review, as long as the page waits."""
        if page in self._collecting:
            return
        self._collecting.add(page)
        try:
            waiting = await anyio.to_thread.run_sync(self._unreviewed)
            for done, stored in enumerate(waiting):
                page.tell(protocol.Collecting(done, len(waiting)))
                await anyio.to_thread.run_sync(self._review, stored, page, limiter=self._reviewers)
            page.tell(protocol.Collecting(len(waiting), len(waiting)))
        except NotWanted:
            return
        finally:
            self._collecting.discard(page)

    def _show(self, asked: protocol.Practice) -> protocol.PracticeShown:
        day, every = practice.today(), practice.puzzles(self._store)
        here = practice.chosen(every, asked.number)
        found = practice.chosen(here, theme=asked.theme)
        due = [each for each in found if each.is_due(day)]
        themes = practice.theme_counts(here, day)
        return protocol.PracticeShown(
            due=len(due),
            count=len(found),
            unreviewed=len(self._unreviewed()),
            next_due="" if due or not found else min(each.due for each in found).isoformat(),
            themes=tuple(
                protocol.ThemeShown(each.name, say(each.name), each.count, each.due)
                for each in themes
            ),
            puzzle=self._first(found if asked.early else due, asked.skip),
        )

    def _first(self, found: list[Puzzle], skip: int) -> protocol.PuzzleShown | None:
        """The first puzzle from number `skip` on that can be shown."""
        start = skip % len(found) if found else 0
        for puzzle in [*found[start:], *found[:start]]:
            try:
                return self._shown(puzzle)
            except UndercutError:  # its game was changed or deleted, or has other rules now
                continue
        return None

    def _shown(self, puzzle: Puzzle) -> protocol.PuzzleShown:
        session = self._session(puzzle)
        stored = self._store.find(puzzle.number)
        others = tuple(spec for spec in stored.players if spec != YOU)
        return protocol.PuzzleShown(
            rules=rules_of(session, puzzle.number),
            table=snapshot(session, puzzle.number, others),
            played=_words(session, puzzle.error.played),
            kind=say(puzzle.error.kind),
            box=puzzle.box,
        )

    def _session(self, puzzle: Puzzle) -> Session:
        """The seat of the person, before the error."""
        moment, ply = self._moment(puzzle.number), puzzle.error.ply
        if ply >= len(moment.actions):
            raise IllegalAction(say("this puzzle no longer exists"))
        played = moment.game.notation.format_action(moment.actions[ply])
        owner = self._store.find(puzzle.number).people[0]
        session = Session.at(Past(moment, ply, puzzle.deal), owner)
        if played != puzzle.error.played or played not in session.choices():
            raise IllegalAction(say("this puzzle no longer exists"))
        return session

    def _find(self, number: int, ply: int) -> Puzzle:
        for puzzle in practice.puzzles(self._store):
            if (puzzle.number, puzzle.error.ply) == (number, ply):
                return puzzle
        raise IllegalAction(say("this puzzle no longer exists"))

    def _attempt(self, asked: protocol.Try) -> protocol.Tried:
        puzzle = self._find(asked.number, asked.ply)
        session = self._session(puzzle)
        found = coach.judgement(session, asked.action)
        is_right = found is None or not found.kind
        practice.note_answer(self._store, puzzle, is_right, practice.today())
        if not is_right:
            assert found is not None
            return _tried(puzzle, told=say(TOO[found.kind]))
        return self._solution(puzzle, session, _praise(found), is_right=True)

    def _reveal(self, asked: protocol.Reveal) -> protocol.Tried:
        puzzle = self._find(asked.number, asked.ply)
        session = self._session(puzzle)
        practice.note_given_up(self._store, puzzle, practice.today())
        return self._solution(puzzle, session, "", is_right=False)

    def _solution(
        self, puzzle: Puzzle, session: Session, told: str, is_right: bool
    ) -> protocol.Tried:
        """What was wrong with the move that was played."""
        found = coach.judgement(session, puzzle.error.played)
        if found is None:
            return _tried(puzzle, is_right=is_right, told=told)
        best = _words(session, found.best.text)
        verdict = words.verdict(found)
        return _tried(
            puzzle,
            is_right=is_right,
            told=told,
            better=best,
            why=f"{verdict}. {words.comparison(found, best)}",
            themes=tuple(map(say, puzzle.error.themes)),
        )

    def _unreviewed(self) -> list[Stored]:
        """The finished games without a review of all their deals."""
        known = kept_reviews(self._store)
        return [
            stored
            for stored in self._store.games()
            if stored.state != PLAYING
            and stored.deals
            and _is_readable(stored)
            and (stored.number not in known or len(known[stored.number].deals) < len(stored.deals))
        ]

    def _review(self, stored: Stored, page: Page) -> None:
        def step() -> None:
            if page not in self._collecting:
                raise NotWanted

        try:
            moment = self._moment(stored.number)
            deals = finished_deals(moment)
        except UndercutError:  # of other rules, or damaged
            return
        reviewer = Reviewer(moment.game, SAMPLES[-1])
        found = tuple(reviewer.review_deal(deal, step) for deal in deals)
        review = Review(moment.game, stored.called, found, SAMPLES[-1], reviewer.seed)
        keep_review(self._store, stored.number, summarized(review, stored.people[0]))


def _is_readable(stored: Stored) -> bool:
    """Whether this program still plays by the rules of a game."""
    try:
        game_of(stored)
    except UndercutError:
        return False
    return True


def _praise(found: Judgement | None) -> str:
    """How good a right answer is."""
    if found is None or found.played == found.best:
        return say("Right: this is the best move.")
    if found.cost <= SIGNIFICANT * found.cost_error:
        return say("Right: as good as the best move, as far as the samples tell.")
    return say("Good enough: it costs too little to be an error.")


def _tried(
    puzzle: Puzzle,
    told: str,
    is_right: bool = False,
    better: str = "",
    why: str = "",
    themes: tuple[str, ...] = (),
) -> protocol.Tried:
    return protocol.Tried(
        number=puzzle.number,
        ply=puzzle.error.ply,
        is_right=is_right,
        told=told,
        why=why,
        better=better,
        themes=themes,
    )


def _words(session: Session, action: str) -> str:
    question = description_of(session.game.family).question(session.view(), Company(session.names))
    return words_of(question, action)
