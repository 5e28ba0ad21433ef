"""play/seeds.py: what seeds are derived for, and which there are."""

from typing import Any

import pytest

from play.line_up import line_up
from undercut.kernels import rng
from undercut.kernels.rng import SEED_LIMIT
from undercut.play.match import play_match
from undercut.play.seeds import Purpose, check_seed
from undercut.text.errors import OptionsError


def test_a_purpose_keeps_its_number() -> None:
    """Another number would give every match of a seed other cards, and old records other salts."""
    numbers = {purpose.name: purpose.value for purpose in Purpose}
    assert numbers == {"DECK": 0, "AGENT": 1, "STARTER": 2, "SALT": 3, "SEATING": 4, "DATA": 5}


@pytest.mark.parametrize("seed", [0, 1, SEED_LIMIT - 1])
def test_seeds_that_can_name_chance(seed: int) -> None:
    assert check_seed(seed) == seed


@pytest.mark.parametrize("seed", [-1, SEED_LIMIT, 2**64])
def test_seeds_that_cannot(seed: int) -> None:
    with pytest.raises(OptionsError, match=f"seed {seed}: must be from 0 to {SEED_LIMIT - 1}"):
        check_seed(seed)


def test_kernels_are_given_plain_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside kernels a call with an enum takes about fifty times as long as one with a number."""
    given: list[Any] = []
    real = rng.derive

    def noted(*numbers: Any) -> Any:
        given.append([type(number) for number in numbers])
        return real(*numbers)

    monkeypatch.setattr(rng, "derive", noted)
    game, agents = line_up("gin", "random", "random")
    play_match(game, agents, 3, max_deals=1, note=lambda event: None)
    assert len(given) >= 5
    assert all(kinds == [int] * 4 for kinds in given)
