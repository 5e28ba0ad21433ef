"""Pharaoh's numbers and text: moves, cards in three languages, positions, records, seats."""

from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from games.pharaoh.positions import Table, dealt, generator, placed, scaled, shuffled, walk
from undercut.cards import german
from undercut.cards.packs import GERMAN
from undercut.games.families import parse_game
from undercut.games.pharaoh.rules import deal as pharaoh
from undercut.games.pharaoh.rules.layout import TUPLES, tuple_size, tuple_suits
from undercut.games.pharaoh.table import text as pharaoh_text
from undercut.games.table.position import format_position, parse_position
from undercut.play.batch import play_batch
from undercut.play.job import Backend
from undercut.play.match import play_match
from undercut.play.records.events import Event, Played
from undercut.play.records.record import format_record, header, parse_record, verify
from undercut.play.records.trace import record_of
from undercut.players.catalog import parse_agent
from undercut.text.errors import NotationError, OptionsError
from undercut.text.spec import options_of
from undercut.text.translation import LANGUAGES, speaking


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
        "OC": ["over of acorns", "žaludský svršek", "žaluďový horník"],
        "KB": ["king of bells", "kulový král", "guľový kráľ"],
        "AH": ["ace of hearts", "červené eso", "červené eso"],
    }
    for text, expected in names.items():
        assert [_name(text, language) for language in LANGUAGES] == expected
    for language in LANGUAGES:
        assert len({_name(text, language) for text, _ in GERMAN.names}) == 32


def _name(card: str, language: str) -> str:
    with speaking(language):
        return GERMAN.name_card(card)


def test_cards_read_back_with_letters_and_with_symbols() -> None:
    for card in range(32):
        for suits in (german.SUITS, german.OLD_SUITS, german.SYMBOLS):
            assert german.parse_card(german.format_card(card, suits)) == card
    for text in ("", "7", "7D", "TH", "1H", "7HH"):
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
        ("pharaoh", 1, "1 player: pharaoh is for 2 to 8"),
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
    for field, option in options_of(pharaoh.Options).items():
        limits = (int(option.low), int(option.high))
        for value in limits:
            spec = f"pharaoh:{field}={value}" + (",players=8" if field == "first_starter" else "")
            assert getattr(parse_game(spec).options, field) == value
        for value in (limits[0] - 1, limits[1] + 1):
            with pytest.raises(OptionsError, match=f"{field}={value}: must be from"):
                parse_game(f"pharaoh:{field}={value}")


# The counts of a deal


def test_tally_counts_penalty_cards_and_not_those_of_a_plain_draw() -> None:
    table = placed("7H 8H", "9B KB", pile="9H", stock="XC XB KC KH UH")
    table.play("play 7H", "draw", "draw", "draw", "play 8H", "draw", "play KH")
    assert table.outcome() == "out"
    counted = {"moves": 7, "draws": 4, "penalty_cards": 3, "reshuffles": 1}
    assert table.tally() == counted | {"starter_wins": 1}
    table.state.starter = 1
    assert table.tally() == counted


def test_tally_counts_only_the_penalty_cards_there_were() -> None:
    """All other cards are in hands: one card is left to take of three."""
    others = [value + suit for value in german.VALUES for suit in german.SUITS]
    others = [card for card in others if card not in ("7H", "KB", "9H")]
    table = placed("7H KB", " ".join(others), pile="9H", stock="", game="pharaoh:max_moves=2")
    table.play("play 7H", "draw")
    counted = {"moves": 2, "draws": 1, "penalty_cards": 1, "reshuffles": 1, "limits": 1}
    assert table.tally() == counted | {"starter_wins": 1}


def test_tally_counts_the_penalty_of_a_player_who_is_brought_back() -> None:
    table = placed("8H", "7H", pile="9H", stock="XC XB KC", game="pharaoh:heart_seven_returns=1")
    table.play("play 8H", "play 7H", "draw")
    counted = {"moves": 3, "draws": 1, "penalty_cards": 3, "returns": 1, "reshuffles": 1}
    assert table.tally() == counted


def test_tally_counts_skips_quads_and_stops() -> None:
    skipped = placed("AH 8H", "9B KB", pile="9H").play("play AH", "pass", "play 8H")
    assert skipped.tally() == {"moves": 3, "skips": 1, "starter_wins": 1}
    again = placed("8H 8B 8C 8L KL", "9B", pile="9H").play("play 8H 8B 8C 8L", "play KL")
    assert again.tally() == {"moves": 2, "quads": 1, "starter_wins": 1}
    others = [value + suit for value in german.VALUES for suit in german.SUITS if suit != "H"]
    hearts = "7H 8H XH UH OH KH AH"
    stuck = placed(" ".join(others), hearts, pile="9H", stock="", game="pharaoh:stop_rounds=1")
    stuck.play("pass", "pass")
    assert stuck.tally() == {"moves": 2, "stops": 1}, "no skip, no draw"


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_tally_counts_a_starter_who_is_first_whichever_seat_it_is(starter: int) -> None:
    table = placed("9B KC", "8H", "9C KL", pile="9H", seat=1, game="prsi").play("play 8H")
    table.state.starter = starter
    assert table.tally() == {"moves": 1} | ({"starter_wins": 1} if starter == 1 else {})
    shared = placed("9B", "8B", "9C KL", pile="9H", game="pharaoh:max_moves=3")
    shared.play("draw", "draw", "draw")
    shared.state.starter = starter
    counted = {"moves": 3, "draws": 3, "limits": 1}
    assert shared.tally() == counted | ({"starter_wins": 1} if starter < 2 else {})


