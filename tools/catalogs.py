"""The catalogs of words: collect the messages of the sources, keep the .po files, compile them.

`python tools/catalogs.py` (or `make words`) brings every .po up to date and compiles it; what is
not translated yet stands there empty, what has changed is marked fuzzy: both are shown in English.
The tests want neither in messages of all games; those of one game may wait for a translator.
"""

import ast
import io
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from undercut.app.web.page_translations import Text, texts_of
from undercut.cards.packs import FRENCH, GERMAN
from undercut.games.families import all_families
from undercut.players.catalog import all_agents
from undercut.text.spec import options_of
from undercut.text.translation import DOMAIN, ENGLISH, FOLDER, LANGUAGES

PACKAGE = FOLDER.parent
SAYING = ("say", "mark", "say_as", "mark_as", "say_count")
Found = tuple[Text, str | None, str]  # the message, its meaning, and where it stands


def po_file(language: str) -> Path:
    """The source of a catalog."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def messages() -> Iterator[Found]:
    """Everything that a person may read: in the sources, on the page, and in what games declare."""
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        for text, meaning in _said_by(ast.parse(path.read_text("utf-8"))):
            yield text, meaning, place
    for path in sorted((PACKAGE / "app/web/static").glob("*.js")):
        if path.name != "lit.js":
            yield from ((text, None, path.name) for text in texts_of(path.read_text("utf-8")))
    yield from _declared()


def _said_by(module: ast.Module) -> Iterator[tuple[Text, str | None]]:
    """The texts of our functions, also inside f-strings, which other collectors overlook."""
    for node in ast.walk(module):
        name = getattr(getattr(node, "func", None), "id", "")
        if not isinstance(node, ast.Call) or name not in SAYING:
            continue
        texts = [each.value for each in node.args if isinstance(each, ast.Constant)]
        if name == "say_count":
            yield (str(texts[0]), str(texts[1])), None
        elif name.endswith("_as") and len(texts) == 2:
            yield str(texts[1]), str(texts[0])
        elif not name.endswith("_as") and texts:
            yield str(texts[0]), None


def _declared() -> Iterator[Found]:
    """Words that are data: cards, house rules, levels and agents."""
    for pack in (FRENCH, GERMAN):
        yield from ((suit.name, pack.name, f"{pack.name} suits") for suit in pack.suits)
        yield from ((name, pack.name, f"{pack.name} cards") for _, name in pack.names)
    for family in all_families():
        if not family.package.startswith("undercut."):  # of somebody else
            continue
        for outcome in getattr(family.rules, "Outcome", ()):
            yield outcome.name.lower(), "outcome", f"{family.name} outcomes"
        for option in options_of(family.rules.Options).values():
            yield option.help, None, f"{family.name} options"
        for level in family.levels:
            yield level.name, None, "levels"
            yield level.about, None, f"{family.name} levels"
        for name, entry in all_agents(family).items():
            yield entry.about, None, f"{family.name} agents: {name}"
            for option in entry.options.values():
                yield option.help, None, f"{family.name} agents: {name}"


def template() -> Catalog:
    """All messages, not translated."""
    catalog = Catalog(domain=DOMAIN, project="Undercut", charset="utf-8")
    for text, meaning, place in messages():
        if text:
            catalog.add(text, context=meaning, locations=[(place, None)])
    return catalog


def read_catalog(language: str) -> Catalog:
    """A catalog as it is."""
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def compiled(catalog: Catalog) -> bytes:
    """A catalog as programs read it."""
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()


def missing(catalog: Catalog) -> list[Message]:
    """Messages without a translation and fuzzy ones: players read them in English."""
    return [each for each in catalog if each.id and (each.fuzzy or not all(_strings(each)))]


def is_of_a_game(message: Message) -> bool:
    """Whether only games say it: a game or an agent may come before its translations."""
    names = {family.name for family in all_families()}
    places = [place.removeprefix("games/").split("/")[0] for place, _ in message.locations]
    return all(place.split()[0] in {*names, "levels"} for place in places)


def _strings(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


def update(language: str) -> int:
    """Bring a catalog up to date; how many messages are to be translated."""
    catalog = read_catalog(language)
    catalog.update(template(), update_creation_date=False)
    catalog.obsolete.clear()
    with po_file(language).open("wb") as file:
        write_po(file, catalog, width=100, sort_output=False, include_lineno=False)
    po_file(language).with_suffix(".mo").write_bytes(compiled(catalog))
    return len(missing(catalog))


if __name__ == "__main__":
    lacking = {language: update(language) for language in LANGUAGES if language != ENGLISH}
    for language, count in lacking.items():
        warning = "warning: " if count else ""
        print(f"{warning}{po_file(language)}: {count} messages to translate", file=sys.stderr)
