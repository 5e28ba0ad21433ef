"""Parsers for the fields of a position string."""

from collections.abc import Mapping
from typing import TypeVar

from undercut.text.errors import NotationError

SCORE = 32_767  # the highest score that fits into a state
Value = TypeVar("Value")


def split_field(text: str, separator: str, count: int) -> list[str]:
    """The parts of a field, exactly `count`."""
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
    """Exactly `count` numbers, separated by hyphens."""
    return [read_number(part, most) for part in split_field(text, "-", count)]


def read_letter(text: str, letters: Mapping[Value, str]) -> Value:
    """The meaning of a letter."""
    for value, letter in letters.items():
        if letter == text:
            return value
    allowed = ", ".join(letter for letter in letters.values() if letter)
    raise NotationError(f"not one of {allowed}: {text!r}")


def require(is_so: bool, otherwise: str) -> None:
    """Refuse a position that violates a condition."""
    if not is_so:
        raise NotationError(otherwise)
