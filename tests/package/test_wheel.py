"""The wheel: the same bytes every time, everything in it, and at work in a clean environment."""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from package.clean import CleanEnvironment, needed, size
from undercut import __version__

ROOT = Path(__file__).parents[2]
WHEEL = f"undercut-{__version__}-py3-none-any.whl"
LIMIT = 350e6  # bytes of a base install

SHIPPED = """
import json, sys
import undercut
from undercut.app.web import server
from undercut.cli.rule_pages import rules_page
from undercut.text.translation import say, speaking
from undercut.schemas import schema, schema_names
from undercut.schemas import schema_names

assert undercut.__file__.startswith(sys.prefix), undercut.__file__
for name in ("gin", "distilled+knock", "rummy", "pharaoh"):
    undercut.agent("blueprint", undercut.load(name))
undercut.agent("estimator", undercut.load("gin"))
assert schema("record") and len(schema_names()) > 15
for name in ("gin", "distilled", "rummy", "prsi"):
    assert rules_page(undercut.load(name)), name
assert {"match", "record", "engine"} <= {*schema_names()}
with speaking("cs"):
    print(json.dumps(say("You stopped.")))
"""


def build(folder: Path, out: Path, kind: str) -> Path:
    """Build as an installer does, by the backend that pyproject.toml names, with a fixed clock."""
    out.mkdir(exist_ok=True)
    call = f"import hatchling.build, sys; print(hatchling.build.build_{kind}(sys.argv[1]))"
    told = subprocess.run(
        [sys.executable, "-c", call, str(out)],
        cwd=folder,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
        check=True,
        capture_output=True,
        text=True,
    )
    return out / told.stdout.split()[-1]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build(ROOT, folder, "sdist")) as archive:
        archive.extractall(folder, filter="data")
    return folder / f"undercut-{__version__}"


@pytest.fixture(scope="module")
def wheel(unpacked: Path) -> Path:
    return build(unpacked, unpacked.parent, "wheel")


@pytest.fixture(scope="module")
def clean(wheel: Path) -> CleanEnvironment:
    return CleanEnvironment(wheel.parent / "clean", wheel)


def test_the_wheel_has_the_same_bytes_from_the_repository_and_from_the_sdist(
    wheel: Path, tmp_path: Path
) -> None:
    again = build(ROOT, tmp_path, "wheel")
    assert again.name == wheel.name == WHEEL
    assert again.read_bytes() == wheel.read_bytes()


def test_everything_that_is_read_at_run_time_is_in_the_wheel(wheel: Path) -> None:
    package = ROOT / "src" / "undercut"
    files = [path for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    expected = {str(path.relative_to(package.parent)) for path in files}
    assert len(expected) > 280
    assert expected <= set(zipfile.ZipFile(wheel).namelist())


def test_the_sdist_has_the_tests_and_what_they_read(unpacked: Path) -> None:
    for name in ("tests/conftest.py", "docs/rules/gin.md", "Makefile", "requirements/test.txt"):
        assert (unpacked / name).exists(), name
    assert not (unpacked / ".venv").exists()


def test_a_base_install_is_small() -> None:
    parts = needed()
    names = {part.name.lower() for part in parts}
    assert not names & {"torch", "scipy", "matplotlib", "pyarrow", "optuna", "ray"}
    package = sum(path.stat().st_size for path in (ROOT / "src").rglob("*") if path.is_file())
    assert 250e6 < size(parts) + package < LIMIT


def test_the_wheel_plays_in_a_clean_environment(clean: CleanEnvironment) -> None:
    assert clean.run("undercut", "--version").stdout == f"undercut {__version__}\n"
    assert "Play" in clean.run("undercut", "play", "--help").stdout
    match = clean.run("undercut", "match", "gin:target=1", "simple", "simple", "-n", "2", "--json")
    assert json.loads(match.stdout)["games"] == 2, match.stderr
    rules = clean.run("undercut", "rules", "gin").stdout
    assert "knock_limit" in rules
    assert "deadwood" in rules  # the page of rules itself
    assert "±" in clean.run("undercut", "agents", "gin").stdout  # strengths, as measured
    shipped = clean.run("python", "-c", SHIPPED)
    assert json.loads(shipped.stdout) == "Hra je přerušena.", shipped.stderr


def test_what_needs_an_extra_says_which(clean: CleanEnvironment) -> None:
    drawn = clean.run("undercut", "tournament", "gin", "simple", "random", "--plot", "p.png")
    assert drawn.returncode == 2
    assert drawn.stderr.startswith("undercut: this needs matplotlib: pip install 'undercut[plot]'")
    learned = clean.run("undercut", "selfplay", "gin", "run")
    assert learned.returncode == 2
    assert "pip install 'undercut[train]'" in learned.stderr


def test_the_wheel_serves_the_table(clean: CleanEnvironment) -> None:
    serving = subprocess.Popen(
        [str(clean.bin / "undercut"), "play", "--web"],
        env=clean.variables,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert serving.stdout is not None
    try:
        link = serving.stdout.readline().split()[-1]
        start = link.partition("#")[0]
        assert "<title>" in urlopen(start).read().decode()
        for name in ("app.js", "style.css", "cards/french.svg", "words/cs.json"):
            assert urlopen(start + name).status == 200
    finally:
        serving.terminate()
        serving.wait()
        serving.stdout.close()
