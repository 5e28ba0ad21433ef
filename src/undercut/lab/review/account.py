"""The account of a deal: how much of its result was luck, and how much was error.

    result - expectation = luck of the deal + luck of the draws + luck of the unseen - errors

The worth of the true position changes with the deal, with each card drawn from the stock, and with
each decision; the changes add up to the result exactly. An error is the evaluator's, from the view
that the seat had. The luck of the unseen is the rest of what decisions turned out to be worth,
because of cards that nobody could know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from undercut.kernels.records import Floats
from undercut.lab.review.worth import Appraiser, Worth
from undercut.play.hindsight import Moment, PlayedDeal


@dataclass(frozen=True)
class Share:
    """One seat's side of an account. `expectation` and its parts add up to `result`."""

    expectation: float
    result: float
    deal: float  # luck of the deal
    own_draws: float  # luck of the cards that this seat drew
    other_draws: float  # luck of the cards that the others drew
    unseen: float  # luck of the unseen
    own_errors: float  # what its own errors cost it
    other_errors: float  # what the others' errors brought it

    @property
    def luck(self) -> float:
        """All luck together."""
        return self.deal + self.own_draws + self.other_draws + self.unseen


@dataclass(frozen=True)
class Account:
    """The account of a deal or of a match, in one unit. Row `seat` of an array is that seat's."""

    expectation: Floats
    result: Floats
    deal: Floats
    draws: Floats  # [who drew, whose luck]
    errors: Floats  # [who erred, what it brought whom]: negative for that seat itself
    unseen: Floats
    noise: float  # the standard error of a seat's luck of draws, and of its luck of the unseen

    def share(self, seat: int) -> Share:
        """The side of one seat."""
        others = [each for each in range(len(self.result)) if each != seat]
        return Share(
            expectation=float(self.expectation[seat]),
            result=float(self.result[seat]),
            deal=float(self.deal[seat]),
            own_draws=float(self.draws[seat, seat]),
            other_draws=float(self.draws[others, seat].sum()),
            unseen=float(self.unseen[seat]),
            own_errors=-float(self.errors[seat, seat]),
            other_errors=float(self.errors[others, seat].sum()),
        )


def add_up(accounts: Sequence[Account]) -> Account:
    """The account of deals that follow each other in a match.

    Points add up. The chance to win before a deal is the one after the deal before.
    """
    first, last = accounts[0], accounts[-1]
    changes = sum((each.result - each.expectation for each in accounts), np.zeros(len(last.result)))
    return Account(
        expectation=first.expectation,
        result=first.expectation + changes,
        deal=sum((each.deal for each in accounts), np.zeros_like(first.deal)),
        draws=sum((each.draws for each in accounts), np.zeros_like(first.draws)),
        errors=sum((each.errors for each in accounts), np.zeros_like(first.errors)),
        unseen=sum((each.unseen for each in accounts), np.zeros_like(first.unseen)),
        noise=float(np.sqrt(sum(each.noise**2 for each in accounts))),
    )


@dataclass(frozen=True)
class Course:
    """The worth of a deal at each of its turning points."""

    before: Worth
    worths: tuple[Worth, ...]  # before each action
    drawn: Mapping[int, Worth]  # by the number of an action: once played, its cards unknown
    after: Worth


def course_of(deal: PlayedDeal, appraiser: Appraiser) -> Course:
    """Follow the worth of a finished deal. A forced action that draws nothing changes nothing."""
    assert deal.points is not None, "the deal was played to its end"
    worths, drawn = list[Worth](), dict[int, Worth]()
    for number, moment in enumerate(deal.moments):
        if number == 0 or len(moment.legal) > 1 or deal.moments[number - 1].draws:
            worths.append(appraiser.now(moment, deal.scores))
        else:
            worths.append(worths[-1])
        if moment.draws:
            drawn[number] = appraiser.now(moment, deal.scores, moment.action)
    before = appraiser.before(deal.scores)
    return Course(before, tuple(worths), drawn, appraiser.after(deal.scores, deal.points))


def account_of(
    moments: Sequence[Moment], course: Course, unit: str, costs: Mapping[int, float]
) -> Account:
    """The account of a deal; `costs` is what each action lost, by its number, in this unit."""
    seats = len(course.after.of(unit))
    draws, errors = np.zeros((seats, seats)), np.zeros((seats, seats))
    decided, noise = np.zeros(seats), course.worths[0].error ** 2
    later = [*course.worths[1:], course.after]
    for number, moment in enumerate(moments):
        worth, then = course.worths[number], later[number]
        if number in course.drawn:
            unknown = course.drawn[number]
            draws[moment.seat] += then.of(unit) - unknown.of(unit)
            noise += then.error**2 + unknown.error**2
            then = unknown
        decided += then.of(unit) - worth.of(unit)
        cost = costs.get(number, 0.0)
        errors[moment.seat] += cost / (seats - 1)
        errors[moment.seat, moment.seat] -= cost / (seats - 1) + cost
    return Account(
        expectation=course.before.of(unit),
        result=course.after.of(unit),
        deal=course.worths[0].of(unit) - course.before.of(unit),
        draws=draws,
        errors=errors,
        unseen=decided - errors.sum(axis=0),
        noise=float(np.sqrt(noise)),
    )
