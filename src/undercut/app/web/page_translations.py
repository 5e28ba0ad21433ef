"""The words of the page: what its sources say, and the catalogs that it is sent."""

import re
from collections.abc import Iterator

from undercut.text.translation import find_catalog

# A call of t("…") or of n("…", "…", in a source of ours, which writes texts in double quotes.
_TEXT = r'"((?:[^"\\]|\\.)*)"'
_CALL = re.compile(rf"(?<![\w.])(?:t\(\s*{_TEXT}|n\(\s*{_TEXT},\s*{_TEXT})")
_NUMBERS = (1, 2, 5)  # for which our languages have different forms, in the order of words.js

Text = str | tuple[str, str]  # one for one thing, one for many


def texts_of(script: str) -> Iterator[Text]:
    """What a source says, in English.

    >>> [*texts_of('t("Lobby"), n("{count} card", "{count} cards", 3)')]
    ['Lobby', ('{count} card', '{count} cards')]
    """
    for text, one, many in _CALL.findall(script):
        yield (one, many) if one else text


def words_for(language: str, texts: list[Text]) -> dict[str, str | list[str]]:
    """What a page is sent to speak a language: the forms of each text, by the English."""
    catalog = find_catalog(language)
    return {
        text if isinstance(text, str) else text[0]: catalog.gettext(text)
        if isinstance(text, str)
        else [catalog.ngettext(*text, number) for number in _NUMBERS]
        for text in texts
    }
