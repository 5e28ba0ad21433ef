"""A review as plain data, for programs."""

from collections.abc import Sequence
from typing import Any

from undercut.games.table.position import format_position
from undercut.lab.review.account import Account
from undercut.lab.review.judgement import Judgement
from undercut.lab.review.profile import Profile, by_player, over_time, profile
from undercut.lab.review.review import DealReview, Review
from undercut.play.hindsight import Moment
from undercut.players.search.evaluate import MoveValue

Data = dict[str, Any]
_NORMAL = 1.96  # standard errors of a 95 % interval


def review_data(review: Review) -> Data:
    """The object that `undercut review --json` prints for a record."""
    units = {unit for deal in review.deals for unit in deal.accounts}
    accounts = {unit: review.account(unit) for unit in sorted(units)}
    return {
        "game": review.game.name,
        "players": list(review.players),
        "complete": review.complete,
        "samples": review.samples,
        "seed": review.seed,
        "seats": [
            {
                "player": each.player,
                "decisions": each.decisions,
                "points": each.points,
                "error_rate": each.error_rate,
                "errors": each.errors,
            }
            for each in review.seats
        ],
        "accounts": {unit: _account(each) for unit, each in accounts.items() if each is not None},
        "deals": [_deal(review, each) for each in review.deals],
    }


def profile_rows(reviews: Sequence[Review]) -> list[Data]:
    """The profile of each player in each game, and of the stretches of time."""
    return [
        {
            "game": game,
            "player": player,
            **_profile(profile(sides)),
            "over_time": [_profile(each) for each in over_time(sides)],
        }
        for (game, player), sides in by_player(reviews).items()
    ]


def _profile(found: Profile) -> Data:
    measures = {"error_rate": found.error_rate, "luck": found.luck, "result": found.result}
    values = {name: each.value for name, each in measures.items()}
    intervals = {f"{name}_ci95": each.interval for name, each in measures.items()}
    themes = [
        {"theme": each.name, "count": each.count, "points": each.points} for each in found.themes
    ]
    return {
        "deals": found.deals,
        "decisions": found.decisions,
        **values,
        **intervals,
        "themes": themes,
    }


def decision_rows(review: Review) -> list[Data]:
    """A row for each decision that was judged."""
    rows = []
    for deal in review.deals:
        moments = {moment.ply: moment for moment in deal.deal.moments}
        rows += [_decision(review, each, moments[each.ply]) for each in deal.judgements]
    return rows


def _deal(review: Review, deal: DealReview) -> Data:
    moments = {moment.ply: moment for moment in deal.deal.moments}
    return {
        "deal": deal.deal.number,
        "scores": list(deal.deal.scores),
        "points": None if deal.deal.points is None else list(deal.deal.points),
        "accounts": {unit: _account(each) for unit, each in deal.accounts.items()},
        "chances": deal.chances(),
        "decisions": [_decision(review, each, moments[each.ply]) for each in deal.judgements],
    }


def _account(account: Account) -> Data:
    seats = range(len(account.result))
    return {"noise": account.noise, "seats": [vars(account.share(seat)) for seat in seats]}


def _decision(review: Review, judgement: Judgement, moment: Moment) -> Data:
    return {
        "deal": judgement.deal,
        "ply": judgement.ply,
        "seat": judgement.seat,
        "player": review.players[judgement.seat],
        "position": format_position(review.game, moment.view),
        "played": judgement.played.text,
        "best": judgement.best.text,
        "cost": judgement.cost,
        "cost_ci95": _interval(judgement.cost, judgement.cost_error),
        "unit": judgement.evaluation.unit,
        "points": judgement.points,
        "kind": judgement.kind,
        "themes": list(judgement.themes),
        "samples": judgement.evaluation.samples,
        "moves": [_move(move) for move in judgement.evaluation.moves],
    }


def _interval(mean: float, error: float) -> list[float]:
    return [mean - _NORMAL * error, mean + _NORMAL * error]


def _move(move: MoveValue) -> Data:
    return {
        "move": move.text,
        "points": move.points,
        "points_ci95": _interval(move.points, move.points_error),
        "win": move.win,
        "win_ci95": None if move.win is None else _interval(move.win, move.win_error or 0.0),
        "behind": move.behind,
        "behind_ci95": _interval(move.behind, move.behind_error),
        "samples": move.samples,
    }
