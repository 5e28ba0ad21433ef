"""Nobody comes to the table without its key, from another page, or under another name."""

import asyncio
import gzip
import json
import re
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar

import anyio
import pytest
from starlette.websockets import WebSocketDisconnect, WebSocketState

from undercut.app.store import Store
from undercut.app.web import connection
from undercut.app.web.connection import House, Limits
from undercut.app.web.connection_limits import Doors
from undercut.app.web.download_tickets import LIFE, Tickets
from undercut.app.web.guest_seats import Seats
from undercut.app.web.keys import FILE, owner_key, prove
from undercut.app.web.server import STATIC
from undercut.app.web.tables import Tables
from web_page import HOST, KEY, Page, Shut, TestClient, connect, knock, serve, visit

pytestmark = pytest.mark.compiled
PATHS = ["/", *(f"/{name}" for name in STATIC if name != "index.html")]
LARGEST = 110_000  # bytes of a first load, compressed
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    return visit(serve(tmp_path_factory.mktemp("games")))


def refused(page: Page) -> bool:
    """Whether a page was told that it has no key, and was closed."""
    page.say("lobby")  # one that was let in is answered
    if page.hear()["kind"] != "shut":
        return False
    with pytest.raises(WebSocketDisconnect):
        page.hear()
    return True


def test_a_page_with_the_key_is_let_in(client: TestClient) -> None:
    with connect(client) as page:
        assert page.ask("lobby")["kind"] == "lobby"


@pytest.mark.parametrize(
    "first",
    [
        {"kind": "lobby"},
        {"kind": "prove", "proof": ""},
        {"kind": "prove", "proof": KEY},
        {"kind": "prove", "proof": "é"},
        {"kind": "prove", "proof": 5},
        {"kind": "prove"},
        {},
    ],
)
def test_nothing_else_is_understood_before_the_proof(
    client: TestClient, first: dict[str, Any]
) -> None:
    with knock(client) as page:
        assert page.hear()["kind"] == "challenge"
        page.socket.send_json(first)
        assert refused(page)


@pytest.mark.parametrize(
    ("key", "host", "place"),
    [
        ("wrong", HOST, "/"),
        ("", HOST, "/"),
        (KEY, "127.0.0.1:8001", "/"),
        (KEY, HOST, "/seat/1-1/"),
    ],
)
def test_a_proof_is_for_one_key_and_one_address(
    client: TestClient, key: str, host: str, place: str
) -> None:
    with knock(client) as page:
        page.say("prove", proof=prove(key, host, place, page.hear()["nonce"]))
        assert refused(page)


def test_a_proof_is_good_once(client: TestClient) -> None:
    with knock(client) as page, knock(client) as other:
        proof = prove(KEY, HOST, "/", page.hear()["nonce"])
        page.say("prove", proof=proof)
        assert page.ask("lobby")["kind"] == "lobby"
        other.hear()
        other.say("prove", proof=proof)
        assert refused(other)


def test_a_page_that_proves_nothing_is_closed(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "PATIENCE", 0.05)
    with knock(client) as page:
        page.hear()
        assert refused(page)


