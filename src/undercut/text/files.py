"""Atomic writes: a file is written completely or not at all."""

import os
import secrets
from pathlib import Path

PART = ".part"
"""The suffix of a file while it is written; a killed process may leave one behind."""


def write_text(path: Path, text: str, wait: bool = True, mode: int = 0o666) -> None:
    """Write text in UTF-8 with unchanged newlines; after an error the old file is unchanged."""
    write_bytes(path, text.encode(), wait, mode)


def write_bytes(path: Path, data: bytes, wait: bool = True, mode: int = 0o666) -> None:
    """Write bytes to a temporary file in the same folder, then rename it.

    With `wait` the rename comes after the bytes are on the disk. Without it, which is faster for
    thousands of small files, a power cut may damage the last ones. The umask restricts `mode`.
    """
    part = path.parent / f"{path.name}.{secrets.token_hex(4)}{PART}"
    try:
        with open(part, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
            if wait:
                file.flush()
                os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
