"""Stored games: what was acknowledged is there, whatever happens, and a game goes on as it was."""

import copy
import os
import random
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from undercut.app import data_folder as folders
from undercut.app import store as stores
from undercut.app.agent_pool import seat_agent
from undercut.app.data_folder import data_folder
from undercut.app.host import Entry, Host, Kind
from undercut.app.kept_reviews import ReviewKept, keep_review, kept_reviews
from undercut.app.practice import puzzles
from undercut.app.reading_quiz import Score, score
from undercut.app.session import Session
from undercut.app.store import FILE, Kept, Store
from undercut.app.stored_games import StoreError
from undercut.games.families import parse_game
from undercut.play.agent import KernelAgent, Random
from undercut.play.records.record import format_record, parse_record, verify
from undercut.players.catalog import parse_agent
from undercut.text.errors import IllegalAction, OptionsError

TABLES = [("gin:target=30", "thrifty"), ("rummy:target=20", "random"), ("prsi:players=3", "random")]
every_table = pytest.mark.parametrize(("spec", "agent"), TABLES)


def keep(folder: Path, spec: str, agent: str, **options: Any) -> Kept:
    game, store = parse_game(spec), Store(folder)
    return Kept(store, store.begin(game, ["you", *[agent] * (game.seats - 1)], 5, **options))


def again(folder: Path, number: int = 1) -> Kept:
    store = Store(folder)
    return Kept(store, store.find(number))


def play_on(kept: Kept, choices: int, seed: int) -> None:
    """A person who picks any legal action, always the same for the same seed and place."""
    session = Session.at(kept.host, 0)
    for _ in range(choices):
        if session.is_deal_over:
            if session.is_over:
                break
            session.next_deal()
            continue
        chance = Random.from_seed(seed + 1000 * len(kept.host.choices))
        session.play(chance.choice(session.choices()))
    kept.note()


def everything(host: Host) -> tuple[object, ...]:
    chances = [chance.generator.tobytes() for chance in host._chances]
    view = host.match.deal.observe(0).tobytes()
    kept = copy.deepcopy((host._notes, host.choices, host.results, host.events))
    return *kept, host.undone, chances, view


@every_table
def test_a_game_that_is_closed_after_every_move_is_the_same_game(
    spec: str, agent: str, tmp_path: Path
) -> None:
    whole = keep(tmp_path / "whole", spec, agent)
    parts = keep(tmp_path / "parts", spec, agent)
    for _ in range(40):
        play_on(whole, 1, seed=3)
        play_on(parts, 1, seed=3)
        parts = again(tmp_path / "parts")
        assert everything(parts.host) == everything(whole.host)


def test_answers_that_were_given_are_kept_and_not_asked_for_again(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import random\n"
        "class Bot:\n"
        "    def act(self, view, legal, chance):\n"
        "        return random.SystemRandom().choice(legal)\n"
    )
    kept = keep(tmp_path, "gin", f"python:{bot}:Bot")
    play_on(kept, 12, seed=1)
    bot.write_text("class Bot:\n    def act(self, view, legal, chance):\n        raise KeyError\n")
    resumed = again(tmp_path)
    assert resumed.host.choices == kept.host.choices
    assert resumed.host._notes == kept.host._notes


def test_moves_taken_back_are_noted_and_survive(tmp_path: Path) -> None:
    kept = keep(tmp_path, "gin:target=20", "simple", training=True)
    with pytest.raises(IllegalAction, match="no move to take back"):
        kept.host.undo(0)
    play_on(kept, 6, seed=1)
    before = everything(kept.host)
    session = Session.at(kept.host, 0)
    session.play(session.choices()[-1])
    session.undo()
    assert everything(kept.host)[0:4] == before[0:4]
    assert everything(kept.host)[5:] == before[5:]
    assert kept.host.undone >= 1
    assert everything(again(tmp_path).host) == everything(kept.host)
    play_on(kept, 2000, seed=1)
    assert kept.host.match.is_over
    text = format_record(kept.host.record())
    assert verify(parse_record(text)).is_over
    assert parse_record(text).header.undone == kept.host.undone
    assert "undercut-record/2" in text


def test_the_first_move_of_a_deal_taken_back_leaves_that_deal_on_the_table(tmp_path: Path) -> None:
    kept = keep(tmp_path, "gin:first_starter=0", "simple", training=True)
    session = Session.at(kept.host, 0)
    for _ in range(2000):
        if session.is_deal_over:
            session.next_deal()
            if session.starter == 0:
                break
        else:
            session.play(session.choices()[-1])
    before = everything(kept.host)
    session.play(session.choices()[-1])
    session.undo()
    assert everything(kept.host)[:4] == before[:4]
    assert everything(again(tmp_path).host)[:4] == before[:4]


