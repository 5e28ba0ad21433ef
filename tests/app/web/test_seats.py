"""Several people at one table: each has a link to the own seat, and nothing else."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import anyio
import pytest

from undercut.app.store import Store
from undercut.app.web import tables
from undercut.games.families import parse_game
from web_page import HOST, Shut, TestClient, connect, first_action, joined, serve, visit

pytestmark = [pytest.mark.compiled, pytest.mark.usefixtures("same_cards")]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with visit(serve(tmp_path)) as client:
        yield client


class Party:
    """An owner and a guest at one table."""

    def __init__(self, client: TestClient, rooms: ExitStack, game: str, *others: str) -> None:
        self.owner = rooms.enter_context(connect(client))
        table = self.owner.begin(game, *others, people=2, training=True)
        self.number = int(table["number"])
        (invitation,) = self.owner.hear()["invitations"]
        self.path, self.seat = invitation["path"], invitation["seat"]
        self.guest = rooms.enter_context(joined(client, self.path))
        self.pages = [self.owner, self.guest]
        self.tables = [page.ask("open", number=self.number) for page in self.pages]

    @property
    def mover(self) -> int:
        """Which of the two is on turn, or may deal again."""
        return int(self.tables[0]["on_turn"] == self.seat)

    def say(self, place: int, kind: str, **fields: Any) -> None:
        ply = self.tables[place]["ply"]
        self.pages[place].say(kind, number=self.number, ply=ply, **fields)

    def go_on(self) -> None:
        """Whose turn it is plays the first action; both see it."""
        if self.tables[self.mover]["question"] is None:
            self.say(self.mover, "next")
        else:
            self.say(self.mover, "play", action=first_action(self.tables[self.mover]))
        self.tables = [page.answer() for page in self.pages]
        assert [table["kind"] for table in self.tables] == ["table", "table"], self.tables


def test_nobody_acts_for_another_seat(client: TestClient) -> None:
    """Every kind of message that changes something, from the one who is not on turn."""
    with ExitStack() as rooms:
        party = Party(client, rooms, "gin:first_starter=0")
        for _ in range(8):
            mover, idle = party.mover, 1 - party.mover
            offered = first_action(party.tables[mover])
            for kind, fields in {
                "play": {"action": offered},
                "assist": {},
                "next": {},
                "hint": {},
            }.items():
                party.say(idle, kind, **fields)
                refused = party.pages[idle].answer()
                assert refused["kind"] == "refused", (kind, refused)
                assert "Traceback" not in refused["why"]
            assert party.pages[idle].ask("open", number=party.number) == party.tables[idle]
            party.go_on()


GUEST_MAY_NOT: list[dict[str, Any]] = [
    {"kind": "lobby"},
    {"kind": "statistics"},
    {"kind": "seal"},
    {"kind": "begin", "game": "gin", "opponents": ["beginner"]},
    {"kind": "links", "number": 1},
    {"kind": "again", "number": 1, "how": "rematch"},
    {"kind": "leave", "number": 1, "ply": 0},
    {"kind": "delete", "number": 1},
    {"kind": "open", "number": 2},
    {"kind": "play", "number": 2, "ply": 0, "action": "take"},
    {"kind": "next", "number": 2, "ply": 0},
    {"kind": "undo", "number": 2, "ply": 0},
    {"kind": "hint", "number": 2, "ply": 0},
    {"kind": "look", "number": 2, "ply": 0, "deal": 1},
]


def test_a_guest_may_do_nothing_else(client: TestClient, tmp_path: Path) -> None:
    with ExitStack() as rooms:
        other = rooms.enter_context(connect(client))
        party = Party(client, rooms, "gin:first_starter=0")
        assert party.number == 1
        own = other.begin("gin:first_starter=0", "beginner")
        assert own["number"] == 2
        for asked in GUEST_MAY_NOT:
            refused = party.guest.ask(**asked)
            assert refused["kind"] == "refused", (asked, refused)
        store = Store(tmp_path)
        assert [store.entries(number) for number in (1, 2)] == [[], []]
        store.close()
        for path in ("/", "/records/1", "/app.js", "/seat/2-0/", "/seat/1-0/", "/seat/1-0/talk"):
            stranger = TestClient(client.app, base_url=f"http://{HOST}", follow_redirects=False)
            stranger.get(party.path)
            assert stranger.get(path).status_code == 403, path
            assert stranger.get("/seat/1-1/").status_code == 200
            assert stranger.get("/seat/1-1/app.js").status_code == 200
            assert stranger.get("/seat/1-1/records/2").status_code == 404


def test_a_link_is_good_for_its_seat_and_stays_good(client: TestClient, tmp_path: Path) -> None:
    with ExitStack() as rooms:
        party = Party(client, rooms, "prsi:deals=2,players=3", "beginner")
        party.go_on()
        seen, path = party.tables[1], party.path
    with visit(serve(tmp_path), let_in=False) as again, joined(again, path) as guest:
        assert guest.ask("open", number=1) == seen
        cookie = again.get(path).headers["set-cookie"].lower()
        assert "path=/seat/1-1/" in cookie
        assert "httponly" in cookie
        with pytest.raises(Shut), connect(again):
            pass
        for wrong in (
            path[:-1],
            path[:-1] + "g",
            path.replace("1-1-", "1-0-"),
            "/join",
            "/join?key=",
        ):
            refused = again.get(wrong)
            assert refused.status_code == 403
            assert "set-cookie" not in refused.headers
        with pytest.raises(Shut), connect(again, "http://evil.example", "/seat/1-1/"):
            pass


def test_somebody_who_waits_is_asked_even_without_a_choice(client: TestClient) -> None:
    """Who is never asked has no choice: others would see that by the time."""
    with ExitStack() as rooms:
        party = Party(client, rooms, "pharaoh:deals=2,players=3", "beginner")
        alone = 0
        while not party.tables[0]["is_over"]:
            question = party.tables[party.mover]["question"]
            if question is not None:
                alone += sum(len(group["choices"]) for group in question["groups"]) == 1
            party.go_on()
    assert alone > 0


def test_a_page_watches_one_table_at_a_time(client: TestClient) -> None:
    with connect(client) as page:
        first = page.begin("gin:first_starter=0", "beginner")
        second = page.begin("gin:first_starter=0", "beginner")
        assert "is not open" in page.go_on(first)["why"]
        assert page.go_on(second)["kind"] == "table"


def test_tables_that_nobody_looks_at_are_forgotten(tmp_path: Path) -> None:
    class Silent:
        """Somebody who is told everything, and forgets it."""

        language = "en"

        def tell(self, message: object) -> None:
            pass

    async def look_in() -> tables.Tables:
        store = Store(tmp_path)
        found = tables.Tables(store, 0.0)
        for _ in range(3):
            number = store.begin(parse_game("gin"), ["you", "beginner"], 5).number
            watchers = [Silent(), Silent()]
            async with anyio.create_task_group() as group:
                for watcher in watchers:
                    group.start_soon(found.watch, number, watcher)
            assert len(found._open) == 1
            for watcher in watchers:
                found.forget(watcher)
        store.close()
        return found

    found = anyio.run(look_in)
    assert (found._open, found._opening, found._watched) == ({}, {}, {})


def test_an_owner_can_ask_for_the_links_again(client: TestClient) -> None:
    with ExitStack() as rooms:
        party = Party(client, rooms, "gin")
        again = party.owner.ask("links", number=party.number)
        assert [each["path"] for each in again["invitations"]] == [party.path]
        assert party.owner.ask("links", number=99)["kind"] == "refused"
        wrong = party.owner.begin("gin", people=3)
        assert wrong["why"] == "3 people: gin is for 2"
        assert_gone(party)


def assert_gone(party: Party) -> None:
    party.owner.ask("delete", number=party.number)
    assert party.guest.answer() == {"kind": "gone", "number": party.number}
    refused = party.guest.ask("open", number=party.number)
    assert refused["kind"] == "refused"
