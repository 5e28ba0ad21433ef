"""The examples run, are short, and have types that hold; pages print what they say."""

import re
import runpy
import sys
from pathlib import Path

import pytest
from mypy import api as mypy

from pages.blocks import blocks

ROOT = Path(__file__).parents[2]
EXAMPLES = {  # with what is given to each, and what it ends with
    "first_deal": ([], "the same hand: True"),
    "first_bot": ([], "with each deal"),
    "evaluating_bot": (["2"], "with each deal"),
    "tournament_plot": (["{folder}/ratings.svg", "4"], "drawn: {folder}/ratings.svg"),
    "train_network": (["20", "2"], "with each deal"),
    "records_frame": (["{folder}/records", "4"], "patient would play"),
}
USER = """
import undercut
from undercut.games.gin import GinView
from undercut.games.gin.rules import deal as rules
from undercut.games.gin.rules.layout import Options, View
from undercut.games.rummy import RummyView
from undercut.kernels.jit import kernel

deal = undercut.load("gin", target=50, view=GinView).deal(seed=7)
card: undercut.Card | None = deal.view(0).upcard
melds: tuple[undercut.Cards, ...] = deal.view(0).layout.melds
played: str = undercut.agent("simple", deal.game).act(deal.view())
unknown: undercut.Card = undercut.load("gin").deal().view().upcrad
stated: undercut.Game[RummyView] = undercut.load("rummy:target=50")
held: int = stated.deal().view().held
deal.view(0).upcrad
stated.deal().view().knocker


@kernel
def may_knock(view: View, options: Options) -> bool:
    return bool(view.hnad) and options.knock_limt > 0


may_knock(deal.observe(), rules.PRESETS["gin"])
"""


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs_and_is_short(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = ROOT / "examples" / f"{name}.py"
    assert len(path.read_text().splitlines()) < 60
    given, end = EXAMPLES[name]
    words = [word.format(folder=tmp_path) for word in given]
    monkeypatch.setattr(sys, "argv", [str(path), *words])
    source = path.read_text()
    for size, few in (("games", 2), ("samples", 8), ("target", 5)):
        source = re.sub(rf"\b{size}=\d+", f"{size}={few}", source)
    smaller = tmp_path / path.name
    smaller.write_text(source)
    runpy.run_path(str(smaller), run_name="__main__")
    last = capsys.readouterr().out.splitlines()[-1]
    assert end.format(folder=tmp_path) in last


def test_types_hold_for_one_who_uses_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The examples pass; of a script with four mistakes just these are found."""
    script = tmp_path / "user.py"
    script.write_text(USER)
    paths = [str(ROOT / "examples" / f"{name}.py") for name in EXAMPLES]
    paths += [str(ROOT / "examples" / game) for game in ("duel", "eights")]
    monkeypatch.setenv("MYPYPATH", str(ROOT / "examples"))
    settings = ["--config-file", str(ROOT / "pyproject.toml")]
    monkeypatch.chdir(ROOT)  # where the linter keeps what it knows
    told, _, _ = mypy.run([*settings, "--no-error-summary", *paths, str(script)])
    assert [line.split(": error: ")[1] for line in told.splitlines()] == [
        '"GinView" has no attribute "upcrad"  [attr-defined]',
        '"RummyView" has no attribute "knocker"  [attr-defined]',
        '"View" has no attribute "hnad"  [attr-defined]',
        '"Options" has no attribute "knock_limt"  [attr-defined]',
    ]


@pytest.mark.parametrize("page", ["docs/start.md", "docs/python.md"])
def test_a_page_prints_what_it_says(page: str) -> None:
    """What stands behind a print is what it prints, where that is one line."""
    printed: list[str] = []
    names = {
        "__name__": "page",
        "print": lambda *things: printed.append(" ".join(map(str, things))),
    }
    text = "".join(block.text for block in blocks(ROOT / page) if block.language == "python")
    exec(compile(text.replace("games=20", "games=2"), page, "exec"), names)
    said = [line.partition("  # ")[2] for line in re.findall(r"^print\(.*", text, re.MULTILINE)]
    assert len(said) == len(printed)
    for should, is_so in zip(said, printed, strict=True):
        assert not should or "\n" in is_so or should.strip() == is_so
