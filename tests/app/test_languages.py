"""Tables in other languages: nothing stays English, everything fits, and each page has its own."""

import gettext
import io
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from rulesets import SHIPPED
from typed_table import Table
from undercut.app.session import Session
from undercut.app.store import Store
from undercut.app.terminal.board import Board
from undercut.app.terminal.table import Terminal
from undercut.app.web.lobby_catalog import games_offered
from undercut.app.web.pacing import Tempo
from undercut.app.web.protocol import TableShown, Told
from undercut.app.web.snapshot import rules_of, snapshot
from undercut.app.web.tables import Table as OpenTable
from undercut.games.families import parse_game
from undercut.games.table.description import YOU
from undercut.games.table.plain_description import description_of
from undercut.text import translation
from undercut.text.translation import LANGUAGES, speaking
from web_page import connect, serve, visit

GAMES = {
    "gin": ["beginner"],
    "distilled": ["beginner"],
    "rummy": ["beginner"],
    "pharaoh": ["beginner"],
    "prsi:players=8": ["beginner"] * 7,
}
every_game = pytest.mark.parametrize("game", GAMES)

NOWHERE = "xx"  # a language in which every message stands in brackets
SAID = ("title", "goal", "names", "label", "before", "after", "note", "question", "words", "asks")
SAID += ("shortcut", "told", "sentences", "aim", "rules", "verdict", "about", "meaning", "measured")


