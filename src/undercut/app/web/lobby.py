"""The data of a lobby: games to begin, their opponents, and stored games."""

from msgspec import Struct

from undercut.cards.packs import Suit


class PackShown(Struct, frozen=True):
    name: str
    ranks: tuple[tuple[str, str], ...]
    suits: tuple[Suit, ...]
    names: dict[str, str]  # of the cards


class OptionOffered(Struct, frozen=True):
    """A house rule or a setting."""

    name: str
    low: float
    high: float
    value: float
    meaning: str


class LevelOffered(Struct, frozen=True):
    """A level, with its measured share of games won against the reference, if any."""

    name: str
    title: str  # the name, in the language of the page
    about: str
    win_rate: float | None
    half: float | None  # half the 95 % interval


class AgentOffered(Struct, frozen=True):
    """An agent that a page may name, with settings such as link=2."""

    name: str
    about: str
    settings: tuple[OptionOffered, ...]


class GameOffered(Struct, frozen=True):
    name: str
    title: str
    aim: tuple[str, ...]
    pack: PackShown
    goal: str
    seats: tuple[int, int]
    variants: tuple[str, ...]
    options: tuple[OptionOffered, ...]
    levels: tuple[LevelOffered, ...]
    usual: str  # the default opponent
    agents: tuple[AgentOffered, ...]
    measured: str  # the reference of the win rates


class GameKept(Struct, frozen=True):
    number: int
    touched: str
    game: str
    title: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    state: str
    training: bool
