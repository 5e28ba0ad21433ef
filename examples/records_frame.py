"""Records into a data frame: a row for each decision. With pandas.

python examples/records_frame.py [FOLDER] [GAMES]: plays games into FOLDER, and reads them.
"""

import sys
from pathlib import Path
from tempfile import mkdtemp

import undercut
from undercut.adapters.decision_table import to_dataframe

folder = Path(sys.argv[1] if len(sys.argv) > 1 else mkdtemp())
games = int(sys.argv[2]) if len(sys.argv) > 2 else 100
undercut.match("gin", "thrifty", "simple", games=games, seed=1, record=folder)

frame = to_dataframe([folder])  # docs/records.md says what its columns are
print(frame[["match", "deal", "ply", "player", "hand", "action"]].head())

# How deals end, and what they bring: the last decision of each deal knows.
ends = frame.groupby(["match", "deal"]).last()
print(ends.groupby("outcome")["ply"].count())

# How often does each player take the upcard where it may?
offers = frame[[("take" in legal) for legal in frame["legal"]]]
print((offers["action"] == "take").groupby(offers["player"]).mean().round(3))

# Any decision is a position again: what would another agent have done there?
row = frame.iloc[10]
deal = undercut.Deal.from_position(row["position"])
asked = undercut.agent("patient", deal.game).act(deal.view())
print(f"{row['player']} played {row['action']!r}, patient would play {asked!r}")
