"""The site is built without network, and everything on it leads somewhere."""

import re
import shutil
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest
from PIL import Image

import site_builder
from pages.blocks import ROOT

pytestmark = pytest.mark.compiled  # no kernel is run

CONFIG = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]


class Page(HTMLParser):
    """What a page links to, what it loads, and the anchors it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.add(found["href"])
        elif tag == "link" and found.get("rel") != "canonical":
            self.loaded.add(found["href"])
        else:
            self.loaded |= {found[name] for name in ("src", "srcset") if name in found}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built anew in a folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    site_builder.gather(folder / "build" / "pages")
    shutil.copy(ROOT / "zensical.toml", folder)
    for name in ("src", "tools"):
        (folder / name).symlink_to(ROOT / name)
    done = site_builder.build(folder)
    assert done.returncode == 0, "python tools/site_builder.py says what is wrong"
    return folder / "build" / "site"


@pytest.fixture(scope="module")
def read(site: Path) -> dict[Path, Page]:
    """All pages, by their files."""
    return {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


def in_navigation(entries: list[Any]) -> set[str]:
    """The pages that the navigation names, however deep."""
    named: set[str] = set()
    for entry in entries:
        for value in entry.values():
            named |= {value} if isinstance(value, str) else in_navigation(value)
    return named


def test_the_navigation_has_every_page(site: Path) -> None:
    pages = site.parent / "pages"
    written = {str(path.relative_to(pages)) for path in pages.rglob("*.md")}
    assert in_navigation(CONFIG["nav"]) == {name for name in written if "files/" not in name}


def test_every_link_and_every_picture_leads_somewhere(site: Path, read: dict[Path, Page]) -> None:
    assert len(read) > 30
    lost = []
    for path, page in read.items():
        if path.name == "404.html":  # its links begin at the root of whatever server sends it
            continue
        for link in page.links | page.loaded:
            if re.match(r"[a-z]+:", link):
                continue
            address, anchor = urldefrag(unquote(link))
            target = (path.parent / address).resolve() if address else path
            target = target / "index.html" if target.is_dir() else target
            is_there = target.exists() and site in target.parents
            if not is_there or (anchor and target in read and anchor not in read[target].anchors):
                lost.append(f"{path.relative_to(site)}: {link}")
    assert lost == []


def test_nothing_is_loaded_from_another_server(site: Path, read: dict[Path, Page]) -> None:
    foreign = {each for page in read.values() for each in page.loaded if ":" in each}
    assert {each for each in foreign if not each.startswith("data:")} == set()
    styles = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]
    assert styles
    assert not any(re.search(r"(url\(|@import )['\"]?https?:", style) for style in styles)


def test_the_reference_has_what_one_imports(site: Path) -> None:
    text = (site / "reference" / "names" / "index.html").read_text(encoding="utf-8")
    for words in ("undercut.load", "undercut.Deal", "A deal in progress", "highlight"):
        assert words in text, words


def test_the_first_page_moves_only_for_readers_who_like_motion(site: Path) -> None:
    """The animation is light, and a still picture takes its place."""
    text = (site / "index.html").read_text(encoding="utf-8")
    still = re.search(
        r'<source media="\(prefers-reduced-motion: reduce\)" srcset="?([\w.-]+)', text
    )
    film = re.search(r"<img src=\"?([\w.-]+\.webp)", text)
    assert still is not None
    assert film is not None
    assert (site / film[1]).stat().st_size < 600_000
    with Image.open(site / film[1]) as moving, Image.open(site / still[1]) as picture:
        assert moving.n_frames > 20
        assert not getattr(picture, "is_animated", False)
