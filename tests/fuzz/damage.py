"""Text, JSON and bytes damaged by chance: what a file or a stranger may send."""

import hashlib
import json
from collections.abc import Callable
from random import Random
from typing import Any

SIGNS = "0123456789-._~ \n\"'{}[]:,AKQJTnpdstxoO7cdhsHBLé\u2028\x00\U0001f0a1"
NUMBERS = [
    "-1",
    "0",
    "00",
    "1",
    "7",
    "10",
    "11",
    "255",
    "32768",
    str(2**31),
    str(2**64),
    "9" * 5000,
]
JSON_NUMBERS = [-1, 0, 1, 2, 7, 8, 99, 2**31, 2**63 - 1, 2**63, 10**400, 0.5, 1e300, True, None]


def damage_signs(text: str, random: Random) -> str:
    """One to three small accidents to the signs of a text."""
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        text = random.choice(SIGN_DAMAGES)(text, random.randrange(max(len(text), 1)), random)
    return text


def _flip(text: str, place: int, random: Random) -> str:
    sign = chr(ord(text[place : place + 1] or " ") ^ 1 << random.randrange(7))
    return text[:place] + sign + text[place + 1 :]


def _replace(text: str, place: int, random: Random) -> str:
    return text[:place] + random.choice(SIGNS) + text[place + 1 :]


def _insert(text: str, place: int, random: Random) -> str:
    return text[:place] + random.choice(SIGNS) + text[place:]


def _delete(text: str, place: int, random: Random) -> str:
    return text[:place] + text[place + random.choice([1, 1, 2, 4]) :]


def _double(text: str, place: int, random: Random) -> str:
    length = random.choice([1, 2, 2, 5])
    return text[: place + length] + text[place:]


def _exchange(text: str, place: int, random: Random) -> str:
    length, other = random.choice([1, 2, 2]), random.randrange(max(len(text), 1))
    first, second = sorted([place, other])
    if second < first + length:
        return text
    parts = [text[:first], text[second : second + length], text[first + length : second]]
    return "".join([*parts, text[first : first + length], text[second + length :]])


SIGN_DAMAGES: list[Callable[[str, int, Random], str]] = [
    *(_flip, _replace, _insert, _delete, _double, _exchange)
]


def damage_bytes(data: bytes, random: Random) -> bytes:
    """One to three small accidents to the bytes of a file, mostly near its beginning."""
    for _ in range(random.choice([1, 1, 2, 3])):
        place = random.randrange(random.choice([16, 400, max(len(data), 1)])) % max(len(data), 1)
        how, size = random.randrange(5), random.choice([1, 1, 4, 100])
        given = bytes(
            random.choice([0, 1, 34, 91, 127, 255, random.randrange(256)]) for _ in range(size)
        )
        if how == 0:
            data = data[:place] + given + data[place + size :]
        elif how == 1:
            data = data[:place] + given + data[place:]
        elif how == 2:
            data = data[:place] + data[place + size :]
        elif how == 3:
            data = data[:place]
        else:
            data = (
                data[:place]
                + bytes([data[place] ^ 1 << random.randrange(8)] if data else [])
                + data[place + 1 :]
            )
    return data


def damage_json(value: Any, random: Random) -> Any:
    """A value of JSON with one of its parts lost, added, or of another kind."""
    if isinstance(value, dict) and value and random.random() < 0.8:
        name = random.choice(list(value))
        how = random.random()
        if how < 0.15:
            return {key: each for key, each in value.items() if key != name}
        if how < 0.25:
            return {**value, random.choice(["wind", "a\nb", "cards", name + "s"]): _value(random)}
        return {**value, name: damage_json(value[name], random)}
    return _changed(value, random)


# Positions


def damage_position(text: str, random: Random) -> str:
    """A position string with an accident to its signs, its fields, its numbers or its cards."""
    return random.choice([damage_signs, _damage_parts, _damage_number, _move_card])(text, random)


def _damage_parts(text: str, random: Random) -> str:
    """Parts between separators lost, doubled or exchanged."""
    separator = random.choice(".-~")
    parts = text.split(separator)
    first, second = random.randrange(len(parts)), random.randrange(len(parts))
    how = random.randrange(4)
    if how == 0:
        del parts[first]
    elif how == 1:
        parts.insert(first, parts[second])
    elif how == 2:
        parts[first], parts[second] = parts[second], parts[first]
    else:
        parts[first] = ""
    return separator.join(parts)


