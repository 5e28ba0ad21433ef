"""What a user imports from undercut: a short list, filled when it is used."""

import pytest

import undercut


@pytest.mark.parametrize("name", undercut.__all__)
def test_every_name_can_be_imported(name: str) -> None:
    found = getattr(undercut, name)
    assert callable(found)
    assert found is getattr(undercut, name)
    assert name in dir(undercut)


def test_the_list_and_its_rooms_agree() -> None:
    assert sorted(undercut.__all__) == sorted([*undercut._ROOMS, "load"])
    with pytest.raises(AttributeError, match="no attribute 'whist'"):
        undercut.__getattr__("whist")
