"""A self-play run: play, learn, look at how it does, and keep what is needed to go on.

A run consists of pieces. Each begins at fresh tables, with chance that follows from the seed and
the number of the piece; so a run that is continued after a piece goes on just as if it had not been
stopped, as far as the device computes the same twice.
"""

import time
from collections.abc import Callable
from random import Random

import torch

from undercut.core.records import Array
from undercut.games.agents import parse_agent
from undercut.games.contract import Game
from undercut.games.equity import count_outcomes, match_equity
from undercut.games.families import parse_game
from undercut.learn.selfplay.arena import PAST, SELF, Arena, Device, rival_agent
from undercut.learn.selfplay.config import Config
from undercut.learn.selfplay.learner import FIGURES, Graph, Learner
from undercut.learn.selfplay.measure import Score, measure
from undercut.play.batch import play_batch

MOST_POINTS = 120  # of a deal, between which it distinguishes
FIRST_DEALS = 20_000  # by which the chances of a score are first judged
MEASURE_SEED = 1_000_003  # of the games in which all pieces are measured

Point = dict[str, float | list[float]]


class Run:
    """A run in progress."""

    def __init__(self, config: Config, device_name: str) -> None:
        self.config, self.device = config, Device(device_name)
        self.game = parse_game(config.game)
        for spec in (*config.rivals.split(), *config.measured.split()):
            rival_agent(spec, self.game)  # a wrong name is found before anything is played
        self.arena = Arena(
            self.game, self.device, sittings(config, self.game), config.steps, config.seed
        )
        self.learner = Learner(config, self.arena)
        self.equity = self._first_equity()
        self.past: list[list[torch.Tensor]] = []
        self.pieces = 0
        self.decisions = 0
        self.seconds = 0.0  # of playing and learning
        self.curve: list[Point] = []
        self._play_steps()  # compiles, before the time counts; a piece begins at fresh tables
        self._play = Graph(self._play_steps, self.device)
        self._learn = Graph(self.learner.learn, self.device)

    @property
    def knows_matches(self) -> bool:
        """Whether it learns to win matches, not only points."""
        return self.config.reward == "match" and self.game.seats == 2 and self._target > 0

    @property
    def _target(self) -> int:
        return int(getattr(self.game.options, "target", 0))

    def _first_equity(self) -> torch.Tensor:
        if not self.knows_matches:
            return self.device.zeros(1, 1, kind=torch.float32)
        plain = parse_agent(self.game.family.opponent, self.game)
        batch = play_batch(self.game, [plain] * 2, FIRST_DEALS, self.config.seed, max_deals=1)
        return self._equity_of(batch.results.scores)

    def _equity_of(self, gained: Array) -> torch.Tensor:
        equity = match_equity(count_outcomes(gained, MOST_POINTS), self._target)
        return torch.tensor(equity, dtype=torch.float32, device=self.device.name)

    def _play_steps(self) -> None:
        arena, scale, last = self.arena, self.config.scale, self.config.steps
        for step in range(last):
            arena.play(step, self.learner.decide(arena.look(step), step), self.equity, scale)
        heads = self.learner.decide(arena.look(last), last)
        arena.values[last] = heads[:, arena.encoding.outputs]
        arena.judge(self.config.trail)

    def play_piece(self, progress: Callable[[int], None]) -> None:
        """Play and learn for as many rounds as a piece has."""
        began = time.perf_counter()
        chance = Random(f"{self.config.seed} {self.pieces}")
        torch.manual_seed(chance.getrandbits(62))
        self.arena.restart(self.pieces)
        for _ in range(self.config.piece):
            self._play_and_learn(chance)
            progress(self.arena.rows * self.config.steps)
        self._keep_past(chance)
        self.device.wait()
        self.pieces += 1
        self.seconds += time.perf_counter() - began

    def _play_and_learn(self, chance: Random) -> None:
        config, progress = self.config, min(1.0, self.decisions / self.config.planned)
        self.learner.set_rates(
            config.rate + progress * (config.last_rate - config.rate),
            config.entropy + progress * (config.last_entropy - config.entropy),
        )
        if self.past:
            self.learner.set_past(chance.choice(self.past))
        self._play()
        order = list(range(config.steps))
        chance.shuffle(order)
        for step in order:
            self.learner.take(step)
            self._learn()
        self.device.wait()
        self.decisions += self.arena.rows * config.steps

    def _keep_past(self, chance: Random) -> None:
        """Remember the network as an earlier self; judge scores by its own deals."""
        over = self.arena.over.bool()
        if self.knows_matches and bool(over.any()):
            self.equity.copy_(self._equity_of(self.arena.gained[over].cpu().numpy()))
        self.past.append([each.detach().clone() for each in self.learner.weights])
        if len(self.past) > self.config.past_kept:
            del self.past[chance.randrange(len(self.past) - 1)]

    def look_back(self) -> Point:
        """How the averaged network does, and what learning was like at last."""
        figures = self.learner.figures.tolist()
        point: Point = {"decisions": self.decisions, "seconds": self.seconds}
        point |= dict(zip(FIGURES, figures, strict=True))
        point |= {score.rival: [score.wins, score.error] for score in self.measure()}
        self.curve.append(point)
        return point

    def measure(self) -> list[Score]:
        """The averaged network's games against other agents, the same deals each time."""
        rivals = self.config.measured.split() or [self.game.family.reference]
        network = self.learner.show_average()
        return [
            measure(self.game, network, rival, self.config.games, MEASURE_SEED, self.device)
            for rival in rivals
        ]


def sittings(config: Config, game: Game) -> list[tuple[str, int]]:
    """Whom the learner meets, in how many rows."""
    past, rivals = int(config.rows * config.past_share), config.rivals.split()
    each = int(config.rows * config.rival_share / max(1, len(rivals)))
    own = config.rows - past - each * len(rivals)
    found = [(SELF, own), (PAST, past), *((rival, each) for rival in rivals)]
    return [(rival, width) for rival, width in found if width]
