"""Decisions on disk: the same whatever happens on the way, small, and refused when damaged."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from learn.data import AGENTS, GAME, make
from positions import scaled
from undercut.adapters import decision_table
from undercut.games.families import parse_game
from undercut.learn import generate as module
from undercut.learn import shards
from undercut.learn.decisions import Decisions
from undercut.learn.generate import even_pairings, generate
from undercut.learn.shards import DataError, Pairing, read_matches, read_shards
from undercut.text.errors import OptionsError, UndercutError


def content(folder: Path) -> list[tuple[int, bytes]]:
    """Every match of a folder, however it is divided into files."""
    found = []
    for shard in read_shards(folder):
        codes, ends = read_matches(shard)
        for match in np.split(codes, ends[:-1, 0]):
            found.append((shard.seed, match.tobytes()))
    return found


def test_decisions_do_not_depend_on_how_they_are_made(
    tmp_path: Path, trained_on: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROOM", 32)  # matches overflow, and are traced again
    monkeypatch.setitem(module.TRACED, "cpu", 4000)
    decisions = sum(pairing.decisions for pairing in module.read_heading(trained_on).pairings)
    make(tmp_path / "other", 1, decisions, shard=4)
    assert content(tmp_path / "other") == content(trained_on)
    assert len(read_shards(tmp_path / "other")) > len(read_shards(trained_on))


def test_a_folder_of_an_earlier_version_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the format name that the exported table has; the two are different tables."""
    assert shards.FORMAT != decision_table.FORMAT == shards.EARLIER
    make(tmp_path / "now", 1, 300)
    monkeypatch.setattr(shards, "FORMAT", shards.EARLIER)
    make(tmp_path / "then", 1, 300)
    monkeypatch.undo()
    assert content(tmp_path / "then") == content(tmp_path / "now")
    assert shards.read_heading(tmp_path / "then") == shards.read_heading(tmp_path / "now")


def test_the_number_of_decisions_is_the_one_asked_for(trained_on: Path) -> None:
    data = Decisions([trained_on])
    wanted = module.read_heading(trained_on).pairings[0].decisions
    *_, last = read_shards(trained_on)
    _, ends = read_matches(last)
    without_last_match = len(data) - int(np.diff(ends[:, 1], prepend=0)[-1])
    assert without_last_match < wanted <= len(data)


def test_a_row_tells_whose_hand_it_is(trained_on: Path) -> None:
    data = Decisions([trained_on])
    block = data.replay(np.arange(data.matches))
    assert len(block) == len(data)
    assert data.agents == AGENTS
    shares = np.bincount(block.opponents) / len(block)
    assert 0.4 < shares[0] < 0.6
    # What the seat holds or sees on the pile is not opposite; what it saw taken is.
    assert not (block.hands & (block.views.hand | block.views.pile)).any()
    assert (block.hands & block.views.theirs == block.views.theirs).all()
    # `simple` takes only what makes a meld at once, so it takes less often than `thrifty` refuses.
    in_order = data.replay(np.arange(data.matches)[::-1].copy())
    assert sorted(in_order.hands.tolist()) == sorted(block.hands.tolist())


def test_seats_are_exchanged_from_match_to_match(tmp_path: Path) -> None:
    """An agent that always passes and draws is known by the cards it never takes."""
    bot = tmp_path / "drawer.py"
    bot.write_text(
        "class Drawer:\n"
        "    name = 'drawer'\n"
        "    def act(self, view, legal, random):\n"
        "        choices = [action for action in legal if action != 105]\n"
        "        return choices[random.below(len(choices))]\n"
    )
    drawer = f"python:{bot}:Drawer"
    game = parse_game("gin:target=1")
    generate(tmp_path / "d", game, [Pairing((drawer, "thrifty"), 200)], 3)
    data = Decisions([tmp_path / "d"])
    block = data.replay(np.arange(data.matches))
    opposite_drawer = block.opponents == data.agents.index(drawer)
    assert not block.views.theirs[opposite_drawer].any()
    assert block.views.theirs[~opposite_drawer].any()


