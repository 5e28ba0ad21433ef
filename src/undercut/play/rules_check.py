"""Checks of a game's rules against their contract, `Rules` in games/contract.py.

Each check plays a few random deals and calls the kernels after every action. It raises RulesError
for the first violation: the file and line of the kernel, the field, and what is allowed.
"""

import inspect
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from undercut.games.contract import MAX_SEATS, TALLIES, Game, Rules
from undercut.kernels import rng
from undercut.kernels.records import (
    Action,
    Layout,
    Record,
    Seat,
    State,
    View,
    differences,
    new,
    pack,
)
from undercut.play.agent import Random
from undercut.play.deal import Deal
from undercut.play.known_decks import lay, pack_size
from undercut.play.records.event_log import EventLog
from undercut.play.records.events import Event
from undercut.text.errors import RulesError, shown_path
from undercut.text.spec import options_of

LONGEST = 10_000  # the most actions in a deal
_DEALS = 6  # for each check
_VIEWS = 600  # to compare with those of other deals
_POSITIONS = 48  # to complete from every view
_SPARE = 64  # numbers after those that `legal` may write
_UNWRITTEN = -77
_FIELDS = {"STATE": ("deck", "hands", "seat"), "VIEW": ("me", "seat", "scores")}


def find_missing(rules: Rules) -> list[str]:
    """All missing or inconsistent members of the rules, as sentences."""
    path = shown_path(str(inspect.getsourcefile(rules) if inspect.ismodule(rules) else rules))
    kernels = {name: each for name, each in vars(Rules).items() if _is_member(name, each)}
    properties = [name for name, each in vars(Rules).items() if isinstance(each, property)]
    values = [*Rules.__annotations__, *properties]
    found = [
        f"{path}: {name} is missing; see Rules in games/contract.py"
        for name in values
        if not hasattr(rules, name)
    ]
    for name, member in kernels.items():
        wanted, told = _parameters(member)[1:], (member.__doc__ or "").partition("\n")[0]
        call = f"{name}({', '.join(wanted)})"
        if not hasattr(rules, name):
            found.append(f"{path}: {call} is missing: {told}")
        elif len(_parameters(getattr(rules, name))) != len(wanted):
            given = ", ".join(_parameters(getattr(rules, name)))
            found.append(f"{_place(rules, name)}: {name} takes ({given}), but is called as {call}")
    return found or [f"{path}: {each}" for each in _find_unfit(rules)]


def _is_member(name: str, member: Any) -> bool:
    return inspect.isfunction(member) and not name.startswith("_")


def _parameters(function: Any) -> list[str]:
    return [*inspect.signature(getattr(function, "py_func", function)).parameters]


def _place(rules: Rules, name: str) -> str:
    """The file and line of a kernel."""
    function = getattr(rules, name)
    code = getattr(function, "py_func", function).__code__
    return f"{shown_path(code.co_filename)}, line {code.co_firstlineno}"


def _find_unfit(rules: Rules) -> Iterator[str]:
    for name, needed in _FIELDS.items():
        layout: Layout = getattr(rules, name)
        for field in needed:
            if field not in (layout.names or ()):
                yield f"{name} has no field `{field}`; it needs {', '.join(needed)}"
        if layout.itemsize % 8:
            yield f"{name} takes {layout.itemsize} bytes: give it align=True and a field of 8 bytes"
    few, many = rules.SEATS
    if not 2 <= few <= many <= MAX_SEATS:
        yield f"SEATS is {rules.SEATS}: from 2 to {MAX_SEATS}, the fewest players first"
    if few < many and "players" not in rules.Options._fields:
        yield f"SEATS is {rules.SEATS}: Options needs the field `players`"
    if not 1 <= rules.LEGAL <= rules.ACTIONS:
        yield f"LEGAL is {rules.LEGAL} and ACTIONS is {rules.ACTIONS}: LEGAL is from 1 to ACTIONS"
    if len(rules.TALLY) > TALLIES:
        yield f"TALLY has {len(rules.TALLY)} names: at most {TALLIES}"
    for rate in rules.RATES:
        for count in {rate.counted, rate.per} - {*rules.TALLY, "deals"}:
            yield f"RATES: {rate.name!r} names {count!r}, which is not in TALLY"
    yield from _find_unfit_options(rules)


