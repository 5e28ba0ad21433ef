"""games/gin/rules/deal.py: bounds of its buffers and fields, and what it counts of a match."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from cards.reference.cards import PACK, Hand, from_mask, hand, in_order
from games.gin.positions import gin_table
from positions import Table, generator, scaled
from undercut.cards.melds import LAYOUT
from undercut.games.families import parse_game
from undercut.games.gin.players.strategy.laying import LAYOUTS
from undercut.games.gin.rules import deal as gin
from undercut.kernels.records import new, pack

LOOSE = "As Kd Qh Jd Tc 8s 6s 5c 3h 2d"  # 65 points, no meld


PAGE = Path(__file__).parents[4] / "docs" / "rules" / "gin.md"


def test_the_most_actions_that_can_be_legal_at_once() -> None:
    """Ten cards in a row hold 36 melds, no ten cards hold more than 10 sets.

    A defender may besides lay off at both ends of three runs, or be done.
    """
    most_melds = 9 * 8 // 2 + 5 + 5
    assert most_melds + 2 * LAYOUT + 1 <= gin.LEGAL
    assert gin.LEGAL >= 11 + 11
    row = " ".join(PACK[:10])
    table = gin_table(seat0=row, stock="Ks", game="gin:knock_limit=99").play("pass", "pass", "draw")
    assert len(table.legal()) == 22
    assert len(table.play("knock Ks").legal()) == 36 + 1


def test_agents_have_room_for_the_layouts_of_any_hand() -> None:
    most = 13  # of eleven cards: tests/cards/test_melds.py
    assert most <= LAYOUTS


def test_the_page_has_the_numbers_of_actions() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert f"{gin.ACTIONS} in all, never more than {gin.LEGAL} at once" in page
    assert f"{gin.VERSION}. " in page.split("## Versions")[1]


def test_the_history_has_room_for_the_longest_deal() -> None:
    """The first discard, 30 draws, 49 takes, and a turn that uses up the stock or the takes."""
    longest = 1 + 30 + 49 + 1
    assert longest <= gin.TURNS < 128  # a turn is stored in eight bits
    table = Table(parse_game("gin:upcard=0,void_stock=0"), PACK)
    table.play(table.legal()[0])
    while not table.is_over:
        view = table.view()
        takes = view["takes"] < 49 and (len(table.played) % 4 == 1 or view["stock"] == 1)
        table.play("take" if takes else "draw")
        table.play(table.legal()[0])
    view = table.view()
    assert (view["turn"], view["takes"], view["stock"]) == (longest, 49, 0)
    thrown = [gin.thrown(view, turn) for turn in range(longest)]
    assert thrown == [action for action in table.played if action < gin.KNOCK]


def test_tally_counts_what_its_names_say() -> None:
    table = gin_table(seat0="Ac 2c 3c 5d 6d 7d 9h 9s 9c 4h", seat1=LOOSE, upcard="Jh", stock="Ks")
    table.play("pass", "pass", "draw", "knock Ks", "meld 9c 9h 9s", "meld Ac 2c 3c")
    table.play("meld 5d 6d 7d", "done", "done")
    counted = {"draws": 1, "knocks": 1, "knock_points": 61, "starter_wins": 1, "decided": 1}
    assert table.tally() == counted


def test_tally_counts_takes_as_draws_and_a_void_deal_without_points() -> None:
    table = gin_table(upcard="Jh", game="gin:max_discard_takes=1").play("take")
    table.play(table.legal()[0])
    assert table.tally() == {"draws": 1, "takes": 1, "voids": 1}


def test_tally_counts_gin_and_undercuts_of_either_seat() -> None:
    table = gin_table(
        seat0=LOOSE, seat1="Ac 2c 3c 5d 6d 7d 9h 9s 9c 4c", upcard="Jh", stock="Ks Qs"
    )
    table.play("pass", "pass", "draw", "discard Ks", "draw", "knock Qs")
    table.play("meld 9c 9h 9s", "meld Ac 2c 3c 4c", "meld 5d 6d 7d", "done", "done")
    assert table.points() == [0, 90]
    assert table.tally() == {"draws": 2, "gins": 1, "gin_points": 90, "decided": 1}
    table = gin_table(
        seat0="Ac 2c 3c 5d 6d 7d 9h 9s 9c 4h",
        seat1="Jc Qc Kc Th Ts Td 8c 8s 8h Ad",
        upcard="Jh",
        starter=1,
        stock="Ks Qs",
    )
    table.play("pass", "pass", "draw", "discard Ks", "draw", "knock Qs")
    table.play("meld 9c 9h 9s", "meld Ac 2c 3c", "meld 5d 6d 7d", "done")
    table.play("meld 8c 8h 8s", "meld Td Th Ts", "meld Jc Qc Kc", "done")
    assert table.points() == [0, 28]
    counted = {"draws": 2, "undercuts": 1, "undercut_points": 28, "starter_wins": 1, "decided": 1}
    assert table.tally() == counted


# A knock card that lies face down


def _face_down(knock: str, *laid: str) -> Table:
    """Seat 0 has taken 4h, thrown 9c, and knocks with 11 cards of which seat 1 knows the 4h."""
    table = gin_table(
        seat0="Ac 2c 3c 5d 6d 7d 9h 9s 9c Kh",
        seat1=LOOSE,
        upcard="4h",
        stock="Jh 9d",
        game="gin:knock_face_down=1,knock_limit=14",
    )
    table.play("take", "discard 9c", "draw", "discard Jh", "draw", f"knock {knock}")
    return table.play(*laid)


def _completions(table: Table, count: int) -> list[tuple[str, Hand]]:
    """The knock card and the knocker's hand when seat 1 completes its view, again and again."""
    chance, state, found = generator(61), new(gin.STATE, 1)[0], []
    for _ in range(count):
        gin.complete(table.view(1), table.options, chance, state)
        card = int(state["upcard"])
        assert int(state["pile"]) >> card & 1
        twin = table.copy()
        twin.state = state
        assert gin.thrown(twin.view(0), int(state["turn"]) - 1) == card, "the knocker knows it"
        found.append((PACK[card], from_mask(state["hands"][0])))
    return found


