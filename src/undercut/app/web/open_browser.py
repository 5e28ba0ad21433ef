"""Opening a browser by a private file, since other users can read command lines."""

import html
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

from undercut.app.data_folder import write_private

_PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="referrer" content="no-referrer">
    <meta http-equiv="refresh" content="0; url={link}">
    <title>Undercut</title>
  </head>
  <body><p><a href="{link}">To the table</a></p></body>
</html>
"""


@contextmanager
def opened(file: Path, link: str) -> Iterator[None]:
    """Open a browser with a private file that redirects to a link; delete the file at the end.

    If the file cannot be written or read, the person can still use the printed link.
    """
    with suppress(OSError):
        write_private(file, _PAGE.format(link=html.escape(link)))
        address = file.resolve().as_uri()
        Thread(target=webbrowser.open, args=(address,), daemon=True).start()  # some browsers block
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink()
