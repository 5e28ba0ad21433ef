"""One test for each numbered rule of docs/rules/pharaoh.md, and its corner cases."""

from random import Random

import numpy as np
import pytest

from games.pharaoh.positions import Table, dealt, generator, placed, shuffled
from undercut.cards.german import parse_card
from undercut.games.families import parse_game
from undercut.games.pharaoh.rules import deal as pharaoh
from undercut.kernels.records import pack
from undercut.text.errors import OptionsError

DECK = shuffled(Random(3))
PRSI = "prsi"


def test_p1_two_to_eight_players_with_32_cards() -> None:
    for players in range(2, 9):
        table = dealt(DECK, f"pharaoh:players={players}")
        assert table.game.seats == players
        assert sorted(table.accounts()) == list(range(32))
    for players in (1, 9):
        with pytest.raises(OptionsError):
            parse_game(f"pharaoh:players={players}")


@pytest.mark.parametrize(
    ("players", "each"), [(2, 5), (3, 5), (4, 5), (5, 5), (6, 4), (7, 3), (8, 3)]
)
def test_p2_five_cards_each_or_as_many_as_leave_five(players: int, each: int) -> None:
    table = dealt(DECK, f"pharaoh:players={players}", starter=1)
    assert table.sizes() == [each] * players
    assert table.state.hands[1] == sum(1 << card for card in DECK[:each])
    assert table.state.pile[0] == DECK[players * each]
    assert table.state.stock == 31 - players * each


def test_p2_the_size_of_the_deal_is_an_option() -> None:
    assert dealt(DECK, "pharaoh:deal=3").sizes() == [3, 3]
    assert dealt(DECK, "pharaoh:deal=13").sizes() == [13, 13]
    assert dealt(DECK, "prsi").sizes() == [4, 4]
    assert dealt(DECK, "prsi:players=8").sizes() == [3] * 8


def test_p3_seat_0_begins_or_chance_decides() -> None:
    options = pack(parse_game("pharaoh:players=4").options)
    assert pharaoh.first_starter(options, 4, generator(1)) == 0
    options = pack(parse_game("pharaoh:players=4,first_starter=-1").options)
    assert {pharaoh.first_starter(options, 4, generator(i)) for i in range(50)} == {0, 1, 2, 3}
    with pytest.raises(OptionsError, match="first_starter=2 must be below players=2"):
        parse_game("pharaoh:first_starter=2")


def _with_upcard(card: str, game: str) -> Table:
    upcard = parse_card(card)
    others = [other for other in range(32) if other != upcard]
    return dealt([*others[:10], upcard, *others[10:]], game)


@pytest.mark.parametrize(
    ("card", "effect"), [("7L", ("7L", 0, 3)), ("AH", ("AH", 1, 0)), ("UL", ("UL", 0, 1))]
)
def test_p3_the_upcard_has_effect_only_as_an_option(
    card: str, effect: tuple[str, int, int]
) -> None:
    assert _with_upcard(card, "pharaoh").need() == (card, 0, 1)
    assert _with_upcard(card, "pharaoh:upcard_effects=1").need() == effect


def test_p4_a_move_is_an_ordered_tuple_of_cards_of_one_value() -> None:
    table = placed("8H 8B 8C KB", "XC", pile="9H")
    eights = {"8H", "8H 8B", "8H 8C", "8H 8B 8C", "8H 8C 8B"}
    assert table.plays() == eights
    table.play("play 8H 8B 8C")
    assert table.pile() == "9H 8H 8B 8C"
    assert table.need() == ("8C", 0, 1)


def test_p4_there_are_64_tuples_of_each_value() -> None:
    table = placed("8H 8B 8C 8L", "XC", pile="UL")
    assert len(table.plays()) == 64
    overs = placed("OH OB OC OL", "XC", pile="9H")
    assert len(overs.plays()) == 256


