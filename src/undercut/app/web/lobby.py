"""What a lobby shows: games that can be begun, who plays them, and games that are kept."""

from msgspec import Struct

from undercut.cards.packs import Suit


class PackShown(Struct, frozen=True):
    """How cards are drawn."""

    name: str
    ranks: tuple[tuple[str, str], ...]
    suits: tuple[Suit, ...]
    names: dict[str, str]  # what the cards are called


class OptionOffered(Struct, frozen=True):
    """A rule that can be changed."""

    name: str
    low: float
    high: float
    value: float
    meaning: str


class LevelOffered(Struct, frozen=True):
    """An opponent, with the share of games it wins against the reference, if that was measured."""

    name: str
    title: str  # the name, in the language of the page
    about: str
    win_rate: float | None
    half: float | None  # half the 95 % interval


class AgentOffered(Struct, frozen=True):
    """An agent that can be sat down by its name, and by settings such as link=2."""

    name: str
    about: str
    settings: tuple[OptionOffered, ...]


class GameOffered(Struct, frozen=True):
    """A game that can be begun."""

    name: str
    title: str
    aim: tuple[str, ...]
    pack: PackShown
    goal: str
    seats: tuple[int, int]
    variants: tuple[str, ...]
    options: tuple[OptionOffered, ...]
    levels: tuple[LevelOffered, ...]
    usual: str  # whom one meets who names nobody
    agents: tuple[AgentOffered, ...]
    measured: str  # what the strengths are shares of


class GameKept(Struct, frozen=True):
    """A game in the store."""

    number: int
    touched: str
    game: str
    title: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    state: str
    training: bool
