"""A search that is given time instead of a number of iterations.

How far it gets depends on the machine, so the seed alone no longer decides what it plays.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from undercut.games.contract import Game
from undercut.kernels.records import Action, View
from undercut.play.agent import FromSpec, KernelAgent, Random
from undercut.players.entry import Entry

PROBE = 64  # iterations that show how fast the search is in a position
_SHARE = 0.95  # of the time left, used for the search proper


@dataclass(repr=False)
class TimedAgent(FromSpec):
    """A kernel agent with the settings `iterations` and `seconds`, searching for that long."""

    name: str
    agent: KernelAgent
    by_clock = True

    def act(self, view: View, legal: Sequence[Action], random: Random) -> Action:
        """Search briefly to see how fast it goes, then once for the rest of the time."""
        if len(legal) == 1:
            return int(legal[0])
        started = time.perf_counter()
        action = self._search(PROBE, view, legal, random)
        used = time.perf_counter() - started
        left = self.agent.settings.seconds - used
        iterations = int(PROBE * _SHARE * left / used)
        if iterations <= PROBE:
            return action
        return self._search(iterations, view, legal, random)

    def _search(
        self, iterations: int, view: View, legal: Sequence[Action], random: Random
    ) -> Action:
        settings = self.agent.settings._replace(iterations=iterations)
        return replace(self.agent, settings=settings).act(view, legal, random)


@dataclass(frozen=True)
class SearchEntry(Entry):
    """A search: its settings are those of `tree.Search` and more."""

    def make(self, spec: str, game: Game, fields: dict[str, str]) -> KernelAgent | TimedAgent:
        """The search itself, or a timed one if its spec gives it seconds."""
        agent = self.make_kernel_agent(spec, game, fields)
        return TimedAgent(spec, agent) if agent.settings.seconds else agent
