"""Text from outside, made so that a terminal can only show it."""

from typing import Any


def printable(text: str) -> str:
    r"""Text in one line, with an escape for every sign that would do something but be seen.

    Names in a stranger's record, of engines and of bots may hold signs that colour the screen, move
    the cursor, or turn the direction of writing.

    >>> printable("Ann \x1b[31m\u202eBob\n")
    'Ann \\x1b[31m\\u202eBob\\n'
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def printable_lines(text: str) -> str:
    """The same for text that may have several lines."""
    return "\n".join(map(printable, text.split("\n")))


def printable_values(value: Any) -> Any:
    """The same for all texts in lists and dicts."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {printable_values(name): printable_values(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [printable_values(each) for each in value]
    return value
