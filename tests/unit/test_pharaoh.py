"""Pharaoh's numbers and text: moves, cards in three languages, positions, records, seats."""

from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from pharaoh_positions import dealt, placed, scaled, shuffled, walk
from undercut.agents.catalog import parse_agent
from undercut.core import german
from undercut.core.errors import NotationError, OptionsError
from undercut.games import pharaoh, pharaoh_text
from undercut.games.catalog import parse_game
from undercut.games.pharaoh_layout import TUPLES, tuple_size, tuple_suits
from undercut.games.position import format_position, parse_position
from undercut.play.batch import play_batch
from undercut.play.events import Event, Played
from undercut.play.match import play_match
from undercut.play.record import format_record, header, parse_record, record_of, verify


def test_tuples_are_numbered_by_size_and_then_by_their_suits() -> None:
    expected = [suits for length in (1, 2, 3, 4) for suits in permutations(range(4), length)]
    assert len(expected) == TUPLES
    for number, suits in enumerate(expected):
        found = tuple(int(suit) for suit in tuple_suits(number))
        assert found == suits + (-1,) * (4 - len(suits))
        assert tuple_size(number) == len(suits)


def test_action_text_reads_back() -> None:
    texts = [pharaoh_text.format_action(action) for action in range(pharaoh.ACTIONS)]
    assert len(set(texts)) == pharaoh.ACTIONS == 2 + 7 * 64 + 4 * 64
    assert [pharaoh_text.parse_action(text) for text in texts] == list(range(pharaoh.ACTIONS))
    assert pharaoh_text.parse_action(" PLAY  o♥ ol Suit L ") == pharaoh_text.parse_action(
        "play OH OL suit leaves"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "play",
        "play 7",
        "play 7H 8H",
        "play 7H 7H",
        "play OH",
        "play OH suit",
        "play 7H suit bells",
        "play OH suit clubs",
        "draw 7H",
        "discard 7H",
    ],
)
def test_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        pharaoh_text.parse_action(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("action", [-1, pharaoh.ACTIONS])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    with pytest.raises(NotationError):
        pharaoh_text.format_action(action)


def test_played_cards_are_those_of_the_text() -> None:
    for action in range(pharaoh.PLAY, pharaoh.ACTIONS, 7):
        cards = pharaoh_text.format_action(action).removeprefix("play ").partition(" suit ")[0]
        assert pharaoh.played_cards(action) == german.parse_cards(cards)


def test_cards_have_names_in_three_languages() -> None:
    names = {
        "7H": ["seven of hearts", "červená sedma", "červená sedmička"],
        "XB": ["ten of bells", "kulová desítka", "guľová desiatka"],
        "UL": ["under of leaves", "zelený spodek", "zelený dolník"],
        "OA": ["over of acorns", "žaludský svršek", "žaluďový horník"],
        "KB": ["king of bells", "kulový král", "guľový kráľ"],
        "AH": ["ace of hearts", "červené eso", "červené eso"],
    }
    for text, expected in names.items():
        card = german.parse_card(text)
        assert [german.name_card(card, language) for language in german.LANGUAGES] == expected
    for language in german.LANGUAGES:
        assert len({german.name_card(card, language) for card in range(32)}) == 32
    with pytest.raises(NotationError, match="unknown language 'german': one of english"):
        german.name_card(0, "german")


def test_cards_read_back_with_letters_and_with_symbols() -> None:
    for card in range(32):
        for suits in (german.SUITS, german.SYMBOLS):
            assert german.parse_card(german.format_card(card, suits)) == card
    for text in ("", "7", "7C", "TH", "1H", "7HH"):
        with pytest.raises(NotationError):
            german.parse_card(text)
    with pytest.raises(NotationError, match="stands twice"):
        german.parse_cards("7H 8H 7H")


def test_no_hand_has_more_legal_actions_than_fit() -> None:
    """All cards but leaves-under, on the pile, and another under: 30 cards, all of them fit."""
    hand = " ".join(
        value + suit
        for value in german.VALUES
        for suit in german.SUITS
        if value + suit not in ("UL", "UH")
    )
    assert len(placed(hand, "UH", pile="UL").actions()) == pharaoh.LEGAL


# Seats


def test_the_number_of_seats_is_an_option_or_follows_from_the_players() -> None:
    assert parse_game("pharaoh").seats == 2
    assert parse_game("pharaoh").name == "pharaoh"
    assert parse_game("pharaoh", 2) == parse_game("pharaoh")
    four = parse_game("prsi:players=4")
    assert (four.seats, four.options.players) == (4, 4)
    assert parse_game("prsi", 4) == four == parse_game("prsi:players=4", 4)
    assert parse_game(four.name) == four
    assert parse_game("pharaoh:deal=3", 5).name == "pharaoh:deal=3,players=5"


@pytest.mark.parametrize(
    ("spec", "seats", "message"),
    [
        ("pharaoh", 1, "1 players: pharaoh is for 2 to 8"),
        ("pharaoh", 9, "9 players: pharaoh is for 2 to 8"),
        ("pharaoh:players=4", 3, "3 players: 'pharaoh:players=4' is for 4"),
        ("pharaoh:players=4", 2, "2 players: 'pharaoh:players=4' is for 4"),
        ("pharaoh:players=1", None, "players=1: must be from 2 to 8"),
        ("gin", 3, "3 players: gin is for 2"),
    ],
)
def test_impossible_numbers_of_seats_are_refused(
    spec: str, seats: int | None, message: str
) -> None:
    with pytest.raises(OptionsError) as caught:
        parse_game(spec, seats)
    assert message in str(caught.value)


def test_every_house_rule_can_be_set_within_its_limits() -> None:
    assert set(pharaoh.LIMITS) == set(pharaoh.Options._fields)
    for field, limits in pharaoh.LIMITS.items():
        for value in limits:
            spec = f"pharaoh:{field}={value}" + (",players=8" if field == "first_starter" else "")
            assert getattr(parse_game(spec).options, field) == value
        for value in (limits[0] - 1, limits[1] + 1):
            with pytest.raises(OptionsError, match=f"{field}={value}: must be from"):
                parse_game(f"pharaoh:{field}={value}")


# Positions


def test_a_position_in_words() -> None:
    table = placed("7H UL", "8B KA", pile="9L 9H", stock="AH AB")
    text = format_position(table.game, table.view(0))
    assert text.startswith("pharaoh.000n.0-0-0.0-0.9H-0-1.7HUL.")
    assert text.endswith("9L9H..2-2-0-0-n~2-2-0-0-n")


@pytest.mark.parametrize(
    ("old", "changed"),
    [
        ("000n", "200n"),
        ("000n", "000x"),
        ("1-0-0", "1-0"),
        (".0-0.", ".0-0-0."),
        ("9H-0-1", "9H-1-1"),
        ("9H-0-1", "9H-0-0"),
        ("7HUL", "7HUH"),
        ("7HUL", "7H"),
        ("7HUL", "7H9H"),
        ("~2-2-0-0-n", ""),
        ("~2-2-0-0-n", "~2-3-0-0-n"),
        ("~2-2-0-0-n", "~0-0-0-0-n"),
        ("~2-2-0-0-n", "~30-30-0-0-n"),
        ("~2-2-0-0-n", "~2-1-0-0-n"),
        ("~2-2-0-0-n", "~2-2-0-1ffffffff-n"),
        ("..", ".ff."),
        (".", ""),
    ],
)
def test_positions_that_are_malformed_are_refused(old: str, changed: str) -> None:
    table = placed("7H UL", "8B KA", pile="9L 9H", stock="AH AB")
    table.state.moves = 1
    text = format_position(table.game, table.view(0))
    assert old in text
    assert parse_position(text)
    with pytest.raises((NotationError, OptionsError)) as caught:
        parse_position(text.replace(old, changed))
    assert "\n" not in str(caught.value)


# Records


@pytest.mark.parametrize(
    ("spec", "seat"),
    [("pharaoh:players=3", None), ("pharaoh:players=3", 2), ("prsi:deals=2,max_moves=100", 1)],
)
def test_records_read_back_and_verify(spec: str, seat: int | None) -> None:
    game = parse_game(spec)
    agents = [parse_agent("random", game)] * game.seats
    events: list[Event] = [header(game, ["random"] * game.seats, seat)]
    match = play_match(game, agents, 6, note=events.append, seat=seat)
    read = parse_record(format_record(events))
    assert [read.header, *read.events] == events
    assert verify(read).scores == match.scores
    drawn = [event for event in read.events if isinstance(event, Played) and event.cards]
    assert drawn
    assert seat is None or {event.seat for event in drawn} == {seat}


def test_fused_play_and_records_agree() -> None:
    game = parse_game("pharaoh", 3)
    agents = [parse_agent("random", game)] * 3
    batch = play_batch(game, agents, scaled(6, 1), seed=5, workers=1, trace=2_000)
    for index in range(len(batch.matches)):
        match = verify(parse_record(record_of(batch, index)))
        assert match.scores == batch.matches.scores[index, :3].tolist()


def test_hidden_gain_is_what_was_drawn() -> None:
    table = placed("7H UL", "8B KA", pile="9H", stock="AH AB")
    before = table.view(0)
    after = table.play("draw").view(0)
    assert pharaoh_text.hidden_gain(before, after) == "AH"
    assert pharaoh_text.hidden_gain(before, before) == ""
    assert pharaoh_text.format_hand(after) == "7H UL AH"
    assert pharaoh_text.format_outcome(after) == "none"
    assert pharaoh_text.format_upcard(dealt(range(32)).view(0)) == "9A"


# Both ways of running


def test_compiled_and_interpreted_kernels_play_the_same_games() -> None:
    """The suite runs both ways; both must come to this one result."""
    game = parse_game("pharaoh", 3)
    agents = [parse_agent(spec, game) for spec in ("random", "heuristic", "annoying")]
    batch = play_batch(game, agents, 4, seed=11, workers=1)
    assert batch.matches.scores[:, :3].tolist() == [[0, 2, 4], [0, 4, 2], [2, 0, 4], [4, 2, 0]]
    assert batch.matches.actions.tolist() == [20, 35, 13, 106]


def test_the_state_is_small() -> None:
    assert pharaoh.STATE.itemsize <= 320
    assert pharaoh.VIEW.itemsize <= 192


def test_every_deal_ends_long_before_the_limit() -> None:
    random = Random(71)
    for _ in range(scaled(50, 4)):
        table = dealt(shuffled(random), f"pharaoh:players={random.randrange(2, 9)}")
        for _ in walk(table, random):
            pass
        assert table.outcome() == "out"


def test_the_rules_can_be_asked_for(package: Path) -> None:
    from click.testing import CliRunner

    from undercut.cli import main

    shown = CliRunner().invoke(main, ["rules", "pharaoh:players=4"])
    assert shown.exit_code == 0
    assert "heart_seven_returns" in shown.output
