"""Spec strings: `name`, or `name:field=value,field=value`, the same wherever one is given."""

from collections.abc import Iterable
from typing import Any

from undercut.core.errors import NotationError, OptionsError


def split_spec(text: str) -> tuple[str, dict[str, str]]:
    """The name and the fields of a spec.

    >>> split_spec("search:samples=200,depth=2")
    ('search', {'samples': '200', 'depth': '2'})
    """
    name, _, rest = text.strip().partition(":")
    fields: dict[str, str] = {}
    for part in rest.split(",") if rest else []:
        field, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not field or not value:
            raise NotationError(f"not a field: {part!r} in {text!r} (write field=value)")
        if field in fields:
            raise NotationError(f"the field {field!r} stands twice in {text!r}")
        fields[field] = value
    return name, fields


def replace_fields(
    defaults: Any, fields: dict[str, str], limits: dict[str, tuple[float, float]], owner: str
) -> Any:
    """A NamedTuple with some fields replaced by values read from text and checked.

    Only fields with limits can be given as text: a network's weights, say, cannot.
    """
    values = {}
    for field, text in fields.items():
        if field not in limits:
            raise OptionsError(
                f"unknown option {field!r} of {owner}: {one_of(limits) or 'it has none'}"
            )
        values[field] = _read_number(text, getattr(defaults, field), field, limits[field])
    return defaults._replace(**values)


def one_of(names: Iterable[str]) -> str:
    """What is allowed, for an error line."""
    listed = ", ".join(names)
    return f"one of {listed}" if listed else ""


def _read_number(text: str, default: float, field: str, limit: tuple[float, float]) -> float:
    low, high = limit
    words = {"true": "1", "yes": "1", "on": "1", "false": "0", "no": "0", "off": "0"}
    plain = words.get(text.lower(), text)
    try:
        value = int(plain) if isinstance(default, int) else float(plain)
    except ValueError:
        kind = "a whole number" if isinstance(default, int) else "a number"
        raise OptionsError(f"{field}={text}: not {kind} from {low} to {high}") from None
    if not low <= value <= high:
        raise OptionsError(f"{field}={text}: must be from {low} to {high}")
    return value
