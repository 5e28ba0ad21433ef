"""Words that people read, in the language of whoever reads them.

English stands in the source, and is the key to the catalogs in `locale`: sentences are whole, with
named values in them, so that every language can put them in its own order. Which language is meant
belongs to what is being done, not to the program: two pages at one table have one each.
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
"""The languages, each called as its speakers call it."""

_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # as gettext looks at them


def say(text: str, /, **values: object) -> str:
    """A sentence or a word, given in English; {name} stands for a value.

    >>> say("first to {target}", target=100)
    'first to 100'

    A name that may be somebody else's is no sentence: without values nothing in it is replaced.

    >>> say("b{x}.py")
    'b{x}.py'
    """
    return _fill(find_catalog(spoken()).gettext(text) if text else "", values)


def say_as(meaning: str, text: str, /, **values: object) -> str:
    """The same for words that English uses in several meanings; `meaning` tells them apart."""
    return _fill(find_catalog(spoken()).pgettext(meaning, text), values)


def say_count(one: str, many: str, count: int, /, **values: object) -> str:
    """The same for a number of things, for which {count} stands.

    >>> say_count("{count} card", "{count} cards", 1), say_count("{count} card", "{count} cards", 5)
    ('1 card', '5 cards')
    """
    return find_catalog(spoken()).ngettext(one, many, count).format(count=count, **values)


def _fill(text: str, values: Mapping[str, object]) -> str:
    return text.format(**values) if values else text


def mark(text: str) -> str:
    """Words that are declared here, and said elsewhere."""
    return text


def mark_as(meaning: str, text: str) -> str:
    """The same for words that English uses in several meanings."""
    return text


def spoken() -> str:
    """The language of what is being done."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Do something in a language.

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
    """The words of a language; those of English are what stands in the source."""
    if language == ENGLISH:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, FOLDER, [language])


def parse_language(text: str) -> str:
    """A language by its code or its name, as somebody asks for it.

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
    """The language that the system is set to, English where we do not speak it.

    >>> language_of({"LANG": "sk_SK.UTF-8"}), language_of({"LANG": "C"})
    ('sk', 'en')
    """
    given = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    for wanted in given.split(":"):
        if wanted[:2] in LANGUAGES and wanted[2:3] in ("", "_", "."):
            return wanted[:2]
    return ENGLISH


def fold(text: str) -> str:
    """Text as it is compared with what was typed: in small letters, without accents.

    >>> fold("  Žaludský  ESO ")
    'zaludsky eso'
    """
    letters = unicodedata.normalize("NFKD", text.lower())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(plain.split())
