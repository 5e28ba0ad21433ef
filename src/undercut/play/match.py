"""A match with checked actions, deal by deal, and its event log."""

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from undercut.games.contract import Game, Rules
from undercut.kernels import rng
from undercut.kernels.records import Action, Options, Record, Seat, View, new, pack
from undercut.kernels.rng import Seed
from undercut.play.agent import AnyAgent, Random
from undercut.play.ask import ask
from undercut.play.commitment import commit
from undercut.play.deal import Deal
from undercut.play.records.event_log import EventLog, Note
from undercut.play.records.seat_events import SeatLog
from undercut.play.seeds import AnySeed, SeedChance, chance_of, check_seed
from undercut.play.winners import WIN, wins_of
from undercut.text.errors import IllegalAction

Seeds = Callable[[int], tuple[AnySeed, str]]  # the seed and the salt of a deal, by its number


class Match:
    """A match in progress; `deal` is the deal on the table.

    `seeds` returns the seed of a deal and the salt of its commitment. `Match.from_seed` makes the
    match that `play_batch` plays for a seed and a round, which the argument `pair` numbers.

    `note` receives every event as `seat` may know it. If `seat` is None, events are complete,
    hidden cards included. Each of `seat_logs` collects the events that its own seat may know.
    """

    def __init__(
        self,
        game: Game,
        seeds: Seeds,
        starter: Seat,
        max_deals: int = 0,
        note: Note | None = None,
        seat: Seat | None = None,
        seat_logs: Sequence[SeatLog] = (),
    ) -> None:
        self.game = game
        self.starter = starter
        self.max_deals = max_deals
        self.deals = 0
        self.scores = [0] * game.seats
        self.is_over = False
        self.is_left = False
        self._seeds = seeds
        self._logs = [] if note is None else [EventLog(game, note, seat)]
        self._logs += [EventLog(game, each.events.append, each.seat) for each in seat_logs]
        self._seen: dict[Seat, View] = {}  # the view of the seat that has just played
        self.deal = self._next_deal()

    @classmethod
    def from_seed(
        cls,
        game: Game,
        seed: AnySeed,
        pair: int = 0,
        max_deals: int = 0,
        note: Note | None = None,
        seat: Seat | None = None,
        seat_logs: Sequence[SeatLog] = (),
    ) -> "Match":
        """The match of a seed or of a secret, from which every deal's seed and salt are derived."""
        chance = chance_of(seed, pair)

        def seeds(number: int) -> tuple[AnySeed, str]:
            return chance.deal(number), chance.salt(number)

        return cls(
            game, seeds, first_starter(game, chance.starter), max_deals, note, seat, seat_logs
        )

    @property
    def commitment(self) -> str:
        """The commitment to the current deal: shown before the deal, checked after it."""
        return commit(*self._seeds(self.deals))

    @property
    def shares(self) -> list[float]:
        """Each seat's share of the win: the highest score wins, and ties are split."""
        return [int(wins) / WIN for wins in wins_of(self.scores)]

    def apply(self, action: Action) -> None:
        """Play an action of the seat on turn. A deal that ends is scored and stays in `deal`."""
        self._check_goes_on()
        deal = self.deal
        if deal.is_over:
            raise IllegalAction("the deal is over: the next one has to be dealt first")
        if not self._logs:
            deal.apply(action)
        else:
            seat = deal.seat
            before = self._seen[seat] if seat in self._seen else deal.observe(seat)
            deal.apply(action)
            for log in self._logs:
                self._seen = {seat: log.played(deal, seat, action, before)}
        if deal.is_over:
            self._settle()

    def next_deal(self) -> Deal:
        """Start the next deal, after the end of the current one."""
        self._check_goes_on()
        if not self.deal.is_over:
            raise IllegalAction("the deal is not over: it has to be played first")
        self.deal = self._next_deal()
        return self.deal

    def leave(self, seat: Seat) -> None:
        """End an unfinished match because `seat` leaves: nobody wins it."""
        self._check_goes_on()
        self.is_left = True
        in_play = not self.deal.is_over
        table, secret = (self.deal, self._seeds(self.deals)) if in_play else (None, None)
        for log in self._logs:
            log.left(seat, self.scores, table, secret)

    def _check_goes_on(self) -> None:
        if self.is_over or self.is_left:
            raise IllegalAction("the match is over" if self.is_over else "the match was left")

    def _next_deal(self) -> Deal:
        self._seen = {}
        seed, _ = self._seeds(self.deals)
        deal = Deal(self.game, seed, self.starter, tuple(self.scores))
        commitment = self.commitment if self._logs else ""
        for log in self._logs:
            log.dealt(deal, self.deals, self.starter, self.scores, commitment)
        return deal

    def _settle(self) -> None:
        points = self.deal.points()
        self.scores = [score + gain for score, gain in zip(self.scores, points, strict=True)]
        for log in self._logs:
            log.ended(self.deal, self.deals, points, self.scores, self._seeds(self.deals))
        self.deals += 1
        self.starter = self.deal.next_starter()
        rules, scores = self.game.rules, np.array(self.scores, dtype=np.int64)
        over = rules.is_match_over(scores, self.deals, _packed(rules, self.game.options))
        if over or self.deals == self.max_deals:
            self.is_over = True
            for log in self._logs:
                log.over(self.scores, self.shares)


def first_starter(game: Game, seed: Seed) -> Seat:
    """The seat that starts the first deal of a match with this seed."""
    dealer = new(rng.GENERATOR, 1)[0]
    rng.start(dealer, seed)
    options = _packed(game.rules, game.options)
    return int(game.rules.first_starter(options, game.seats, dealer))


@cache
def _packed(rules: Rules, options: Options) -> Record:
    """Options for kernels; cached, because packing takes as long as a few turns."""
    return pack(options)


def play_match(
    game: Game,
    agents: Sequence[AnyAgent],
    seed: Seed,
    *,
    number: int = 0,
    pair: int = 0,
    max_deals: int = 0,
    note: Note | None = None,
    seat: Seat | None = None,
) -> Match:
    """Play one match between agents, in seat order, one decision at a time.

    Forced moves are played without an agent. The match equals the one that `play_batch` plays for
    the same seed, number and `pair`. `note` receives every event: see `Match`.
    """
    chance = SeedChance(check_seed(seed), pair, number)
    chances = [Random.from_seed(chance.agent(place)) for place in range(game.seats)]
    match = Match.from_seed(game, seed, pair, max_deals, note, seat)
    while not match.is_over:
        deal = match.next_deal() if match.deal.is_over else match.deal
        legal = deal.actions
        if len(legal) == 1:
            match.apply(legal[0])
        else:
            place = deal.seat
            match.apply(ask(game, agents[place], deal.observe(), legal, chances[place]))
    return match
