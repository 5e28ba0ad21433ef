"""The faces of opponents and of people, drawn from a few parts: `python tools/faces.py` writes them.

A face is a symbol of 64 by 64 in app/web/static/faces.svg. People choose an animal; every opponent
of games/characters.py has a face of the same name.
"""

from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).parents[1] / "src" / "undercut" / "app" / "web" / "static" / "faces.svg"
INK = "#33261f"
SKIN = {"light": "#f6d3b3", "rosy": "#f2bf9d", "tan": "#d9a074", "dark": "#9a6442"}
HAIR = {
    "black": "#2a2320",
    "brown": "#6b4226",
    "red": "#b4532a",
    "blond": "#e0b354",
    "grey": "#b9b5ad",
    "white": "#efece4",
}

FRINGES = {
    "short": "M17 28c0-13 7-18 15-18s15 5 15 18c-3-6-5-8-8-9-5 3-14 3-17 1-3 2-4 4-5 8z",
    "parted": "M17 29c-1-13 6-19 15-19s16 6 15 19c-2-5-5-8-9-11-5 5-13 7-18 6-2 1-3 3-3 5z",
    "curly": "M16 30c-4-4-2-9 1-11 0-6 6-9 10-7 4-4 11-3 13 1 5 0 8 5 6 9 3 3 2 7-1 9-1-6-4-9-8-11-6 2-13 1-16 0-3 3-4 6-5 10z",
    "fringe": "M17 30c-2-14 6-20 15-20s17 6 15 20c-1-2-2-4-3-6-8 2-17 2-24 0-1 2-2 4-3 6z",
    "bald": "M17 31c-1-4-1-7 0-9 2 2 2 4 2 7zM47 31c1-4 1-7 0-9-2 2-2 4-2 7z",
    "bun": "M17 29c0-12 6-18 15-18s15 6 15 18c-3-7-8-11-15-11s-12 4-15 11z",
    "cap": "M16 25c0-10 7-15 16-15s16 5 16 15c-9-3-23-3-32 0z",
}
BACKS = {
    "long": "M14 30c-1-14 7-21 18-21s19 7 18 21c0 9 1 14 3 18H11c2-4 3-9 3-18z",
    "bob": "M14 29c-1-13 7-20 18-20s19 7 18 20c0 6 0 9-2 13H16c-2-4-2-7-2-13z",
    "bun": "M26 8a6 6 0 1 1 12 0 6 6 0 1 1-12 0z",
}
MOUTHS = {
    "smile": "M26 40c3 4 9 4 12 0",
    "grin": "M25 39c2 7 12 7 14 0z",
    "calm": "M27 41h10",
    "wry": "M27 41c4 1 8 0 11-2",
}


class Face(NamedTuple):
    """The parts of a person's face."""

    ground: str
    skin: str
    hair: str
    fringe: str
    coat: str
    back: str = ""
    mouth: str = "smile"
    glasses: bool = False
    beard: bool = False
    moustache: bool = False
    brows: bool = False
    earrings: bool = False


PEOPLE = {
    "nina": Face("#ffe1a8", "light", "red", "fringe", "#3f8f6b", "bob", "grin"),
    "hugo": Face("#cfe6f5", "rosy", "brown", "curly", "#c9573c", mouth="grin"),
    "marta": Face("#f3d4dc", "light", "grey", "bun", "#6a5aa0", "bun", "smile", True),
    "viktor": Face("#d6e8cf", "tan", "black", "parted", "#2f4f7f", mouth="wry", brows=True),
    "irma": Face("#e3d9f2", "dark", "black", "bun", "#c2862b", "bun", "calm", earrings=True),
    "oskar": Face("#e9dcc6", "rosy", "grey", "bald", "#4a4a52", mouth="calm", beard=True),
    "olga": Face("#d5dbe8", "light", "white", "parted", "#7d2430", "bob", "wry", True),
    "adam": Face("#dcead9", "light", "blond", "short", "#44618f"),
    "klara": Face("#fbe0cf", "tan", "brown", "fringe", "#2f7f7a", "long"),
    "emil": Face("#e6e0d2", "rosy", "white", "bald", "#5d7a3a", moustache=True, glasses=True),
    "ida": Face("#f6dff0", "dark", "black", "curly", "#d0684a", earrings=True),
    "filip": Face("#d9e4f4", "light", "brown", "cap", "#a43c3c", mouth="grin"),
    "julia": Face("#fdebc2", "rosy", "black", "parted", "#8a4f8f", "long", "smile"),
    "leo": Face("#e2efe9", "tan", "black", "curly", "#33373d", beard=True),
    "zora": Face("#e8e6f7", "light", "blond", "parted", "#3b6f57", "long", "calm", True),
}

