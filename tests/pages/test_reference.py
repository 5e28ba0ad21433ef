"""Every example on the reference pages runs as it stands, with the imports that it shows."""

import doctest
import re
from collections.abc import Iterator
from operator import attrgetter
from pkgutil import resolve_name

import pytest

import site_builder
from pages.blocks import ROOT

NAME = attrgetter("name")


def examples() -> Iterator[doctest.DocTest]:
    """The examples of all names on the reference pages, none with the names of its module."""
    contract = (ROOT / "docs" / "reference" / "contract.md").read_text(encoding="utf-8")
    seen = set()
    for name in re.findall(r"^::: (\S+)", site_builder._names() + contract, re.MULTILINE):
        for test in doctest.DocTestFinder().find(resolve_name(name), name, globs={}):
            if test.examples and test.name not in seen:
                seen.add(test.name)
                yield test


@pytest.mark.compiled
@pytest.mark.parametrize(
    "example", sorted(examples(), key=attrgetter("name")), ids=attrgetter("name")
)
def test_an_example_runs_as_it_stands(example: doctest.DocTest) -> None:
    said: list[str] = []
    example.globs = {}
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.append)
    assert not said, "".join(said)
