"""What a game provides to be played at a terminal: a screen."""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from undercut.app.session import Event
from undercut.app.terminal.painting import Lines, Pack


class Screen(Protocol):
    """How one game is drawn and played in lines of text."""

    @property
    def pack(self) -> Pack:
        """The cards it is played with."""
        ...

    @property
    def help(self) -> Sequence[tuple[str, str]]:
        """What may be typed, and what it does."""
        ...

    @property
    def title(self) -> str:
        """The name of the game."""
        ...

    @property
    def goal(self) -> str:
        """How the match ends, in a few words."""
        ...

    @property
    def is_new_turn(self) -> bool:
        """Whether what the person is asked begins a turn."""
        ...

    def aim(self) -> Lines:
        """What a newcomer has to know."""
        ...

    def rules(self) -> Lines:
        """The rules as they are played."""
        ...

    def table(self) -> Lines:
        """What lies on the table and in the person's hand."""
        ...

    def question(self) -> Lines:
        """What the person is asked now, and the answers there are."""
        ...

    def tell(self, events: Sequence[Event]) -> Lines:
        """What was done."""
        ...

    def summary(self) -> Lines:
        """How the deal ended."""
        ...

    def prepare(self) -> None:
        """Compile whatever only comes late in a deal."""
        ...

    def play(self, text: str) -> None:
        """Play what was typed, or raise an error that says in one line what is wrong."""
        ...


def title_of(name: str, titles: Mapping[str, str]) -> str:
    """The title of a rule set, by its preset; its whole name follows where it is not a plain one.

    >>> title_of("gin:target=50", {"gin": "Gin Rummy"})
    'Gin Rummy (gin:target=50)'
    """
    title = titles[re.split("[+:]", name)[0]]
    return title if name in titles else f"{title} ({name})"
