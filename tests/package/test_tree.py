"""The tree contains sources, shipped networks and pictures: nothing built, packed or huge."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST = 8 << 20  # bytes; the largest network has 7 million
PACKED = {
    ".7z",
    ".bz2",
    ".egg",
    ".gz",
    ".pyc",
    ".rar",
    ".so",
    ".tar",
    ".whl",
    ".xz",
    ".zip",
    ".zst",
}


def _tracked(folder: Path, *options: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", *options], cwd=folder, capture_output=True, text=True, check=True
    )
    return [folder / name for name in listed.stdout.split("\0") if name]


def _strange(folder: Path) -> list[str]:
    """Tracked files that .gitignore names, that are archives, or that are too large."""
    ignored = _tracked(folder, "--cached", "--ignored", "--exclude-standard")
    present = [path for path in _tracked(folder) if path.is_file()]
    packed = [path for path in present if path.suffix.lower() in PACKED]
    huge = [path for path in present if path.stat().st_size > MOST]
    return sorted({path.name for path in ignored + packed + huge})


def test_the_tree_contains_nothing_that_does_not_belong() -> None:
    assert len(_tracked(ROOT)) > 500
    assert _strange(ROOT) == []


@pytest.mark.parametrize(
    ("name", "size"), [("torch.whl", 1), ("runs/log.txt", 1), ("games.ZIP", 1), ("w.bin", MOST + 1)]
)
def test_what_does_not_belong_is_found(name: str, size: int, tmp_path: Path) -> None:
    for each, length in ((name, size), ("weights.safetensors", MOST), (".gitignore", 0)):
        path = tmp_path / each
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(length))
    (tmp_path / ".gitignore").write_text("runs/\n")
    for command in (["init", "-q"], ["add", "--force", "."]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    assert _strange(tmp_path) == [Path(name).name]
