"""JSON Schemas for other programs, as files of the package.

`record` describes the events of a record, `engine` the messages of the engine protocol. Every other
schema describes the output of the command of that name with `--json`.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

_ENDING = ".schema.json"


def schema_names() -> list[str]:
    """The names of all schemas.

    >>> "record" in schema_names()
    True
    """
    names = (path.name for path in files(__package__).iterdir())
    return sorted(name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING))


@cache
def schema(name: str) -> dict[str, Any]:
    """A schema by its name (draft 2020-12)."""
    text = files(__package__).joinpath(name + _ENDING).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
