"""A review in words: every number in a sentence is one that was measured."""

from collections.abc import Iterator

from undercut.lab.review.account import Account, Share
from undercut.lab.review.judgement import THRESHOLDS, Judgement
from undercut.lab.review.review import Review, SeatSummary
from undercut.lab.review.worth import POINTS
from undercut.players.search.evaluate import Evaluation, MoveValue
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


def themes(judgement: Judgement) -> str:
    """The themes of an error, such as "knocked too early, fed the other hand"."""
    return ", ".join(map(say, judgement.themes))


def comparison(judgement: Judgement, better_words: str = "") -> str:
    """What the better move would have changed, as far as it was measured; "" for nothing notable.

    `better_words` names the better move in the words of a table.
    """
    parts = changes(judgement.evaluation, judgement.played, judgement.best)
    if not parts:
        return ""
    return say("With {move}: {parts}.", move=better_words or judgement.best.text, parts=parts)


def changes(found: Evaluation, old: MoveValue, new: MoveValue) -> str:
    """What changes with another move, as far as it was measured and is notable."""
    by_size = sorted(
        zip(found.endings, old.endings, new.endings, strict=True),
        key=lambda each: -abs(each[2] - each[1]),
    )
    notable = [*by_size[:_MOST_PARTS], (found.answer, old.answered, new.answered)]
    return "; ".join(
        say("{event} {new} % instead of {old} %", event=say(name), **_shares(before, then))
        for name, before, then in notable
        if abs(then - before) >= NOTABLE
    )


def _shares(old: float, new: float) -> dict[str, str]:
    return {"old": f"{100 * old:.0f}", "new": f"{100 * new:.0f}"}


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


def story(review: Review, seat: int, is_you: bool = False) -> str:
    """Luck and error of a seat in one sentence; "" if no deal was finished."""
    account = review.account(POINTS)
    if account is None:
        return ""
    share = account.share(seat)
    values = {
        "name": review.players[seat],
        "points": f"{abs(share.result):.0f}",
        "cards": signed(share.luck - share.unseen, 0),
        "unseen": signed(share.unseen, 0),
        "own": signed(-share.own_errors, 0),
        "others": signed(share.other_errors, 0),
    }
    return " ".join([_result(share.result, is_you, values), _parts_told(is_you, values)])


def _result(result: float, is_you: bool, values: dict[str, str]) -> str:
    if result == 0:
        return say("You drew.") if is_you else say("{name} drew.", **values)
    if result > 0:
        won = say("You won by {points} points.", **values)
        return won if is_you else say("{name} won by {points} points.", **values)
    lost = say("You lost by {points} points.", **values)
    return lost if is_you else say("{name} lost by {points} points.", **values)


def _parts_told(is_you: bool, values: dict[str, str]) -> str:
    if is_you:
        return say(
            "The cards {cards}, the unseen {unseen}, your errors {own}, the others' {others}.",
            **values,
        )
    return say(
        "The cards {cards}, the unseen {unseen}, own errors {own}, the others' {others}.", **values
    )


def signed(number: float, digits: int = 1) -> str:
    """A number with its sign; the minus is as wide as the plus.

    >>> signed(-2.25), signed(0.04), signed(-0.04)
    ('−2.2', '+0.0', '+0.0')
    """
    text = f"{number:+.{digits}f}"
    return text.replace("-", "−") if float(text) else text.replace("-", "+")
