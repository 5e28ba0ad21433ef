"""The reading quiz, for the page of the owner: which of these cards does another player hold?"""

from collections.abc import Callable

import anyio
import anyio.to_thread
from msgspec.structs import replace

from undercut.app.history import Moment, Past
from undercut.app.reading_quiz import Reading, next_reading, note_answer, score
from undercut.app.session import Session
from undercut.app.store import Store
from undercut.app.web import protocol
from undercut.app.web.snapshot import rules_of, snapshot
from undercut.games.table.description import YOU
from undercut.text.errors import IllegalAction
from undercut.text.translation import say


class Quiz:
    """The questions from the games of one store."""

    def __init__(self, store: Store, moment: Callable[[int], Moment]) -> None:
        """`moment` gives a stored game as it is now."""
        self._store, self._moment = store, moment
        self._one = anyio.CapacityLimiter(1)  # so that a question is answered once

    async def show(self) -> protocol.QuizShown:
        """The next question; it stays the same until it is answered."""
        return await anyio.to_thread.run_sync(self._show, limiter=self._one)

    async def guess(self, asked: protocol.Guess) -> protocol.Guessed:
        """Note an answer, and tell the right one."""
        return await anyio.to_thread.run_sync(self._guess, asked, limiter=self._one)

    def _show(self) -> protocol.QuizShown:
        found = next_reading(self._store, self._moment)
        shown = None if found is None else self._shown(found)
        return protocol.QuizShown(score(self._store), shown)

    def _shown(self, reading: Reading) -> protocol.ReadingShown:
        number, deal = reading.place
        stored = self._store.find(number)
        past = Past(self._moment(number), reading.ply, deal)
        session = Session.at(past, stored.people[0])
        others = tuple(spec for spec in stored.players if spec != YOU)
        table = replace(snapshot(session, number, others), question=None)
        return protocol.ReadingShown(rules_of(session, number), table, reading.seat, reading.cards)

    def _guess(self, asked: protocol.Guess) -> protocol.Guessed:
        found = next_reading(self._store, self._moment)
        here = (asked.number, asked.ply, asked.seat)
        if found is None or here != (found.place.number, found.ply, found.seat):
            raise IllegalAction(say("this question no longer exists"))
        if asked.card not in found.cards:
            raise IllegalAction(say("choose one of the cards of the question"))
        note_answer(self._store, found, asked.card)
        return protocol.Guessed(
            number=asked.number,
            ply=asked.ply,
            card=asked.card,
            held=found.held,
            hand=found.hand,
            chances=found.chances,
            score=score(self._store),
        )
