"""What a learner learns from: its losses, one update, its rates and its earlier selves."""

import json
from dataclasses import replace
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import torch

from undercut.games.families import parse_game
from undercut.kernels.records import pack
from undercut.learn.selfplay.arena import Arena, Device
from undercut.learn.selfplay.config import SIZES, Config, change
from undercut.learn.selfplay.kernels import MASK_BITS
from undercut.learn.selfplay.learner import FIGURES, STEP, Learner
from undercut.learn.selfplay.network import PolicyNetwork, padded
from undercut.learn.selfplay.run import Run, knows_matches, other_games, sittings
from undercut.learn.selfplay.saving import load_run, read_state, save_run
from undercut.learn.shards import DataError
from undercut.players.encoding import encoding_of
from undercut.text.errors import OptionsError

TINY = replace(SIZES["small"], width=32, rows=64, steps=8, piece=3, games=32, magnet=0.7)


@pytest.fixture(scope="module")
def run() -> Run:
    return Run(TINY, "cpu")


@pytest.fixture
def learner(run: Run) -> Learner:
    """A learner that holds a step in which all that can happen does.

    Choices have become more and less likely since they were made, by more than is taken into
    account; the magnet plays otherwise; some choices do not count.
    """
    learner = Learner(TINY, run.arena)
    torch.manual_seed(5)
    learner.take(3)
    step, rows = learner.step, run.arena.rows
    step["advantages"].normal_()
    step["values"].normal_()
    step["chances"] += 0.4 * torch.randn(rows)
    step["weights"][:] = (torch.rand(rows) < 0.7).to(torch.int8)
    assert learner.magnet is not None
    for network, size in ((learner.network, 0.2), (learner.magnet, 0.1)):
        with torch.no_grad():
            for each in network.parameters():
                each += size * torch.randn(each.shape)
    learner.arena.seen.fill(step["words"])
    learner.hidden.fill(step["hidden"])
    return learner


def hidden_bits(learner: Learner) -> torch.Tensor:
    return learner.hidden.bits[:, : sum(learner.arena.encoding.hidden)]


