"""Train the network that says what the cards of Gin were worth: docs/adjust.md.

Plays matches, learns from them, and writes
src/undercut/games/gin/players/network/luck.safetensors. Run tools/networks.py afterwards,
which puts its checksum into the source.

The network reads states, both hands included, and learns what the deal then brought. After chance
has come in much is still to happen, so nobody can foretell how a deal ends: it learns the mean.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.gin.players.network.luck import INNER, NETWORK, PLANES, WIDTH
from undercut.play.batch import play_batch
from undercut.play.luck import Luck, note_chances
from undercut.players.bits import unpack
from undercut.players.catalog import parse_agent
from undercut.players.equity import MEASURES, measures
from undercut.players.luck.provided import luck_of
from undercut.players.luck.weights import NAMES, Judge, save_judge

MOST_POINTS = 120  # of a deal, between which it distinguishes
PART = 2000  # matches that are played at a time
ROWS = 40  # room for what chance may bring in a deal; more are left out
HELD_OUT = 20  # of this many parts of the rows one is for testing

Say = Callable[[str], None]


@dataclass(frozen=True)
class Config:
    """A training run; the same one gives the same network on the same machine."""

    game: str = "gin"
    # who plays whom, in how many matches, of which seed
    plays: tuple[tuple[str, str, int, int], ...] = (
        ("simple", "simple", 12_000, 900_001),
        ("patient", "simple", 12_000, 900_002),
        ("thrifty", "patient", 6_000, 900_003),
        ("thrifty", "simple", 6_000, 900_004),
        ("blueprint", "simple", 800, 910_001),
        ("blueprint", "blueprint", 1_200, 910_002),
        ("blueprint", "patient", 800, 910_003),
        ("simple", "simple", 12_000, 920_001),
        ("patient", "simple", 12_000, 920_002),
        ("patient", "patient", 6_000, 920_003),
        ("thrifty", "thrifty", 6_000, 920_004),
    )
    width: int = 128
    inner: int = 16
    epochs: float = 1.5
    rows: int = 4096  # in a step
    rate: float = 4e-3
    decay: float = 1e-4
    seed: int = 1


@dataclass(frozen=True)
class Notes:
    """What chance brought, and what the deal then brought the seat on turn and the other."""

    words: Any
    gained: Any

    def __getitem__(self, rows: slice) -> "Notes":
        return Notes(self.words[rows], self.gained[rows])


def take_notes(config: Config, say: Say = print) -> tuple[Notes, Notes]:
    """Play, and note what chance brought: to learn from, and to test with."""
    game = parse_game(config.game)
    luck = luck_of(game)
    learn, test = [], []
    for play in config.plays:
        notes = _joined(list(_play(game, luck, *play)))
        cut = len(notes.words) // HELD_OUT
        test.append(notes[slice(0, cut)])
        learn.append(notes[slice(cut, None)])
        say(f"{play[0]} v {play[1]}: {play[2]:,} matches")
    return _joined(learn), _joined(test)


def _play(
    game: Game, luck: Luck, first_spec: str, second_spec: str, matches: int, seed: int
) -> Iterator[Notes]:
    by_spec = {spec: parse_agent(spec, game) for spec in (first_spec, second_spec)}
    agents = [by_spec[first_spec], by_spec[second_spec]]
    for first in range(0, matches, PART):
        batch = play_batch(game, agents, min(PART, matches - first), seed, first=first, trace=None)
        room = ROWS * int(batch.results.deals.sum())
        words, gained = note_chances(batch, luck, room)
        yield Notes(words.copy(), gained.copy())


def _joined(parts: list[Notes]) -> Notes:
    return Notes(
        np.concatenate([part.words for part in parts]),
        np.concatenate([part.gained for part in parts]),
    )


def train(
    config: Config, planes: tuple[int, ...], learn: Notes, test: Notes, say: Say = print
) -> Judge:
    """Learn, and say of each measure which part of its variance in the test is foretold."""
    torch.manual_seed(config.seed)
    network = nn.Sequential(
        nn.Linear(sum(planes), config.width),
        nn.ReLU(),
        nn.Linear(config.width, config.inner),
        nn.ReLU(),
        nn.Linear(config.inner, MEASURES),
    )
    targets = _targets(learn)
    steps = int(config.epochs * len(targets) / config.rows)
    optimiser = torch.optim.AdamW(network.parameters(), config.rate, weight_decay=config.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, config.rate, total_steps=steps + 1)
    chance = np.random.default_rng(config.seed)
    for _ in range(steps):
        some = chance.integers(len(targets), size=config.rows)
        answers = network(_bits(learn.words[some], planes))
        loss = functional.mse_loss(answers, targets[some])
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
    foretold = _foretold(network, test, planes, config.rows)
    say(f"foretold of points gained, points lost, and who wins: {foretold}")
    winners = np.clip(learn.gained.max(axis=1), 0, MOST_POINTS)
    about = {
        "config": asdict(config),
        "rows": len(targets),
        "foretold": foretold,
        "points": np.bincount(winners, minlength=MOST_POINTS + 1).tolist(),
    }
    linear = [layer for layer in network if isinstance(layer, nn.Linear)]
    return Judge(dict(zip(NAMES, map(_tensor, linear), strict=True)), about)


def _tensor(layer: nn.Linear) -> Any:
    """Weights out of each input in a row, the bias in the last."""
    rows = torch.cat([layer.weight.T, layer.bias[None]])
    return np.ascontiguousarray(rows.detach().numpy(), dtype=np.float32)


def _targets(notes: Notes) -> torch.Tensor:
    return torch.from_numpy(measures(notes.gained[:, 0], notes.gained[:, 1]).astype(np.float32))


def _bits(words: Any, planes: tuple[int, ...]) -> torch.Tensor:
    return torch.from_numpy(unpack(words, planes)).float()


def _foretold(network: nn.Module, test: Notes, planes: tuple[int, ...], rows: int) -> list[float]:
    targets = _targets(test)
    with torch.no_grad():
        parts = [
            network(_bits(test.words[start : start + rows], planes))
            for start in range(0, len(targets), rows)
        ]
        left = ((torch.cat(parts) - targets) ** 2).mean(dim=0) / targets.var(dim=0)
    return [round(1 - float(each), 4) for each in left]


def main() -> None:
    """Play, train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=Config.seed)
    parser.add_argument("--epochs", type=float, default=Config.epochs)
    parser.add_argument("--out", type=Path, default=NETWORK.path)
    given = parser.parse_args()
    config = replace(Config(), seed=given.seed, epochs=given.epochs, width=WIDTH, inner=INNER)
    judge = train(config, PLANES, *take_notes(config))
    print(save_judge(given.out, judge, PLANES))


if __name__ == "__main__":
    main()
