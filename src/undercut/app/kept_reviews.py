"""The reviews of stored games, as the store keeps them: what a person's errors were and cost."""

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from undercut.app.store import Store
from undercut.kernels.records import Seat
from undercut.lab.review.judgement import Judgement
from undercut.lab.review.review import DealReview, Review
from undercut.lab.review.worth import POINTS

Count = Annotated[int, Meta(ge=0, lt=2**53)]


class ErrorKept(Struct, frozen=True):
    """An error of the person."""

    ply: Count
    kind: str
    themes: tuple[str, ...]
    points: float  # that it cost
    played: str


class DealKept(Struct, frozen=True):
    """The person's side of a deal."""

    decisions: Count  # that were judged
    result: float  # points, less the mean of the others
    luck: float  # in points
    errors: tuple[ErrorKept, ...]

    @property
    def lost(self) -> float:
        """The points that the person's errors cost."""
        return sum(error.points for error in self.errors)


class ReviewKept(Struct, frozen=True):
    """The review of a stored game, from one seat."""

    samples: Count
    deals: tuple[DealKept, ...]

    @property
    def errors(self) -> Iterator[tuple[int, ErrorKept]]:
        """All errors, with the numbers of their deals."""
        for number, deal in enumerate(self.deals):
            for error in deal.errors:
                yield number, error


_decoder = msgspec.json.Decoder(ReviewKept)


def summarized(review: Review, seat: Seat) -> ReviewKept:
    """A review as the store keeps it for the person in a seat."""
    return ReviewKept(review.samples, tuple(_deal(deal, seat) for deal in review.deals))


def _deal(deal: DealReview, seat: Seat) -> DealKept:
    own = [each for each in deal.judgements if each.seat == seat]
    account = deal.accounts.get(POINTS)
    share = None if account is None else account.share(seat)
    return DealKept(
        decisions=len(own),
        result=0.0 if share is None else share.result,
        luck=0.0 if share is None else share.luck,
        errors=tuple(_error(each) for each in own if each.kind),
    )


def _error(judgement: Judgement) -> ErrorKept:
    return ErrorKept(
        ply=judgement.ply,
        kind=judgement.kind,
        themes=judgement.themes,
        points=judgement.points,
        played=judgement.played.text,
    )


def keep_review(store: Store, number: int, review: ReviewKept) -> None:
    """Store the review of a game in place of an earlier one."""
    data = msgspec.json.encode(review).decode()
    store.execute("INSERT OR REPLACE INTO reviews VALUES (?, ?)", number, data)


def kept_reviews(store: Store) -> dict[int, ReviewKept]:
    """The stored reviews by the number of the game; damaged ones are left out."""
    found = {}
    for number, data in store.rows("SELECT game, data FROM reviews"):
        try:
            found[int(str(number))] = _decoder.decode(str(data))
        except (msgspec.MsgspecError, RecursionError):
            continue
    return found
