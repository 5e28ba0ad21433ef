"""Self-play as a whole: it learns, and goes on after a stop as if there had been none."""

import json
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from undercut.cli import main
from undercut.cli.training import Clock
from undercut.games.families import parse_game
from undercut.learn.selfplay.config import SIZES, change
from undercut.learn.selfplay.rivals import rival_network
from undercut.learn.selfplay.run import Point, Run
from undercut.learn.selfplay.saving import read_state
from undercut.learn.selfplay.training import POLICY, train
from undercut.play.match import play_match
from undercut.players.catalog import parse_agent
from undercut.text.errors import OptionsError, UndercutError

TINY = replace(SIZES["small"], width=32, rows=64, steps=8, piece=3, games=32)


def test_a_run_that_was_stopped_goes_on_the_same(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    piece = TINY.rows * TINY.steps * TINY.piece  # decisions
    first = train(TINY, whole, "cpu", decisions=3 * piece)
    for count in (1, 3):
        second = train(TINY, parts, "cpu", decisions=count * piece)
    assert _without_time(first.curve) == _without_time(second.curve)
    assert _checkpoint(whole) == _checkpoint(parts), "earlier selves too"
    assert "past2.safetensors" in _checkpoint(parts)
    assert (whole / POLICY).is_file()


def _checkpoint(folder: Path) -> dict[str, bytes]:
    """The files from which a run goes on."""
    inside = folder / json.loads((folder / "run.json").read_text())["checkpoint"]
    return {path.name: path.read_bytes() for path in inside.iterdir()}


def _without_time(curve: list[Point]) -> list[Point]:
    return [{name: value for name, value in each.items() if name != "seconds"} for each in curve]


@torch.no_grad()
def test_what_a_position_was_worth_is_noted_at_every_step() -> None:
    run = Run(TINY, "cpu")
    arena = run.arena
    for step in range(arena.end + 1):
        bits = arena.seen.fill(arena.words[step])
        mine = arena.learns[step].bool()
        worths = run.learner.network(bits).float()[:, arena.encoding.outputs]
        assert torch.allclose(arena.values[step, mine], worths[mine], atol=1e-5)
    assert arena.values.std() > 0


def test_it_learns(tmp_path: Path) -> None:
    """From a network that knows nothing to one that random play hardly ever beats."""
    config = replace(SIZES["small"], piece=16, measured="random", games=128)
    run = train(config, tmp_path, "cpu", seconds=1e-6)
    wins = run.curve[-1]["random"]
    assert isinstance(wins, list)
    assert wins[0] > 0.9
    game = parse_game("gin")
    learned = parse_agent(f"blueprint:model={tmp_path / POLICY}", game)
    players = [learned, parse_agent("random", game)]
    assert sum(play_match(game, players, seed).shares[0] for seed in range(40)) > 36


def test_who_is_out_first_learns_what_it_was_worth(tmp_path: Path) -> None:
    """A deal of three goes on without him for longer than a round has steps."""
    config = replace(SIZES["small"], game="pharaoh:players=3", rows=256, steps=8, piece=40)
    config = replace(config, measured="random", games=60)
    run = train(config, tmp_path, "cpu", seconds=1e-6)
    wins = run.curve[-1]["random"]
    assert isinstance(wins, list)
    assert wins[0] > 0.4


def test_rule_sets_side_by_side_and_a_network_as_rival(tmp_path: Path) -> None:
    config = replace(
        TINY,
        also="distilled distilled+knock+long",
        also_share=0.5,
        rivals="blueprint",
        rival_share=0.25,
        past_share=0.0,
        measured="blueprint",
        games=16,
    )
    run = train(config, tmp_path, "cpu", seconds=1e-6)
    widths = [(each.game.name, each.rival, each.end - each.first) for each in run.arena.sittings]
    assert widths == [
        ("gin", "self", 16),
        ("gin", "blueprint", 16),
        ("distilled", "self", 16),
        ("distilled+knock+long", "self", 16),
    ]
    assert set(run.equity) == {"gin", "distilled", "distilled+knock+long"}
    assert run.equity["distilled"].shape < run.equity["gin"].shape
    named = {name for name, value in run.curve[-1].items() if isinstance(value, list)}
    assert named == {"blueprint", "distilled blueprint", "distilled+knock+long blueprint"}
    learns, first = run.arena.learns, 16
    assert bool(learns[:, :first].all()), "against itself it learns from both seats"
    met = learns[:, first : 2 * first].float().mean()
    assert 0.3 < met < 0.7, "against another network from its own"


def test_a_run_begins_with_what_an_agent_knows(tmp_path: Path) -> None:
    """The first answers of its network are those of the agent."""
    full = replace(TINY, width=768, blocks=2, begin="blueprint", piece=1, rate=1e-12, games=64)
    run = train(full, tmp_path, "cpu", seconds=1e-6)
    network, rival = run.learner.network, rival_network("blueprint", run.game)
    bits = (torch.rand(9, network.entry.in_features) < 0.1).float()
    bits[:, run.arena.encoding.inputs :] = 0
    used = run.arena.encoding.outputs + 1
    with torch.no_grad():
        assert torch.allclose(network(bits)[:, :used], rival(bits)[:, :used], atol=1e-3)


def test_what_it_does_not_see_changes_nothing_and_a_magnet_draws(tmp_path: Path) -> None:
    """Weights of what is unseen are zero and stay so; nobody strays from a magnet like himself."""
    config = replace(TINY, unseen="0 18", epochs=2, magnet=0.5, piece=1, measured="random")
    learner = train(config, tmp_path, "cpu", seconds=1e-6).learner
    weights, planes = learner.network.entry.weight.detach(), learner.arena.encoding.planes
    scores = slice(sum(planes[:18]), sum(planes[:19]))
    assert not bool(weights[:, :52].any())
    assert not bool(weights[:, scores].any())
    assert bool(weights[:, 52:104].all())
    steps = learner.optimiser.state[learner.master[0]]["step"]
    assert int(steps) == config.steps * config.epochs
    legal = torch.ones(64, 106, dtype=torch.bool)
    even = torch.full((64,), 1 / 64)
    magnet = learner.magnet
    assert magnet is not None
    own = torch.log_softmax(magnet(learner.arena.seen.bits).detach()[:, :106], dim=1)
    assert abs(float(learner._strayed(magnet, own, legal, even))) < 1e-6
    assert float(learner._strayed(magnet, own.roll(1, 1), legal, even)) > 1e-6


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"also": "rummy"}, "also=rummy: no rule set of the game gin"),
        ({"begin": "simple"}, "simple is no network"),
        ({"unseen": "99"}, "unseen=99: no word of the encoding, 0 to 21"),
        (
            {"begin": "blueprint"},
            "a network of another size: blocks.0.first.bias is (768,), not (32,)",
        ),
    ],
)
def test_what_a_run_cannot_begin_with(
    changes: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(OptionsError) as refused:
        train(change(TINY, changes), tmp_path, "cpu", seconds=1e-6)
    assert message in str(refused.value)


def test_rummy_can_be_learned(tmp_path: Path) -> None:
    config = replace(TINY, game="rummy", past_share=0.5, rivals="random", rival_share=0.25)
    run = train(replace(config, measured="random"), tmp_path, "cpu", seconds=1e-6)
    assert run.decisions == 64 * 8 * 3
    assert isinstance(run.curve[-1]["random"], list)


def test_a_run_of_another_kind_is_not_continued(tmp_path: Path) -> None:
    train(TINY, tmp_path, "cpu", decisions=1)
    with pytest.raises(UndercutError, match="has width=32, not 64"):
        train(replace(TINY, width=64), tmp_path, "cpu", seconds=99)


@pytest.mark.parametrize("field", ["rivals", "measured"])
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nobody", "unknown agent 'nobody'"),
        ("python:first_bot:Hasty", "only agents that are kernels"),
    ],
)
def test_rivals_are_known_before_anything_is_played(
    field: str, spec: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(OptionsError, match=message):
        train(change(TINY, {field: spec, "rival_share": "0.1"}), tmp_path, "cpu", seconds=1e-6)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rowz": "1"}, "unknown setting 'rowz' of selfplay: one of game, also, also_share"),
        ({"rows": "many"}, "rows=many: must be int"),
        ({"rows": "0"}, "rows=0: must be at least 1"),
        ({"past_share": "2"}, "past_share, rival_share and also_share: from 0 to 1"),
        ({"cost": "-1"}, "cost=-1: must be at least 0"),
        ({"magnet": "-1"}, "magnet=-1: must be at least 0"),
        ({"epochs": "0"}, "epochs=0: must be at least 1"),
        ({"reward": "glory"}, "unknown reward 'glory': one of match, points"),
    ],
)
def test_settings_that_cannot_be(changes: dict[str, str], message: str) -> None:
    with pytest.raises(OptionsError) as refused:
        change(SIZES["small"], changes)
    assert message in str(refused.value)