def test_p4_one_card_at_a_time_is_an_option() -> None:
    assert placed("8H 8B 8C 8L", "XC", pile="9H", game=PRSI).plays() == {"8H"}
    two = placed("8H 8B 8C", "XC", pile="9H", game="pharaoh:most_cards=2")
    assert two.plays() == {"8H", "8H 8B", "8H 8C"}
    three = placed("8H 8B 8C 8L", "XC", pile="9H", game="pharaoh:most_cards=3")
    assert len(three.plays()) == 1 + 3 + 6


def test_p5_the_first_card_matches_the_suit_or_all_match_the_value() -> None:
    table = placed("8H 8B 9C KB XL", "XC", pile="9H")
    assert table.plays() == {"8H", "8H 8B", "9C"}


def test_p6_drawing_is_always_possible_and_takes_one_card() -> None:
    table = placed("8H KB", "XC", pile="9H", stock="7C 7B")
    assert table.legal()[0] == "draw"
    table.play("draw")
    assert table.hand(0) == "7C 8H KB"
    assert table.need() == ("9H", 0, 1)
    assert table.seat == 1


def test_p7_a_seven_makes_the_next_player_take_three() -> None:
    table = placed("7H KB", "XH 9B", "8C", pile="9H", stock="AC AB KC KH")
    table.play("play 7H")
    assert table.need() == ("7H", 0, 3)
    assert table.legal() == ["draw"]
    table.play("draw")
    assert table.sizes()[1] == 5
    assert table.need() == ("7H", 0, 1)
    assert table.seat == 2


def test_p7_sevens_are_answered_and_stacked() -> None:
    table = placed("7H 7B KB", "7C XC", "8C 7L", pile="9H").play("play 7H 7B")
    assert table.need() == ("7B", 0, 6)
    assert table.plays() == {"7C"}
    table.play("play 7C")
    assert table.need() == ("7C", 0, 9)
    table.play("draw")
    assert table.sizes() == [1, 1, 11]


def test_p7_two_cards_for_a_seven_in_prsi() -> None:
    table = placed("7H KB", "7C XC", pile="9H", game=PRSI).play("play 7H", "play 7C")
    assert table.need() == ("7C", 0, 4)


def test_p8_an_ace_skips_the_next_player_who_draws_nothing() -> None:
    table = placed("AH KB", "XH 9B", "8C", pile="9H").play("play AH")
    assert table.need() == ("AH", 1, 0)
    assert table.legal() == ["pass"]
    table.play("pass")
    assert table.sizes() == [1, 2, 1]
    assert table.need() == ("AH", 0, 1)
    assert table.seat == 2


def test_p8_each_turn_serves_one_skip_and_aces_add_theirs() -> None:
    table = placed("AH AB KB", "AC 9B", "8C", "8B", pile="9H").play("play AH AB")
    assert table.need() == ("AB", 2, 0)
    assert table.plays() == {"AC"}
    table.play("play AC")
    assert table.need() == ("AC", 2, 0)
    table.play("pass", "pass")
    assert table.seat == 0
    assert table.need() == ("AC", 0, 1)


def test_p8_aces_that_do_not_stack_are_an_option() -> None:
    table = placed("AH KB", "AC 9B", pile="9H", game="pharaoh:aces_stack=0").play("play AH")
    assert table.legal() == ["pass"]


def test_p9_over_goes_on_anything_and_names_a_suit() -> None:
    table = placed("OH KB", "8C 9B", pile="9L")
    assert table.plays() == {f"OH suit {suit}" for suit in ("hearts", "bells", "acorns", "leaves")}
    table.play("play OH suit acorns")
    assert table.need() == ("OC", 0, 1)
    assert table.plays() == {"8C"}


def test_p9_several_overs_name_one_suit() -> None:
    table = placed("OH OB KB", "8C 9B", pile="9L").play("play OB OH suit leaves")
    assert table.pile().endswith("OB OH")
    assert table.need() == ("OL", 0, 1)


def test_p9_no_over_on_a_seven_or_ace_that_counts() -> None:
    assert placed("7H KB", "OC", pile="9H").play("play 7H").plays() == set()
    assert placed("AH KB", "OC", pile="9H").play("play AH").plays() == set()