def _damage_number(text: str, random: Random) -> str:
    places = [place for place, sign in enumerate(text) if sign.isdigit()]
    if not places:
        return text
    place = random.choice(places)
    near = str(int(text[place]) + random.choice([-1, 1]))
    return text[:place] + random.choice([near, near, *NUMBERS]) + text[place + 1 :]


def _move_card(text: str, random: Random) -> str:
    """Two signs, a card with luck, taken away or put elsewhere."""
    place = random.randrange(len(text))
    card, rest = text[place : place + 2], text[:place] + text[place + 2 :]
    other = random.randrange(len(rest) + 1)
    return rest[:other] + random.choice(["", card]) + rest[other:]


# Records


def damage_record(text: str, random: Random) -> str:
    """A record with an accident to its signs, its lines or its fields; mostly the digest fits."""
    lines = text.splitlines()[:-1]
    for _ in range(random.choice([1, 1, 1, 2])):
        lines = random.choice([_damage_line, _damage_lines, _damage_field, _damage_field])(
            lines, random
        )
    damaged = "".join(line + "\n" for line in lines)
    if random.random() < 0.1:
        return damage_signs(damaged + text.splitlines()[-1] + "\n", random)
    return close(damaged)


def close(text: str) -> str:
    """Lines with a digest that fits."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return text + json.dumps({"event": "digest", "sha256": digest}) + "\n"


def _damage_line(lines: list[str], random: Random) -> list[str]:
    place = random.randrange(len(lines))
    return [*lines[:place], damage_signs(lines[place], random), *lines[place + 1 :]]


def _damage_lines(lines: list[str], random: Random) -> list[str]:
    """Lines lost, doubled or exchanged."""
    lines = list(lines)
    first, second = random.randrange(len(lines)), random.randrange(len(lines))
    how = random.randrange(4)
    if how == 0:
        del lines[first : first + random.choice([1, 1, 3])]
    elif how == 1:
        lines.insert(first, lines[second])
    elif how == 2:
        lines[first], lines[second] = lines[second], lines[first]
    else:
        lines = lines[: first + 1]
    return lines or ["{}"]


def _damage_field(lines: list[str], random: Random) -> list[str]:
    """A field lost, added, or with a value of another kind; the header as often as all others."""
    place = random.choice([0, 1, len(lines) - 1, *random.choices(range(len(lines)), k=4)])
    place = min(place, len(lines) - 1)
    try:
        event = json.loads(lines[place])
    except ValueError:  # an earlier accident
        return lines
    if not isinstance(event, dict) or not event:
        return lines
    return [*lines[:place], write_json(damage_json(event, random)), *lines[place + 1 :]]


def _changed(value: Any, random: Random) -> Any:
    if isinstance(value, list) and value and random.random() < 0.7:
        place = random.randrange(len(value))
        return random.choice(
            [
                value[:place],
                [*value, value[place]],
                value[::-1],
                [*value[:place], _changed(value[place], random), *value[place + 1 :]],
            ]
        )
    if isinstance(value, dict) and value and random.random() < 0.7:
        name = random.choice(list(value))
        return {**value, name: _value(random)} if random.random() < 0.7 else {}
    if isinstance(value, str) and random.random() < 0.7:
        return damage_signs(value, random)
    if isinstance(value, int) and random.random() < 0.5:
        return value + random.choice([-1, 1])
    return _value(random)


def _value(random: Random) -> Any:
    deep: Any = []
    if random.random() < 0.1:
        for _ in range(200):
            deep = [deep] if random.random() < 0.5 else {"a": deep}
    return random.choice([*JSON_NUMBERS, "", "x", "0" * 64, [], {}, [None], [1, 2], deep, deep])


def write_json(event: Any) -> str:
    """The text of a damaged value."""
    text = json.dumps(event, separators=(",", ":"))
    # Deeper than Python's own writer goes, and longer than Python reads a number.
    return text.replace("[[[[", "[" * 100_000).replace(str(10**400), "9" * 5_000)