def test_the_command(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    sizes = [f"--set={name}" for name in ("width=32", "rows=64", "steps=8", "piece=2", "games=32")]
    command = ["selfplay", "gin", folder, "--decisions", "1000", "--json", *sizes]
    done = CliRunner().invoke(main, [*command, "--plot", str(tmp_path / "curve.png")])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["decisions"] == 64 * 8 * 2
    assert Path(told["policy"]).is_file()
    assert (tmp_path / "curve.png").stat().st_size > 1000


def test_ctrl_c_keeps_what_was_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first round is completed and saved, unmeasured; the same command continues."""
    advance = Clock.advance

    def interrupted(clock: Clock, decisions: int, seconds: float) -> None:
        advance(clock, decisions, seconds)
        os.kill(os.getpid(), signal.SIGINT)

    folder, before = tmp_path / "run", signal.getsignal(signal.SIGINT)
    sizes = [f"--set={name}" for name in ("width=32", "rows=64", "steps=8", "piece=4", "games=32")]
    command = ["selfplay", "gin", str(folder), "--decisions", "3000", "--json", *sizes]
    monkeypatch.setattr(Clock, "advance", interrupted)
    stopped = CliRunner().invoke(main, command)
    assert stopped.exit_code == 130
    assert "stopping after this round" in stopped.stderr
    assert "the same command continues" in stopped.stderr
    assert signal.getsignal(signal.SIGINT) is before
    state = json.loads((folder / "run.json").read_text())
    assert (state["pieces"], state["decisions"], state["curve"]) == (1, 512, [])
    parse_agent(f"blueprint:model={folder / POLICY}", parse_game("gin"))
    monkeypatch.setattr(Clock, "advance", advance)
    done = CliRunner().invoke(main, command)
    assert json.loads(done.stdout)["decisions"] == 512 + 2 * 2048


def test_an_interrupted_measurement_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(run: Run) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "look_back", interrupt)
    with pytest.raises(KeyboardInterrupt):
        train(TINY, tmp_path, "cpu", decisions=1)
    assert (tmp_path / POLICY).is_file()
    assert read_state(tmp_path) is not None


def test_compilation_is_not_progress(tmp_path: Path) -> None:
    """The seconds of the bar are those of the run."""
    told: list[float] = []
    run = train(TINY, tmp_path, "cpu", decisions=1, progress=lambda _, spent: told.append(spent))
    assert 0 < sum(told) <= run.seconds
    again: list[tuple[int, float]] = []
    train(TINY, tmp_path, "cpu", decisions=1, progress=lambda *news: again.append(news))
    assert again == [(0, run.seconds)], "the time of the earlier call"


def test_a_game_that_networks_cannot_see_is_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["selfplay", "duel", str(tmp_path)])
    assert done.exit_code == 2
    assert "networks cannot see duel: one of gin, distilled" in done.output
