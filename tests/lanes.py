"""Lanes without a GPU: threads of Python that wait for each other, as in the CUDA simulator."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any


class Fellow(threading.Thread):
    """A lane; `meet` asks the thread it runs in to wait for the others."""

    def __init__(self, barrier: threading.Barrier, work: Callable[[], None]) -> None:
        super().__init__(target=work)
        self.syncthreads = barrier.wait


def side_by_side(lanes: int, function: Callable[[int], Any]) -> list[Any]:
    """What a function returns in each lane, interpreted."""
    barrier, answers = threading.Barrier(lanes, timeout=60), [None] * lanes

    def work(lane: int) -> None:
        answers[lane] = function(lane)

    fellows = [Fellow(barrier, partial(work, lane)) for lane in range(lanes)]
    for fellow in fellows:
        fellow.start()
    for fellow in fellows:
        fellow.join()
    return answers
