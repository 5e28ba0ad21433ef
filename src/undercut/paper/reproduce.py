"""The paper as a list of steps. Each stores its result, so that an interrupted run can continue.

There are three phases. First, two tuned agents with hand-made utilities play each other and
`simple`. A network trained on these matches makes a third agent, which is tuned again and plays
itself and the first two. The third phase repeats that. The last network is trained on all data, and
measured on a test set, in matches and in ablations.
"""

import json
import shlex
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from undercut.games.families import parse_game
from undercut.games.gin.players import estimator
from undercut.games.gin.players.belief.learned import BELIEF
from undercut.games.gin.players.belief.network import load_network
from undercut.games.gin.rules.deal import Phase
from undercut.kernels.records import View
from undercut.lab.compare import play_match
from undercut.lab.extras import need
from undercut.lab.workers import Setup
from undercut.learn.candidates import of_network
from undercut.learn.decisions import Decisions
from undercut.learn.generate import generate
from undercut.learn.score import score
from undercut.learn.shards import DataError, Pairing
from undercut.learn.train import Plan, train
from undercut.learn.tune import Task, Tuning, parse_ranges
from undercut.paper.example import find_example
from undercut.paper.matches import Planned, ablations, paper_matches, with_fields, without_network
from undercut.play.agent import KernelAgent
from undercut.players.catalog import parse_agent
from undercut.text import files
from undercut.text.errors import OptionsError
from undercut.text.spec import split_spec

GAME = "gin"
GAMES = 1500  # in each of the paper's two matches
MILLION = 1_000_000
PHASES = (32 * MILLION, 9 * MILLION, 9 * MILLION)
SIMPLE = 4 * MILLION  # decisions of the first phase with `simple` as the opponent
TEST = 1_500_000
EXAMPLE_SAMPLES = 5  # times as many as in a match, to reduce the noise of sampling

REMEMBER = bool(estimator.PRINTED.remember)  # score the belief of the final agent

# The paper's eight hyper-parameters, as the heuristic agent names them, and their search ranges.
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
    """The amounts of data, training and matches of a run."""

    divisor: int  # the paper's decisions divided by ours
    test_divisor: int
    samples: int  # hands that the agents sample for a discard; the paper has 100
    tune_samples: int  # the same during tuning
    trials: int  # of each tuning
    tune_games: int  # in each trial against each opponent
    validate_games: int
    epochs: int
    batch: int
    games: int  # of each match at the end
    ablation_games: int  # of each ablation
    positions: int  # discards searched for the example


SCALES = {
    "small": Scale(100, 25, 20, 20, 16, 60, 400, 4, 512, GAMES, 2000, 2000),
    "full": Scale(1, 1, 100, 25, 16, 1000, 4000, 10, 4096, 20_000, 10_000, 20_000),
    # For tests: runs every step, but learns nothing.
    "tiny": Scale(100_000, 10_000, 1, 1, 2, 2, 2, 1, 64, 2, 2, 20),
}

Announce = Callable[[str], None]
Result = dict[str, Any]  # the content of its JSON file


