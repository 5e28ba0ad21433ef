"""Every byte that is sent to pages in many games: does it tell anything of a hidden card?

All presets are played, by one person and by several, with the tests' own comparison: what a page is
sent must be, byte for byte, what it would be sent with the hidden cards dealt anew.
"""

import sys
import tempfile
from itertools import count
from pathlib import Path

from rich.progress import track

from measure import parser, report
from undercut.app.web import tables

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

GAMES: list[tuple[str, list[str], int]] = [  # what is played, by whom, and by how many people
    ("gin:target=30", ["beginner"], 1),
    ("gin:target=30", [], 2),
    ("distilled:target=20", ["casual"], 1),
    ("distilled+knock:target=20", [], 2),
    ("rummy:target=20", ["beginner"], 1),
    ("rummy-classic:target=20", [], 2),
    ("pharaoh:deals=2", ["beginner"], 1),
    ("pharaoh:deals=1,players=4", ["skilled", "casual"], 2),
    ("pharaoh:deals=1,players=3", [], 3),
    ("prsi:deals=2,players=3", ["beginner"], 2),
]
MOST = 500  # tables of a game that are compared


def main() -> None:
    """Play, and say how much was compared."""
    from overheard import overhear  # of the tests

    words = parser(__doc__)
    words.add_argument("--games", type=int, default=200)
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    seeds, compared = count(given.seed * 10**9), 0
    tables.new_secret = lambda: f"{next(seeds):064x}"
    for place in track(range(given.games), "listening"):
        game, opponents, people = GAMES[place % len(GAMES)]
        with tempfile.TemporaryDirectory() as folder:
            compared += overhear(Path(folder), game, opponents, people, MOST)
    values = {
        "games": (float(given.games), ""),
        "tables compared": (float(compared), ""),
        "that told something hidden": (0.0, ""),
    }
    report("What pages are sent", values, given.json)


if __name__ == "__main__":
    main()
