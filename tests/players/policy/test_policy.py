"""Networks that play, without torch: the kernel against a few lines of NumPy, and their files."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from kernels.lanes import side_by_side
from positions import fresh_tables, generator, lively_walk, scaled
from undercut.games.families import parse_game
from undercut.kernels.jit import COMPILED
from undercut.kernels.records import pack
from undercut.play.agent import KernelAgent, Team, Turn
from undercut.play.agent import Random as Chance
from undercut.players.bits import bit_places
from undercut.players.catalog import parse_agent
from undercut.players.encoding import Encoding, encoding_of
from undercut.players.network_files import NetworkError
from undercut.players.policy import kernel as policy_kernels
from undercut.players.policy import lanes as in_lanes
from undercut.players.policy.kernel import STABLE, Settings, policy_kernel, policy_workspace
from undercut.players.policy.lanes import policy_parts
from undercut.players.policy.weights import Policy, load_policy, policy_of, save_policy

GAME = parse_game("gin")
ENCODING = encoding_of(GAME)
WIDTH, BLOCKS = 24, 2


def _tensors(encoding: Encoding, seed: int) -> dict[str, Any]:
    """A network as torch names and turns it, with a few rows that play does not need."""
    random = np.random.default_rng(seed)
    shapes = {"entry": (WIDTH, encoding.inputs + 3), "heads": (encoding.outputs + 9, WIDTH)}
    for block in range(BLOCKS):
        shapes |= {f"blocks.{block}.{layer}": (WIDTH, WIDTH) for layer in ("first", "second")}
    tensors = {}
    for name, shape in shapes.items():
        tensors[f"{name}.weight"] = random.normal(scale=0.4, size=shape)
        tensors[f"{name}.bias"] = random.normal(scale=0.4, size=shape[0])
    for name in ("norm", *(f"blocks.{block}.norm" for block in range(BLOCKS))):
        tensors[f"{name}.weight"], tensors[f"{name}.bias"] = random.normal(size=(2, WIDTH))
    return tensors


def _policy(seed: int = 1) -> Policy:
    return policy_of(_tensors(ENCODING, seed), ENCODING, WIDTH, BLOCKS, {"made": "here"})


def _agent(policy: Policy, temperature: float = 0.0, forgets: int = 0) -> KernelAgent:
    settings = Settings(temperature, forgets, policy.weights, policy.width, policy.blocks)
    workspace = policy_workspace(ENCODING, policy.width)
    choose = policy_kernel(ENCODING, "gin")
    return KernelAgent("policy", choose, GAME.options, settings, workspace)


def _norm(values: Any, tensors: dict[str, Any], name: str) -> Any:
    scaled = (values - values.mean()) / np.sqrt(values.var() + STABLE)
    return scaled * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]


def _answers(tensors: dict[str, Any], view: Any, forgets: int = 0) -> Any:
    """What the network says, by matrices."""
    words = np.zeros(len(ENCODING.planes), dtype=np.int64)
    ENCODING.encode(view, pack(GAME.options), words)
    if forgets:
        words[list(ENCODING.remembered)] = 0
    places = bit_places(ENCODING.planes)
    bits = (words[places >> 6] >> (places & 63)) & 1
    values = tensors["entry.weight"][:, : ENCODING.inputs] @ bits + tensors["entry.bias"]
    for block in range(BLOCKS):
        name = f"blocks.{block}"
        inner = tensors[f"{name}.first.weight"] @ _norm(values, tensors, f"{name}.norm")
        inner = np.maximum(inner + tensors[f"{name}.first.bias"], 0)
        values = values + tensors[f"{name}.second.weight"] @ inner + tensors[f"{name}.second.bias"]
    return tensors["heads.weight"] @ _norm(values, tensors, "norm") + tensors["heads.bias"]


def _positions(count: int, seed: int) -> Any:
    for table in fresh_tables(GAME, count, Random(seed)):
        for _ in lively_walk(table, Random(seed + 1)):
            if not table.is_over and len(table.actions()) > 1:
                yield table.view(), table.actions()


@pytest.mark.parametrize("forgets", [0, 1])
def test_it_plays_what_the_matrices_say(forgets: int) -> None:
    tensors = _tensors(ENCODING, 1)
    agent, asked = _agent(_policy(), forgets=forgets), 0
    for view, legal in _positions(scaled(20, 3), 11):
        if not ENCODING.is_asked(view, 0):
            assert agent.act(view, legal, Chance.from_seed(1)) in legal
            continue
        answers = _answers(tensors, view, forgets)
        numbers = sorted(((answers[ENCODING.output_of(a)], a) for a in legal), reverse=True)
        if numbers[0][0] - numbers[1][0] > 1e-3:
            assert agent.act(view, legal, Chance.from_seed(1)) == numbers[0][1]
            asked += 1
    assert asked > 30


def _in_lanes(agent: KernelAgent, view: Any, legal: list[int], lanes: int) -> tuple[int, Any]:
    """The action and the answers that so many lanes come to together."""
    parts = policy_parts(ENCODING, "gin", WIDTH)
    assert parts is not None
    shared = np.full(parts.shared, -1)
    actions = np.array(legal)

    def begin(lane: int) -> int:
        own = np.zeros(parts.own, dtype=np.int64)
        turn = Turn(actions, pack(GAME.options), pack(agent.settings), generator(1), own)
        return int(parts.begin(view, turn, Team(shared, shared, own, lane, lanes)))

    found = [begin(0)] if lanes == 1 else side_by_side(lanes, begin)
    return found[0], _answered(shared)


def _answered(numbers: Any) -> Any:
    first = 3 * WIDTH
    return numbers[len(ENCODING.planes) :].view(np.float32)[first : first + ENCODING.outputs + 1]


@pytest.mark.parametrize(("temperature", "forgets"), [(0.0, 0), (2.0, 1)])
def test_lanes_come_to_the_same_answers_together(temperature: float, forgets: int) -> None:
    agent, asked = _agent(_policy(), temperature, forgets), 0
    for view, legal in _positions(scaled(20, 1), 15):
        workspace = np.zeros(agent.workspace, dtype=np.int64)
        seen = np.array(legal), pack(GAME.options), pack(agent.settings)
        whole = int(agent.choose(view, Turn(*seen, generator(1), workspace)))
        action, answers = _in_lanes(agent, view, legal, 1 if COMPILED else 5)
        assert action == whole
        if ENCODING.is_asked(view, 0):
            assert answers == pytest.approx(_answered(workspace), abs=1e-4)
            asked += 1
    assert asked > scaled(30, 3)


@pytest.mark.interpreted
@pytest.mark.parametrize("lanes", [1, 2, 5, 8])
@pytest.mark.parametrize("outputs", [3, 13, 40])
def test_what_a_gpu_s_lanes_compute_is_what_matrices_say(lanes: int, outputs: int) -> None:
    """The pieces that plain Python has in short, number by number."""
    random = np.random.default_rng(lanes)
    values = random.normal(size=13).astype(np.float32)
    weights = random.normal(size=5 + 14 * outputs).astype(np.float32)
    sums, rows = np.full(outputs, np.nan), weights[5:].reshape(14, outputs)
    side_by_side(lanes, lambda lane: in_lanes._layer(values, weights, 5, sums, lane, lanes))
    assert sums == pytest.approx(rows[0] + values @ rows[1:], abs=1e-4)
    factors, out, partial = weights[:26], np.full(13, np.nan), np.full(lanes, np.nan)
    side_by_side(
        lanes, lambda lane: policy_kernels._norm(values, factors, out, partial, lane, lanes)
    )
    normed = (values - values.mean()) / np.sqrt(values.var() + STABLE)
    assert out == pytest.approx(normed * factors[:13] + factors[13:], abs=1e-4)


def test_a_network_that_is_too_wide_for_lanes_plays_whole() -> None:
    assert policy_parts(ENCODING, "gin", 768) is not None
    assert policy_parts(ENCODING, "gin", 4096) is None


def test_its_reasons_are_the_chances_of_all_choices() -> None:
    agent = parse_agent("blueprint", GAME)
    assert isinstance(agent, KernelAgent)
    view, legal = next(each for each in _positions(3, 13) if len(each[1]) > 5)
    found = agent.explain(view, legal, Chance.from_seed(1))
    assert found is not None
    rows = found.comparisons[0].rows
    assert rows[0][0] == GAME.notation.format_action(found.action)
    assert len(rows) == min(len(legal), 12)
    chances = [float(str(chance)) for _, chance in rows]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) == pytest.approx(100, abs=1)
    assert agent.act(view, legal, Chance.from_seed(1)) == found.action


def test_a_choice_that_no_network_is_asked_for_has_no_reasons() -> None:
    agent = parse_agent("blueprint", GAME)
    assert isinstance(agent, KernelAgent)
    told = (e for e in _positions(40, 19) if not ENCODING.is_asked(e[0], 0))
    view, legal = next(told)
    found = agent.explain(view, legal, Chance.from_seed(1))
    assert found is not None
    assert found.comparisons == ()


def test_with_a_temperature_chance_decides() -> None:
    tensors, agent = _tensors(ENCODING, 1), _agent(_policy(), temperature=2.0)
    view, legal = next(each for each in _positions(3, 13) if len(each[1]) > 5)
    answers = np.array([_answers(tensors, view)[ENCODING.output_of(action)] for action in legal])
    shares = np.exp((answers - answers.max()) / 2.0)
    shares /= shares.sum()
    tries = scaled(4000, 1000)
    chance = Chance.from_seed(5)
    found = [agent.act(view, legal, chance) for _ in range(tries)]
    for action, share in zip(legal, shares, strict=True):
        assert found.count(action) / tries == pytest.approx(share, abs=4 * (0.25 / tries) ** 0.5)


def test_a_file_holds_what_was_saved(tmp_path: Path) -> None:
    path, policy = tmp_path / "policy.safetensors", _policy()
    digest = save_policy(path, policy, ENCODING)
    read = load_policy(path, ENCODING)
    assert len(digest) == 64
    assert (read.width, read.blocks, read.about) == (WIDTH, BLOCKS, {"made": "here"})
    assert np.allclose(read.weights, policy.weights, atol=2e-3)
    agent = parse_agent(f"blueprint:model={path}", GAME)
    view, legal = next(_positions(1, 15))
    assert agent.act(view, legal, Chance.from_seed(1)) in legal  # type: ignore[union-attr]


def test_files_that_cannot_be_played_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "policy.safetensors"
    save_policy(path, _policy(), ENCODING)
    data = bytearray(path.read_bytes())
    data[-5] ^= 1
    damaged = tmp_path / "damaged.safetensors"
    damaged.write_bytes(data)
    with pytest.raises(NetworkError, match="is damaged: its checksum does not match"):
        load_policy(damaged, ENCODING)
    with pytest.raises(NetworkError, match="cannot read the network"):
        load_policy(tmp_path / "none.safetensors", ENCODING)
    (tmp_path / "text.safetensors").write_text("hello")
    with pytest.raises(NetworkError, match="cannot read the network"):
        load_policy(tmp_path / "text.safetensors", ENCODING)
