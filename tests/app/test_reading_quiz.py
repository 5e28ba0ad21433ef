"""The reading quiz: its questions come from games that are over, and show only what was seen."""

from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import pytest
from msgspec.structs import replace

from typed_table import redealt
from undercut.app import coach
from undercut.app.history import Moment, Past
from undercut.app.reading_quiz import (
    CARDS,
    TURNS,
    Place,
    Reading,
    Score,
    next_reading,
    note_answer,
    places,
    reading_in,
    score,
)
from undercut.app.session import Session
from undercut.app.store import Kept, Store
from undercut.app.web.reading_quiz import Quiz
from undercut.app.web.snapshot import snapshot
from undercut.games.families import parse_game
from undercut.play.agent import Random

GIN = "gin:target=500"
GAMES = [GIN, "rummy", "prsi:players=3"]


def play(store: Store, spec: str, deals: int, seed: int = 5) -> Kept:
    """A stored game in which a person draws lots, after some deals."""
    game, random = parse_game(spec), Random.from_seed(seed)
    kept = Kept(store, store.begin(game, ["you", *["beginner"] * (game.seats - 1)], seed))
    session = Session.at(kept.host, 0)
    while len(session.results) < deals and not session.is_over:
        if session.is_deal_over:
            session.next_deal()
        else:
            session.play(random.choice(session.choices()))
    kept.note()
    return kept


def leave(kept: Kept) -> None:
    if not kept.host.is_ended:
        kept.host.leave(0)
    kept.note()


def stored(folder: Path, *specs: str, deals: int = 2) -> Store:
    """Games that were left after some deals."""
    store = Store(folder)
    for spec in specs:
        leave(play(store, spec, deals))
    return store


def moments(store: Store) -> Callable[[int], Moment]:
    return lambda number: Moment.of(Kept(store, store.find(number)).host)


def asked(store: Store) -> Reading:
    found = next_reading(store, moments(store))
    assert found is not None
    return found


def session_of(store: Store, reading: Reading) -> Session:
    """The person's seat at the position of a question."""
    number, deal = reading.place
    return Session.at(Past(moments(store)(number), reading.ply, deal), 0)


@pytest.fixture(scope="module", params=GAMES)
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Store:
    return stored(tmp_path_factory.mktemp("quiz"), request.param)


def questions(store: Store) -> list[Reading]:
    """Questions about all deals, with several seeds."""
    found = [
        reading_in(moments(store)(place.number), place, 0, Random.from_seed(seed))
        for place in places(store)
        for seed in range(4)
    ]
    return [each for each in found if each is not None]


def turns_of(session: Session, seat: int) -> int:
    """How often it was a seat's turn in the deal on the table."""
    return [mover for mover, _ in groupby(event.seat for event in session.events)].count(seat)


def test_one_of_five_unseen_cards_is_held_at_a_turn_of_the_person(store: Store) -> None:
    found = questions(store)
    assert found
    for reading in found:
        session, (number, deal) = session_of(store, reading), reading.place
        past = Past(moments(store)(number), reading.ply, deal)
        assert past.on_turn == session.person != reading.seat
        assert len(session.choices()) > 1
        assert reading.hand == past.view(reading.seat).hand.texts
        assert len({*reading.cards}) == CARDS
        assert {*reading.cards} & {*reading.hand} == {reading.held}
        assert not {*reading.cards} & {*session.view().hand.texts}
        (believed,) = (each for each in coach.believe(session) if each.seat == reading.seat)
        chances = dict(believed.cards)
        assert reading.chances == tuple(chances[card] for card in reading.cards)
        assert all(0 < chance < 1 for chance in reading.chances), "none of them is known"
        likeliest = reading.chances[reading.cards.index(reading.likeliest)]
        assert likeliest == max(reading.chances)


def test_the_other_player_has_had_three_turns_before(store: Store) -> None:
    for reading in questions(store):
        assert turns_of(session_of(store, reading), reading.seat) >= TURNS


def test_every_other_player_is_asked_about(store: Store) -> None:
    seats = len(store.find(1).players)
    assert {reading.seat for reading in questions(store)} == {*range(1, seats)}