def test_a_match_that_was_never_changed_has_a_record_of_the_first_schema(tmp_path: Path) -> None:
    kept = keep(tmp_path, "gin:target=10", "simple")
    play_on(kept, 2000, seed=1)
    text = format_record(kept.host.record())
    assert '"schema":"undercut-record/1"' in text
    assert "undone" not in text
    verify(parse_record(text))
    assert Store(tmp_path).games()[0].state == "over"
    with pytest.raises(StoreError, match="no game is in play"):
        Store(tmp_path).last()


def test_every_ply_can_be_looked_at_again(tmp_path: Path) -> None:
    game = parse_game("gin:target=10")
    host = Host(game, [None, parse_agent("simple", game)], 5)
    session, seen = Session.at(host, 0), []
    chance = Random.from_seed(1)
    while not host.match.is_over:
        if session.is_deal_over:
            session.next_deal()
        else:
            seen.append((host.acted, session.view().record.tobytes()))
            session.play(chance.choice(session.choices()))
    for ply, view in seen:
        assert session.past(ply).view().record.tobytes() == view
    for number, result in enumerate(host.results):  # the end of each deal, and the next one
        past = session.past(result.ply, number)
        assert (past.is_deal_over, past.results) == (True, host.results[: number + 1])
        assert past.events
        following = session.past(result.ply)
        assert following.is_deal_over == (number + 1 == len(host.results))
        assert following.deal_number == min(number + 1, len(host.results) - 1)
    with pytest.raises(OptionsError, match="deal 2 was not on the table at ply 0"):
        session.past(0, 1)
    with pytest.raises(OptionsError, match="ply -1: must be from 0 to"):
        session.past(-1)


def test_several_people_and_agents_sit_at_one_table(tmp_path: Path) -> None:
    game = parse_game("pharaoh:players=4")
    agent = parse_agent("smallest", game)
    host = Host(game, [None, agent, None, agent], 5)
    seats = {seat: Session.at(host, seat) for seat in (0, 2)}
    while host.on_turn is not None:
        mine, other = seats[host.on_turn], seats[2 - host.on_turn]
        assert other.choices() == []
        with pytest.raises(IllegalAction, match="not your turn"):
            other.play(mine.choices()[0])
        mine.play(mine.choices()[0])
    assert seats[0].names == ("you", "Smallest A", "Player 3", "Smallest B")
    assert len(seats[0].events) == len(seats[2].events) > 4


def test_a_text_that_cannot_be_read_damages_one_game_alone(tmp_path: Path) -> None:
    store, game = Store(tmp_path), parse_game("gin")
    for _ in range(2):
        store.begin(game, ["you", "simple"], 5)
    store._database.execute("UPDATE games SET players = CAST(x'ff' AS TEXT) WHERE number = 1")
    assert [each.number for each in store.games()] == [2]
    (damaged,) = store.damaged()
    assert (damaged.number, damaged.why[:8]) == (1, "players:")


def test_a_log_with_a_gap_is_refused(tmp_path: Path) -> None:
    kept = keep(tmp_path, "gin", "simple")
    play_on(kept, 3, seed=3)
    store = Store(tmp_path)
    store._database.execute("DELETE FROM entries WHERE game = 1 AND place = 1")
    with pytest.raises(StoreError, match="lines of its log are missing"):
        store.entries(1)


def test_how_a_game_stands_is_noted_when_that_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, game = Store(tmp_path), parse_game("prsi:max_moves=9,deals=2")
    kept, noted = Kept(store, store.begin(game, ["you", "smallest"], 5)), list[object]()
    monkeypatch.setattr(store, "note", lambda *news: noted.append(news))
    session = Session.at(kept.host, 0)
    kept.note()
    assert noted == []
    while not session.is_deal_over:
        session.play(session.choices()[0])
    for _ in range(2):
        kept.note()
    results = kept.host.results
    deals = ((results[0].outcome, results[0].points),)
    assert noted == [(1, "playing", results[0].scores, deals)], "once"
    session.leave()
    kept.note()
    assert noted[1:] == [(1, "left", results[0].scores, deals)]


