"""The pages that a reader meets, and what stands on them as code."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "benchmarks" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
LANGUAGES = {"sh", "python", "pycon", "json", "text", "java", "javascript", "toml", "mermaid"}
"""What a block may be: the first two run, the next two are checked, the others are for reading."""

_BLOCK = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_INNER = re.compile(r'"?(\$\([^)]*\))"?')
_INLINE = re.compile(r"`(undercut [^`\n]+)`")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, its text, and the line it begins on."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        """Where to look when it fails."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        indent, language, body = match.groups()
        line = text.count("\n", 0, match.start()) + 1
        inner = "\n".join(row.removeprefix(indent) for row in body.split("\n"))
        found.append(Block(page, line, language.strip(), inner))
    return found


def inline_commands(page: Path) -> list[str]:
    """Commands in the middle of a sentence or of a table."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    return list(dict.fromkeys(_INLINE.findall(text)))


def commands(text: str) -> Iterator[list[str]]:
    """The commands of a `sh` block, each as its words.

    Comments and `\\` at line ends are read as a shell does. A command in `$(…)` is one word.

    >>> list(commands("undercut hint $(undercut deal gin 7) # why?"))
    [['undercut', 'hint', '$(undercut deal gin 7)']]
    """
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(_INNER.sub(r'"\1"', line), comments=True)
        if words:
            yield words
