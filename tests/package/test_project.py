"""What pyproject.toml, constraints.txt and the pages say of the package agree."""

import re
import tomllib
from pathlib import Path

import licences

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]


def test_the_page_of_licences_is_up_to_date() -> None:
    page = licences.PAGE.read_text(encoding="utf-8")
    assert licences.page(page) == page, "run: python tools/licences.py"


def test_every_package_that_is_asked_for_has_a_tested_version() -> None:
    pinned = {licences.canonicalize_name(name) for name in licences.packages()}
    assert set(licences.asked_for_by()) <= pinned


def test_extras_that_are_spoken_of_exist() -> None:
    texts = [path.read_text(encoding="utf-8") for path in PAGES]
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    spoken = set()
    for text in texts + sources:
        for names in re.findall(r"""(?:undercut|['" ]\.)\[([a-z,]+)\]""", text):
            spoken |= set(names.split(","))
        spoken |= set(re.findall(r"""\bneed\("[\w.]+", "(\w+)"\)""", text))
    assert {"train", "tune", "plot", "cuda"} <= spoken <= set(EXTRAS)
    assert {"web", "train", "tune", "cuda", "plot", "docs"} <= set(EXTRAS)
