"""Readers of messages: of pages, of engines and of their hosts, and requests for files.

What is sent is made from the declared messages, so a new one is tried without a line here.
"""

import contextlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec import inspect

from fuzz.damage import damage_bytes, damage_json, damage_signs, write_json
from fuzz.readers import Failure, Read, Reader
from undercut.adapters.engine import agent as engine
from undercut.adapters.engine.messages import FromEngine, FromHost, Play, Ready, Welcome
from undercut.adapters.engine.serve import serve as serve_engine
from undercut.app.web.protocol import Asked
from undercut.app.web.server import STATIC
from undercut.games.families import parse_game
from undercut.games.table.position import format_position
from undercut.play.agent import Random as Chance
from undercut.play.deal import Deal
from undercut.players.catalog import parse_agent
from undercut.text.errors import Forfeit
from web_page import KEY, Page, TestClient, connect, joined, knock, serve, visit
from web_page import Shut as Closed

TEXTS = {
    "game": ["gin", "rummy", "prsi:players=3", "gin:target=50"],
    "opponent": ["simple", "random", "beginner", "thrifty:link=2"],
    "action": ["draw", "take", "pass", "discard Ks", "knock Ks", "done"],
    "legal": ["draw", "take", "pass"],
    "protocol": ["undercut-engine/1", "undercut-engine/2"],
}
"""What stands in fields of these names; any other text is damaged from one of these."""


def message_of(kind: Any, random: Random) -> dict[str, Any]:
    """A message of some kind, each field with a value that its type allows."""
    declared = inspect.type_info(kind)
    structs = [declared] if isinstance(declared, inspect.StructType) else list(declared.types)
    struct = random.choice(structs)
    found: dict[str, Any] = {struct.tag_field: struct.tag} if struct.tag_field else {}
    for field in struct.fields:
        if field.required or random.random() < 0.5:
            found[field.encode_name] = _value(field.type, field.name, random)
    return found


def _value(kind: Any, name: str, random: Random) -> Any:
    match kind:
        case inspect.IntType():
            return random.choice([0, 1, 1, 1, 2, 3, 7, 2**53 - 1])
        case inspect.FloatType():
            return random.choice([0.0, 0.5, 10.0, 1e9])
        case inspect.BoolType():
            return random.random() < 0.5
        case inspect.StrType():
            return _text(name, random)
        case inspect.LiteralType() | inspect.EnumType():
            return random.choice(list(getattr(kind, "values", None) or kind.cls))
        case inspect.UnionType():
            return _value(random.choice(kind.types), name, random)
        case inspect.ListType() | inspect.VarTupleType():
            inner = name.removesuffix("s")
            return [
                _value(kind.item_type, inner, random) for _ in range(random.choice([0, 1, 1, 2]))
            ]
        case inspect.DictType():
            return {"target": _value(kind.value_type, name, random)}
        case inspect.StructType():
            return message_of(kind.cls, random)
        case inspect.NoneType():
            return None
    raise AssertionError(f"no values for {kind}: add them here")


def _text(name: str, random: Random) -> str:
    known = TEXTS.get(name) or [each for texts in TEXTS.values() for each in texts]
    return random.choice([*known, "x", ""])


def damage_message(message: dict[str, Any], random: Random) -> str:
    """Mostly one of its parts is another; sometimes its signs are damaged too."""
    if random.random() < 0.5:
        message = damage_json(message, random)
    text = write_json(message)
    return damage_signs(text, random) if random.random() < 0.1 else text


# Pages


def page_messages(who: str, random: Random) -> tuple[str, list[str]]:
    """What a page of somebody sends, one after another."""
    found = []
    while len(found) < 25:
        message = message_of(Asked, random)
        if message["kind"] == "hint":
            message["number"] = 99  # the adviser would be compiled
        found.append(damage_message(message, random)[:5000])
    return who, found


