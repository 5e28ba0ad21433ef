"""A Gin player that searches: docs/evaluator.md has its strength."""

from undercut.players.search.champion import ChampionEntry

AGENT = ChampionEntry(
    "Plays as blueprint does, unless another move is better on many deals that fit all that is known."
)
