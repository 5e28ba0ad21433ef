"""Views that read well, of every game: they say what the record says, and nothing hidden."""

from html.parser import HTMLParser
from random import Random
from typing import Any

from rulesets import chance_of, every_game, every_option, sample
from undercut.cards.card import Card
from undercut.games.contract import Game
from undercut.games.table.position import format_position
from undercut.games.table.readable import View
from undercut.play.deal import Deal


def shown(view: View) -> tuple[Any, ...]:
    """Everything that a person or a program can see of a view."""
    own = {name for name in dir(type(view)) if isinstance(getattr(type(view), name), property)}
    values = [repr(getattr(view, name)) for name in sorted(own)]
    texts = str(view), repr(view), view._repr_html_(), str(view.fields())
    return (view.record.tobytes(), [*view.actions], *texts, *values)


def moments(game: Game, random: Random) -> Any:
    """Deals at some moments of their play, with a seat that looks, first and last among them."""
    for _ in range(sample(game, 4, 2)):
        deal: Deal = game.deal(seed=random.randrange(10**6))
        yield deal, random.randrange(game.seats)
        while not deal.is_over:
            deal.play(random.choice(deal.legal))
            if deal.is_over or random.random() < 0.03:
                yield deal, random.randrange(game.seats)


@every_option
def test_what_a_seat_cannot_know_changes_nothing_of_its_view(game: Game) -> None:
    """Deals that look alike to a seat, made of its position, look alike in every way."""
    random, moved = chance_of(game, 71), 0
    for deal, seat in moments(game, random):
        view = deal.view(seat)
        assert view.position == format_position(game, deal.observe(seat))
        twin = Deal.from_position(view.position, random.randrange(10**6))
        assert shown(twin.view(seat)) == shown(view)
        assert (twin.seat, twin.is_over) == (deal.seat, deal.is_over)
        others = [other for other in range(game.seats) if other != seat]
        moved += any(twin.view(other).hand != deal.view(other).hand for other in others)
    assert moved > 0, "hidden cards lie elsewhere now and then"


@every_game
def test_a_view_says_what_its_record_says(game: Game) -> None:
    for deal, seat in moments(game, chance_of(game, 72)):
        view = deal.view(seat)
        assert str(view.hand) == game.notation.format_hand(deal.observe(seat))
        assert all(isinstance(card, Card) and card.name != card for card in view.hand)
        assert (view.me, view.seat) == (seat, deal.seat)
        on_turn = seat == deal.seat and not deal.is_over
        assert view.legal == (deal.legal if on_turn else [])
        assert [action.number for action in view.legal] == [*view.actions]
        assert set(type(view).FIELDS) <= {*view.fields()}


class _Balanced(HTMLParser):
    """Reads HTML and keeps what is open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@every_game
def test_what_a_notebook_shows_is_whole(game: Game) -> None:
    deal, seat = next(moments(game, chance_of(game, 73)))
    for thing in (deal, deal.view(seat), deal.view(seat).hand):
        parser = _Balanced()
        parser.feed(thing._repr_html_())
        parser.close()
        assert parser.open == []