def test_a_move_is_taken_back_until_another_person_moves(tmp_path: Path) -> None:
    store, game = Store(tmp_path), parse_game("pharaoh:players=3,first_starter=0")
    kept = Kept(store, store.begin(game, ["you", "smallest", "you"], 5, True))
    mine, other = (Session.at(kept.host, seat) for seat in (0, 2))
    before = everything(kept.host)
    mine.play(mine.choices()[0])
    assert other.why_no_undo == "there is no move to take back"
    assert mine.why_no_undo == ""
    mine.undo()
    assert everything(kept.host)[:4] == before[:4], "with what the agent had answered"
    mine.play(mine.choices()[0])
    other.play(other.choices()[0])
    assert mine.why_no_undo.startswith("another person has moved since")
    moves = [*kept.host.choices]
    with pytest.raises(IllegalAction, match="another person has moved since"):
        mine.undo()
    assert kept.host.choices == moves
    other.undo()
    assert kept.host.choices == moves[:2]
    mine.undo()
    assert everything(again(tmp_path).host) == everything(kept.host)


def test_an_older_log_in_which_others_moves_were_taken_back_is_read(tmp_path: Path) -> None:
    store, game = Store(tmp_path), parse_game("pharaoh:players=3,first_starter=0")
    kept = Kept(store, store.begin(game, ["you", "smallest", "you"], 5, True))
    for seat in (0, 2):
        session = Session.at(kept.host, seat)
        session.play(session.choices()[0])
    store.append(1, len(kept.host.choices), Entry(Kind.UNDO, 0, str(len(kept.host.choices))))
    assert again(tmp_path).host.choices == []
    assert again(tmp_path).host.undone == len(kept.host.choices)


def test_two_programs_cannot_both_go_on(tmp_path: Path) -> None:
    kept = keep(tmp_path, "gin", "simple")
    other = again(tmp_path)
    play_on(kept, 2, seed=1)
    session = Session.at(other.host, 0)
    before = everything(other.host)
    with pytest.raises(StoreError, match="game 1 went on elsewhere"):
        session.play(session.choices()[0])
    assert everything(other.host) == before, "what could not be written has not happened"


def test_lines_that_wait_are_written_together_and_one_that_fails_alone_fails(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path)
    for _ in range(3):
        store.begin(parse_game("gin"), ["you", "simple"], 5)
    entry = Entry(Kind.PLAY, 0, "draw")
    store.append(2, 0, entry)
    waiting = [stores._Line(number, 0, entry) for number in (1, 2, 3)]
    store._waiting.extend(waiting)
    store.append(1, 1, entry)
    assert [(line.is_done, line.is_elsewhere) for line in waiting] == [
        (True, False),
        (True, True),
        (True, False),
    ]
    assert [len(store.entries(number)) for number in (1, 2, 3)] == [2, 1, 1]
    with ThreadPoolExecutor(8) as people:
        list(people.map(lambda place: store.append(3, place, entry), range(1, 41)))
    assert len(store.entries(3)) == 41


def test_tables_share_what_their_agents_are_made_of() -> None:
    game = parse_game("gin")
    one, other = (seat_agent("master", game) for _ in range(2))
    assert isinstance(one, KernelAgent)
    assert isinstance(other, KernelAgent)
    assert one.packed[1] is other.packed[1]
    assert one.packed[2] is not other.packed[2]
    assert repr(one) == repr(other) == "agent('master', 'gin')"


def test_a_full_disk_stops_the_game_before_the_move_counts(tmp_path: Path) -> None:
    kept = keep(tmp_path, "gin", "random")
    play_on(kept, 2, seed=1)
    pages = kept._store._database.execute("PRAGMA page_count").fetchone()[0]
    kept._store._database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="full"):
        play_on(kept, 2000, seed=1)
    stopped = everything(kept.host)
    kept._store._database.execute("PRAGMA max_page_count = 100000")
    assert everything(again(tmp_path).host) == stopped
    play_on(kept, 5, seed=1)


