"""Files come whole or not at all."""

import errno
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from undercut.text import files


def test_new_and_old_files_are_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "some name"
    files.write_text(path, "Ä♠\n")
    assert path.read_bytes() == "Ä♠\n".encode()
    files.write_bytes(path, b"\0\r\n")
    assert path.read_bytes() == b"\0\r\n"
    assert [*tmp_path.iterdir()] == [path]


def test_others_may_read_what_the_user_lets_them(tmp_path: Path) -> None:
    path = tmp_path / "record"
    before = os.umask(0o026)
    try:
        files.write_text(path, "")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "no space"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_error_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    path = tmp_path / "result.json"
    path.write_text("old")

    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(files.os, step, fail)
    with pytest.raises(type(error)):
        files.write_text(path, "new")
    assert path.read_text() == "old"
    assert [*tmp_path.iterdir()] == [path]


def test_the_disk_has_it_before_the_name_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    for name in ("fsync", "replace"):
        real = getattr(os, name)

        def noted(*arguments: Any, name: str = name, real: Any = real) -> None:
            steps.append(name)
            real(*arguments)

        monkeypatch.setattr(files.os, name, noted)
    files.write_bytes(tmp_path / "model", b"weights")
    assert steps == ["fsync", "replace"]


def test_a_missing_folder_is_the_callers_to_explain(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        files.write_text(tmp_path / "no" / "file", "text")
    assert not [*tmp_path.iterdir()]
