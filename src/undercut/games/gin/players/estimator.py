"""The paper's player with the paper's network: it guesses the other hand from how it was played."""

from typing import NamedTuple

from undercut.games.gin.players.belief.entry import NetworkEntry
from undercut.games.gin.players.belief.estimate import WORDS, estimate
from undercut.games.gin.players.belief.network import Weights
from undercut.games.gin.players.strategy import thinking
from undercut.games.gin.players.strategy.parts import NETWORK
from undercut.games.gin.players.strategy.reasoning import give_reasons
from undercut.kernels.jit import specialise
from undercut.text.spec import join_fields


class Network(NamedTuple):
    """What it guesses with."""

    weights: Weights | None = None  # put in by `NetworkEntry.make`


Settings = join_fields("Settings", thinking.Settings, Network)

REMEMBER = 1  # of both settings that follow: whether cards seen being taken are known to be held
PRINTED = Settings(remember=REMEMBER)
"""With the numbers that the paper prints."""
PUBLISHED = Settings(**thinking.PUBLISHED._asdict())._replace(remember=REMEMBER)
"""With those of the agent that its authors published: with these the paper's results are reached."""

choose = specialise(
    thinking.template,
    "network",
    estimate=estimate,
    copy_settings=specialise(thinking.copy_settings, "network"),
)

AGENT = NetworkEntry(
    "The paper's final player: as published, but guesses the other hand with a trained "
    "network, model=FILE.",
    choose,
    PUBLISHED,
    thinking.WORKSPACE + WORDS,
    NETWORK,
    presets={"printed": PRINTED, "published": PUBLISHED},
    reasons=give_reasons,
)
