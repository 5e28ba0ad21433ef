"""What pyproject.toml, constraints.txt, the lock files and the pages say of the package agree."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import licences
from package.clean import needed

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
CONSTRAINTS = (ROOT / "constraints.txt").read_text(encoding="utf-8")
VERSIONS = dict(re.findall(r"^(\S+)==(\S+)$", CONSTRAINTS, re.MULTILINE))
LOCKS = {path.stem: path.read_text() for path in (ROOT / "requirements").glob("*.txt")}
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


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_has_tested_versions_and_their_hashes_and_nothing_else(name: str) -> None:
    entry = r"([\w-]+)==(\S+)(?: ; .+)? (?:\\\n    --hash=sha256:[0-9a-f]{64} ?)+\n"
    heading, rest = LOCKS[name].split("\n", 1)
    assert heading.startswith("#")
    assert re.fullmatch(f"(?:{entry})+", rest), f"{name}.txt: run make lock"
    assert dict(re.findall(entry, rest)).items() <= VERSIONS.items()


def test_every_tested_version_but_that_of_torch_is_locked() -> None:
    assert VERSIONS.keys() - _locked(*LOCKS) == {"torch"}
    assert not _locked("test") & _locked("source")


def test_the_lock_files_have_what_is_asked_for_and_what_that_needs() -> None:
    base = {licences.canonicalize_name(part.name) for part in needed()}
    assert base | _names(PROJECT["build-system"]["requires"]) <= _locked("base")
    for extra in ("docs", "lock", "test"):
        wanted = _names(EXTRAS[extra]) | _locked("base")
        assert wanted - {"torch"} <= _locked(extra, "source"), f"{extra}: run make lock"


def test_the_build_uses_the_tested_versions_alone() -> None:
    pinned = dict(line.split("==") for line in PROJECT["build-system"]["requires"])
    assert pinned.items() <= VERSIONS.items()
    backend = {licences.canonicalize_name(part.name) for part in needed(["hatchling"])}
    assert backend | {"editables"} == {*pinned}  # the second one for `pip install -e`


def test_tested_versions_are_versions_that_are_asked_for() -> None:
    asked = [
        *PROJECT["project"]["dependencies"],
        *(each for group in EXTRAS.values() for each in group),
    ]
    for requirement in map(Requirement, asked):
        version = VERSIONS[licences.canonicalize_name(requirement.name)]
        assert version in requirement.specifier, f"{requirement}, tested with {version}"


def _locked(*names: str) -> set[str]:
    return {
        each for name in names for each in re.findall(r"^([\w-]+)==", LOCKS[name], re.MULTILINE)
    }


def _names(requirements: list[str]) -> set[str]:
    return {licences.canonicalize_name(Requirement(each).name) for each in requirements}
