"""A self-play run: play, learn, measure, and save.

A run consists of pieces. Each begins with new matches and random numbers from the seed and the
number of the piece. So a run that continues after a piece equals one without interruption, as far
as the device is deterministic.
"""

import time
from collections.abc import Callable
from random import Random

import torch

from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.kernels.records import Array
from undercut.learn.selfplay.arena import Arena, Device
from undercut.learn.selfplay.config import Config
from undercut.learn.selfplay.kernels import Terms
from undercut.learn.selfplay.learner import FIGURES, Graph, Learner
from undercut.learn.selfplay.measure import Score, measure
from undercut.learn.selfplay.rivals import PAST, SELF, rival_agent
from undercut.learn.settings import other_rule_sets
from undercut.play.batch import play_batch
from undercut.players.catalog import parse_agent
from undercut.players.equity import count_outcomes, match_equity

MOST_POINTS = 120  # of a deal; more count as these
FIRST_DEALS = 20_000  # for the first estimate of the equity
MEASURE_SEED = 1_000_003  # of the games that measure all pieces

Point = dict[str, float | list[float]]


class Run:
    """A run in progress."""

    def __init__(self, config: Config, device_name: str) -> None:
        self.config, self.device = config, Device(device_name)
        self.game, self.others = parse_game(config.game), other_games(config)
        for spec in (*config.rivals.split(), *config.measured.split()):
            rival_agent(spec, self.game)  # an error for a wrong name, before any play
        planned = sittings(config, self.game, self.others)
        self.arena = Arena(self.device, planned, config.steps, config.seed)
        self.learner = Learner(config, self.arena)
        self.equity = {game.name: self._first_equity(game) for game in (self.game, *self.others)}
        self.past: list[list[torch.Tensor]] = []
        self.pieces = 0
        self.decisions = 0
        self.seconds = 0.0  # of playing and learning
        self.curve: list[Point] = []
        self._play_steps()  # compiles, before the time counts; a piece begins with new matches
        self._play = Graph(self._play_steps, self.device)
        self._learn = Graph(self.learner.learn, self.device)

    def _first_equity(self, game: Game) -> torch.Tensor:
        if not knows_matches(self.config, game):
            return self.device.zeros(1, 1, kind=torch.float32)
        plain = parse_agent(game.family.opponent, game)
        batch = play_batch(game, [plain] * 2, FIRST_DEALS, self.config.seed, max_deals=1)
        return self._equity_of(batch.results.scores, game)

    def _equity_of(self, gained: Array, game: Game) -> torch.Tensor:
        equity = match_equity(count_outcomes(gained, MOST_POINTS), _target(game))
        return torch.tensor(equity, dtype=torch.float32, device=self.device.name)

    def _play_steps(self) -> None:
        arena, scale, last = self.arena, self.config.scale, self.arena.end
        arena.keep()
        for step in range(arena.ahead, last):
            arena.play(step, self.learner.decide(arena.look(step), step), self.equity, scale)
        heads = self.learner.decide(arena.look(last), last)
        arena.values[last] = heads[:, arena.encoding.outputs]
        config = self.config
        arena.judge(Terms(config.trail, config.discount, config.cost))

    def play_piece(
        self, progress: Callable[[int, float], None], stops: Callable[[], bool] = lambda: False
    ) -> None:
        """Play and learn for the rounds of a piece; `stops` ends it after a round."""
        began = last = time.perf_counter()
        chance = Random(f"{self.config.seed} {self.pieces}")
        torch.manual_seed(chance.getrandbits(62))
        self.arena.restart(self.pieces)
        if self.arena.ahead:
            self._play()  # the first steps: their advantages are computed after the next ones
        for _ in range(self.config.piece):
            self._play_and_learn(chance)
            now = time.perf_counter()
            progress(self.arena.rows * self.config.steps, now - last)
            last = now
            if stops():
                break
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
        for _ in range(config.epochs):
            chance.shuffle(order)
            for step in order:
                self.learner.take(step)
                self._learn()
        self.device.wait()
        self.decisions += self.arena.rows * config.steps

    def _keep_past(self, chance: Random) -> None:
        """Keep the network as an earlier self; estimate the equity from its own deals."""
        for each in self.arena.sittings:
            part = slice(each.first, each.end)
            over = self.arena.over[:, part].bool()
            is_own = each.rival == SELF and knows_matches(self.config, each.game)
            if is_own and bool(over.any()):
                gained = self.arena.gained[:, part][over].cpu().numpy()
                self.equity[each.game.name].copy_(self._equity_of(gained, each.game))
        self.past.append([each.detach().clone() for each in self.learner.weights])
        if len(self.past) > self.config.past_kept:
            del self.past[chance.randrange(len(self.past) - 1)]

    def look_back(self) -> Point:
        """The results of the averaged network, and the last figures of the learning."""
        figures = self.learner.figures.tolist()
        point: Point = {"decisions": self.decisions, "seconds": self.seconds}
        point |= dict(zip(FIGURES, figures, strict=True))
        point |= {name: [score.wins, score.error] for name, score in self.measure().items()}
        self.curve.append(point)
        return point

    def measure(self) -> dict[str, Score]:
        """The averaged network's games against other agents, always on the same deals.

        In further rule sets it plays against the first of them, in fewer games.
        """
        rivals = self.config.measured.split() or [self.game.family.reference]
        fewer = self.config.games // max(1, len(self.others))
        met = {rival: (self.game, rival, self.config.games) for rival in rivals}
        met |= {f"{game.name} {rivals[0]}": (game, rivals[0], fewer) for game in self.others}
        network = self.learner.show_average()
        return {
            name: measure(game, network, rival, games, MEASURE_SEED, self.device)
            for name, (game, rival, games) in met.items()
        }


def knows_matches(config: Config, game: Game) -> bool:
    """Whether the reward of a game is the match, not the points."""
    return config.reward == "match" and game.seats == 2 and _target(game) > 0


def _target(game: Game) -> int:
    return int(getattr(game.options, "target", 0))


def other_games(config: Config) -> list[Game]:
    """The further rule sets; they must be of the same game."""
    return other_rule_sets(parse_game(config.game), config.also)


def sittings(config: Config, game: Game, others: list[Game]) -> list[tuple[Game, str, int]]:
    """The games, rivals and numbers of rows; in further rule sets the learner plays itself."""
    past, rivals = int(config.rows * config.past_share), config.rivals.split()
    each = int(config.rows * config.rival_share / max(1, len(rivals)))
    apart = int(config.rows * config.also_share / max(1, len(others)))
    own = config.rows - past - each * len(rivals) - apart * len(others)
    found = [(game, SELF, own), (game, PAST, past), *((game, rival, each) for rival in rivals)]
    found += [(other, SELF, apart) for other in others]
    return [(which, rival, width) for which, rival, width in found if width]
