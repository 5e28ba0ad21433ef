"""A review in words: every number in a sentence is one that was measured."""

from collections.abc import Iterator

from undercut.lab.review.account import Account, Share
from undercut.lab.review.judgement import THRESHOLDS, Judgement
from undercut.lab.review.review import Review, SeatSummary
from undercut.lab.review.worth import POINTS
from undercut.text.translation import say, say_count

NOTABLE = 0.03  # a difference between two shares from which on a sentence names it
_MOST_PARTS = 2  # endings that a sentence names

Row = tuple[str, float]


def heading(review: Review) -> str:
    """The match in one line."""
    deals = say_count("{count} deal", "{count} deals", len(review.deals))
    judged = say_count("{count} decision", "{count} decisions", len(review.judgements))
    return f"{review.game.name}: {' – '.join(review.players)}, {deals}, {judged}"


def error_counts(summary: SeatSummary) -> str:
    """The number of errors of each kind, such as "2 mistakes, 1 blunder"."""
    found = [_counted(kind, count) for kind, count in _by_weight(summary.errors)]
    return ", ".join(found) or say("no errors")


def _by_weight(errors: dict[str, int]) -> list[tuple[str, int]]:
    """The kinds that occurred, the worst first."""
    return [(kind, errors[kind]) for kind in reversed(THRESHOLDS) if kind in errors]


def _counted(kind: str, count: int) -> str:
    if kind == "blunder":
        return say_count("{count} blunder", "{count} blunders", count)
    if kind == "mistake":
        return say_count("{count} mistake", "{count} mistakes", count)
    return say_count("{count} inaccuracy", "{count} inaccuracies", count)


def verdict(judgement: Judgement) -> str:
    """What a decision was, and what it cost.

    A cost is given with twice its standard error.
    """
    cost, error = judgement.cost, 2 * judgement.cost_error
    points = f"{judgement.points:.1f}"
    if judgement.evaluation.unit == "win":
        values = {"cost": f"{100 * cost:.1f}", "error": f"{100 * error:.1f}", "points": points}
        told = say("{cost} ± {error} % of the match, {points} points", **values)
    else:
        told = say("{cost} ± {error} points", cost=points, error=f"{error:.1f}")
    return f"{say(judgement.kind)}: {told}" if judgement.kind else told


def comparison(judgement: Judgement) -> str:
    """What the better move would have changed, as far as it was measured; "" for nothing notable."""
    better, played = judgement.best, judgement.played
    names = judgement.evaluation.endings
    changes = sorted(
        zip(names, better.endings, played.endings, strict=True),
        key=lambda each: -abs(each[1] - each[2]),
    )
    parts = [
        say("{ending} {better} % instead of {played} %", ending=say(name), **_shares(one, other))
        for name, one, other in changes[:_MOST_PARTS]
        if abs(one - other) >= NOTABLE
    ]
    if abs(better.answered - played.answered) >= NOTABLE:
        shares = _shares(better.answered, played.answered)
        answer = say(judgement.evaluation.answer)
        parts.append(say("{ending} {better} % instead of {played} %", ending=answer, **shares))
    if not parts:
        return ""
    return say("With {move}: {parts}.", move=better.text, parts="; ".join(parts))


def _shares(better: float, played: float) -> dict[str, str]:
    return {"better": f"{100 * better:.0f}", "played": f"{100 * played:.0f}"}


def account_rows(account: Account, seat: int) -> Iterator[Row]:
    """The parts of a seat's result and their names; they add up to the last one."""
    share = account.share(seat)
    yield from _parts(share)
    yield say("result"), share.result


def _parts(share: Share) -> Iterator[Row]:
    if share.expectation:
        yield say("expected before the deal"), share.expectation
    yield say("luck of the deal"), share.deal
    yield say("luck of the own draws"), share.own_draws
    yield say("luck of the others' draws"), share.other_draws
    yield say("luck of the unseen"), share.unseen
    yield say("own errors"), -share.own_errors
    yield say("others' errors"), share.other_errors


def story(review: Review, seat: int) -> str:
    """Luck and error of a seat in one sentence; "" if no deal was finished."""
    account = review.account(POINTS)
    if account is None:
        return ""
    share = account.share(seat)
    values = {
        "name": review.players[seat],
        "result": f"{share.result:+.0f}",
        "cards": f"{share.luck - share.unseen:+.0f}",
        "unseen": f"{share.unseen:+.0f}",
        "own": f"{-share.own_errors:+.0f}",
        "others": f"{share.other_errors:+.0f}",
    }
    return say(
        "{name}: {result} points; the cards {cards}, the unseen {unseen}, own errors {own}, "
        "others' errors {others}.",
        **values,
    )
