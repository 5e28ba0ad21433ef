"""The tables of a self-play run and the arrays of all its decisions, on one device."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np
import torch

from undercut.games.contract import Game
from undercut.kernels.records import Array
from undercut.learn.selfplay import kernels
from undercut.learn.selfplay.kernels import MASK_BITS, Decisions, Steps, Terms
from undercut.learn.selfplay.network import padded
from undercut.learn.selfplay.rivals import SELF, is_network, rival_agent
from undercut.play.agent import KernelAgent
from undercut.play.series import make_series
from undercut.play.vector import rows
from undercut.play.vector.autoplay import Autoplay
from undercut.play.vector.rows import RowKernel
from undercut.play.vector.table import vector_table
from undercut.players.bits import bit_places
from undercut.players.encoding import encoding_of

NOTED = (
    "words",
    "hidden",
    "masks",
    "chosen",
    "chances",
    "values",
    "on_turn",
    "learns",
    "over",
    "gained",
    "rewards",
)
"""The arrays of a step, which are kept until its advantages are known."""

Item = TypeVar("Item")  # a table with its rows
Equity: TypeAlias = Mapping[str, torch.Tensor]
"""For each game the chance to win from every score; a single number if points count instead."""


class Device:
    """The device of a run: its tensors, and the arrays of its kernels that share their memory."""

    def __init__(self, name: str, precision: str = "") -> None:
        self.name = name
        self.on_gpu = name == "cuda"
        self.number_type: torch.dtype = getattr(
            torch, precision or ("bfloat16" if self.on_gpu else "float32")
        )
        is_short = self.number_type == torch.bfloat16
        self.one = 0x3F80 if is_short else np.float32(1)  # 1 as such a number
        if self.on_gpu:
            from undercut.play.gpu.target import load_cuda

            self._cuda = load_cuda()
        self._streams: list[torch.cuda.Stream] = []

    def zeros(self, *shape: int, kind: torch.dtype) -> torch.Tensor:
        return torch.zeros(shape, dtype=kind, device=self.name)

    def tensor(self, array: Array) -> torch.Tensor:
        """A tensor that shares the memory of a table's array."""
        return torch.as_tensor(array, device=self.name)

    def array(self, tensor: torch.Tensor) -> Any:
        """The array of a tensor for kernels; on a GPU a device array."""
        if tensor.dtype == torch.bfloat16:
            tensor = tensor.view(torch.int16)
        if not self.on_gpu:
            return tensor.numpy()
        return self._cuda.as_cuda_array(tensor)

    def records(self, array: Array) -> Any:
        """Records for kernels; on a GPU a copy of them there."""
        return self._cuda.to_device(array) if self.on_gpu else array

    def beside_each_other(self, sittings: list[Item]) -> Iterator[Item]:
        """Iterate over tables; a GPU executes their kernels concurrently."""
        if not self.on_gpu or len(sittings) < 2:
            yield from sittings
            return
        while len(self._streams) < len(sittings):
            self._streams.append(torch.cuda.Stream())  # type: ignore[no-untyped-call]
        main, own = torch.cuda.current_stream(), self._streams[: len(sittings)]
        for each, stream in zip(sittings, own, strict=True):
            stream.wait_stream(main)
            with torch.cuda.stream(stream):
                yield each
        for stream in own:
            main.wait_stream(stream)

    def wait(self) -> None:
        """Wait for all submitted work."""
        if self.on_gpu:
            torch.cuda.synchronize()

    @property
    def stream(self) -> object:
        """The stream of kernels: torch's own, also during the capture of a graph."""
        if not self.on_gpu:
            return None
        return self._cuda.external_stream(torch.cuda.current_stream().cuda_stream)


@dataclass(frozen=True)
class Sitting:
    """A table with its game, the learner's rival and its rows of the arena."""

    game: Game
    rival: str
    first: int
    end: int
    table: Any


class Kernels:
    """The row kernels of a game, bound for a device."""

    def __init__(self, game: Game, device: Device) -> None:
        encoding, name = encoding_of(game), game.rules.NAME
        where = device.name
        self.encode = RowKernel(rows.encode_rows, name, where, encode=encoding.encode)
        self.reveal = RowKernel(rows.reveal_rows, name, where, reveal=encoding.reveal)
        lanes = kernels.LANES if device.on_gpu else 1
        self.unpack = RowKernel(kernels.unpack_rows, name, where, lanes=lanes)
        self.choose = RowKernel(kernels.choose_rows, name, where, output_of=encoding.output_of)
        self.look = RowKernel(kernels.look_rows, name, where)
        self.note = RowKernel(kernels.note_rows, name, where)
        self.judge = RowKernel(kernels.judge_rows, name, where)


class Unpacked:
    """The bits of words as inputs of a network, at a fixed address."""

    def __init__(
        self, device: Device, unpack: RowKernel, planes: tuple[int, ...], rows: int
    ) -> None:
        self._device, self._unpack = device, unpack
        self._places = device.tensor(bit_places(planes))
        self.bits = device.zeros(rows, padded(sum(planes), 64), kind=device.number_type)

    def fill(self, words: torch.Tensor) -> torch.Tensor:
        """Unpack the bits of these words."""
        device, array = self._device, self._device.array
        where = (array(words), array(self._places), device.one, array(self.bits))
        self._unpack(self.bits.numel(), *where, stream=device.stream)
        return self.bits


