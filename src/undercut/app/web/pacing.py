"""How long agents take to answer, as people see it: the same time, whatever cards they hold.

An agent that has no alternative is not asked, and one that thinks may think longer about some cards
than about others. So an answer is shown when a table's time for answers is up, never sooner. Where
that is too short, it is doubled, and stays so: a table can tell something by its time only when it
becomes slower, and that happens a few times at most.
"""


class Tempo:
    """The time for answers at a table.

    >>> tempo = Tempo(0.4)
    >>> [tempo.time_for(took) for took in (0.1, 0.0, 0.9, 0.1)]
    [0.4, 0.4, 1.6, 1.6]
    """

    def __init__(self, pace: float, took: float = 0.0) -> None:
        """`pace` is the shortest time, in seconds; `took` is how long answers have taken before."""
        self._pace = pace
        self.time_for(2 * took)

    def time_for(self, took: float) -> float:
        """How long after the question an answer is shown that took so long."""
        if self._pace == 0:  # somebody wants no such rule
            return 0.0
        while took > self._pace:
            self._pace *= 2
        return self._pace
