"""The tables of stored games, and the migrations of older versions."""

from collections.abc import Iterator

VERSION = 6  # of the tables below

TABLES = """
CREATE TABLE games (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    begun TEXT NOT NULL,
    touched TEXT NOT NULL,
    game TEXT NOT NULL,
    version INTEGER NOT NULL,
    players TEXT NOT NULL,
    seed INTEGER NOT NULL,
    training INTEGER NOT NULL,
    state TEXT NOT NULL,
    scores TEXT NOT NULL,
    deals TEXT NOT NULL DEFAULT '',
    pledge TEXT NOT NULL DEFAULT '',
    secret TEXT NOT NULL DEFAULT '',
    asks_all INTEGER NOT NULL DEFAULT 0,
    sequence INTEGER NOT NULL DEFAULT 0,
    entropy TEXT NOT NULL DEFAULT '',
    named TEXT NOT NULL DEFAULT ''
);
CREATE INDEX games_by_sequence ON games (sequence);
CREATE TABLE entries (
    game INTEGER NOT NULL REFERENCES games(number) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    seat INTEGER NOT NULL,
    text TEXT NOT NULL,
    chance INTEGER NOT NULL,
    PRIMARY KEY (game, place)
) WITHOUT ROWID;
"""
_REVIEWS = """
CREATE TABLE reviews (
    game INTEGER PRIMARY KEY REFERENCES games(number) ON DELETE CASCADE,
    data TEXT NOT NULL
);
CREATE TABLE boxes (
    game INTEGER NOT NULL REFERENCES games(number) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    box INTEGER NOT NULL,
    due TEXT NOT NULL,
    PRIMARY KEY (game, ply)
) WITHOUT ROWID;
"""
_READINGS = """
CREATE TABLE readings (
    game INTEGER NOT NULL REFERENCES games(number) ON DELETE CASCADE,
    deal INTEGER NOT NULL,
    is_right INTEGER NOT NULL,
    is_likeliest_right INTEGER NOT NULL
);
CREATE INDEX readings_by_game ON readings (game);
"""
TABLES += _REVIEWS + _READINGS
_CHANGES = {
    1: (
        "ALTER TABLE games ADD COLUMN deals TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE games ADD COLUMN pledge TEXT NOT NULL DEFAULT ''",
    ),
    2: (
        "ALTER TABLE games ADD COLUMN secret TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE games ADD COLUMN asks_all INTEGER NOT NULL DEFAULT 0",
    ),
    3: (
        "ALTER TABLE games ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX games_by_sequence ON games (sequence)",
        "UPDATE games SET sequence = place FROM (SELECT number AS of, row_number()"
        " OVER (ORDER BY touched, number) AS place FROM games) WHERE number = of",
        "ALTER TABLE games ADD COLUMN entropy TEXT NOT NULL DEFAULT ''",
    ),
    4: ("ALTER TABLE games ADD COLUMN named TEXT NOT NULL DEFAULT ''", *_REVIEWS.split(";")),
    5: tuple(_READINGS.split(";")),
}
"""The statements that migrate each version to the next one."""


def changes_since(version: int) -> Iterator[str]:
    """The statements that migrate a version to the current one."""
    for each in range(version, VERSION):
        yield from _CHANGES[each]
