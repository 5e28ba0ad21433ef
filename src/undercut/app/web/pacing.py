"""The time of an answer, as people see it: it does not depend on the agents' cards.

A forced move takes no time, and an agent may think longer about some cards than about others. So
the server shows an answer only when the table's time for answers is over. If an agent needs
longer, the server doubles this time for good. Only a doubling can reveal something, and there are
few of them.
"""


class Tempo:
    """The time for answers at a table.

    >>> tempo = Tempo(0.4)
    >>> [tempo.time_for(took) for took in (0.1, 0.0, 0.9, 0.1)]
    [0.4, 0.4, 1.6, 1.6]
    """

    def __init__(self, pace: float, took: float = 0.0) -> None:
        """`pace` is the shortest time in seconds; `took` is the slowest answer of a rehearsal."""
        self._pace = pace
        self.time_for(2 * took)

    def time_for(self, took: float) -> float:
        """The seconds from a question to its shown answer, which took `took` seconds."""
        if self._pace == 0:  # pacing is off
            return 0.0
        while took > self._pace:
            self._pace *= 2
        return self._pace