def test_pages_never_make_others_wait_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a page asks for, the store is read and written in threads."""
    explained, asked = Store._explained, list[bool]()

    def watch(store: Store) -> AbstractContextManager[None]:
        try:
            asyncio.get_running_loop()
        except RuntimeError:  # this thread has none
            asked.append(False)
        else:
            asked.append(True)
        return explained(store)

    client = visit(serve(tmp_path))
    monkeypatch.setattr(Store, "_explained", watch)
    with connect(client) as page:
        table = page.begin("gin", people=2)
        page.hear()
        here = {"number": table["number"], "ply": table["ply"]}
        page.ask("leave", **here)
        for kind in ("lobby", "statistics"):
            page.ask(kind)
        for kind in ("open", "links", "delete"):
            assert page.ask(kind, number=here["number"])["kind"] != "refused"
        ticket = page.ask("ticket", number=1)["ticket"]
        assert client.get(f"/records/1?ticket={ticket}").status_code == 404
    assert len(asked) > 10
    assert not any(asked)


class Gone:
    """A page that has proved its key and asked for something, and is gone when it is answered."""

    scope: ClassVar = {"client": None}
    headers: ClassVar = {"host": HOST}
    query_params: ClassVar[dict[str, str]] = {}
    application_state = WebSocketState.CONNECTED

    def __init__(self, leaves_after: int) -> None:
        self._left, self._nonce = leaves_after, ""
        self._asks = iter(["prove", "lobby", "lobby"])

    async def accept(self) -> None:
        pass

    async def send_text(self, text: str) -> None:
        if self._left == 0:
            self.application_state = WebSocketState.DISCONNECTED
            raise WebSocketDisconnect(1006)
        self._left -= 1
        self._nonce = self._nonce or json.loads(text)["nonce"]

    async def receive(self) -> dict[str, str]:
        kind = next(self._asks, None)
        if kind is None:
            await anyio.sleep_forever()
        proof = {"proof": prove(KEY, HOST, "/", self._nonce)} if kind == "prove" else {}
        return {"type": "websocket.receive", "text": json.dumps({"kind": kind, **proof})}

    async def close(self, code: int) -> None:
        raise AssertionError("it is gone")


@pytest.mark.parametrize("leaves_after", [0, 1, 2])
def test_a_page_may_go_at_any_moment(tmp_path: Path, leaves_after: int) -> None:
    """Nothing is raised, which a server would print."""
    store, page = Store(tmp_path), Gone(leaves_after)

    async def talk(websocket: Any) -> None:
        house = House(Tables(store), Seats(store), Tickets(), Doors(), KEY, Limits())
        await connection.Connection(websocket, house).run()

    anyio.run(talk, page)
    store.close()


def test_the_key_is_kept_with_the_games(tmp_path: Path) -> None:
    key = owner_key(tmp_path)
    assert len(key) == 43
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert owner_key(tmp_path) == key
    (tmp_path / FILE).chmod(0o644)
    assert owner_key(tmp_path) == key
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    renewed = owner_key(tmp_path, is_new=True)
    assert renewed != key
    assert owner_key(tmp_path) == renewed
    (tmp_path / FILE).write_bytes(b"\xff")
    assert len(owner_key(tmp_path)) == 43, "a damaged one is replaced"
    assert [each.name for each in tmp_path.iterdir()] == [FILE]


def test_a_ticket_is_for_one_record_soon_and_once() -> None:
    now = [0.0]
    tickets = Tickets(lambda: now[0])
    first, second, third = (tickets.give(number) for number in (1, 1, 2))
    assert tickets.take(first, "1") == 1
    assert tickets.take(first, "1") is None
    assert tickets.take(third, "1") is None
    assert tickets.take(third, "2") is None, "it is gone when it was shown"
    now[0] = LIFE
    assert tickets.take(second, "1") is None
    tickets.give(3)
    assert len(tickets._given) == 1


@pytest.mark.parametrize("path", [*PATHS, "/records/1", "/join", "/seat/1-1/app.js"])
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:8001", ""])
def test_a_foreign_host_is_refused(client: TestClient, host: str, path: str) -> None:
    answer = client.get(path, headers={"host": host})
    assert (answer.status_code, answer.text) == (403, "This is not the name of this server.\n")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"https://{HOST}", ""])
def test_a_foreign_origin_is_refused(client: TestClient, origin: str) -> None:
    assert origin == "" or client.get("/", headers={"origin": origin}).status_code == 403
    for place in ("/", "/seat/1-1/"):
        with pytest.raises(Shut), knock(client, origin, place):
            pass


@pytest.mark.parametrize("path", [*PATHS, "/seat/1-1/", "/seat/1-1/app.js"])
@pytest.mark.parametrize("cookie", ["", 'theme={"dark":true}', ";;=", "\xff=\xfe"])
def test_the_page_is_the_same_for_everybody(client: TestClient, path: str, cookie: str) -> None:
    """Other local servers set cookies as they like; they are not read."""
    headers = {"cookie": cookie.encode("latin-1"), "origin": f"http://{HOST}".encode()}
    sent = client.get(path, headers=headers)  # type: ignore[arg-type]
    assert sent.status_code == 200
    assert "set-cookie" not in sent.headers
    assert {name: sent.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize("path", ["/x", "/join", "/records/1", "/records/" + "1" * 4400])
def test_refusals_are_strict_too(client: TestClient, path: str) -> None:
    sent = client.get(path)
    assert sent.status_code in (403, 404)
    assert {name: sent.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize(
    "path",
    ["/../server.py", "/static/app.js", "/%2e%2e/server.py", "/etc/passwd", "/lit.LICENSE", "/x"],
)
def test_no_path_reaches_the_disk(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404
    assert client.post("/").status_code == 405


def test_a_stranger_makes_nobody_wait_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = visit(serve(tmp_path))

    def read(store: Store, *given: object) -> None:
        raise AssertionError("the disk was asked")

    for name in ("games", "find", "secret", "secrets", "entries", "_changing"):
        monkeypatch.setattr(Store, name, read)
    key = "1-1-" + 32 * "0"
    assert client.get(f"/join?key={key}").headers["location"] == f"/seat/1-1/#key={key}"
    for wrong in (key[:-1], key + "0", key[:-1] + "g", "1-1", "", "٣-1-" + 32 * "0"):
        assert client.get("/join", params={"key": wrong}).status_code == 403
    with connect(client, place="/seat/1-1/", key=key) as page:
        assert refused(page)
    with connect(client, key="wrong") as page:
        assert refused(page)
    assert client.get("/records/1?ticket=x").status_code == 403


def test_the_first_load_is_small_and_has_nothing_inline(client: TestClient) -> None:
    sent = {path: client.get(path).content for path in PATHS}
    assert sum(len(gzip.compress(each)) for each in sent.values()) < LARGEST
    page = sent["/"].decode()
    assert "<style" not in page
    assert " style=" not in page
    assert re.findall("<script[^>]*>[^<]*", page) == [
        '<script src="theme.js">',
        '<script type="module" src="app.js">',
    ]
    assert b"://" not in sent["/app.js"] + sent["/style.css"]
