"""One test for each numbered rule of docs/rules/rummy.md, and its corner cases."""

from random import Random

import numpy as np
import pytest

from cards.reference.cards import RANKS
from games.rummy.positions import dealt, placed, shuffled
from positions import generator
from undercut.cards.french import NONE, parse_card
from undercut.games.families import parse_game
from undercut.games.rummy.rules import deal as rummy
from undercut.kernels.records import pack
from undercut.play.batch import play_batch
from undercut.play.job import Backend
from undercut.play.match import Match
from undercut.players.catalog import parse_agent

DECK = shuffled(Random(3))


def test_r1_player_0_begins_and_the_starter_alternates_after_every_round() -> None:
    options = pack(parse_game("rummy").options)
    assert rummy.first_starter(options, 2, generator(1)) == 0
    for outcome in rummy.Outcome:
        table = dealt(DECK, starter=1)
        table.state.outcome = outcome
        assert rummy.next_starter(table.state, table.options) == 0


def test_r1_a_fixed_starter_and_a_starter_by_chance_are_options() -> None:
    fixed = dealt(DECK, "rummy:alternate_starter=0", starter=1)
    assert rummy.next_starter(fixed.state, fixed.options) == 1
    options = pack(parse_game("rummy:first_starter=-1").options)
    assert {rummy.first_starter(options, 2, generator(seed)) for seed in range(20)} == {0, 1}


@pytest.mark.parametrize("starter", [0, 1])
def test_r2_ten_cards_each_one_upcard_and_31_in_the_stock(starter: int) -> None:
    table = dealt(DECK, starter=starter)
    assert table.hand(starter) == set(DECK[:10])
    assert table.hand(1 - starter) == set(DECK[10:20])
    assert table.pile() == [DECK[20]]
    assert table.stock() == DECK[21:]
    assert table.state.seat == starter


def test_r3_a_turn_is_a_draw_then_put_downs_then_a_discard() -> None:
    table = placed("5h 6h 7h 7c 7d 7s Kc", "2c 2d", pile="9d", stock="9s Jd")
    assert table.legal() == ["draw", "take"]
    table.play("draw")
    assert "draw" not in table.legal()
    table.play("meld 7c 7d 7s", "meld 5h 6h 7h", "discard Kc")
    assert table.state.seat == 1
    assert table.legal() == ["draw", "take"]


def test_r3_nobody_has_to_put_down() -> None:
    table = placed("5h 6h 7h Kc", "2c 2d", pile="9d").play("draw")
    assert "discard 5h" in table.legal()


def test_r4_the_drawn_card_is_the_top_of_the_stock_or_of_the_pile() -> None:
    drawn = dealt(DECK).play("draw")
    assert drawn.hand(0) == {*DECK[:10], DECK[21]}
    assert drawn.pile() == [DECK[20]]
    taken = dealt(DECK).play("take")
    assert taken.hand(0) == {*DECK[:10], DECK[20]}
    assert taken.stock() == DECK[21:]


def test_r4_below_a_taken_discard_lies_the_one_before() -> None:
    table = placed("Kc 2s", "2c 2d", pile="9d Td Jd").play("take", "discard Kc", "take")
    assert table.hand(1) == {"2c", "2d", "Kc"}
    assert table.pile() == ["9d", "Td"]
    table.play("discard 2c", "take", "discard Jd")
    assert table.pile() == ["9d", "Td", "Jd"]


def test_r5_a_card_is_laid_off_on_a_meld_of_the_other_player_without_own_melds() -> None:
    table = placed("8h Kc", "2c 2d", ["5h 6h 7h"], pile="9d", opened=(NONE, 1)).play("draw")
    table.play("lay 8h on 7h")
    assert table.melds() == ["5h 6h 7h 8h"]


def test_r5_a_meld_made_this_turn_may_be_added_to_at_once() -> None:
    table = placed("5h 6h 7h 8h Kc 2s", "2c 2d", pile="9d").play("draw")
    table.play("meld 5h 6h 7h", "lay 8h on 7h")
    assert table.melds() == ["5h 6h 7h 8h"]


