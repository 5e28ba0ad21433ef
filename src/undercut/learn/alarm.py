"""What a long run does now and then, and not after every piece of work."""

from collections.abc import Callable

Clock = Callable[[], float]


class Alarm:
    """Rings when some seconds have passed since it last did."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock, self._seconds = clock, seconds
        self._last = clock()

    def rings(self) -> bool:
        """Whether it is time."""
        now = self._clock()
        if now - self._last < self._seconds:
            return False
        self._last = now
        return True
