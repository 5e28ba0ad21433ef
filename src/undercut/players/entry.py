"""The declaration in the file of an agent, `AGENT = Entry(…)`, by which a spec can name it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from undercut.games.contract import Game
from undercut.kernels.records import Settings
from undercut.play.agent import NO_SETTINGS, AnyAgent, KernelAgent, Parts, Reasons
from undercut.text.errors import OptionsError
from undercut.text.spec import Option, one_of, options_of, replace_fields, split_spec


class Declaration(ABC):
    """An agent of any kind, and its settings."""

    about: str  # how it plays, in a card player's words
    settings: Settings  # the defaults
    presets: Mapping[str, Settings]
    """Named settings that a spec may begin with: settings=NAME. If there are any, the defaults are
    one of them."""

    @property
    def options(self) -> dict[str, Option]:
        """The settings that a spec can change."""
        return options_of(type(self.settings))

    @abstractmethod
    def make(self, spec: str, game: Game, fields: dict[str, str]) -> AnyAgent:
        """The agent that a spec with these fields names, for a game."""

    def settings_of(self, spec: str, fields: dict[str, str]) -> Settings:
        """The defaults or a preset, with the changes of a spec."""
        owner, fields = split_spec(spec)[0], dict(fields)
        begun = self.settings
        if self.presets and "settings" in fields:
            begun = self._preset(owner, fields.pop("settings"))
        return replace_fields(begun, fields, owner)

    def _preset(self, owner: str, name: str) -> Settings:
        if name not in self.presets:
            raise OptionsError(
                f"unknown settings {name!r} of {owner}: {one_of(self.presets, name)}"
            )
        return self.presets[name]


@dataclass(frozen=True)
class Entry(Declaration):
    """A kernel agent. Subclasses override `make` to take more than settings from a spec."""

    about: str
    choose: Callable[..., int]
    settings: Settings = NO_SETTINGS
    workspace: int = 0
    parts: Parts | None = None
    looks: bool = True  # whether it ever reads its view
    presets: Mapping[str, Settings] = field(default_factory=dict)
    reasons: Reasons | None = None  # explains a decision, for `undercut hint`

    def make(self, spec: str, game: Game, fields: dict[str, str]) -> AnyAgent:
        """The agent that a spec with these fields names, for a game."""
        return self.make_kernel_agent(spec, game, fields)

    def make_kernel_agent(self, spec: str, game: Game, fields: dict[str, str]) -> KernelAgent:
        """The same without anything around the kernel."""
        return KernelAgent(
            spec,
            self.choose,
            game.options,
            self.settings_of(spec, fields),
            self.workspace,
            self.parts,
            self.looks,
            self.reasons,
        )
