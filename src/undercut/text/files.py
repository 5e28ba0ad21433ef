"""Files that are written all at once or not at all, whatever happens on the way."""

import os
import secrets
from pathlib import Path

PART = ".part"
"""How the name of a file ends while it is being written; a kill may leave one behind."""


def write_text(path: Path, text: str, wait: bool = True) -> None:
    """Write text in UTF-8, its newlines as they are; on an error the old file is untouched."""
    write_bytes(path, text.encode(), wait)


def write_bytes(path: Path, data: bytes, wait: bool = True) -> None:
    """Write bytes to a file beside the wanted one and rename it once they are on the disk.

    Thousands of small files need not wait for the disk. A power cut may then damage the last ones.
    """
    part = path.parent / f"{path.name}.{secrets.token_hex(4)}{PART}"
    try:
        with open(part, "xb") as file:
            file.write(data)
            if wait:
                file.flush()
                os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
