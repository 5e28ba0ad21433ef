"""A person's profile from the reviews that the store keeps: error rate, luck and themes over time.

Games with the coach's help and training games do not count.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from undercut.app.kept_reviews import DealKept, kept_reviews
from undercut.app.statistics import opponents_of, title
from undercut.app.store import Store
from undercut.app.stored_games import Stored
from undercut.lab.review.profile import PlayedSide, Profile, over_time, profile
from undercut.lab.statistics import Estimate
from undercut.text.translation import say


@dataclass(frozen=True)
class Stretch:
    """Some deals that follow each other."""

    error_rate: Estimate
    luck: Estimate


@dataclass(frozen=True)
class ThemeShown:
    """How often a theme occurred, and what its errors cost together."""

    words: str
    count: int
    points: float


@dataclass(frozen=True)
class Met:
    """The play against certain opponents."""

    opponents: tuple[str, ...]
    deals: int
    error_rate: Estimate
    luck: Estimate


@dataclass(frozen=True)
class ProfileShown:
    """The reviewed deals of one game."""

    game: str
    title: str
    deals: int
    decisions: int
    error_rate: Estimate
    luck: Estimate
    themes: tuple[ThemeShown, ...]
    against: tuple[Met, ...]
    over_time: tuple[Stretch, ...]


def profiles(store: Store) -> tuple[ProfileShown, ...]:
    """A profile for each game that has reviews, the one with most deals first."""
    kept, coached = kept_reviews(store), store.coached()
    played = defaultdict[str, list[tuple[Stored, PlayedSide]]](list)
    for stored in sorted(store.games(), key=lambda each: each.number):
        if stored.number in kept and not stored.training and stored.number not in coached:
            deals = kept[stored.number].deals
            played[stored.game] += [(stored, _side(deal)) for deal in deals]
    shown = (_shown(game, found) for game, found in played.items() if found)
    return tuple(sorted(shown, key=lambda each: -each.deals))


def _shown(game: str, played: Sequence[tuple[Stored, PlayedSide]]) -> ProfileShown:
    sides = [side for _, side in played]
    whole = profile(sides)
    return ProfileShown(
        game=game,
        title=title(game),
        deals=whole.deals,
        decisions=whole.decisions,
        error_rate=whole.error_rate,
        luck=whole.luck,
        themes=tuple(ThemeShown(say(each.name), each.count, each.points) for each in whole.themes),
        against=tuple(_met(played)),
        over_time=tuple(map(_stretch, over_time(sides))),
    )


def _met(played: Sequence[tuple[Stored, PlayedSide]]) -> Iterator[Met]:
    found = defaultdict[tuple[str, ...], list[PlayedSide]](list)
    for stored, side in played:
        found[opponents_of(stored)].append(side)
    for opponents, sides in found.items():
        whole = profile(sides)
        yield Met(opponents, whole.deals, whole.error_rate, whole.luck)


def _stretch(found: Profile) -> Stretch:
    return Stretch(found.error_rate, found.luck)


def _side(deal: DealKept) -> PlayedSide:
    return PlayedSide(
        decisions=deal.decisions,
        lost=deal.lost,
        luck=deal.luck,
        result=deal.result,
        themes=tuple((theme, error.points) for error in deal.errors for theme in error.themes),
    )