def slow_losses(learner: Learner) -> tuple[float, dict[str, float]]:
    """The loss and its figures, row by row as the papers write them."""
    assert learner.magnet is not None
    config, encoding = learner.config, learner.arena.encoding
    step = {name: tensor.tolist() for name, tensor in learner.step.items()}
    heads, others = (
        network(learner.arena.seen.bits).tolist() for network in (learner.network, learner.magnet)
    )
    count = sum(step["weights"])
    rows = [row for row, weight in enumerate(step["weights"]) if weight]
    mean = sum(step["advantages"][row] for row in rows) / count
    spread = sqrt(sum((step["advantages"][row] - mean) ** 2 for row in rows) / count)
    returns = [step["advantages"][row] + step["values"][row] for row in rows]
    scatter = sum((each - sum(returns) / count) ** 2 for each in returns)
    sums = dict.fromkeys((*FIGURES, "apart"), 0.0)
    for row, result in zip(rows, returns, strict=True):
        masks = step["masks"][row]
        legal = [k for k in range(encoding.outputs) if masks[k // MASK_BITS] >> k % MASK_BITS & 1]
        mine, theirs = (
            {k: each[row][k] - log(sum(exp(each[row][j]) for j in legal)) for k in legal}
            for each in (heads, others)
        )
        ratio = exp(mine[step["chosen"][row]] - step["chances"][row])
        better = (step["advantages"][row] - mean) / (spread + 1e-6)
        clipped = min(max(ratio, 1 - config.clip), 1 + config.clip)
        sums["policy"] -= min(ratio * better, clipped * better)
        sums["value"] += (heads[row][encoding.outputs] - result) ** 2
        sums["entropy"] -= sum(exp(each) * each for each in mine.values())
        sums["moved"] += abs(ratio - 1)
        sums["apart"] += sum(exp(mine[k]) * (mine[k] - theirs[k]) for k in legal)
        bits = hidden_bits(learner)[row].tolist()
        guesses = heads[row][encoding.outputs + 1 :][: len(bits)]
        unlike = [log(1 + exp(g)) - bit * g for g, bit in zip(guesses, bits, strict=True)]
        sums["hidden"] += sum(unlike) / len(bits)
    means = {name: each / count for name, each in sums.items()}
    apart = means.pop("apart")
    means["explained"] = 1 - means["value"] / (scatter / count)
    loss = means["policy"] + config.value_weight * means["value"]
    loss += config.hidden_weight * means["hidden"] - config.entropy * means["entropy"]
    return loss + config.magnet * apart, means


def test_the_loss_is_what_it_is_row_by_row(learner: Learner) -> None:
    loss, means = slow_losses(learner)
    with torch.no_grad():
        assert float(learner._losses()) == pytest.approx(loss, rel=1e-3)
    assert dict(zip(FIGURES, learner.figures.tolist(), strict=True)) == pytest.approx(
        means, rel=1e-3, abs=1e-4
    )
    assert len({round(each, 4) for each in means.values()}) == len(FIGURES)


def test_the_hidden_cards_are_those_of_the_step(learner: Learner) -> None:
    words, hidden = learner.step["hidden"].tolist(), learner.arena.encoding.hidden
    slow = [
        [
            float(word >> bit & 1)
            for word, size in zip(row, hidden, strict=True)
            for bit in range(size)
        ]
        for row in words
    ]
    assert hidden_bits(learner).tolist() == slow
    assert 0 < hidden_bits(learner).mean() < 1


def test_an_update_follows_the_gradient_and_is_not_too_long(learner: Learner) -> None:
    """The first step of Adam is one rate long in each weight whose gradient is not tiny."""
    before = [each.detach().clone() for each in learner.weights]
    average = [each.clone() for each in learner.average]
    learner.set_rates(0.002, 0.01)
    learner._losses_of().backward()
    slopes = [each.grad.clone() for each in learner.weights if each.grad is not None]
    learner.learn()
    norm = sqrt(sum(float((each**2).sum()) for each in slopes))
    assert norm > TINY.most_gradient, "so it is cut"
    for now, then, slope, mean, old in zip(
        learner.weights, before, slopes, learner.average, average, strict=True
    ):
        cut = slope * (TINY.most_gradient / norm)
        assert now.grad is not None
        assert torch.allclose(now.grad, cut, atol=1e-6), "what was there before is forgotten"
        assert torch.allclose(then - now, 0.002 * cut / (cut.abs() + 1e-8), atol=1e-6)
        assert torch.allclose(mean, old + (1 - TINY.averaging) * (now - old), atol=1e-6)
    assert learner.magnet is not None
    for mean, drawn, shown in zip(
        learner.average,
        learner.magnet.parameters(),
        learner.show_average().parameters(),
        strict=True,
    ):
        assert torch.equal(mean, drawn)
        assert torch.equal(mean, shown)


def test_a_step_is_taken_whole(learner: Learner) -> None:
    arena = learner.arena
    for name in STEP:
        tensor = getattr(arena, name)
        tensor[5] = torch.arange(tensor[5].numel()).reshape(tensor[5].shape).to(tensor.dtype)
    learner.take(5)
    for name in STEP:
        assert torch.equal(learner.step[name], getattr(arena, name)[5]), name


def test_an_earlier_self_answers_in_its_own_rows(run: Run, learner: Learner) -> None:
    """Where it is on turn; the learner's own answers stay."""
    torch.manual_seed(7)
    other = [torch.randn(each.shape) for each in learner.weights]
    learner.set_past(other)
    arena = run.arena
    assert [each.rival for each in arena.sittings] == ["self", "past"]
    past = arena.sittings[1]
    arena.learns[2] = 1
    arena.learns[2, past.first : past.end : 2] = 0
    bits = (torch.rand(arena.seen.bits.shape) < 0.1).float()
    heads = learner.decide(bits, 2)
    with torch.no_grad():
        mine, theirs = learner.network(bits), learner.past(bits)
    used = arena.encoding.outputs + 1
    for row in range(arena.rows):
        is_theirs = past.first <= row < past.end and (row - past.first) % 2 == 0
        wanted = theirs if is_theirs else mine
        assert torch.allclose(heads[row, :used], wanted[row, :used], atol=1e-5), row
        assert torch.allclose(heads[row, used:], mine[row, used:], atol=1e-5), row


def test_a_new_network_is_sure_of_nothing() -> None:
    torch.manual_seed(1)
    network = PolicyNetwork(100, 30, 20, 64, 2)
    assert network.entry.weight.shape == (64, padded(100, 64))
    assert network.heads.weight.shape == (padded(51, 32), 64)
    assert not network.heads.bias.any()
    heads = network.heads.weight.detach()
    quiet, loud = heads[:31], heads[31:]
    assert float(quiet.std() / loud.std()) == pytest.approx(0.1, rel=0.1)
    weights = {name: each.detach() for name, each in network.named_parameters()}
    for block in ("blocks.0", "blocks.1"):
        assert not weights[f"{block}.second.bias"].any()
        ratio = weights[f"{block}.second.weight"].std() / weights[f"{block}.first.weight"].std()
        assert float(ratio) == pytest.approx(0.5, rel=0.1)
    assert [padded(number, 64) for number in (1, 64, 65)] == [64, 64, 128]


@pytest.mark.parametrize(("decisions", "part"), [(0, 0.0), (0.5, 0.5), (3, 1.0)])
def test_rates_go_down_until_as_much_as_planned_is_learned(
    decisions: float, part: float, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "decisions", int(decisions * TINY.planned))
    run._play_and_learn(Random(1))
    rate = TINY.rate + part * (TINY.last_rate - TINY.rate)
    assert run.learner.optimiser.param_groups[0]["lr"] == pytest.approx(rate)
    assert float(run.learner.rate) == pytest.approx(rate)
    entropy = TINY.entropy + part * (TINY.last_entropy - TINY.entropy)
    assert float(run.learner.entropy) == pytest.approx(entropy)
    assert run.decisions == int(decisions * TINY.planned) + TINY.rows * TINY.steps


def test_the_newest_self_is_always_kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "config", replace(TINY, past_kept=2))
    monkeypatch.setattr(run, "past", [])
    counts = []
    for seed in range(6):
        with torch.no_grad():
            run.learner.weights[0].fill_(seed)
        run._keep_past(Random(seed))
        counts.append(len(run.past))
        assert float(run.past[-1][0].mean()) == seed
    assert counts == [1, 2, 2, 2, 2, 2]


def test_what_is_noted_of_a_step_is_what_happens_at_the_tables(run: Run) -> None:
    """Words, masks, turns and scores, at every table, before a choice is made and after it."""
    arena, game = run.arena, run.game
    arena.restart(9)
    arena.before.fill_(77)
    bits = arena.look(2)
    for each in arena.sittings:
        table = each.table
        for row in range(each.end - each.first):
            place = each.first + row
            words = np.zeros(arena.words.shape[2], dtype=np.int64)
            encoding_of(game).encode(table.views[row], pack(game.options), words)
            assert arena.words[2, place].tolist() == words.tolist()
            seat, match = int(table.seats[row]), table.matches[row]
            assert int(arena.on_turn[2, place]) == seat
            is_mine = each.rival == "self" or match.agents[seat] == 0
            assert bool(arena.learns[2, place]) == is_mine
            assert arena.before[place].tolist() == match.scores[:2].tolist() == [0, 0]
            assert not any(bits[place, arena.encoding.inputs :])
    output_of, legal = encoding_of(game).output_of, list[set[int]]()
    for each in arena.sittings:
        for actions, count in zip(each.table.legal, each.table.counts, strict=True):
            legal.append({output_of(int(action)) for action in actions[:count]})
    torch.manual_seed(1)
    heads = torch.randn(arena.rows, arena.encoding.outputs + 1)
    arena.play(2, heads, run.equity, 6.0)
    for row, outputs in enumerate(legal):
        masks = arena.masks[2, row].tolist()
        noted = {k for k in range(arena.encoding.outputs) if masks[k // 62] >> k % 62 & 1}
        assert noted == outputs
        chosen = int(arena.chosen[2, row])
        assert chosen in outputs
        total = sum(exp(float(heads[row, k])) for k in outputs)
        chance = float(heads[row, chosen]) - log(total)
        assert float(arena.chances[2, row]) == pytest.approx(chance, abs=1e-4)
    assert torch.equal(arena.values[2], heads[:, -1])
    assert len({int(each) for each in arena.chosen[2]}) > 1
    first = [each.table.views.tobytes() for each in arena.sittings]
    arena.restart(10)
    assert first != [each.table.views.tobytes() for each in arena.sittings], "other matches"


def test_steps_that_could_not_be_looked_back_on_come_first() -> None:
    """Where more than two play, as many steps again are looked at."""
    game = parse_game("pharaoh:players=3")
    arena = Arena(Device("cpu"), [(game, "self", 4), (game, "past", 3)], 5, seed=3)
    assert (arena.rows, arena.seats, arena.ahead, arena.end) == (7, 3, 5, 10)
    assert arena.words.shape[:2] == (11, 7)
    assert arena.rewards.shape == (10, 7, 3)
    arena.chosen[:] = torch.arange(10)[:, None]
    arena.values[:] = torch.arange(11)[:, None]
    arena.keep()
    assert arena.chosen[:, 0].tolist() == [*range(5, 10), *range(5, 10)]
    assert arena.values[:, 0].tolist() == [*range(5, 10), *range(5, 11)]
    two = Arena(Device("cpu"), [(parse_game("gin"), "self", 2)], 5, seed=3)
    assert (two.ahead, two.end) == (0, 5)
    two.chosen[:] = torch.arange(5)[:, None]
    two.keep()
    assert two.chosen[:, 0].tolist() == [*range(5)]


def test_an_agent_that_is_no_network_plays_for_itself() -> None:
    """Only the learner is asked, in every row and at every step, wherever it sits."""
    game = parse_game("pharaoh:players=3")
    arena = Arena(Device("cpu"), [(game, "random", 12)], 4, seed=3)
    (sitting,) = arena.sittings
    heads = torch.zeros(12, arena.encoding.outputs + 1)
    equity = {game.name: torch.zeros(1, 1)}
    seats = set()
    for step in range(4):
        arena.look(step)
        assert bool(arena.learns[step].all())
        for row, match in enumerate(sitting.table.matches):
            seat = int(arena.on_turn[step, row])
            assert match.agents[seat] == 0
            seats.add(seat)
        arena.play(step, heads, equity, 6.0)
    assert seats == {0, 1, 2}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, [("gin", "self", 80), ("gin", "past", 20)]),
        ({"past_share": 0.0}, [("gin", "self", 100)]),
        (
            {"rivals": "simple random", "rival_share": 0.25},
            [
                ("gin", "self", 56),
                ("gin", "past", 20),
                ("gin", "simple", 12),
                ("gin", "random", 12),
            ],
        ),
        (
            {"also": "distilled distilled+knock distilled+long", "also_share": 0.5},
            [
                ("gin", "self", 32),
                ("gin", "past", 20),
                ("distilled", "self", 16),
                ("distilled+knock", "self", 16),
                ("distilled+long", "self", 16),
            ],
        ),
        ({"also_share": 0.5, "rival_share": 0.3}, [("gin", "self", 80), ("gin", "past", 20)]),
    ],
)
def test_how_many_rows_each_game_and_rival_has(given: dict[str, Any], wanted: list[Any]) -> None:
    config = replace(Config(), rows=100, **given)
    found = sittings(config, parse_game("gin"), other_games(config))
    assert [(game.name, rival, width) for game, rival, width in found] == wanted