def test_p9_over_on_active_cards_is_an_option_and_passes_the_penalty_on() -> None:
    game = "pharaoh:over_on_active=1"
    table = placed("7H KB", "OC 8C", "7L 8L", pile="9H", game=game).play("play 7H")
    table.play("play OC suit bells")
    assert table.need() == ("OB", 0, 3)
    assert table.plays() == {"7L"}
    skip = placed("AH KB", "OC 8C", pile="9H", game=game).play("play AH", "play OC suit bells")
    assert skip.need() == ("OB", 0, 1)


def test_p10_leaves_under_goes_on_anything_and_anything_on_it() -> None:
    table = placed("UL UH KB", "8C 9B", pile="9C")
    assert table.plays() == {"UL", "UL UH"}
    table.play("play UL")
    assert table.plays() == {"8C", "9B"}
    ended = placed("UL UH KB", "8C 9B", pile="9C").play("play UL UH")
    assert ended.need() == ("UH", 0, 1)
    assert ended.plays() == set()


def test_p10_penalty_answered_by_leaves_under_is_cancelled() -> None:
    table = placed("7H KB", "UL UB 9B", "8C", pile="9H").play("play 7H")
    assert table.plays() == {"UL", "UL UB"}
    table.play("play UL")
    assert table.need() == ("UL", 0, 1)
    table.play("draw")
    assert table.sizes() == [1, 2, 2]


def test_p10_the_penalty_needs_leaves_under_first() -> None:
    table = placed("7H KB", "UB 9B", "8C", pile="9H").play("play 7H")
    assert table.plays() == set()


def test_p10_no_leaves_under_on_an_ace() -> None:
    assert placed("AH KB", "UL", pile="9H").play("play AH").plays() == set()


def test_p10_without_leaves_under_it_is_a_card_like_others() -> None:
    table = placed("UL KB", "8C 9B", pile="9C", game=PRSI)
    assert table.plays() == set()
    assert placed("UL KB", "8C 9B", pile="9L", game=PRSI).play("play UL").plays() == set()
    penalty = placed("7H KB", "UL", pile="9H", game=PRSI).play("play 7H")
    assert penalty.plays() == set()


def test_p11_four_of_a_kind_play_again() -> None:
    table = placed("8H 8B 8C 8L KB", "9B", pile="9H").play("play 8H 8B 8C 8L")
    assert table.seat == 0
    assert table.need() == ("8L", 0, 1)
    assert table.state.quads == 1


def test_p11_four_aces_are_burned() -> None:
    table = placed("AH AB AC AL KB", "9B", pile="9H").play("play AH AB AC AL")
    assert table.seat == 0
    assert table.need() == ("AL", 0, 1)


def test_p11_four_sevens_are_burned() -> None:
    table = placed("7H 7B 7C 7L KB", "9B", pile="9H").play("play 7H 7B 7C 7L")
    assert table.seat == 0
    assert table.need() == ("7L", 0, 1)


def test_p11_after_four_burned_sevens_a_draw_takes_one_card() -> None:
    table = placed("7H 7B 7C 7L KB", "9B", pile="9H", stock="8H 8B 8C 8L XH")
    table.play("play 7H 7B 7C 7L", "draw")
    assert table.hand(0) == "8H KB"
    assert (table.seat, table.need()) == (1, ("7L", 0, 1))
    table.play("draw")
    assert table.hand(1) == "8B 9B"


def test_p11_the_last_four_sevens_leave_the_next_player_no_penalty() -> None:
    table = placed("7H 7B 7C 7L", "9B KC", "XC KL", pile="9H", stock="8H 8B 8C 8L")
    table.play("play 7H 7B 7C 7L", "draw")
    assert table.sizes() == [0, 3, 2]


