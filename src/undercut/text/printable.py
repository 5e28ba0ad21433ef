"""Untrusted text, escaped so that it is safe to print in a terminal."""

from typing import Any


def printable(text: str) -> str:
    r"""Text as one line, with every control character escaped.

    Names in a stranger's record, of engines and of bots may contain characters that colour the
    screen, move the cursor, or change the direction of writing.

    >>> printable("Ann \x1b[31m\u202eBob\n")
    'Ann \\x1b[31m\\u202eBob\\n'
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def printable_lines(text: str) -> str:
    """The same for text of several lines."""
    return "\n".join(map(printable, text.split("\n")))


def printable_values(value: Any) -> Any:
    """The same for every string in nested lists and dicts."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {printable_values(name): printable_values(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [printable_values(each) for each in value]
    return value
