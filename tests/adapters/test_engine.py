"""Engines: agents in other processes, whatever they do."""

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random as Chance
from types import SimpleNamespace

import jsonschema
import pytest
from click.testing import CliRunner

import schemas as tool
from lab.here import Here
from positions import Table, random_table
from undercut.adapters.engine import agent
from undercut.adapters.engine.agent import Conversation, EngineAgent, EngineSpec, load_engine
from undercut.adapters.engine.check import check_engine
from undercut.adapters.engine.messages import (
    PROTOCOL,
    FromHost,
    Go,
    Hello,
    Play,
    Quit,
    Ready,
    Trouble,
    Welcome,
    event_message,
    format_message,
    game_message,
    quoted,
)
from undercut.adapters.engine.process import MOST, Process
from undercut.adapters.engine.serve import Engine, serve
from undercut.app.host import Host
from undercut.app.store import Store
from undercut.app.warm_up import rehearse
from undercut.app.web import tables
from undercut.cli import main
from undercut.games.families import parse_game
from undercut.games.table.position import format_position
from undercut.lab.compare import play_match
from undercut.lab.timing import time_decisions
from undercut.lab.workers import Setup
from undercut.play.agent import Random
from undercut.play.batch import play_batch
from undercut.play.deal import Deal
from undercut.play.records.event_log import EventLog
from undercut.play.records.record import parse_record, verify, verify_record
from undercut.play.records.seat_events import SeatLog
from undercut.play.records.trace import record_of
from undercut.players.catalog import parse_agent
from undercut.schemas import schema
from undercut.text.errors import AgentError, Forfeit, OptionsError, UndercutError

HERE = Path(__file__).parent
ENGINES = HERE.parents[1] / "examples" / "engines"
GAME = parse_game("gin:target=1")


def bad(way: str, folder: Path, seconds: float = 2) -> str:
    """The spec of an engine that misbehaves once."""
    python = f"{sys.executable} -I -S {HERE / 'bad_bot.py'}"
    return f"engine[seconds={seconds}]:{python} '{way}' {folder / 'flag'}"


