"""The folder of a person's games: where it is, and that nobody else reads what lies in it."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

import platformdirs

FOLDER_MODE, FILE_MODE = 0o700, 0o600


def data_folder() -> Path:
    """Where a person's games are kept: UNDERCUT_DATA, or the place that the system has for it."""
    named = os.environ.get("UNDERCUT_DATA")
    return Path(named) if named else _usual_folder()


def _usual_folder() -> Path:
    return platformdirs.user_data_path("undercut", appauthor=False)


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner can enter.

    One that the person has named and that was there before may hold other things: it stays as it is,
    and the files in it are private by themselves.
    """
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    if folder == _usual_folder():
        _tighten(folder, FOLDER_MODE)


def make_private(file: Path) -> None:
    """Make a file that only its owner can read and write, or make one so that is there."""
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
    _tighten(file, FILE_MODE)


def _tighten(path: Path, mode: int) -> None:
    with suppress(PermissionError):  # it is another user's, who has let us in
        if path.stat().st_mode & 0o777 & ~mode:
            path.chmod(mode)


def write_private(file: Path, text: str) -> None:
    """Write a small file that only its owner can read: all of it, or nothing."""
    handle, name = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)  # has mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as written:
            written.write(text)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