class _Errors(logging.Handler):
    """Whatever goes wrong on the server."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(record)


@contextmanager
def open_table(folder: Path) -> Iterator[Read]:
    """A server: its owner has begun a game, a guest sits at it, a stranger has no key."""
    errors, client = _Errors(), visit(serve(folder))
    logging.getLogger("undercut").addHandler(errors)

    def read(given: tuple[str, list[str]]) -> bool:
        who, messages = given
        errors.found.clear()
        answered = 0
        with contextlib.suppress(*Closed), PAGES[who](client) as page:  # if a message is too long
            for number, text in enumerate(messages):
                _send(page, f"nobody{number}", text)
                answered += 1
        if errors.found:
            problem = errors.found[0]
            error = problem.exc_info[1] if problem.exc_info else None
            raise Failure(f"{problem.getMessage()}: {error!r}") from error
        return answered == len(messages)

    with client:
        yield read
    logging.getLogger("undercut").removeHandler(errors)


@contextmanager
def _owner(client: TestClient) -> Iterator[Page]:
    with connect(client) as page:
        page.begin("gin", "simple")
        yield page


@contextmanager
def _guest(client: TestClient) -> Iterator[Page]:
    with connect(client) as owner:
        owner.begin("gin", people=2)
        link = owner.answer()["invitations"][0]["path"]
        with joined(client, link) as page:
            yield page


PAGES = {"owner": _owner, "guest": _guest, "stranger": knock}


def _send(page: Page, name: str, text: str) -> None:
    """Send a message, then two that name nobody: one is refused at once, one for its answer."""
    page.socket.send_text(text)
    page.say("check", game="gin", opponent=name)
    page.say(name)
    while name not in page.socket.receive_text():
        pass


# Requests


@cache
def requests() -> list[tuple[str, dict[str, str]]]:
    """Paths, and headers that a browser sends."""
    cookies = {"cookie": 'theme={"dark":true}; a=b', "accept-language": "cs"}
    paths = [f"/{name}" for name in STATIC]
    paths += ["/", "/records/1", "/records/1?ticket=abc", "/join?key=1-1-00", "/seat/1-1/", "/talk"]
    return [(path, headers) for path in paths for headers in ({}, cookies)]


def damage_request(
    sample: tuple[str, dict[str, str]], random: Random
) -> tuple[str, dict[str, str]]:
    """Its path, and its headers."""
    path = damage_signs(sample[0], random) if random.random() < 0.9 else sample[0]
    path += random.choice(["", "", "9" * 4400, "?key=" + KEY, "?a=%ff&key=%00"])
    signs = "".join(sign for sign in path if sign.isprintable() and sign != " ")
    headers = {name: damage_signs(value, random) for name, value in sample[1].items()}
    return "/" + signs.lstrip("/"), {
        name: "".join(sign for sign in value if 31 < ord(sign) < 127)
        for name, value in headers.items()
    }


@contextmanager
def open_site(folder: Path) -> Iterator[Read]:
    """A server; it answers whatever is asked for, and never with a fault of its own."""
    with visit(serve(folder)) as client:

        def read(given: tuple[str, dict[str, str]]) -> bool:
            answer = client.get(f"http://127.0.0.1:8000{given[0]}", headers=given[1])
            if answer.status_code >= 500:
                raise Failure(f"{given}: {answer.status_code}")
            return answer.status_code == 200

        yield read


# Engines


def host_lines(sample: None, random: Random) -> list[bytes]:
    """What a host sends to an engine of ours; now and then a question with a real position."""
    lines = []
    for _ in range(6):
        message = message_of(FromHost, random)
        if "position" in message and random.random() < 0.7:
            message["position"] = _position()
        lines.append(_line(message, random))
    return lines


@cache
def _position() -> str:
    deal = Deal(parse_game("gin"), 1)
    return format_position(deal.game, deal.observe())


def _line(message: dict[str, Any], random: Random) -> bytes:
    line = damage_message(message, random).encode(errors="surrogatepass")
    return damage_bytes(line, random) if random.random() < 0.1 else line


@contextmanager
def open_engine(folder: Path) -> Iterator[Read]:
    """An engine of ours: every answer is a message."""

    def read(lines: Sequence[bytes]) -> bool:
        answers: list[bytes] = []
        serve_engine("random", 1, lines, answers.append)
        kinds = {msgspec.json.decode(answer)["type"] for answer in answers}
        return bool(kinds - {"error"})

    yield read


def engine_lines(sample: None, random: Random) -> list[bytes]:
    """What an engine answers to a host of ours: mostly what it should, and then something else."""
    right = [
        Welcome(protocol=engine.PROTOCOL, name="Bot"),
        Ready(),
        Play(id=1, action=random.choice(["draw", "pass", "take", "discard Ks"])),
    ]
    messages = [msgspec.to_builtins(each) for each in right]
    messages.insert(random.randrange(4), message_of(FromEngine, random))
    place = random.randrange(len(messages))
    return [
        _line(message, random) if number == place else msgspec.json.encode(message)
        for number, message in enumerate(messages)
    ]


class _Process:
    """An engine that has its answers ready."""

    lines: Iterator[bytes]

    def __init__(self, command: Sequence[str]) -> None:
        self._lines = _Process.lines

    def send(self, line: bytes) -> None:
        """It does not listen."""

    def receive(self, seconds: float) -> Iterator[bytes]:
        yield from self._lines
        raise Forfeit("it has ended")

    def ends(self, seconds: float) -> bool:
        return True

    def kill(self) -> None:
        """It has no process."""


@contextmanager
def open_host(folder: Path) -> Iterator[Read]:
    """A host of ours: an engine plays legally, or loses that game."""
    deal = Deal(parse_game("gin"), 1)

    def read(lines: Sequence[bytes]) -> bool:
        _Process.lines = iter(lines)
        agent = parse_agent("engine:bot", deal.game)
        return agent.act(deal.observe(), deal.actions, Chance.from_seed(1)) in deal.actions

    with patch.object(engine, "Process", _Process):
        yield read


def nothing() -> list[None]:
    """No sample: messages are made from their declarations."""
    return [None]


READERS = [
    Reader("pages", 24, lambda: [*PAGES], page_messages, open_table),
    Reader("requests", 150, requests, damage_request, open_site),
    Reader("engine", 300, nothing, host_lines, open_engine),
    Reader("host", 500, nothing, engine_lines, open_host),
]
