"""How a network fares against agents of its game, on the device it is trained on."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import torch

from undercut.games.contract import Game
from undercut.kernels.records import new
from undercut.learn.selfplay.arena import Device, Kernels, open_table
from undercut.learn.selfplay.kernels import MASK_BITS
from undercut.learn.selfplay.network import padded
from undercut.learn.selfplay.rivals import is_network, rival_network
from undercut.play.seating import line_ups
from undercut.play.series import result_layout
from undercut.players.encoding import bit_places, encoding_of

LOOK = 16  # steps between two looks at whether all matches are over


@dataclass(frozen=True)
class Score:
    """Matches won of those played, each deal with seats exchanged."""

    rival: str
    games: int
    wins: float  # a share, ties split
    error: float  # 1.96 standard errors, over rounds in which seats are exchanged
    points: float  # a deal, more than the others got on average
    points_error: float


@torch.no_grad()
def measure(
    game: Game, network: Any, rival: str, games: int, seed: int, device: Device, width: int = 32768
) -> Score:
    """Let a network play its best against an agent, in whole rounds of which there are at least two."""
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
    bits = device.zeros(width, padded(encoding.inputs, 64), kind=device.number_type)
    places = device.tensor(bit_places(encoding.planes))
    masks = device.zeros(width, -(-encoding.outputs // MASK_BITS), kind=torch.int64)
    chosen = device.zeros(width, kind=torch.int64)
    chances = device.zeros(width, kind=torch.float32)
    step, used = 0, encoding.outputs
    counts = device.tensor(table.counts)
    while step % LOOK or int(counts.sum()):
        stream = device.stream
        kernels.encode(width, table.views, table.options, array(words), stream=stream)
        kernels.unpack(
            bits.numel(), array(words), array(places), device.one, array(bits), stream=stream
        )
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
    series = table.series if isinstance(table.series, np.ndarray) else table.series.copy_to_host()
    return _score(rival, results, series, game)


def _score(rival: str, results: Any, series: Any, game: Game) -> Score:
    games, scores = len(results), results["scores"][:, : game.seats].astype(np.float64)
    is_mine = line_ups(series.view(np.recarray), 0, games)[:, : game.seats] == 0
    best = scores == scores.max(axis=1, keepdims=True)
    shares = best / best.sum(axis=1, keepdims=True)
    wins = np.where(is_mine, shares, 0.0).sum(axis=1)
    others = np.where(is_mine, 0.0, scores).sum(axis=1) / (game.seats - 1)
    ahead = np.where(is_mine, scores, 0.0).sum(axis=1) - others
    size = int(series["games_in_round"][0])
    deals = results["deals"].reshape(-1, size).sum(axis=1)
    ahead = ahead.reshape(-1, size).sum(axis=1)
    points = float(ahead.sum() / deals.sum())
    spread = (ahead - points * deals) / deals.mean()  # of a ratio, whose parts vary together
    return Score(
        rival,
        games,
        float(wins.mean()),
        _error(wins.reshape(-1, size).mean(axis=1)),
        points,
        _error(spread),
    )


def _error(values: Any) -> float:
    """1.96 standard errors of a mean."""
    return 1.96 * float(values.std(ddof=1)) / sqrt(len(values))
