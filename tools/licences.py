"""The licences of the packages that the project is tested with, as a page: docs/licences.md.

`python tools/licences.py` (or `make licences`) brings the page up to date. It lists every package
of constraints.txt. One that is not installed here keeps the row that it has.
"""

import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
BEGIN, END = "<!-- licences: python tools/licences.py -->", "<!-- end of licences -->"
HEAD = "| package | licence | asked for by |\n| --- | --- | --- |"

# What a package does not say in its metadata, read in the licence file that comes with it.
READ = {"axe-playwright-python": "MIT"}


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def page(before: str) -> str:
    """The page with its table made anew."""
    start, rest = before.split(BEGIN)
    table, end = rest.split(END)
    known = dict(re.findall(r"^\| \[?`([^`]+)`.*?\| (.*?) \|", table, re.MULTILINE))
    asked = asked_for_by()
    rows = []
    for name in packages():
        groups = ", ".join(asked.get(canonicalize_name(name), []))
        rows.append(f"| `{name}` | {_licence(name, known)} | {groups} |")
    return "\n".join([start + BEGIN, "", HEAD, *rows, "", END + end])


def packages() -> list[str]:
    """The names in constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line.partition("==")[0] for line in lines if "==" in line]


def asked_for_by() -> dict[str, list[str]]:
    """For each package, the base install or the extras that name it; the others come with these."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"base": project["dependencies"], **project["optional-dependencies"]}
    asked: dict[str, list[str]] = {}
    for group, requirements in groups.items():
        for text in requirements:
            asked.setdefault(canonicalize_name(Requirement(text).name), []).append(group)
    return asked


def _licence(name: str, known: dict[str, str]) -> str:
    """What the package says of itself: an SPDX expression, a classifier, or its own words."""
    if name in READ:
        return READ[name]
    try:
        said = metadata(name)
    except PackageNotFoundError:
        if name not in known:
            raise SystemExit(f"{name} is not installed, and has no row in {PAGE.name}") from None
        return known[name]
    if said["License-Expression"]:
        return said["License-Expression"]
    classified = _classified(said.get_all("Classifier") or [])
    first = (said["License"] or "").strip().partition("\n")[0]
    licence = classified or first
    if not licence or len(licence) > 60:
        raise SystemExit(f"{name} does not say its licence: read it, and add it to READ")
    return licence


def _classified(classifiers: Iterable[str]) -> str:
    names = [each.split(" :: ")[-1] for each in classifiers if each.startswith("License :: ")]
    return ", ".join(name for name in names if name != "OSI Approved")


if __name__ == "__main__":
    main()
