"""What a view of Gin says about the other hand while the knock card lies face down."""

from random import Random

import numpy as np

from positions import fresh_tables, generator, scaled
from undercut.cards.french import HIDDEN, format_card
from undercut.games.families import parse_game
from undercut.games.gin.players.network.encoding import limit
from undercut.kernels.records import new, pack

GAME = parse_game("gin:knock_face_down=1,knock_limit=99")


def test_the_card_that_lies_face_down_may_be_one_that_was_taken() -> None:
    """The other seat took it, so it was known; now it may lie on the pile or be in the hand."""
    random, state, options = generator(5), new(GAME.rules.STATE, 1)[0], pack(GAME.options)
    for table in fresh_tables(GAME, scaled(20, 4), Random(6)):
        card = format_card(int(table.view()["upcard"]))
        knocker = table.seat
        thrown = next(text for text in table.play("take").legal() if text.startswith("discard"))
        table.play(thrown, "draw")
        table.play(next(text for text in table.legal() if text.startswith("discard")), "draw")
        table.play(f"knock {card}")
        view = table.view(1 - knocker)
        assert view["upcard"] == HIDDEN
        words = np.zeros(3, dtype=np.int64)
        limit(view, options, words)
        unseen, known, missing = words.tolist()
        hand, found = int(table.state["hands"][knocker]), 0
        assert hand & known == known
        assert hand & ~known & ~unseen == 0
        assert (hand & ~known).bit_count() == missing
        for _ in range(200):
            GAME.rules.complete(view, options, random, state)
            other = int(state["hands"][knocker])
            assert other & known == known
            assert (other & ~known).bit_count() == missing
            found |= other
        assert unseen & ~found == 0
