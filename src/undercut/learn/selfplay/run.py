"""A self-play run: play, learn, look at how it does, and keep what is needed to go on."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from undercut.core.files import write_text
from undercut.games.agents import parse_agent
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.learn.selfplay.arena import PAST, SELF, Arena, Device
from undercut.learn.selfplay.config import Config
from undercut.learn.selfplay.equity import count_outcomes, match_equity
from undercut.learn.selfplay.learner import TOLD, Graph, Learner
from undercut.learn.selfplay.measure import Score, measure
from undercut.play.batch import play_batch

MOMENTS = ("exp_avg", "exp_avg_sq")
MOST_POINTS = 120  # of a deal, that are told apart
FIRST_DEALS = 20_000  # by which the chances of a score are first judged


class Run:
    """A run in progress."""

    def __init__(self, config: Config, device_name: str) -> None:
        self.config, self.device = config, Device(device_name)
        self.game = parse_game(config.game)
        self.arena = Arena(
            self.game, self.device, sittings(config, self.game), config.steps, config.seed
        )
        self.learner = Learner(config, self.arena)
        self.equity = self._first_equity()
        self.chance = Random(config.seed)
        self.past: list[list[torch.Tensor]] = []
        self.decisions = 0
        self.seconds = 0.0
        self.curve: list[dict[str, Any]] = []
        self._play = Graph(self._play_steps, self.device, 1)
        self._learn = (
            Graph(self.learner.learn, self.device) if self.device.on_gpu else self.learner.learn
        )

    def _first_equity(self) -> torch.Tensor:
        if self.config.reward != "match" or self.game.seats != 2:
            return self.device.zeros(1, 1, kind=torch.float32)
        plain = parse_agent(self.game.family.opponent, self.game)
        batch = play_batch(self.game, [plain] * 2, FIRST_DEALS, self.config.seed, max_deals=1)
        return self._equity_of(batch.results.scores)

    def _equity_of(self, gained: Any) -> torch.Tensor:
        equity = match_equity(count_outcomes(gained, MOST_POINTS), int(self.game.options.target))
        return torch.tensor(equity, dtype=torch.float32, device=self.device.name)

    def _play_steps(self) -> None:
        arena, scale = self.arena, self.config.scale
        for step in range(self.config.steps):
            bits = arena.look(step)
            arena.play(step, self.learner.decide(bits, step), self.equity, scale)
        bits = arena.look(self.config.steps)
        heads = self.learner.decide(bits, self.config.steps)
        arena.values[self.config.steps] = heads[:, arena.encoding.outputs]
        arena.judge(self.config.trail)

    def iterate(self) -> None:
        """Play the steps, then learn from each, in any order."""
        progress = min(1.0, self.decisions / self.config.planned)
        config = self.config
        self.learner.set_rates(
            config.rate + progress * (config.last_rate - config.rate),
            config.entropy + progress * (config.last_entropy - config.entropy),
        )
        if self.past:
            chosen = self.chance.choice(self.past)
            for mine, theirs in zip(self.learner.past.parameters(), chosen, strict=True):
                mine.data.copy_(theirs)
        self._play()
        order = list(range(config.steps))
        self.chance.shuffle(order)
        for step in order:
            self.learner.take(step)
            self._learn()
        self.decisions += self.arena.rows * config.steps

    def keep_past(self) -> None:
        """Remember the network as an earlier self; the chances of scores by its own deals."""
        if self.config.reward == "match" and self.game.seats == 2:
            over = self.arena.over.bool()
            self.equity.copy_(self._equity_of(self.arena.gained[over].cpu().numpy()))
        self.past.append([each.detach().clone() for each in self.learner.weights])
        if len(self.past) > self.config.past_kept:
            del self.past[self.chance.randrange(len(self.past) - 1)]

    def measure(self, rivals: tuple[str, ...], games: int) -> list[Score]:
        """How the averaged network does."""
        network = self.learner.show_average()
        return [measure(self.game, network, rival, games, 99, self.device) for rival in rivals]

    def save(self, folder: Path) -> None:
        """Everything that is needed to go on."""
        folder.mkdir(parents=True, exist_ok=True)
        learner = self.learner
        states = [learner.optimiser.state[each] for each in learner.master]
        moments = {part: [each[part] for each in states] for part in MOMENTS}
        kept: dict[str, Any] = {"network": learner.master, "average": learner.average, **moments}
        for number, past in enumerate(self.past[-2:]):
            kept[f"past{number}"] = past
        for name, tensors in kept.items():
            kind = torch.float32 if name == "network" else torch.bfloat16
            _save(folder / name, dict(zip(learner.names, tensors, strict=True)), kind)
        state = {
            "config": self.config.as_dict(),
            "decisions": self.decisions,
            "seconds": self.seconds,
            "updates": float(states[0]["step"]) if states[0] else 0.0,
            "curve": self.curve,
        }
        write_text(folder / "state.json", json.dumps(state, indent=1))

    def load(self, folder: Path) -> None:
        """Go on from what was saved."""
        state = json.loads((folder / "state.json").read_text())
        self.decisions, self.seconds = state["decisions"], state["seconds"]
        self.curve = state["curve"]
        learner = self.learner
        _load(folder / "network", learner.names, learner.master)
        _load(folder / "network", learner.names, learner.weights)
        _load(folder / "average", learner.names, learner.average)
        states = [learner.optimiser.state[each] for each in learner.master]
        for part in MOMENTS:
            _load(folder / part, learner.names, [each[part] for each in states])
        for each in states:
            each["step"].fill_(state["updates"])
        for path in sorted(folder.glob("past*.safetensors")):
            past = [torch.zeros_like(each) for each in learner.weights]
            _load(path.with_suffix(""), learner.names, past)
            self.past.append(past)


def sittings(config: Config, game: Game) -> list[tuple[str, int]]:
    """Whom the learner meets, in how many rows."""
    past = int(config.rows * config.past_share)
    rivals = [
        (rival, int(config.rows * config.rival_share / len(config.rivals)))
        for rival in config.rivals
    ]
    own = config.rows - past - sum(width for _, width in rivals)
    return [(rival, width) for rival, width in ((SELF, own), (PAST, past), *rivals) if width]


def train(
    run: Run,
    seconds: float,
    folder: Path,
    rivals: tuple[str, ...],
    games: int,
    measure_every: float,
    report: Callable[[dict[str, Any]], None],
) -> None:
    """Go on for some time."""
    began = time.perf_counter()
    first_seconds, first_decisions = run.seconds, run.decisions
    next_past, next_measure = run.config.past_every, measure_every
    while (elapsed := time.perf_counter() - began) < seconds:
        run.iterate()
        if run.device.on_gpu:
            torch.cuda.synchronize()
        elapsed = time.perf_counter() - began
        run.seconds = first_seconds + elapsed
        if elapsed >= next_past:
            run.keep_past()
            next_past += run.config.past_every
        if elapsed >= next_measure:
            next_measure += measure_every
            point = _point(run, rivals, games)
            point["per_second"] = (run.decisions - first_decisions) / elapsed
            run.curve.append(point)
            report(point)
            run.save(folder)
    run.keep_past()
    run.curve.append(_point(run, rivals, games))
    report(run.curve[-1])
    run.save(folder)


def _point(run: Run, rivals: tuple[str, ...], games: int) -> dict[str, Any]:
    told = run.learner.told.tolist()
    scores = run.measure(rivals, games)
    return {
        "seconds": run.seconds,
        "decisions": run.decisions,
        **dict(zip(TOLD, told, strict=True)),
        **{score.rival: [score.wins, score.error] for score in scores},
    }


def _save(path: Path, tensors: dict[str, torch.Tensor], kind: torch.dtype = torch.float32) -> None:
    plain = {name: value.detach().to("cpu", kind).contiguous() for name, value in tensors.items()}
    save_file(plain, path.with_suffix(".safetensors"))


def _load(path: Path, names: list[str], tensors: list[Any]) -> None:
    saved = load_file(path.with_suffix(".safetensors"))
    with torch.no_grad():
        for name, tensor in zip(names, tensors, strict=True):
            tensor.copy_(saved[name])
