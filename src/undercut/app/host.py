"""A match with people and agents in its seats, which survives a crash.

The host logs every choice before it applies it. From the log it can continue the match: with the
same cards and the logged answers of the agents, which it does not ask again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from undercut.app.company import Person
from undercut.games.contract import Game
from undercut.games.table.actions import actions_of
from undercut.games.table.description import YOU, Event
from undercut.games.table.plain_description import description_of
from undercut.games.table.readable import View
from undercut.kernels import rng
from undercut.kernels.records import Action, Seat
from undercut.play.agent import AnyAgent, Random
from undercut.play.ask import ask
from undercut.play.match import Match
from undercut.play.records import record
from undercut.play.records.events import Ended
from undercut.play.records.events import Event as Note
from undercut.play.records.seat_events import SeatLog, reads_events
from undercut.play.secret_seeds import new_secret
from undercut.play.seeds import AnySeed, chance_of, check_seed
from undercut.text.errors import IllegalAction, NotationError, OptionsError, UndercutError
from undercut.text.translation import say


class Kind(StrEnum):
    """The kind of an entry of a log."""

    PLAY = "play"
    NEXT = "next"  # the next deal is dealt
    UNDO = "undo"  # of the last choices, as many as `text` says
    LEAVE = "leave"
    AGREE = "agree"  # a person lets everybody ask the coach
    COACH = "coach"  # a person has asked the coach for the first time


class Entry(NamedTuple):
    """A line of a log."""

    kind: Kind
    seat: Seat
    text: str = ""  # the action, or the number of choices to undo
    chance: int = 0  # the position of an agent's generator


Log = Callable[[Entry], None]


class LogError(UndercutError):
    """A log that does not fit the game, without the first error, which may name hidden cards."""


@dataclass(frozen=True)
class Result:
    """A deal that is over: its points, and the seed and salt that open its commitment."""

    points: tuple[int, ...]
    scores: tuple[int, ...]  # of the match, after it
    commitment: str
    seed: AnySeed
    salt: str
    outcome: str  # how it ended, as the game calls it
    ply: int  # the number of actions of the match until then


class Host:
    """A match in progress.

    `players` are agents, and None for every person. The log gets each choice before it is applied;
    if the log fails, nothing has happened. `entries` are the log of a match to continue. With
    `asks_all` people also confirm forced actions: without a pause, other people at the table would
    see that a player had no choice. Without a seed the match gets a secret of its own.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[AnyAgent | None],
        seed: AnySeed | None = None,
        *,
        training: bool = False,
        asks_all: bool = False,
        log: Log | None = None,
        entries: Sequence[Entry] = (),
    ) -> None:
        if len(players) != game.seats:
            raise OptionsError(f"{len(players)} players: {game.name} is for {game.seats}")
        self.game, self.players, self.training = game, tuple(players), training
        self.seed: AnySeed = new_secret() if seed is None else check_seed(seed)
        self.undone = 0
        self.agreed = set[Seat]()  # who lets everybody ask the coach
        self.coached = set[Seat]()  # who has asked the coach
        self.named: Mapping[Seat, Person] = {}  # what people have said about themselves
        self._people = [seat for seat, player in enumerate(players) if player is None]
        self._describe, self._actions = description_of(game.family), actions_of(game.family)
        self._log, self.asks_all = log, asks_all
        self._watch: Callable[[], None] | None = None
        self._begin_again()
        for place, entry in enumerate(entries, start=1):
            try:
                self._check(entry)
                self._take(entry)
            except UndercutError:
                raise LogError(f"line {place} of its log does not fit") from None

    def _begin_again(self) -> None:
        """Set up the match as it was before the first choice."""
        self.results: list[Result] = []  # of the deals that are over
        self.choices: list[Entry] = []  # without those that were undone
        self._deals_at: list[int] = []  # the number of deals at the time of each choice
        self.actions: list[Action] = []  # forced ones included
        self._notes: list[Note] = []
        self._seat_logs = {
            seat: SeatLog(self.game, seat)
            for seat, player in enumerate(self.players)
            if reads_events(player)
        }
        chance, seats = chance_of(self.seed), range(self.game.seats)
        self._chances = [Random.from_seed(chance.agent(seat)) for seat in seats]
        seat_logs = list(self._seat_logs.values())
        self.match = Match.from_seed(
            self.game, self.seed, note=self._notes.append, seat_logs=seat_logs
        )
        self._begin_deal()

    def watch(self, look: Callable[[], None]) -> None:
        """Call `look` after every action and every new deal from now on."""
        self._watch = look

    def _changed(self) -> None:
        if self._watch is not None:
            self._watch()

    @property
    def on_turn(self) -> Seat | None:
        """The seat that has a choice; None when the deal is over, or the match was left."""
        return None if self.match.deal.is_over or self.match.is_left else self.match.deal.seat

    @property
    def agent_on_turn(self) -> AnyAgent | None:
        """The agent that has a choice; None if a person or nobody has one."""
        return None if self.on_turn is None else self.players[self.on_turn]

    @property
    def is_ended(self) -> bool:
        """Whether the match is over or was left."""
        return self.match.is_over or self.match.is_left

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of the match, by seat."""
        return self.results[-1].scores if self.results else (0,) * self.game.seats

    @property
    def acted(self) -> int:
        """The number of actions played, forced ones included, since all players see them."""
        return len(self.actions)

    @property
    def deals(self) -> int:
        return len(self.results) + (not self.match.deal.is_over)

    def view(self, seat: Seat) -> View:
        """The view of a seat, with the actions that it may choose now."""
        deal = self.match.deal
        actions = deal.actions if self.on_turn == seat else ()
        return self.game.family.view(self.game, deal.observe(seat), actions)

    def play(self, seat: Seat, text: str) -> None:
        """Check and play a person's action; the error of a refusal says why."""
        if self.on_turn != seat:
            raise IllegalAction(self._unplayable(text, self._standing()))
        try:
            action = self._actions.texts[self._actions.read(text)]
        except NotationError:
            raise IllegalAction(self._unplayable(text, say("it is not allowed now"))) from None
        view = self.view(seat)
        if action.number not in view.actions:
            raise IllegalAction(self._describe.refusal(view, action))
        self._choose(Entry(Kind.PLAY, seat, str(action)))

    def _unplayable(self, text: str, why: str) -> str:
        return say("{action!r} cannot be played: {why}", action=text, why=why)

    def _standing(self) -> str:
        if self.is_ended:
            return say("the match has ended")
        return say("the deal is over") if self.match.deal.is_over else say("it is not your turn")

    def answer(self) -> None:
        """Ask the agent on turn for an action, and play it."""
        seat, agent = self.on_turn, self.agent_on_turn
        assert seat is not None, "an agent is on turn"
        assert agent is not None, "an agent is on turn"
        deal, chance = self.match.deal, self._chances[seat]
        before = int(chance.generator.position)
        try:
            seat_log, view = self._seat_logs.get(seat), deal.observe(seat)
            action = ask(self.game, agent, view, deal.actions, chance, seat_log)
            text, position = self.game.notation.format_action(action), chance.generator.position
            self._choose(Entry(Kind.PLAY, seat, text, int(position)))
        except BaseException:
            rng.move_to(chance.generator, before)
            raise

    def advance(self) -> None:
        """Let agents answer until a person has a choice, or the deal is over."""
        while self.agent_on_turn is not None:
            self.answer()

    def next_deal(self) -> None:
        if self.is_ended:
            raise IllegalAction(say("the match has ended: there is no other deal"))
        if not self.match.deal.is_over:
            raise IllegalAction(say("the deal is not over"))
        self._choose(Entry(Kind.NEXT, 0))

    def leave(self, seat: Seat) -> None:
        """End the match for good, before it is over."""
        if self.is_ended:
            raise IllegalAction(say("the match has ended: it cannot be left"))
        self._choose(Entry(Kind.LEAVE, seat))

    def why_no_undo(self, seat: Seat) -> str:
        """Why a person cannot undo the last choice, "" if that is possible.

        It is possible only in a training game, and only until another person chooses: nobody may
        undo the choices of others.
        """
        if not self.training:
            return say("only in a training game can a move be taken back")
        people = [entry.seat for entry in self.choices if self.players[entry.seat] is None]
        if seat not in people or self.is_ended:
            return say("there is no move to take back")
        if people[-1] != seat:
            return say("another person has moved since: your move can no longer be taken back")
        return ""

    def undo(self, seat: Seat) -> None:
        """Undo a person's last choice and the answers of agents after it."""
        problem = self.why_no_undo(seat)
        if problem:
            raise IllegalAction(problem)
        last = max(place for place, entry in enumerate(self.choices) if entry.seat == seat)
        self._choose(Entry(Kind.UNDO, seat, str(len(self.choices) - last)))

    @property
    def may_be_coached(self) -> bool:
        """Whether people may ask the coach: one person alone, or several who all agree."""
        return len(self._people) == 1 or self.agreed == {*self._people}

    def agree(self, seat: Seat) -> None:
        """Let everybody at the table ask the coach."""
        if not self.is_ended and seat not in self.agreed:
            self._choose(Entry(Kind.AGREE, seat))

    def note_coached(self, seat: Seat) -> None:
        """Note that a person asks the coach; the record says so. An error if not all agree."""
        if self.is_ended:
            return
        if not self.may_be_coached:
            raise IllegalAction(say("the coach helps only if everybody at the table agrees"))
        if seat not in self.coached:
            self._choose(Entry(Kind.COACH, seat))

    def record(self) -> list[Note]:
        """The complete record of a match that is over or was left."""
        if not self.is_ended:
            message = say("the match is still in play: its record would show hidden cards")
            raise IllegalAction(message)
        players = [YOU if agent is None else agent.name for agent in self.players]
        first = record.header(
            self.game,
            players,
            left=self.match.is_left,
            undone=self.undone,
            secret=isinstance(self.seed, str),
            coached=self.coached,
        )
        return [first, *self._notes]

    def _choose(self, entry: Entry) -> None:
        if self._log is not None:
            self._log(entry)
        self._take(entry)

    def _check(self, entry: Entry) -> None:
        """Refuse an impossible line of a log; `_take` checks its action."""
        is_fine = 0 <= entry.seat < self.game.seats and entry.chance >= 0
        if entry.kind is Kind.UNDO:
            is_fine = entry.text in map(str, range(1, len(self.choices) + 1))
        if not is_fine:
            raise IllegalAction(f"not a line of a log: {entry}")

    def _take(self, entry: Entry) -> None:
        """Apply an entry of the log."""
        if entry.kind is Kind.UNDO:
            kept, undone = self.choices[: -int(entry.text)], self.undone + int(entry.text)
            deals = self._deals_at[len(kept)]
            self._begin_again()
            for each in kept:
                self._take(each)
            if self.deals < deals:  # the undone choice was the first of a deal
                self._deal_again()
            self.undone = undone
        elif entry.kind is Kind.LEAVE:
            self.match.leave(entry.seat)
        elif entry.kind is Kind.AGREE:
            self.agreed.add(entry.seat)
        elif entry.kind is Kind.COACH:
            self.coached.add(entry.seat)
        elif entry.kind is Kind.NEXT:
            if self.match.deal.is_over:  # after an undo the next deal may already be on the table
                self._deal_again()
        else:
            if self.match.deal.is_over:  # older logs have no entry for the next deal
                self._deal_again()
            if entry.seat != self.on_turn:
                raise IllegalAction(f"it is not the turn of seat {entry.seat}")
            self.choices.append(entry)
            self._deals_at.append(self.deals)
            if self.players[entry.seat] is not None:
                rng.move_to(self._chances[entry.seat].generator, entry.chance)
            self._apply(self.game.notation.parse_action(entry.text))
            self._play_forced()

    def _deal_again(self) -> None:
        self.match.next_deal()
        self._begin_deal()

    def _begin_deal(self) -> None:
        self.starter, self.commitment = self.match.starter, self.match.commitment
        self.events: dict[Seat, list[Event]] = {seat: [] for seat in self._people}
        self._changed()
        self._play_forced()

    def _play_forced(self) -> None:
        """Play forced actions; then the deal may be over."""
        deal = self.match.deal
        while not deal.is_over and len(deal.actions) == 1 and not self._is_asked(deal.seat):
            self._apply(deal.actions[0])
        if deal.is_over:
            self._settle()

    def _is_asked(self, seat: Seat) -> bool:
        """Whether a seat confirms forced actions."""
        return self.asks_all and self.players[seat] is None

    def _apply(self, action: Action) -> None:
        self._tell(action)
        self.actions.append(action)
        self._changed()

    def _tell(self, action: Action) -> None:
        """Play an action, and keep the event that each person saw."""
        before = [self.view(person) for person in self._people]
        self.match.apply(action)
        for person, view in zip(self._people, before, strict=True):
            seen = self._describe.seen(self._actions.texts[action], view, self.view(person))
            self.events[person].append(seen)

    def _settle(self) -> None:
        end = next(note for note in reversed(self._notes) if isinstance(note, Ended))
        points, scores = tuple(end.points), tuple(end.scores)
        self.results.append(
            Result(points, scores, self.commitment, end.seed, end.salt, end.outcome, self.acted)
        )