def test_r5_a_run_grows_card_by_card_at_both_ends() -> None:
    table = placed("3h 4h 8h 9h Kc 2s", "2c 2d", ["5h 6h 7h"], pile="9d").play("draw")
    assert table.put_downs() == ["lay 4h on 5h", "lay 8h on 7h"]
    table.play("lay 4h on 5h")
    assert table.put_downs() == ["lay 3h on 4h", "lay 8h on 7h"]
    table.play("lay 8h on 7h", "lay 9h on 8h", "lay 3h on 4h")
    assert table.melds() == ["3h 4h 5h 6h 7h 8h 9h"]


def test_r5_an_ace_ends_a_run_below_and_a_king_above() -> None:
    table = placed("Kh Ah Kc Ac", "2c 2d", ["2h 3h 4h", "Tc Jc Qc"], pile="9d", stock="9s")
    table.play("draw")
    assert table.put_downs() == ["lay Ah on 2h", "lay Kc on Qc"]
    table.play("lay Ah on 2h", "lay Kc on Qc")
    assert table.put_downs() == []


@pytest.mark.parametrize("meld", ["Qc Kc Ad", "Kc Ac 2c", "Qc Kc Ac", "Qc Kc Ad 2d"])
def test_r5_runs_do_not_wrap_round_or_cross_suits(meld: str) -> None:
    table = placed(meld + " 8s 9s", "2s", pile="9d", stock="5d").play("draw")
    assert table.put_downs() == []


def test_r5_the_fourth_of_a_kind_completes_a_set_and_nothing_fits_then() -> None:
    table = placed("7s 8s 2h", "2c 2d", ["7c 7d 7h"], pile="9d").play("draw")
    assert table.put_downs() == ["lay 7s on sevens"]
    assert table.play("lay 7s on sevens").put_downs() == []


def test_r5_touching_runs_stay_two_melds() -> None:
    table = placed("6h 7h 8h 9h 2h", "Kc", ["3h 4h 5h"], pile="9d", stock="Ks").play("draw")
    table.play("meld 6h 7h 8h")
    assert table.melds() == ["3h 4h 5h", "6h 7h 8h"]
    assert table.put_downs() == ["lay 2h on 3h", "lay 9h on 8h"]


def test_r5_no_meld_takes_a_card_between_touching_runs_of_one_suit_twice() -> None:
    table = placed("6h Ks", "Kc", ["3h 4h 5h", "7h 8h 9h"], pile="9d", stock="Qs").play("draw")
    assert table.put_downs() == ["lay 6h on 7h", "lay 6h on 5h"]
    table.play("lay 6h on 5h")
    assert table.melds() == ["3h 4h 5h 6h", "7h 8h 9h"]
    assert table.put_downs() == []


def test_r6_a_card_that_fits_a_set_and_a_run_goes_where_the_player_says() -> None:
    melds = ["7c 7d 7s", "4h 5h 6h"]
    for text, expected in (
        ("lay 7h on sevens", ["7c 7d 7h 7s", "4h 5h 6h"]),
        ("lay 7h on 6h", ["7c 7d 7s", "4h 5h 6h 7h"]),
    ):
        table = placed("7h Kc", "2c 2d", melds, pile="9d").play("draw")
        assert {"lay 7h on sevens", "lay 7h on 6h"} <= set(table.legal())
        assert table.play(text).melds() == expected


def test_r6_the_end_of_a_run_taken_by_a_set_is_no_longer_in_hand() -> None:
    table = placed("7h 8h Kc", "2c", ["7c 7d 7s", "4h 5h 6h"], pile="9d", stock="Qs").play("draw")
    table.play("lay 7h on sevens")
    assert table.put_downs() == []


def test_r7_later_edition_the_taken_card_may_be_thrown_back() -> None:
    table = placed("Kc 2s", "2c", pile="9d").play("take", "discard 9d")
    assert table.pile() == ["9d"]


def test_r7_classic_the_taken_card_may_not_be_thrown_back() -> None:
    table = placed("Kc 2s", "2c", pile="9d", game="rummy-classic").play("take")
    assert table.legal() == ["discard Kc", "discard 2s"]
    table.play("discard Kc", "draw", "discard 2c")


