"""Pages are sent nothing that tells of a hidden card: neither by words nor by time."""

import time
from itertools import count
from pathlib import Path

import pytest

from overheard import overhear
from undercut.app.host import Host
from undercut.app.session import Session
from undercut.app.web import snapshot, tables
from web_page import connect, serve, visit

pytestmark = pytest.mark.compiled
GAMES: list[tuple[str, list[str], int]] = [  # what is played, by whom, and by how many people
    ("gin:target=20", ["beginner"], 1),
    ("distilled+knock:target=20", [], 2),
    ("rummy:target=20", ["beginner"], 1),
    ("rummy-classic:target=20", [], 2),
    ("pharaoh:deals=2", ["beginner"], 1),
    ("prsi:deals=1,players=4", ["skilled", "casual"], 2),
]


@pytest.fixture(autouse=True)
def same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same deals in every run."""
    seeds = count(10**18)
    monkeypatch.setattr(tables, "new_seed", lambda: next(seeds))


@pytest.mark.parametrize(("game", "opponents", "people"), GAMES)
def test_what_is_sent_is_the_same_with_any_other_hidden_cards(
    tmp_path: Path, game: str, opponents: list[str], people: int
) -> None:
    """`benchmarks/overhear.py` does the same for hundreds of games."""
    assert overhear(tmp_path, game, opponents, people, most=60) > 5


def test_a_hidden_card_that_is_sent_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison is able to fail."""

    def whisper(session: Session) -> str:
        return f"they hold {session._host.match.deal.observe(1).hand}"

    monkeypatch.setattr(snapshot, "verdict", whisper)
    with pytest.raises(AssertionError, match="they hold"):
        overhear(tmp_path, "gin:target=20", ["beginner"], most=60)


def test_the_time_of_an_answer_does_not_tell_how_long_it_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that once thinks long makes the table slower for good: quick answers wait too."""
    answer, thinks = Host.answer, [0.0]

    def think(host: Host) -> None:
        time.sleep(thinks[0])
        answer(host)

    monkeypatch.setattr(Host, "answer", think)
    with visit(serve(tmp_path, pace=0.02)) as client, connect(client) as page:
        table = page.begin("gin:first_starter=0,target=500", "beginner")
        waits: list[float] = []
        while len(waits) < 7:
            thinks[0] = 0.1 if len(waits) == 2 else 0.0
            start, before = time.monotonic(), len(table["told"])
            table = page.go_on(table)
            if any(not each.startswith("You") for each in table["told"][before:]):
                waits.append(time.monotonic() - start)
    assert all(wait >= 0.16 for wait in waits[2:]), waits
