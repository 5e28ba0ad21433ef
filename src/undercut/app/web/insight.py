"""What an open table tells about itself: hints, beliefs, the tutor, earlier plies, reviews.

All but reviews are computed from the view of the seat that asks. A review shows all hands, so it has
only deals that are over.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import takewhile
from typing import TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread

from undercut.app import coach
from undercut.app.history import Past
from undercut.app.kept_reviews import keep_review, summarized
from undercut.app.presentation import Shown
from undercut.app.session import Session
from undercut.app.variation import varied
from undercut.app.web import protocol
from undercut.app.web.reviews import SAMPLES, NotWanted, Page, finished_deals, reviews
from undercut.app.web.snapshot import hint_shown
from undercut.app.web.table import CHANGED, Table, Watcher
from undercut.games.table.description import Company
from undercut.kernels.records import Seat
from undercut.text.errors import IllegalAction
from undercut.text.translation import say

READERS = 4  # tables that compute hints or earlier plies at the same time
T = TypeVar("T")


class Insight:
    """The answers to questions about open tables."""

    def __init__(
        self, find: Callable[[int], Table], is_watched: Callable[[Table, Watcher], bool]
    ) -> None:
        """`find` gives an open table, `is_watched` says whether a page still shows it."""
        self._find, self._is_watched = find, is_watched
        self._readers = anyio.CapacityLimiter(READERS)
        self.reviewers = anyio.CapacityLimiter(1)  # a review has all cores

    async def hint(self, asked: protocol.Hint, watcher: Watcher, seat: Seat | None = None) -> None:
        """Tell what each move is worth, more exactly each time, until the table changes."""
        table, is_now = self._find(asked.number), asked.deal is None
        mine, moment = table.seat(seat), table.moment
        if is_now and len(moment.actions) != asked.ply:
            raise IllegalAction(say(CHANGED))

        await self._note_coached(table, mine)

        def advise(samples: int) -> coach.Advice:
            deal = None if is_now else (asked.deal or 0) - 1
            if is_now and moment.is_left:
                raise IllegalAction(say("there is nothing to choose now"))
            return coach.advise(Session.at(Past(moment, asked.ply, deal), mine), samples)

        for samples in coach.SAMPLES:
            advice = await self._work_out(table, partial(advise, samples))
            if is_now and table.moment is not moment:
                return
            watcher.tell(hint_shown(asked.number, asked.ply, advice))

    async def belief(
        self, asked: protocol.Belief, seat: Seat | None = None
    ) -> protocol.BeliefShown | None:
        """Where the hidden cards may be, for a seat; None if the table has changed meanwhile."""
        table = self._find(asked.number)
        mine, moment = table.seat(seat), table.moment
        if len(moment.actions) != asked.ply:
            raise IllegalAction(say(CHANGED))

        await self._note_coached(table, mine)

        def believe() -> protocol.BeliefShown:
            session = Session.at(Past(moment, asked.ply), mine)
            seats = coach.believe(session)
            return protocol.BeliefShown(asked.number, asked.ply, seats, coach.outs(session))

        shown = await self._work_out(table, believe)
        return shown if table.moment is moment else None

    async def judge(self, asked: protocol.Judge, seat: Seat | None = None) -> protocol.Judged:
        """What the tutor says of a move."""
        table = self._find(asked.number)
        mine, moment = table.seat(seat), table.moment
        if len(moment.actions) != asked.ply:
            raise IllegalAction(say(CHANGED))
        await self._note_coached(table, mine)

        def judge() -> str:
            return coach.judge(Session.at(Past(moment, asked.ply), mine), asked.action)

        error = await self._work_out(table, judge)
        return protocol.Judged(asked.number, asked.ply, asked.action, error)

    async def look_back(self, asked: protocol.Look, seat: Seat | None = None) -> protocol.PastShown:
        """A table at an earlier ply."""
        table = self._find(asked.number)
        look = partial(table.look_back, table.moment, table.seat(seat), asked)
        return await self._work_out(table, look)

    async def vary(self, asked: protocol.Vary, seat: Seat | None = None) -> protocol.Varied:
        """How a finished deal would have gone on after another move."""
        table = self._find(asked.number)
        mine, moment = table.seat(seat), table.moment

        def vary() -> protocol.Varied:
            place = asked.ply, asked.deal - 1
            before = Session.at(Past(moment, *place), mine)
            session, result = varied(moment, mine, *place, asked.action)
            told = _beyond(Shown(before).tell(before.events), Shown(session).tell(session.events))
            points = () if result is None else result.points
            return protocol.Varied(asked.number, asked.deal, asked.ply, asked.action, told, points)

        return await self._work_out(table, vary)

    async def review(
        self, asked: protocol.Review, watcher: Watcher, seat: Seat | None = None
    ) -> None:
        """Review the finished deals, and tell the page each time that more is known."""
        table = self._find(asked.number)
        mine, moment = table.seat(seat), table.moment
        if len(table.sessions) > 1 and not (moment.is_over or moment.is_left):
            raise IllegalAction(say("several people see the review when the match has ended"))
        names = table.sessions[mine].names
        page, done = Page(asked.number, mine, Company(names)), 0

        def step() -> None:
            nonlocal done
            done += 1
            if not self._is_watched(table, watcher):
                raise NotWanted

        def review() -> None:
            deals = finished_deals(moment)
            of = len(SAMPLES) * sum(len(deal.moments) for deal in deals)
            called = [page.company.called(each) for each in range(len(names))]
            with suppress(NotWanted):
                for found in reviews(moment.game, called, deals, step):
                    is_done = done == of and mine == table.owner
                    if is_done:
                        keep_review(table.store, asked.number, summarized(found, mine))
                    told = page.shown(found, done, of)
                    anyio.from_thread.run_sync(watcher.tell, told)

        await anyio.to_thread.run_sync(review, limiter=self.reviewers)

    async def _note_coached(self, table: Table, seat: Seat) -> None:
        """Note in the log that a person asks the coach; refuse it unless everybody agrees."""
        async with table.lock:
            await anyio.to_thread.run_sync(table.sessions[seat].note_coached)

    async def _work_out(self, table: Table, work: Callable[[], T]) -> T:
        """Compute something about a table in a thread, without delaying its players."""
        async with table.reading:
            return await anyio.to_thread.run_sync(work, limiter=self._readers)


def _beyond(known: tuple[str, ...], told: tuple[str, ...]) -> tuple[str, ...]:
    """The sentences that are new or go on; a sentence may have both moves of a turn."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(known, told, strict=False))
    return told[len(list(same)) :]