def test_a_folder_for_other_decisions_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    make(folder, 1, 50)
    with pytest.raises(DataError, match="its seed is 1, not 2"):
        make(folder, 2, 50)
    with pytest.raises(DataError, match=r"simple v thrifty \(50\), not simple v thrifty \(60\)"):
        make(folder, 1, 60)
    with pytest.raises(DataError, match="no decisions in"):
        Decisions([tmp_path / "nowhere"])
    with pytest.raises(OptionsError, match="unknown agent"):
        generate(tmp_path / "e", GAME, [Pairing(("simple", "nobody"), 10)], 1)
    with pytest.raises(
        OptionsError,
        match="rummy has no network that guesses the other hand: one of gin, distilled",
    ):
        generate(tmp_path / "e", parse_game("rummy"), [Pairing(("greedy", "greedy"), 10)], 1)
    (folder / "decisions.json").write_text("{}")
    with pytest.raises(DataError, match="is damaged"):
        Decisions([folder])


def _replay(folder: Path) -> None:
    data = Decisions([folder])
    data.replay(np.arange(data.matches))


def test_damaged_and_missing_files_are_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    make(folder, 1, 300)
    last = read_shards(folder)[-1].path
    good = last.read_bytes()
    for place in (60, len(good) - 3):  # among the bytes of the matches, and in the end mark
        last.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        with pytest.raises(UndercutError):
            _replay(folder)
    last.write_bytes(good[: len(good) // 2])
    with pytest.raises(DataError, match="is damaged"):
        _replay(folder)
    last.unlink()
    with pytest.raises(DataError, match="is not finished"):
        Decisions([folder])


def test_pairings_are_shared_evenly() -> None:
    pairings = even_pairings(["a", "b", "c"], 100)
    assert [pairing.agents for pairing in pairings] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [pairing.decisions for pairing in pairings] == [34, 33, 33]
    assert even_pairings(["a"], 7) == [Pairing(("a", "a"), 7)]


@pytest.mark.parametrize(
    ("decisions", "cpu", "cuda"),
    [
        ((10,), 16, 16),
        ((100_000, 20_000), 72, 588),
        ((1_000_000,), 734, 5_882),
        ((20_000_000,), 1 << 13, 117_646),
        ((320_000_000, 1), 1 << 13, 1 << 17),
    ],
)
def test_a_gpu_makes_fewer_and_larger_files(
    decisions: tuple[int, ...], cpu: int, cuda: int
) -> None:
    pairings = [Pairing(AGENTS, count) for count in decisions]
    assert module._shard_size(pairings, "cpu") == cpu
    assert module._shard_size(pairings, "cuda") == cuda


@pytest.mark.compiled
def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "undercut.cli", "generate"]
    arguments = ["gin:target=20", "simple", "random", "--decisions", str(scaled(60_000, 0))]
    folder = tmp_path / "killed"
    process = subprocess.Popen(
        [*command, str(folder), *arguments], stderr=subprocess.DEVNULL, env=os.environ
    )
    while not list(folder.glob("*.parquet")) and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = {shard.path.name: shard.path.stat().st_mtime_ns for shard in read_shards(folder)}
    (folder / "00-000000999.part").write_text("half written")
    done = subprocess.run(
        [*command, str(folder), *arguments, "--json"], capture_output=True, text=True, check=True
    )
    made = json.loads(done.stdout)
    after = {shard.path.name: shard.path.stat().st_mtime_ns for shard in read_shards(folder)}
    assert before.items() <= after.items()
    assert made["decisions"] >= 60_000
    assert made["bytes"] / made["decisions"] < 3
    assert not list(folder.glob("*.part"))
    generate(
        tmp_path / "whole",
        parse_game("gin:target=20"),
        even_pairings(["simple", "random"], 60_000),
        0,
        shard=1000,
    )
    assert content(folder) == content(tmp_path / "whole")


ON_A_DEVICE = """
import sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
from undercut.games.families import parse_game
from undercut.lab.workers import Setup
from undercut.learn.generate import even_pairings, generate
folder, device = sys.argv[1:]
game, pairings = parse_game("gin:target=1"), even_pairings(["simple"], 30)
generate(Path(folder), game, pairings, 6, Setup(device), shard=2)
"""


def test_a_simulated_gpu_makes_the_same_decisions(tmp_path: Path) -> None:
    for device, simulated in (("cpu", "0"), ("cuda", "1")):
        subprocess.run(
            [sys.executable, "-c", ON_A_DEVICE, str(tmp_path / device), device],
            env={**os.environ, "NUMBA_DISABLE_JIT": "1", "NUMBA_ENABLE_CUDASIM": simulated},
            check=True,
        )
    assert content(tmp_path / "cpu") == content(tmp_path / "cuda")
