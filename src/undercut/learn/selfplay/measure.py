"""How a network fares against agents of its game, on the device it is trained on."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import torch

from undercut.core.records import new
from undercut.games.contract import Game
from undercut.games.encoding import bit_places, encoding_of
from undercut.learn.selfplay.arena import Device, Kernels, open_table
from undercut.learn.selfplay.kernels import MASK_BITS
from undercut.learn.selfplay.network import padded
from undercut.play.series import result_layout

LOOK = 16  # steps between two looks at whether all matches are over


@dataclass(frozen=True)
class Score:
    """Matches won of those played, each deal with seats exchanged."""

    rival: str
    games: int
    wins: float  # a share, ties split
    error: float  # 1.96 standard errors, over pairs of games


@torch.no_grad()
def measure(
    game: Game, network: Any, rival: str, games: int, seed: int, device: Device, width: int = 32768
) -> Score:
    """Let a network play its best against an agent."""
    encoding, kernels, array = encoding_of(game), Kernels(game, device), device.array
    width = min(width, games)
    results: Any = new(result_layout(game.rules), games)
    if device.on_gpu:
        from undercut.play.gpu.target import load_cuda

        results = load_cuda().to_device(results)
    table = open_table(game, width, seed, rival, device, count=games, results=results)
    words = device.zeros(width, len(encoding.planes), kind=torch.int64)
    bits = device.zeros(width, padded(encoding.inputs, 64), kind=device.number_type)
    places = device.tensor(bit_places(encoding.planes))
    masks = device.zeros(width, -(-encoding.outputs // MASK_BITS), kind=torch.int64)
    chosen = device.zeros(width, kind=torch.int64)
    chances = device.zeros(width, kind=torch.float32)
    step = 0
    counts = device.tensor(table.counts)
    while step % LOOK or int(counts.sum()):
        stream = device.stream
        kernels.encode(width, table.views, table.options, array(words), stream=stream)
        kernels.unpack(
            bits.numel(), array(words), array(places), device.one, array(bits), stream=stream
        )
        logits = network(bits).float()
        kernels.choose(
            width,
            array(logits),
            array(chances),
            0.0,
            table.legal,
            table.counts,
            table.actions,
            array(masks),
            array(chosen),
            array(chances),
            stream=stream,
        )
        table.apply(stream=stream)
        step += 1
    if device.on_gpu:
        torch.cuda.synchronize()
        results = results.copy_to_host()
    return _score(rival, results["scores"][:, : game.seats], table, games, game)


def _score(rival: str, scores: Any, table: Any, games: int, game: Game) -> Score:
    from undercut.play.seating import line_ups

    series = table.series if isinstance(table.series, np.ndarray) else table.series.copy_to_host()
    agents = line_ups(series.view(np.recarray), 0, games)
    best = scores == scores.max(axis=1, keepdims=True)
    shares = best / best.sum(axis=1, keepdims=True)
    wins = np.where(agents == 0, shares, 0.0).sum(axis=1)
    size = int(series["games_in_round"][0])
    rounds = wins[: games // size * size].reshape(-1, size).mean(axis=1)
    error = 1.96 * float(rounds.std(ddof=1)) / sqrt(len(rounds)) if len(rounds) > 1 else 1.0
    return Score(rival, games, float(wins.mean()), error)
