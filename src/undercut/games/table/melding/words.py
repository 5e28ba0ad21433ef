"""The parser for typed input in games of draws, throws, melds and lay-offs."""

from collections.abc import Callable, Mapping, Sequence

from undercut.cards.french import format_card, parse_card, parse_cards
from undercut.games.table.description import not_understood
from undercut.games.table.melding.layoffs import name_target
from undercut.text.errors import NotationError
from undercut.text.translation import mark, say, say_as

HELP = (
    (mark("d, draw"), mark("draw from the stock")),
    (mark("t, take"), mark("take the upcard")),
    ("8h", mark("throw that card: a rank of A 2 ... 9 T J Q K, then a suit:")),
    ("", mark("c clubs, d diamonds, h hearts, s spades")),
)

VERBS = {
    **dict.fromkeys(("d", "draw", "stock"), "draw"),
    **dict.fromkeys(("t", "take", "upcard"), "take"),
    **dict.fromkeys(("throw", "discard"), "discard"),
    **dict.fromkeys(("m", "meld"), "meld"),
    **dict.fromkeys(("l", "lay"), "lay"),
}

_WITH_CARDS = ("discard", "knock", "meld", "lay")


class Words:
    """The parser for one game's typed input."""

    def __init__(self, verbs: Mapping[str, str], normal: Callable[[str], str]) -> None:
        """`verbs` are the game's own verbs; `normal` makes the text of an action canonical."""
        self._verbs = {**VERBS, **verbs}
        self._normal = normal

    def read(self, text: str, choices: Sequence[str]) -> str:
        """The canonical text of a typed action; it need not be one of the choices."""
        plain = " ".join(text.lower().split())
        word, _, rest = plain.partition(" ")
        verb = self._verbs.get(word)
        if verb is None:
            return self._read_cards(plain, text, choices)
        if verb == "draw" and rest:  # d 8h
            verb = "discard"
        is_short = verb in _WITH_CARDS and not rest
        if is_short or (verb == "lay" and " on " not in rest):
            return _complete(verb, rest, choices)
        return self._normal(f"{verb} {rest}")

    def _read_cards(self, plain: str, text: str, choices: Sequence[str]) -> str:
        """Cards without a verb: one is a throw or a lay-off, several are a meld."""
        try:
            cards = parse_cards(plain)
        except NotationError:
            raise NotationError(not_understood(text)) from None
        if cards.bit_count() > 1:
            return self._normal(f"meld {plain}")
        is_turn = any(choice.startswith(("draw", "take", "discard ")) for choice in choices)
        return self._normal(f"discard {plain}") if is_turn else _complete("lay", plain, choices)


def _complete(verb: str, rest: str, choices: Sequence[str]) -> str:
    """The only choice with this beginning, if the input lacks a card or the target of a lay-off."""
    start = f"{verb} {format_card(parse_card(rest))} on " if rest else f"{verb} "
    found = [choice for choice in choices if choice.startswith(start)]
    if len(found) == 1:
        return found[0]
    if found:
        named = ", ".join(_spoken(choice) for choice in found)
        raise NotationError(say("which one? {choices}", choices=named))
    word = say_as("typed", verb)
    if rest:
        raise NotationError(say("there is nothing to {verb} with {card}", verb=word, card=rest))
    raise NotationError(say("there is nothing to {verb} now", verb=word))


def _spoken(choice: str) -> str:
    """A choice in words that a player can type."""
    verb, _, rest = choice.partition(" ")
    card, on, target = rest.partition(" on ")
    onto = f" {say_as('typed', 'on')} {name_target(target)}" if on else ""
    return f"{say_as('typed', verb)} {card}{onto}"
