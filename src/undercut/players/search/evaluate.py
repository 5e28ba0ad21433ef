"""The evaluator: the value of each move in a position, and its standard error.

It is a function of the view, the number of samples and the seed. The family's joint belief samples
the hidden cards, and its small network plays the rollouts for every seat. A network judges most of
them after some decisions; every fourth one goes to the end of the deal and gives the points and the
endings. Without such networks, hidden cards are dealt evenly and the family's plain opponent plays
to the end. A value is the chance to win the match if that follows from a deal, and otherwise the
points.

The best move is that of the guide, a strong agent that does not search, unless another one leads it
significantly. To take the highest mean would pick moves by their noise.
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

from undercut.cards.french import Cards
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.kernels import rng
from undercut.kernels.jit import COMPILED
from undercut.kernels.records import Action, Array, Buffer, Floats, View, pack
from undercut.play.agent import AnyAgent, KernelAgent, Random
from undercut.play.ask import ask
from undercut.play.deal import Deal
from undercut.play.explanation import Comparison, Explanation, Figure
from undercut.players.catalog import parse_agent
from undercut.players.encoding import encoding_of
from undercut.players.endings import endings_of
from undercut.players.equity import count_outcomes, match_equity
from undercut.players.joint.belief import JointBelief, joint_belief
from undercut.players.provided import provided
from undercut.players.search.rollouts import (
    ANSWERED,
    CUT,
    ENDING,
    FIELDS,
    MILLION,
    MINE,
    OTHERS,
    VALUE,
    Samples,
    make_memory,
    rollout_kernel,
)
from undercut.players.search.selection import best_columns, standard_error, survivors
from undercut.text.errors import IllegalAction, OptionsError

SAMPLES = 400
FIRST_SHARE = 4  # the share of the samples that all moves get: one in FIRST_SHARE
TRUST = 3.0  # standard errors by which a move must lead the guide's
DEPTH = 10  # the network's decisions until a rollout is cut
KNOWN_DEPTH = 6  # the same where the other hands are known
WHOLE_SHARE = 4  # one in so many rollouts goes to the end of the deal
HANDS = 256  # hidden hands that the joint belief samples together, always so many
PART = 16  # samples between two looks at the clock
SHARE = 8  # the fewest samples for which a thread is worth its start
_DEALS, _OUTCOMES = (
    (500, 4) if COMPILED else (4, 2)
)  # deals, and samples of each, from which match equity follows
FEWEST_REPLIES = 4  # samples with and without a reply, from which on its cost is told
USUAL_LEAD = 20  # points of a usual deal, over which the worth of a point is measured
VALUED = 60  # points with the value of a whole match, where points count
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
    answer_cost: float | None  # the value of the samples without that reply, less that of the
    # others; None if one of the two has too few
    answer_cost_error: float | None


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
        family = game.family
        player = _first_of(game, family.rollouts, family.opponent)
        if not isinstance(player, KernelAgent):
            raise OptionsError(f"no evaluation of {game.name}: {player.name} is not a kernel agent")
        self.game, self.player, self.endings = game, player, endings_of(game)
        self.guide = _first_of(game, family.guide, family.opponent)
        self.belief = _belief(game)
        self._kernel = rollout_kernel(game.rules, player, self.endings)
        self._packed = pack(game.options), pack(player.settings)
        self._workers = workers or os.cpu_count() or 1
        self._memories = [make_memory(game, player) for _ in range(self._workers)]
        self._sampled: tuple[object, Buffer] = None, np.zeros((0, 0), dtype=np.int64)
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

    def choose(
        self,
        view: View,
        moves: Sequence[Action],
        samples: int,
        seed: int,
        gate: float,
        milliseconds: float | None = None,
    ) -> Action:
        """The move with the highest value if it leads the first move by `gate` standard errors."""
        tried = np.array(moves, dtype=np.int64)
        first = PART if milliseconds else max(1, samples // FIRST_SHARE)
        with self._lock:
            found = self._sample(view, tried, range(first), seed, whole_share=0)
            kept = self._survivors(view, found, 0)
            if len(kept) == 1:
                return int(moves[0])
            if milliseconds is None:
                rest = self._sample(view, tried[kept], range(first, samples), seed, whole_share=0)
            else:
                rest = self._sample_until(view, tried[kept], first, seed, milliseconds, 0)
        values = self._values(view, np.concatenate([found[:, kept], rest]))
        return int(tried[kept[best_columns(values[None], gate)[0]]])

    def known(
        self, view: View, moves: Sequence[Action], hands: Sequence[Cards], samples: int, seed: int
    ) -> Array:
        """The numbers of each move if the other hands are known and the stock is not.

        A move NONE lets the player decide. After the FIELDS numbers come the points of each seat of
        a deal that ended. This is for finished deals.
        """
        numbers = np.arange(samples, dtype=np.int64)
        depths = np.full_like(numbers, KNOWN_DEPTH if self.cuts and self.game.seats == 2 else 0)
        own = np.tile(np.array(hands, dtype=np.int64), (samples, 1))
        tried = np.array(moves, dtype=np.int64)
        with self._lock:
            return self._roll_out(
                view, tried, seed, Samples(numbers, own, depths), FIELDS + self.game.seats
            )

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
        self,
        view: View,
        moves: Buffer,
        first: int,
        seed: int,
        milliseconds: float,
        whole_share: int = WHOLE_SHARE,
    ) -> Array:
        """Samples from number `first` on, for so long."""
        deadline, parts = time.perf_counter() + milliseconds / 1000, list[Array]()
        while not parts or time.perf_counter() < deadline:
            start = first + PART * len(parts)
            numbers = range(start, start + PART)
            parts.append(self._sample(view, moves, numbers, seed, whole_share))
        return np.concatenate(parts)

    def _sample(
        self, view: View, moves: Buffer, numbers: range, seed: int, whole_share: int = WHOLE_SHARE
    ) -> Array:
        """The numbers of each move on the samples with these numbers.

        One in `whole_share` rollouts goes to the end; 0: none has to.
        """
        every = np.arange(numbers.start, numbers.stop, dtype=np.int64)
        samples = Samples(every, self._hands(view, numbers, seed), self._depths(every, whole_share))
        return self._roll_out(view, moves, seed, samples)

    def _roll_out(
        self, view: View, moves: Buffer, seed: int, samples: Samples, fields: int = FIELDS
    ) -> Array:
        """Try the moves on these samples, on several threads if there are enough of them."""
        count = len(samples.numbers)
        found = np.zeros((count, len(moves), fields), dtype=np.int64)
        threads = max(1, min(self._workers, count // SHARE))
        cuts = np.linspace(0, count, threads + 1).astype(np.int64)

        def work(thread: int) -> None:
            part = slice(*cuts[thread : thread + 2])
            own, memory = Samples(*(each[part] for each in samples)), self._memories[thread]
            self._kernel(view, moves, *self._packed, seed, own, memory, found[part])

        if threads == 1:
            work(0)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(work, range(threads)))
        return found

    def _hands(self, view: View, numbers: range, seed: int) -> Buffer:
        """The hidden hands of samples; no columns where they are dealt evenly."""
        if not self.believes(view):
            return np.zeros((len(numbers), 0), dtype=np.int64)
        first, last = numbers.start // HANDS, max(numbers.start, numbers.stop - 1) // HANDS
        blocks = [self._block(view, seed, block) for block in range(first, last + 1)]
        start = numbers.start - first * HANDS
        return np.concatenate(blocks)[start : start + len(numbers)]

    def _block(self, view: View, seed: int, block: int) -> Buffer:
        """The hidden hands of HANDS samples; the two stages of an evaluation share the last ones."""
        assert self.belief is not None
        key = (view.tobytes(), seed, block)
        if key != self._sampled[0]:
            own = rng.derive(seed, HANDS, block, 0)
            self._sampled = key, self.belief.sample(view, HANDS, own)
        return self._sampled[1]

    def believes(self, view: View) -> bool:
        """Whether the belief samples: its network knows the positions in which networks decide."""
        return self.belief is not None and bool(self.belief.encoding.is_asked(view, 0))

    def _depths(self, numbers: Buffer, whole_share: int) -> Buffer:
        """The depth of the rollout with each number."""
        depths = np.full_like(numbers, DEPTH if self.cuts else 0)
        if whole_share > 0:
            depths[numbers % whole_share == 0] = 0
        return depths

    @property
    def cuts(self) -> bool:
        """Whether a network judges rollouts.

        It has learned to win matches to a target, and places in games that score places.
        """
        is_learned = self._target > 0 or self.endings.per_place > 0
        return self.player.value is not None and is_learned

    @property
    def measures_wins(self) -> bool:
        """Whether values are chances to win the match; otherwise they are points."""
        is_one_deal = getattr(self.game.options, "deals", 0) == 1
        return self.game.seats == 2 and (is_one_deal or self.equity is not None)

    @property
    def _target(self) -> int:
        """The points that win a match of two; 0 if anything else ends it."""
        options = self.game.options
        is_one_deal = getattr(options, "deals", 0) == 1
        return 0 if self.game.seats != 2 or is_one_deal else int(getattr(options, "target", 0))

    def _survivors(self, view: View, found: Array, guided: int) -> NDArray[np.intp]:
        """The moves that are not clearly worse than the leader, and the guide's."""
        return np.flatnonzero(survivors(self._values(view, found)[None], guided=guided)[0])

    @cached_property
    def equity(self) -> tuple[Floats, int] | None:
        """The chance to win from each pair of scores, and the points of a step in this table.

        It is known for matches of two to a target. The outcomes of deals are those of the plain
        player, from the first decision of DEALS deals.
        """
        target = self._target
        if target == 0:
            return None
        step = -(-target // _LEVELS)
        gained = []
        for seed in range(_DEALS):
            deal = Deal(self.game, seed)
            view, random = deal.observe(), Random.from_seed(seed)
            move = np.array([self.player.act(view, deal.actions, random)], dtype=np.int64)
            numbers = np.arange(_OUTCOMES, dtype=np.int64)
            samples = Samples(numbers, np.zeros((_OUTCOMES, 0), dtype=np.int64), 0 * numbers)
            found = self._roll_out(view, move, seed, samples)
            gained.append(found[:, 0, [MINE, OTHERS]])
        outcomes = np.concatenate(gained) // step
        if not outcomes.any():
            return None
        counts = count_outcomes(outcomes, int(outcomes.max()))
        return match_equity(counts, -(-target // step)), step

    def _values(self, view: View, found: Array) -> Floats:
        me = int(view.me)
        return self.values(found, int(view.scores[me]), int(view.scores[1 - me]))

    def values(self, found: Array, mine: int | Buffer, theirs: int | Buffer) -> Floats:
        """The value of each move on each sample: the chance to win, or the points."""
        win = self.wins(found, mine, theirs)
        return self._points(found) if win is None else win

    def leads(self, found: Array, mine: int, theirs: int) -> Floats:
        """The points of the deal, less the mean of the other seats, also of cut rollouts.

        A cut one counts the points that would change the chance to win as much.
        """
        if self._target == 0 or self.player.value is None:
            return self._points(found)
        change = found[..., VALUE] / (MILLION * self.player.value.match)
        lead = found[..., MINE] - found[..., OTHERS]
        return _floats(lead + change / self.win_per_point(mine, theirs))

    def win_per_point(self, mine: int, theirs: int) -> float:
        """How much the chance to win the match changes with a point."""
        if self.equity is None:
            return 0.5 / self.endings.per_place if self.endings.per_place else 1 / VALUED
        equity, step = self.equity
        last, some = len(equity) - 1, max(1, USUAL_LEAD // step)
        own, other = min(mine // step, last), min(theirs // step, last)
        more = equity[min(own + some, last), other] - equity[own, min(other + some, last)]
        return max(1e-6, float(more) / (2 * some * step))

    def _points(self, found: Array) -> Floats:
        """The points of the deal, less the mean of the other seats.

        A network's value is that of the seat's points, less the mean of all seats.
        """
        others = self.game.seats - 1
        lead = _floats(found[..., MINE] - found[..., OTHERS] / others)
        if self.player.value is None:
            return lead
        unit = MILLION * self.player.value.match / VALUED
        return _floats(lead + found[..., VALUE] / unit * self.game.seats / others)

    def _win(self, view: View, found: Array) -> Floats | None:
        me = int(view.me)
        return self.wins(found, int(view.scores[me]), int(view.scores[1 - me]))

    def wins(self, found: Array, mine: int | Buffer, theirs: int | Buffer) -> Floats | None:
        """The chance to win the match after each sample; None where the points do not tell.

        `mine` and `theirs` are the scores of the two seats in a game of two.
        """
        if self.game.seats != 2:
            return None
        if getattr(self.game.options, "deals", 0) == 1:  # the deal is the match
            lead = self._points(found)
            is_cut = found[..., ENDING] == CUT
            judged = np.clip(0.5 + 0.5 * lead / max(1, self.endings.per_place), 0, 1)
            return _floats(np.where(is_cut, judged, 0.5 + 0.5 * np.sign(lead)))
        if self.equity is None:
            return None
        equity, step = self.equity
        last = len(equity) - 1
        own = np.minimum((mine + found[..., MINE]) // step, last)
        other = np.minimum((theirs + found[..., OTHERS]) // step, last)
        win = equity[own, other]
        if self.player.value is not None:  # a cut rollout has brought no points yet
            win = np.clip(win + found[..., VALUE] / (MILLION * self.player.value.match), 0, 1)
        return _floats(win)

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
            unit="win" if self.measures_wins else "points",
            endings=self.endings.names,
            answer=self.endings.answer,
            belief="joint" if self.believes(view) else "even",
            player=self.player.name,
            guide=self.guide.name,
            samples=len(both),
            seed=seed,
        )

    def _chosen(self, values: Floats, guided: int) -> int:
        """The column of the best move: the guide's, unless the leader is significantly better."""
        leader = int(values[0::2].mean(axis=0).argmax())
        lead = (values[:, [leader]] - values[:, [guided]])[1::2]
        is_better = lead.mean() > TRUST * standard_error(lead)[0]
        return leader if is_better else guided

    def _move(self, view: View, move: Action, own: Array, behind: Floats) -> MoveValue:
        whole = own[own[:, 0, ENDING] != CUT]
        points, win = self._points(whole), self._win(view, own)
        cost = _answer_cost(self._values(view, own)[:, 0], own[:, 0, ANSWERED] > 0)
        counts = np.bincount(whole[:, 0, ENDING], minlength=len(self.endings.names))
        return MoveValue(
            action=move,
            text=self.game.notation.format_action(move),
            samples=len(own),
            points=float(points.mean()),
            points_error=float(standard_error(points)[0]),
            win=None if win is None else float(win.mean()),
            win_error=None if win is None else float(standard_error(win)[0]),
            behind=float(behind.mean()),
            behind_error=float(standard_error(behind[:, None])[0]),
            endings=tuple((counts / len(whole)).tolist()),
            answered=float(own[:, 0, ANSWERED].mean()),
            answer_cost=None if cost is None else cost[0],
            answer_cost_error=None if cost is None else cost[1],
        )


def _answer_cost(values: Floats, answered: NDArray[np.bool_]) -> tuple[float, float] | None:
    """How much less the samples with a reply are worth than the others, and its standard error."""
    without, replied = values[~answered], values[answered]
    if min(len(without), len(replied)) < FEWEST_REPLIES:
        return None
    error = np.hypot(standard_error(without[:, None])[0], standard_error(replied[:, None])[0])
    return float(without.mean() - replied.mean()), float(error)


def _floats(values: Array) -> Floats:
    return np.asarray(values, dtype=np.float64)


def _first_of(game: Game, *specs: str) -> AnyAgent:
    """The first of these agents that plays a game; the last one always does."""
    for spec in specs[:-1]:
        try:
            if spec:
                return parse_agent(spec, game)
        except OptionsError:  # a network that does not play this rule set
            continue
    return parse_agent(specs[-1], game)


def _belief(game: Game) -> JointBelief | None:
    """The joint belief of a game; None without a network for its number of seats."""
    if not game.family.joint or game.seats - 1 > len(encoding_of(game).hidden):
        return None
    return joint_belief(game, provided(game, "joint", f"no joint belief for {game.name}"))


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
    table = Comparison("moves", tuple(columns), rows)
    return Explanation(best.action, _sentence(found), (table,), (*shares,))


def _sentence(found: Evaluation) -> str:
    """The measured parts of the best move's value, in one sentence."""
    best = found.best
    share, ending = max(zip(best.endings, found.endings, strict=True))
    parts = [f"{best.points:+.1f} points a deal"]
    if best.win is not None:
        parts[0] = f"wins {100 * best.win:.1f} % of matches, {parts[0]}"
    if len(found.moves) > 1:
        parts.append(_behind(found.moves[1], found.unit))
    parts.append(f"most often: {ending} ({100 * share:.0f} %)")
    if best.answered > 0:
        parts.append(f"{found.answer}: {100 * best.answered:.0f} %")
    return "; ".join(parts)


def _behind(move: MoveValue, unit: str) -> str:
    """How far a move is behind the best one, if the samples tell."""
    if move.behind <= 2 * move.behind_error:
        return f"{move.text} is as good, as far as {move.samples} samples tell"
    scale, name = (100, "%") if unit == "win" else (1, "points")
    behind, error = scale * move.behind, scale * 2 * move.behind_error
    return f"{move.text} is {behind:.1f} ± {error:.1f} {name} behind"


def _cell(move: MoveValue, key: str, unit: str) -> str | float | None:
    if key == "move":
        return move.text
    value: float = getattr(move, key)
    if key == "samples":
        return value
    in_per_cent = key.startswith("win") or (key.startswith("behind") and unit == "win")
    return 100 * value if in_per_cent else float(value)
