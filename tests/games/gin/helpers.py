"""Gin for the contract tests."""

from random import Random
from typing import Any

from cards.hands import rich_deck
from cards.reference.cards import PACK
from games.gin.positions import gin_view_in_words
from games.gin.reference.rules import Deal
from helpers import Helpers
from positions import Table
from undercut.cards.french import each
from undercut.games.contract import Game
from undercut.games.gin.rules import deal as gin

ODD = [
    "gin:face_points=13",
    "gin:eaai_auto_layoff=1",
    "gin:layoffs=0",
    "gin:knock_face_down=1",
    "oklahoma:face_points=13",
    "gin:knock_limit=99",
    "gin:void_stock=0",
    "gin:void_stock=30,void_alternates=1",
    "gin:max_discard_takes=1",
    "gin:upcard=0,automatic_gin=1",
    "gin:gin_bonus=0,undercut_bonus=7",
    "distilled+knock:face_points=13,knock_limit=30",
    "distilled+upcard+knock:knock_face_down=1,eaai_auto_layoff=1,max_discard_takes=3",
]

COMBINED = [
    "gin:face_points=13,knock_limit=20,eaai_auto_layoff=1",
    "gin:knock_limit=4,gin_bonus=31,undercut_bonus=1",
    "oklahoma:automatic_gin=1",
    "gin:max_discard_takes=4",
    "gin:automatic_gin=1",
    "gin:upcard=0",
    "distilled:face_points=13",
    "distilled+knock:layoffs=0",
]


def _stock(state: Any) -> list[int]:
    return state["deck"][int(state["used"]) :].tolist()


def _cards(state: Any) -> list[int]:
    """Both hands, the discard pile and what is left of the stock."""
    hands = [card for seat in (0, 1) for card in each(state["hands"][seat])]
    return [*hands, *each(state["pile"]), *_stock(state)]


def _check(state: Any) -> None:
    """Hand sizes add up, and melds have only cards of the hands."""
    holding = gin.Phase(int(state["phase"])) == gin.Phase.DISCARD
    for seat in (0, 1):
        hand = int(state["hands"][seat])
        assert hand.bit_count() == 10 + (holding and seat == state["seat"])
        assert int(state["melded"][seat]) & ~hand == 0
        assert int(state["shown"][seat]) & ~(hand | int(state["pile"])) == 0
    on_table = [int(meld) for melds in state["melds"] for meld in melds]
    if any(on_table):
        assert sum(on_table) == int(state["melded"][0]) | int(state["melded"][1])
    assert sum(meld.bit_count() for meld in on_table) == sum(on_table).bit_count()
    upcard = int(state["upcard"])
    assert upcard < 0 or int(state["pile"]) >> upcard & 1


def _one_scores(game: Game, points: list[int]) -> bool:
    return min(points) == 0


def _is_often_won(game: Game) -> bool:
    """Random play seldom makes gin, and a deal that allows few takes is often void."""
    options = game.options
    limit = 4 if options.oklahoma else options.knock_limit
    return options.knock and limit >= 4 and options.max_discard_takes > 3


def _lively(actions: list[int]) -> list[list[int]]:
    """Knocks as soon as they are noticed; melds are laid down."""
    knocks = [action for action in actions if gin.KNOCK <= action < gin.DRAW]
    melds = [action for action in actions if action >= gin.MELD]
    return [knocks or actions, melds or knocks or actions]


def _replay(
    twin: Table, actions: list[int], places: dict[int, int], seat: int, random: Random
) -> bool:
    """As `_replay`, but a knock card put face down may be a card that was never seen."""
    is_spreading = any(map(_is_knock, actions)) and gin.DONE not in actions
    for action in actions:
        legal = twin.actions()
        if _is_knock(action):
            action = gin.KNOCK + places.get(action - gin.KNOCK, action - gin.KNOCK)
            if twin.game.options.knock_face_down and twin.seat != seat and is_spreading:
                # Nobody has seen the knocker's cards yet: he may have put down any of them.
                action = random.choice([*filter(_is_knock, legal)] or [action])
        if action not in legal:
            return False
        twin.apply(action)
    return True


def _is_knock(action: int) -> bool:
    return gin.KNOCK <= action < gin.DRAW


HELPERS = Helpers(
    cards=_cards,
    stock=_stock,
    are_possible=_one_scores,
    lively=_lively,
    usual=("simple", "thrifty"),
    check=_check,
    compiled_often=(
        "rules.view._copy_public",  # for states and views
        "players.network.encoding.lay_down",  # for networks of two sizes
    ),
    odd=ODD,
    combined=COMBINED,
    of_a_match={"target", "first_starter"},
    is_often_won=_is_often_won,
    names=PACK,
    slow=Deal,
    in_words=gin_view_in_words,
    rich_deck=rich_deck,
    replay=_replay,
)