def test_what_cannot_be_opened_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot use the games in"):
        Store(tmp_path / "file")
    (tmp_path / "junk").mkdir()
    (tmp_path / "junk" / FILE).write_text("nothing like a database, but long enough " * 100)
    with pytest.raises(StoreError, match="not a database"):
        Store(tmp_path / "junk")
    kept = keep(tmp_path / "old", "gin", "simple")
    with pytest.raises(StoreError, match="there is no game 9"):
        kept._store.find(9)
    with sqlite3.connect(tmp_path / "old" / FILE) as database:
        database.execute("UPDATE games SET version = 99")
    with pytest.raises(StoreError, match="begun by version 99 of the rules of gin"):
        again(tmp_path / "old")
    with sqlite3.connect(tmp_path / "old" / FILE) as database:
        database.execute("PRAGMA user_version = 7")
    with pytest.raises(StoreError, match="of version 7: this program reads version 6"):
        Store(tmp_path / "old")
    with sqlite3.connect(tmp_path / "old" / FILE) as database:
        database.execute("PRAGMA user_version = -1")
    with pytest.raises(StoreError, match="of version -1: this program reads version 6"):
        Store(tmp_path / "old")
    monkeypatch.setenv("UNDERCUT_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("UNDERCUT_DATA")
    assert data_folder().name == "undercut"


def modes(folder: Path) -> dict[str, int]:
    return {each.name: each.stat().st_mode & 0o777 for each in [folder, *folder.iterdir()]}


def test_nobody_else_reads_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the umask is lax, and where an older program has left them open."""
    monkeypatch.delenv("UNDERCUT_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    usual, named = data_folder(), tmp_path / "named"
    named.mkdir(mode=0o755)
    before = os.umask(0)
    try:
        for _ in range(2):
            for folder in (usual, named):
                store = Store(folder)
                store.begin(parse_game("gin"), ["you", "simple"], 1)
                private = {FILE, f"{FILE}-wal", f"{FILE}-shm"}
                wanted = {**dict.fromkeys(private, 0o600), "undercut": 0o700, "named": 0o755}
                found = modes(folder)
                assert found == {name: wanted[name] for name in found}
                assert len(found) == 4
                for name in private:
                    (folder / name).chmod(0o644)
                usual.chmod(0o755)
    finally:
        os.umask(before)


OLDER = {
    1: ("deals", "pledge", "secret", "asks_all", "sequence", "entropy", "named"),
    2: ("secret", "asks_all", "sequence", "entropy", "named"),
    3: ("sequence", "entropy", "named"),
    4: ("named",),
    5: (),
}
"""The columns that later versions have added to each version of the tables."""


def make_older(folder: Path, version: int) -> None:
    """Turn the tables into those of an older version."""
    with sqlite3.connect(folder / FILE) as database:
        for table in ("readings",) if version == 5 else ("reviews", "boxes", "readings"):
            database.execute(f"DROP TABLE {table}")
        if version < 4:
            database.execute("DROP INDEX games_by_sequence")
        for column in OLDER[version]:
            database.execute(f"ALTER TABLE games DROP COLUMN {column}")
        if version == 1:
            database.execute("DELETE FROM entries WHERE kind = 'next'")
            earlier = "SELECT count(*) FROM entries AS other WHERE other.place < entries.place"
            database.execute(f"UPDATE entries SET place = ({earlier})")
        database.execute(f"PRAGMA user_version = {version}")


@pytest.mark.parametrize("version", OLDER)
def test_games_of_older_versions_are_read_and_go_on(version: int, tmp_path: Path) -> None:
    kept = keep(tmp_path, "gin:target=60", "simple")
    play_on(kept, 40, seed=1)
    before, schema = everything(kept.host), columns_of(kept._store)
    for number, when in ((2, "2026-01-02"), (3, "2026-01-01")):
        keep(tmp_path, "gin", "simple")
        change(kept._store, f"touched = '{when}T10:00:00+00:00'", number)
    kept._store.close()
    make_older(tmp_path, version)
    store = Store(tmp_path)
    assert columns_of(store) == schema
    by_clock, by_choice = [1, 2, 3], [3, 2, 1]
    order = by_clock if version < 4 else by_choice
    assert [each.number for each in store.games()] == order
    assert (store.find(1).deals is None) == (version == 1)
    assert everything(again(tmp_path).host) == before
    noted = store.find(1).deals
    assert noted == tuple((each.outcome, each.points) for each in kept.host.results)
    assert noted
    store.append(3, 0, Entry(Kind.PLAY, 0, "draw"))
    assert [each.number for each in store.games()] == ([3, 1, 2] if version < 4 else by_choice)
    assert puzzles(store) == []
    keep_review(store, 1, ReviewKept(8, ()))
    assert kept_reviews(store) == {1: ReviewKept(8, ())}
    assert score(store) == Score(0, 0, 0)


def columns_of(store: Store) -> list[tuple[object, ...]]:
    query = "SELECT name, type, dflt_value FROM pragma_table_info(?)"
    tables = ("games", "entries", "reviews", "boxes", "readings")
    return sorted((table, *row) for table in tables for row in store.rows(query, table))


def change(store: Store, assignment: str, number: int = 1) -> None:
    """Change a row behind the store's back."""
    store._database.execute(f"UPDATE games SET {assignment} WHERE number = {number}")


def test_the_last_game_is_the_one_with_the_last_choice_whatever_the_clock_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    clock = iter(f"2026-01-{day:02}T10:00:00+00:00" for day in (9, 9, 9, 8, 3, 3, 2, 2, 1))
    monkeypatch.setattr(stores, "_now", lambda: next(clock))
    for _ in range(3):
        store.begin(parse_game("gin"), ["you", "simple"], 5)
    entry, places = Entry(Kind.PLAY, 0, "draw"), dict.fromkeys((1, 2, 3), 0)
    assert store.last().number == 3
    for number in (1, 2, 1, 3, 2):
        store.append(number, places[number], entry)
        places[number] += 1
        assert store.last().number == number
    assert [each.number for each in store.games()] == [2, 3, 1]
    store.delete(2)
    store.append(1, places[1], entry)
    assert store.last().number == 1


@pytest.mark.parametrize(("setting", "value"), [("synchronous", 2), ("foreign_keys", 1)])
def test_what_is_acknowledged_survives_a_power_cut_and_what_is_deleted_is_gone(
    setting: str, value: int, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    assert store._database.execute(f"PRAGMA {setting}").fetchone() == (value,)
    store.close()


def test_deleted_games_are_gone(tmp_path: Path) -> None:
    kept = keep(tmp_path, "gin", "simple")
    play_on(kept, 3, seed=1)
    kept._store.delete(1)
    assert kept._store.games() == []
    assert kept._store.entries(1) == []
    with pytest.raises(StoreError, match="there is no game 1"):
        kept._store.delete(1)
    session = Session.at(kept.host, 0)
    with pytest.raises(StoreError, match="went on elsewhere, or was deleted"):
        session.play(session.choices()[0])


def test_a_log_is_written_before_it_counts() -> None:
    game = parse_game("gin:first_starter=0")
    logged: list[Entry] = []

    def log(entry: Entry) -> None:
        assert len(host.choices) == len(logged)
        logged.append(entry)

    host = Host(game, [None, parse_agent("simple", game)], 5, log=log)
    session = Session.at(host, 0)
    for _ in range(5):
        session.play(session.choices()[0])
    assert logged == host.choices
    assert {entry.kind for entry in logged} == {Kind.PLAY}


PLAYER = """
import sys
from pathlib import Path
from undercut.app.store import Kept, Store
from undercut.app.session import Session
from undercut.play.agent import Random
from undercut.games.families import parse_game
store = Store(Path(sys.argv[1]))
game = parse_game("gin")
found = store.games()
kept = Kept(store, found[0] if found else store.begin(game, ["you", "random"], 5))
session = Session.at(kept.host, 0)
print("ready", flush=True)
while True:
    if session.is_deal_over:
        session.next_deal()
        continue
    chance = Random.from_seed(len(kept.host.choices))
    text = chance.choice(session.choices())
    kept.host.play(0, text)
    print(len(kept.host.choices), text, flush=True)
    kept.host.advance()
"""


@pytest.mark.compiled
def test_killed_at_any_moment_no_acknowledged_move_is_lost(tmp_path: Path) -> None:
    chance, acknowledged = random.Random(1), list[tuple[int, str]]()
    for _ in range(5):  # benchmarks/kills.py does it hundreds of times
        child = subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        for _ in range(chance.randrange(1, 40)):
            place, _, text = child.stdout.readline().strip().partition(" ")
            acknowledged.append((int(place), text))
        os.kill(child.pid, signal.SIGKILL)
        for line in child.stdout:  # what it had still said
            if line.endswith("\n"):
                place, _, text = line.strip().partition(" ")
                acknowledged.append((int(place), text))
        child.stdout.close()
        child.wait()
        store = Store(tmp_path)
        assert store._database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        kept = Kept(store, store.games()[0])
        for count, text in acknowledged:
            assert kept.host.choices[count - 1].text == text
    uninterrupted = Host(kept.host.game, kept.host.players, 5)
    for entry in kept.host.choices:
        while uninterrupted.on_turn is None:
            uninterrupted.next_deal()
        if entry.seat == 0:
            uninterrupted.play(0, entry.text)
        else:
            uninterrupted.answer()
            assert uninterrupted.choices[-1] == entry, "chance goes on where it stood"
    assert len(acknowledged) > 40


def test_a_private_file_is_private_from_the_first_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "_tighten", lambda path, mode: None)  # this comes a moment later
    before = os.umask(0)
    try:
        folders.make_private(tmp_path / "file")
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600
