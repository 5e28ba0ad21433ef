"""Settings for an agent: what wins most against given opponents, always on the same deals.

As in the paper a random search comes first, then a grid search: steps of a tenth of each range
around the best found so far, one setting at a time, then two. Beyond the paper, TPE (optuna's
tree-structured Parzen estimator) proposes each trial from all that were made, and CMA-ES draws
them from a cloud that moves and stretches towards the better ones.

Trials are kept in an SQLite file, each written in one piece when it is finished. What the next trial
is follows from the seed and the finished trials alone; proposals live in memory. So a run that is
killed at any moment and started again ends as if it had never been killed.
"""

import itertools
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from undercut.games.contract import Game
from undercut.lab.compare import Comparison, play_match
from undercut.lab.extras import need
from undercut.lab.workers import Crew
from undercut.learn.trials import Foreseen, Measure
from undercut.players.catalog import find_agent, is_foreign, parse_agent
from undercut.text.errors import OptionsError
from undercut.text.spec import Option, one_of, split_spec

METHODS = ("paper", "random", "tpe", "cmaes")
DIGITS = 3  # settings are rounded, so that a spec gives them in full
STEP = 0.1  # of a range, in the grid search
DISTANCE = 0.1  # strategies that differ less, as a mean over all ranges, count as one

Point = dict[str, float]
Player = Callable[
    [str, Callable[[], Iterable[str]]], list[Comparison]
]  # Foreseen.results, or alike
Progress = Callable[[int, str], None]  # hears how many more trials, and how the best does


@dataclass(frozen=True)
class Range:
    """A setting that may vary."""

    name: str
    low: float
    high: float
    is_whole: bool

    def fit(self, value: float) -> float:
        """The nearest value that is allowed."""
        inside = min(max(value, self.low), self.high)
        return round(inside) if self.is_whole else round(inside, DIGITS)


@dataclass(frozen=True)
class Task:
    """What is tuned, against whom, and how it is measured."""

    game: Game
    agent: str  # a spec: settings named in it stay as they are
    opponents: tuple[str, ...]
    ranges: tuple[Range, ...]
    games: int  # against each opponent, in each trial
    seed: int

    def spec(self, point: Mapping[str, float]) -> str:
        """The agent with some settings, as a spec."""
        name, fields = split_spec(self.agent)
        both = {**fields, **{field: f"{value:g}" for field, value in point.items()}}
        return f"{name}:{','.join(f'{field}={value}' for field, value in both.items())}"


@dataclass(frozen=True)
class Strategy:
    """Settings that did well, measured once more on deals that did not help to choose them."""

    spec: str
    tuned: float  # the mean win rate when it was chosen
    results: tuple[Comparison, ...]  # against each opponent, on fresh deals

    @property
    def win_rate(self) -> float:
        """The mean win rate on fresh deals."""
        return sum(result.moments.win_rate(0) for result in self.results) / len(self.results)

    def to_json(self) -> dict[str, object]:
        """As one JSON object."""
        return {
            "spec": self.spec,
            "tuned_win_rate": self.tuned,
            "win_rate": self.win_rate,
            "against": [result.to_json() for result in self.results],
        }