EYES = f'<g fill="{INK}"><circle cx="26" cy="31" r="1.9"/><circle cx="38" cy="31" r="1.9"/></g>'


def person(face: Face) -> str:
    """A person: shoulders, hair behind, head, hair in front, and what the face has."""
    skin, hair = SKIN[face.skin], HAIR[face.hair]
    parts = [
        f'<circle cx="32" cy="32" r="32" fill="{face.ground}"/>',
        f'<path fill="{hair}" d="{BACKS[face.back]}"/>' if face.back else "",
        f'<path fill="{face.coat}" d="M8 64c0-11 9-15 24-15s24 4 24 15z"/>',
        f'<path fill="{skin}" d="M26 43h12v8c-3 4-9 4-12 0z"/>',
        f'<g fill="{skin}"><circle cx="17" cy="32" r="3.4"/><circle cx="47" cy="32" r="3.4"/></g>',
        f'<path fill="{skin}" d="M17 28c0-10 6-16 15-16s15 6 15 16c0 11-6 19-15 19s-15-8-15-19z"/>',
    ]
    if face.beard:
        shape = "M17 31c0 11 6 18 15 18s15-7 15-18c-2 3-4 5-7 5-3-2-13-2-16 0-3 0-5-2-7-5z"
        parts.append(f'<path fill="{hair}" d="{shape}"/>')
    parts.append(f'<path fill="{hair}" d="{FRINGES[face.fringe]}"/>')
    parts.append(EYES)
    if face.brows:
        parts.append(_line("M22 27c2-2 5-2 7 0M35 27c2-2 5-2 7 0", 1.8))
    if face.moustache:
        parts.append(
            f'<path fill="{hair}" d="M23 38c3-3 7-3 9-1 2-2 6-2 9 1-3 2-7 2-9 0-2 2-6 2-9 0z"/>'
        )
    parts.append(_line("M32 33c-1 2-1 3 1 3", 1.3))
    if face.mouth == "grin":
        parts.append(f'<path fill="#fff" stroke="{INK}" stroke-width="1.3" d="{MOUTHS["grin"]}"/>')
    else:
        parts.append(_line(MOUTHS[face.mouth], 1.8))
    if face.glasses:
        rims = '<circle cx="26" cy="31" r="4.8"/><circle cx="38" cy="31" r="4.8"/><path d="M30.800 31h2.400"/>'
        parts.append(f'<g fill="none" stroke="{INK}" stroke-width="1.3">{rims}</g>')
    if face.earrings:
        parts.append(
            '<g fill="#e8b73a"><circle cx="16.500" cy="37" r="1.700"/><circle cx="47.500" cy="37" r="1.700"/></g>'
        )
    return "".join(parts)


def _line(path: str, width: float) -> str:
    style = f'fill="none" stroke="{INK}" stroke-width="{width}" stroke-linecap="round"'
    return f'<path {style} d="{path}"/>'


def _animal(ground: str, ears: str, head: str, rest: str) -> str:
    round_head = f'<ellipse cx="32" cy="36" rx="19" ry="17" fill="{head}"/>'
    return f'<circle cx="32" cy="32" r="32" fill="{ground}"/>{ears}{round_head}{rest}'


def _pair(shape: str, fill: str) -> str:
    """A shape of the left half, and its mirror image."""
    mirror = '<g transform="matrix(-1 0 0 1 64 0)">'
    drawn = f'<path fill="{fill}" d="{shape}"/>'
    return f"{drawn}{mirror}{drawn}</g>"


