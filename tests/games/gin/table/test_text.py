"""games/gin/table/text.py: every action has a text, and the text leads back to it."""

import pytest

from cards.reference.cards import PACK, RANK_NAMES
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.table.text import format_action, parse_action
from undercut.text.errors import NotationError

# A king is never laid below a card of its run, an ace never above one.
IMPOSSIBLE = {gin.LAY_ON_HIGHER + 13 * suit + 12 for suit in range(4)} | {
    gin.LAY_ON_LOWER + 13 * suit for suit in range(4)
}
POSSIBLE = [action for action in range(gin.ACTIONS) if action not in IMPOSSIBLE]


def test_every_action_reads_back() -> None:
    texts = [format_action(action) for action in POSSIBLE]
    assert len(set(texts)) == len(texts)
    assert [parse_action(text) for text in texts] == POSSIBLE


@pytest.mark.parametrize("action", [*sorted(IMPOSSIBLE), -1, gin.ACTIONS, 10**6])
def test_what_is_no_action_has_no_text(action: int) -> None:
    with pytest.raises(NotationError, match=f"not an action of gin: {action} "):
        format_action(action)


def test_actions_in_a_card_player_s_words() -> None:
    card = PACK.index
    assert format_action(gin.DRAW) == "draw"
    assert format_action(gin.TAKE) == "take"
    assert format_action(gin.PASS) == "pass"
    assert format_action(gin.DONE) == "done"
    assert format_action(card("8c")) == "discard 8c"
    assert format_action(gin.KNOCK + card("Ks")) == "knock Ks"
    assert format_action(parse_action("meld 7h 5h 6h")) == "meld 5h 6h 7h"
    assert format_action(gin.LAY_ON_LOWER + card("8h")) == "lay 8h on 7h"
    assert format_action(gin.LAY_ON_HIGHER + card("4h")) == "lay 4h on 5h"
    assert format_action(gin.LAY_ON_SET + card("Ks")) == "lay Ks on kings"


def test_every_rank_has_its_plural() -> None:
    for rank, name in enumerate(RANK_NAMES):
        assert parse_action(f"lay {PACK[rank]} on {name}") == gin.LAY_ON_SET + rank


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("  DRAW ", "draw"),
        ("Discard 10H", "discard Th"),
        ("KNOCK k♠", "knock Ks"),
        ("meld 5h6h7h", "meld 5h 6h 7h"),
        ("lay 8h on 5h-7h", "lay 8h on 7h"),
        ("lay 4h on 5h-7h", "lay 4h on 5h"),
        ("lay 8h on Eights", "lay 8h on eights"),
    ],
)
def test_other_ways_to_say_it(text: str, same: str) -> None:
    assert parse_action(text) == parse_action(same)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not an action: ''"),
        ("fold", "not an action: 'fold'"),
        ("draw 8h", "not an action: 'draw 8h'"),
        ("discard", "not a card: ''"),
        ("discard 8x", "not a card: '8x'"),
        ("knock 1h", "not a card: '1h'"),
        ("meld 5h 6h", "not a meld: '5h 6h'"),
        ("lay 8h", "not a lay-off: 'lay 8h'"),
        ("lay 8h on 6h", "8h cannot be laid on '6h'"),
        ("lay Kh on Ah", "Kh cannot be laid on 'Ah'"),
        ("lay Kc on Ad", "Kc cannot be laid on 'Ad'"),
        ("lay 8h on nines", "not a card: 'nines'"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_action(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
