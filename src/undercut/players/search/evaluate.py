"""The evaluator: the value of each move in a position, and its standard error.

It is a function of the view, the number of samples and the seed. Hidden cards are dealt evenly, and
the family's plain opponent plays each deal to its end for every seat. A value is the chance to win
the match if that follows from the points of a deal, and otherwise the points.

The best move is that of the guide, the game's strongest agent, unless another one leads it
significantly. To take the highest mean would pick moves by their noise: as a player it lost to the
plain opponent whose rollouts it used.
"""

import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.kernels.jit import COMPILED
from undercut.kernels.records import Action, Array, Buffer, Floats, View, pack
from undercut.play.agent import AnyAgent, KernelAgent, Random
from undercut.play.ask import ask
from undercut.play.deal import Deal
from undercut.play.explanation import Comparison, Explanation, Figure
from undercut.players.catalog import parse_agent
from undercut.players.endings import endings_of
from undercut.players.equity import count_outcomes, match_equity
from undercut.players.search.rollouts import (
    ANSWERED,
    ENDING,
    FIELDS,
    MINE,
    OTHERS,
    make_memory,
    rollout_kernel,
)
from undercut.text.errors import IllegalAction, OptionsError

SAMPLES = 400
FIRST_SHARE = 4  # the share of the samples that all moves get: one in FIRST_SHARE
DROPPED = 2.0  # standard errors behind the leader at which a move gets no more samples
TRUST = 3.0  # standard errors by which a move must lead the guide's
PART = 32  # samples between two looks at the clock, and the least for a thread
_DEALS, _OUTCOMES = (
    (250, 16) if COMPILED else (4, 2)
)  # deals, and samples of each, from which match equity follows
_LEVELS = 200  # steps of a score in the table of match equity


@dataclass(frozen=True)
class MoveValue:
    """The value of a move. Errors are standard errors; None without a chance to win."""

    action: Action
    text: str
    samples: int
    points: float  # of the deal, less the mean of the other seats
    points_error: float
    win: float | None  # the chance to win the match
    win_error: float | None
    behind: float  # the best move's value minus this one's, on samples that did not choose it;
    # below 0 for a move that leads by chance
    behind_error: float
    endings: tuple[float, ...]  # the share of each ending, in the order of `Evaluation.endings`
    answered: float  # the share of samples with the reply `Evaluation.answer`


@dataclass(frozen=True)
class Evaluation:
    """The values of all legal moves of a position, the best first."""

    game: str
    moves: tuple[MoveValue, ...]
    unit: str  # of `behind`: "win" or "points"
    endings: tuple[str, ...]
    answer: str
    belief: str  # how hidden cards are sampled
    player: str  # the agent that finishes the deals
    guide: str  # the agent whose move is the best one unless another leads significantly
    samples: int
    seed: int

    @property
    def best(self) -> MoveValue:
        """The move with the highest value."""
        return self.moves[0]


