"""What came of the games that a person has ended: results, streaks, and how the deals ended."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from undercut.app.host import Host
from undercut.app.store import Store, deals_of
from undercut.app.stored_games import LEFT, OVER, DealKept, Stored, game_of
from undercut.games.families import parse_game
from undercut.games.table.description import title_of
from undercut.games.table.plain_description import description_of
from undercut.lab.statistics import Interval, wilson
from undercut.play.winners import WIN, winners, wins_of
from undercut.text.errors import UndercutError
from undercut.text.printable import printable
from undercut.text.translation import say, say_as


@dataclass(frozen=True)
class Share:
    """How many of all were so, with a 95 % interval; none of nothing has no interval."""

    count: float
    of: int
    rate: float | None
    interval: Interval | None


@dataclass(frozen=True)
class Streak:
    """Games in a row; the current ones were lost if their number is negative."""

    current: int
    longest: int  # that were won


@dataclass(frozen=True)
class Against:
    """The results against certain opponents; a win that is shared counts in part."""

    opponents: tuple[str, ...]
    won: Share


@dataclass(frozen=True)
class Ending:
    """How often deals ended in a way: who gained by it."""

    outcome: str
    mine: Share
    theirs: Share
    nobody: Share


@dataclass(frozen=True)
class OfGame:
    """What came of a game."""

    game: str
    title: str
    won: Share
    streak: Streak
    against: tuple[Against, ...]
    deals_won: Share
    endings: tuple[Ending, ...]


@dataclass(frozen=True)
class Account:
    """What came of many games."""

    won: Share
    streak: Streak
    games: tuple[OfGame, ...]


@dataclass(frozen=True)
class Statistics:
    """All games of one person that were ended; training is counted apart.

    Games that were left are only counted, and games of several people at one table not at all.
    """

    played: Account
    training: Account
    left: int


@dataclass(frozen=True)
class _Ended:
    stored: Stored
    person: int
    share: float  # of the win
    deals: Sequence[DealKept]


def statistics(store: Store) -> Statistics:
    """What came of the stored games."""
    found = [stored for stored in reversed(store.games()) if len(stored.people) == 1]
    over = [_read(store, stored) for stored in found if stored.state == OVER]
    return Statistics(
        _account([ended for ended in over if not ended.stored.training]),
        _account([ended for ended in over if ended.stored.training]),
        sum(stored.state == LEFT for stored in found),
    )


def share(count: float, of: int) -> Share:
    """A part of all.

    >>> share(3, 4).rate, share(0, 0).interval
    (0.75, None)
    """
    if not of:
        return Share(count, of, None, None)
    return Share(count, of, count / of, wilson(count / of, of))


def streak(won: Iterable[bool]) -> Streak:
    """Games in a row, the first game first.

    >>> streak([True, True, False, True]), streak([True, False, False])
    (Streak(current=1, longest=2), Streak(current=-2, longest=1))
    """
    current = longest = 0
    for each in won:
        current = max(current, 0) + 1 if each else min(current, 0) - 1
        longest = max(longest, current)
    return Streak(current, longest)


def _read(store: Store, stored: Stored) -> _Ended:
    (person,) = stored.people
    deals = _noted_late(store, stored) if stored.deals is None else stored.deals
    return _Ended(stored, person, int(wins_of(stored.scores)[person]) / WIN, deals)


def _noted_late(store: Store, stored: Stored) -> Sequence[DealKept]:
    """The deals of a game that an older program has kept: found by playing it again, then noted."""
    try:
        game = game_of(stored)
        host = Host(game, [None] * game.seats, stored.seed, entries=store.entries(stored.number))
    except UndercutError:  # of other rules, or damaged
        return ()
    deals = deals_of(host)
    store.note(stored.number, stored.state, stored.scores, deals)
    return deals


def _account(ended: Sequence[_Ended]) -> Account:
    games = defaultdict[str, list[_Ended]](list)
    for each in ended:
        games[each.stored.game].append(each)
    most_first = sorted(games.items(), key=lambda item: -len(item[1]))
    return Account(
        _won(ended),
        streak(each.share > 0 for each in ended),
        tuple(_of_game(game, found) for game, found in most_first),
    )


def _won(ended: Sequence[_Ended]) -> Share:
    return share(sum(each.share for each in ended), len(ended))


def _of_game(game: str, ended: Sequence[_Ended]) -> OfGame:
    against = defaultdict[tuple[str, ...], list[_Ended]](list)
    for each in ended:
        others = [say(name) for seat, name in enumerate(each.stored.called) if seat != each.person]
        against[tuple(sorted(others))].append(each)
    deals = [(deal, _winners(deal), each.person) for each in ended for deal in each.deals]
    return OfGame(
        game,
        title(game),
        _won(ended),
        streak(each.share > 0 for each in ended),
        tuple(Against(names, _won(found)) for names, found in against.items()),
        share(sum(person in winners for _, winners, person in deals), len(deals)),
        tuple(_endings(deals)),
    )


def _endings(deals: Sequence[tuple[DealKept, Sequence[int], int]]) -> Iterator[Ending]:
    for outcome in dict.fromkeys(deal.outcome for deal, _, _ in deals):
        so = [(winners, person) for deal, winners, person in deals if deal.outcome == outcome]
        mine = sum(person in winners for winners, person in so)
        theirs = sum(bool(winners) and person not in winners for winners, person in so)
        counts = (mine, theirs, len(so) - mine - theirs)
        yield Ending(say_as("outcome", outcome), *(share(count, len(deals)) for count in counts))


def _winners(deal: DealKept) -> list[int]:
    """Who has gained the most by a deal; nobody if all have gained the same."""
    found = winners(deal.points)
    return found if len(found) < len(deal.points) else []


def title(spec: str) -> str:
    """What a game is called, its spec if it is not there any more."""
    try:
        game = parse_game(spec)
    except UndercutError:  # of another version, or of a game that is not there now
        return printable(spec)
    return title_of(game.name, description_of(game.family).titles)
