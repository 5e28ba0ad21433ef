"""The whole paper as a list of steps, each kept when it is done, so that a run can be stopped.

Three phases: two agents tuned by hand-made utilities play each other and `simple`; the network
trained on that makes a third agent, which is tuned anew and plays itself and the first two; then
the same once more. The last network is trained on everything.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from undercut.agents.catalog import parse_agent
from undercut.belief.network import load_network
from undercut.core.errors import OptionsError
from undercut.games.catalog import parse_game
from undercut.lab.compare import play_match
from undercut.training.evaluate import evaluate
from undercut.training.extras import need
from undercut.training.generate import generate
from undercut.training.plots import plot_evaluation
from undercut.training.shards import DataError, Pairing
from undercut.training.train import Plan, train
from undercut.training.tune import Task, Tuning, parse_ranges

GAME = "gin"
GAMES = 1500  # of the paper's two matches
MILLION = 1_000_000
PHASES = (32 * MILLION, 9 * MILLION, 9 * MILLION)
SIMPLE = 4 * MILLION  # decisions of the first phase that `simple` is the opponent of
TEST = 1_500_000

# The paper's eight hyper-parameters as the heuristic agent calls them, and where to look for them.
RANGES = {
    "meld_bonus": (0.0, 5.0),
    "combination_bonus": (0.0, 8.0),
    "deadwood_bonus": (0.0, 4.0),
    "knock_bonus": (0.0, 30.0),
    "gin_bonus": (0.0, 60.0),
    "opponent": (0.0, 2.0),
    "low_card_bonus": (0.0, 2.0),
    "emergency_booster": (0.0, 5.0),
}


@dataclass(frozen=True)
class Scale:
    """How much of everything."""

    divisor: int  # the paper's decisions are divided by this
    test_divisor: int
    samples: int  # hands that the agents sample for a discard; the paper has 100
    trials: int  # of each tuning
    tune_games: int  # in each trial against each opponent
    validate_games: int
    epochs: int
    batch: int
    games: int  # of each match at the end


SCALES = {
    "small": Scale(100, 25, 20, 16, 60, 400, 4, 512, GAMES),
    "full": Scale(1, 1, 100, 200, 2000, 20_000, 10, 4096, 100 * GAMES),
    # For tests: nothing is learnt, but every step is taken.
    "tiny": Scale(100_000, 10_000, 1, 2, 2, 2, 1, 64, 2),
}

Announce = Callable[[str], None]
Result = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """Something to do once."""

    name: str
    about: str
    run: Callable[[], Result]


class Reproduction:
    """The paper's pipeline in a folder."""

    def __init__(
        self,
        folder: Path,
        scale: str,
        seed: int = 0,
        *,
        device: str = "cpu",
        workers: int | None = None,
    ) -> None:
        if scale not in SCALES:
            raise OptionsError(f"unknown scale {scale!r}: one of {', '.join(SCALES)}")
        for module, extra in (("torch", "train"), ("pyarrow", "train"), ("optuna", "tune")):
            need(module, extra)
        self.folder, self.name, self.scale, self.seed = folder, scale, SCALES[scale], seed
        self.game = parse_game(GAME)
        self.device, self.workers = device, workers
        (folder / "results").mkdir(parents=True, exist_ok=True)
        self._claim({"scale": scale, "seed": seed})

    def _claim(self, identity: dict[str, Any]) -> None:
        """A folder holds one run: that of its scale and seed."""
        path = self.folder / "reproduce.json"
        if path.exists() and json.loads(path.read_text(encoding="utf-8")) != identity:
            raise DataError(f"{str(self.folder)!r} holds another run: {path.read_text().strip()}")
        path.write_text(json.dumps(identity) + "\n", encoding="utf-8")

    # What was found so far

    def _result_path(self, name: str) -> Path:
        return self.folder / "results" / f"{name}.json"

    def is_done(self, name: str) -> bool:
        """Whether a step was taken."""
        return self._result_path(name).exists()

    def result(self, name: str) -> Result:
        """What a step found."""
        found: Result = json.loads(self._result_path(name).read_text(encoding="utf-8"))
        return found

    def _model(self, number: int) -> Path:
        return self.folder / f"model{number}.safetensors"

    def _data(self, name: str) -> Path:
        return self.folder / "decisions" / name

    def _agents(self) -> tuple[str, str]:
        """The two agents of the first phase."""
        one, other = (each["spec"] for each in self.result("tune1")["strategies"][:2])
        return str(one), str(other)

    def _estimator(self, tuning: str) -> str:
        return str(self.result(tuning)["strategies"][0]["spec"])

    def _with_paper_settings(self, name: str, number: int | None = None) -> str:
        model = "" if number is None else f",model={self._model(number)}"
        return f"{name}:samples={self.scale.samples}{model}"

    # The steps

    def steps(self) -> list[Step]:
        """All steps, in order."""
        made = [
            Step("tune1", "two agents without a network", lambda: self._tune(1, 2)),
            Step("generate1", "their decisions", lambda: self._generate(1)),
            Step("train1", "the first network", lambda: self._train(1)),
        ]
        for phase in (2, 3):
            made += [
                self._tune_step(phase),
                self._generate_step(phase),
                self._train_step(phase),
            ]
        return [
            *made,
            Step("evaluate", "the last network on deals of the test set", self._evaluate),
            Step("match_without", "with the network against without", self._match_without),
            Step("match_simple", "against simple", self._match_simple),
        ]

    def _tune_step(self, phase: int) -> Step:
        about = f"an agent with network {phase - 1}"
        return Step(f"tune{phase}", about, lambda: self._tune(phase, 1))

    def _generate_step(self, phase: int) -> Step:
        about = "its decisions against itself and the first two"
        return Step(f"generate{phase}", about, lambda: self._generate(phase))

    def _train_step(self, phase: int) -> Step:
        about = f"network {phase}, on all decisions so far"
        return Step(f"train{phase}", about, lambda: self._train(phase))

    def run(self, announce: Announce | None = None, upto: str | None = None) -> None:
        """Take every step that was not taken yet."""
        steps = self.steps()
        for number, step in enumerate(steps, start=1):
            if not self.is_done(step.name):
                if announce is not None:
                    announce(f"{number} of {len(steps)}: {step.name}, {step.about}")
                self._keep(step.name, step.run())
            if step.name == upto:
                return

    def _keep(self, name: str, result: Result) -> None:
        path = self._result_path(name)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        part.replace(path)

    def _tune(self, phase: int, keep: int) -> Result:
        agent = self._with_paper_settings("heuristic")
        opponents: tuple[str, ...] = ("simple", agent)
        if phase > 1:
            agent = self._with_paper_settings("estimator", phase - 1)
            opponents = ("simple", *self._agents())
        wanted = [f"{name}={low}:{high}" for name, (low, high) in RANGES.items()]
        task = Task(
            self.game,
            agent,
            opponents,
            parse_ranges(self.game, agent, wanted),
            self.scale.tune_games,
            self.seed + 10 * phase,
        )
        tuning = Tuning(task, self.folder / f"tune{phase}.db")
        tuning.search(self.scale.trials, "paper", device=self.device, workers=self.workers)
        strategies = tuning.strategies(
            keep, self.scale.validate_games, device=self.device, workers=self.workers
        )
        return {
            "trials": len(tuning.finished),
            "against": list(opponents),
            "strategies": [strategy.to_json() for strategy in strategies],
        }

    def _pairings(self, phase: int, divisor: int) -> list[Pairing]:
        one, other = self._agents()
        if phase == 1:
            # Half the decisions of a match have each agent as the opponent, so twice as many are
            # played with `simple` as shall be about it.
            with_simple = SIMPLE // divisor
            return [
                Pairing(("simple", one), with_simple),
                Pairing(("simple", other), with_simple),
                Pairing((one, other), PHASES[0] // divisor - 2 * with_simple),
            ]
        new = self._estimator(f"tune{phase}")
        share = PHASES[phase - 1] // divisor // 3
        return [Pairing((new, opponent), share) for opponent in (new, one, other)]

    def _generate(self, phase: int) -> Result:
        found = {}
        # The test set has the same mix: what the phases are to the whole, they are to it.
        test_divisor = self.scale.test_divisor * sum(PHASES) // TEST
        for name, divisor, seed in (
            ("train", self.scale.divisor, self.seed),
            ("test", test_divisor, self.seed + 1),
        ):
            made = generate(
                self._data(f"{name}{phase}"),
                self.game,
                self._pairings(phase, divisor),
                seed + 100 * phase,
                device=self.device,
                workers=self.workers,
            )
            found[name] = {
                "decisions": made.decisions,
                "matches": made.matches,
                "bytes": made.bytes,
            }
        return found

    def _train(self, phase: int) -> Result:
        folders = [self._data(f"train{number}") for number in range(1, phase + 1)]
        plan = Plan(self.scale.epochs, self.scale.batch, seed=self.seed + phase)
        trained = train(
            folders,
            self._model(phase),
            plan,
            device=self.device,
            workers=self.workers,
            command=f"undercut reproduce --scale {self.name} --seed {self.seed}",
        )
        return {"losses": trained.losses, "examples": trained.examples}

    def _evaluate(self) -> Result:
        folders = [self._data(f"test{number}") for number in (1, 2, 3)]
        result = evaluate(load_network(self._model(3)), folders)
        plot_evaluation(result, self.folder / "evaluation.png")
        return result.to_json()

    def _match(self, specs: Sequence[str], seed: int) -> Result:
        agents = [parse_agent(spec, self.game) for spec in specs]
        return play_match(
            self.game,
            agents,
            self.scale.games,
            seed,
            device=self.device,
            workers=self.workers,
        ).to_json()

    def _final(self) -> str:
        return self._with_paper_settings("estimator", 3)

    def _match_without(self) -> Result:
        return self._match([self._final(), self._with_paper_settings("heuristic")], self.seed + 7)

    def _match_simple(self) -> Result:
        return self._match([self._final(), "simple"], self.seed + 8)
