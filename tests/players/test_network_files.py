"""Networks that are shipped: only the files that the source names by their checksums are played."""

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import networks
from undercut.games.families import all_families, parse_game
from undercut.games.gin.players.belief import network as estimator
from undercut.games.gin.players.network.encoding import ENCODING
from undercut.games.gin.players.network.luck import NETWORK, PLANES
from undercut.players.catalog import agent_names, find_agent
from undercut.players.joint.belief import joint_belief
from undercut.players.luck.weights import load_judge
from undercut.players.network_files import LARGEST, NetworkError, Shipped, path_of, read_tensors
from undercut.players.policy.entry import PolicyEntry
from undercut.players.policy.weights import Policy, load_policy, save_policy, shapes
from undercut.players.provided import provided

pytestmark = pytest.mark.compiled  # files; no kernel runs
FILES = sorted(networks.PACKAGE.rglob("*.safetensors"))
POLICIES = [
    entry
    for family in all_families()
    for entry in [find_agent(family, name) for name in agent_names(family)]
    if isinstance(entry, PolicyEntry)
]
BELIEFS = [
    (parse_game(family.name), provided(parse_game(family.name), "joint", ""))
    for family in all_families()
    if family.joint
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(networks.PACKAGE)))
def test_the_source_has_the_checksum_of_every_file(path: Path) -> None:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert digest in networks.declared(path)[1], "run: python tools/networks.py"


def test_every_file_is_loaded_with_its_checksum() -> None:
    sources = [NETWORK, *estimator.SHIPPED.values(), *(entry.model for entry in POLICIES)]
    sources += [belief for _, belief in BELIEFS]
    assert sorted(path_of(source) for source in sources if source) == FILES


def test_a_shipped_file_with_other_weights_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(shipped: Shipped | None) -> Shipped:
        """The same tensors and a checksum of their own that fits, but not the same bytes."""
        assert shipped is not None
        data = shipped.path.read_bytes()
        changed = data.replace(b'"about":"{', b'"about":"{ ').replace(
            b'"command":"u', b'"command":"U'
        )
        path = tmp_path / shipped.path.name
        size = int.from_bytes(data[:8], "little") + len(changed) - len(data)
        path.write_bytes(size.to_bytes(8, "little") + changed[8:])
        assert len(read_tensors(path, "F32" if shipped == NETWORK else "F16")[0]) >= 3
        return Shipped(path, shipped.sha256)

    wrong = "is not the one that undercut was shipped with"
    for entry in POLICIES:
        with pytest.raises(NetworkError, match=wrong):
            replace(entry, model=other(entry.model)).policy({})
    with pytest.raises(NetworkError, match=wrong):
        load_judge(other(NETWORK), PLANES)
    for game, belief in BELIEFS:
        with pytest.raises(NetworkError, match=wrong):
            joint_belief(game, other(belief))
    monkeypatch.setitem(estimator.SHIPPED, "paper", other(estimator.SHIPPED["paper"]))
    with pytest.raises(NetworkError, match=wrong):
        estimator.load_network("paper")


def test_a_foreign_network_whose_layers_do_not_fit_is_refused(tmp_path: Path) -> None:
    """A kernel would read beyond the weights."""
    path = tmp_path / "policy.safetensors"

    def refused(change: dict[str, tuple[int, ...]], message: str, value: float = 0.0) -> None:
        sizes = {**shapes(ENCODING, 8, 1), **change}
        tensors = {name: np.full(shape, value, "f4") for name, shape in sizes.items()}
        save_policy(path, Policy(tensors, 8, 1, {}), ENCODING)
        with pytest.raises(NetworkError, match=message):
            load_policy(path, ENCODING)

    refused({"blocks.0.first.weight": (4, 4)}, "layers that do not fit")
    refused({"norm.bias": (9,)}, "layers that do not fit")
    refused(dict.fromkeys(shapes(ENCODING, 8, 1), (0,)), "layers that do not fit")
    refused({}, "is not finite", float("nan"))


def test_what_is_no_file_or_too_large_is_refused(tmp_path: Path) -> None:
    pipe, large = tmp_path / "pipe", tmp_path / "large"
    os.mkfifo(pipe)
    with large.open("wb") as file:
        file.truncate(LARGEST + 1)  # takes no room
    for path, why in ((pipe, "no file"), (large, "more than"), (Path("a\0b"), "null")):
        with pytest.raises(NetworkError, match=why):
            read_tensors(path, "F16")


def test_the_tool_brings_a_checksum_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "net.safetensors").write_bytes(b"new")
    source = tmp_path / "player.py"
    source.write_text('Shipped(\n    HERE / "net.safetensors",\n    "0123",\n)\n')
    monkeypatch.setattr(networks, "PACKAGE", tmp_path)
    networks.main()
    assert hashlib.sha256(b"new").hexdigest() in source.read_text()
