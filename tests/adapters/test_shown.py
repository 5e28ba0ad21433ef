"""Short walks through the adapters: everything that other libraries are told, against files.

The files in `shown` say what was shown when they were written, and `golden.py` how they are
written anew.
"""

import hashlib
import json
import re
import sys
from importlib.util import find_spec, module_from_spec
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pyarrow.parquet
import pyspiel
import pytest

import undercut
from golden import check_golden
from undercut.adapters import pettingzoo
from undercut.adapters.decision_table import histories_of, read_histories, read_rows, write_table
from undercut.adapters.engine.check import check_engine
from undercut.adapters.gymnasium import SeatEnv, TableVectorEnv
from undercut.adapters.open_spiel import AgentBot, spiel_names
from undercut.play.records.record import read_record
from undercut.text.errors import UndercutError

SHOWN = Path(__file__).parent / "shown"


def digest(numbers: Any) -> str:
    """How many there are, their kind, how many are not 0, and a short name of all of them."""
    array = np.asarray(numbers)
    short = hashlib.sha256(array.astype(np.float32).tobytes()).hexdigest()[:12]
    return f"{array.shape} {array.dtype} {np.count_nonzero(array)} {short}"


@pytest.mark.parametrize(
    ("name", "steps"),
    [("gin", 14), ("distilled(first_starter=1)", 6), ("rummy", 8), ("pharaoh(players=3)", 12)],
)
def test_open_spiel(name: str, steps: int) -> None:
    game, random = pyspiel.load_game(f"python_undercut_{name}"), Random(1)
    kind = game.get_type()
    lines = [
        f"{game}: {kind.short_name}, {kind.long_name}, {kind.dynamics}, {kind.chance_mode}",
        f"{kind.information}, {kind.utility}, {kind.reward_model}",
        f"{kind.min_num_players} to {kind.max_num_players} players, here {game.num_players()}",
        f"{kind.provides_information_state_string} {kind.provides_information_state_tensor}",
        f"{kind.provides_observation_string} {kind.provides_observation_tensor}",
        f"{game.num_distinct_actions()} actions, {game.max_chance_outcomes()} cards",
        f"utility {game.min_utility()} to {game.max_utility()}, {game.utility_sum()}",
        f"length {game.max_game_length()}, chance {game.max_chance_nodes_in_history()}",
        f"observation {game.observation_tensor_shape()}",
    ]
    observers = [
        game.make_py_observer(pyspiel.IIGObservationType(*wanted))
        for wanted in product(
            (False, True),
            (False, True),
            (pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER),
        )
    ]
    bots = [AgentBot(game, player, "random", seed=1) for player in range(game.num_players())]
    assert [bot.player_id() for bot in bots] == [*range(game.num_players())]
    assert not bots[0].provides_policy()
    state = game.new_initial_state()
    while not state.is_terminal():
        player = state.current_player()
        if state.is_chance_node():
            action = random.choice(state.legal_actions())
        else:
            action = bots[player].step(state) if steps else random.choice(state.legal_actions())
            if steps:
                steps -= 1
                legal = [state.action_to_string(player, each) for each in state.legal_actions()]
                lines += ["", str(state), ", ".join(legal), f"returns {state.returns()}"]
                for place, observer in enumerate(observers):
                    observer.set_from(state, player)
                    tensor = None if observer.tensor is None else digest(observer.tensor)
                    lines += [f"{place} {observer.string_from(state, player)} {tensor}"]
                    is_first = steps % 6 == 0
                    for each, array in observer.dict.items() if is_first else ():
                        lines += [f"  {each}: {digest(array)}"]
        if steps:
            lines += [
                f"{player}: {state.action_to_string(player, action)}, {state.private_events(0)}"
            ]
        state.apply_action(action)
    lines += [f"{observer.string_from(state, 1)}" for observer in observers]
    lines += [str(state), f"returns {state.returns()}", ""]
    check_golden(SHOWN / f"open-spiel-{name.partition('(')[0]}.txt", "\n".join(lines))


def test_open_spiel_knows_these_games() -> None:
    assert spiel_names() == {
        "python_undercut_gin": "gin",
        "python_undercut_distilled": "distilled",
        "python_undercut_gin_classic": "gin-classic",
        "python_undercut_oklahoma": "oklahoma",
        "python_undercut_straight": "straight",
        "python_undercut_rummy": "rummy",
        "python_undercut_rummy_classic": "rummy-classic",
        "python_undercut_pharaoh": "pharaoh",
        "python_undercut_prsi": "prsi",
    }