def is_running(pid: int) -> bool:
    """Whether a process is there, and has not just ended."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int) -> None:
    end = time.monotonic() + 5
    while is_running(pid):
        assert time.monotonic() < end, f"process {pid} was left behind"
        time.sleep(0.01)


WAYS = {
    "crash": "it has ended with code 3: lost",
    "hang": "no answer within 2 s",
    "flood": "it floods us",
    "lines": "it floods us",
    "late": "no answer within 2 s",
    "illegal": "it answers 'knock Ks', which is not legal: take, pass",
    "no action": "not an action: 'fly'",
    "wrong id": "it answers question 0, not 1",
    "no JSON": "not a message: 'pass'",
    "trouble": "it says: I cannot",
}


@pytest.mark.parametrize("way", WAYS)
def test_an_engine_that_fails_loses_that_game_and_nothing_else(way: str, tmp_path: Path) -> None:
    engine = load_engine(bad(way, tmp_path), GAME)
    batch = play_batch(GAME, [engine, parse_agent("simple", GAME)], 2, seed=1, trace=None)
    engine.close()
    assert batch.forfeits.tolist() == [[1, 0], [0, 0]]
    assert batch.shares[0].tolist() == [0.0, 1.0]
    assert batch.scores[0].tolist() == [-1, 0]
    assert WAYS[way] in engine.faults[0]
    assert len(engine.faults) == 1
    wait_until_gone(int((tmp_path / "flag").read_text()))
    for seat in (None, 0, 1):
        assert verify(parse_record(record_of(batch, 0, seat))).is_left
        assert verify(parse_record(record_of(batch, 1, seat))).is_over


def test_what_an_engine_starts_is_killed_with_it(tmp_path: Path) -> None:
    engine = load_engine(bad("children", tmp_path), GAME)
    with pytest.raises(Forfeit, match="no answer within 2 s"):
        engine.act_on_events(SeatLog(GAME, 0), *choice(Deal(GAME, 3)))
    wait_until_gone(int((tmp_path / "flag").read_text()))


def test_an_engine_that_does_not_go_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent, "_QUITTING", 0.1)
    hello = {"type": "hello", "protocol": PROTOCOL, "name": "b"}
    (tmp_path / "bot.sh").write_text(f"echo '{json.dumps(hello)}'; exec sleep 600")
    engine = load_engine(f"engine:sh {tmp_path / 'bot.sh'}", GAME)
    process = engine._open[0].process  # held, or it would be killed when it is forgotten
    engine.close()
    wait_until_gone(process.pid)
    assert process._selector.get_map() is None, "its pipes are watched no more"


def choice(deal: Deal) -> tuple[object, Sequence[int], Random]:
    return deal.observe(), deal.actions, Random.from_seed(1)


def test_nothing_is_left_behind_when_we_are_killed(tmp_path: Path) -> None:
    """Not even an engine that neither reads nor ends."""
    program = (
        "import time; from undercut.adapters.engine.process import Process\n"
        "process = Process(['sleep', '600']); print(process.pid, flush=True); time.sleep(600)"
    )
    host = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    pid = int(host.stdout.readline())
    assert is_running(pid)
    host.send_signal(signal.SIGKILL)
    host.communicate()
    wait_until_gone(pid)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("engine:", "write engine:COMMAND"),
        ("engine[seconds=0]:cat", "seconds=0: must be a number of seconds"),
        ("engine[start=x]:cat", "start=x: must be a number of seconds"),
        ("engine:no-such-program", "cannot run 'no-such-program'"),
        ("engine:'", "No closing quotation"),
        ("engine:true", "true: it has ended with code 0"),
        ("engine:cat", "cat: not a message"),
        ("engine[start=0.05]:sleep 9", "sleep: no answer within 0.05 s"),
    ],
)
def test_a_spec_that_cannot_play_is_refused_before_anything_is_played(spec: str, said: str) -> None:
    with pytest.raises(UndercutError) as refusal:
        parse_agent(spec, GAME)
    assert said in str(refusal.value)
    assert not isinstance(refusal.value, Forfeit)


def test_options_and_games_are_those_that_the_engine_names(tmp_path: Path) -> None:
    bot = tmp_path / "bot.sh"
    hello = {"type": "hello", "protocol": PROTOCOL, "name": "b", "games": ["gin"]}
    hello["options"] = [{"name": "level"}]  # type: ignore[assignment]
    bot.write_text(f"echo '{json.dumps(hello)}'; cat > {tmp_path / 'heard'}")
    engine = load_engine(f"engine[level=3]:sh {bot}", GAME)
    engine.close()
    assert (tmp_path / "heard").read_text().splitlines()[1:] == [
        '{"type":"options","values":{"level":"3"}}',
        '{"type":"quit"}',
    ]
    load_engine(f"engine:sh {bot}", GAME).close()
    assert (tmp_path / "heard").read_text().splitlines()[1:] == ['{"type":"quit"}']
    with pytest.raises(OptionsError, match="unknown option 'speed' of b: one of level"):
        load_engine(f"engine[speed=3]:sh {bot}", GAME)
    with pytest.raises(OptionsError, match="b does not play rummy: one of gin"):
        load_engine(f"engine:sh {bot}", parse_game("rummy"))
    bot.write_text(f"echo '{json.dumps({**hello, 'protocol': 'chess/1'})}'; cat")
    with pytest.raises(AgentError, match="it speaks 'chess/1', not 'undercut-engine/1'"):
        load_engine(f"engine:sh {bot}", GAME)


def test_the_time_of_a_whole_game_runs_out(tmp_path: Path) -> None:
    spec = bad("late", tmp_path, 5).replace("seconds=5", "seconds=5,game_seconds=0.3")
    engine = load_engine(spec, GAME)
    with pytest.raises(Forfeit, match=r"no answer within 0\.3 s"):
        engine.act_on_events(SeatLog(GAME, 0), *choice(Deal(GAME, 3)))
    engine.close()


def test_each_answer_takes_its_time_from_that_of_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "flag").touch()
    spec = bad("none", tmp_path).replace("seconds=2", "seconds=800,game_seconds=1000")
    engine, asked = load_engine(spec, GAME), list[Go]()
    clock = iter([0, 150, 2000, 2300, 5000, 5001, 7000, 7001])
    monkeypatch.setattr(agent, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    send = Conversation.send

    def heard(self: Conversation, message: FromHost) -> None:
        asked.extend([message] if isinstance(message, Go) else [])
        send(self, message)

    monkeypatch.setattr(Conversation, "send", heard)
    seat_log = SeatLog(GAME, 0)
    for _ in range(3):
        engine.act_on_events(seat_log, *choice(Deal(GAME, 3)))
    engine.see_end(seat_log)
    engine.act_on_events(SeatLog(GAME, 0), *choice(Deal(GAME, 3)))
    assert len(engine._open) == 1, "who has heard a match out plays the next"
    engine.close()
    limits = [(go.seconds, go.game_seconds) for go in asked]
    assert limits == [(800, 1000), (800, 850), (550, 550), (800, 1000)]


def test_an_engine_that_does_not_read_fails_after_a_megabyte() -> None:
    process = Process(["sleep", "600"])
    process.send(bytes(MOST))  # kept, since it may only be slow
    with pytest.raises(Forfeit, match="it does not read its input"):
        process.send(bytes(1 << 17))
    process.kill()


SAYS = "import sys; {}; sys.stdout.flush(); import time; time.sleep(600)"


def says(program: str) -> Process:
    return Process([sys.executable, "-I", "-S", "-c", SAYS.format(program)])


def test_an_engine_may_write_as_many_errors_as_it_likes() -> None:
    """They are read, so that it never waits for that; the last ones are kept."""
    process = says("sys.stderr.write(99999 * 'error\\n'); print('ready')")
    assert next(process.receive(9.0)) == b"ready"
    assert len(process._errors) <= 2048
    process.kill()


def test_a_megabyte_without_an_answer_is_as_much_as_is_read() -> None:
    """As one line, or as many."""
    for much in ("print(((1 << 20) - 1) * 'x')", "print(1024 * (1023 * 'x' + chr(10)), end='')"):
        process, size = says(much), 0
        lines = process.receive(9.0)
        while size < MOST - 1024:
            size += len(next(lines))
        process.kill()
    process = says("print((1 << 20) * 'x')")
    with pytest.raises(Forfeit, match="it floods us: more than a megabyte without an answer"):
        next(process.receive(9.0))
    process.kill()
    process = says("print(1026 * (1023 * 'x' + chr(10)))")
    with pytest.raises(Forfeit, match="it floods us"):
        list(process.receive(9.0))
    process.kill()


def test_how_an_engine_ends_is_its_code_and_the_last_line_of_its_errors() -> None:
    for program, told in (
        ("sys.stderr.write('one\\n two \\n\\n'); sys.exit(7)", "it has ended with code 7: two"),
        ("sys.exit(0)", "it has ended with code 0"),
        ("import os; sys.stdout.flush(); os.close(1)", "it has ended"),
        ("import os; os.kill(os.getpid(), 9)", "it has ended with code -9"),
    ):
        process = says(program)
        with pytest.raises(Forfeit) as ended:
            next(process.receive(9.0))
        assert str(ended.value) == told
        process.kill()


def test_it_is_waited_for_until_it_has_read_all_and_no_longer() -> None:
    began = time.monotonic()
    process = says("pass")
    assert not process.ends(0.2)
    assert 0.2 <= time.monotonic() - began < 5
    process.kill()
    process = Process(["sh", "-c", "sleep 0.2; wc -c >&2"])
    for _ in range(9):
        process.send(bytes(100_000))
    assert process.ends(9.0), "it ends when it has read the last of 900,000 bytes"
    with pytest.raises(Forfeit, match="it has ended with code 0: 900000"):
        next(process.receive(9.0))
    process.kill()


def test_the_command_line_reports_forfeits(tmp_path: Path) -> None:
    records = tmp_path / "records"
    arguments = ["match", GAME.name, bad("crash", tmp_path), "simple", "-n", "4", "--json"]
    done = CliRunner().invoke(main, [*arguments, "--record", str(records), "--adjust"])
    assert done.exit_code == 0, done.output
    assert "bad forfeited 1 game; the last time: it has ended with code 3: lost" in done.stderr
    assert json.loads(done.stdout)["forfeits"] == [1, 0]
    assert [verify_record(path).is_left for path in sorted(records.iterdir())] == [True] + 3 * [
        False
    ]
    (tmp_path / "flag").unlink()
    arguments = ["tournament", GAME.name, bad("illegal", tmp_path), "simple", "patient", "-n", "2"]
    arguments += ["--resume", str(tmp_path / "results.db"), "--json"]
    first, again = (CliRunner().invoke(main, arguments) for _ in range(2))
    assert json.loads(first.stdout)["forfeits"] == [1, 0, 0]
    assert again.stdout == first.stdout
    assert again.stderr.endswith(" forfeited 1 game\n")  # the file does not say why


def test_a_crew_says_why_an_engine_failed(tmp_path: Path) -> None:
    agents = [parse_agent(bad("crash", tmp_path), GAME), parse_agent("simple", GAME)]
    crew = Here()
    assert play_match(GAME, agents, 2, setup=Setup(crew=crew)).moments.forfeits == (1, 0)
    assert crew.faults == {"bad": "it has ended with code 3: lost"}


# What is told


class Told:
    """An agent of ours that is told what happens, and keeps it."""

    def __init__(self, spec: str, game: str) -> None:
        self.agent, self.name = parse_agent(spec, parse_game(game)), "told"
        self.heard: list[SeatLog] = []
        self.asked: list[SeatLog] = []

    def act(self, view: object, legal: Sequence[int], random: Random) -> int:
        raise AssertionError("it is told what happens")

    def act_on_events(
        self, seat_log: SeatLog, view: object, legal: Sequence[int], random: Random
    ) -> int:
        self.asked.append(seat_log)
        return self.agent.act(view, legal, random)  # type: ignore[union-attr]

    def see_end(self, seat_log: SeatLog) -> None:
        self.heard.append(seat_log)


@pytest.mark.parametrize(
    ("game", "agent"), [("gin", "simple"), ("rummy", "greedy"), ("pharaoh:players=3", "smallest")]
)
def test_whoever_is_told_plays_the_same_matches(game: str, agent: str) -> None:
    rules = parse_game(game)
    others = [parse_agent("random", rules) for _ in range(rules.seats - 1)]
    plain = play_batch(rules, [parse_agent(agent, rules), *others], 4, seed=7, trace=1000)
    player = Told(agent, game)
    told = play_batch(rules, [player, *others], 4, seed=7, trace=1000)
    assert told.results.tobytes() == plain.results.tobytes()
    assert told.traces.tobytes() == plain.traces.tobytes()
    assert not told.forfeits.any()
    for number, seat_log in enumerate(player.heard):
        assert seat_log.is_over
        text = record_of(plain, number, seat_log.seat)
        assert parse_record(text).events == seat_log.events


class Noted(Table):
    """A table that events can be made of."""

    observe = Table.view


def lines_of(table: Table, seat: int) -> list[bytes]:
    """All that an engine in a seat is sent of a deal that came to this position."""
    game, sent = table.game, list[FromHost]()
    log = EventLog(game, lambda event: sent.append(event_message(event, seat)), seat)
    replayed = Noted(game, table.deck, table.starter, table.scores)
    log.dealt(replayed, 0, table.starter, table.scores, "0" * 64)
    for action in table.played:
        mover = replayed.seat
        before = replayed.view(mover)
        replayed.apply(action)
        log.played(replayed, mover, action, before)
    if not table.is_over and table.seat == seat:
        position = format_position(game, table.view(seat))
        sent.append(Go(id=1, legal=table.legal(), position=position, seconds=1.0))
    return [format_message(message) for message in (game_message(game, seat), *sent)]


def dealt_otherwise(table: Table, seat: int, chance: Chance) -> Table | None:
    """The same play with two cards exchanged that a seat has never seen, if that is possible."""
    hidden = table.unseen(seat)
    for _ in range(20 if len(hidden) > 1 else 0):
        one, other = chance.sample(hidden, 2)
        places = {one: other, other: one}
        deck = [places.get(card, card) for card in table.deck]
        twin = Table(table.game, deck, table.starter, table.scores)
        for action in table.played:
            if action not in twin.actions():
                break
            twin.apply(action)
        else:
            return twin
    return None


@pytest.mark.parametrize("name", ["gin", "gin:knock_face_down=1", "rummy", "pharaoh:players=3"])
def test_hidden_cards_change_no_byte_of_what_is_sent(name: str) -> None:
    game, chance = parse_game(name), Chance(5)
    compared = 0
    for _ in range(8):
        table = random_table(game, chance)
        for _ in range(chance.randrange(4, 24)):
            if not table.is_over:
                table.play_any(chance)
        was_shuffled = "reshuffles" in game.rules.STATE.fields and table.state["reshuffles"]
        for seat in range(game.seats):
            twin = None if table.is_over or was_shuffled else dealt_otherwise(table, seat, chance)
            if twin is not None:
                assert lines_of(table, seat) == lines_of(twin, seat)
                compared += 1
    assert compared >= 5


def test_an_engine_is_sent_neither_seeds_nor_commitments() -> None:
    player = Told("simple", GAME.name)
    play_batch(GAME, [player, parse_agent("simple", GAME)], 2, seed=5)
    seat_log = player.heard[1]
    messages = [format_message(event_message(event, seat_log.seat)) for event in seat_log.events]
    sent = [json.loads(message) for message in messages]
    assert {each["type"] for each in sent} == {"deal", "action", "end", "over"}
    fields = {field for each in sent for field in each}
    assert not fields & {"seed", "salt", "commitment"}
    assert any(each["action"].startswith("meld") for each in sent if each["type"] == "action")


def test_a_game_with_people_is_told_too_and_again_after_a_move_was_taken_back() -> None:
    player = Told("simple", "gin")
    host = Host(parse_game("gin"), [None, player], 4, training=True)
    host.advance()
    while len(player.asked) < 2:
        host.play(0, host.match.deal.legal[-1])
        host.advance()
    first = player.asked[-1]
    assert first.events[0].hands[1] and first.events[0].hands[0] is None  # noqa: PT018
    host.undo(0)
    host.advance()
    host.play(0, host.match.deal.legal[-1])
    host.advance()
    assert player.asked[-1] is not first
    assert (
        player.asked[-1].events[: len(first.events) // 2] == first.events[: len(first.events) // 2]
    )


def test_a_page_opens_no_game_against_an_engine(tmp_path: Path) -> None:
    """One that was begun in a terminal is listed, without its command."""
    store = Store(tmp_path)
    stored = store.begin(GAME, ["you", f"engine:touch {tmp_path / 'owned'}"], 5)
    assert stored.called == ("you", "engine")
    with pytest.raises(OptionsError, match="cannot play on this page"):
        tables.invited(stored)
    assert not (tmp_path / "owned").exists()


def test_whoever_needs_events_is_asked_about_no_position_of_its_own() -> None:
    """Before a person sits down, and where answers are timed."""
    player = Told("simple", "gin")  # it fails if it is shown a position
    rehearse(parse_game("gin"), [None, player])
    time_decisions(parse_game("gin"), player)
    assert player.asked


# Our own engine, the examples, and the schema


def test_our_engine_answers_as_the_agent_does() -> None:
    engine, game = Engine("simple", 0), parse_game("gin")
    welcome = engine.answer(Hello(protocol=PROTOCOL))
    assert isinstance(welcome, Welcome)
    assert welcome.games == ["gin"]
    assert engine.answer(game_message(game, 0)) == Ready()
    deal = Deal(game, 5)
    view, legal, random = choice(deal)
    question = Go(id=7, legal=deal.legal, position=format_position(game, view), seconds=1.0)
    action = parse_agent("simple", game).act(view, legal, random)  # type: ignore[union-attr]
    assert engine.answer(question) == Play(id=7, action=game.notation.format_action(action))
    assert isinstance(engine.answer(game_message(parse_game("rummy"), 0)), Trouble)
    said: list[bytes] = []
    lines = [b"no message\n", b'{"type":"later"}\n', format_message(Quit()), b"unread\n"]
    serve("simple", 0, lines, said.append)
    assert said == []


def test_our_engine_in_another_process_plays_and_gives_hints(tmp_path: Path) -> None:
    command = f"engine:{sys.executable} -m undercut.cli engine simple"
    engine = parse_agent(command, GAME)
    assert isinstance(engine, EngineAgent)
    assert (engine.name, repr(engine)) == ("simple", f"agent({command!r}, 'gin:target=1')")
    opponent = parse_agent("random", GAME)
    batch = play_batch(GAME, [engine, opponent], 4)  # its own chance is that of the same seed
    plain = play_batch(GAME, [parse_agent("simple", GAME), opponent], 4)
    assert batch.results.tobytes() == plain.results.tobytes()
    deal = Deal(GAME, 5)
    expected = parse_agent("simple", GAME).act(*choice(deal))  # type: ignore[union-attr]
    assert engine.act(*choice(deal)) == expected
    engine.close()


@pytest.mark.parametrize(
    ("program", "file", "games"),
    [("node", "bot.mjs", ["gin:target=1"]), ("java", "Bot.java", ["gin:target=1", "prsi"])],
)
def test_an_example_passes_the_check_for_authors(
    program: str, file: str, games: list[str], tmp_path: Path
) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: the example engine {file} cannot run")
    assert len((ENGINES / file).read_text().splitlines()) < 100
    command = f"{program} {ENGINES / file}"
    if program == "java":  # compiled once, not whenever it starts
        subprocess.run(["javac", "-d", tmp_path, ENGINES / file], check=True)
        command = f"java -Xshare:auto -XX:TieredStopAtLevel=1 -cp {tmp_path} Bot"
    named = [word for game in games for word in ("--game", game)]
    arguments = ["engine", "--check", command, *named]
    done = CliRunner().invoke(main, [*arguments, "--json"])
    report = json.loads(done.stdout)
    assert [check for check in report["checks"] if not check["passed"]] == []
    assert done.exit_code == 0
    assert report["decisions"] > 10


def test_the_check_for_authors_finds_what_is_wrong(tmp_path: Path) -> None:
    bot = tmp_path / "bot.sh"
    bot.write_text(
        f"echo '{json.dumps({'type': 'hello', 'protocol': PROTOCOL, 'name': 'b'})}'\n"
        """while read -r line; do case "$line" in *'"game"'*) """
        """echo '{"type":"ready"}'; echo '{"type":"ready"}';; *later*) exit 1;; esac; done"""
    )
    done = CliRunner().invoke(main, ["engine", "--check", f"sh {bot}", "--game", GAME.name])
    assert done.exit_code == 1
    wrong = [line.partition(": ")[2] for line in done.stdout.splitlines() if line[:4] == "FAIL"]
    assert len(wrong) == 3, done.stdout
    assert wrong[0].startswith("ignores what it does not know: it has ended with code 1")


def test_a_check_of_an_engine_that_says_nothing_has_measured_nothing() -> None:
    report = check_engine("true")
    (check,) = report.checks
    assert report.to_json() == {
        "command": "true",
        "engine": "",
        "passed": False,
        "checks": [{"name": "says hello", "passed": False, "found": check.found}],
        "decisions": 0,
        "median_seconds": 0.0,
        "longest_seconds": 0.0,
    }
    assert check.found == "it has ended with code 0"


def test_an_engine_is_checked_in_a_game_of_each_kind_that_it_plays(tmp_path: Path) -> None:
    bot = tmp_path / "bot.sh"
    hello = {"type": "hello", "protocol": PROTOCOL, "name": "b", "games": ["gin", "pharaoh"]}
    bot.write_text(f"echo '{json.dumps(hello)}'")  # then it goes
    named = [check.name.partition(": ") for check in check_engine(f"sh {bot}").checks]
    assert {parse_game(name).family.name for name, sign, _ in named if sign} == {"gin", "pharaoh"}


def test_messages_fit_the_published_schema() -> None:
    published = schema("engine")
    validator = jsonschema.Draft202012Validator(published)
    chance = Chance(3)
    for name in ("gin", "pharaoh:players=3"):
        table = random_table(parse_game(name), chance)
        for _ in range(12):
            table.play_any(chance)
        for line in lines_of(table, table.seat):
            validator.validate(json.loads(line))
    for wrong in ({"type": "play", "id": "7", "action": "draw"}, {"type": "go"}, {"type": "x"}, []):
        assert not validator.is_valid(wrong)


def test_the_schemas_of_the_package_are_up_to_date() -> None:
    for name, text in tool.texts().items():
        path = tool.FOLDER / f"{name}.schema.json"
        assert path.read_text(encoding="utf-8") == text, "run: make schemas"
        jsonschema.Draft202012Validator.check_schema(json.loads(text))


def test_a_long_line_is_cut_where_it_is_quoted() -> None:
    assert quoted(80 * b"x") == repr(80 * "x")
    assert quoted(81 * b"x") == repr(80 * "x" + "…")
    assert quoted(b"\xff") == repr("\ufffd")


def test_a_spec_is_read() -> None:
    read = EngineSpec.parse("engine[seconds=2,game_seconds=60,level=3]:node 'my bot.js' -x")
    assert read.command == ["node", "my bot.js", "-x"]
    assert (read.limits.seconds, read.limits.game_seconds) == (2, 60)
    assert read.options == {"level": "3"}
    plain = EngineSpec.parse("engine:bot")
    assert (plain.command, plain.options) == (["bot"], {})
    assert vars(plain.limits) == {"seconds": 10.0, "game_seconds": 0.0, "start": 60.0}
    assert EngineSpec.parse("engine[seconds=999999,start=0.01]:bot").limits.seconds == 999999
    with pytest.raises(OptionsError, match="seconds=1e6: must be a number of seconds"):
        EngineSpec.parse("engine[seconds=1e6]:bot")
