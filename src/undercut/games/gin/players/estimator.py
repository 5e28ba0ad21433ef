"""The paper's player with the paper's network, which infers the other hand from its actions."""

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
    """The belief network."""

    weights: Weights | None = None  # set by `NetworkEntry.make`


Settings = join_fields("Settings", thinking.Settings, Network)

REMEMBER = 1  # for both settings below: cards that the other seat took are known
PRINTED = Settings(remember=REMEMBER)
"""The settings printed in the paper."""
PUBLISHED = Settings(**thinking.PUBLISHED._asdict())._replace(remember=REMEMBER)
"""The settings of the authors' published agent, which reproduce the paper's results."""

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