def _assert_even(found: Iterable[object], expected: Iterable[object]) -> None:
    """Each of these came up about as often as the others, and nothing else did."""
    counts, kinds = Counter(found), list(expected)
    share = counts.total() / len(kinds)
    error = (share * (1 - 1 / len(kinds))) ** 0.5
    assert set(counts) <= set(kinds)
    assert max(abs(counts[kind] - share) for kind in kinds) < 4.5 * error, counts


def test_each_of_the_knockers_eleven_cards_may_lie_face_down_equally_often() -> None:
    found = _completions(_face_down("Kh"), scaled(6_000, 600))
    ranks = []
    for card, held in found:
        eleven = in_order({card, *held})
        assert len(eleven) == 11
        assert "4h" in eleven
        ranks.append(eleven.index(card))
    _assert_even(ranks, range(11))
    taken = sum(card == "4h" for card, _ in found)
    assert abs(taken - len(found) / 11) < 4.5 * (len(found) * 10 / 121) ** 0.5


def test_a_card_that_lies_in_a_meld_is_not_face_down() -> None:
    found = _completions(_face_down("Kh", "meld 5d 6d 7d"), scaled(6_000, 600))
    ranks = []
    for card, held in found:
        assert {"5d", "6d", "7d"} <= held
        ranks.append(in_order({card, *held} - {"5d", "6d", "7d"}).index(card))
    _assert_even(ranks, range(8))


LAID = ("meld 5d 6d 7d", "meld Ac 2c 3c", "meld 9d 9h 9s", "done")


def test_with_the_knockers_hand_open_any_card_never_seen_may_lie_face_down() -> None:
    table = _face_down("Kh", *LAID)
    open_cards = hand("Ac 2c 3c 5d 6d 7d 9h 9s 9d 4h")
    unseen = set(PACK) - open_cards - hand(LOOSE) - {"9c", "Jh"}
    found = _completions(table, scaled(6_000, 600))
    assert {held for _, held in found} == {open_cards}
    _assert_even((card for card, _ in found), unseen)


def test_a_card_seen_being_taken_and_not_in_the_open_hand_lies_face_down() -> None:
    found = _completions(_face_down("4h", *LAID), 20)
    assert {card for card, _ in found} == {"4h"}


def test_first_starters_are_even() -> None:
    options, chance = pack(parse_game("gin").options), generator(1)
    count = scaled(2_000, 400)
    found = sum(gin.first_starter(options, 2, chance) for _ in range(count))
    assert abs(found - count / 2) < 3 * count**0.5 / 2
