"""Records inside the working space that a caller gives to a kernel."""

from typing import Any

import numpy as np

from undercut.core.game import Buffer
from undercut.core.jit import COMPILED, kernel


def words_for(layout: np.dtype[Any]) -> int:
    """How many int64 numbers a record takes."""
    return -(-layout.itemsize // 8)


def _record_in(words: Buffer, layout: Any) -> Any:
    """The record that lies in some int64 numbers, just as many as `words_for` it."""
    return words.view(layout)[0]


def _interpreted_record_in(words: Buffer, layout: Any) -> Any:
    """The same for plain Python, where fields are attributes only of record arrays."""
    return words.view(layout).view(np.recarray)[0]


record_in: Any = kernel(_record_in) if COMPILED else _interpreted_record_in
