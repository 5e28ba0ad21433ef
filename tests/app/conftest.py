"""What tests of tables share: a real browser, and deals that are the same in every run."""

import shutil
from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import Browser, sync_playwright

from undercut.app import coach
from undercut.app.web import tables


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = shutil.which("chromium") or shutil.which("google-chrome")
    assert found, "these tests need chromium (Debian: apt install chromium)"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that a page begins are dealt from known seeds."""
    seeds = count(10**18)
    monkeypatch.setattr(tables, "new_secret", lambda: next(seeds))


@pytest.fixture(autouse=True)
def short_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hint is one message, of a few samples."""
    monkeypatch.setattr(coach, "SAMPLES", (8,))
