"""The pictures of the cards: all there, small, as the generator draws them, nothing foreign."""

import gzip
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import card_sprites
from undercut.app import web
from undercut.cards.packs import FRENCH, GERMAN, Pack

pytestmark = pytest.mark.compiled  # pictures are read, no kernel is run

FOLDER = Path(web.__file__).parent / "static" / "cards"
SVG = "{http://www.w3.org/2000/svg}"
SPRITES = [(FRENCH, card_sprites.french_sprite), (GERMAN, card_sprites.german_sprite)]
every_sprite = pytest.mark.parametrize(("pack", "draw"), SPRITES, ids=["french", "german"])
Draw = Callable[[], str]


def names(pack: Pack) -> set[str]:
    return {rank + suit.letter for rank, _ in pack.ranks for suit in pack.suits}


def elements(draw: Draw) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(draw()).iter())


def rules() -> dict[str, dict[str, str]]:
    """What each selector of cards.css sets."""
    text = re.sub(r"/\*.*?\*/", "", (FOLDER / "cards.css").read_text(encoding="utf-8"), flags=re.S)
    blocks = re.findall(r"([^{}]+)\{([^{}]*)\}", text)
    return {
        " ".join(selector.split()): dict(re.findall(r"--([\w-]+): ([^;]+);", body))
        for selector, body in blocks
    }


@every_sprite
def test_the_shipped_file_is_what_the_generator_draws(pack: Pack, draw: Draw) -> None:
    assert (FOLDER / f"{pack.name}.svg").read_text(encoding="utf-8") == draw()


@every_sprite
def test_every_card_and_the_back_have_a_symbol(pack: Pack, draw: Draw) -> None:
    symbols = [element for element in elements(draw) if element.tag == SVG + "symbol"]
    drawn = {element.get("id") for element in symbols if element.get("viewBox") == "0 0 100 140"}
    signs = {f"{value}{suit.letter}-cs" for value in "UO" for suit in pack.suits}
    assert drawn == names(pack) | {"back"} | (signs if pack is GERMAN else set())
    pips = {element.get("id") for element in symbols} - drawn
    assert pips == {f"pip-{suit.name}" for suit in pack.suits}


@every_sprite
def test_number_cards_have_as_many_pips_as_their_number(pack: Pack, draw: Draw) -> None:
    """Two more are in the corners; what is in a half is drawn twice."""
    symbols = {element.get("id"): element for element in elements(draw)}
    numbers = {rank: int(shown) for rank, shown in pack.ranks if shown.isdigit()}
    for suit in pack.suits:
        for rank, number in numbers.items():
            card = symbols[rank + suit.letter]
            pips = [use for use in card.iter() if use.get("href") == f"#pip-{suit.name}"]
            once = [use for use in card.findall(SVG + "use") if use in pips]
            assert 2 * len(pips) - len(once) == number + 2
            assert not [
                use for use in card.iter() if "pip" in use.get("href", "") and use not in pips
            ]


@every_sprite
def test_ids_are_unique_and_references_stay_inside(pack: Pack, draw: Draw) -> None:
    found = elements(draw)
    ids = [element.get("id") for element in found if element.get("id")]
    assert len(ids) == len({*ids})
    references = {element.get("href") for element in found if element.tag == SVG + "use"}
    assert references <= {f"#{name}" for name in ids}
    shapes = {f"#{name}" for name in ids if re.match("pip|letter|figure|face|half", str(name))}
    assert shapes == references  # and nothing is drawn in vain


@every_sprite
def test_there_is_no_script_no_style_and_nothing_from_elsewhere(pack: Pack, draw: Draw) -> None:
    tags = {element.tag.removeprefix(SVG) for element in elements(draw)}
    assert tags <= {
        "svg",
        "desc",
        "defs",
        "symbol",
        "g",
        "use",
        "path",
        "rect",
        "circle",
        "ellipse",
    }
    attributes = {name for element in elements(draw) for name in element.attrib}
    assert not {name for name in attributes if name.startswith(("on", "style", "{"))}
    text = draw().replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"url\(|https?:|data:|@import|<!ENTITY", text)


@every_sprite
def test_files_are_small(pack: Pack, draw: Draw) -> None:
    data = (FOLDER / f"{pack.name}.svg").read_bytes()
    assert len(data) < 60_000
    assert len(gzip.compress(data)) < 15_000


@every_sprite
def test_colours_are_properties_that_the_header_names(pack: Pack, draw: Draw) -> None:
    root = ElementTree.fromstring(draw())
    header = root.findtext(SVG + "desc", "")
    named = dict(re.findall(r"^  --([\w-]+): (\S+)$", header, re.M))
    used = dict(re.findall(r"var\(--([\w-]+),([^)]+)\)", draw()))
    assert named == used
    assert named.items() <= card_sprites.COLOURS.items()
    assert {f"suit-{suit.name}" for suit in pack.suits} <= named.keys()
    painted = {element.get(name) for element in root.iter() for name in ("fill", "stroke", "color")}
    assert not [
        paint for paint in painted if paint and not re.match("var|none|currentColor", paint)
    ]


def test_the_style_sheet_sets_every_colour_light_and_dark() -> None:
    found = rules()
    assert found[':root, [data-card-theme="light"]'] == card_sprites.COLOURS
    assert found['[data-card-theme="dark"]'].keys() == card_sprites.COLOURS.keys()
    four = {"suit-clubs", "suit-diamonds"}
    assert found['[data-card-colours="four"]'].keys() == four
    assert found['[data-card-theme="dark"][data-card-colours="four"]'].keys() == four


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_indices_stand_out_from_the_paper() -> None:
    """At least 4.5 to 1, which is what readers with weak eyes need."""
    found = rules()
    light, dark = found[':root, [data-card-theme="light"]'], found['[data-card-theme="dark"]']
    pairs = [(light, light), (found['[data-card-colours="four"]'], light), (dark, dark)]
    pairs += [(found['[data-card-theme="dark"][data-card-colours="four"]'], dark)]
    for colours, theme in pairs:
        paper = luminance(theme["card-paper"])
        for name, colour in colours.items():
            if name.startswith("suit-"):
                bright, dim = sorted([luminance(colour), paper], reverse=True)
                assert (bright + 0.05) / (dim + 0.05) >= 4.5, name


def test_the_command_writes_both_files(tmp_path: Path) -> None:
    subprocess.run([sys.executable, card_sprites.__file__, str(tmp_path)], check=True)
    written = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert written == {
        "french.svg": card_sprites.french_sprite(),
        "german.svg": card_sprites.german_sprite(),
    }
