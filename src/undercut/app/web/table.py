"""An open table: a stored game, a session for each of its people, and the pages that watch it.

Watchers see the table when a person has a choice or the deal is over, not after every action:
forced moves of agents must look the same as their choices. Then a watcher gets all moves at once;
the page shows them one after the other.
"""

import time
from typing import Protocol

import anyio
import anyio.to_thread

from undercut.app.company import Person
from undercut.app.history import Moment, Past
from undercut.app.session import Session
from undercut.app.store import Kept, Store
from undercut.app.stored_games import Stored
from undercut.app.web import protocol
from undercut.app.web.pacing import Tempo
from undercut.app.web.snapshot import move_shown, snapshot
from undercut.games.table.description import YOU
from undercut.kernels.records import Seat
from undercut.text.errors import IllegalAction
from undercut.text.translation import ENGLISH, mark, say, speaking

CHANGED = mark("the table has changed since: look again")
Moves = dict[tuple[Seat, str], protocol.MoveShown]  # one move, by the seat and the language


class Watcher(Protocol):
    """A page that shows a table, in a language, to a person."""

    language: str
    person: Person

    def tell(self, message: protocol.Told) -> None:
        """Queue a message."""


class Table:
    """An open game, with a session for each of its people."""

    def __init__(self, store: Store, stored: Stored, tempo: Tempo) -> None:
        self.number, self.lock, self.tempo = stored.number, anyio.Lock(), tempo
        self.reading = anyio.Lock()  # hints and earlier plies are computed in order
        self.watchers: dict[Watcher, Seat] = {}
        self.owner = stored.people[0]
        self.store = store
        self._named = dict(stored.named)
        self._opponents = tuple(spec for spec in stored.players if spec != YOU)
        self.read()

    def read(self) -> None:
        """Load the stored game; watchers see nothing before `look`."""
        self._kept = Kept(self.store, self.store.find(self.number))
        people = self._kept.people
        self._kept.host.named = self._named
        self.sessions = {seat: Session.beside(self._kept.host, seat) for seat in people}
        self.shown: dict[tuple[Seat, str], protocol.TableShown] = {}  # by the seat and the language
        self.moment = Moment.of(self._kept.host)
        self._moves: list[tuple[tuple[int, int], Moves]] = []  # by deal and ply
        self._shown_at = (-1, 0)  # the deal and the ply that watchers have seen
        self._kept.host.watch(self._note_move)

    def name(self, seat: Seat, person: Person) -> bool:
        """Show all watchers what a person has said about himself; whether it is new."""
        if person == Person() or person == self._named.get(seat):
            return False
        self._named[seat] = person
        if not self.lock.locked():
            self.shown = {
                (each, spoken): self._seen_in(spoken, each) for each, spoken in self.shown
            }
        for watcher in [*self.watchers] if self.is_settled else ():
            self.show_again(watcher)
        return True

    async def keep_name(self, seat: Seat) -> None:
        """Store what a person has said about himself."""
        await anyio.to_thread.run_sync(self.store.name, self.number, seat, self._named[seat])

    def _at(self) -> tuple[int, int]:
        session = self.sessions[self.owner]
        return session.deal_number, session.acted

    def _note_move(self) -> None:
        """Describe the table between two moves; an undo repeats moves that were shown."""
        session = self.sessions[self.owner]
        if session.is_deal_over or self._at() <= self._shown_at:
            return
        seen: Moves = {}
        for watcher, seat in [*self.watchers.items()]:
            if (seat, watcher.language) not in seen:
                with speaking(watcher.language):
                    seen[seat, watcher.language] = move_shown(self.sessions[seat])
        self._moves.append((self._at(), seen))

    def seat(self, asked: Seat | None) -> Seat:
        """Check that a person has the seat; None is the owner's."""
        seat = self.owner if asked is None else asked
        if seat not in self.sessions:
            message = say(
                "none of you sits in seat {seat} of game {number}",
                seat=seat + 1,
                number=self.number,
            )
            raise IllegalAction(message)
        return seat

    @property
    def is_settled(self) -> bool:
        """Whether watchers have seen the current table and no agent has to answer."""
        return bool(self.shown) and not self.sessions[self.owner].is_agents_turn

    def answers(self) -> tuple[int, int] | None:
        """The deal and the number of agents' events; None for a new table that nobody has seen."""
        session = self.sessions[self.owner]
        done = sum(event.seat not in self.sessions for event in session.events)
        is_new = not self.shown and done == len(session.events)
        return None if is_new else (session.deal_number, done)

    def answer(self) -> float:
        """Let the agents answer; return the seconds."""
        start = time.monotonic()
        if not self.shown and not self._moves:
            self._note_move()  # the table as the agents find it
        self.sessions[self.owner].go_on()
        return time.monotonic() - start

    def look(self) -> None:
        """Describe the current table for all watchers, and store its state."""
        languages = {watcher.language for watcher in [*self.watchers]} or {ENGLISH}
        self.shown = {
            (seat, language): self._seen_in(language, seat)
            for seat in self.sessions
            for language in languages
        }
        self.moment = Moment.of(self._kept.host)
        self._shown_at = self._at()
        self._kept.note()

    def look_back(self, moment: Moment, seat: Seat, asked: protocol.Look) -> protocol.PastShown:
        """The table for a seat at an earlier ply, in a deal from 1."""
        past = Past(moment, asked.ply, asked.deal - 1)
        hands = past.hands() if moment.may_show(asked.deal - 1) else ()
        return protocol.PastShown(self._seen(Session.at(past, seat)), hands)

    def _seen_in(self, language: str, seat: Seat) -> protocol.TableShown:
        with speaking(language):
            return self._seen(self.sessions[seat])

    def show_again(self, watcher: Watcher) -> None:
        """Show a new watcher the table that the others have seen.

        During a change, a watcher with a new language waits for the next table.
        """
        if not self.lock.locked() or (self.watchers[watcher], watcher.language) in self.shown:
            self.show_to(watcher)

    def show_to(self, watcher: Watcher) -> None:
        watcher.tell(self.seen_by(watcher))

    def seen_by(self, watcher: Watcher) -> protocol.TableShown:
        """The current table for a watcher."""
        seat, language = self.watchers[watcher], watcher.language
        if (seat, language) not in self.shown:  # the first watcher with this language
            self.shown[seat, language] = self._seen_in(language, seat)
        return self.shown[seat, language]

    def _seen(self, session: Session) -> protocol.TableShown:
        return snapshot(session, self.number, self._opponents, self._kept.pledge)

    def show(self) -> None:
        """Show every watcher the moves and the table of his own seat."""
        noted = [seen for at, seen in self._moves if at < self._shown_at]
        self._moves = []
        for watcher, seat in [*self.watchers.items()]:
            key = seat, watcher.language
            if moves := tuple(seen[key] for seen in noted if key in seen):
                watcher.tell(protocol.MovesShown(self.number, moves))
            self.show_to(watcher)

    def tell(self, message: protocol.Told) -> None:
        for watcher in [*self.watchers]:
            watcher.tell(message)
