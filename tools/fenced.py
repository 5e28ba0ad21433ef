"""For the reference: examples in docstrings are shown as sessions, not as quotations."""

import re
from typing import Any

from griffe import Extension, Object

_SESSION = re.compile(r"^>>> .*?(?=^\s*$|\Z)", re.MULTILINE | re.DOTALL)


class Fenced(Extension):
    """Puts a fence around each session of a docstring."""

    def on_object(self, *, obj: Object, **rest: Any) -> None:
        """Called for whatever has a docstring, before it is read."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """A docstring with its sessions in fences.

    >>> fenced("Adds.\\n\\n>>> 1 + 1\\n2\\n").splitlines()
    ['Adds.', '', '```pycon', '>>> 1 + 1', '2', '```']
    """
    return _SESSION.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)