def test_the_table_is_what_the_person_saw_and_has_nothing_hidden(store: Store) -> None:
    quiz, differing = Quiz(store, moments(store)), 0
    for number, reading in enumerate(questions(store)):
        session, shown = session_of(store, reading), quiz._shown(reading)
        twin = redealt(session, Random.from_seed(number))
        others = tuple(store.find(reading.place.number).players[1:])
        for each in (session, twin):
            table = replace(snapshot(each, reading.place.number, others), question=None)
            assert shown.table == table
        assert coach.believe(twin) == coach.believe(session)
        hands = [each._host.view(reading.seat).hand.texts for each in (session, twin)]
        differing += hands[0] != hands[1]
    assert differing, "the hidden cards of a twin are others"


def test_a_question_follows_from_the_games_and_the_number_of_answers(tmp_path: Path) -> None:
    one, other = (stored(tmp_path / name, GIN, "rummy") for name in ("one", "other"))
    before = list[Reading]()
    for answers in range(8):
        reading = asked(one)
        assert reading == asked(one) == asked(other), "it stays the same until it is answered"
        assert score(one).asked == answers
        before.append(reading)
        for each in (one, other):
            note_answer(each, reading, reading.cards[0])
    of_deals = [each.place for each in before]
    assert len({*of_deals}) > 2, "not always the same deal"
    assert len({*of_deals[: len({*of_deals})]}) == len({*of_deals}), "each once before any twice"
    assert len({(each.place, each.ply, each.cards) for each in before}) == len(before)


def test_a_game_that_is_not_over_is_never_asked_about(tmp_path: Path) -> None:
    store = Store(tmp_path)
    kept = play(store, GIN, 2)
    assert len(kept.host.results) == 2
    assert places(store) == []
    assert next_reading(store, moments(store)) is None
    store.note(kept.number, "left", kept.host.scores, store.find(kept.number).deals or ())
    assert places(store) == [Place(1, 0), Place(1, 1)], "a wrong row of the list"
    assert next_reading(store, lambda number: Moment.of(kept.host)) is None, "the log decides"
    leave(kept)
    assert next_reading(store, moments(store)) is not None


def test_only_finished_deals_are_asked_about(tmp_path: Path) -> None:
    store = Store(tmp_path)
    kept, random = play(store, "rummy", 1), Random.from_seed(2)
    session = Session.at(kept.host, 0)
    session.next_deal()
    for _ in range(12):
        session.play(random.choice(session.choices()))
    assert not session.is_deal_over
    assert turns_of(session, 1) > TURNS, "it would have positions"
    leave(kept)
    assert places(store) == [Place(1, 0)]
    assert reading_in(moments(store)(1), Place(1, 1), 0, Random.from_seed(0)) is None


def test_the_score_counts_the_person_and_the_likeliest_card(tmp_path: Path) -> None:
    store = stored(tmp_path, GIN)
    right = likeliest = 0
    for answers in range(6):
        reading = asked(store)
        wrong = next(card for card in reading.cards if card != reading.held)
        note_answer(store, reading, wrong if answers % 3 else reading.held)
        right += answers % 3 == 0
        best = max(range(CARDS), key=lambda place: reading.chances[place])
        likeliest += reading.cards[best] == reading.held
        assert score(store) == Score(answers + 1, right, likeliest)
    assert 0 < likeliest < 6
    store.delete(1)
    assert score(store) == Score(0, 0, 0), "a deleted game takes its answers along"


def test_damaged_rows_count_as_wrong(tmp_path: Path) -> None:
    store = stored(tmp_path, GIN)
    note_answer(store, reading := asked(store), reading.held)
    likeliest = int(reading.likeliest == reading.held)
    assert score(store) == Score(1, 1, likeliest)
    for value in ("x", b"\xff", -1, 2**62, 1.5):
        store.execute("UPDATE readings SET deal = ?, is_right = ?", value, value)
        assert score(store) == Score(1, 0, likeliest)
        assert next_reading(store, moments(store)) is not None
