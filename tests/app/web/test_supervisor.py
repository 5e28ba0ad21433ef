"""A server that crashes is started again, and pages go on; nothing is left when it is to end."""

import os
import re
import signal
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from undercut.app.web import supervisor
from undercut.app.web.address import listen
from undercut.app.web.keys import owner_key
from undercut.app.web.open_browser import opened
from undercut.text.errors import OptionsError
from web_page import LIMIT, at_speed, child_of, start_server

pytestmark = pytest.mark.compiled
CLOSED = "The table is closed. Your games are kept: undercut play goes on with them.\n"


@contextmanager
def playing(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`undercut play`, and the link that it prints; it has ended when the block is left."""
    process, link = start_server(folder)
    try:
        yield process, link
    finally:
        process.kill()
        process.communicate()


def wait_for_end(pid: int) -> None:
    """Until a process is gone that is not our child."""
    deadline = time.monotonic() + LIMIT
    while Path(f"/proc/{pid}/stat").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def assert_secret(key: str) -> None:
    """No process has the key in its command line."""
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(FileNotFoundError, ProcessLookupError):
            assert key.encode() not in each.read_bytes()


def go_on(page: Page) -> None:
    """Make a move at a table that the server shows."""
    page.wait_for_selector(".baize:not(.busy)", timeout=LIMIT * 1000)
    table = "document.querySelector('game-table')"
    before = page.evaluate(f"{table}.state.ply")
    action = page.evaluate(f"{table}.state.question.groups[0].choices[0].action")
    page.evaluate(f"action => {table}.ask('play', {{ action }})", action)
    page.wait_for_function(f"ply => {table}.state.ply > ply", arg=before, timeout=LIMIT * 1000)


def test_a_page_goes_on_after_a_crash_and_after_a_new_start(
    browser: Browser, tmp_path: Path
) -> None:
    with playing(tmp_path) as (process, link):
        key = owner_key(tmp_path)
        page = browser.new_context(reduced_motion="reduce").new_page()
        page.add_init_script(at_speed("instant"))
        page.set_default_timeout(LIMIT * 1000)
        page.goto(link)
        page.locator("input[value=beginner]").check(force=True)
        page.get_by_role("button", name="Play").click()
        go_on(page)
        server = child_of(process.pid)
        os.kill(server, signal.SIGKILL)
        expect(page.locator(".lost")).to_be_visible()
        expect(page.locator(".lost")).to_have_count(0, timeout=LIMIT * 1000)
        go_on(page)
        assert child_of(process.pid) != server
        assert_secret(key)
        process.send_signal(signal.SIGTERM)
        said, _ = process.communicate(timeout=LIMIT)
        assert process.returncode == 0
        assert re.findall("The server .*", said) == [
            "The server has crashed (signal 9) and is started again: open pages go on."
        ]
        assert said.endswith(CLOSED)
        assert key not in said
        assert "Traceback" not in said
    expect(page.locator(".lost")).to_be_visible()
    with playing(tmp_path) as (process, again):
        assert again == link
        expect(page.locator(".lost")).to_have_count(0, timeout=LIMIT * 1000)
        go_on(page)
        server = child_of(process.pid)
        process.kill()
        wait_for_end(server)
    page.context.close()


def test_a_new_key_is_made_when_that_is_asked_for(tmp_path: Path) -> None:
    key = owner_key(tmp_path)
    command = [sys.executable, "-m", "undercut", "play", "--web", "--new-key", "--data"]
    with subprocess.Popen([*command, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        link = process.stdout.readline()
        process.kill()
    assert key not in link
    assert link.endswith(f"#key={owner_key(tmp_path)}\n")


def test_what_the_server_refuses_gets_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "undercut", "play", "--web", "--resume", "7", "--data"]
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"undercut: there is no game 7 in '\S+'\n", done.stderr)


def test_after_five_crashes_it_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(supervisor, "run_server", os.abort)  # which takes no argument: exit code 1
    said: list[str] = []
    handler = signal.getsignal(signal.SIGTERM)
    code = supervisor.supervise(tmp_path, "127.0.0.1", None, False, len, False, said.append)  # type: ignore[arg-type]
    assert code == 1
    assert said == [
        *["The server has crashed (exit code 1) and is started again: open pages go on."] * 4,
        "The server has crashed 5 times (exit code 1): it is given up.",
    ]
    assert capfd.readouterr().err.count("TypeError") == 5
    assert signal.getsignal(signal.SIGTERM) is handler


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_waits_until_a_server_has_started(number: signal.Signals) -> None:
    first = signal.signal(number, signal.default_int_handler)  # nohup has SIGHUP ignored
    try:
        check_that_it_waits(number)
    finally:
        signal.signal(number, first)


def check_that_it_waits(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with supervisor.Stop() as stop:
        signal.raise_signal(number)
        with pytest.raises(KeyboardInterrupt), stop.allowed():
            pytest.fail("it was asked to end before")
    with supervisor.Stop() as stop:
        with stop.allowed():
            pass
        with pytest.raises(KeyboardInterrupt), stop.allowed():
            signal.raise_signal(number)
        with stop.ignored():
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(number) is before


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    first = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with supervisor.Stop() as stop:
            assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
            with stop.allowed():
                signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, first)


def test_the_last_port_is_tried_first(tmp_path: Path) -> None:
    with listen("127.0.0.1", None, tmp_path) as first:
        port = first.getsockname()[1]
        with listen("127.0.0.1", None, tmp_path) as second:
            other = second.getsockname()[1]
            assert other != port
            assert (tmp_path / "port").read_text() == f"{other}\n"
        with pytest.raises(OptionsError, match="cannot serve at"):
            listen("127.0.0.1", port, tmp_path)
    with listen("127.0.0.1", None, tmp_path) as again:
        assert again.getsockname()[1] == other
    for damaged in ("", "x", "99999", "-1"):
        (tmp_path / "port").write_text(damaged)
        listen("127.0.0.1", None, tmp_path).close()


def test_a_browser_is_opened_by_a_private_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(webbrowser, "open", asked.append)
    file = tmp_path / "open.html"
    with opened(file, "http://127.0.0.1:8000/#12&key=sesame"):
        deadline = time.monotonic() + LIMIT
        while not asked and time.monotonic() < deadline:
            time.sleep(0.01)
        assert asked == [file.as_uri()]
        assert file.stat().st_mode & 0o777 == 0o600
        assert 'url=http://127.0.0.1:8000/#12&amp;key=sesame"' in file.read_text()
    assert not file.exists()
    with opened(tmp_path / "nowhere" / "open.html", "http://127.0.0.1:8000/"):
        pass
    assert len(asked) == 1
