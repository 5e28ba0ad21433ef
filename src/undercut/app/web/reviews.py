"""The review of a person's game for its page: its finished deals, judged one after the other.

Nothing is reviewed before its deal is over, since a review shows all hands.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from undercut.app.history import Moment
from undercut.app.presentation import words_of
from undercut.app.web.protocol import ErrorShown, ReviewShown, SeatReviewed
from undercut.games.contract import Game
from undercut.games.table.description import Company
from undercut.games.table.plain_description import description_of
from undercut.kernels.records import Action, Seat
from undercut.lab.review import words
from undercut.lab.review.judgement import Judgement
from undercut.lab.review.review import DealReview, Review, Reviewer
from undercut.lab.review.worth import POINTS, WIN
from undercut.play.hindsight import Moment as Position
from undercut.play.hindsight import PlayedDeal, deals_of_seed
from undercut.text.errors import IllegalAction
from undercut.text.translation import say

SAMPLES = (48, 256)  # a quick review first, then a sharper one


class NotWanted(Exception):
    """The page has gone, so that nobody waits for the review."""


def finished_deals(moment: Moment) -> list[PlayedDeal]:
    """The deals of a game that are over; an error if none is."""
    every = deals_of_seed(moment.game, moment.seed, moment.actions)
    found = [deal for deal in every if deal.points is not None]
    if not found:
        raise IllegalAction(say("no deal is over yet: there is nothing to review"))
    return found


def reviews(
    game: Game, names: Sequence[str], deals: Sequence[PlayedDeal], step: Callable[[], None]
) -> Iterator[Review]:
    """Reviews of some deals: each has one more deal, or one that is judged more sharply."""
    known: tuple[DealReview, ...] = ()
    for samples in SAMPLES:
        reviewer = Reviewer(game, samples)
        for number, deal in enumerate(deals):
            found = reviewer.review_deal(deal, step)
            known = (*known[:number], found, *known[number + 1 :])
            yield Review(game, tuple(names), known, samples, reviewer.seed)


@dataclass(frozen=True)
class Page:
    """The page for which a match is reviewed: its game, and the seat and the names of its person."""

    number: int
    seat: Seat
    company: Company

    def shown(self, review: Review, done: int, of: int) -> ReviewShown:
        """A review as a message."""
        account = review.account(POINTS)
        positions = {each.ply: each for deal in review.deals for each in deal.deal.moments}
        errors = (self._error(review, each, positions[each.ply]) for each in review.errors)
        return ReviewShown(
            number=self.number,
            done=done,
            of=of,
            samples=review.samples,
            deals=tuple(tuple(deal.chances(self.seat)) for deal in review.deals),
            is_chance=all(deal.unit == WIN for deal in review.deals),
            seats=tuple(_seats(review, self.seat)),
            errors=tuple(errors),
            noise=account.noise if account else 0.0,
        )

    def _error(self, review: Review, judgement: Judgement, position: Position) -> ErrorShown:
        def told(action: Action) -> str:
            return self._words(review.game, position, action)

        best = told(judgement.best.action)
        return ErrorShown(
            deal=judgement.deal + 1,
            ply=judgement.ply,
            seat=judgement.seat,
            kind=judgement.kind,
            played=told(judgement.played.action),
            best=best,
            verdict=words.verdict(judgement),
            why=words.comparison(judgement, best),
            themes=tuple(map(say, judgement.themes)),
        )

    def _words(self, game: Game, position: Position, action: Action) -> str:
        view = game.family.view(game, position.view, position.legal)
        question = description_of(game.family).question(view, self.company)
        return words_of(question, game.notation.format_action(action))


def _seats(review: Review, you: Seat) -> Iterator[SeatReviewed]:
    account = review.account(POINTS)
    for each in review.seats:
        parts = () if account is None else tuple(words.account_rows(account, each.seat))
        yield SeatReviewed(
            decisions=each.decisions,
            error_rate=each.error_rate,
            errors=words.error_counts(each),
            story=words.story(review, each.seat, each.seat == you),
            parts=parts,
        )
