"""Rummy games: rules, players, tournaments. Import what you need from the subpackages."""

__version__ = "0.1.0"
