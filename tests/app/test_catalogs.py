"""The catalogs of words: whole, in step with the sources, and right in their plural forms."""

import gettext
import io
import re
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message

import catalogs
from undercut.cards.packs import FRENCH, GERMAN, Pack
from undercut.games.table.typed import WORDS, in_english
from undercut.text.translation import (
    ENGLISH,
    FOLDER,
    LANGUAGES,
    fold,
    language_of,
    parse_language,
    say,
    say_as,
    say_count,
    speaking,
)

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
every_language = pytest.mark.parametrize("language", OTHERS)


@pytest.fixture(scope="module")
def template() -> Catalog:
    return catalogs.template()


def test_every_language_has_a_catalog_and_every_catalog_a_language() -> None:
    assert sorted(folder.name for folder in FOLDER.iterdir()) == sorted(OTHERS)


@every_language
def test_everything_is_translated_and_nothing_else_is_there(
    language: str, template: Catalog
) -> None:
    """`make words` brings the catalogs up to date; then the empty ones are to be filled in.

    A game and an agent may come before their translations: `make words` warns of that.
    """
    done = {_key(each) for each in _translated(language)}
    lacking = [each for each in template if each.id and _key(each) not in done]
    assert not [each.id for each in lacking if not catalogs.is_of_a_game(each)]
    assert done <= {_key(each) for each in template}


def _key(message: Message) -> tuple[Any, Any]:
    return message.id, message.context


def test_words_that_nobody_has_translated_are_said_in_english() -> None:
    with speaking("cs"):
        assert say("Plays what nobody expects.") == "Plays what nobody expects."
        assert say_count("{count} trick", "{count} tricks", 2) == "2 tricks"


def test_only_the_words_of_games_may_wait(template: Catalog) -> None:
    of_games = [each for each in template if each.id and catalogs.is_of_a_game(each)]
    others = [each for each in template if each.id and not catalogs.is_of_a_game(each)]
    assert "As simple, but goes out only with gin." in [each.id for each in of_games]
    assert {"Play", "Your hand"} <= {str(each.id) for each in others}


@every_language
def test_programs_read_what_translators_wrote(language: str) -> None:
    shipped = catalogs.po_file(language).with_suffix(".mo").read_bytes()
    written = catalogs.compiled(catalogs.read_catalog(language))
    assert _messages(shipped) == _messages(written), "run `make words`"


def _messages(compiled: bytes) -> dict[Any, str]:
    """What a program reads; the header, which names a version of Babel, is for people."""
    found: Any = gettext.GNUTranslations(io.BytesIO(compiled))
    return {key: text for key, text in found._catalog.items() if key}


@every_language
def test_values_stand_in_every_sentence(language: str) -> None:
    """Those of the English, under the same names; one thing may be told without its number."""
    for message in _translated(language):
        wanted = _values(*_texts(message.id))
        for place, text in enumerate(_texts(message.string)):
            free = {("count", "")} if place == 0 and isinstance(message.id, tuple) else set()
            assert wanted - free <= _values(text) <= wanted, (message.id, text)


@every_language
def test_sentences_end_as_the_english_do(language: str) -> None:
    for message in _translated(language):
        for text in _texts(message.string):
            end = re.search(r"[.!?:…]?$", _texts(message.id)[0])
            assert end is not None
            assert text.endswith(end[0]), text


def _translated(language: str) -> list[Message]:
    """The messages of a catalog that are used."""
    catalog = catalogs.read_catalog(language)
    missing = {_key(each) for each in catalogs.missing(catalog)}
    return [each for each in catalog if each.id and _key(each) not in missing]


def _texts(text: Message | str) -> tuple[str, ...]:
    return text if isinstance(text, tuple) else (str(text),)


def _values(*texts: str) -> set[tuple[str, str]]:
    parsed = [part for text in texts for part in Formatter().parse(text)]
    return {(name, conversion or "") for _, name, _, conversion in parsed if name is not None}


CARDS = {
    "en": ["1 card", "2 cards", "5 cards", "22 cards"],
    "cs": ["1 karta", "2 karty", "5 karet", "22 karet"],
    "sk": ["1 karta", "2 karty", "5 kariet", "22 kariet"],
}


@pytest.mark.parametrize("language", CARDS)
def test_numbers_have_the_right_forms(language: str) -> None:
    with speaking(language):
        said = [say_count("{count} card", "{count} cards", number) for number in (1, 2, 5, 22)]
    assert said == CARDS[language]


@every_language
def test_words_that_are_typed_mean_one_thing_each(language: str) -> None:
    """No word of a language is that of another meaning, in it or in English."""
    with speaking(language):
        own = [fold(say_as("typed", word)) for word in WORDS]
        assert len(own) == len(set(own))
        assert not [w for w, e in zip(own, WORDS, strict=True) if w in WORDS and w != e]
        for word in WORDS:
            said = say_as("typed", word)
            for typed in (said, said.upper(), fold(said), word):
                assert in_english(typed, FRENCH) in (word, typed)


@pytest.mark.parametrize("pack", [FRENCH, GERMAN], ids=lambda pack: pack.name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_can_be_typed_by_their_names(language: str, pack: Pack) -> None:
    with speaking(language):
        for card, english in pack.names:
            name = pack.name_card(card)
            assert {in_english(typed, pack) for typed in (name, fold(name), english)} == {card}


def test_languages_are_asked_for_in_many_ways() -> None:
    assert [parse_language(text) for text in ("cs", "czech", "Slovenčina", "SK")] == [
        "cs",
        "cs",
        "sk",
        "sk",
    ]
    with pytest.raises(ValueError, match="unknown language 'latin': one of en, cs, sk"):
        parse_language("latin")
    assert language_of({"LANGUAGE": "de:sk", "LANG": "cs_CZ.UTF-8"}) == "sk"
    assert language_of({"LC_ALL": "", "LC_MESSAGES": "cs_CZ.UTF-8", "LANG": "C"}) == "cs"
    assert language_of({}) == language_of({"LANG": "csb_PL"}) == "en"