EYED = _pair("M22.500 33a2.500 2.500 0 1 1 5 0 2.500 2.500 0 1 1-5 0z", INK)
NOSE = f'<path fill="{INK}" d="M28.500 40h7l-3.500 4z"/>' + _line(
    "M32 44v2M27 47c2 2 4 1 5-1 1 2 3 3 5 1", 1.4
)
WHISKERS = _line("M21 42l-8-2M21 45l-8 2M43 42l8-2M43 45l8 2", 1)
ANIMALS = {
    "fox": _animal(
        "#dcebd8",
        _pair("M14 32 13 8l15 12z", "#d9662b") + _pair("M16 24 16 14l7 6z", "#7a3516"),
        "#d9662b",
        _pair("M14 38c5-2 12 0 18 10v5c-9 0-16-6-18-15z", "#fff5ea") + EYED + NOSE,
    ),
    "cat": _animal(
        "#f4dfe6",
        _pair("M14 30 15 9l13 11z", "#7d7f88") + _pair("M17 23 17 15l6 5z", "#e9a9ae"),
        "#7d7f88",
        EYED + WHISKERS + NOSE,
    ),
    "owl": _animal(
        "#dfe3f3",
        _pair("M15 28 14 11l14 9z", "#7a5636"),
        "#7a5636",
        _pair("M14.500 33a9 9 0 1 1 18 0 9 9 0 1 1-18 0z", "#f6ead2")
        + _pair("M20 33a4 4 0 1 1 8 0 4 4 0 1 1-8 0z", INK)
        + '<path fill="#eda52f" d="M28.500 38h7L32 45z"/>',
    ),
    "bear": _animal(
        "#fbe6c4",
        _pair("M9 21a8 8 0 1 1 16 0 8 8 0 1 1-16 0z", "#8a5a35")
        + _pair("M13 21a4 4 0 1 1 8 0 4 4 0 1 1-8 0z", "#d9a97c"),
        "#8a5a35",
        '<ellipse cx="32" cy="44" rx="10" ry="8" fill="#d9a97c"/>' + EYED + NOSE,
    ),
    "rabbit": _animal(
        "#d5e9f3",
        _pair("M22 24C15 18 16 3 21 2s8 12 7 21z", "#efe9e2")
        + _pair("M22.500 20c-3-5-3-13-1-14s4 8 3 14z", "#eeb3b6"),
        "#efe9e2",
        EYED + NOSE,
    ),
    "frog": _animal(
        "#f7f0c9",
        _pair("M13 22a8 8 0 1 1 16 0 8 8 0 1 1-16 0z", "#5d9c45"),
        "#5d9c45",
        _pair("M16.500 21a4.500 4.500 0 1 1 9 0 4.500 4.500 0 1 1-9 0z", "#fff")
        + _pair("M19 21.500a2.200 2.200 0 1 1 4.400 0 2.200 2.200 0 1 1-4.400 0z", INK)
        + _line("M19 40c6 8 20 8 26 0", 1.8)
        + _pair("M29 35a1 1 0 1 1 2 0 1 1 0 1 1-2 0z", INK),
    ),
    "panda": _animal(
        "#d8ecdc",
        _pair("M9 20a8 8 0 1 1 16 0 8 8 0 1 1-16 0z", "#2c2c30"),
        "#f7f5ef",
        _pair("M19 34c-1-5 4-8 8-6 3 2 2 9-2 10-3 1-6-1-6-4z", "#2c2c30")
        + _pair("M23.500 33a2 2 0 1 1 4 0 2 2 0 1 1-4 0z", "#fff")
        + NOSE,
    ),
    "mouse": _animal(
        "#e9e0f4",
        _pair("M6 19a11 11 0 1 1 22 0 11 11 0 1 1-22 0z", "#a79b94")
        + _pair("M11 19a6 6 0 1 1 12 0 6 6 0 1 1-12 0z", "#eebfc0"),
        "#a79b94",
        EYED
        + WHISKERS
        + '<circle cx="32" cy="42" r="3" fill="#d9737a"/>'
        + _line("M28 48c3 2 5 2 8 0", 1.4),
    ),
}

ROBOT = (
    '<circle cx="32" cy="32" r="32" fill="#d9dee2"/>'
    '<path fill="#7b8791" d="M31 8h2v8h-2z"/><circle cx="32" cy="8" r="3" fill="#d9662b"/>'
    '<path fill="#7b8791" d="M8 64c0-9 9-13 24-13s24 4 24 13z"/>'
    '<rect x="14" y="16" width="36" height="32" rx="8" fill="#a9b4bd"/>'
    '<g fill="#fff"><circle cx="25" cy="30" r="5"/><circle cx="39" cy="30" r="5"/></g>'
    f'<g fill="{INK}"><circle cx="25" cy="30" r="2.200"/><circle cx="39" cy="30" r="2.200"/></g>'
    '<path fill="none" stroke="#33261f" stroke-width="2" d="M24 41h16M28 39v4M32 39v4M36 39v4"/>'
)


def sprite() -> str:
    """All faces as one file."""
    drawn = {**{name: person(face) for name, face in PEOPLE.items()}, **ANIMALS, "robot": ROBOT}
    symbols = "\n".join(
        f'<symbol id="{name}" viewBox="0 0 64 64"><g clip-path="url(#round)">{picture}</g></symbol>'
        for name, picture in drawn.items()
    )
    clip = '<clipPath id="round"><circle cx="32" cy="32" r="32"/></clipPath>'
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{clip}</defs>\n{symbols}\n</svg>\n'


if __name__ == "__main__":
    FILE.write_text(sprite(), "utf-8")
