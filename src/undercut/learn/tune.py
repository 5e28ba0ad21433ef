"""Tuning: the settings of an agent that win most against given opponents, on fixed deals.

As in the paper, a random search comes first, then a grid search: steps of a tenth of each range
around the current best, one setting at a time, then two. Beyond the paper, TPE (optuna's
tree-structured Parzen estimator) proposes each trial from all finished ones. CMA-ES samples them
from a normal distribution that adapts to the better ones.

Each finished trial is one transaction in an SQLite file. The seed and the finished trials alone
determine the next trial; proposals live in memory. So a run that is killed at any moment and
started again ends as if it had never been killed.
"""

import itertools
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np

from undercut.games.contract import Game
from undercut.lab.compare import Comparison, play_match
from undercut.lab.extras import need
from undercut.lab.workers import HERE, Setup
from undercut.learn.trials import Foreseen
from undercut.players.catalog import find_agent, is_foreign, parse_agent
from undercut.text.errors import OptionsError
from undercut.text.spec import Option, one_of, split_spec

METHODS = ("paper", "random", "tpe", "cmaes")
FORESEEN = ("paper", "random")  # methods whose trials are known before they are made
DIGITS = 3  # of settings, so that a spec has them in full
STEP = 0.1  # of a range, in the grid search
DISTANCE = 0.1  # strategies that differ less, as a mean over all ranges, count as one

Point = dict[str, float]
Player = Callable[[str, Callable[[], Iterable[str]]], list[Comparison]]  # as Foreseen.results
Progress = Callable[[int, str], None]  # receives the number of new trials, and the best result


class Trial(Protocol):
    """A trial of optuna's."""

    params: Point
    value: float  # the mean win rate; None until it is finished


class Study(Protocol):
    """A study of optuna's."""

    @property
    def trials(self) -> list[Trial]: ...


@dataclass(frozen=True)
class Range:
    name: str
    low: float
    high: float
    is_whole: bool

    @property
    def step(self) -> float:
        step = STEP * (self.high - self.low)
        return max(1, round(step)) if self.is_whole else step

    def fit(self, value: float) -> float:
        """The nearest allowed value."""
        inside = min(max(value, self.low), self.high)
        return round(inside) if self.is_whole else round(inside, DIGITS)


@dataclass(frozen=True)
class Task:
    """The agent to tune, its opponents and the deals."""

    game: Game
    agent: str  # a spec, whose own settings stay fixed
    opponents: tuple[str, ...]
    ranges: tuple[Range, ...]
    games: int  # against each opponent, in each trial
    seed: int

    def spec(self, point: Mapping[str, float]) -> str:
        name, fields = split_spec(self.agent)
        both = {**fields, **{field: f"{value:g}" for field, value in point.items()}}
        return f"{name}:{','.join(f'{field}={value}' for field, value in both.items())}"


@dataclass(frozen=True)
class Strategy:
    """Settings that did well, measured once more on fresh deals."""

    spec: str
    tuned: float  # the mean win rate on the deals of the search
    results: tuple[Comparison, ...]  # against each opponent, on fresh deals

    @property
    def win_rate(self) -> float:
        return sum(result.moments.win_rate(0) for result in self.results) / len(self.results)

    def to_json(self) -> dict[str, object]:
        return {
            "spec": self.spec,
            "tuned_win_rate": self.tuned,
            "win_rate": self.win_rate,
            "against": [result.to_json() for result in self.results],
        }


def parse_ranges(game: Game, agent: str, wanted: Sequence[str]) -> tuple[Range, ...]:
    """Ranges from text such as `link` or `link=0:5`; by default all settings in full."""
    if is_foreign(agent):
        raise OptionsError(f"{agent!r} has no settings to tune")
    name, fixed = split_spec(agent)
    parse_agent(agent, game)
    entry = find_agent(game.family, name)
    if not entry.options:
        raise OptionsError(f"{agent!r} has no settings to tune")
    ranges = []
    for text in wanted or [field for field in entry.options if field not in fixed]:
        field, _, span = text.partition("=")
        if field not in entry.options:
            raise OptionsError(
                f"unknown setting {field!r} of {name}: {one_of(entry.options, field)}"
            )
        low, high = _span(text, span, entry.options[field])
        ranges.append(Range(field, low, high, isinstance(getattr(entry.settings, field), int)))
    return tuple(ranges)


