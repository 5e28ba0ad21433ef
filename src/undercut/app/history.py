"""A match as it stood at any ply: a read-only replay."""

from collections.abc import Mapping
from typing import NamedTuple

from undercut.app.company import Person
from undercut.app.host import Host, Result
from undercut.games.contract import Game
from undercut.kernels.records import Action, Seat
from undercut.play.agent import AnyAgent
from undercut.play.seeds import AnySeed
from undercut.text.errors import OptionsError


class Moment(NamedTuple):
    """A copy of a match at one moment: it can be replayed while the match goes on."""

    game: Game
    players: tuple[AnyAgent | None, ...]
    seed: AnySeed
    training: bool
    actions: tuple[Action, ...]
    results: tuple[Result, ...]
    deals: int
    is_left: bool
    is_over: bool
    named: Mapping[Seat, Person]
    agreed: frozenset[Seat]
    coached: frozenset[Seat]

    @classmethod
    def of(cls, host: Host) -> "Moment":
        """The match as it is now."""
        return cls(
            host.game,
            host.players,
            host.seed,
            host.training,
            tuple(host.actions),
            tuple(host.results),
            host.deals,
            host.match.is_left,
            host.match.is_over,
            host.named,
            frozenset(host.agreed),
            frozenset(host.coached),
        )

    def may_show(self, deal: int) -> bool:
        """Whether every seat may see all hands of a deal, from 0.

        A person alone may see them when the deal is over. Several people may see them when the
        match has ended: until then, they might tell how somebody plays.
        """
        has_ended = self.is_left or self.is_over
        is_alone = sum(player is None for player in self.players) == 1
        return has_ended or (is_alone and deal < len(self.results))


class Past(Host):
    """A match replayed up to a ply.

    A ply counts actions, forced ones included, as records and pages do. At the last ply of a deal
    either this deal or the next one is on the table. `deal`, a number from 0, chooses between
    them; the default is the next deal if there is one.
    """

    def __init__(self, moment: Moment, ply: int, deal: int | None = None) -> None:
        if not 0 <= ply <= len(moment.actions):
            raise OptionsError(f"ply {ply}: must be from 0 to {len(moment.actions)}")
        ends = [result.ply for result in moment.results]
        last = sum(end <= ply for end in ends)  # the latest deal that was on the table then
        last = min(last, moment.deals - 1)
        first = sum(end < ply for end in ends)
        chosen = last if deal is None else deal
        if not first <= chosen <= last:
            raise OptionsError(f"deal {chosen + 1} was not on the table at ply {ply}")
        self._shown_deal = chosen
        super().__init__(moment.game, moment.players, moment.seed, training=moment.training)
        self.named = moment.named
        self.agreed, self.coached = {*moment.agreed}, {*moment.coached}
        for action in moment.actions[:ply]:
            self._replay(action)
        if len(self.results) == chosen and self.match.deal.is_over:
            self._deal_again()

    def _replay(self, action: Action) -> None:
        if self.match.deal.is_over:
            self._deal_again()
        self._apply(action)
        self._play_forced()

    def advance(self) -> None:
        """Do nothing: a replay asks no agent."""

    def hands(self) -> tuple[tuple[str, ...], ...]:
        """The cards of every seat; `Moment.may_show` says who may see them."""
        return tuple(self.view(seat).hand.texts for seat in range(self.game.seats))

    def _play_forced(self) -> None:
        if self.match.deal.is_over:
            self._settle()

    def _tell(self, action: Action) -> None:
        """Keep only the events of the deal that is shown."""
        if len(self.results) == self._shown_deal:
            super()._tell(action)
        else:
            self.match.apply(action)
