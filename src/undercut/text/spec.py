"""Specs: `name`, or `name:field=value,field=value`, for games and agents."""

from collections import namedtuple
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

from undercut.text.errors import NotationError, OptionsError
from undercut.text.translation import say

Fields = TypeVar("Fields", bound=NamedTuple)


@dataclass(frozen=True)
class Option:
    """The range and the meaning of a number that a spec can change.

    It is declared once, with the field of a NamedTuple: `target: Annotated[int, Option(…)] = 100`.
    """

    low: float
    high: float
    help: str
    rule: str = ""  # the rule in docs/rules, such as "G 10"
    is_later: bool = False  # records from before it was added lack it, so it must mean "as before"

    @property
    def meaning(self) -> str:
        """The translated help with the number of the rule."""
        return f"{say(self.help)} [{self.rule}]" if self.rule else say(self.help)


def options_of(kind: type[object]) -> dict[str, Option]:
    """The fields of a NamedTuple that declare an Option, in their order.

    >>> from typing import Annotated, NamedTuple
    >>> class Walk(NamedTuple):
    ...     pace: Annotated[int, Option(1, 9, "steps in a second")] = 3
    >>> options_of(Walk)["pace"].high
    9
    """
    if parts := getattr(kind, "parts", ()):
        return {name: option for part in parts for name, option in options_of(part).items()}
    declared = {
        name: [note for note in get_args(hint)[1:] if isinstance(note, Option)]
        for name, hint in get_type_hints(kind, include_extras=True).items()
    }
    return {name: notes[0] for name, notes in declared.items() if notes}


def written_options(options: NamedTuple) -> dict[str, int]:
    """The options of a game as records have them: later ones only if they change something.

    >>> from typing import Annotated, NamedTuple
    >>> class Walk(NamedTuple):
    ...     pace: Annotated[int, Option(1, 9, "steps in a second")] = 3
    ...     jumps: Annotated[int, Option(0, 1, "jumps are allowed", is_later=True)] = 0
    >>> written_options(Walk()), written_options(Walk(jumps=1))
    ({'pace': 3}, {'pace': 3, 'jumps': 1})
    """
    declared, defaults = options_of(type(options)), options._field_defaults
    return {
        name: value
        for name, value in options._asdict().items()
        if not declared[name].is_later or value != defaults[name]
    }


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


def replace_fields(defaults: Fields, fields: dict[str, str], owner: str) -> Fields:
    """A NamedTuple with some fields replaced by values that are parsed and checked.

    Only fields with an Option can be given as text: the weights of a network, for example, cannot.
    """
    known = options_of(type(defaults))
    values = {}
    for field, text in fields.items():
        if field not in known:
            raise OptionsError(
                f"unknown option {field!r} of {owner}: {one_of(known, field) or 'it has none'}"
            )
        values[field] = _read_number(text, getattr(defaults, field), field, known[field])
    return defaults._replace(**values)


def join_fields(name: str, *parts: Callable[[], NamedTuple]) -> Any:
    """A NamedTuple type with the fields and defaults of several types, listed in `parts`.

    >>> from typing import NamedTuple
    >>> class Walk(NamedTuple):
    ...     pace: int = 3
    >>> class Talk(NamedTuple):
    ...     words: int = 7
    >>> join_fields("Both", Walk, Talk)()
    Both(pace=3, words=7)
    """
    made = [part() for part in parts]
    fields = [field for part in made for field in part._fields]
    joined = namedtuple(name, fields, defaults=chain(*made))  # type: ignore[misc]
    setattr(joined, "parts", parts)  # noqa: B010
    return joined


def one_of(names: Iterable[str], given: str = "") -> str:
    """The allowed names, for an error message, and the one that was probably meant.

    >>> one_of(["gin", "rummy"], "rumy")
    "one of gin, rummy; did you mean 'rummy'?"
    """
    known = [*names]
    listed = f"one of {', '.join(known)}" if known else ""
    near = get_close_matches(given.lower(), known, 1) if given else []
    return f"{listed}; did you mean {near[0]!r}?" if near else listed


def _read_number(text: str, default: float, field: str, option: Option) -> float:
    low, high = option.low, option.high
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