def test_r7_classic_a_drawn_card_may_be_thrown() -> None:
    table = placed("Kc 2s", "2c", pile="9d", stock="Qs", game="rummy-classic").play("draw")
    assert "discard Qs" in table.legal()


def test_r7_classic_the_ban_lasts_one_turn() -> None:
    table = placed("Kc 2s", "2c 3c", pile="9d", game="rummy-classic")
    table.play("take", "discard Kc", "draw", "discard 2c", "draw")
    assert "discard 9d" in table.legal()


def test_r7_classic_no_put_down_leaves_only_the_taken_card() -> None:
    table = placed("8h", "2c", ["5h 6h 7h"], pile="9d", game="rummy-classic").play("take")
    assert table.legal() == ["discard 8h"]
    melding = placed("5h 6h 7h", "2c", pile="9d", game="rummy-classic").play("take")
    assert melding.put_downs() == []
    later = placed("5h 6h 7h", "2c", pile="9d").play("take")
    assert later.put_downs() == ["meld 5h 6h 7h"]


def test_r7_classic_a_put_down_that_takes_the_taken_card_along_is_legal() -> None:
    table = placed("8h", "2c", ["5h 6h 7h"], pile="9h", game="rummy-classic").play("take")
    assert table.legal() == ["discard 8h"]  # 9h alone would be left, though it fits next
    whole = placed("6h 8h", "2c", pile="7h", game="rummy-classic").play("take", "meld 6h 7h 8h")
    assert whole.is_over


def test_r8_out_without_a_discard_ends_the_round_at_once() -> None:
    table = placed("5h 6h", "2c", pile="7h").play("take", "meld 5h 6h 7h")
    assert table.is_over
    assert table.state.winner == 0
    assert table.legal() == []


def test_r8_out_with_the_last_discard_ends_the_round_at_once() -> None:
    table = placed("8h", "2c Kd", ["5h 6h 7h"], pile="9d", stock="Qs")
    table.play("draw", "lay 8h on 7h")
    assert not table.is_over
    table.play("discard Qs")
    assert table.is_over
    assert table.points() == [12, 0]


def test_r9_the_winner_gets_the_pips_of_the_other_hand_melded_or_not() -> None:
    table = placed("5h 6h", "Ac 2c 3c Kd Jd Td 9s", pile="7h").play("take", "meld 5h 6h 7h")
    assert table.points() == [1 + 2 + 3 + 10 + 10 + 10 + 9, 0]
    assert table.outcome() == "out"


def test_r9_rummy_counts_double() -> None:
    table = placed("5h 6h", "Ac Kd", pile="7h", opened=(NONE, 1)).play("take", "meld 5h 6h 7h")
    assert table.points() == [22, 0]
    assert table.outcome() == "rummy"
    plain = placed("5h 6h", "Ac Kd", pile="7h", opened=(NONE, 1), game="rummy:rummy_doubles=0")
    assert plain.play("take", "meld 5h 6h 7h").points() == [11, 0]


def test_r9_rummy_with_several_put_downs_and_a_final_discard() -> None:
    table = placed("5h 6h 8h 2s", "Ac Kd", pile="7h", opened=(NONE, 1), melds=["2c 2d 2h"])
    table.play("take", "meld 5h 6h 7h", "lay 2s on twos", "discard 8h")
    assert table.points() == [22, 0]


@pytest.mark.parametrize(
    ("opened", "outcome", "points"),
    [(NONE, "rummy", 22), (10, "rummy", 22), (9, "out", 11), (8, "out", 11), (0, "out", 11)],
)
def test_r9_only_a_first_put_down_in_this_very_turn_is_a_rummy(
    opened: int, outcome: str, points: int
) -> None:
    table = placed("5h 6h", "Ac Kd", pile="7h", turn=10, opened=(opened, NONE))
    table.play("take", "meld 5h 6h 7h")
    assert table.outcome() == outcome
    assert table.points() == [points, 0]


@pytest.mark.parametrize("theirs", [NONE, 1, 9, 10])
def test_r9_when_the_other_player_opened_does_not_matter(theirs: int) -> None:
    table = placed("5h 6h", "Ac Kd", pile="7h", turn=10, opened=(NONE, theirs))
    assert table.play("take", "meld 5h 6h 7h").outcome() == "rummy"
    table = placed("5h 6h", "Ac Kd", pile="7h", turn=10, opened=(4, theirs))
    assert table.play("take", "meld 5h 6h 7h").outcome() == "out"


