"""The tables of a run: positions of many matches, and what is hidden in them."""

from dataclasses import dataclass
from typing import Any

import torch

from undercut.games.contract import Game
from undercut.learn.positions.config import DRAWN, Config, shares
from undercut.learn.positions.kernels import mask_rows
from undercut.learn.selfplay.arena import Device, Kernels, Unpacked, open_table
from undercut.learn.selfplay.kernels import MASK_BITS, Decisions
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
        self._bind_kernels(games[0])
        self._make_room()

    def _bind_kernels(self, game: Game) -> None:
        name, where, encoding = game.rules.NAME, self.device.name, self.encoding
        self._limit = RowKernel(rows.encode_rows, f"{name}_limit", where, encode=encoding.limit)
        self._mask = RowKernel(mask_rows, name, where, pools=encoding.pools)

    def _make_room(self) -> None:
        device, encoding, width = self.device, self.encoding, self.rows
        hands, cards = len(encoding.hidden), encoding.hidden[0]
        slots, masks = hands * encoding.pools, -(-encoding.outputs // MASK_BITS)

        def words(count: int) -> torch.Tensor:
            return device.zeros(width, count, kind=torch.int64)

        def unpacked(planes: tuple[int, ...]) -> Unpacked:
            return Unpacked(device, self.kernels.unpack, planes, width)

        self.words, self.hidden, self.limits = map(
            words, (len(encoding.planes), hands, encoding.limits)
        )
        self.given, self.rest, self.possible = map(words, (hands, slots, slots))
        self._shifts = torch.arange(MASK_BITS, device=device.name)
        self._masks, self._chosen = words(masks), device.zeros(width, kind=torch.int64)
        self._chances, self._draws = device.zeros(2, width, kind=torch.float32)
        self.randoms = device.zeros(width, 1 + cards, kind=torch.float32)
        self.seen = unpacked(encoding.planes)
        self.given_bits = unpacked(encoding.hidden)
        self.rest_bits, self.possible_bits = (unpacked((cards,) * slots) for _ in range(2))

    def restart(self, number: int) -> None:
        """Begin new matches in all rows: others for every number."""
        for each in self.sittings:
            each.table.restart(number << 40)

    def look(self) -> None:
        """Read the views, the hidden cards and their limits."""
        array, kernels = self.device.array, self.kernels
        for each in self.device.beside_each_other(self.sittings):
            part, table, stream = each.part, each.table, self.device.stream
            size = each.end - each.first
            seen = (table.views, table.options)
            kernels.encode(size, *seen, array(self.words[part]), stream=stream)
            self._limit(size, *seen, array(self.limits[part]), stream=stream)
            table.reveal(kernels.reveal, array(self.hidden[part]), stream)
        self.seen.fill(self.words)

    def mask(self, share: float | None = None) -> None:
        """Give a part of the hidden hands, by default a random one."""
        self.randoms.uniform_()
        if share is not None:
            self.randoms[:, 0] = share
        found = (self.hidden, self.limits, self.randoms, self.given, self.rest, self.possible)
        self._mask(self.rows, *map(self.device.array, found), stream=self.device.stream)
        self.given_bits.fill(self.given)
        self.rest_bits.fill(self.rest)
        self.possible_bits.fill(self.possible)

    def legal_outputs(self) -> torch.Tensor:
        """Which outputs were legal in every row before the last `play`."""
        bits = self._masks.unsqueeze(2) >> self._shifts & 1
        return bits.flatten(1)[:, : self.encoding.outputs].bool()

    @torch.no_grad()
    def play(self) -> torch.Tensor:
        """Play an action in every row, after `look`; returns the network's outputs before it."""
        array = self.device.array
        answers: torch.Tensor = self.policy(self.seen.bits)
        logits = answers[:, : self.encoding.outputs + 1].float()
        self._draws.uniform_()
        for each in self.device.beside_each_other(self.sittings):
            part, table, stream = each.part, each.table, self.device.stream
            decisions = (self._masks[part], self._chosen[part], self._chances[part])
            self.kernels.choose(
                each.end - each.first,
                array(logits[part]),
                array(self._draws[part]),
                each.sharpness,
                table.legal,
                table.counts,
                table.actions,
                Decisions(*map(array, decisions)),
                stream=stream,
            )
            table.apply(stream=stream)
        return logits


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
