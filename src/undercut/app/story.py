"""Statistics in sentences: how a person has done, before any table."""

from collections.abc import Iterator, Sequence

from undercut.app.account import Against, Share, Streak
from undercut.app.stored_games import DealKept
from undercut.games.table.feats import Feat
from undercut.play.winners import winners
from undercut.text.translation import say, say_count

FEW = 3  # deals that are too few for a share


def of_account(won: Share, streak: Streak) -> tuple[str, ...]:
    """The games won, and the streaks.

    >>> of_account(Share(4, 7, 4 / 7, None), Streak(2, 3))
    ('You won 4 of 7 games.', 'Best streak: 3 games in a row.', 'You have won the last 2.')
    """
    told = [
        say_count(
            "You won {won} of {count} game.",
            "You won {won} of {count} games.",
            won.of,
            won=_number(won.count),
        )
    ]
    if streak.longest > 1:
        told.append(
            say_count(
                "Best streak: {count} game in a row.",
                "Best streak: {count} games in a row.",
                streak.longest,
            )
        )
    if streak.current > 1:
        told.append(
            say_count(
                "You have won the last {count}.", "You have won the last {count}.", streak.current
            )
        )
    return tuple(told)


def of_game(
    against: Sequence[Against],
    deals: Sequence[tuple[DealKept, int]],
    deals_won: Share,
    feats: Sequence[Feat],
) -> tuple[str, ...]:
    """The deals won, how they ended, and the opponents; `deals` have the seat of the person."""
    told = []
    if deals_won.of >= FEW:
        told.append(say("You win {share} % of the deals.", share=_percent(deals_won.rate or 0)))
    told += _feats(deals, feats)
    for each in against:
        values = {"names": ", ".join(each.opponents), "won": _number(each.won.count)}
        told.append(
            say_count(
                "Against {names} you won {won} of {count}.",
                "Against {names} you won {won} of {count}.",
                each.won.of,
                **values,
            )
        )
    return tuple(told)


def _feats(deals: Sequence[tuple[DealKept, int]], feats: Sequence[Feat]) -> Iterator[str]:
    for feat in feats:
        mine = sum(_gains(deal, seat) for deal, seat in deals if deal.outcome == feat.won)
        lost = sum(not _gains(deal, seat) for deal, seat in deals if deal.outcome == feat.lost)
        of = mine + lost if feat.lost else len(deals)
        if of >= FEW and (mine or feat.lost):
            yield say(feat.words, share=_percent(mine / of))


def _gains(deal: DealKept, seat: int) -> bool:
    found = winners(deal.points)
    return len(found) < len(deal.points) and seat in found


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


def _number(count: float) -> str:
    return f"{count:.1f}".removesuffix(".0")
