"""A match that is over, action by action, with the cards that were hidden at the time.

Reviews read it. A match in play has none, so no agent and no table can ask for it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from undercut.cards.french import Cards
from undercut.games.contract import Game
from undercut.kernels.records import Action, Seat, State, View
from undercut.play.chance_nodes import Source, find_source
from undercut.play.match import Match
from undercut.play.records.record import Record, replayed
from undercut.play.seeds import AnySeed
from undercut.text.errors import OptionsError


class Moment(NamedTuple):
    """An action of a match, and the position before it."""

    deal: int
    ply: int  # actions of the match before it
    seat: Seat
    view: View  # of that seat
    legal: list[Action]
    action: Action
    hands: tuple[Cards, ...]  # of the other seats, in the order of play
    draws: bool  # whether it draws cards that nobody knew


@dataclass(frozen=True)
class PlayedDeal:
    """A deal of a match with its result."""

    number: int
    scores: tuple[int, ...]  # before it
    points: tuple[int, ...] | None  # None: it was not finished
    moments: tuple[Moment, ...]


def played_deals(record: Record) -> Iterator[PlayedDeal]:
    """The deals of a record."""
    return _deals(replayed(record), record.actions)


def deals_of_seed(game: Game, seed: AnySeed, actions: Sequence[Action]) -> Iterator[PlayedDeal]:
    """The deals of the match with these actions that `Match.from_seed` makes."""
    return _deals(_matches(game, seed, actions), actions)


def _matches(game: Game, seed: AnySeed, actions: Sequence[Action]) -> Iterator[Match]:
    """A match before each action, and at its end: always the same object."""
    match = Match.from_seed(game, seed)
    for action in actions:
        if match.deal.is_over:
            match.next_deal()
        yield match
        match.apply(action)
    yield match


def _deals(matches: Iterator[Match], actions: Sequence[Action]) -> Iterator[PlayedDeal]:
    found: list[Moment] = []
    before: tuple[int, ...] = ()
    for ply, match in enumerate(matches):
        if found and match.deals > found[0].deal:
            points = (now - then for now, then in zip(match.scores, before, strict=True))
            yield PlayedDeal(found[0].deal, before, tuple(points), tuple(found))
            found = []
        if ply < len(actions):
            before = before if found else tuple(match.scores)
            found.append(_moment(match, ply, actions[ply]))
    if found:
        yield PlayedDeal(found[0].deal, before, None, tuple(found))


def _moment(match: Match, ply: int, action: Action) -> Moment:
    deal, state, source = match.deal, match.deal._state, _source(match.game)
    return Moment(
        deal=match.deals,
        ply=ply,
        seat=deal.seat,
        view=deal.observe(),
        legal=deal.actions,
        action=action,
        hands=_other_hands(state, deal.seat, match.game.seats),
        draws=source is not None and source.drawn(state, match.game.options, action) > 0,
    )


def _source(game: Game) -> Source | None:
    """The chance nodes of a game; None if it does not tell which actions draw."""
    try:
        return find_source(game)
    except OptionsError:
        return None


def _other_hands(state: State, seat: Seat, seats: int) -> tuple[Cards, ...]:
    return tuple(int(state["hands"][(seat + other) % seats]) for other in range(1, seats))
