"""The snippets of the pages about other people's libraries run."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SNIPPETS = [
    (page, number, text)
    for page in ("adapters.md", "observations.md")
    for number, text in enumerate(
        re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.S)
    )
]


@pytest.mark.parametrize(("page", "number", "text"), SNIPPETS, ids=lambda part: str(part)[:20])
def test_a_snippet_runs(
    page: str, number: int, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(text, f"{page} {number}", "exec"), {})
    assert capsys.readouterr().out.strip(), "every snippet prints what came of it"
