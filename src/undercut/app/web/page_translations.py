"""The messages of the page: their extraction from its sources, and their translations."""

import re
from collections.abc import Iterator

from undercut.text.translation import find_catalog

# A call of t("…") or of n("…", "…", in our sources, which have messages in double quotes.
_TEXT = r'"((?:[^"\\]|\\.)*)"'
_CALL = re.compile(rf"(?<![\w.])(?:t\(\s*{_TEXT}|n\(\s*{_TEXT},\s*{_TEXT})")
_NUMBERS = (1, 2, 5)  # samples of the plural forms, in the order of words.js

Text = str | tuple[str, str]  # a message, or its singular and plural


def texts_of(script: str) -> Iterator[Text]:
    """The English messages of a source.

    >>> [*texts_of('t("Lobby"), n("{count} card", "{count} cards", 3)')]
    ['Lobby', ('{count} card', '{count} cards')]
    """
    for text, one, many in _CALL.findall(script):
        yield (one, many) if one else text


def words_for(language: str, texts: list[Text]) -> dict[str, str | list[str]]:
    """The translations for a page: the forms of each message, by the English one."""
    catalog = find_catalog(language)
    return {
        text if isinstance(text, str) else text[0]: catalog.gettext(text)
        if isinstance(text, str)
        else [catalog.ngettext(*text, number) for number in _NUMBERS]
        for text in texts
    }
