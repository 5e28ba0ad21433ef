"""Records into a data frame: how deals end, and what the winner gains. With pandas.

python examples/records_frame.py [FOLDER] [GAMES]: plays games into FOLDER, and reads them.
"""

import sys
from pathlib import Path
from tempfile import mkdtemp

import pandas

import undercut
from undercut.play.events import Ended, Played

folder = Path(sys.argv[1] if len(sys.argv) > 1 else mkdtemp())
games = int(sys.argv[2]) if len(sys.argv) > 2 else 100
undercut.match("gin", "simple", "thrifty", games=games, seed=1, record=folder)

rows = []
for path in sorted(folder.glob("*.jsonl")):
    record = undercut.read_record(path)  # checks its digest and the order of its events
    turns = 0
    for event in record.events:
        if isinstance(event, Played) and event.action.startswith("discard"):
            turns += 1
        if isinstance(event, Ended):
            winner = max(range(2), key=event.points.__getitem__)
            rows.append(
                {
                    "game": path.stem,
                    "deal": event.deal,
                    "outcome": event.outcome,
                    "turns": turns,
                    "points": max(event.points),
                    "winner": record.header.players[winner] if any(event.points) else None,
                }
            )
            turns = 0

frame = pandas.DataFrame(rows)
print(frame.head())
print(frame.groupby("outcome")[["turns", "points"]].agg(["count", "mean"]).round(2))
print(frame["winner"].value_counts())

# Any moment of a record is a deal again.
deal = undercut.Deal.from_record(path, ply=10)
print(deal.view())
