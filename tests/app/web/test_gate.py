"""Nobody comes to the table without the secret, from another page, or under another name."""

import re
from pathlib import Path

import pytest

from undercut.app.web.server import STATIC
from web_page import HOST, SECRET, Shut, TestClient, connect, serve, visit

pytestmark = pytest.mark.compiled
PATHS = ["/", *(f"/{name}" for name in STATIC if name != "index.html")]
LARGEST = 300_000  # bytes of a first load


@pytest.fixture
def stranger(tmp_path: Path) -> TestClient:
    return visit(serve(tmp_path), let_in=False)


@pytest.fixture
def guest(tmp_path: Path) -> TestClient:
    return visit(serve(tmp_path))


def test_the_link_lets_in_and_its_key_leaves_the_address(stranger: TestClient) -> None:
    entered = stranger.get(f"/?key={SECRET}")
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    cookie = entered.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert stranger.get("/").status_code == 200


@pytest.mark.parametrize("path", [*PATHS, "/?key=", "/?key=wrong", "/?key=%ff", "/?key", "/talk"])
def test_without_the_secret_nothing_is_sent(stranger: TestClient, path: str) -> None:
    refused = stranger.get(path)
    assert refused.status_code == 403
    assert "set-cookie" not in refused.headers


@pytest.mark.parametrize("cookie", ["undercut-8000=wrong", "undercut-8000", ";;=", "\xff=\xfe"])
def test_a_wrong_cookie_is_none(stranger: TestClient, cookie: str) -> None:
    headers = {"cookie": cookie.encode("latin-1")}
    assert stranger.get("/", headers=headers).status_code == 403  # type: ignore[arg-type]


def test_a_page_cannot_be_connected_without_the_secret(stranger: TestClient) -> None:
    with pytest.raises(Shut), connect(stranger):
        pass


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:8001", ""])
def test_a_foreign_host_is_refused(guest: TestClient, host: str) -> None:
    assert guest.get("/", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"https://{HOST}", ""])
def test_a_foreign_origin_is_refused(guest: TestClient, origin: str) -> None:
    assert origin == "" or guest.get("/", headers={"origin": origin}).status_code == 403
    with pytest.raises(Shut), connect(guest, origin):
        pass


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_is_strict(guest: TestClient, path: str) -> None:
    sent = guest.get(path, headers={"origin": f"http://{HOST}"})
    assert sent.status_code == 200
    policy = sent.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert sent.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    ["/../server.py", "/static/app.js", "/%2e%2e/server.py", "/etc/passwd", "/lit.LICENSE", "/x"],
)
def test_no_path_reaches_the_disk(guest: TestClient, path: str) -> None:
    assert guest.get(path).status_code == 404
    assert guest.post("/").status_code == 405


def test_the_first_load_is_small_and_has_nothing_inline(guest: TestClient) -> None:
    sent = {path: guest.get(path).content for path in PATHS}
    assert sum(map(len, sent.values())) < LARGEST
    page = sent["/"].decode()
    assert "<style" not in page
    assert " style=" not in page
    assert re.findall("<script[^>]*>[^<]*", page) == [
        '<script src="theme.js">',
        '<script type="module" src="app.js">',
    ]
    assert b"://" not in sent["/app.js"] + sent["/style.css"]
