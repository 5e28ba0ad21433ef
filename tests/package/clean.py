"""A clean environment, made without network.

It has the wheel, and of all that is installed here only what the base install asks for.
"""

import os
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def needed(asked: Iterable[str] | None = None) -> list[Distribution]:
    """All that is asked for, by the base install if not said, with what that needs in turn."""
    found: dict[str, Distribution] = {}
    waiting = list(asked or tomllib.loads(PROJECT.read_text())["project"]["dependencies"])
    while waiting:
        requirement = Requirement(waiting.pop())
        name = canonicalize_name(requirement.name)
        if name in found or not _holds(requirement, ()):
            continue
        found[name] = distribution(name)
        inner = map(Requirement, found[name].requires or [])
        waiting += [str(each) for each in inner if _holds(each, requirement.extras)]
    return list(found.values())


def _holds(requirement: Requirement, extras: Iterable[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in {*extras, ""})


def size(parts: list[Distribution]) -> int:
    """Bytes of all their files, compiled bytecode included."""
    paths = (Path(str(each.locate_file(file))) for each in parts for file in each.files or [])
    return sum(path.stat().st_size for path in paths if path.exists())


class CleanEnvironment:
    """A virtual environment with the wheel and the base install's packages, and nothing else."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv", symlinks=True)
        self.bin = folder / "venv" / "bin"
        self.packages = next((folder / "venv" / "lib").glob("python*/site-packages"))
        for part in needed():
            self._link(part)
        pip = [sys.executable, "-m", "pip", "--python", str(self.bin / "python")]
        install = ["install", "--quiet", "--no-deps", "--no-index", "--no-compile", str(wheel)]
        subprocess.run([*pip, *install], check=True, capture_output=True, text=True)

    def _link(self, part: Distribution) -> None:
        for top in {file.parts[0] for file in part.files or []} - {"..", "__pycache__"}:
            (self.packages / top).symlink_to(str(part.locate_file(top)))

    @property
    def variables(self) -> dict[str, str]:
        """Nothing of the environment that runs the tests, and kernels interpreted: no compiling."""
        own = {"NUMBA_DISABLE_JIT": "1", "UNDERCUT_DATA": str(self.folder / "games")}
        return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(self.folder), **own}

    def run(self, program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run one of its programs to its end, in an empty folder."""
        command = [str(self.bin / program), *arguments]
        return subprocess.run(
            command, env=self.variables, cwd=self.folder, capture_output=True, text=True
        )
