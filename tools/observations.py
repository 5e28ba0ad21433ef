"""Write the tables of docs/observations.md from the code: python tools/observations.py"""

from pathlib import Path

from undercut.games.contract import Game
from undercut.games.families import all_families, parse_game
from undercut.players.encoding import encoding_of
from undercut.players.observation import Observation

PAGE = Path(__file__).parents[1] / "docs" / "observations.md"
BEGIN = "<!-- from here on written by tools/observations.py -->"


def page() -> str:
    """The page, with all that follows the line BEGIN made anew."""
    before = PAGE.read_text(encoding="utf-8").partition(BEGIN)[0]
    parts = [before.rstrip(), "", BEGIN, ""]
    for family in all_families():
        if family.encoding:
            game = parse_game(family.name)
            encoding = encoding_of(game)
            whole, short = Observation(game).size, Observation(game, short=True).size
            parts += [f"## {family.name.capitalize()}, version {encoding.version}", ""]
            parts += [f"{whole} numbers" + (f", {short} of them short." if short < whole else ".")]
            parts += ["", format_layout(game), ""]
    return "\n".join(parts).rstrip() + "\n"


def format_layout(game: Game) -> str:
    """The pieces of a game's observations, as a table for people."""
    lines = ["| from | to | piece | what it says |", "|---|---|---|---|"]
    for span in Observation(game).pieces:
        lines.append(f"| {span.first} | {span.end - 1} | `{span.name}` | {span.about} |")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