def _span(text: str, span: str, option: Option) -> tuple[float, float]:
    if not span:
        return float(option.low), float(option.high)
    try:
        low, high = (float(part) for part in span.split(":"))
    except ValueError:
        raise OptionsError(f"not a range: {text!r} (write setting=low:high)") from None
    if not option.low <= low < high <= option.high:
        raise OptionsError(f"{text}: must lie within {option.low:g} and {option.high:g}, low first")
    return low, high


class Tuning:
    """The trials of a task, kept in a file."""

    def __init__(self, task: Task, path: Path) -> None:
        self.task = task
        self._optuna = need("optuna", "tune")
        self._optuna.logging.set_verbosity(self._optuna.logging.ERROR)
        self._path = path
        self.study = self._optuna.create_study(
            study_name="tune",
            storage=f"sqlite:///{path}",
            direction="maximize",
            load_if_exists=True,
        )
        self._check(path)

    def _check(self, path: Path) -> None:
        """Raise an error if the file has trials of another task."""
        task = self.task
        identity = {
            "game": task.game.name,
            "agent": task.agent,
            "against": list(task.opponents),
            "ranges": [[each.name, each.low, each.high] for each in task.ranges],
            "games": task.games,
            "seed": task.seed,
        }
        for name, value in identity.items():
            found = self.study.user_attrs.get(name, value)
            if found != value:
                raise OptionsError(
                    f"{str(path)!r} holds trials of another task: "
                    f"its {name} is {found}, not {value}"
                )
            self.study.set_user_attr(name, value)

    @property
    def finished(self) -> list[Trial]:
        states = self._optuna.trial.TrialState
        trials: list[Trial] = self.study.get_trials(deepcopy=False, states=(states.COMPLETE,))
        return trials

    @property
    def best(self) -> float:
        """The best win rate of all finished trials."""
        return max((trial.value for trial in self.finished), default=float("nan"))

    def search(
        self, trials: int, method: str, setup: Setup = HERE, progress: Progress | None = None
    ) -> None:
        """Make the missing trials; a crew makes the same ones as this process."""
        if method not in METHODS:
            raise OptionsError(f"unknown method {method!r}: {one_of(METHODS, method)}")
        sampler = self._sampler(method)
        randoms = -(-trials // 2) if method == "paper" else trials
        results = self._player(self.task.games, self.task.seed, setup)
        with only_run_on(self._path):
            proposals = self._optuna.create_study(direction="maximize")
            proposals.add_trials(self.finished)
            done = len(proposals.trials)
            if progress is not None:
                progress(min(done, trials), "")
            for number in range(done, trials):
                proposals.sampler = sampler(seed=self.task.seed + number)
                if method in FORESEEN:
                    point = self._next_point(proposals, number, randoms)
                    proposals.enqueue_trial(point, skip_if_exists=True)
                trial = proposals.ask()
                following = range(number + 1, trials) if method in FORESEEN else range(0)
                likely = partial(self._likely, proposals, following, randoms)
                spec = self.task.spec(self._settings(trial.suggest_int, trial.suggest_float))
                rates = [each.moments.win_rate(0) for each in results(spec, likely)]
                trial.set_user_attr("win_rates", rates)
                self.study.add_trial(proposals.tell(trial, sum(rates) / len(rates)))
                if progress is not None:
                    progress(1, f"best {self.best:.1%}")

    def _player(self, games: int, seed: int, setup: Setup) -> Player:
        """A function that plays a spec against each opponent."""
        task = self.task
        if setup.crew is not None:
            crew, device = setup.crew, setup.device
            return Foreseen(crew, task.game, task.opponents, games, seed, device).results
        return lambda spec, likely: play(task, spec, games, seed, setup)

    def _settings(
        self, suggest_int: Callable[..., int], suggest_float: Callable[..., float]
    ) -> Point:
        """The settings that optuna suggests for a trial."""
        return {
            each.name: suggest_int(each.name, int(each.low), int(each.high))
            if each.is_whole
            else each.fit(suggest_float(each.name, each.low, each.high))
            for each in self.task.ranges
        }

    def _likely(self, proposals: Study, numbers: range, randoms: int) -> Iterator[str]:
        """The predicted specs of the trials with these numbers; the real ones may differ."""
        for number in range(numbers.start, min(numbers.stop, randoms)):
            yield self.task.spec(self._random_point(number))
        if numbers.stop and numbers.start >= randoms:
            yield from map(self.task.spec, self._around_best(proposals))

    def _sampler(self, method: str) -> Callable[..., object]:
        """The sampler for trials without a proposal of ours."""
        if method == "cmaes":
            need("cmaes", "tune")
            if len(self.task.ranges) < 2:
                raise OptionsError("cmaes needs two settings to tune or more, not one")
        name = "CmaEsSampler" if method == "cmaes" else "TPESampler"
        sampler: Callable[..., object] = getattr(self._optuna.samplers, name)
        return sampler

    def _next_point(self, proposals: Study, number: int, randoms: int) -> Point:
        """The next trial; if it was tried before, as may happen with integers, TPE replaces it."""
        point = self._random_point(number)
        return next(self._around_best(proposals), point) if number >= randoms else point

    def _around_best(self, proposals: Study) -> Iterator[Point]:
        """The untried points around the current best."""
        done = [trial for trial in proposals.trials if trial.value is not None]
        tried = [trial.params for trial in proposals.trials]
        best = max(done, key=lambda trial: trial.value).params
        return (each for each in self._neighbours(best) if each not in tried)

    def _random_point(self, number: int) -> Point:
        chance = np.random.default_rng([self.task.seed, number])
        return {
            each.name: each.fit(chance.uniform(each.low, each.high)) for each in self.task.ranges
        }

    def _neighbours(self, best: Mapping[str, float]) -> Iterator[Point]:
        """The grid around a point: one setting a step up or down, then two."""
        ranges = self.task.ranges
        for count in (1, 2):
            for chosen in itertools.combinations(ranges, min(count, len(ranges))):
                for signs in itertools.product((1, -1), repeat=len(chosen)):
                    moved = {
                        each.name: each.fit(best[each.name] + sign * each.step)
                        for each, sign in zip(chosen, signs, strict=True)
                    }
                    yield {**best, **moved}

    def strategies(self, count: int, games: int, setup: Setup = HERE) -> list[Strategy]:
        """The best settings that differ from each other, sorted by their results on fresh deals."""
        trials = self._different(count)
        specs = [self.task.spec(self._rounded(trial.params)) for trial in trials]
        results = self._player(games, self.task.seed + 1, setup)
        found = []
        for number, (spec, trial) in enumerate(zip(specs, trials, strict=True), start=1):
            likely = partial(specs.__getitem__, slice(number, None))
            found.append(Strategy(spec, trial.value, tuple(results(spec, likely))))
        return sorted(found, key=lambda strategy: -strategy.win_rate)

    def _different(self, count: int) -> list[Trial]:
        """The best trials that differ enough; among few trials, smaller differences count."""
        ranked = sorted(self.finished, key=lambda trial: -trial.value)
        distance = DISTANCE
        while True:
            chosen: list[Trial] = []
            for trial in ranked:
                if all(self._distance(trial.params, one.params) >= distance for one in chosen):
                    chosen.append(trial)
            if len(chosen) >= count or distance < 1e-6:
                return chosen[:count]
            distance /= 2

    def _rounded(self, params: Mapping[str, float]) -> Point:
        return {each.name: each.fit(params[each.name]) for each in self.task.ranges}

    def _distance(self, one: Mapping[str, float], other: Mapping[str, float]) -> float:
        parts = [
            abs(one[each.name] - other[each.name]) / (each.high - each.low)
            for each in self.task.ranges
        ]
        return sum(parts) / len(parts)


@contextmanager
def only_run_on(path: Path) -> Iterator[None]:
    """Lock a file: two runs would repeat each other's trials."""
    beside = path.with_name(path.name + ".lock")
    with closing(sqlite3.connect(beside, timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            raise OptionsError(f"{str(path)!r} is in use by another tuning") from None
        yield


def play(task: Task, spec: str, games: int, seed: int, setup: Setup) -> list[Comparison]:
    game, agent = task.game, parse_agent(spec, task.game)
    return [
        play_match(game, [agent, parse_agent(opponent, game)], games, seed, setup)
        for opponent in task.opponents
    ]