class Bracketed(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"

    def pgettext(self, context: str, message: str) -> str:
        return f"⟦{message}⟧"


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(translation, "find_catalog", lambda language: Bracketed())
    with speaking(NOWHERE):
        yield


def left_out(text: str, game: str) -> str:
    """The letters of a text that stand in no message; cards and specs of games are no words."""
    text = re.sub(r"(?<=⟧) [A-H]\b", "", text.replace(f"({game})", ""))  # namesakes have letters
    while (shorter := re.sub("⟦[^⟦⟧]*⟧", "", text)) != text:
        text = shorter
    pack = description_of(parse_game(game).family).pack
    cards = [card for card, _ in pack.names]
    cards += [shown + suit.symbol for _, shown in pack.ranks for suit in pack.suits]
    return re.sub(rf"\b(?:{'|'.join(cards)})(?!\w)|[\W\d_]", "", text)


def said(message: Any, key: str = "") -> Iterator[str]:
    """All that a page shows of a message as it comes."""
    if isinstance(message, str) and (key in SAID):
        yield message
    elif isinstance(message, list | tuple):
        for each in message:
            yield from said(each, key)
    elif isinstance(message, dict):
        for name, each in message.items():
            yield from said(each, name)


def tables(game: str, moves: int = 40) -> Iterator[Session]:
    """A deal with the choices of somebody who takes the first, then the last, and so on."""
    session = Table(game, 3, opponents=GAMES[game]).session
    for move in range(moves):
        yield session
        if session.is_deal_over:
            return
        session.play(session.choices()[-1 if move % 3 else 0])
    yield session


@every_game
def test_a_page_is_shown_nothing_but_messages(game: str, nowhere: None) -> None:
    for session in tables(game):
        shown = msgspec.to_builtins(snapshot(session, 1, ()))
        assert not [each for each in said(shown) if left_out(each, game)]
    rules = msgspec.to_builtins(rules_of(session, 1))
    assert rules["rules"]
    assert not [each for each in said(rules) if left_out(each, game)]
    assert all(name.startswith("⟦") for name in rules["pack"]["names"].values())


def test_a_lobby_is_shown_nothing_but_messages(nowhere: None) -> None:
    for offered in games_offered.__wrapped__(NOWHERE):
        if parse_game(offered.name).family.name in SHIPPED:
            told = [re.sub(r" \[[^]]*\]$", "", each) for each in said(msgspec.to_builtins(offered))]
            assert not [each for each in told if left_out(each, offered.name)]


@every_game
def test_a_terminal_shows_nothing_but_messages(game: str, nowhere: None) -> None:
    session, file = [*tables(game, 6)][-1], io.StringIO()
    lines = iter(["help", "rules", "score", "log", "pile", "again", "save", "undo", "1", "?x", "q"])
    asked = []

    def read(prompt: str) -> str:
        asked.append(prompt)
        return next(lines, "stop")

    Terminal(session, Console(file=file, width=10**4, highlight=False), read, kept=7).run()
    keys = re.compile(r"\(\w\)$|^ +a ")  # short forms are the same in every language
    shown = "\n".join(keys.sub("", line) for line in [*file.getvalue().splitlines(), *asked])
    assert not left_out(shown, game)


@pytest.mark.parametrize("language", LANGUAGES)
@every_game
def test_a_table_fits_sixty_columns(game: str, language: str) -> None:
    with speaking(language):
        for session in tables(game):
            board = Board(session, names_cards=True, width=60)
            lines = board.summary() if session.is_deal_over else [*board.table(), *board.question()]
            assert not [line.plain for line in lines if line.cell_len > 60]


@pytest.mark.parametrize(
    ("language", "typed", "told"),
    [
        ("cs", ["Pravidla", "LÍZNOUT", "odhodit srdcová osmička"], "nemáte 8♥"),
        ("sk", ["pravidlá", "tahat", "odhodit 8h"], "nemáte 8♥"),
        ("cs", ["take", "discard 8h"], "nemáte 8♥"),
        ("cs", ["vzit", "klepnout 2"], "není karta"),
        ("sk", ["zaklopať"], "teraz nie je čo zaklopať"),
    ],
)
def test_what_is_shown_can_be_typed(language: str, typed: list[str], told: str) -> None:
    with speaking(language):
        shown = Table("distilled+upcard+knock:first_starter=0", 1).type("pas", *typed)
    assert told in shown


def test_two_pages_at_one_table_have_a_language_each(tmp_path: Path) -> None:
    with ExitStack() as stack:
        client = stack.enter_context(visit(serve(tmp_path)))
        owner, other, third = [
            stack.enter_context(connect(client, language=each)) for each in ("cs", "sk", "xx")
        ]
        table = owner.begin("gin:first_starter=0", "beginner")
        shown = [table, *(each.ask("open", number=table["number"]) for each in (other, third))]
        assert [each["goal"] for each in shown] == ["do 100 bodů", "do 100 bodov", "first to 100"]
        for page in (owner, other, third):
            page.heard.clear()
        shown = [owner.play(table, "pass"), other.answer(), third.answer()]
        began = [each["told"][0] for each in shown]
        assert began == ["Pasujete.", "Pasujete.", "You pass."]
        assert [each["names"] for each in shown] == [
            ["Vy", "Nina"],
            ["Vy", "Nina"],
            ["You", "Nina"],
        ]
        stale = {"number": table["number"], "ply": 0}
        why = [each.ask("undo", **stale)["why"] for each in (owner, other, third)]
        assert why == [
            "stůl se mezitím změnil: podívejte se znovu",
            "stôl sa medzitým zmenil: pozrite sa znova",
            "the table has changed since: look again",
        ]


def test_a_page_is_sent_its_words(tmp_path: Path) -> None:
    with visit(serve(tmp_path)) as client:
        for language, cards in {
            "cs": ["karta", "karty", "karet"],
            "sk": ["karta", "karty", "kariet"],
        }.items():
            sent = client.get(f"/words/{language}.json").json()
            assert sent["{count} card"] == [f"{{count}} {each}" for each in cards]
            assert sent["Play"].startswith("Hr")
        assert client.get("/words/xx.json").status_code == 404


class Watching:
    """A page without a browser."""

    def __init__(self, language: str) -> None:
        self.language, self.goals = language, list[str]()

    def tell(self, message: Told) -> None:
        if isinstance(message, TableShown):
            self.goals.append(message.goal)


def test_who_comes_while_something_happens_is_shown_it_in_the_own_language(tmp_path: Path) -> None:
    """A page of another language comes just when the table has been described for those before."""
    store, game = Store(tmp_path), parse_game("gin")
    table = OpenTable(store, store.begin(game, [YOU, "beginner"], 1), Tempo(0.0, 0.0))
    early, late = Watching("cs"), Watching("sk")
    table.watchers[early] = 0
    table.answer()
    table.look()
    table.watchers[late] = 0
    table.show()
    store.close()
    assert (early.goals, late.goals) == (["do 100 bodů"], ["do 100 bodov"])
