"""Checks of observations that the games share."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from positions import Table
from undercut.players.encoding import Encoding

Decision: TypeAlias = tuple[Table, Any, dict[str, set[int]]]  # the table, the view, its planes


def unset_bits(
    decisions: Iterable[Decision], names: Sequence[str], encoding: Encoding
) -> dict[str, set[int]]:
    """The bits of each plane that no decision sets."""
    found: dict[str, set[int]] = defaultdict(set)
    for _, _, planes in decisions:
        for name, bits in planes.items():
            found[name] |= bits
    unset = {
        name: {*range(width)} - found[name]
        for name, width in zip(names, encoding.planes, strict=True)
    }
    return {name: bits for name, bits in unset.items() if bits}


def check_outputs(decisions: Iterable[Decision], encoding: Encoding) -> None:
    """Legal actions have different outputs, and only the first network decides."""
    for table, view, _ in decisions:
        numbers = [encoding.output_of(action) for action in table.actions()]
        assert len({*numbers}) == len(numbers)
        assert all(0 <= number < encoding.outputs for number in numbers)
        assert [encoding.is_asked(view, who) for who in range(2)] == [True, False]