@pytest.mark.parametrize(("name", "players"), [("gin", None), ("pharaoh:deals=2", 3)])
def test_pettingzoo(name: str, players: int | None, capsys: pytest.CaptureFixture[str]) -> None:
    """Two episodes of each environment; the first is cut, the second is played to its end."""
    lines = []
    env = pettingzoo.env(name, players, "match" if players else "deal", render_mode="human")
    lines += [f"{env.metadata} {env.possible_agents} {env.agents} {env.render_mode}"]
    together = pettingzoo.parallel_env(name, players, render_mode="ansi", max_cycles=5)
    lines += [f"{together.metadata} {together.possible_agents} {together.agents}"]
    for made in (env, together):
        for agent in made.possible_agents:
            lines += [f"{made.observation_space(agent)} {made.action_space(agent)}"]
    cut = pettingzoo.env(name, players, "match", 2)
    assert cut.render_mode is None
    for _ in range(2):
        cut.reset(seed=3)
        assert cut.render() is None
        while not any(cut.truncations.values()):
            lines += [_turn(cut)]
            cut.step(int(np.flatnonzero(cut.last()[0]["action_mask"])[0]))
        lines += [f"{cut.truncations} {cut.terminations}"]
    env.reset(seed=4)
    turns = 0
    while not any(env.terminations.values()):
        if turns < 6 or any(env.rewards.values()):
            assert env.render() is None
            lines += [_turn(env), capsys.readouterr().out]
        legal = np.flatnonzero(env.last()[0]["action_mask"])
        env.step(int(legal[turns % len(legal)]))
        turns += 1
    env.render()
    lines += [f"{turns} turns", _turn(env), capsys.readouterr().out]
    for _ in range(2):
        seen, infos = together.reset(seed=5)
        lines += [f"{together.agents} {infos}"]
        while together.agents:
            masks = {agent: np.flatnonzero(seen[agent]["action_mask"]) for agent in seen}
            lines += [f"{ {agent: digest(each['observation']) for agent, each in seen.items()} }"]
            lines += [str(together.render())]
            actions = {agent: mask[-1] if len(mask) else 3 for agent, mask in masks.items()}
            seen, *rest = together.step(actions)
            lines += [f"{ {agent: mask.tolist() for agent, mask in masks.items()} } {rest}"]
    check_golden(SHOWN / f"pettingzoo-{players}.txt", "\n".join([*lines, ""]))


def _turn(env: Any) -> str:
    seen, reward, over, cut, info = env.last()
    told = f"{env.agent_selection} {digest(seen['observation'])} {reward} {over} {cut} {info}"
    rewards = f"{env.rewards} {env._cumulative_rewards} {env.infos} {env.agents}"
    return f"{told} {np.flatnonzero(seen['action_mask']).tolist()} {rewards}"


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("Gin", {}),
        ("Gin", {"lays_down": True, "episode": "match", "opponent": "simple"}),
        ("Pharaoh", {}),
    ],
)
def test_gymnasium(name: str, given: dict[str, Any]) -> None:
    env: Any = gymnasium.make(f"undercut/{name}-v0", render_mode="ansi", **given).unwrapped
    lines = [f"{env.metadata} {env.observation_space} {env.action_space} {env.render_mode}"]
    lines += [f"{span.name}: {span.first} to {span.end}" for span in env.observation_layout.pieces]
    assert SeatEnv().render_mode is None
    for episode in range(4):
        seen, info = env.reset(seed=3 if episode == 0 else None)
        is_over, steps = False, 0
        while not is_over and steps < 60:
            legal = np.flatnonzero(info["action_mask"])
            assert env.action_masks().dtype == np.bool_
            assert np.flatnonzero(env.action_masks()).tolist() == legal.tolist()
            if episode == 0:
                lines += [f"{digest(seen)} {legal.tolist()}", env.render()]
            seen, reward, is_over, is_cut, info = env.step(legal[(7 * steps) % len(legal)])
            steps += 1
            if reward or is_cut or is_over:
                lines += [f"after {steps}: {reward} {is_over} {is_cut} {info.keys()}"]
        lines += [env.render()]
    label = "-".join([name.lower(), *map(str, given)])
    check_golden(SHOWN / f"gymnasium-{label}.txt", "\n".join([*lines, ""]))