@pytest.mark.parametrize("first", ["7H", "AH"])
def test_p11_four_cards_cancel_what_counted_before(first: str) -> None:
    """Four overs onto a VII or an ace that still counts, where that is allowed."""
    game = "pharaoh:over_on_active=1"
    table = placed(f"{first} KB", "OH OB OC OL 9B", pile="9H", game=game)
    table.play(f"play {first}", "play OH OB OC OL suit bells")
    assert (table.seat, table.need()) == (1, ("OB", 0, 1))
    counting = placed(f"{first} KB", "OH OB OC OL 9B", pile="9H", game=game + ",quads=0")
    counting.play(f"play {first}", "play OH OB OC OL suit bells")
    assert (counting.seat, counting.need()) == (0, ("OB", 0, 3 if first == "7H" else 1))


def test_p11_by_the_text_four_sevens_and_aces_count_for_their_player() -> None:
    game = "pharaoh:quad_effects=1"
    sevens = placed("7H 7B 7C 7L KB", "9B", pile="9H", game=game).play("play 7H 7B 7C 7L")
    assert (sevens.seat, sevens.need()) == (0, ("7L", 0, 12))
    aces = placed("AH AB AC AL KB", "9B", pile="9H", game=game).play("play AH AB AC AL")
    assert (aces.seat, aces.need()) == (0, ("AL", 4, 0))
    assert aces.legal() == ["pass"]


def test_p11_three_sevens_that_answer_one_are_not_four_of_a_kind() -> None:
    table = placed("7H KB", "7B 7C 7L 8B", pile="9H").play("play 7H", "play 7B 7C 7L")
    assert table.need() == ("7L", 0, 12)
    assert table.seat == 0


def test_p11_without_quads_four_cards_count_as_three_do() -> None:
    table = placed("7H 7B 7C 7L KB", "9B", pile="9H", game="pharaoh:quads=0")
    table.play("play 7H 7B 7C 7L")
    assert (table.seat, table.need()) == (1, ("7L", 0, 12))


def test_p11_going_out_with_four_of_a_kind_passes_the_turn() -> None:
    table = placed("8H 8B 8C 8L", "9B KC", "9C KL", pile="9H").play("play 8H 8B 8C 8L")
    assert table.seat == 1
    assert not table.is_over
    assert table.state.out_at[0] == 0


def test_p11_four_overs_and_four_unders_play_again() -> None:
    overs = placed("OH OB OC OL KB", "9B", pile="9H").play("play OH OB OC OL suit bells")
    assert (overs.seat, overs.need()) == (0, ("OB", 0, 1))
    unders = placed("UL UB UC UH KB", "9B", pile="9H").play("play UL UB UC UH")
    assert (unders.seat, unders.need()) == (0, ("UH", 0, 1))


def test_p12_turns_go_round_and_a_finished_player_is_skipped() -> None:
    table = placed("8H", "9B KB", "9C KC", pile="9H").play("play 8H")
    order = []
    for _ in range(4):
        order.append(table.seat)
        table.play("draw")
    assert order == [1, 2, 1, 2]


def test_p12_eight_players_take_turns() -> None:
    table = dealt(DECK, "pharaoh:players=8", starter=5)
    order = []
    for _ in range(7):  # the stock has seven cards
        order.append(table.seat)
        table.play("draw")
    assert order == [5, 6, 7, 0, 1, 2, 3]


def test_p13_an_empty_stock_is_the_pile_shuffled_but_for_its_top() -> None:
    table = placed("8H KB", "9B XB", pile="9H", stock="").play("draw")
    assert table.state.reshuffles == 1
    assert table.pile() == "9H"
    assert table.sizes() == [3, 2]
    assert table.state.stock == 26
    assert sorted(table.accounts()) == list(range(32))


def test_p13_stock_exhausted_during_a_penalty() -> None:
    table = placed("7H KB", "9B XB", pile="9H", stock="AC AB").play("play 7H", "draw")
    assert {"AC", "AB"} <= set(table.hand(1).split())
    assert table.sizes() == [1, 5]
    assert table.pile() == "7H"
    assert table.state.reshuffles == 1


