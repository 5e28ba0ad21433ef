"""Every reader, fed with damaged samples: it accepts some, refuses some, and fails at none.

`make fuzz` runs the same for longer, with other cases.
"""

from dataclasses import replace

import pytest

from fuzz.every import READERS
from fuzz.readers import Failure, Read, Reader, always, at_work
from undercut.text.errors import NotationError

WHOLE = ("records", "positions", "cards", "games", "policies", "judges", "stored games")
"""Readers that accept every sample as it is."""


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_damage_is_refused_in_one_line_or_does_no_harm(reader: Reader) -> None:
    with at_work(reader) as accepts:
        accepted = sum(accepts(case) for case in range(reader.cases))
    assert 0 < accepted < reader.cases


@pytest.mark.parametrize("name", WHOLE)
def test_good_samples_are_accepted(name: str) -> None:
    (reader,) = [each for each in READERS if each.name == name]
    for sample in reader.samples()[::25]:
        with at_work(replace(reader, damage=lambda _, random, whole=sample: whole)) as accepts:
            assert accepts(1)


def _reader(read: Read) -> Reader:
    return Reader("a reader", 1, lambda: ["x"], lambda sample, random: sample, always(read))


def test_what_a_reader_may_not_do_is_found() -> None:
    def raises(text: str) -> bool:
        raise KeyError(text)

    def writes(text: str) -> bool:
        with open("left", "w") as file:
            file.write(text)
        return True

    def refuses(text: str) -> bool:
        raise NotationError("a\nb")

    with pytest.raises(Failure, match="KeyError: 'x' from 'x'"), at_work(_reader(raises)) as tried:
        tried(1)
    with pytest.raises(Failure, match="it has written"), at_work(_reader(writes)) as tried:
        tried(1)
    with at_work(_reader(refuses)) as tried:
        assert not tried(1)
