"""The reading quiz: which of five unseen cards does another player hold?

A question is a turn of the person in a deal of a game that is over. Which turn and which cards is a
function of the finished games, of the questions answered so far, and of a seed.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypeVar

from undercut.app.history import Moment
from undercut.app.store import Store
from undercut.app.stored_games import PLAYING
from undercut.cards.french import Cards
from undercut.games.contract import Game
from undercut.kernels.records import Seat
from undercut.play.agent import Random
from undercut.play.hindsight import Moment as Position
from undercut.play.hindsight import PlayedDeal, deals_of_seed
from undercut.players.search.evaluate import evaluator_of
from undercut.players.search.marginals import marginals
from undercut.text.errors import UndercutError

TURNS = 3  # of the other player, at least, before a question about him
CARDS = 5
Item = TypeVar("Item")


class Place(NamedTuple):
    """A finished deal of a stored game."""

    number: int  # of the game
    deal: int  # from 0


@dataclass(frozen=True)
class Reading:
    """A question, with its answer."""

    place: Place
    ply: int
    seat: Seat  # of the other player
    cards: tuple[str, ...]  # he holds exactly one of them
    chances: tuple[float, ...]  # of these cards, as the coach believes from the person's view
    held: str
    hand: tuple[str, ...]  # all his cards

    @property
    def likeliest(self) -> str:
        """The card that the coach would name."""
        return max(zip(self.chances, self.cards, strict=True), key=lambda each: each[0])[1]


@dataclass(frozen=True)
class Score:
    """How many questions were answered, and how many of them rightly."""

    asked: int
    right: int
    likeliest: int  # would have been right with the card that the coach thinks likeliest


def places(store: Store) -> list[Place]:
    """The finished deals of the games that are over, in the order of the games."""
    ended = [stored for stored in store.games() if stored.state != PLAYING]
    return sorted(
        Place(stored.number, deal) for stored in ended for deal in range(len(stored.deals or ()))
    )


def next_reading(store: Store, moment_of: Callable[[int], Moment]) -> Reading | None:
    """The next question, from a deal that was asked least often; None if there is none.

    `moment_of` gives a stored game. The seed is the number of answers, so a question stays the same
    until it is answered.
    """
    random, asked = Random.from_seed(score(store).asked), Counter(_asked(store))
    for place in sorted(_drawn(places(store), random), key=lambda place: asked[place]):
        with suppress(UndercutError):  # of other rules, damaged, or with agents from files
            person = store.find(place.number).people[0]
            if found := reading_in(moment_of(place.number), place, person, random):
                return found
    return None


def reading_in(moment: Moment, place: Place, person: Seat, random: Random) -> Reading | None:
    """A question about a deal of a game that is over; None if the deal has no position for one."""
    if not (moment.is_over or moment.is_left):
        return None
    for deal in deals_of_seed(moment.game, moment.seed, moment.actions):
        if deal.number == place.deal and deal.points is not None:
            for position, other in _drawn([*_positions(deal, person)], random):
                if found := _reading(moment.game, place, position, other, random):
                    return found
    return None


def _positions(deal: PlayedDeal, person: Seat) -> Iterator[tuple[Position, int]]:
    """The person's choices after some turns of another seat, which is counted from the person."""
    turns, before = Counter[Seat](), None
    for position in deal.moments:
        turns[position.seat] += position.seat != before
        before = position.seat
        if position.seat == person and len(position.legal) > 1:
            seats = len(position.hands) + 1
            for other in range(1, seats):
                if turns[(person + other) % seats] >= TURNS:
                    yield position, other


def _reading(
    game: Game, place: Place, position: Position, other: int, random: Random
) -> Reading | None:
    """A question about a position; None if too few cards are unseen."""
    row = marginals(evaluator_of(game.name), position.view)[other - 1]
    unseen = [card for card, chance in enumerate(row) if 0 < chance < 1]
    hand: Cards = position.hands[other - 1]
    held = [card for card in unseen if hand >> card & 1]
    free = [card for card in unseen if not hand >> card & 1]
    if not held or len(free) < CARDS - 1:
        return None
    answer = random.choice(held)
    cards = sorted([answer, *islice(_drawn(free, random), CARDS - 1)])
    names = [text for text, _ in game.family.pack.names]
    return Reading(
        place=place,
        ply=position.ply,
        seat=(position.seat + other) % game.seats,
        cards=tuple(names[card] for card in cards),
        chances=tuple(float(row[card]) for card in cards),
        held=names[answer],
        hand=tuple(name for card, name in enumerate(names) if hand >> card & 1),
    )


def _drawn(items: Sequence[Item], random: Random) -> Iterator[Item]:
    """The items in random order."""
    left = [*items]
    while left:
        yield left.pop(random.below(len(left)))


def note_answer(store: Store, reading: Reading, card: str) -> None:
    """Keep whether an answer was right, and whether the coach's would have been."""
    right, likeliest = card == reading.held, reading.likeliest == reading.held
    store.execute("INSERT INTO readings VALUES (?, ?, ?, ?)", *reading.place, right, likeliest)


def score(store: Store) -> Score:
    """The score of all answers."""
    ((asked, right, likeliest),) = store.rows(
        "SELECT count(*), count(CASE WHEN is_right = 1 THEN 1 END), "
        "count(CASE WHEN is_likeliest_right = 1 THEN 1 END) FROM readings"
    )
    return Score(*(int(str(each)) for each in (asked, right, likeliest)))


def _asked(store: Store) -> list[tuple[object, ...]]:
    """The game and the deal of each answer."""
    return store.rows("SELECT game, deal FROM readings")
