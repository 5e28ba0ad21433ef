"""Typed input in every language: players may type the words that a table shows."""

import re
from collections.abc import Iterator
from functools import cache

from undercut.cards.packs import Pack
from undercut.games.table.melding.layoffs import RANK_NAMES
from undercut.text.translation import ENGLISH, fold, mark_as, say, say_as, speaking, spoken

WORDS = (
    *(mark_as("typed", "draw"), mark_as("typed", "take"), mark_as("typed", "pass")),
    *(mark_as("typed", "throw"), mark_as("typed", "discard"), mark_as("typed", "knock")),
    *(mark_as("typed", "meld"), mark_as("typed", "lay"), mark_as("typed", "on")),
    *(mark_as("typed", "turn over"), mark_as("typed", "play"), mark_as("typed", "suit")),
    *(mark_as("typed", "done"), mark_as("typed", "auto"), mark_as("typed", "sort")),
    *(mark_as("typed", "help"), mark_as("typed", "rules"), mark_as("typed", "score")),
    *(mark_as("typed", "table"), mark_as("typed", "pile"), mark_as("typed", "log")),
    *(mark_as("typed", "seal"), mark_as("typed", "hint")),
    *(mark_as("typed", "undo"), mark_as("typed", "again")),
    *(mark_as("typed", "same"), mark_as("typed", "save"), mark_as("typed", "quit")),
    *(mark_as("typed", "stop"), mark_as("typed", "give up")),
    *(mark_as("typed", "yes"), mark_as("typed", "no")),
)
"""The accepted words in English: commands, and parts of actions."""


def in_english(text: str, pack: Pack) -> str:
    """Translate typed input into English words and the letters of cards; accents are optional.

    >>> from undercut.cards.packs import GERMAN
    >>> with speaking("cs"):
    ...     in_english("Zeleny spodek", GERMAN), in_english("Líznout", GERMAN)
    ('UL', 'draw')
    >>> in_english("under of leaves", GERMAN), in_english("OH A", GERMAN)
    ('UL', 'OH A')
    """
    meanings = _meanings(spoken(), pack)
    longest = "|".join(map(re.escape, sorted(meanings, key=len, reverse=True)))
    found, changed = re.subn(
        rf"(?<!\w)(?:{longest})(?!\w)", lambda match: meanings[match.group()], fold(text)
    )
    return found if changed else text


@cache
def _meanings(language: str, pack: Pack) -> dict[str, str]:
    """The meanings of a language's words, and of the English names of cards."""
    with speaking(language):
        own = {fold(word): meaning for word, meaning in _own_words(pack)}
    with speaking(ENGLISH):
        return own | {fold(pack.name_card(card)): card for card, _ in pack.names}


def _own_words(pack: Pack) -> Iterator[tuple[str, str]]:
    yield from ((say_as("typed", word), word) for word in WORDS)
    yield from ((say(name), name) for name in RANK_NAMES)
    yield from ((pack.name_suit(suit.name), suit.name) for suit in pack.suits)
    yield from ((pack.name_card(card), card) for card, _ in pack.names)
