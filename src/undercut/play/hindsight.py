"""A match that is over, action by action, with the cards that were hidden at the time.

Reviews read it. A match in play has none, so no agent and no table can ask for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from undercut.cards.french import Cards
from undercut.games.contract import Game
from undercut.kernels.records import Action, Seat, State, View
from undercut.play.chance_nodes import Source, find_source
from undercut.play.records.events import Ended
from undercut.play.records.record import Record, replayed
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
    points: tuple[int, ...] | None  # None: somebody left
    moments: tuple[Moment, ...]


def played_deals(record: Record) -> Iterator[PlayedDeal]:
    """The deals of a record."""
    points = {each.deal: each.points for each in record.events if isinstance(each, Ended)}
    found: list[Moment] = []
    scores: tuple[int, ...] = ()
    for moment, before in _moments(record):
        if found and moment.deal != found[0].deal:
            yield _deal(found, scores, points)
            found = []
        found.append(moment)
        scores = before
    if found:
        yield _deal(found, scores, points)


def _deal(
    moments: list[Moment], scores: tuple[int, ...], points: dict[int, list[int]]
) -> PlayedDeal:
    number = moments[0].deal
    gained = points.get(number)
    return PlayedDeal(number, scores, None if gained is None else tuple(gained), tuple(moments))


def _moments(record: Record) -> Iterator[tuple[Moment, tuple[int, ...]]]:
    """Every action, and the scores before its deal."""
    source = _source(record.game)
    for ply, (match, action) in enumerate(zip(replayed(record), record.actions, strict=False)):
        deal, state = match.deal, match.deal._state
        draws = source is not None and source.drawn(state, record.game.options, action) > 0
        hands = _other_hands(state, deal.seat, record.game.seats)
        moment = Moment(
            match.deals, ply, deal.seat, deal.observe(), deal.actions, action, hands, draws
        )
        yield moment, tuple(match.scores)


def _source(game: Game) -> Source | None:
    """The chance nodes of a game; None if it does not tell which actions draw."""
    try:
        return find_source(game)
    except OptionsError:
        return None


def _other_hands(state: State, seat: Seat, seats: int) -> tuple[Cards, ...]:
    return tuple(int(state["hands"][(seat + other) % seats]) for other in range(1, seats))
