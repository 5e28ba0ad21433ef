"""The table on the whole screen of a terminal, played by keys and clicks."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from undercut.app.host import Host
from undercut.app.session import Session
from undercut.app.terminal.full_screen import FullScreen
from undercut.app.terminal.table import invite
from undercut.cli.play import Screen
from undercut.games.families import all_families
from undercut.text.errors import AgentError

pytestmark = pytest.mark.compiled

GAMES = [family.rules.NAME for family in all_families() if family.package.startswith("undercut.")]
LIMIT = 30  # seconds of a test
Play = Callable[["Seat"], Awaitable[None]]


class Seat:
    """A person in front of the screen."""

    def __init__(self, screen: FullScreen, pilot: Pilot[None], session: Session) -> None:
        self.screen, self.pilot, self.session = screen, pilot, session

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, line: str) -> None:
        await self.press(*line, "enter")

    async def settle(self) -> None:
        """Wait until the screen waits, or the match is over."""
        while not self.screen._is_waiting and self.screen.is_running:
            await asyncio.sleep(0.01)
        await self.pilot.pause()

    def shown(self, place: str = "table") -> str:
        found = self.screen.query_one(f"#{place}")
        if not found.display:
            return ""
        static = found if isinstance(found, Static) else found.query_one(Static)
        return str(static.content)

    def place_of(self, word: str) -> tuple[int, int]:
        """Where a word is, from the corner of the table's text."""
        lines = self.shown().split("\n")
        row = next(row for row, line in enumerate(lines) if word in line)
        return lines[row].index(word) + 1, row


def sit(
    play: Play, spec: str, *, people: int = 1, size: tuple[int, int] = (80, 30), agents: Any = None
) -> FullScreen:
    game, invited = invite(spec, (), people=people)
    host = Host(game, [*[None] * people, *(agents or invited)], 5, asks_all=people > 1)
    session = Session.at(host, 0)
    screen = FullScreen(session, False, 7, False, size[0])

    async def run() -> None:
        async with screen.run_test(size=size) as pilot:
            seat = Seat(screen, pilot, session)
            await seat.settle()
            await play(seat)
            screen.action_leave()
            while screen.is_running and screen.problem is None:
                screen.action_leave()
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(run(), LIMIT))
    return screen


@pytest.mark.parametrize(
    ("game", "size"), [*((game, (60, 20)) for game in GAMES), (GAMES[0], (100, 40))]
)
def test_a_deal_is_played_with_the_arrow_keys(game: str, size: tuple[int, int]) -> None:
    async def play(seat: Seat) -> None:
        while not seat.session.is_deal_over:
            before = seat.session.acted
            assert max(map(len, seat.shown().split("\n"))) <= size[0] - 2
            await seat.press("down", "enter")
            if seat.screen._opened is not None:  # it asks for a suit
                await seat.press("down", "enter")
            while seat.session.acted == before and not seat.session.is_deal_over:
                await seat.type("yes")  # a costly move
        assert "Seal opened" in seat.shown("news")
        assert re.match("Enter(: stop| for the next deal)", seat.shown("question"))

    sit(play, game, size=size)


def test_a_click_chooses_a_card_once() -> None:
    async def play(seat: Seat) -> None:
        await seat.type("pass" if "pass" in seat.shown() else "1")
        while "Throw which card" not in seat.shown():
            await seat.type("1")
        card = re.findall(r"(\S+[♠♥♦♣])", seat.shown().partition("Your hand")[2])[0]
        at = seat.place_of(f"{card} ")
        before = seat.session.acted
        for _ in range(2):  # as an impatient person does
            await seat.pilot.click("#table Static", offset=at)
        await seat.settle()
        thrown = [event for event in seat.session.events[before:] if event.seat == 0]
        assert [event.verb for event in thrown[:1]] == ["discard"]
        assert len(thrown) == 1, "the second click is not kept for the next question"

    sit(play, "gin:first_starter=0")


def test_function_keys_type_words_and_escape_asks() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("f3")
        assert "total" in seat.shown("news")
        await seat.type("seal")
        assert seat.session.commitment in seat.shown("news").replace("\n", "")
        await seat.press("escape")
        assert "Stop playing?" in seat.shown("question")
        await seat.press("enter")
        assert "Your hand" in seat.shown()

    sit(play, "gin")


def test_no_card_is_on_the_screen_that_is_passed_on() -> None:
    async def play(seat: Seat) -> None:
        held = seat.session.view().hand
        await seat.type("1")
        while "pass the screen on" not in seat.shown("question"):
            await seat.type("1")
        assert seat.shown() == ""
        await seat.press("enter")
        shown = seat.shown() + seat.shown("news")
        hand = shown.partition("Your hand")[2]
        assert hand
        assert seat.screen._match._session.person == 1
        assert held

    sit(play, "pharaoh:first_starter=0", people=2)


def test_the_end_is_left_on_the_terminal() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("f3")

    screen = sit(play, "gin")
    assert screen.how is None
    assert "undercut play --resume 7" in "\n".join(map(str, screen.last))


def test_an_agent_that_fails_ends_the_screen() -> None:
    class Broken:
        name = "broken"

        def act(self, view: Any, legal: Any, random: Any) -> int:
            raise ValueError("my secret cards")

    async def play(seat: Seat) -> None:
        while seat.screen.problem is None and seat.screen.is_running:
            await seat.press("down", "enter")

    screen = sit(play, "pharaoh:first_starter=0", agents=[Broken()])
    assert isinstance(screen.problem, AgentError)


def test_scripts_and_screen_readers_get_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    chosen = Screen(web=False, terminal=True, lines=False, record=None, language=None)
    assert not chosen.is_full, "a test has no terminal"
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{name}", Terminal())
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("TERM", "xterm")
    assert chosen.is_full
    assert not chosen._replace(lines=True).is_full
    monkeypatch.setenv("COLUMNS", "40")
    assert not chosen.is_full
