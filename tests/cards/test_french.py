"""cards/french.py against its slow twin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.reference import cards as reference
from undercut.cards import french
from undercut.text.errors import NotationError

hands = st.frozensets(st.sampled_from(reference.PACK))


def test_cards_are_numbered_suit_by_suit_from_the_ace() -> None:
    assert [french.format_card(card) for card in range(52)] == reference.PACK
    assert [french.parse_card(card) for card in reference.PACK] == list(range(52))


@pytest.mark.parametrize("face_points", french.FACE_POINTS)
def test_points_of_every_card(face_points: int) -> None:
    for number, card in enumerate(reference.PACK):
        expected = reference.card_points(card, face_points)
        assert french.card_points(number, face_points) == expected
        assert french.points(1 << number, face_points) == expected


def test_suit_and_rank_of_every_card() -> None:
    for number, text in enumerate(reference.PACK):
        assert french.RANKS[french.rank_of(number)] + french.SUITS[french.suit_of(number)] == text


@given(hands, st.sampled_from(french.FACE_POINTS))
def test_points_of_a_hand(hand: reference.Hand, face_points: int) -> None:
    assert french.points(french.mask(map(reference.number, hand)), face_points) == reference.points(
        hand, face_points
    )


@given(hands, st.sampled_from(french.FACE_POINTS))
def test_the_heaviest_cards_of_a_hand(hand: reference.Hand, face_points: int) -> None:
    most = max((reference.card_points(card, face_points) for card in hand), default=0)
    heaviest = {card for card in hand if reference.card_points(card, face_points) == most}
    assert french.heaviest(reference.mask(hand), face_points) == reference.mask(heaviest)


def test_the_whole_pack_has_340_points_or_364() -> None:
    assert french.points(french.PACK, 10) == 340
    assert french.points(french.PACK, 13) == 364


@given(hands)
def test_size_lowest_and_each(hand: reference.Hand) -> None:
    numbers = sorted(reference.number(card) for card in hand)
    held = reference.mask(hand)
    assert french.mask(numbers) == held
    assert french.size(held) == len(hand)
    assert list(french.each(held)) == numbers
    if hand:
        assert french.lowest(held) == numbers[0]


@given(hands)
def test_text_of_a_hand_reads_back(hand: reference.Hand) -> None:
    held = reference.mask(hand)
    text = french.format_cards(held)
    assert text.split() == reference.in_order(hand)
    assert french.parse_cards(text) == held
    assert french.parse_cards(french.format_cards(held, "")) == held
    assert french.parse_cards(french.format_cards(held, ",").upper()) == held


@pytest.mark.parametrize(
    ("text", "card"),
    [("Ac", "Ac"), ("aC", "Ac"), ("10h", "Th"), (" ks ", "Ks"), ("Q♦", "Qd"), ("10♠", "Ts")],
)
def test_ways_to_write_a_card(text: str, card: str) -> None:
    assert french.parse_card(text) == reference.number(card)


@pytest.mark.parametrize("text", ["", "1c", "8", "8x", "x8", "8hh", "11h", "100h", "joker", "10"])
def test_what_is_not_a_card_is_named(text: str) -> None:
    with pytest.raises(NotationError, match="not a card") as caught:
        french.parse_card(text)
    assert repr(text) in str(caught.value)
    assert french.RANKS in str(caught.value)


def test_a_card_may_not_stand_twice() -> None:
    with pytest.raises(NotationError, match="'8h' stands twice in '8h 9h 8h'"):
        french.parse_cards("8h 9h 8h")


def test_no_cards_are_an_empty_hand() -> None:
    assert french.parse_cards("") == 0
    assert french.format_cards(0) == ""
    assert french.mask([]) == 0
