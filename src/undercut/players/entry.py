"""The declaration in the file of an agent, `AGENT = Entry(…)`, by which a spec can name it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from undercut.games.contract import Game
from undercut.kernels.records import Settings
from undercut.play.agent import NO_SETTINGS, AnyAgent, KernelAgent, Parts, Reasons
from undercut.text.errors import OptionsError
from undercut.text.spec import Option, one_of, options_of, replace_fields, split_spec


@dataclass(frozen=True)
class Entry:
    """A kernel agent. Subclasses override `make` to take more than settings from a spec."""

    about: str  # how it plays, in a card player's words
    choose: Callable[..., int]
    settings: Settings = NO_SETTINGS  # the defaults
    workspace: int = 0
    parts: Parts | None = None
    looks: bool = True  # whether it ever reads its view
    presets: Mapping[str, Settings] = field(default_factory=dict)
    """Named settings that a spec may begin with: settings=NAME. If there are any, the defaults are
    one of them."""
    reasons: Reasons | None = None  # explains a decision, for `undercut hint`

    @property
    def options(self) -> dict[str, Option]:
        """The settings that a spec can change."""
        return options_of(type(self.settings))

    def make(self, spec: str, game: Game, fields: dict[str, str]) -> AnyAgent:
        """The agent that a spec with these fields names, for a game."""
        return self.make_kernel_agent(spec, game, fields)

    def make_kernel_agent(self, spec: str, game: Game, fields: dict[str, str]) -> KernelAgent:
        """The same without anything around the kernel."""
        owner, fields = split_spec(spec)[0], dict(fields)
        begun = (
            self._preset(owner, fields.pop("settings")) if self._names(fields) else self.settings
        )
        settings = replace_fields(begun, fields, owner)
        return KernelAgent(
            spec,
            self.choose,
            game.options,
            settings,
            self.workspace,
            self.parts,
            self.looks,
            self.reasons,
        )

    def _names(self, fields: dict[str, str]) -> bool:
        return bool(self.presets) and "settings" in fields

    def _preset(self, owner: str, name: str) -> Settings:
        if name not in self.presets:
            raise OptionsError(f"unknown settings {name!r} of {owner}: {one_of(self.presets)}")
        return self.presets[name]
