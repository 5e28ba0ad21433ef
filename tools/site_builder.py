"""The site: gathers its pages, and builds them.

`make docs` runs it. The pages are docs/, CHANGELOG.md, CONTRIBUTING.md and SECURITY.md, with links
that lead to pages of the site. A file of the repository that a page links to, such as an example,
becomes a page of its own. The reference is made of the docstrings of what `import undercut` offers.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import undercut
from undercut.games.contract import Family
from undercut.games.families import all_families
from undercut.players.catalog import all_agents
from undercut.players.strengths import Strength, load_ladders, ranked, strength_of

ROOT = Path(__file__).parents[1]
MOVED = {
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "README.md": "index.md",
    "SECURITY.md": "security.md",
}
"""Pages that stand outside docs/, and what they are called on the site."""

_LABEL, _TARGET = r"(?<!\!)\[((?:[^\[\]]|\[[^\]]*\])*)\]", r"(?!https?:|#|mailto:)([^)#\s]+)"
_LINK = re.compile(rf"{_LABEL}\({_TARGET}(#[^)\s]*)?\)")
_KINDS = {".py": "python", ".json": "json", ".mjs": "javascript", ".java": "java", ".toml": "toml"}


def main() -> None:
    """Build the site into build/site, and stop at anything that is wrong."""
    gather(ROOT / "build" / "pages")
    sys.exit(build(ROOT).returncode)


def build(folder: Path) -> "subprocess.CompletedProcess[bytes]":
    """Build the pages that are gathered in a folder with a zensical.toml."""
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    return subprocess.run(command, cwd=folder)


def gather(pages: Path) -> None:
    """Write all pages of the site, and what they show, into a folder."""
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(ROOT / "docs", pages)
    sources = {path: path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    sources |= {ROOT / name: Path(moved) for name, moved in MOVED.items() if name != "README.md"}
    for source, page in sources.items():
        (pages / page).write_text(_relinked(source, page, pages), encoding="utf-8")
    _write(pages / "reference" / "names.md", _names())
    with (pages / "agents.md").open("a", encoding="utf-8") as page:
        page.writelines(_agents(family) for family in all_families())


def _relinked(source: Path, page: Path, pages: Path) -> str:
    """The text of a page with links that lead where its file is on the site."""

    def link(found: re.Match[str]) -> str:
        label, target, anchor = found[1], (source.parent / found[2]).resolve(), found[3] or ""
        if not target.exists():
            return found[0]  # the builder says so
        place = _place(target, pages)
        way = os.path.relpath(place, page.parent)
        return f"[{label}]({way}{anchor})"

    return _LINK.sub(link, source.read_text(encoding="utf-8"))


def _place(target: Path, pages: Path) -> Path:
    """Where a file of the repository is on the site; it is put there if it is not yet."""
    name = target.relative_to(ROOT)
    if name.parts[0] == "docs":
        return name.relative_to("docs")
    if str(name) in MOVED:
        return Path(MOVED[str(name)])
    page = Path("files", *name.parts[:-1], name.name + ".md")
    if target.is_dir():
        _write(pages / page, _listing(target, pages, page))
    else:
        text = target.read_text(encoding="utf-8").rstrip("\n")
        _write(pages / page, f"# {name}\n\n````{_KINDS.get(target.suffix, 'text')}\n{text}\n````\n")
    return page


def _listing(folder: Path, pages: Path, page: Path) -> str:
    """A folder as a page: its files, each a page of its own."""
    tracked = [path for path in sorted(folder.rglob("*")) if path.suffix in _KINDS]
    rows = [
        f"- [{path.relative_to(folder)}]({os.path.relpath(_place(path, pages), page.parent)})"
        for path in tracked
        if path.stat().st_size
    ]
    return f"# {folder.relative_to(ROOT)}\n\n" + "\n".join(rows) + "\n"


def _names() -> str:
    """The reference of everything that `import undercut` offers."""
    parts = ["# What you import\n\nEverything in `import undercut`, by the alphabet.\n"]
    ours = (family for family in all_families() if family.package.startswith("undercut."))
    views = {family.view.__name__ for family in ours}
    for name in sorted({*undercut.__all__, *views}, key=str.lower):
        found = getattr(undercut, name)
        heading = f"    options:\n      heading: undercut.{name}\n      toc_label: {name}\n"
        parts.append(f"::: {found.__module__}.{found.__qualname__}\n{heading}")
    return "\n".join(parts)


def _agents(family: Family) -> str:
    """The levels and the agents of a game, with their measured strength."""
    ladder, found = load_ladders().get(family.name), all_agents(family)
    measured = f"games of {ladder.game} against `{ladder.reference}`" if ladder else "not measured"
    parts = [f"\n## {family.name.capitalize()}\n\nStrength: {measured}.\n"]
    parts.append(
        "| level | strength | how it plays, and which agent that is |\n| --- | --- | --- |"
    )
    for level in family.levels:
        strength = _percent(strength_of(level, ladder))
        parts.append(f"| `{level.name}` | {strength} | {level.about} `{level.spec}` |")
    parts.append("\n| agent | strength | how it plays |\n| --- | --- | --- |")
    for name in ranked(list(found), ladder):
        entry = found[name]
        strength = _percent(ladder.strengths.get(name) if ladder else None)
        named = ", ".join(f"`{each}`" for each in entry.options)
        settings = f" Settings: {named}." if named else ""
        parts.append(f"| `{name}` | {strength} | {entry.about}{settings} |")
    return "\n".join(parts) + "\n"


def _percent(found: Strength | None) -> str:
    if found is None:
        return ""
    low, high = found.ci95
    return f"{100 * found.win_rate:.1f}&nbsp;%&nbsp;±&nbsp;{50 * (high - low):.1f}"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
