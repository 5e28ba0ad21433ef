"""What a page may ask is bounded."""

import json

import msgspec
import pytest

from undercut.app.web.protocol import Begin, parse_asked

pytestmark = pytest.mark.compiled  # no kernel is run


def begin(**changes: object) -> str:
    return json.dumps({"kind": "begin", "game": "gin", "opponents": ["simple"], **changes})


def test_a_game_is_asked_for_within_bounds() -> None:
    asked = parse_asked(begin(game="g" * 200, opponents=["o"] * 7, people=8))
    assert isinstance(asked, Begin)
    assert (len(asked.game), len(asked.opponents), asked.people) == (200, 7, 8)
    for changes in ({"game": "g" * 201}, {"opponents": ["o"] * 8}, {"people": 9}, {"people": 0}):
        with pytest.raises(msgspec.ValidationError):
            parse_asked(begin(**changes))
