"""Judges the decisions of a match: what each one cost, and whether it was an error.

A first search looks at every decision that is neither forced nor obvious. Where it cannot rule out
an error, a second search with more samples measures the cost anew. The evaluator finds the best
move on one half of the samples and measures its lead on the other, so costs are not flattered. Only
a cost of more than twice its standard error is called an error.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from undercut.games.table.themes import themes_of
from undercut.kernels import rng
from undercut.kernels.records import Seat
from undercut.play.agent import Random
from undercut.play.hindsight import Moment
from undercut.players.search.candidates import candidate_moves
from undercut.players.search.evaluate import Evaluation, Evaluator, MoveValue
from undercut.text.translation import mark

MOVES = 5  # tried, and the one that was played
SIGNIFICANT = 2.0  # standard errors
FIRST_SHARE = 4  # the first search has one in FIRST_SHARE of the samples
THRESHOLDS = {mark("inaccuracy"): 0.01, mark("mistake"): 0.025, mark("blunder"): 0.06}
"""The chance to win the match that a decision of each kind loses at least."""
_WHOLE_POINTS = 250.0  # points that count as a whole match where points do not decide one


@dataclass(frozen=True)
class Judgement:
    """A decision that was judged. Costs are in the evaluator's unit, and in points."""

    deal: int
    ply: int
    seat: Seat
    played: MoveValue
    best: MoveValue
    cost: float
    cost_error: float
    points: float
    kind: str  # one of THRESHOLDS, or "" for none
    themes: tuple[str, ...]  # of an error, in English
    evaluation: Evaluation


class Judge:
    """Judges decisions of one game with `samples` deals of the hidden cards."""

    def __init__(self, evaluator: Evaluator, samples: int, seed: int) -> None:
        self.evaluator, self.samples, self.seed = evaluator, samples, seed
        self._thresholds = _thresholds(evaluator)

    def judge(self, moment: Moment, scores: Sequence[int]) -> Judgement | None:
        """The judgement of a decision; None if it was forced or obvious."""
        evaluator, random = self.evaluator, Random.from_seed(self.seed)
        legal, played = moment.legal, moment.action
        if len(legal) < 2:
            return None
        guided = (evaluator.game, evaluator.guide, moment.view, legal, random)
        moves = candidate_moves(*guided, MOVES)
        if moves == [played]:
            return None
        tried = moves if played in moves else [*moves, played]
        first = self._search(moment, tried, max(2, self.samples // FIRST_SHARE), 0)
        if self._is_harmless(first, played):
            return self._judgement(moment, first, scores)
        return self._judgement(moment, self._search(moment, tried, self.samples, 1), scores)

    def _search(
        self, moment: Moment, moves: Sequence[int], samples: int, number: int
    ) -> Evaluation:
        seed = rng.derive(self.seed, moment.ply, number, 0)
        return self.evaluator.evaluate(moment.view, moves, samples, seed)

    def _is_harmless(self, found: Evaluation, played: int) -> bool:
        """Whether even an unlucky sample would make this no error."""
        value = _value_of(found, played)
        least = min(self._thresholds.values())
        return value.behind + SIGNIFICANT * value.behind_error < least

    def _judgement(self, moment: Moment, found: Evaluation, scores: Sequence[int]) -> Judgement:
        value, evaluator = _value_of(found, moment.action), self.evaluator
        cost, error = (value.behind, value.behind_error) if value != found.best else (0.0, 0.0)
        points = cost
        if found.unit == "win":
            points = cost / evaluator.win_per_point(scores[moment.seat], scores[1 - moment.seat])
        kind = self._kind(cost, error)
        return Judgement(
            deal=moment.deal,
            ply=moment.ply,
            seat=moment.seat,
            played=value,
            best=found.best,
            cost=cost,
            cost_error=error,
            points=points,
            kind=kind,
            themes=self._themes(moment, value, found.best) if kind else (),
            evaluation=found,
        )

    def _themes(self, moment: Moment, played: MoveValue, best: MoveValue) -> tuple[str, ...]:
        game = self.evaluator.game
        seen = game.family.view(game, moment.view, moment.legal)
        answered = played.answered, best.answered
        return themes_of(game, seen, (played.action, best.action), answered)

    def _kind(self, cost: float, error: float) -> str:
        if cost <= SIGNIFICANT * error:
            return ""
        reached = [name for name, least in self._thresholds.items() if cost >= least]
        return reached[-1] if reached else ""


def _value_of(found: Evaluation, action: int) -> MoveValue:
    return next(move for move in found.moves if move.action == action)


def _thresholds(evaluator: Evaluator) -> dict[str, float]:
    """The thresholds in the evaluator's unit."""
    scale = 1.0 if evaluator.measures_wins else _whole(evaluator)
    return {name: least * scale for name, least in THRESHOLDS.items()}


def _whole(evaluator: Evaluator) -> float:
    """The points that count as a whole match."""
    per_place = evaluator.endings.per_place
    return per_place * evaluator.game.seats if per_place else _WHOLE_POINTS
