"""Pages are sent nothing that tells of a hidden card: neither by words nor by time."""

import time
from itertools import count
from pathlib import Path

import pytest

from overheard import overhear
from undercut.app.host import Host
from undercut.app.session import Session
from undercut.app.store import Store
from undercut.app.stored_games import LEFT, OVER, PLAYING, Pledge
from undercut.app.web import snapshot, tables
from undercut.games.families import parse_game
from undercut.play.agent import Random
from undercut.play.ask import ask
from undercut.players.catalog import parse_agent
from undercut.text.errors import UndercutError
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
    monkeypatch.setattr(tables, "new_secret", lambda: f"{next(seeds):064x}")


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


def test_a_table_takes_its_time_when_others_may_have_answered_and_not_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new table always: it must not tell whether somebody was asked."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(tables.anyio, "sleep", sleep)
    with visit(serve(tmp_path, pace=100.0)) as client, connect(client) as page:
        for starter in (0, 1):
            table = page.begin(f"gin:first_starter={starter}", "beginner")
            assert len(slept) == 1
            slept.clear()
        answered = []
        while len(set(answered)) < 2:
            before = len(table["told"])
            table = page.go_on(table)
            others = [each for each in table["told"][before:] if not each.startswith("You")]
            answered.append(bool(others))
            assert bool(slept) == bool(others), (slept, table["told"])
            slept.clear()


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("leaves", [False, True])
def test_the_sealed_seed_is_shown_when_the_match_has_ended_and_never_before(
    training: bool, leaves: bool
) -> None:
    game, pledge = parse_game("rummy:target=60"), Pledge("5" * 64, "salt", "words")
    session = Session.at(Host(game, [None, None], pledge.mixed, training=training), 0)
    assistant = parse_agent("greedy", game)

    def told() -> tuple[str, str]:
        shown = snapshot.snapshot(session, 1, (), pledge).pledge
        assert shown is not None
        return shown.seed, shown.salt

    while not session.is_over:
        assert told() == ("", "")
        if session.is_deal_over:
            if leaves:
                session.leave()
                break
            session.next_deal()
        while not session.is_deal_over:
            seat = session.neighbour(session.person_on_turn)
            legal = [game.notation.parse_action(text) for text in seat.choices()]
            action = ask(game, assistant, seat.view().record, legal, Random.from_seed(0))
            seat.play(game.notation.format_action(action))
    assert len(session.results) > (not leaves), "a deal has ended before the match"
    assert told() == ("5" * 64, "salt")


def test_a_page_that_opens_or_downloads_a_game_loads_no_file(tmp_path: Path) -> None:
    """A game that was begun at the terminal may name an agent of one's own."""
    bot, loaded = tmp_path / "bot.py", tmp_path / "loaded"
    bot.write_text(f"open({str(loaded)!r}, 'w')\nclass Bot:\n    act = None\n")
    store = Store(tmp_path)
    stored = store.begin(parse_game("gin"), ["you", f"python:{bot}:Bot"], 5)
    open_tables = tables.Tables(store)
    for state in (PLAYING, OVER, LEFT):
        store.note(stored.number, state, (0, 0), [])
        with pytest.raises(UndercutError):
            open_tables.record(stored.number)
        assert not loaded.exists()
    with visit(serve(tmp_path)) as client, connect(client) as page:
        assert page.ask("open", number=stored.number)["kind"] == "refused"
    assert not loaded.exists()
    store.close()