def _find_unfit_options(rules: Rules) -> Iterator[str]:
    declared = options_of(rules.Options)
    for name in rules.Options._fields:
        if name not in declared:
            yield f"Options.{name} has no limits: declare it as Annotated[int, Option(…)]"
    if rules.NAME not in rules.PRESETS:
        yield f"PRESETS has no {rules.NAME!r}: one preset has the name of the game"
    for preset, options in rules.PRESETS.items():
        for name, option in declared.items():
            value = getattr(options, name)
            if not option.low <= value <= option.high:
                yield f"PRESETS[{preset!r}].{name} is {value}: from {option.low} to {option.high}"
        problem = rules.find_problem(options)
        if problem:
            yield f"PRESETS[{preset!r}] cannot be played: find_problem says {problem!r}"
    for preset in rules.VARIANTS.keys() - rules.PRESETS.keys():
        yield f"VARIANTS has {preset!r}, which is not in PRESETS"


class Position(NamedTuple):
    """A state and the actions that led to it."""

    state: State
    deck: list[int]
    starter: Seat
    played: list[Action]


class RulesCheck:
    """The checks of one game; each plays its own deals."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.rules, self.options = game, game.rules, pack(game.options)
        self.random = Random.from_seed(seed)
        self.seats = range(game.seats)

    @cached_property
    def checks(self) -> dict[str, Callable[[], object]]:
        """The checks, by the property that each tests."""
        return {
            "the same seed deals the same cards": self.check_deal,
            "legal lists what may be done, and every deal ends": self.check_legal,
            "the text of every action reads back": self.check_texts,
            "points, tallies and starters are what they can be": self.check_scores,
            "observe fills every field of a view and leaves the state alone": self.check_observe,
            "begin writes the whole state": self.check_begin,
            "no view shows a hidden card": self.check_hidden,
            "complete makes positions that look like a view": self.check_complete,
        }

    # Deals

    def _walk(self, deals: int = _DEALS) -> Iterator[Position]:
        """Every position of some random deals."""
        size = pack_size(self.game)
        for _ in range(deals):
            deck, starter = [*range(size)], self.random.below(self.game.seats)
            for place in range(size - 1, 0, -1):
                other = self.random.below(place + 1)
                deck[place], deck[other] = deck[other], deck[place]
            state = lay(self.game, deck, starter, [0] * self.game.seats)
            yield from self._play_on(Position(state, deck, starter, []))

    def _play_on(self, position: Position) -> Iterator[Position]:
        yield position
        while not self.rules.is_over(position.state):
            actions = self._legal(position)
            if len(position.played) > LONGEST:
                self._fail("is_over", f"a deal is not over after {LONGEST:,} actions", position)
            action = self.random.choice(actions)
            self.rules.apply(position.state, self.options, action)
            position.played.append(action)
            yield position

    def _some(self, count: int) -> Iterator[Position]:
        """This many positions of random deals: the first, the last, and some in between."""

        def chosen(position: Position) -> bool:
            is_end = not position.played or self.rules.is_over(position.state)
            return is_end or self.random.below(8) == 0

        return islice(filter(chosen, self._walk(count)), count)

    def _fail(self, kernel: str, what: str, position: Position | None = None) -> None:
        """Raise RulesError with the kernel, its file and line, and the actions before."""
        when = ""
        if position is not None and position.played:
            write = self.game.notation.format_action
            last = ", ".join(write(action) for action in position.played[-3:])
            when = f" (after {len(position.played)} actions, the last: {last})"
        raise RulesError(f"{_place(self.rules, kernel)}: {kernel}: {what}{when}")

    def _copy(self, state: State) -> State:
        states = new(self.rules.STATE, 1)
        states[0] = state
        copied: State = states[0]
        return copied

    def _filled(self, layout: Layout, byte: int) -> Record:
        """A record in memory that is not cleared."""
        records = new(layout, 1)
        records.view(np.uint8)[:] = byte
        filled: Record = records[0]
        return filled

    def _view(self, state: State, seat: Seat) -> View:
        view: View = new(self.rules.VIEW, 1)[0]
        self.rules.observe(state, self.options, seat, view)
        return view

    def _legal(self, position: Position) -> list[Action]:
        """The actions that `legal` lists, checked."""
        rules, state, before = self.rules, position.state, self._copy(position.state)
        out = np.full(rules.LEGAL + _SPARE, _UNWRITTEN, dtype=np.int64)
        count, over = int(rules.legal(state, self.options, out)), bool(rules.is_over(state))
        actions: list[Action] = out[:count].tolist()
        wrong = (
            ("changes the state", differences(before, state)),
            ("returns 0 though is_over says that the deal goes on", count == 0 and not over),
            (f"returns {count} though the deal is over: it must return 0", count > 0 and over),
            (f"lists {count} actions, more than LEGAL = {rules.LEGAL}", count > rules.LEGAL),
            (f"lists an action twice: {actions}", len({*actions}) < count),
            (
                f"lists {actions}: actions are from 0 to ACTIONS - 1 = {rules.ACTIONS - 1}",
                any(not 0 <= action < rules.ACTIONS for action in actions),
            ),
            (f"the seat on turn is {state['seat']}", state["seat"] not in self.seats),
        )
        for what, found in wrong:
            if found:
                why = f" ({found})" if isinstance(found, str) else ""
                self._fail("legal", what + why, position)
        return actions

    # The checks

    def check_deal(self) -> str:
        """A seed determines the deal."""
        states = [self._filled(self.rules.STATE, byte) for byte in (0, 0, 85)]
        for state, seed in zip(states, (1, 2, 1), strict=True):
            generator = Random.from_seed(seed).generator
            self.rules.deal(state, self.options, generator, 0, np.zeros(MAX_SEATS, dtype=np.int64))
        first, other, again = (state["deck"].tolist() for state in states)
        if sorted(first) != [*range(len(first))]:
            self._fail("deal", "the deck does not have every card once; rng.shuffle_pack fills it")
        if first != again:
            self._fail(
                "deal", "the same seed deals other cards: chance comes from `generator` alone"
            )
        if first == other:
            self._fail("deal", "all seeds deal the same cards: shuffle with `generator`")
        return ""

    def check_legal(self) -> str:
        """Play random deals to the end."""
        longest = 0
        for position in self._walk():
            self._legal(position)
            hands = [int(cards) for cards in position.state["hands"][: self.game.seats]]
            if sum(hands) != np.bitwise_or.reduce(hands):
                self._fail("apply", f"a card is in two hands; `hands` is {hands}", position)
            longest = max(longest, len(position.played))
        return f"{_DEALS} deals, the longest of {longest} actions"

    def check_texts(self) -> str:
        """Format and parse actions."""
        notation, texts = self.game.notation, set[str]()
        for position in self._walk():
            for action in self._legal(position):
                text = notation.format_action(action)
                read = notation.parse_action(text)
                if read != action:
                    raise RulesError(f"parse_action reads {text!r}, action {action}, as {read}")
                texts.add(text)
        return f"{len(texts)} actions"

    def check_scores(self) -> str:
        """Score the ends of deals."""
        rules, named = self.rules, len(self.rules.TALLY)
        first = rules.first_starter(self.options, self.game.seats, self.random.generator)
        if first not in self.seats:
            self._fail("first_starter", f"returns {first}: a seat is from 0 to {self.seats[-1]}")
        for position in self._walk():
            if not rules.is_over(position.state):
                continue
            points = np.full(MAX_SEATS, _UNWRITTEN, dtype=np.int64)
            rules.score(position.state, self.options, points)
            gained = points[: self.game.seats]
            if (gained == _UNWRITTEN).any() or (gained < 0).any():
                self._fail(
                    "score", f"{gained.tolist()}: writes every seat's, none below 0", position
                )
            counts = np.zeros(TALLIES, dtype=np.int64)
            rules.tally(position.state, self.options, points, counts)
            if counts[named:].any():
                self._fail("tally", f"writes more counts than the {named} of TALLY", position)
            starter = rules.next_starter(position.state, self.options)
            if starter not in self.seats:
                self._fail(
                    "next_starter", f"returns {starter}: from 0 to {self.seats[-1]}", position
                )
        return ""

    def check_observe(self) -> str:
        """Observe into memory that is not cleared."""
        for position in self._some(_POSITIONS):
            before = self._copy(position.state)
            for seat in self.seats:
                views = [self._filled(self.rules.VIEW, byte) for byte in (0, 85)]
                for view in views:
                    self.rules.clear_view(view)
                    self.rules.observe(position.state, self.options, seat, view)
                    changed = differences(before, position.state)
                    if changed:
                        self._fail("observe", f"changes the state, {changed}: it only reads it")
                unlike = differences(*views)
                if unlike:
                    why = "observe writes each field, or clear_view clears it"
                    self._fail("observe", f"leaves old values in the view, {unlike}: {why}")
                if (views[0]["me"], views[0]["seat"]) != (seat, position.state["seat"]):
                    why = "`me` is the seat that looks, `seat` the one on turn"
                    self._fail("observe", f"{why}, not {views[0]['me']}, {views[0]['seat']}")
        return ""

    def check_begin(self) -> str:
        """Play the same deals in memory that is not cleared."""
        scores = np.zeros(MAX_SEATS, dtype=np.int64)
        for position in self._walk(1):
            if not position.played:
                used = self._filled(self.rules.STATE, 85)
                used["deck"][:] = position.deck
                self.rules.begin(used, self.options, position.starter, scores)
            else:
                self.rules.apply(used, self.options, position.played[-1])
            seat = int(position.state["seat"])
            unlike = differences(self._view(position.state, seat), self._view(used, seat))
            if unlike:
                why = "it does not write all of the state"
                self._fail("begin", f"{why}; seat {seat} sees {unlike}", position)
        return ""

    def check_hidden(self) -> str:
        """Play the same actions from decks in which two cards are exchanged.

        As long as a seat gets the same events in both deals, its views must be equal.
        """
        compared = 0
        for position in self._walk(_VIEWS):
            if self.rules.is_over(position.state):
                for seat in self.seats:
                    compared += self._compare(position, seat) + self._compare(position, seat)
            if compared > _VIEWS:
                break
        return f"{compared} views compared with those of other deals"

    def _compare(self, position: Position, seat: Seat) -> int:
        """Replay a deal and its twin with another deck; return how many views were compared."""
        deck, places = [*position.deck], range(len(position.deck))
        one, other = self.random.choice(places), self.random.choice(places)
        deck[one], deck[other] = deck[other], deck[one]
        told, twin = (self._told(cards, position, seat) for cards in (position.deck, deck))
        compared = 0
        for (deal, events), (second, others) in zip(told, twin, strict=False):
            if events[-1] != others[-1] or one == other:
                break
            unlike = differences(deal.observe(seat), second.observe(seat))
            if unlike:
                why = f"seat {seat} has one event log of two deals, but sees {unlike}"
                self._fail("observe", f"{why}. Does it show a hidden card?", position)
            compared += 1
        return compared

    def _told(
        self, deck: list[int], position: Position, seat: Seat
    ) -> Iterator[tuple[Deal, list[Event]]]:
        """Replay a deal while its actions are legal; yield it with the event log of a seat."""
        scores, events = [0] * self.game.seats, list[Event]()
        deal = Deal._of_state(self.game, lay(self.game, deck, position.starter, scores))
        log = EventLog(self.game, events.append, seat)
        log.dealt(deal, 0, position.starter, scores, "")
        yield deal, events
        for action in position.played:
            if action not in deal.actions:
                return
            before = deal.observe()
            actor = deal.seat
            deal.apply(action)
            log.played(deal, actor, action, before)
            yield deal, events

    def check_complete(self) -> str:
        """Complete views to positions."""
        moved = 0
        for number, position in enumerate(self._some(_POSITIONS)):
            for seat in self.seats:
                view = self._view(position.state, seat)
                kept = self._view(position.state, seat)
                states = [self._filled(self.rules.STATE, byte) for byte in (0, 85)]
                for state in states:
                    generator = new(rng.GENERATOR, 1)[0]
                    rng.start(generator, self.random.below(1 << 30))
                    self.rules.complete(view, self.options, generator, state)
                    self._compare_completed(position, seat, kept, view, state)
                moved += differences(*states) != ""
            if number % 12 == 1:
                self._finish(states[0], position)
        if not moved:
            self._fail("complete", "makes one position of a view: the rest comes from `generator`")
        return ""

    def _compare_completed(
        self, position: Position, seat: Seat, kept: View, view: View, state: State
    ) -> None:
        changed = differences(kept, view)
        if changed:
            self._fail("complete", f"changes the view, {changed}: it only reads it", position)
        unlike = differences(kept, self._view(state, seat))
        if unlike:
            self._fail(
                "complete", f"the position looks different to seat {seat}: {unlike}", position
            )
        completed = position._replace(state=state)
        if seat == state["seat"] and self._legal(completed) != self._legal(position):
            why = f"a seat with the same view may do {self._legal(completed)}"
            self._fail("legal", f"{why} or {self._legal(position)}: its view must decide", position)

    def _finish(self, state: State, position: Position) -> None:
        """Play a completed position to its end, which must raise no error."""
        for _ in self._play_on(Position(state, position.deck, position.starter, [])):
            pass
