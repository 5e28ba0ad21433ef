"""The folder of a person's games, which only its owner can read."""

import os
from contextlib import suppress
from pathlib import Path

import platformdirs

from undercut.text import files

FOLDER_MODE, FILE_MODE = 0o700, 0o600


def data_folder() -> Path:
    """The folder of a person's games: UNDERCUT_DATA, or the system's folder for user data."""
    named = os.environ.get("UNDERCUT_DATA")
    return Path(named) if named else _usual_folder()


def _usual_folder() -> Path:
    return platformdirs.user_data_path("undercut", appauthor=False)


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner can enter.

    A folder that the person has named may hold other things, so its mode does not change. The
    files in it are private anyway.
    """
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    if folder == _usual_folder():
        _tighten(folder, FOLDER_MODE)


def make_private(file: Path) -> None:
    """Make a file that only its owner can read and write, or restrict an existing file."""
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
    _tighten(file, FILE_MODE)


def _tighten(path: Path, mode: int) -> None:
    with suppress(PermissionError):  # the owner is another user, who has given us access
        if path.stat().st_mode & 0o777 & ~mode:
            path.chmod(mode)


def write_private(file: Path, text: str) -> None:
    """Write a small file that only its owner can read, completely or not at all."""
    files.write_text(file, text, mode=FILE_MODE)
