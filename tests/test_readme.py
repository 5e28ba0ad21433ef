"""The examples of the README and of examples/ run."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_the_python_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len(blocks) == 1
    exec(compile(blocks[0].replace("games=200", "games=2"), "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    said = re.findall(r"print\(.*\)  # (.*)", blocks[0])
    assert printed[:2] == said[:2]


def test_the_example_deal_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "first_deal.py"), run_name="__main__")
    assert capsys.readouterr().out.splitlines()[-1].endswith("the same hand: True")


def test_pages_named_in_the_readme_exist() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text())
    missing = [link for link in links if not (ROOT / link).exists()]
    assert links
    assert missing == []
