"""The pages that the README names."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_pages_named_in_the_readme_exist() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text())
    missing = [link for link in links if not (ROOT / link).exists()]
    assert links
    assert missing == []