def test_r9_seat_1_makes_a_rummy_too() -> None:
    """Both lay off on the run of the table; seat 1 has put nothing down before, seat 0 has."""
    table = placed("Kc Qc", "8h", ["5h 6h 7h"], pile="9d", stock="Ks 9h", opened=(2, NONE))
    table.play("draw", "discard Ks", "draw", "lay 8h on 7h", "lay 9h on 8h")
    assert table.outcome() == "rummy"
    assert table.points() == [0, 40]


def test_r9_a_put_down_in_an_earlier_turn_is_no_rummy() -> None:
    table = placed("8h 9s 9c", "Kd Qd", ["5h 6h 7h"], pile="Jd", stock="3c 3d 9h 3s")
    table.state.opened[:] = NONE, NONE
    table.play("draw", "lay 8h on 7h", "discard 3c", "draw", "discard 3d", "draw")
    table.play("meld 9c 9h 9s")
    assert table.is_over
    assert table.outcome() == "out"
    assert table.points() == [20, 0]


def test_r10_an_empty_stock_is_replaced_by_the_pile_oldest_card_first() -> None:
    table = placed("Kc 2s", "2c 3c", pile="9d Td Jd", stock="")
    assert table.legal() == ["take", "turn over"]
    table.play("turn over")
    assert table.hand(0) == {"Kc", "2s", "9d"}
    assert table.stock() == ["Td", "Jd"]
    assert table.pile() == []
    assert table.state.turnovers == 1
    table.play("discard Kc")
    assert table.pile() == ["Kc"]
    assert table.legal() == ["draw", "take"]


def test_r10_the_discard_may_be_taken_instead_and_counts_no_turnover() -> None:
    table = placed("Kc 2s", "2c 3c", pile="9d Td", stock="").play("take", "discard Kc")
    assert table.state.turnovers == 0
    assert table.legal() == ["take", "turn over"]
    assert table.pile() == ["9d", "Kc"]


def test_r10_a_pile_of_one_card_can_be_turned_over_and_the_card_thrown_even_in_classic() -> None:
    table = placed("Kc 2s", "2c 3c", pile="9d", stock="", game="rummy-classic")
    table.play("turn over", "discard 9d")
    assert table.stock() == []
    assert table.pile() == ["9d"]


def test_r11_the_round_is_tied_when_two_turnovers_are_burned() -> None:
    table = placed("Kc 2s", "2c 3c", pile="9d", stock="Qs", turnovers=2)
    table.play("draw", "discard Kc")
    assert table.is_over
    assert table.outcome() == "tie"
    assert table.points() == [5, 5]


def test_r11_the_second_turnover_may_still_be_made_and_its_stock_played() -> None:
    table = placed("Kc 2s", "2c 3c", pile="9d Td", stock="", turnovers=1)
    table.play("turn over", "discard 2s")
    assert not table.is_over
    table.play("draw", "discard 2c")
    assert table.outcome() == "tie"


def test_r11_going_out_with_the_last_card_of_the_last_stock_wins() -> None:
    table = placed("5h 6h", "Ac Kd", pile="9d", stock="7h", turnovers=2)
    assert table.play("draw", "meld 5h 6h 7h").points() == [11, 0]


def test_r11_a_turn_that_began_with_cards_in_the_stock_may_take_and_leave_them() -> None:
    table = placed("Kc 2s", "2c 3c", pile="9d", stock="Qs", turnovers=2)
    table.play("take", "discard Kc")
    assert not table.is_over


def test_r11_points_and_turnovers_are_options() -> None:
    table = placed("Kc 2s", "2c 3c", pile="9d", stock="Qs", game="rummy:turnovers=0,tie_points=7")
    table.play("draw", "discard Kc")
    assert table.points() == [7, 7]


def test_r11_classic_has_no_tie_rule() -> None:
    table = placed("Kc 2s", "2c 3c", pile="9d", stock="Qs", turnovers=2, game="rummy-classic")
    table.play("draw", "discard Kc")
    assert table.legal() == ["take", "turn over"]