class Evaluator:
    """Evaluates positions of one game."""

    def __init__(self, game: Game, workers: int | None = None) -> None:
        player = parse_agent(game.family.opponent, game)
        if not isinstance(player, KernelAgent):
            raise OptionsError(f"no evaluation of {game.name}: {player.name} is not a kernel agent")
        self.game, self.player, self.endings = game, player, endings_of(game)
        self.guide = _guide(game, player)
        self._kernel = rollout_kernel(game.rules, player.choose, self.endings)
        self._packed = pack(game.options), pack(player.settings)
        self._workers = workers or os.cpu_count() or 1
        self._memories = [make_memory(game, player) for _ in range(self._workers)]
        self._lock = threading.Lock()  # of the memories: tables evaluate in several threads

    def evaluate(
        self,
        view: View,
        legal: Sequence[Action],
        samples: int = SAMPLES,
        seed: int = 0,
        milliseconds: float | None = None,
    ) -> Evaluation:
        """The value of each legal move.

        With `milliseconds` it samples for that long instead, and the result depends on the machine.
        """
        if samples < 2:
            raise OptionsError(f"{samples} samples: must be at least 2")
        if not legal:
            raise IllegalAction("there is nothing to decide here")
        moves = np.array(legal, dtype=np.int64)
        with self._lock:
            return self._evaluate(view, moves, samples, seed, milliseconds)

    def _evaluate(
        self, view: View, moves: Buffer, samples: int, seed: int, milliseconds: float | None
    ) -> Evaluation:
        random = Random.from_seed(seed)
        guided = moves.tolist().index(ask(self.game, self.guide, view, moves.tolist(), random))
        first = PART if milliseconds else min(samples, max(2, samples // FIRST_SHARE))
        found = self._sample(view, moves, range(first), seed)
        kept = self._survivors(view, found, guided)
        if milliseconds is None:
            rest = self._sample(view, moves[kept], range(first, samples), seed)
        else:
            rest = self._sample_until(view, moves[kept], first, seed, milliseconds)
        return self._summed_up(view, moves, found, kept, rest, guided, seed)

    def _sample_until(
        self, view: View, moves: Buffer, first: int, seed: int, milliseconds: float
    ) -> Array:
        """Samples from number `first` on, for so long."""
        deadline, parts = time.perf_counter() + milliseconds / 1000, list[Array]()
        while not parts or time.perf_counter() < deadline:
            start = first + PART * len(parts)
            parts.append(self._sample(view, moves, range(start, start + PART), seed))
        return np.concatenate(parts)

    def _sample(self, view: View, moves: Buffer, numbers: range, seed: int) -> Array:
        """The numbers of each move on the samples with these numbers."""
        found = np.zeros((len(numbers), len(moves), FIELDS), dtype=np.int64)
        threads = max(1, min(self._workers, len(numbers) // PART))
        cuts = np.linspace(0, len(numbers), threads + 1).astype(np.int64)

        def work(thread: int) -> None:
            part = slice(*cuts[thread : thread + 2])
            every = np.arange(numbers.start, numbers.stop, dtype=np.int64)[part]
            memory = self._memories[thread]
            self._kernel(view, moves, *self._packed, seed, every, memory, found[part])

        work(0)
        if threads > 1:
            with ThreadPoolExecutor(threads - 1) as pool:
                list(pool.map(work, range(1, threads)))
        return found

    def _survivors(self, view: View, found: Array, guided: int) -> NDArray[np.intp]:
        """The moves that are not clearly worse than the leader, and the guide's."""
        values = self._values(view, found)
        leader = int(values.mean(axis=0).argmax())
        behind = values[:, [leader]] - values
        mean, error = behind.mean(axis=0), _error(behind)
        places = np.arange(len(mean))
        return np.flatnonzero((mean <= DROPPED * error) | (places == leader) | (places == guided))

    @cached_property
    def equity(self) -> tuple[Floats, int] | None:
        """The chance to win from each pair of scores, and the points of a step in this table.

        It is known for matches of two to a target. The outcomes of deals are those of the plain
        player, from the first decision of DEALS deals.
        """
        target = getattr(self.game.options, "target", None)
        if self.game.seats != 2 or target is None:
            return None
        step = -(-int(target) // _LEVELS)
        gained = []
        for seed in range(_DEALS):
            deal = Deal(self.game, seed)
            view, random = deal.observe(), Random.from_seed(seed)
            move = np.array([self.player.act(view, deal.actions, random)], dtype=np.int64)
            gained.append(self._sample(view, move, range(_OUTCOMES), seed)[:, 0, [MINE, OTHERS]])
        outcomes = np.concatenate(gained) // step
        if not outcomes.any():
            return None
        counts = count_outcomes(outcomes, int(outcomes.max()))
        return match_equity(counts, -(-int(target) // step)), step

    def _values(self, view: View, found: Array) -> Floats:
        """The value of each move on each sample: the chance to win, or the points."""
        win = self._win(view, found)
        return _points(found, self.game.seats) if win is None else win

    def _win(self, view: View, found: Array) -> Floats | None:
        """The chance to win the match after each sample; None where the points do not tell."""
        if self.game.seats != 2:
            return None
        if getattr(self.game.options, "deals", 0) == 1:  # the deal is the match
            return _floats(0.5 + 0.5 * np.sign(found[..., MINE] - found[..., OTHERS]))
        if self.equity is None:
            return None
        equity, step = self.equity
        me, last = int(view.me), len(equity) - 1
        mine = (int(view.scores[me]) + found[..., MINE]) // step
        theirs = (int(view.scores[1 - me]) + found[..., OTHERS]) // step
        return _floats(equity[np.minimum(mine, last), np.minimum(theirs, last)])

    def _summed_up(
        self,
        view: View,
        moves: Buffer,
        found: Array,
        kept: NDArray[np.intp],
        rest: Array,
        guided: int,
        seed: int,
    ) -> Evaluation:
        """Find a leader on every second sample, and measure its lead on the others."""
        both = np.concatenate([found[:, kept], rest])
        values, early = self._values(view, both), self._values(view, found)
        chosen = self._chosen(values, int(np.flatnonzero(kept == guided)[0]))
        best = int(kept[chosen])
        rows = []
        for place, move in enumerate(moves.tolist()):
            where = np.flatnonzero(kept == place)
            if len(where):
                own, behind = both[:, where[0]], values[:, chosen] - values[:, where[0]]
            else:
                own, behind = found[:, place], early[:, best] - early[:, place]
            rows.append(self._move(view, move, own[:, None], behind[1::2]))
        leader = rows.pop(best)
        return Evaluation(
            game=self.game.name,
            moves=(leader, *sorted(rows, key=lambda each: each.behind)),
            unit="points" if self._win(view, both) is None else "win",
            endings=self.endings.names,
            answer=self.endings.answer,
            belief="even",
            player=self.player.name,
            guide=self.guide.name,
            samples=len(both),
            seed=seed,
        )

    def _chosen(self, values: Floats, guided: int) -> int:
        """The column of the best move: the guide's, unless the leader is significantly better."""
        leader = int(values[0::2].mean(axis=0).argmax())
        lead = (values[:, [leader]] - values[:, [guided]])[1::2]
        is_better = lead.mean() > TRUST * _error(lead)[0]
        return leader if is_better else guided

    def _move(self, view: View, move: Action, own: Array, behind: Floats) -> MoveValue:
        points, win = _points(own, self.game.seats), self._win(view, own)
        counts = np.bincount(own[:, 0, ENDING], minlength=len(self.endings.names))
        return MoveValue(
            action=move,
            text=self.game.notation.format_action(move),
            samples=len(own),
            points=float(points.mean()),
            points_error=float(_error(points)[0]),
            win=None if win is None else float(win.mean()),
            win_error=None if win is None else float(_error(win)[0]),
            behind=float(behind.mean()),
            behind_error=float(_error(behind[:, None])[0]),
            endings=tuple((counts / len(own)).tolist()),
            answered=float(own[:, 0, ANSWERED].mean()),
        )


def _floats(values: Array) -> Floats:
    return np.asarray(values, dtype=np.float64)


def _points(found: Array, seats: int) -> Floats:
    """The points of the deal, less the mean of the other seats."""
    return _floats(found[..., MINE] - found[..., OTHERS] / (seats - 1))


def _error(values: Floats) -> Floats:
    """The standard error of the mean of each column."""
    if len(values) < 2:
        return np.full(values.shape[1:], np.inf)
    return _floats(values.std(axis=0, ddof=1) / np.sqrt(len(values)))


def _guide(game: Game, player: KernelAgent) -> AnyAgent:
    """The strongest agent that plays a game: its highest level, or the plain player."""
    for level in reversed(game.family.levels):
        try:
            return parse_agent(level.spec, game)
        except OptionsError:  # a network that does not play this rule set
            continue
    return player


@lru_cache(maxsize=8)
def evaluator_of(name: str) -> Evaluator:
    """The evaluator of a game, by its name; made once, since making it compiles."""
    return Evaluator(parse_game(name))


def explain(found: Evaluation) -> Explanation:
    """An evaluation in the form in which agents give their reasons."""
    best = found.best
    columns = [("move", "move"), ("points", "points"), ("points_error", "±")]
    if best.win is not None:
        columns += [("win", "match %"), ("win_error", "± %")]
    columns += [("behind", "behind"), ("behind_error", "± behind"), ("samples", "samples")]
    rows = tuple(tuple(_cell(move, key, found.unit) for key, _ in columns) for move in found.moves)
    shares = [
        Figure(name.replace(" ", "_").replace("'", ""), f"{name}, in per cent", 100 * share)
        for name, share in zip(found.endings, best.endings, strict=True)
    ]
    if found.answer:
        shares.append(Figure("answered", f"{found.answer}, in per cent", 100 * best.answered))
    likeliest = max(zip(best.endings, found.endings, strict=True))[1]
    reason = f"{best.points:+.1f} points on {best.samples} samples; most often: {likeliest}"
    return Explanation(
        best.action, reason, (Comparison("moves", tuple(columns), rows),), (*shares,)
    )


def _cell(move: MoveValue, key: str, unit: str) -> str | float | None:
    if key == "move":
        return move.text
    value: float = getattr(move, key)
    if key == "samples":
        return value
    in_per_cent = key.startswith("win") or (key.startswith("behind") and unit == "win")
    return 100 * value if in_per_cent else float(value)