@pytest.mark.parametrize(
    "given", [{}, {"game": "rummy", "copy": False}, {"tensors": True, "episode": "match"}]
)
def test_gymnasium_side_by_side(given: dict[str, Any]) -> None:
    """What was seen last in an episode is that of a single environment of the same seed."""
    envs = TableVectorEnv(3, **given)
    assert TableVectorEnv().num_envs == 1
    seen, infos = envs.reset(seed=4)
    lines = [f"{envs.metadata} {envs.observation_space} {envs.action_space} {envs.num_envs}"]
    for step in range(90):
        kinds = f"{type(seen).__name__} {type(infos['action_mask']).__name__}"
        actions = envs.random_actions()
        short = f"{digest(seen)} {actions.tolist()} {digest(infos['action_mask'])} {kinds}"
        seen, rewards, over, cut, infos = envs.step(actions)
        if step < 4 or over.any():
            lines += [short, f"{rewards.tolist()} {over.tolist()} {cut.tolist()} {[*infos]}"]
        if over.any():
            finals = infos["final_obs"]
            rows = [None if each is None else digest(each) for each in finals]
            lines += [f"{infos['_final_obs'].tolist()} {rows}"]
    label = "-".join(["many", *map(str, given)])
    check_golden(SHOWN / f"gymnasium-{label}.txt", "\n".join([*lines, ""]))


def test_an_engine_hears_all_that_a_check_says(tmp_path: Path) -> None:
    """Every line that a host sends, in all that the check for authors tries; and its report."""
    bot, heard = Path(__file__).parent / "honest_bot.py", tmp_path / "heard"
    command = f"{sys.executable} -I -S {bot} {heard}"
    report = check_engine(command, ["prsi:max_moves=8", "gin:void_stock=26"]).to_json()
    assert report.pop("command") == command
    assert report.pop("median_seconds") > 0
    slowest = re.findall(r"the slowest (\d+\.\d) ms", json.dumps(report))
    assert len(slowest) == 2
    assert 1000 * report.pop("longest_seconds") == pytest.approx(max(map(float, slowest)), abs=0.1)
    plain = re.sub(r"\d+\.\d+ (m?s)", r"0 \1", json.dumps(report, indent=1))
    said = re.sub(r"undercut [\d.]+\w*", "undercut", heard.read_text())
    check_golden(SHOWN / "engine.txt", f"{plain}\n{said}")


def test_decisions_as_tables(tmp_path: Path) -> None:
    """The first and last rows of samples and of a history, and what Parquet is told of columns."""
    samples = sorted((Path(__file__).parents[2] / "examples" / "records").glob("*.jsonl"))
    lines = []
    for sample in samples:
        rows = [*read_rows([sample])]
        lines += [f"{sample.stem}: {len(rows)}", *map(json.dumps, (rows[0], rows[-1]))]
    gin = next(sample for sample in samples if sample.stem == "gin")
    history = tmp_path / "deals.history"
    deals = histories_of(read_record(gin))
    history.write_text("\n\n".join(" ".join(map(str, deal)) for deal in deals) + "\n")
    assert read_histories(history) == deals
    rows = [*read_rows([history])]
    lines += [f"history: {len(rows)}", *map(json.dumps, (rows[0], rows[1], rows[-1]))]
    assert write_table(rows, tmp_path / "table.parquet") == len(rows)
    found = pyarrow.parquet.read_table(tmp_path / "table.parquet")
    schema = found.schema
    assert found.to_pylist() == rows
    assert schema.metadata == {
        b"format": b"undercut-decisions/1",
        b"undercut": undercut.__version__.encode(),
    }
    for field in schema:
        lines += [f"{field.name}: {field.type}, {field.metadata[b'about'].decode()}"]
    check_golden(SHOWN / "decisions.txt", "\n".join([*lines, ""]))


@pytest.mark.parametrize(
    ("adapter", "package"),
    [("open_spiel", "pyspiel"), ("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium")],
)
def test_a_package_that_is_missing_is_named(
    adapter: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    spec = find_spec(f"undercut.adapters.{adapter}")
    assert spec is not None
    assert spec.loader is not None
    told = rf"this needs {package}: pip install 'undercut\[adapters\]'"
    with pytest.raises(UndercutError, match=told):
        spec.loader.exec_module(module_from_spec(spec))