@pytest.mark.parametrize(("game", "points"), [("rummy", 5), ("rummy-classic", 0)])
def test_r12_a_round_of_300_turns_is_tied_and_in_classic_void(game: str, points: int) -> None:
    table = placed("Kc 2s", "2c 3c", pile="9d", turn=299, game=game).play("draw")
    assert not table.is_over
    table.play("discard Kc")
    assert table.outcome() == "tie"
    assert table.points() == [points, points]


def test_r12_exchanging_discards_for_ever_ends() -> None:
    table = placed("Kc 2s", "9c 3c", pile="9d", stock="", turn=0)
    turns = 0
    while not table.is_over:
        table.play("take")
        table.play(table.discards()[0])
        turns += 1
    assert turns == 300


def test_r12_a_game_of_void_rounds_ends() -> None:
    options = pack(parse_game("rummy-classic:max_rounds=20").options)
    assert not rummy.is_match_over(np.array([0, 99]), 19, options)
    assert rummy.is_match_over(np.array([0, 99]), 20, options)


def test_r13_the_game_ends_at_100_points() -> None:
    options = pack(parse_game("rummy").options)
    assert not rummy.is_match_over(np.array([99, 99]), 30, options)
    assert rummy.is_match_over(np.array([100, 40]), 3, options)
    assert rummy.is_match_over(np.array([40, 104]), 3, options)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("points", "over"), [(36, False), (37, True), (38, True)])
def test_r13_either_seat_ends_the_game_by_reaching_the_target(
    seat: int, points: int, over: bool
) -> None:
    options = pack(parse_game("rummy:target=37,max_rounds=6").options)
    for other in (0, 36):
        scores = np.array([points, other] if seat == 0 else [other, points])
        assert rummy.is_match_over(scores, 5, options) == over
        assert rummy.is_match_over(scores, 6, options), "the limit of rounds [R 12]"


def test_r13_the_highest_total_wins_and_equal_totals_share_the_win() -> None:
    # With a tie at once, every round gives both players as much: 20 rounds of 5 points.
    game = parse_game("rummy:max_turns=1")
    agents = [parse_agent("random", game)] * 2
    batch = play_batch(game, agents, 2, backend=Backend(workers=1))
    assert batch.results.deals.tolist() == [20, 20]
    assert batch.scores.tolist() == [[100, 100], [100, 100]]
    assert batch.shares.tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_r13_a_tie_that_takes_both_over_100_is_won_by_the_higher_total() -> None:
    match = Match.from_seed(parse_game("rummy:max_turns=1"), seed=1)
    match.scores = [98, 96]
    for _ in range(2):
        match.apply(match.deal.actions[0])
    assert match.is_over
    assert match.scores == [103, 101]
    assert match.shares == [1.0, 0.0]


def test_r13_classic_only_one_player_scores() -> None:
    table = placed("5h 6h", "2c", pile="7h", game="rummy-classic").play("take", "meld 5h 6h 7h")
    assert table.points() == [2, 0]


def test_presets_differ_in_the_rules_of_the_two_editions_only() -> None:
    later, classic = parse_game("rummy").options, parse_game("rummy-classic").options
    differing = {name for name in later._fields if getattr(later, name) != getattr(classic, name)}
    assert differing == {"may_discard_taken", "turnovers", "tie_points"}


def test_no_hand_has_more_legal_actions_than_the_buffer_holds() -> None:
    # Eleven cards in a row make the most melds; no lay-off fits a card that lies in a run.
    most = 0
    for start in range(3):
        run = [RANKS[start + i] + "h" for i in range(11)]
        table = placed(" ".join(run[:10]), "2c", pile="Ks", stock=run[10]).play("draw")
        most = max(most, len(table.legal()))
    assert most == 11 + 45
    # Every card of a hand fits at most a set, a run below and a run above.
    assert most + 3 * 11 < rummy.LEGAL


def test_every_card_can_be_thrown_once_drawn() -> None:
    for card in ("Ac", "Kc", "Ad", "Ks"):
        table = placed("5h 2s", "2c", pile="9d", stock=card).play("draw", f"discard {card}")
        assert table.state.upcard == parse_card(card)
