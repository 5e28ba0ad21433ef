"""players/catalog.py: agents by spec, and one clear line for what is wrong."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from undercut.games.contract import Family
from undercut.games.families import all_families, parse_game
from undercut.games.gin.players import estimator, simple, thrifty
from undercut.games.gin.players.strategy import thinking
from undercut.kernels.records import pack
from undercut.play.agent import NO_SETTINGS, KernelAgent, Random, RecordAgent
from undercut.players import catalog
from undercut.players.catalog import parse_agent
from undercut.players.search.champion import Champion
from undercut.text.errors import AgentError, OptionsError, UndercutError
from undercut.text.spec import one_of

GIN = parse_game("gin")
NAMES = catalog.agent_names(GIN.family)
LEVELS = [level.name for level in GIN.family.levels]


def test_every_game_has_agents_and_each_says_how_it_plays() -> None:
    for family in all_families():
        entries = catalog.all_agents(family)
        assert "random" in entries
        assert all(entry.about.endswith(".") for entry in entries.values())


def test_an_agent_is_a_file_and_the_file_has_its_name() -> None:
    for family in all_families():
        folder = Path(str(import_module(f"{family.package}.players").__file__)).parent
        files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
        assert catalog.agent_names(family) == sorted({"random", *files})


def test_one_agent_is_loaded_without_the_others() -> None:
    code = (
        "import sys\n"
        "from undercut.players.catalog import parse_agent\n"
        "from undercut.games.families import parse_game\n"
        "parse_agent('greedy', parse_game('rummy'))\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.removeprefix("undercut.games.") for name in done.stdout.split()}
    assert {"rummy.family", "rummy.players.greedy"} <= loaded
    assert not loaded & {"rummy.players.mcts", "gin.family", "pharaoh.family"}


@pytest.mark.parametrize(
    ("spec", "settings"),
    [
        ("random", NO_SETTINGS),
        ("simple", simple.Settings(99)),
        ("patient", simple.Settings(0)),
        ("simple:knock_at=5", simple.Settings(5)),
        ("thrifty", thrifty.Settings(1.0)),
        ("thrifty:link=2", thrifty.Settings(2.0)),
    ],
)
def test_settings_come_from_the_spec(spec: str, settings: object) -> None:
    agent = parse_agent(spec, GIN)
    assert isinstance(agent, KernelAgent)
    assert isinstance(agent, RecordAgent)
    assert agent.settings == settings
    assert agent.name == spec
    assert agent.options == GIN.options


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("clever", f"unknown agent 'clever' for gin: {one_of([*NAMES, *LEVELS])}, python:FILE"),
        ("", "unknown agent ''"),
        ("random:luck=1", "unknown option 'luck' of random: it has none"),
        ("simple:luck=1", "unknown option 'luck' of simple: one of knock_at"),
        ("simple:knock_at=100", "knock_at=100: must be from 0 to 99"),
        ("thrifty:link=x", "link=x: not a number from 0.0 to 20.0"),
        (
            "published:settings=best",
            "unknown settings 'best' of published: one of printed, published",
        ),
        ("simple:settings=printed", "unknown option 'settings' of simple: one of knock_at"),
        (
            "master:temperature=1",
            "master:temperature=1: a level has no settings; master is blueprint",
        ),
        ("python:", "not an agent: 'python:' (write python:FILE.py:CLASS)"),
        ("python:Bot", "not an agent: 'python:Bot'"),
        ("python:nowhere.py:Bot", "cannot load 'python:nowhere.py:Bot'"),
        ("python:no_such_module:Bot", "cannot load 'python:no_such_module:Bot'"),
        ("python:json:Bot", "cannot load 'python:json:Bot'"),
        ("python:json:JSONDecoder", "has neither act nor act_batch"),
    ],
)
def test_what_is_wrong_is_named_with_what_is_allowed(spec: str, message: str) -> None:
    with pytest.raises(OptionsError) as caught:
        parse_agent(spec, GIN)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("family", [*all_families()], ids=lambda family: family.name)
def test_a_level_is_an_agent_under_a_name_of_its_own(family: Family) -> None:
    game = parse_game(family.measured_at)
    names = [level.name for level in family.levels]
    assert not set(names) & set(catalog.agent_names(family))
    assert len(names) == len(set(names)) == len({level.spec for level in family.levels})
    for level in family.levels:
        played, meant = parse_agent(level.name, game), parse_agent(level.spec, game)
        assert isinstance(played, KernelAgent | Champion)
        assert isinstance(meant, KernelAgent | Champion)
        assert played.name == level.name
        assert getattr(played, "choose", Champion) is getattr(meant, "choose", Champion)
        assert pack(played.settings) == pack(meant.settings)
        assert level.about.endswith(".")


def settings_of(spec: str) -> Any:
    agent = parse_agent(spec, GIN)
    assert isinstance(agent, KernelAgent)
    return agent.settings


def test_settings_have_names_and_single_values_change_them() -> None:
    assert settings_of("heuristic") == thinking.Settings()
    assert (
        settings_of("published")
        == thinking.PUBLISHED
        == settings_of("heuristic:settings=published")
    )
    assert settings_of("published:settings=printed") == thinking.Settings()
    changed = settings_of("published:samples=3,settings=printed,meld_bonus=2")
    assert changed == thinking.Settings(meld_bonus=2.0, samples=3)


def test_the_paper_s_final_player_has_the_settings_that_reach_its_results() -> None:
    player, printed = settings_of("estimator"), settings_of("estimator:settings=printed")
    own = len(thinking.Settings._fields)
    assert player[:own] == thinking.PUBLISHED._replace(remember=estimator.REMEMBER)
    assert printed[:own] == thinking.Settings(remember=estimator.REMEMBER)
    assert (player.weights == printed.weights).all()


def test_what_an_agent_usually_plays_with_has_a_name_too() -> None:
    for family in all_families():
        for entry in catalog.all_agents(family).values():
            assert not entry.presets or entry.settings in entry.presets.values()
            for preset in entry.presets.values():
                assert preset._fields == entry.settings._fields


BOT = """
class Bot:
    def act(self, view, legal, random):
        return random.choice(legal)

class Named(Bot):
    name = "my own"

ready = Named()
"""


@pytest.mark.parametrize(
    ("member", "name"), [("Bot", None), ("Named", "my own"), ("ready", "my own")]
)
def test_an_agent_of_one_s_own(tmp_path: Path, member: str, name: str | None) -> None:
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    spec = f"python:{path}:{member}"
    agent = parse_agent(spec, GIN)
    assert isinstance(agent, RecordAgent)
    assert agent.name == (name or spec)
    assert agent.act(None, [3, 4], Random.from_seed(1)) in (3, 4)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("1 / 0", "raised ZeroDivisionError: division by zero"),
        (
            "class Bot:\n    def __init__(self):\n        raise RuntimeError('no')",
            "RuntimeError: no",
        ),
        ("def :", "raised SyntaxError"),
    ],
)
def test_an_agent_that_cannot_even_load(tmp_path: Path, code: str, message: str) -> None:
    path = tmp_path / "bot.py"
    path.write_text(code)
    with pytest.raises(AgentError, match="loading") as caught:
        parse_agent(f"python:{path}:Bot", GIN)
    assert message in str(caught.value)
    assert isinstance(caught.value, UndercutError)
