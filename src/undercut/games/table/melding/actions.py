"""The text of actions in games where players throw, meld and lay off cards."""

from collections.abc import Mapping
from dataclasses import dataclass

from undercut.cards.french import format_card, parse_card
from undercut.cards.melds import format_meld, parse_meld
from undercut.games.table.melding.layoffs import format_layoff, is_layoff, parse_layoff
from undercut.kernels.records import Action
from undercut.text.errors import NotationError


@dataclass(frozen=True)
class MeldingActions:
    """The numbers and words of a game's actions.

    >>> from undercut.games.families import find_family
    >>> gin = find_family("gin").notation
    >>> [gin.format_action(action) for action in (33, 103, 104)]
    ['discard 8h', 'knock Ks', 'draw']
    >>> gin.parse_action("lay 8h on 5h-7h") == gin.parse_action("lay 8h on 7h")
    True
    """

    game: str
    words: Mapping[Action, str]  # actions without cards
    throws: Mapping[str, Action]  # by verb: the first of 52 actions
    meld: Action  # the first meld
    layoff: Action  # the first lay-off; lay-offs are the last actions
    actions: int
    forms: str  # the accepted forms, for errors

    def format(self, action: Action) -> str:
        """An action in a card player's words."""
        action = int(action)
        if action in self.words:
            return self.words[action]
        for verb, first in self.throws.items():
            if first <= action < first + 52:
                return f"{verb} {format_card(action - first)}"
        if self.meld <= action < self.layoff:
            return "meld " + format_meld(action - self.meld)
        if self.layoff <= action < self.actions and is_layoff(action - self.layoff):
            return format_layoff(action - self.layoff)
        raise NotationError(f"not an action of {self.game}: {action} (0 to {self.actions - 1})")

    def parse(self, text: str) -> Action:
        """Read an action; a lay-off may name the whole run."""
        plain = " ".join(text.split())
        for action, word in self.words.items():
            if plain.lower() == word:
                return action
        verb, _, rest = plain.partition(" ")
        verb = verb.lower()
        if verb in self.throws:
            return self.throws[verb] + parse_card(rest)
        if verb == "meld":
            return self.meld + parse_meld(rest)
        if verb == "lay":
            return self.layoff + parse_layoff(plain)
        raise NotationError(f"not an action: {text!r} ({self.forms})")
