"""Statistics of a person's finished games: results, streaks, and the endings of deals."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from undercut.app.account import Account, Against, Ending, OfGame, Share, Statistics, Streak, share
from undercut.app.company import company
from undercut.app.host import Host
from undercut.app.store import Store, deals_of
from undercut.app.stored_games import LEFT, OVER, DealKept, Stored, game_of
from undercut.app.story import of_account, of_game
from undercut.games.families import parse_game
from undercut.games.table.description import title_of
from undercut.games.table.feats import Feat
from undercut.games.table.plain_description import description_of
from undercut.play.winners import WIN, winners, wins_of
from undercut.text.errors import UndercutError
from undercut.text.printable import printable
from undercut.text.translation import say_as


@dataclass(frozen=True)
class _Ended:
    stored: Stored
    person: int
    share: float  # of the win
    deals: Sequence[DealKept]


def statistics(store: Store) -> Statistics:
    found = [stored for stored in reversed(store.games()) if len(stored.people) == 1]
    over = [_read(store, stored) for stored in found if stored.state == OVER]
    coached = store.coached()
    alone, helped = list[_Ended](), list[_Ended]()
    for ended in over:
        is_helped = ended.stored.training or ended.stored.number in coached
        (helped if is_helped else alone).append(ended)
    return Statistics(
        _account(alone), _account(helped), sum(stored.state == LEFT for stored in found)
    )


def streak(won: Iterable[bool]) -> Streak:
    """The streaks of games, the first game first.

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
    """The deals of a game from an older version: replay the game, then store them."""
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
    won, row = _won(ended), streak(each.share > 0 for each in ended)
    found = tuple(_of_game(game, found) for game, found in most_first)
    return Account(won, row, found, of_account(won, row) if ended else ())


def _won(ended: Sequence[_Ended]) -> Share:
    return share(sum(each.share for each in ended), len(ended))


def _of_game(game: str, ended: Sequence[_Ended]) -> OfGame:
    met = defaultdict[tuple[str, ...], list[_Ended]](list)
    for each in ended:
        met[opponents_of(each.stored)].append(each)
    deals = [(deal, _winners(deal), each.person) for each in ended for deal in each.deals]
    against = tuple(Against(names, _won(found)) for names, found in met.items())
    deals_won = share(sum(person in winners for _, winners, person in deals), len(deals))
    own = [(deal, person) for deal, _, person in deals]
    return OfGame(
        game,
        title(game),
        _won(ended),
        streak(each.share > 0 for each in ended),
        against,
        deals_won,
        tuple(_endings(deals)),
        of_game(against, own, deals_won, _feats(game)),
    )


def opponents_of(stored: Stored) -> tuple[str, ...]:
    """The names of the opponents, with their levels."""
    players = company(stored.players, stored.called, stored.named)
    return tuple(
        sorted(
            f"{player.name} ({player.level.lower()})" if player.level else player.name
            for seat, player in enumerate(players)
            if seat not in stored.people
        )
    )


def _feats(spec: str) -> Sequence[Feat]:
    try:
        return description_of(parse_game(spec).family).feats
    except UndercutError:
        return ()


def _endings(deals: Sequence[tuple[DealKept, Sequence[int], int]]) -> Iterator[Ending]:
    for outcome in dict.fromkeys(deal.outcome for deal, _, _ in deals):
        so = [(winners, person) for deal, winners, person in deals if deal.outcome == outcome]
        mine = sum(person in winners for winners, person in so)
        theirs = sum(bool(winners) and person not in winners for winners, person in so)
        counts = (mine, theirs, len(so) - mine - theirs)
        yield Ending(say_as("outcome", outcome), *(share(count, len(deals)) for count in counts))


def _winners(deal: DealKept) -> list[int]:
    """The seats that gained the most by a deal; none if all gained the same."""
    found = winners(deal.points)
    return found if len(found) < len(deal.points) else []


def title(spec: str) -> str:
    """The title of a game; the spec of a game that no longer exists."""
    try:
        game = parse_game(spec)
    except UndercutError:  # of another version, or of a game that is not installed
        return printable(spec)
    return title_of(game.name, description_of(game.family).titles)
