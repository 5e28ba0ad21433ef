"""The data of a lobby: games to begin, their opponents, and stored games."""

from msgspec import Struct

from undercut.cards.packs import Suit


class PackShown(Struct, frozen=True):
    name: str
    ranks: tuple[tuple[str, str], ...]
    suits: tuple[Suit, ...]
    names: dict[str, str]  # of the cards


class OptionOffered(Struct, frozen=True):
    """A setting of an agent."""

    name: str
    low: float
    high: float
    value: float
    meaning: str


class NeedOffered(Struct, frozen=True):
    """If a house rule gets `value`, then `option` must be `then`."""

    value: float
    option: str
    then: float


class RuleOffered(Struct, frozen=True):
    """A house rule: a switch from 0 to 1, a number, or a choice between values with names."""

    name: str
    low: float
    high: float
    value: float  # the usual one
    words: str
    example: str
    choices: tuple[tuple[float, str], ...]
    needs: tuple[NeedOffered, ...]


class GroupOffered(Struct, frozen=True):
    title: str
    rules: tuple[RuleOffered, ...]


class VariantOffered(Struct, frozen=True):
    name: str
    about: str


class CharacterOffered(Struct, frozen=True):
    """The name, the face and the line of an opponent."""

    name: str
    face: str
    line: str = ""


class LevelOffered(Struct, frozen=True):
    """A level, with its measured share of games won against the reference, if any."""

    name: str
    title: str  # the name, in the language of the page
    about: str
    stars: float  # of five; 0 if nobody knows
    character: CharacterOffered
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
    about: str
    aim: tuple[str, ...]
    pack: PackShown
    goal: str
    seats: tuple[int, int]
    variants: tuple[VariantOffered, ...]
    length: tuple[RuleOffered, ...]  # the rule for the length of a match, if there is one
    house: tuple[GroupOffered, ...]
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
    faces: tuple[str, ...]  # "" for people
    seat: int  # of the owner
    scores: tuple[int, ...]
    state: str
    training: bool
