"""The rules of examples/eights, one by one; all contract tests run over it too."""

from pathlib import Path
from random import Random

from eights import rules
from positions import Table, changed_positions, random_table, scaled
from undercut.games.families import parse_game
from undercut.games.table.description import YOU, Company
from undercut.games.table.plain_description import description_of
from undercut.play.agent import Random as Chance
from undercut.play.batch import play_batch
from undercut.players.catalog import parse_agent

GAME = parse_game("eights:hand=2")


def table(first: str, second: str, top: str, *stock: str) -> Table:
    """Seat 0 begins; the cards that are not named lie below the stock."""
    named = [*first.split(), *second.split(), top, *stock]
    numbers = [GAME.notation.parse_action(card) for card in named]
    return Table(GAME, [*numbers, *(card for card in range(52) if card not in numbers)])


def test_e1_each_player_gets_cards_and_one_is_turned_up() -> None:
    begun = table("2c 3c", "4d 5d", "9h", "Ks")
    assert begun.legal() == ["draw"]
    hands = [GAME.notation.format_hand(begun.view(seat)) for seat in (0, 1)]
    assert hands == ["2c 3c", "4d 5d"]
    assert GAME.notation.format_upcard(begun.view(0)) == "9h"
    assert rules.held_by_other(begun.view(0)) == 2


def test_e2_suit_rank_and_eights_fit() -> None:
    assert table("2h 9c", "4d 5d", "9h").legal() == ["play 9c", "play 2h", "draw"]
    assert table("8s 7c", "4d 5d", "9h").legal() == ["play 8s", "draw"]
    assert table("2h 3s", "8d 5d", "9h").play("play 2h", "play 8d").legal() == ["draw"]


def test_e3_drawing_ends_the_turn_and_an_empty_stock_means_pass() -> None:
    begun = table("2c 3c", "4d 5d", "9h", "Ks").play("draw")
    assert begun.seat == 1
    assert GAME.notation.format_hand(begun.view(0)) == "2c 3c Ks"
    while begun.seat == 0 or "draw" in begun.legal():
        begun.play("draw" if "draw" in begun.legal() else "pass")
    assert begun.legal()[-1] == "pass"


def test_e4_an_empty_hand_is_a_point_and_a_blocked_deal_is_none() -> None:
    won = table("2h 3h", "4d 5d", "9h").play("play 2h", "draw", "play 3h")
    assert (won.is_over, won.legal(), won.points()) == (True, [], [1, 0])
    blocked = table("2c 3c", "4d 5d", "9h")
    while not blocked.is_over:
        blocked.play(blocked.legal()[-1])
    assert (blocked.points(), blocked.next_starter()) == ([0, 0], 1)
    batch = play_batch(GAME, [parse_agent("saver", GAME), parse_agent("random", GAME)], 4, seed=1)
    assert (batch.scores.max(axis=1) == GAME.options.target).all()


def test_the_saver_keeps_its_eights_and_beats_chance() -> None:
    agent = parse_agent("saver", GAME)
    begun = table("8h 2h", "4d 5d", "9h")
    for seed in range(8):
        action = agent.act(begun.view(), begun.actions(), Chance.from_seed(seed))  # type: ignore[union-attr]
        assert GAME.notation.format_action(action) == "play 2h"
    count = scaled(400, 10)
    batch = play_batch(GAME, [agent, parse_agent("random", GAME)], count, seed=1)
    assert batch.shares[:, 0].mean() > 0.7


def test_positions_that_cannot_be_are_refused() -> None:
    assert changed_positions(GAME, random_table(GAME, Random(3)))


def test_what_the_terminal_shows_can_be_typed() -> None:
    told, begun = description_of(GAME.family), table("2h 9c", "4d 5d", "9h")
    view = GAME.family.view(GAME, begun.view(), begun.actions())
    question = told.question(view, Company(GAME.options, (YOU, "saver")))
    keys = [choice.key for choice in question.groups[0].choices]
    assert keys == ["", "", "d"]
    read = [told.read(text, view, begun.legal()) for text in ("d", " D ", "9C")]
    assert read == ["draw", "draw", "play 9c"]


def test_it_is_small() -> None:
    files = (Path(__file__).parents[3] / "examples" / "eights").rglob("*.py")
    assert sum(len(file.read_text().splitlines()) for file in files) < 365
