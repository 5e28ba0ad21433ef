"""A tournament with a plot: everybody against everybody over the same deals.

python examples/tournament_plot.py [PICTURE] [GAMES]
"""

import sys
from pathlib import Path

import undercut

picture = Path(sys.argv[1] if len(sys.argv) > 1 else "tournament.png")
games = int(sys.argv[2]) if len(sys.argv) > 2 else 2000

standings = undercut.tournament("gin", "random", "simple", "patient", games=games, seed=1)
print(standings)

frame = standings.to_dataframe()  # with pandas
print(frame[["agent", "elo", "win_rate", "win_rate_low", "win_rate_high"]].round(3))

standings.plot(picture)
print("drawn:", picture)
