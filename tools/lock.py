"""The packages that `make` installs, each with the hashes of its files: requirements/*.txt.

`make lock` resolves what pyproject.toml asks for, for every system and every Python at once. A
version that constraints.txt names stays; a package that it does not name comes in its newest
version. Then it writes constraints.txt and the lock files. torch alone is in no lock file: it has
builds with the libraries of a GPU and without, and each machine needs its own.
"""

import re
import subprocess
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = ROOT / "pyproject.toml"
CONSTRAINTS = ROOT / "constraints.txt"
FOLDER = ROOT / "requirements"

OLDEST = {"base": "3.11", "docs": "3.11.5", "lock": "3.11", "test": "3.11.5"}  # Python, by extra
SOURCE = {"rlcard"}  # packages without a wheel, built with packages of the lock file `test`
WITH_TORCH = re.compile(r"triton|cuda-toolkit|nvidia-.*")  # libraries of a GPU, named by torch

CONSTRAINTS_HEAD = "# Versions the project is tested with: pip install -c constraints.txt …\n"
HEAD = "# Written by `make lock`. Install with --require-hashes --no-deps.\n"


def main() -> None:
    """Write constraints.txt and the lock files."""
    FOLDER.mkdir(exist_ok=True)
    versions = [entry.split()[0] + "\n" for entry in resolve(OLDEST, max(OLDEST.values())).values()]
    CONSTRAINTS.write_text(CONSTRAINTS_HEAD + "".join(versions), encoding="utf-8")
    for extra, python in OLDEST.items():
        entries = resolve([extra], python)
        _write(extra, [entry for name, entry in entries.items() if name not in {*SOURCE, "torch"}])
        if extra == "test":
            _write("source", [entries[name] for name in SOURCE])


def resolve(extras: Iterable[str], python: str) -> dict[str, str]:
    """The entry of each package, by its name; the packages that build undercut are among them."""
    build = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["build-system"]["requires"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as also:
        also.write("\n".join(build))
        also.flush()
        command = ["uv", "pip", "compile", str(PROJECT), also.name, "-c", str(CONSTRAINTS)]
        command += [f"--extra={extra}" for extra in extras if extra != "base"]
        command += ["--universal", "--python-version", python, "--generate-hashes", "--quiet"]
        command += ["--no-header", "--no-annotate", "--no-config", "--no-emit-index-url"]
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    entries = re.findall(r"^\w.*\n(?: .*\n)*", text, re.MULTILINE)
    named = {entry.partition("==")[0]: entry for entry in entries}
    return {name: entry for name, entry in named.items() if not WITH_TORCH.fullmatch(name)}


def _write(name: str, entries: list[str]) -> None:
    (FOLDER / f"{name}.txt").write_text(HEAD + "".join(entries), encoding="utf-8")


if __name__ == "__main__":
    main()
