"""The table at the end of a deal: all hands lie open, melds apart from the rest."""

import pytest

from undercut.app.presentation import Shown
from undercut.app.session import Session
from undercut.games.families import parse_game
from undercut.games.table.description import Part, Table
from undercut.play.agent import Random
from undercut.players.catalog import parse_agent


def ended(spec: str, seed: int) -> Session:
    """A session whose first deal is over."""
    game = parse_game(spec)
    session = Session(game, [parse_agent("regular", game)] * (game.seats - 1), seed)
    helper, chance = parse_agent("regular", game), Random.from_seed(seed)
    while not session.is_deal_over:
        assert session.open_hands() == ()
        view = session.view()
        chosen = helper.act(view.record, view.actions, chance)
        session.play(session.choices()[view.actions.index(chosen)])
    return session


def parts_of(table: Table, seat: int) -> list[Part]:
    """The cards of a seat: in its hand, and laid down."""
    return [
        part
        for area in table.areas
        for part in area.parts
        if seat in (area.seat, part.seat) and area.kind != "piles"
    ]


@pytest.mark.parametrize("spec", ["gin", "distilled", "rummy", "pharaoh:players=3", "prsi"])
def test_all_hands_lie_open_at_the_end(spec: str) -> None:
    for seed in range(4):
        session = ended(spec, seed)
        table, hands = Shown(session).table(), session.open_hands()
        if getattr(session.view(), "outcome", None) == "void":
            continue
        laid = {card for area in table.areas for part in area.parts for card in part.added}
        for seat, hand in enumerate(hands):
            parts = parts_of(table, seat)
            assert {card for part in parts for card in part.cards} | laid >= {*hand}
            assert not any(part.face_down for part in parts)


def test_melds_have_their_names_and_lay_offs_are_marked() -> None:
    names, added = set(), 0
    for seed in range(8):
        session = ended("gin", seed)
        if session.view().outcome == "void":
            continue
        table = Shown(session).table()
        for seat, hand in enumerate(session.view().hands):
            parts = parts_of(table, seat)
            names |= {part.name for part in parts if part.role == "meld"}
            added += sum(len(part.added) for part in parts)
            (rest,) = [part for part in parts if part.role == "loose"] or [None]
            assert (rest.name if rest else "deadwood 0") == f"deadwood {hand.deadwood}"
    assert names == {"run", "three of a kind", "four of a kind"}
    assert added