# Completing a view


def _about_to_shuffle() -> Table:
    """The stock is empty: seat 0 knows every card, and the next draw shuffles 27 of them."""
    return placed("8H KB", "9B XB", pile="9H", stock="")


def _completed(table: Table, chance: Any) -> Table:
    twin = table.copy()
    pharaoh.complete(table.view(0), table.options, chance, twin.state)
    return twin


def test_completing_takes_the_chance_of_later_shuffles_from_the_generator() -> None:
    table, chance = _about_to_shuffle(), generator(71)
    seeds = [int(_completed(table, chance).state.chance.seed) for _ in range(64)]
    assert len(set(seeds)) == 64
    assert int(table.state.chance.seed) not in seeds
    for bit in range(63):
        assert 8 < sum(seed >> bit & 1 for seed in seeds) < 56, "every bit of a seed is chance"
    assert min(seeds) >= 0
    again = [int(_completed(table, generator(72)).state.chance.seed) for _ in range(2)]
    assert again[0] == again[1]


def test_completing_forgets_the_counts_of_the_true_deal() -> None:
    """A view does not tell them, and a search that plays on must not see them."""
    table = placed("7H 8H", "9B KB", pile="9H", stock="XC XB KC").play("play 7H", "draw")
    state = _completed(table, generator(73)).state
    counted = [state[name] for name in ("draws", "penalties", "skips", "quads", "returns")]
    assert counted == [0] * 5


def test_after_completing_the_pile_is_shuffled_evenly() -> None:
    table, chance, count = _about_to_shuffle(), generator(74), scaled(4_000, 500)
    drawn, last = np.zeros(32), np.zeros(32)
    for _ in range(count):
        twin = _completed(table, chance).play("draw")
        (card,) = german.list_cards(twin.hand(0).replace("8H", "").replace("KB", ""))
        drawn[card] += 1
        last[german.list_cards(twin.stock())[-1]] += 1
    known = german.parse_cards("8H KB 9B XB 9H")
    share = count / 27
    for found in (drawn, last):
        expected = [0 if known >> card & 1 else share for card in range(32)]
        assert np.abs(found - expected).max() < 4.5 * share**0.5


# Positions


def test_a_position_in_words() -> None:
    table = placed("7H UL", "8B KC", pile="9L 9H", stock="AH AB")
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
    table = placed("7H UL", "8B KC", pile="9L 9H", stock="AH AB")
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
    batch = play_batch(game, agents, scaled(6, 1), seed=5, trace=2_000, backend=Backend(workers=1))
    for index in range(len(batch)):
        match = verify(parse_record(record_of(batch, index)))
        assert match.scores == batch.results.scores[index, :3].tolist()


def test_hidden_gain_is_what_was_drawn() -> None:
    table = placed("7H UL", "8B KC", pile="9H", stock="AH AB")
    before = table.view(0)
    after = table.play("draw").view(0)
    assert pharaoh_text.hidden_gain(before, after) == "AH"
    assert pharaoh_text.hidden_gain(before, before) == ""
    assert pharaoh_text.format_hand(after) == "7H UL AH"
    assert pharaoh_text.format_outcome(after) == "none"
    assert pharaoh_text.format_upcard(dealt(range(32)).view(0)) == "9C"


# Both ways of running


def test_compiled_and_interpreted_kernels_play_the_same_games() -> None:
    """The suite runs both ways; both must come to this one result."""
    game = parse_game("pharaoh", 3)
    agents = [parse_agent(spec, game) for spec in ("random", "heuristic", "annoying")]
    batch = play_batch(game, agents, 4, seed=11, backend=Backend(workers=1))
    assert batch.results.scores[:, :3].tolist() == [[0, 2, 4], [0, 4, 2], [2, 0, 4], [4, 2, 0]]
    assert batch.results.actions.tolist() == [20, 35, 13, 106]


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


# Acorns were written A once, as aces are.


def test_a_record_of_that_time_reads_and_verifies() -> None:
    path = Path(__file__).parents[1] / "records" / "acorns-as-a.jsonl"
    assert "play OA suit bells" in path.read_text(encoding="utf-8")
    read = parse_record(path.read_text(encoding="utf-8"))
    verify(read)
    played = [event.action for event in read.events if isinstance(event, Played)]
    assert played[:2] == ["play OC suit bells", "play 7B 7C"]


def test_a_position_of_that_time_reads() -> None:
    now = "pharaoh.101n.3-0-0.0-0.7C-0-1.9CUHOL.9LOC7B7C..10-10-6-8000f-n~3-3-0-0-n"
    game, view = parse_position(now.replace("C", "A"))
    assert format_position(game, view) == now