def test_matches_are_learned_where_two_play_to_a_score() -> None:
    for game, reward, wanted in (
        ("gin", "match", True),
        ("gin", "points", False),
        ("pharaoh:players=3", "match", False),
        ("pharaoh", "match", False),
        ("rummy", "match", True),
    ):
        assert knows_matches(replace(Config(), reward=reward), parse_game(game)) is wanted


def test_all_of_a_run_is_saved_and_loaded(tmp_path: Path) -> None:
    torch.manual_seed(3)
    run = Run(replace(TINY, piece=1), "cpu")
    (tmp_path / "checkpoint-0").mkdir()
    told: list[int] = []
    run.play_piece(lambda decisions, seconds: told.append(decisions))
    assert told == [512], "rows and steps of one round"
    run.curve.append({"decisions": 512, "seconds": 1.5, "random": [0.5, 0.1]})
    save_run(run, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoint-1", "run.json"]
    state = read_state(tmp_path)
    assert state == {
        "checkpoint": "checkpoint-1",
        "config": run.config.as_dict(),
        "pieces": 1,
        "decisions": 512,
        "seconds": run.seconds,
        "updates": 8.0,
        "past": 1,
        "curve": run.curve,
    }
    other = Run(replace(TINY, piece=1, rows=128), "cpu")  # what may differ
    load_run(other, tmp_path, state)
    assert (other.pieces, other.decisions, other.seconds) == (1, 512, run.seconds)
    assert other.curve == run.curve
    for mine, theirs in ((run, other), (other, run)):
        assert torch.equal(mine.equity["gin"], theirs.equity["gin"])
        for first, second in zip(tensors_of(mine), tensors_of(theirs), strict=True):
            assert torch.equal(first, second)


def tensors_of(run: Run) -> list[torch.Tensor]:
    """All that was learned, and what the optimiser knows of it."""
    learner = run.learner
    states = [learner.optimiser.state[each] for each in learner.master]
    kept = [*learner.master, *learner.weights, *learner.average]
    kept += [state[name] for state in states for name in ("exp_avg", "exp_avg_sq", "step")]
    return [*kept, *(tensor for past in run.past for tensor in past)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game", "distilled"),
        ("seed", 1),
        ("width", 64),
        ("blocks", 2),
        ("begin", "blueprint"),
        ("reward", "points"),
        ("scale", 1.0),
    ],
)
def test_what_a_run_stands_and_falls_with_is_not_changed(
    name: str, value: Any, tmp_path: Path
) -> None:
    run: Any = type("Begun", (), {"config": replace(TINY, **{name: value})})
    with pytest.raises(DataError, match=f"has {name}={getattr(TINY, name)}, not {value}"):
        load_run(run, tmp_path, {"config": TINY.as_dict()})


