"""Several people at one table: each has a link to the own seat, and nothing else."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import anyio
import pytest

from undercut.app.company import Person
from undercut.app.store import Store
from undercut.app.web import tables
from undercut.app.web.server import make_app
from undercut.games.families import parse_game
from web_page import HOST, KEY, LIMIT, TestClient, connect, first_action, joined, serve, visit

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
    {"kind": "assist", "number": 2, "ply": 0},
    {"kind": "look", "number": 2, "ply": 0, "deal": 1},
    {"kind": "ticket", "number": 2},
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
            wanted = (
                "your link is for another game" if asked.get("number") == 2 else "set the table"
            )
            assert wanted in refused["why"], asked
        store = Store(tmp_path)
        assert [store.entries(number) for number in (1, 2)] == [[], []]
        store.close()
        ticket = party.guest.ask("ticket", number=1)["ticket"]
        assert client.get(f"/seat/1-1/records/2?ticket={ticket}").status_code == 403


def test_a_link_is_good_for_its_seat_and_stays_good(client: TestClient, tmp_path: Path) -> None:
    with ExitStack() as rooms:
        party = Party(client, rooms, "prsi:deals=2,players=4", "beginner", "beginner")
        party.go_on()
        seen, path = party.tables[1], party.path
    key = path.partition("key=")[2]
    with visit(serve(tmp_path)) as again:
        entered = again.get(path)
        assert (entered.status_code, entered.headers["location"]) == (303, f"/seat/1-1/#key={key}")
        with joined(again, path) as guest:
            assert guest.ask("open", number=1) == seen
        other = key.replace("1-1-", "1-2-")
        for place, wrong in [
            ("/", key),
            ("/seat/1-0/", key),
            ("/seat/1-2/", key),
            ("/seat/1-2/", other),
            ("/seat/01-1/", key),
            ("/seat/1-1/", key[:-1]),
            ("/seat/1-1/", KEY),
            ("/seat/2-1/", key.replace("1-1-", "2-1-")),
        ]:
            with connect(again, place=place, key=wrong) as page:
                assert page.ask("open", number=1)["kind"] == "shut", (place, wrong)


def test_every_seat_and_every_game_has_a_key_of_its_own(client: TestClient) -> None:
    with connect(client) as owner:
        keys = []
        for _ in range(2):
            owner.begin("prsi:deals=2,players=4", people=4)
            keys += [each["path"].partition("key=")[2] for each in owner.hear()["invitations"]]
    assert [key.rpartition("-")[0] for key in keys] == ["1-1", "1-2", "1-3", "2-1", "2-2", "2-3"]
    assert len({key.rpartition("-")[2] for key in keys}) == 6


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
        person = Person()

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


def test_people_have_the_names_that_they_give(client: TestClient) -> None:
    """Also one that means the reader, and one that would be another line on a screen."""
    with ExitStack() as rooms:
        party = Party(client, rooms, "gin:first_starter=0")
        assert party.tables[0]["names"] == ["You", "Player 2"]
        party.guest.say("introduce", name="  eva \n k. ", face="owl")
        shown = [page.answer() for page in party.pages]
        assert shown[0]["names"] == ["You", "Eva k."]
        assert (shown[0]["faces"], shown[1]["names"]) == (["", "owl"], ["Player 1", "You"])
        party.owner.say("introduce", name="YOU", face="fox")
        shown = [page.answer() for page in party.pages]
        assert (shown[1]["faces"], shown[1]["names"]) == (["fox", "owl"], ["Player 1", "You"])
        party.tables = shown
        party.go_on()
        assert party.tables[1]["told"][0].startswith("Player 1 ")
        refused = party.guest.ask("introduce", name="Eva", face="<svg>")
        assert refused["kind"] == "refused"


def test_names_outlive_the_server(tmp_path: Path) -> None:
    """Also in lists of games, and before their people are back."""
    store = Store(tmp_path)
    with visit(make_app(store, (HOST,), KEY)) as client, ExitStack() as rooms:
        party = Party(client, rooms, "gin:first_starter=0")
        party.guest.say("introduce", name="Eva", face="owl")
        assert party.owner.answer()["names"] == ["You", "Eva"]
        number = party.number
        until = time.monotonic() + LIMIT
        while store.find(number).named != {1: Person("Eva", "owl")} and time.monotonic() < until:
            time.sleep(0.05)
    store.close()
    store = Store(tmp_path)
    with visit(make_app(store, (HOST,), KEY)) as client, connect(client) as page:
        (kept,) = page.ask("lobby")["kept"]
        assert (kept["players"], kept["faces"]) == (["Player 1", "Eva"], ["", "owl"])
        shown = page.ask("open", number=number)
        assert (shown["names"], shown["faces"]) == (["You", "Eva"], ["", "owl"])
    store.close()


def test_several_people_see_all_hands_when_the_match_has_ended(client: TestClient) -> None:
    with ExitStack() as rooms:
        party = Party(client, rooms, "gin:first_starter=0,target=500")
        while not party.tables[0]["summary"]:
            party.go_on()
        where = {"number": party.number, "ply": 0, "deal": 1}
        assert [page.ask("look", **where)["hands"] for page in party.pages] == [[], []]
        party.say(0, "leave")
        for page in party.pages:
            assert page.answer()["is_left"]
            hands = page.ask("look", **where)["hands"]
            assert [len(hand) for hand in hands] == [10, 10]


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


def test_no_refusal_names_a_path(tmp_path: Path) -> None:
    """A guest's page learns nothing of this machine."""
    store = Store(tmp_path)
    store.begin(parse_game("gin"), ["you", f"python:{tmp_path}/bots.py:Brave"], 1)
    with visit(make_app(store, (HOST,), KEY)) as client, connect(client) as page:
        assert page.ask("open", number=9)["why"] == "there is no game 9"
        assert page.ask("open", number=1)["why"].startswith("'Brave' cannot play on this page")
        store.close()
        why = page.ask("lobby")["why"]
        assert why.startswith("the games cannot be read or written: ")
        assert str(tmp_path) not in "".join(page.heard)
