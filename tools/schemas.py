"""Write the JSON Schemas of the package: `make schemas`. A test says if they are not up to date."""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from undercut.adapters.engine import messages

FOLDER = Path(__file__).parents[1] / "src" / "undercut" / "schemas"
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def engine() -> dict[str, Any]:
    """The messages of the engine protocol, those of each side under its own name."""
    both = (messages.FromHost, messages.FromEngine)
    (host, other), parts = msgspec.json.schema_components(both, ref_template="#/$defs/{name}")
    return {
        "$schema": DRAFT,
        "$id": f"{messages.PROTOCOL}",
        "title": "A message of the engine protocol",
        "description": "One JSON object a line: see docs/protocol.md.",
        "anyOf": [{"$ref": "#/$defs/FromHost"}, {"$ref": "#/$defs/FromEngine"}],
        "$defs": {"FromHost": host, "FromEngine": other, **parts},
    }


SCHEMAS = {"engine": engine}


def texts() -> dict[str, str]:
    """The text of every schema that is made here, by its name."""
    return {name: json.dumps(make(), indent=1) + "\n" for name, make in SCHEMAS.items()}


def main() -> None:
    """Write them."""
    for name, text in texts().items():
        (FOLDER / f"{name}.schema.json").write_text(text, encoding="utf-8")
        print(f"{name}.schema.json", file=sys.stderr)


if __name__ == "__main__":
    main()