def parse_ranges(game: Game, agent: str, wanted: Sequence[str]) -> tuple[Range, ...]:
    """Ranges from text such as `link` or `link=0:5`; without any, all settings vary in full."""
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
            raise OptionsError(f"unknown setting {field!r} of {name}: {one_of(entry.options)}")
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
        """Refuse a file with trials of another task."""
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
                    f"{str(path)!r} holds trials of another task: its {name} is {found}, not {value}"
                )
            self.study.set_user_attr(name, value)

    @property
    def finished(self) -> list[Any]:
        """The trials that were made."""
        states = self._optuna.trial.TrialState
        trials: list[Any] = self.study.get_trials(deepcopy=False, states=(states.COMPLETE,))
        return trials

    @property
    def best(self) -> float:
        """The best win rate of a trial so far."""
        return max((trial.value for trial in self.finished), default=float("nan"))

    def search(
        self,
        trials: int,
        method: str,
        *,
        device: str = "cpu",
        workers: int | None = None,
        progress: Progress | None = None,
        crew: Crew | None = None,
    ) -> None:
        """Make as many trials as are missing; a `crew` plays elsewhere, and the trials are the same."""
        if method not in METHODS:
            raise OptionsError(f"unknown method {method!r}: {one_of(METHODS)}")
        sampler = self._sampler(method)
        randoms = -(-trials // 2) if method == "paper" else trials
        results = self._player(self.task.games, self.task.seed, device, workers, crew)
        with only_run_on(self._path):
            proposals = self._optuna.create_study(direction="maximize")
            proposals.add_trials(self.finished)
            done = len(proposals.trials)
            if progress is not None:
                progress(min(done, trials), "")
            for number in range(done, trials):
                proposals.sampler = sampler(seed=self.task.seed + number)
                self._propose(proposals, number, randoms, method)
                trial = proposals.ask()
                likely = partial(
                    self._likely, proposals, range(number + 1, trials), randoms, method
                )
                spec = self.task.spec(self._settings(trial))
                rates = [each.moments.win_rate(0) for each in results(spec, likely)]
                trial.set_user_attr("win_rates", rates)
                self.study.add_trial(proposals.tell(trial, sum(rates) / len(rates)))
                if progress is not None:
                    progress(1, f"best {self.best:.1%}")

    def _player(
        self, games: int, seed: int, device: str, workers: int | None, crew: Crew | None
    ) -> "Player":
        """What plays a spec against each opponent."""
        task = self.task
        if crew is not None:
            measure = Measure(task.game, task.opponents, games, seed, device)
            return Foreseen(crew, measure).results
        return lambda spec, likely: play(task, spec, games, seed, device, workers)

    def _settings(self, trial: Any) -> Point:
        return {each.name: self._suggest(trial, each) for each in self.task.ranges}

    def _likely(self, proposals: Any, numbers: range, randoms: int, method: str) -> Iterator[str]:
        """The specs of the trials to come, as far as they can be foreseen; they may be others."""
        if method in ("tpe", "cmaes"):
            return
        for number in range(numbers.start, min(numbers.stop, randoms)):
            yield self.task.spec(self._random_point(number))
        if numbers.start >= randoms:
            yield from map(self.task.spec, self._around_best(proposals))

    def _sampler(self, method: str) -> Any:
        """What proposes a trial that nobody else proposed."""
        if method != "cmaes":
            return self._optuna.samplers.TPESampler
        need("cmaes", "tune")
        if len(self.task.ranges) < 2:
            raise OptionsError("cmaes needs two settings to tune or more, not one")
        return self._optuna.samplers.CmaEsSampler

    def _suggest(self, trial: Any, each: Range) -> float:
        if each.is_whole:
            return int(trial.suggest_int(each.name, int(each.low), int(each.high)))
        return each.fit(trial.suggest_float(each.name, each.low, each.high))

    def _propose(self, proposals: Any, number: int, randoms: int, method: str) -> None:
        """Say what the next trial is; TPE and CMA-ES find that out by themselves.

        So does TPE where a random point was tried before, which may happen with whole numbers.
        """
        if method in ("tpe", "cmaes"):
            return
        point = self._random_point(number)
        if number >= randoms:
            point = next(self._around_best(proposals), point)
        proposals.enqueue_trial(point, skip_if_exists=True)

    def _around_best(self, proposals: Any) -> Iterator[Point]:
        """The points around the best so far that were not tried."""
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
        for count in (1, 2):
            for chosen in itertools.combinations(
                self.task.ranges, min(count, len(self.task.ranges))
            ):
                for signs in itertools.product((1, -1), repeat=len(chosen)):
                    moved = {
                        each.name: each.fit(best[each.name] + sign * _step(each))
                        for each, sign in zip(chosen, signs, strict=True)
                    }
                    yield {**best, **moved}

    def strategies(
        self,
        count: int,
        games: int,
        *,
        device: str = "cpu",
        workers: int | None = None,
        crew: Crew | None = None,
    ) -> list[Strategy]:
        """The best settings that differ from each other, best first on fresh deals."""
        trials = self._different(count)
        specs = [self.task.spec(self._rounded(trial.params)) for trial in trials]
        results = self._player(games, self.task.seed + 1, device, workers, crew)
        found = []
        for number, (spec, trial) in enumerate(zip(specs, trials, strict=True), start=1):
            likely = partial(specs.__getitem__, slice(number, None))
            found.append(Strategy(spec, trial.value, tuple(results(spec, likely))))
        return sorted(found, key=lambda strategy: -strategy.win_rate)

    def _different(self, count: int) -> list[Any]:
        """The best trials that differ enough; with few trials, less is enough."""
        ranked = sorted(self.finished, key=lambda trial: -trial.value)
        distance = DISTANCE
        while True:
            chosen: list[Any] = []
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
    """Keep a second run off a file: each would make the trials of the other again."""
    beside = path.with_name(path.name + ".lock")
    with closing(sqlite3.connect(beside, timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            raise OptionsError(f"{str(path)!r} is in use by another tuning") from None
        yield


def _step(each: Range) -> float:
    step = STEP * (each.high - each.low)
    return max(1, round(step)) if each.is_whole else step


def play(
    task: Task, spec: str, games: int, seed: int, device: str, workers: int | None
) -> list[Comparison]:
    """An agent against every opponent of a task."""
    agent = parse_agent(spec, task.game)
    return [
        play_match(
            task.game,
            [agent, parse_agent(opponent, task.game)],
            games,
            seed,
            device=device,
            workers=workers,
        )
        for opponent in task.opponents
    ]