def open_table(game: Game, width: int, seed: int, rival: str, device: Device, **more: Any) -> Any:
    """A table at which networks decide; a rival that is not a network plays by itself."""
    encoding = encoding_of(game)
    rest = KernelAgent("rest", encoding.rest, game.options, workspace=encoding.workspace)
    asks = is_network(rival, game)
    autoplay = Autoplay(encoding.is_asked, rest, rest if asks else rival_agent(rival, game))
    names = ["learner"] * game.seats if rival == SELF else ["learner", *[rival] * (game.seats - 1)]
    asked = [0] * game.seats if asks else [0, *[1] * (game.seats - 1)]
    series = make_series(game, names, seed, choosers=asked)
    return vector_table(game, width, device=device.name, series=series, autoplay=autoplay, **more)


class Arena:
    """Tables side by side, and their last steps."""

    def __init__(
        self, device: Device, sittings: list[tuple[Game, str, int]], steps: int, seed: int
    ) -> None:
        """`sittings` are games, rivals, and their numbers of rows."""
        self.device, self.steps = device, steps
        first = sittings[0][0]
        self.encoding, self.kernels = encoding_of(first), Kernels(first, device)
        self.sittings: list[Sitting] = []
        end = 0
        for number, (game, rival, width) in enumerate(sittings):
            table = open_table(game, width, seed + number, rival, device)
            self.sittings.append(Sitting(game, rival, end, end + width, table))
            end += width
        self.rows = end
        self.seats = max(game.seats for game, _, _ in sittings)
        self.ahead = steps if self.seats > 2 else 0
        """With more than two seats, a player may be out early and gets its reward at the end of the
        deal. So advantages are computed as many steps later again."""
        self.end = self.ahead + steps
        self._make_room()

    def _make_room(self) -> None:
        device, encoding, seats = self.device, self.encoding, self.seats
        steps, width = self.end, self.rows
        words, masks = len(encoding.planes), -(-encoding.outputs // MASK_BITS)
        self.words = device.zeros(steps + 1, width, words, kind=torch.int64)
        self.hidden = device.zeros(steps, width, len(encoding.hidden), kind=torch.int64)
        self.masks = device.zeros(steps, width, masks, kind=torch.int64)
        self.chosen = device.zeros(steps, width, kind=torch.int64)
        self.chances = device.zeros(steps, width, kind=torch.float32)
        self.values = device.zeros(steps + 1, width, kind=torch.float32)
        self.on_turn = device.zeros(steps + 1, width, kind=torch.int8)
        self.learns = device.zeros(steps + 1, width, kind=torch.int8)
        self.weights = device.zeros(steps, width, kind=torch.int8)
        self.over = device.zeros(steps, width, kind=torch.int8)
        self.gained = device.zeros(steps, width, seats, kind=torch.int16)
        self.rewards = device.zeros(steps, width, seats, kind=torch.float32)
        self.advantages = device.zeros(steps, width, kind=torch.float32)
        self.before = device.zeros(width, seats, kind=torch.int32)
        self.scratch = device.zeros(width, 4, seats, kind=torch.float32)
        self.seen = Unpacked(device, self.kernels.unpack, encoding.planes, width)
        self.randoms = device.zeros(width, kind=torch.float32)

    def keep(self) -> None:
        """Move the steps whose advantages are not yet known to the front."""
        for name in NOTED if self.ahead else ():
            tensor = getattr(self, name)
            tensor[: self.ahead].copy_(tensor[self.steps : self.end])

    def restart(self, piece: int) -> None:
        """Begin new matches in all rows."""
        for each in self.sittings:
            each.table.restart(piece << 40)

    def look(self, step: int) -> torch.Tensor:
        """The inputs of networks for the decision in every row."""
        array, kernels = self.device.array, self.kernels
        for each in self.device.beside_each_other(self.sittings):
            part, table = slice(each.first, each.end), each.table
            size, stream = each.end - each.first, self.device.stream
            words = array(self.words[step, part])
            kernels.encode(size, table.views, table.options, words, stream=stream)
            kernels.look(
                size,
                table.matches,
                table.seats,
                array(self.on_turn[step, part]),
                array(self.learns[step, part]),
                array(self.before[part, : each.game.seats]),
                each.game.seats if each.rival == SELF else 1,
                stream=stream,
            )
            if step < self.end:
                table.reveal(kernels.reveal, array(self.hidden[step, part]), stream)
        return self.seen.fill(self.words[step])

    def play(self, step: int, logits: torch.Tensor, equity: Equity, scale: float) -> None:
        """Sample an action in every row, play it, and store the results."""
        array = self.device.array
        self.randoms.uniform_()
        self.values[step] = logits[:, self.encoding.outputs]
        for each in self.device.beside_each_other(self.sittings):
            part, table = slice(each.first, each.end), each.table
            size, seats, stream = each.end - each.first, each.game.seats, self.device.stream
            self.kernels.choose(
                size,
                array(logits[part]),
                array(self.randoms[part]),
                1.0,
                table.legal,
                table.counts,
                table.actions,
                Decisions(
                    array(self.masks[step, part]),
                    array(self.chosen[step, part]),
                    array(self.chances[step, part]),
                ),
                stream=stream,
            )
            table.apply(stream=stream)
            self.kernels.note(
                size,
                table.ended,
                table.gained,
                array(self.before[part, :seats]),
                array(equity[each.game.name]),
                scale,
                array(self.over[step, part]),
                array(self.gained[step, part, :seats]),
                array(self.rewards[step, part, :seats]),
                stream=stream,
            )

    def judge(self, terms: Terms) -> None:
        """Compute the advantages of all steps; needs the `values` of the step after the last."""
        array = self.device.array
        noted = (self.values, self.on_turn, self.learns, self.over, self.rewards)
        found = map(array, (self.scratch, self.advantages, self.weights))
        played = Steps(*map(array, noted))
        self.kernels.judge(self.rows, played, terms, *found, stream=self.device.stream)
