"""Translation of texts for players.

The source has English texts, which are the keys of the catalogs in `locale`. They are whole
sentences with named values, so that each language can order them. The language is a context
variable: two players at one table can have different languages.
"""

import gettext
import os
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from undercut.text.errors import OptionsError

FOLDER = Path(__file__).parent.parent / "locale"
DOMAIN = "undercut"
ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "cs": "Čeština", "sk": "Slovenčina"}
"""The languages, each with its own name for itself."""

_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # in the order of gettext


def say(text: str, /, **values: object) -> str:
    """The translation of an English text, with values in place of each {name}.

    >>> say("first to {target}", target=100)
    'first to 100'

    Without values nothing is replaced, so a user's file name may contain braces.

    >>> say("b{x}.py")
    'b{x}.py'
    """
    return _fill(find_catalog(spoken()).gettext(text) if text else "", values)


def say_as(meaning: str, text: str, /, **values: object) -> str:
    """The same for an ambiguous English word; `meaning` is the context in the catalog."""
    return _fill(find_catalog(spoken()).pgettext(meaning, text), values)


def say_count(one: str, many: str, count: int, /, **values: object) -> str:
    """The same for a number of things, with {count} in the text.

    >>> say_count("{count} card", "{count} cards", 1), say_count("{count} card", "{count} cards", 5)
    ('1 card', '5 cards')
    """
    return find_catalog(spoken()).ngettext(one, many, count).format(count=count, **values)


def _fill(text: str, values: Mapping[str, object]) -> str:
    return text.format(**values) if values else text


def mark(text: str) -> str:
    """Mark a text for the catalogs; it is translated where it is used."""
    return text


def mark_as(meaning: str, text: str) -> str:
    """The same for an ambiguous English word."""
    return text


def spoken() -> str:
    """The current language."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Set the language in a context.

    >>> with speaking("cs"):
    ...     say("Good-bye.")
    'Na shledanou.'
    """
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


@cache
def find_catalog(language: str) -> gettext.NullTranslations:
    """The catalog of a language; English has none, since the source is in English."""
    if language == ENGLISH:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, FOLDER, [language])


def parse_language(text: str) -> str:
    """The code of a language, given by its code or its name.

    >>> parse_language("cs_CZ.UTF-8"), parse_language("Slovak"), parse_language("čeština")
    ('cs', 'sk', 'cs')
    """
    plain = fold(text)
    english = {"english": ENGLISH, "czech": "cs", "slovak": "sk"}
    named = {fold(name): code for code, name in LANGUAGES.items()}
    code = plain[:2] if plain[2:3] in ("", "_", "-", ".") else ""
    found = (english | named).get(plain, code)
    if found not in LANGUAGES:
        raise OptionsError(f"unknown language {text!r}: one of {', '.join(LANGUAGES)}")
    return found


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the environment, or English if we have no catalog for it.

    >>> language_of({"LANG": "sk_SK.UTF-8"}), language_of({"LANG": "C"})
    ('sk', 'en')
    """
    given = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    for wanted in given.split(":"):
        if wanted[:2] in LANGUAGES and wanted[2:3] in ("", "_", "."):
            return wanted[:2]
    return ENGLISH


def fold(text: str) -> str:
    """Text for comparison with typed input: in lower case, without accents.

    >>> fold("  Žaludský  ESO ")
    'zaludsky eso'
    """
    letters = unicodedata.normalize("NFKD", text.lower())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(plain.split())
