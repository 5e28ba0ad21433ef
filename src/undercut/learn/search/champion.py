"""The champion for many games at once: all their searches share the batches of its networks.

It plays as players/search/champion.py does, up to the rounding of the networks.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from undercut.kernels.records import Array, Buffer, Floats, Records, array_of, new
from undercut.kernels.rng import GENERATOR
from undercut.learn.search.hands import Hands
from undercut.learn.search.kernels import (
    Rollouts,
    begin_rows,
    choose_rows,
    deal_rows,
    pick_rows,
    play_rows,
)
from undercut.learn.selfplay.arena import Device, Kernels, Unpacked
from undercut.learn.selfplay.rivals import rival_network
from undercut.play.agent import FromSpec, Random
from undercut.play.ask import ask_many
from undercut.play.vector.rows import RowKernel
from undercut.players.encoding import encoding_of
from undercut.players.policy.kernel import pick_kernel
from undercut.players.search.candidates import CERTAIN
from undercut.players.search.champion import Champion
from undercut.players.search.evaluate import DEPTH, FIRST_SHARE
from undercut.players.search.rollouts import FIELDS
from undercut.players.search.selection import Moves, best_columns, survivors
from undercut.text.errors import OptionsError

ROWS = 1 << 18  # rollouts side by side
NEVER = 1 << 40  # a depth that no deal comes to


class Heat(NamedTuple):
    """The one setting of the network that picks the actions of rollouts."""

    temperature: float


@dataclass(frozen=True)
class Searches:
    """Positions in which moves are tried."""

    views: Records
    moves: Buffer  # a row for each position, the guide's move first
    valid: Moves  # the columns of `moves` that are used
    seeds: Buffer

    def part(self, rows: slice) -> "Searches":
        """Some of them."""
        return Searches(self.views[rows], self.moves[rows], self.valid[rows], self.seeds[rows])

    def __len__(self) -> int:
        return len(self.moves)

    @property
    def scores(self) -> Buffer:
        """The points of the searcher and of the other seat, in a game of two."""
        scores, me = self.views["scores"], self.views["me"].astype(np.int64)
        rows = np.arange(len(me))
        return np.stack([scores[rows, seat] for seat in (me, 1 - me)], axis=1)


class DeviceChampion(FromSpec):
    """A champion whose networks and rollouts run on one device, for all games of a call."""

    def __init__(self, champion: Champion, device_name: str, rows: int = ROWS) -> None:
        evaluator, game = champion.evaluator, champion.evaluator.game
        if evaluator.belief is None or evaluator.player.value is None:
            raise OptionsError(f"{champion.name} has no networks for {game.name}: it needs the CPU")
        if champion.by_clock:
            raise OptionsError(f"{champion.name} searches by the clock: it needs the CPU")
        self.name, self.game, self._champion, self._rows = champion.name, game, champion, rows
        self._evaluator, self._encoding = evaluator, encoding_of(game)
        self._device = Device(device_name)
        self._kernels = Kernels(game, self._device)
        self._hands = Hands(evaluator.belief, self._device)
        self._guide, self._small = map(self._network, (champion.guide.name, evaluator.player.name))
        self._options = self._device.records(array_of(game.options))
        self._settings = self._device.records(array_of(Heat(evaluator.player.settings.temperature)))
        self._bind_kernels()

    def _network(self, spec: str) -> torch.nn.Module:
        network = rival_network(spec, self.game)
        return network.to(self._device.name, self._device.number_type)

    def _bind_kernels(self) -> None:
        rules, encoding, where = self.game.rules, self._encoding, self._device.name
        bound: dict[str, Any] = {
            "complete": rules.complete,
            "apply": rules.apply,
            "list_legal": rules.legal,
            "observe": rules.observe,
            "is_over": rules.is_over,
            "score": rules.score,
            "ending": self._evaluator.endings.ending,
            "is_asked": encoding.is_asked,
            "rest": encoding.rest,
            "output_of": encoding.output_of,
            "pick": pick_kernel(encoding, f"{rules.NAME}_rows"),
        }
        self._deal, self._begin, self._play, self._choose = (
            RowKernel(template, rules.NAME, where, **bound)
            for template in (deal_rows, begin_rows, play_rows, choose_rows)
        )
        self._pick = RowKernel(pick_rows, rules.NAME, "cpu", **bound)

    def act_batch(
        self, views: Records, legal: Buffer, counts: Buffer, generators: Records
    ) -> Buffer:
        """One action for each view."""
        actions = np.zeros(len(views), dtype=np.int64)
        asked = np.array([bool(self._encoding.is_asked(view, 0)) for view in views])
        for rows, decide in ((~asked, self._ask_guide), (asked, self._search_all)):
            if rows.any():
                own = generators[rows]
                actions[rows] = decide(views[rows], legal[rows], counts[rows], own)
                generators[rows] = own
        return actions

    def _ask_guide(
        self, views: Records, legal: Buffer, counts: Buffer, generators: Records
    ) -> Buffer:
        return ask_many(self.game, self._champion.guide, views, legal, counts, generators)

    def _search_all(
        self, views: Records, legal: Buffer, counts: Buffer, generators: Records
    ) -> Buffer:
        """The guide's moves, and better ones where a search finds them."""
        actions, chances = self._guided(views, legal, counts, generators)
        open_rows = np.flatnonzero((chances.max(axis=1) < CERTAIN) & (counts > 1))
        seeds = [Random(generators[row]).below(1 << 31) for row in open_rows]
        columns = min(self._champion.settings.moves, legal.shape[1])
        liking = np.where(legal == actions[:, None], np.inf, chances)
        liking[np.arange(legal.shape[1]) >= counts[:, None]] = -1.0
        order = np.argsort(-liking[open_rows], axis=1, kind="stable")[:, :columns]
        searches = Searches(
            views[open_rows],
            np.take_along_axis(legal[open_rows], order, axis=1),
            np.take_along_axis(liking[open_rows], order, axis=1) >= 0,
            np.array(seeds, dtype=np.int64),
        )
        size = max(1, self._rows // (self._champion.settings.samples * columns))
        for first in range(0, len(searches), size):
            part = slice(first, first + size)
            actions[open_rows[part]] = self._search(searches.part(part))
        return actions

    def _guided(
        self, views: Records, legal: Buffer, counts: Buffer, generators: Records
    ) -> tuple[Buffer, Floats]:
        """The guide's moves, and its policy."""
        with torch.no_grad():
            answers = self._guide(self._bits(self._device.records(views), len(views)))
        actions, chances = np.zeros(len(views), dtype=np.int64), np.zeros(legal.shape)
        self._pick(
            len(views),
            answers.float().cpu().numpy(),
            legal,
            counts,
            array_of(self.game.options),
            array_of(self._champion.guide.settings),
            generators,
            actions,
            chances,
        )
        return actions, chances

    def _bits(self, views: Any, rows: int) -> torch.Tensor:
        """The inputs of the networks that play, for views on the device."""
        device, planes = self._device, self._encoding.planes
        words = device.zeros(rows, len(planes), kind=torch.int64)
        seen = Unpacked(device, self._kernels.unpack, planes, rows)
        self._kernels.encode(rows, views, self._options, device.array(words), stream=device.stream)
        return seen.fill(words)

    @torch.no_grad()
    def _search(self, searches: Searches) -> Buffer:
        """The best move of each search, in two stages as `Evaluator.choose`."""
        settings, scores = self._champion.settings, searches.scores
        first = max(1, settings.samples // FIRST_SHARE)
        dealt = self._deal_hands(searches)

        def values(numbers: range, tried: Moves) -> Floats:
            found = self._roll_out(searches, dealt, numbers, tried)
            return self._evaluator.values(found, scores[:, :1, None], scores[:, 1:, None])

        early = values(range(first), searches.valid)
        kept = survivors(early, searches.valid)
        kept[kept.sum(axis=1) == 1] = False
        late = values(range(first, settings.samples), kept)
        best = best_columns(np.concatenate([early, late], axis=1), settings.gate, kept)
        best[~kept.any(axis=1)] = 0
        return searches.moves[np.arange(len(best)), best]

    def _deal_hands(self, searches: Searches) -> Any:
        """The determinizations of all samples of each search, one after another."""
        device, samples = self._device, self._champion.settings.samples
        views, count = device.records(searches.views), len(searches) * samples
        belief = self._evaluator.belief
        assert belief is not None, "checked when it was made"
        hands = self._hands.sample(
            self._bits(views, len(searches)),
            [belief.limits(view) for view in searches.views],
            searches.seeds.tolist(),
            samples,
        )
        states = device.records(new(self.game.rules.STATE, count))
        self._deal(
            count,
            views,
            self._options,
            self._array(searches.seeds),
            self._array(np.arange(samples)),
            device.array(hands),
            device.records(new(GENERATOR, count)),
            states,
            stream=device.stream,
        )
        return states

    def _roll_out(self, searches: Searches, dealt: Any, numbers: range, tried: Moves) -> Array:
        """The numbers of each tried move: searches, samples, moves, fields."""
        shape = len(searches), len(numbers), searches.moves.shape[1]
        found = np.zeros((*shape, FIELDS), dtype=np.int64)
        places = np.nonzero(np.broadcast_to(tried[:, None], shape))
        search, sample, column = places
        if not len(search):
            return found
        number = sample + numbers.start
        rows = self._new_rollouts(len(search))
        self._begin(
            len(search),
            dealt,
            self._array(search * self._champion.settings.samples + number),
            self._array(searches.moves[search, column]),
            self._array(searches.seeds[search]),
            self._array(number),
            rows,
            stream=self._device.stream,
        )
        found[places] = self._play_out(rows, len(search))
        return found

    def _play_out(self, rows: Rollouts, count: int) -> Array:
        """Play all rollouts to their end or their depth, with a decision of the network each time."""
        device, outputs = self._device, self._encoding.outputs
        tensors = device.tensor(rows.counts)
        while True:
            self._play(count, self._options, rows, stream=device.stream)
            if not bool(tensors.any()):
                return device.tensor(rows.found).cpu().numpy()
            logits = self._small(self._bits(rows.views, count)).float()
            self._choose(
                count, self._options, device.array(logits), outputs, rows, stream=device.stream
            )

    def _new_rollouts(self, count: int) -> Rollouts:
        device, rules = self._device, self.game.rules
        depth = DEPTH if self._evaluator.cuts else NEVER

        def numbers(*columns: int, value: int = 0) -> Any:
            return device.array(torch.full((count, *columns), value, device=device.name))

        return Rollouts(
            states=device.records(new(rules.STATE, count)),
            views=device.records(new(rules.VIEW, count)),
            generators=device.records(new(GENERATOR, count)),
            legal=numbers(rules.LEGAL),
            counts=numbers(),
            actions=numbers(),
            left=numbers(value=depth),
            seats=numbers(),
            gained=numbers(self.game.seats),
            settings=self._settings,
            workspace=numbers(max(1, self._encoding.workspace)),
            found=numbers(FIELDS),
        )

    def _array(self, numbers: NDArray[np.int64]) -> Any:
        tensor = torch.from_numpy(np.ascontiguousarray(numbers, dtype=np.int64))
        return self._device.array(tensor.to(self._device.name))
