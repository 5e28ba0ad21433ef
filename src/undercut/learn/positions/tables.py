"""The tables of a run: positions of many matches, and what is hidden in them."""

from dataclasses import dataclass
from typing import Any

import torch

from undercut.games.contract import Game
from undercut.learn.positions.config import DRAWN, Config, shares
from undercut.learn.positions.memory import Memory, Positions
from undercut.learn.selfplay.arena import Device, Kernels, open_table
from undercut.learn.selfplay.kernels import Decisions
from undercut.learn.selfplay.network import PolicyNetwork
from undercut.learn.selfplay.rivals import SELF, rival_network
from undercut.play.vector import rows
from undercut.play.vector.rows import RowKernel
from undercut.players.encoding import encoding_of


@dataclass(frozen=True)
class Sitting:
    """A table with its game, its kind of opponent and its rows."""

    game: Game
    opponent: str
    first: int
    end: int
    table: Any

    @property
    def part(self) -> slice:
        return slice(self.first, self.end)

    @property
    def name(self) -> str:
        return f"{self.game.name} {self.opponent}"

    @property
    def sharpness(self) -> float:
        """Only a table of networks as they are takes the best action: other tables vary the positions."""
        return 0.0 if self.opponent == SELF else 1.0


class Tables:
    """Tables side by side. `look` reads their positions, `play` goes on to the next ones."""

    def __init__(self, config: Config, games: list[Game], device: Device) -> None:
        self.device, self.encoding = device, encoding_of(games[0])
        self.kernels = Kernels(games[0], device)
        self.policy: PolicyNetwork = rival_network(config.player, games[0])
        self.policy.to(device.name, device.number_type)
        self.sittings: list[Sitting] = []
        for number, (game, opponent, width) in enumerate(_planned(config, games)):
            first = self.sittings[-1].end if self.sittings else 0
            rival = SELF if opponent in (SELF, DRAWN) else opponent
            table = open_table(game, width, config.seed + number, rival, device)
            self.sittings.append(Sitting(game, opponent, first, first + width, table))
        self.rows = self.sittings[-1].end
        self.now = Positions(device, self.encoding, self.kernels, self.rows)
        name, encode = games[0].rules.NAME, self.encoding.limit
        self._limit = RowKernel(rows.encode_rows, f"{name}_limit", device.name, encode=encode)
        self._chosen = device.zeros(self.rows, kind=torch.int64)
        self._chances, self._draws = device.zeros(2, self.rows, kind=torch.float32)

    def memory(self, steps: int, batch: int) -> Memory:
        """A memory for the positions of so many steps, with batches of so many rows."""
        device = self.device
        drawn = Positions(device, self.encoding, self.kernels, batch)
        return Memory(device, self.now, steps, drawn)

    def restart(self, number: int) -> None:
        """Begin new matches in all rows: others for every number."""
        for each in self.sittings:
            each.table.restart(number << 40)

    def look(self) -> None:
        """Read the views, the hidden cards and their limits."""
        array, kernels, now = self.device.array, self.kernels, self.now
        for each in self.device.beside_each_other(self.sittings):
            part, table, stream = each.part, each.table, self.device.stream
            size = each.end - each.first
            seen = (table.views, table.options)
            kernels.encode(size, *seen, array(now.words[part]), stream=stream)
            self._limit(size, *seen, array(now.limits[part]), stream=stream)
            table.reveal(kernels.reveal, array(now.hidden[part]), stream)
        now.unpack()

    @torch.no_grad()
    def play(self) -> None:
        """Play an action in every row, after `look`; keeps the network's outputs before it."""
        array, now = self.device.array, self.now
        now.answers.copy_(self.policy(now.bits)[:, : self.encoding.outputs + 1])
        self._draws.uniform_()
        for each in self.device.beside_each_other(self.sittings):
            part, table, stream = each.part, each.table, self.device.stream
            decisions = (now.masks[part], self._chosen[part], self._chances[part])
            self.kernels.choose(
                each.end - each.first,
                array(now.answers[part]),
                array(self._draws[part]),
                each.sharpness,
                table.legal,
                table.counts,
                table.actions,
                Decisions(*map(array, decisions)),
                stream=stream,
            )
            table.apply(stream=stream)


def _planned(config: Config, games: list[Game]) -> list[tuple[Game, str, int]]:
    """The games, opponents and numbers of rows; the first table takes what is left over."""
    apart = config.also_share if len(games) > 1 else 0.0
    found = []
    for game in games:
        whole = 1 - apart if game is games[0] else apart / (len(games) - 1)
        for opponent, share in shares(config, game).items():
            found.append((game, opponent, int(config.rows * whole * share)))
    (game, opponent, width), *others = found
    left = config.rows - sum(width for _, _, width in found)
    return [each for each in [(game, opponent, width + left), *others] if each[2]]
