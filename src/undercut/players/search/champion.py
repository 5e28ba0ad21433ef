"""An agent that searches: it plays the guide's move unless the evaluator finds a better one.

It tries the moves that the guide, a network, finds likeliest. If the guide is nearly certain, there
is nothing to try.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Annotated, NamedTuple

from undercut.games.contract import Game
from undercut.kernels.records import Action, View
from undercut.play.agent import BatchedAgent, FromSpec, KernelAgent, Random
from undercut.play.explanation import Explanation
from undercut.players.entry import Declaration
from undercut.players.search.candidates import candidate_moves
from undercut.players.search.evaluate import Evaluator, evaluator_of, explain
from undercut.text.errors import OptionsError
from undercut.text.spec import Option

_ON_DEVICE = "undercut.learn.search.champion"  # it uses torch, so it stands above the players


class Settings(NamedTuple):
    """How much it searches."""

    samples: Annotated[int, Option(1, 100_000, "deals of the hidden cards for each search")] = 256
    moves: Annotated[int, Option(2, 60, "moves tried, those that blueprint likes best")] = 5
    gate: Annotated[
        float, Option(0.0, 10.0, "standard errors by which a move must lead blueprint's")
    ] = 0.5
    milliseconds: Annotated[
        float,
        Option(0.0, 600_000.0, "a time for each search in place of samples; 0: go by samples"),
    ] = 0.0


DEFAULTS = Settings()


@dataclass(repr=False)
class Champion(FromSpec):
    """The guide with an evaluator."""

    name: str
    evaluator: Evaluator
    guide: KernelAgent
    settings: Settings
    _moved: dict[str, BatchedAgent] = field(default_factory=dict)  # by device

    @property
    def by_clock(self) -> bool:  # type: ignore[override]
        """Whether a search has a time instead of a number of samples."""
        return self.settings.milliseconds > 0

    def act(self, view: View, legal: Sequence[Action], random: Random) -> Action:
        """The best move of the search, or the guide's."""
        settings, moves = self.settings, self.candidates(view, legal, random)
        if len(moves) == 1:
            return moves[0]
        seed, limit = random.below(1 << 31), settings.milliseconds or None
        return self.evaluator.choose(view, moves, settings.samples, seed, settings.gate, limit)

    def explain(self, view: View, legal: Sequence[Action], random: Random) -> Explanation:
        """The evaluation of all moves, with the move that it plays."""
        seed = random.below(1 << 31)
        samples = max(2, self.settings.samples)
        return explain(self.evaluator.evaluate(view, legal, samples, seed))

    def on_device(self, device: str) -> BatchedAgent:
        """The form that plays many games at once on a GPU, with the same moves up to rounding."""
        if device not in self._moved:
            try:
                form = import_module(_ON_DEVICE).DeviceChampion
            except ImportError as missing:
                advice = "pip install 'undercut[train]'"
                raise OptionsError(f"{self.name} on {device} needs torch: {advice}") from missing
            self._moved[device] = form(self, device)
        return self._moved[device]

    def candidates(self, view: View, legal: Sequence[Action], random: Random) -> list[Action]:
        """The moves to try, the guide's first."""
        game, most = self.evaluator.game, self.settings.moves
        return candidate_moves(game, self.guide, view, legal, random, most)


@dataclass(frozen=True)
class ChampionEntry(Declaration):
    """The declaration of a game's champion."""

    about: str
    settings: Settings = DEFAULTS
    presets: Mapping[str, Settings] = field(default_factory=dict, hash=False)

    def make(self, spec: str, game: Game, fields: dict[str, str]) -> Champion:
        """The champion of a rule set whose guide is a network."""
        evaluator, settings = evaluator_of(game.name), self.settings_of(spec, fields)
        guide = evaluator.guide
        if not isinstance(guide, KernelAgent) or guide.value is None:
            raise OptionsError(f"champion does not play {game.name}: no network does")
        return Champion(spec, evaluator, guide, Settings(*settings))
