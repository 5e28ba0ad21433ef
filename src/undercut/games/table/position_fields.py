"""Reading the fields of a position string: what a game's position module is made from."""

from collections.abc import Mapping
from typing import TypeVar

from undercut.text.errors import NotationError

SCORE = 32_767  # the most that fits into a state
Value = TypeVar("Value")


def split_field(text: str, separator: str, count: int) -> list[str]:
    """The parts of a field, of which there must be this many."""
    parts = text.split(separator)
    if len(parts) != count:
        raise NotationError(f"{text!r} has {len(parts)} parts, not {count}")
    return parts


def read_number(text: str, most: int) -> int:
    """A whole number from 0 on, written in digits.

    >>> read_number("31", 52)
    31
    """
    if not (
        text.isascii() and text.isdigit() and len(text) <= len(str(most)) and int(text) <= most
    ):
        raise NotationError(f"not a number from 0 to {most}: {text!r}")
    return int(text)


def read_numbers(text: str, count: int, most: int) -> list[int]:
    """This many numbers with hyphens between them."""
    return [read_number(part, most) for part in split_field(text, "-", count)]


def read_letter(text: str, letters: Mapping[Value, str]) -> Value:
    """What a letter stands for."""
    for value, letter in letters.items():
        if letter == text:
            return value
    allowed = ", ".join(letter for letter in letters.values() if letter)
    raise NotationError(f"not one of {allowed}: {text!r}")


def require(is_so: bool, otherwise: str) -> None:
    """Refuse a position for which something does not hold."""
    if not is_so:
        raise NotationError(otherwise)
