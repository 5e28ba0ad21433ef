"""A review of a match: what every decision cost, and how much of the result was luck.

It reads a record, so everything may be shown. The same record, samples and seed give the same
review.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from undercut.games.contract import Game
from undercut.kernels.records import Seat
from undercut.lab.review.account import Account, Course, account_of, add_up, course_of
from undercut.lab.review.judgement import Judge, Judgement
from undercut.lab.review.worth import POINTS, WIN, Appraiser
from undercut.play.hindsight import Moment, PlayedDeal, played_deals
from undercut.play.records.record import Record
from undercut.players.search.evaluate import evaluator_of
from undercut.text.errors import RecordError

SAMPLES = 256
Step = Callable[[], None]


@dataclass(frozen=True)
class DealReview:
    """The review of a deal. Without accounts if somebody left it."""

    deal: PlayedDeal
    judgements: tuple[Judgement, ...]
    accounts: dict[str, Account]  # by the unit
    course: Course | None

    @property
    def unit(self) -> str:
        """The unit of `chances`."""
        return WIN if WIN in self.accounts else POINTS

    def chances(self, seat: Seat = 0) -> list[float]:
        """A seat's chance to win the match before each action and at the end, or its points."""
        if self.course is None:
            return []
        worths = [*self.course.worths, self.course.after]
        return [float(worth.of(self.unit)[seat]) for worth in worths]


@dataclass(frozen=True)
class SeatSummary:
    """How well a seat played."""

    seat: Seat
    player: str
    decisions: int  # that were neither forced nor obvious
    points: float  # that its errors cost
    errors: dict[str, int]  # how many of each kind

    @property
    def error_rate(self) -> float:
        """The points that errors cost, for each decision."""
        return self.points / max(1, self.decisions)


@dataclass(frozen=True)
class Review:
    """The review of a match."""

    game: Game
    players: tuple[str, ...]
    deals: tuple[DealReview, ...]
    samples: int
    seed: int
    complete: bool = True  # False: it was stopped

    @property
    def judgements(self) -> list[Judgement]:
        """All decisions that were judged."""
        return [each for deal in self.deals for each in deal.judgements]

    @property
    def errors(self) -> list[Judgement]:
        """The inaccuracies, mistakes and blunders; the one that cost most first."""
        return sorted((each for each in self.judgements if each.kind), key=lambda each: -each.cost)

    def account(self, unit: str = POINTS) -> Account | None:
        """The account of all finished deals; None without any."""
        found = [deal.accounts[unit] for deal in self.deals if unit in deal.accounts]
        return add_up(found) if found else None

    @property
    def seats(self) -> list[SeatSummary]:
        """A summary for each seat."""
        return [self._summary(seat, player) for seat, player in enumerate(self.players)]

    def _summary(self, seat: Seat, player: str) -> SeatSummary:
        own = [each for each in self.judgements if each.seat == seat]
        kinds = [each.kind for each in own if each.kind]
        return SeatSummary(
            seat=seat,
            player=player,
            decisions=len(own),
            points=sum(each.points for each in own if each.kind),
            errors={kind: kinds.count(kind) for kind in dict.fromkeys(kinds)},
        )


class Reviewer:
    """Reviews matches of one game."""

    def __init__(self, game: Game, samples: int = SAMPLES, seed: int = 0) -> None:
        evaluator = evaluator_of(game.name)
        self.game, self.samples, self.seed = game, samples, seed
        self._judge = Judge(evaluator, samples, seed)
        self._appraiser = Appraiser(evaluator, samples, seed)
        self._units = (WIN, POINTS) if evaluator.measures_wins else (POINTS,)

    def review(self, record: Record, step: Step = lambda: None) -> Review:
        """Review a record; calls `step` after each action. Ctrl-C keeps the finished deals."""
        check_reviewable(record)
        found = list[DealReview]()
        players = tuple(record.header.players)
        whole = Review(self.game, players, (), self.samples, self.seed)
        try:
            for deal in played_deals(record):
                found.append(self.review_deal(deal, step))
        except KeyboardInterrupt:
            return replace(whole, deals=tuple(found), complete=False)
        return replace(whole, deals=tuple(found))

    def review_deal(self, deal: PlayedDeal, step: Step = lambda: None) -> DealReview:
        """Review one deal."""
        judged = list(self._judged(deal.moments, deal.scores, step))
        kept = tuple(each for _, each in judged)
        if deal.points is None:
            return DealReview(deal, kept, {}, None)
        course = course_of(deal, self._appraiser)
        accounts = {unit: self._account(deal, course, unit, judged) for unit in self._units}
        return DealReview(deal, kept, accounts, course)

    def _judged(
        self, moments: Sequence[Moment], scores: Sequence[int], step: Step
    ) -> Iterator[tuple[int, Judgement]]:
        for number, moment in enumerate(moments):
            found = self._judge.judge(moment, scores)
            step()
            if found is not None:
                yield number, found

    def _account(
        self, deal: PlayedDeal, course: Course, unit: str, judged: list[tuple[int, Judgement]]
    ) -> Account:
        in_points = unit == POINTS
        costs = {
            number: each.points if in_points else each.cost for number, each in judged if each.kind
        }
        return account_of(deal.moments, course, unit, costs)


def check_reviewable(record: Record) -> None:
    """Raise RecordError if nobody has played."""
    if not record.actions:
        raise RecordError("nobody has played in this record: there is nothing to review")
