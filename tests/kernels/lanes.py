"""The lanes of a GPU on a CPU, where they meet as they would there.

Between two meetings one lane works after the other, in an order that the test chooses: a lane that
reads what another has yet to write, or writes what another has yet to read, is found out.
"""

import threading
from collections.abc import Callable
from random import Random
from typing import Any


class _Lane(threading.Thread):
    """A lane: it works when it is called, until it meets the others or is done."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self.work, self.is_done = work, False
        self.answer: Any = None
        self.error: BaseException | None = None
        self._called, self._stopped = threading.Semaphore(0), threading.Semaphore(0)

    def run(self) -> None:
        self._called.acquire()
        try:
            self.answer = self.work()
        except BaseException as error:
            self.error = error
        self.is_done = True
        self._stopped.release()

    def syncthreads(self) -> None:
        """What `meet` calls."""
        self._stopped.release()
        self._called.acquire()

    def go_on(self) -> None:
        self._called.release()
        assert self._stopped.acquire(timeout=60)
        if self.error is not None:
            raise self.error


def side_by_side(lanes: int, function: Callable[[int], Any], seed: int = 0) -> list[Any]:
    """What a function returns in each lane, interpreted."""
    random = Random(seed)
    fellows = [_Lane(lambda lane=lane: function(lane)) for lane in range(lanes)]  # type: ignore[misc]
    for fellow in fellows:
        fellow.start()
    while not all(fellow.is_done for fellow in fellows):
        for fellow in random.sample(fellows, lanes):
            assert not fellow.is_done, "some lanes meet more often than others"
            fellow.go_on()
    return [fellow.answer for fellow in fellows]