def _scarce(mine: str, theirs: str, pile: str) -> Table:
    """All cards are in hands but for the pile."""
    named = set(f"{mine} {theirs} {pile}".split())
    rest = [value + suit for value in "789XUOKA" for suit in "HBCL" if value + suit not in named]
    return placed(mine, " ".join([theirs, *rest]), pile=pile, stock="")


def test_p13_still_short_takes_fewer() -> None:
    table = _scarce("7H KB", "9B", "9H").play("play 7H", "draw")
    assert table.hand(0) == "KB"
    assert "9H" in table.hand(1)  # the only card that is left
    assert table.pile() == "7H"
    assert table.need() == ("7H", 0, 1)


def test_p13_nothing_to_take_is_a_pass() -> None:
    table = _scarce("8B KB", "9B", "9H")
    assert table.legal()[0] == "pass"
    table.play("pass")
    assert table.hand(0) == "8B KB"


def test_p13_the_shuffle_follows_from_the_deck() -> None:
    twins = [dealt(DECK), dealt(DECK)]
    other = dealt([*DECK[:5], *DECK[5:10][::-1], *DECK[10:]])  # the same hands, another deck
    for table in (*twins, other):
        while table.state.reshuffles == 0 and not table.is_over:
            plays = [a for a in table.actions() if a >= pharaoh.PLAY]
            table.apply(plays[0] if plays and table.state.moves % 3 else table.actions()[0])
    assert twins[0].stock() == twins[1].stock()
    assert twins[0].state.reshuffles == 1
    assert twins[0].pile() == other.pile()
    assert twins[0].stock() != other.stock()


def test_p14_the_deal_ends_when_one_player_has_cards() -> None:
    table = placed("8H", "8B", "9C KC", pile="9H").play("play 8H")
    assert not table.is_over
    table.play("play 8B")
    assert table.is_over
    assert table.outcome() == "out"
    assert table.places() == [1, 2, 3]
    assert table.actions() == []


def test_p14_the_effects_of_a_last_card_apply() -> None:
    table = placed("7H", "8B", "9C KC", pile="9H").play("play 7H")
    assert table.need() == ("7H", 0, 3)


def test_p14_the_first_out_wins_in_prsi() -> None:
    table = placed("8H", "8B", "9C KC", pile="9H", game=PRSI).play("play 8H")
    assert table.is_over
    assert table.places() == [1, 2, 2]
    assert table.points() == [4, 1, 1]


RETURN = "prsi:heart_seven_returns=1"


def test_p15_the_heart_seven_brings_back_a_player_who_is_just_out() -> None:
    table = placed("8H", "7H 9B", "9C KC", pile="9H", game=RETURN).play("play 8H")
    assert not table.is_over
    table.play("play 7H")
    assert table.sizes() == [2, 1, 2]
    assert table.need() == ("7H", 0, 1)
    assert table.seat == 2
    assert table.state.out_at[0] == -1
    assert table.state.returns == 1


def test_p15_a_stacked_penalty_falls_on_who_is_brought_back() -> None:
    table = placed("7B", "7H 9B", "9C KC", pile="8B", game=RETURN)
    table.play("play 7B", "play 7H")
    assert table.sizes() == [4, 1, 2]
    assert table.need() == ("7H", 0, 1)


def test_p15_four_sevens_at_once_bring_nobody_back() -> None:
    game = "pharaoh:heart_seven_returns=1"
    table = placed("8H", "7H 7B 7C 7L 9B", "9C KC", pile="9H", game=game)
    table.play("play 8H", "play 7H 7B 7C 7L")
    assert table.sizes() == [0, 1, 2]
    assert (table.seat, table.need()) == (1, ("7L", 0, 1))
    assert (table.state.out_at[0], table.state.left, table.state.returns) == (0, 2, 0)