@dataclass(frozen=True)
class Step:
    """A step of the run, done once."""

    name: str
    about: str
    run: Callable[[], Result]
    command: Callable[[], str]  # of this step alone; needs the results of the steps before


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
        self._tell: Announce | None = None  # receives the progress of the current step
        (folder / "results").mkdir(parents=True, exist_ok=True)
        self._claim({"scale": scale, "seed": seed})

    def _claim(self, identity: dict[str, object]) -> None:
        """Write the scale and seed of the run; an error if the folder holds another run."""
        path = self.folder / "reproduce.json"
        if path.exists() and json.loads(path.read_text(encoding="utf-8")) != identity:
            raise DataError(f"{str(self.folder)!r} holds another run: {path.read_text().strip()}")
        files.write_text(path, json.dumps(identity) + "\n")

    # The stored results

    def _result_path(self, name: str) -> Path:
        return self.folder / "results" / f"{name}.json"

    def is_done(self, name: str) -> bool:
        return self._result_path(name).exists()

    def result(self, name: str) -> Result:
        found: Result = json.loads(self._result_path(name).read_text(encoding="utf-8"))
        return found

    def seconds(self) -> dict[str, float]:
        """The seconds of all steps that are done, for each device."""
        spent: dict[str, float] = {}
        for name in (step.name for step in self.steps() if self.is_done(step.name)):
            result = self.result(name)
            device = result["device"]
            spent[device] = spent.get(device, 0.0) + float(result["seconds"])
        return spent

    def _model(self, number: int) -> Path:
        return self.folder / f"model{number}.safetensors"

    def _data(self, name: str) -> Path:
        return self.folder / "decisions" / name

    def _agents(self) -> tuple[str, str]:
        """The two agents of the first phase."""
        one, other = self.strategies("tune1")[:2]
        return one, other

    def strategies(self, tuning: str) -> list[str]:
        """The specs that a tuning found, with the number of samples for matches."""
        found = [str(each["spec"]) for each in self.result(tuning)["strategies"]]
        return [self._sampling(spec, self.scale.samples) for spec in found]

    def _sampling(self, spec: str, samples: int) -> str:
        return with_fields(spec, {"samples": samples})

    def _estimator(self, tuning: str) -> str:
        return self.strategies(tuning)[0]

    def _with_paper_settings(self, name: str, number: int | None = None) -> str:
        model = "" if number is None else f",model={self._model(number)}"
        return f"{name}:settings=printed,samples={self.scale.samples}{model}"

    def _final(self) -> str:
        return self._with_paper_settings("estimator", 3)

    def _final_tuned(self) -> str:
        """The final network with the settings that were tuned last."""
        fields = split_spec(self._estimator("tune3"))[1]
        return with_fields(self._final(), {name: fields[name] for name in RANGES})

    # The steps

    def steps(self) -> list[Step]:
        """All steps, in order."""
        phases = [step for phase in (1, 2, 3) for step in self._phase(phase)]
        return [
            *phases,
            Step(
                "score",
                "the last network on deals of the test set",
                self._score,
                lambda: _command(
                    "score",
                    *self._folders("test", 3),
                    *("--model", self._model(3)),
                    "--remember" if REMEMBER else "--forget",
                ),
            ),
            *map(self._match_step, self.matches()),
            *map(self._match_step, self.ablations()),
            Step("example", "a discard that the network changes", self._example, self._hint),
        ]

    def _phase(self, phase: int) -> list[Step]:
        tuned, played = "two agents without a network", "their decisions"
        if phase > 1:
            tuned = f"an agent with network {phase - 1}"
            played = "its decisions against itself and the first two"
        trained = f"network {phase}, on all decisions so far"
        steps = (
            ("tune", tuned, self._tune, self._tune_command),
            ("generate", played, self._generate, self._generate_command),
            ("train", trained, self._train, self._train_command),
        )
        return [
            Step(f"{kind}{phase}", about, partial(run, phase), partial(command, phase))
            for kind, about, run, command in steps
        ]

    def matches(self) -> list[Planned]:
        return paper_matches(self._final, self._final_tuned, self.scale.games, self.seed + 7)

    def ablations(self) -> list[Planned]:
        """The matches that measure the parts of the agent."""
        return ablations(self._final, self.scale.ablation_games, self.seed + 9)

    def _match_step(self, match: Planned) -> Step:
        def command() -> str:
            return _command("match", GAME, *match.agents(), "-n", match.games, "--seed", match.seed)

        return Step(match.name, match.about, lambda: self._match(match), command)

    def run(
        self,
        announce: Announce | None = None,
        upto: str | None = None,
        tell: Announce | None = None,
    ) -> None:
        """Do every step that is not done, up to `upto`; `tell` receives the progress of each."""
        self._tell = tell
        steps = self.steps()
        for number, step in enumerate(steps, start=1):
            if not self.is_done(step.name):
                if announce is not None:
                    announce(f"{number} of {len(steps)}: {step.name}, {step.about}")
                started = time.perf_counter()
                result = step.run()
                took = {"seconds": time.perf_counter() - started, "device": self.device}
                self._keep(step.name, {**result, **took})
            if step.name == upto:
                return

    def _counter(self, wanted: int, unit: str) -> Callable[..., None]:
        """A progress callback that adds up counts and reports the total."""
        done = 0

        def more(count: int, *_: object) -> None:
            nonlocal done
            done += count
            if self._tell is not None:
                self._tell(f"{done:,} of {wanted:,} {unit}")

        return more

    def _keep(self, name: str, result: Result) -> None:
        path = self._result_path(name)
        files.write_text(path, json.dumps(result, indent=1) + "\n")

    def _tuned_agent(self, phase: int) -> str:
        """The agent of a phase before it is tuned."""
        if phase == 1:
            return self._with_paper_settings("heuristic")
        return self._with_paper_settings("estimator", phase - 1)

    def _task(self, phase: int) -> Task:
        samples = self.scale.tune_samples
        agent = self._sampling(self._tuned_agent(phase), samples)
        others = (agent,) if phase == 1 else self._agents()
        opponents = ("simple", *(self._sampling(other, samples) for other in others))
        wanted = [f"{name}={low}:{high}" for name, (low, high) in RANGES.items()]
        ranges = parse_ranges(self.game, agent, wanted)
        return Task(
            self.game, agent, opponents, ranges, self.scale.tune_games, self.seed + 10 * phase
        )

    def _tune(self, phase: int) -> Result:
        task = self._task(phase)
        tuning = Tuning(task, self.folder / f"tune{phase}.db")
        setup = Setup(self.device, self.workers)
        tuning.search(
            self.scale.trials, "paper", setup, progress=self._counter(self.scale.trials, "trials")
        )
        strategies = tuning.strategies(_kept(phase), self.scale.validate_games, setup)
        return {
            "trials": len(tuning.finished),
            "against": list(task.opponents),
            "strategies": [strategy.to_json() for strategy in strategies],
        }

    def _tune_command(self, phase: int) -> str:
        task = self._task(phase)
        options: list[object] = []
        for opponent in task.opponents:
            options += ["--against", opponent]
        for each in task.ranges:
            options += ["--vary", f"{each.name}={each.low:g}:{each.high:g}"]
        options += ["--study", self.folder / f"tune{phase}.db", "--trials", self.scale.trials]
        options += ["-n", task.games, "--keep", _kept(phase)]
        options += ["--validate", self.scale.validate_games, "--seed", task.seed]
        return _command("tune", GAME, task.agent, *options)

    def _pairings(self, phase: int, divisor: int) -> list[Pairing]:
        one, other = self._agents()
        if phase == 1:
            # Each agent is the opponent in half the decisions of a match, so matches with `simple`
            # have twice as many decisions as are needed.
            with_simple = SIMPLE // divisor
            return [
                Pairing(("simple", one), with_simple),
                Pairing(("simple", other), with_simple),
                Pairing((one, other), PHASES[0] // divisor - 2 * with_simple),
            ]
        new = self._estimator(f"tune{phase}")
        share = PHASES[phase - 1] // divisor // 3
        return [Pairing((new, opponent), share) for opponent in (new, one, other)]

    def _sets(self, phase: int) -> list[tuple[str, list[Pairing], int]]:
        """The training set and the test set of a phase: name, pairings, seed."""
        # Each phase has the same share of the test set as of the training set.
        test_divisor = self.scale.test_divisor * sum(PHASES) // TEST
        seed = self.seed + 100 * phase
        return [
            ("train", self._pairings(phase, self.scale.divisor), seed),
            ("test", self._pairings(phase, test_divisor), seed + 1),
        ]

    def _generate(self, phase: int) -> Result:
        found = {}
        for name, pairings, seed in self._sets(phase):
            counter = self._counter(sum(each.decisions for each in pairings), "decisions")
            setup = Setup(self.device, self.workers, progress=counter)
            made = generate(self._data(f"{name}{phase}"), self.game, pairings, seed, setup)
            found[name] = asdict(made)
        return found

    def _generate_command(self, phase: int) -> str:
        commands = []
        for name, pairings, seed in self._sets(phase):
            pairs = [part for each in pairings for part in ("--pair", *each.agents, each.decisions)]
            folder = self._data(f"{name}{phase}")
            commands.append(_command("generate", folder, GAME, *pairs, "--seed", seed))
        return "\n".join(commands)

    def _folders(self, name: str, upto: int) -> list[Path]:
        return [self._data(f"{name}{phase}") for phase in range(1, upto + 1)]

    def _plan(self, phase: int) -> Plan:
        return Plan(self.scale.epochs, self.scale.batch, seed=self.seed + phase)

    def _train(self, phase: int) -> Result:
        folders = self._folders("train", phase)
        decisions = len(Decisions(folders))
        trained = train(
            folders,
            self._model(phase),
            self._plan(phase),
            device=self.device,
            workers=self.workers,
            command=f"undercut reproduce --scale {self.name} --seed {self.seed}",
            progress=self._counter(self.scale.epochs * decisions, "decisions"),
        )
        return {"losses": trained.losses, "examples": trained.examples}

    def _train_command(self, phase: int) -> str:
        plan = self._plan(phase)
        options = ["--epochs", plan.epochs, "--batch", plan.batch, "--seed", plan.seed]
        folders = self._folders("train", phase)
        return _command("train", *folders, "--out", self._model(phase), *options)

    def _score(self) -> Result:
        folders = self._folders("test", 3)
        progress = self._counter(len(Decisions(folders)), "decisions")
        network = of_network(BELIEF, load_network(self._model(3)), REMEMBER)
        found = score({"network": network}, folders, remember=REMEMBER, progress=progress)
        return found.to_json()

    def _match(self, match: Planned) -> Result:
        agents = [parse_agent(spec, self.game) for spec in match.agents()]
        return play_match(
            self.game,
            agents,
            match.games,
            match.seed,
            Setup(self.device, self.workers, progress=self._counter(match.games, "games")),
        ).to_json()

    def _thinkers(self) -> tuple[str, str]:
        """The final agent without and with its network; both with more samples than in matches."""
        final = with_fields(self._final(), {"samples": EXAMPLE_SAMPLES * self.scale.samples})
        return without_network(final), final

    def _example(self) -> Result:
        even, network = (parse_agent(spec, self.game) for spec in self._thinkers())
        assert isinstance(even, KernelAgent)
        assert isinstance(network, KernelAgent)
        return find_example(self.game, self._discards(), even, network, self.seed)

    def _discards(self) -> Iterator[View]:
        """The first discards of the last phase's test set."""
        data = Decisions([self._data("test3")])
        left = self.scale.positions
        progress = self._counter(left, "discards")
        for rows in data.blocks(np.arange(data.matches), 1 << 12):
            views = data.replay(rows).views
            discards = views[views.phase == Phase.DISCARD][:left]
            for view in discards:
                yield view
                progress(1)
            left -= len(discards)
            if left == 0:
                return

    def _hint(self) -> str:
        """The commands that show the example; empty if there is none."""
        found = self.result("example")["found"]
        if found is None:
            return ""
        return "\n".join(
            _command("hint", found["position"], "--agent", spec, "--seed", self.seed)
            for spec in self._thinkers()
        )


def _kept(phase: int) -> int:
    """The number of strategies that a tuning keeps."""
    return 2 if phase == 1 else 1


def _command(*words: object) -> str:
    return shlex.join(["undercut", *map(str, words)])
