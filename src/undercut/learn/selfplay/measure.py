"""The strength of a network against agents of its game, on the device of its training."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from undercut.games.contract import Game
from undercut.kernels.records import new
from undercut.lab.rounds import rounds_of
from undercut.lab.statistics import Moments, half_width
from undercut.learn.selfplay.arena import Device, Kernels, Unpacked, open_table
from undercut.learn.selfplay.kernels import MASK_BITS, Decisions
from undercut.learn.selfplay.rivals import is_network, rival_network
from undercut.play.batch import Batch
from undercut.play.series import result_layout
from undercut.players.encoding import encoding_of

LOOK = 16  # steps between two checks whether all matches are over


@dataclass(frozen=True)
class Score:
    rival: str
    games: int
    wins: float  # a share, ties split
    error: float  # half of its 95 % interval, over rounds
    points: float  # a deal, minus the mean of the others
    points_error: float


@torch.no_grad()
def measure(
    game: Game,
    network: Callable[[torch.Tensor], torch.Tensor],
    rival: str,
    games: int,
    seed: int,
    device: Device,
    width: int = 32768,
) -> Score:
    """Let a network play its best against an agent, for at least two whole rounds."""
    games = max(2, games // game.seats) * game.seats
    encoding, kernels, array = encoding_of(game), Kernels(game, device), device.array
    width = min(width, games)
    results: Any = new(result_layout(game.rules), games)
    if device.on_gpu:
        from undercut.play.gpu.target import load_cuda

        results = load_cuda().to_device(results)
    table = open_table(game, width, seed, rival, device, count=games, results=results)
    other = None
    if is_network(rival, game):
        other = rival_network(rival, game).to(device.name, device.number_type)
    seats, learns = (device.zeros(width, kind=torch.int8) for _ in range(2))
    before = device.zeros(width, game.seats, kind=torch.int32)
    words = device.zeros(width, len(encoding.planes), kind=torch.int64)
    seen = Unpacked(device, kernels.unpack, encoding.planes, width)
    masks = device.zeros(width, -(-encoding.outputs // MASK_BITS), kind=torch.int64)
    chosen = device.zeros(width, kind=torch.int64)
    chances = device.zeros(width, kind=torch.float32)
    step, used = 0, encoding.outputs
    counts = device.tensor(table.counts)
    while step % LOOK or int(counts.sum()):
        stream = device.stream
        kernels.encode(width, table.views, table.options, array(words), stream=stream)
        bits = seen.fill(words)
        logits = network(bits)[:, :used].float()
        if other is not None:
            places_of_rows = (array(seats), array(learns), array(before))
            kernels.look(width, table.matches, table.seats, *places_of_rows, 1, stream=stream)
            theirs = other(bits)[:, :used].float()
            logits = torch.where(learns.bool().unsqueeze(1), logits, theirs)
        kernels.choose(
            width,
            array(logits),
            array(chances),
            0.0,
            table.legal,
            table.counts,
            table.actions,
            Decisions(array(masks), array(chosen), array(chances)),
            stream=stream,
        )
        table.apply(stream=stream)
        step += 1
    if device.on_gpu:
        torch.cuda.synchronize()
        results = results.copy_to_host()
    series = table.series if isinstance(table.series, np.ndarray) else table.series.copy_to_host()
    names = ("learner", *[rival] * (game.seats - 1))
    columns = (series.view(np.recarray), 0, results.view(np.recarray))
    return score_of(Batch(game, names, *columns, np.zeros((games, 0)), 0.0))


def score_of(batch: Batch) -> Score:
    """The score of the first agent of a batch."""
    moments = Moments.of(rounds_of(batch))
    wins, points = moments.mean_win_rate(0), moments.lead_per_deal(0)
    return Score(
        batch.agents[1], len(batch), wins.value, half_width(wins), points.value, half_width(points)
    )