def test_p15_another_seven_brings_nobody_back() -> None:
    game = "pharaoh:heart_seven_returns=1"
    table = placed("7H", "7B 8B", "9C KC", pile="9H", game=game).play("play 7H", "play 7B")
    assert (table.sizes()[0], table.need()) == (0, ("7B", 0, 6))
    among = placed("8B", "7B 7H XB", "9C KC", pile="9B", game=game)
    among.play("play 8B", "play 7B 7H")
    assert (among.sizes()[0], among.need()) == (6, ("7H", 0, 1))


def test_p15_after_one_move_the_player_is_safe() -> None:
    table = placed("8H", "7H 9B", pile="9H", game=RETURN).play("play 8H", "draw")
    assert table.is_over
    assert table.places() == [1, 2]


def test_p15_whoever_is_just_out_ends_with_nobody_left_to_answer() -> None:
    table = placed("8H", "XH", pile="9H", game="pharaoh:heart_seven_returns=1")
    table.play("play 8H", "play XH")
    assert table.is_over
    assert table.places() == [1, 2]


def test_p15_the_last_heart_seven_changes_who_is_out() -> None:
    table = placed("8H", "7H", pile="9H", game="pharaoh:heart_seven_returns=1")
    table.play("play 8H", "play 7H")
    assert not table.is_over
    assert table.sizes() == [3, 0]
    table.play("draw")
    assert table.places() == [2, 1]


def test_p16_everyone_passing_stops_the_deal() -> None:
    table = _scarce("8B KB", "9B", "9H")
    for _ in range(5):
        table.play("pass")
        assert not table.is_over
    table.play("pass")
    assert table.outcome() == "stop"
    assert table.places() == [1, 2]
    assert table.points() == [2, 0]


def test_p16_after_a_stop_equal_hands_share_the_place() -> None:
    game = "pharaoh:stop_rounds=1"
    cards = [value + suit for value in "789XUOKA" for suit in "HBCL"]
    cards.remove("9H")
    hands = [" ".join(cards[:10]), " ".join(cards[10:20]), " ".join(cards[20:])]
    table = placed(*hands, pile="9H", stock="", game=game).play("pass", "pass", "pass")
    assert table.outcome() == "stop"
    assert table.places() == [1, 1, 3]
    assert table.points() == [3, 3, 0]


def test_p16_the_limit_of_moves_ends_a_deal_as_it_stands() -> None:
    table = placed("8B KB", "9B", pile="9H", game="pharaoh:max_moves=2").play("draw", "draw")
    assert table.outcome() == "limit"
    assert table.places() == [2, 1]


def test_p17_two_points_for_each_player_behind() -> None:
    random = Random(4)
    for players in range(2, 9):
        table = dealt(DECK, f"pharaoh:players={players}")
        while not table.is_over:
            table.play_any(random)
        assert sorted(table.places()) == list(range(1, players + 1))
        assert table.points() == [2 * (players - place) for place in table.places()]
        order = np.argsort(table.state.out_at[:players]).tolist()
        assert [table.places()[seat] for seat in order[1:]] == list(range(1, players))


def test_p18_a_match_is_one_deal_or_several_and_the_starter_moves_on() -> None:
    options = pack(parse_game("pharaoh").options)
    scores = np.zeros(8, dtype=np.int64)
    assert pharaoh.is_match_over(scores, 1, options)
    options = pack(parse_game("pharaoh:deals=3").options)
    assert [bool(pharaoh.is_match_over(scores, n, options)) for n in (1, 2, 3)] == [0, 0, 1]
    assert dealt(DECK, "pharaoh:players=3", starter=2).next_starter() == 0


@pytest.mark.parametrize("players", [2, 3, 8])
def test_p18_only_the_number_of_deals_ends_a_match(players: int) -> None:
    options = pack(parse_game(f"pharaoh:players={players},deals=7").options)
    for seat in range(players):
        scores = np.zeros(players, dtype=np.int64)
        scores[seat] = 10_000
        ended = [bool(pharaoh.is_match_over(scores, deals, options)) for deals in (0, 6, 7, 8)]
        assert ended == [False, False, True, True]
