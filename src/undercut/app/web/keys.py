"""The owner's key, and the proof of a page that it has a key.

The server sends a nonce, and the page answers with a digest of the nonce and the key. An
eavesdropper, or another program that later listens at the same port, cannot use the answer: it is
valid for one nonce at one address.
"""

import hmac
import re
from hashlib import sha256
from pathlib import Path
from secrets import token_urlsafe

from undercut.app.data_folder import make_private, write_private

FILE = "key"
_KEY = re.compile(r"[\w-]{43}")


def owner_key(folder: Path, is_new: bool = False) -> str:
    """The owner's key, stored with the games; made if there is none."""
    file = folder / FILE
    if not is_new and file.exists():
        make_private(file)
        key = file.read_text(encoding="utf-8", errors="replace").strip()
        if _KEY.fullmatch(key):
            return key
    key = token_urlsafe(32)
    write_private(file, key + "\n")
    return key


def prove(key: str, host: str, place: str, nonce: str) -> str:
    """The proof of a page; `host` has the port, `place` is the path of the page.

    >>> prove("sesame", "127.0.0.1:8000", "/", "1")[:16]
    '74a1d03aab5e0528'
    """
    return hmac.new(key.encode(), f"undercut {host} {place} {nonce}".encode(), sha256).hexdigest()