def test_a_checkpoint_that_is_damaged_is_named(run: Run, tmp_path: Path) -> None:
    state = {"config": TINY.as_dict(), "checkpoint": "checkpoint-9", "past": 0}
    with pytest.raises(DataError, match=r"cannot read the checkpoint .*network"):
        load_run(run, tmp_path, state)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(DataError, match=r"cannot read .*run\.json"):
        read_state(tmp_path)


def test_the_settings_are_those_that_the_results_were_made_with() -> None:
    """docs/selfplay.md gives commands that name only what they change."""
    assert Config().as_dict() == json.loads((Path(__file__).parent / "settings.json").read_text())
    changed = {
        name: value
        for name, value in SIZES["small"].as_dict().items()
        if value != getattr(Config(), name)
    }
    assert changed == {
        "width": 128,
        "blocks": 1,
        "rows": 512,
        "steps": 16,
        "piece": 40,
        "rate": 1e-3,
        "last_rate": 2e-4,
        "averaging": 0.99,
        "planned": 2.5e6,
        "games": 512,
    }
    assert SIZES["full"] == Config()


@pytest.mark.parametrize(
    ("fine", "wrong"),
    [
        *(
            (f"{name}=1", f"{name}=0")
            for name in (
                "width",
                "blocks",
                "rows",
                "steps",
                "piece",
                "games",
                "past_kept",
                "epochs",
            )
        ),
        ("past_share=0", "past_share=-0.01"),
        ("past_share=1", "past_share=1.01"),
        ("rival_share=0", "rival_share=-0.01"),
        ("also_share=0", "also_share=-0.01"),
        (
            "past_share=0.5 rivals=simple rival_share=0.5",
            "past_share=0.5 rivals=simple rival_share=0.6",
        ),
        (
            "past_share=0.5 also=distilled also_share=0.5",
            "past_share=0.5 also=distilled also_share=0.6",
        ),
        ("past_share=0.5 rival_share=0.6", "past_share=0.5 rival_share=0.6 rivals=simple"),
        ("past_share=0.5 also_share=0.6", "past_share=0.5 also_share=0.6 also=distilled"),
        ("reward=match", "reward=Match"),
        ("reward=points", "reward="),
        ("averaging=0.001", "averaging=0"),
        ("averaging=0.999", "averaging=1"),
        ("trail=0", "trail=-0.01"),
        ("trail=1", "trail=1.01"),
        ("discount=0.01", "discount=0"),
        ("discount=1", "discount=1.01"),
        ("cost=0", "cost=-0.01"),
        ("magnet=0", "magnet=-0.01"),
        ("compiled=1", "compiled=yes"),
    ],
)
def test_every_limit_of_a_setting(fine: str, wrong: str) -> None:
    changes = dict(each.split("=") for each in fine.split())
    found = change(Config(), changes)
    for name, text in changes.items():
        value = getattr(found, name)
        kind = type(getattr(Config(), name))
        assert type(value) is kind
        assert value == (text == "1" if kind is bool else kind(text))
    with pytest.raises(OptionsError):
        change(Config(), dict(each.split("=") for each in wrong.split()))
