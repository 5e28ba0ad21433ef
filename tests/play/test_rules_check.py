"""play/rules_check.py: each thing that can be wrong with a game's rules is named in a sentence."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from duel import rules as duel
from duel.family import FAMILY
from duel.text import DuelText
from undercut.games.contract import Family, Game
from undercut.games.families import all_families, parse_game
from undercut.play import rules_check
from undercut.play.deal import Deal
from undercut.play.rules_check import RulesCheck, find_missing
from undercut.text.errors import RulesError

pytestmark = pytest.mark.interpreted  # wrong kernels are plain functions


def changed(**members: Any) -> Any:
    """The rules of Duel with other members; None takes one away."""
    rules = ModuleType("wrong")
    rules.__file__ = duel.__file__
    vars(rules).update({**vars(duel), **members})
    for name in [name for name, member in members.items() if member is None]:
        delattr(rules, name)
    return rules


def problems(game: Game, seed: int = 1) -> Iterator[str]:
    for check in RulesCheck(game, seed).checks.values():
        try:
            check()
        except RulesError as error:
            yield str(error)
            return


def game_of(rules: Any, notation: Any = None) -> Game:
    family = replace(FAMILY, rules=rules, notation=notation or FAMILY.notation)
    return Game("duel", family, duel.Options(hand=4), 2)


@pytest.mark.parametrize("family", [*all_families()], ids=lambda family: family.name)
def test_nothing_is_wrong_with_the_games_there_are(
    family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_check, "_VIEWS", 100)
    assert find_missing(family.rules) == []
    assert [*problems(parse_game(family.measured_at))] == []


# Members


def takes_too_little(state: Any, action: int) -> None: ...


MEMBERS = {
    "score is gone": ({"score": None}, "duel/rules.py: score(state, options, out) is missing: Wri"),
    "LEGAL is gone": ({"LEGAL": None}, "duel/rules.py: LEGAL is missing; see Rules in games/con"),
    "apply is short": (
        {"apply": takes_too_little},
        "apply takes (state, action), but is called as apply(state, options, action)",
    ),
    "no hands": (
        {"STATE": np.dtype([("deck", "i1", 56), ("seat", "i8")])},
        "STATE has no field `hands`; it needs deck, hands, seat",
    ),
    "odd size": (
        {"VIEW": np.dtype([("me", "i1"), ("seat", "i1"), ("scores", "i1")])},
        "VIEW takes 3 bytes: give it align=True and a field of 8 bytes",
    ),
    "seats": ({"SEATS": (1, 9)}, "SEATS is (1, 9): from 2 to 8, the fewest players first"),
    "players": ({"SEATS": (2, 4)}, "SEATS is (2, 4): Options needs the field `players`"),
    "few actions": ({"ACTIONS": 5}, "LEGAL is 13 and ACTIONS is 5: LEGAL is from 1 to ACTIONS"),
    "many counts": ({"TALLY": ("a",) * 17}, "TALLY has 17 names: at most 16"),
    "preset's name": ({"PRESETS": {"due": duel.Options()}}, "PRESETS has no 'duel'"),
    "a limit": (
        {"PRESETS": {"duel": duel.Options(hand=14)}},
        "PRESETS['duel'].hand is 14: from 2 to 13",
    ),
    "a problem": (
        {"find_problem": lambda options: "too few"},
        "PRESETS['duel'] cannot be played: find_problem says 'too few'",
    ),
    "variants": ({"VARIANTS": {"dual": {}}}, "VARIANTS has 'dual', which is not in PRESETS"),
}


@pytest.mark.parametrize("name", MEMBERS)
def test_what_is_missing_is_listed(name: str) -> None:
    members, said = MEMBERS[name]
    found = find_missing(changed(**members))
    assert any(said in each for each in found), found


# Kernels

Wrong = Callable[..., Any]
KERNELS: dict[str, tuple[str, str]] = {}  # the name of a wrong kernel: the member, what is said
FUNCTIONS: dict[str, Wrong] = {}


def wrong(member: str, said: str) -> Callable[[Wrong], Wrong]:
    def keep(function: Wrong) -> Wrong:
        KERNELS[function.__name__] = member, said
        FUNCTIONS[function.__name__] = function
        return function

    return keep


@wrong("legal", "legal: returns 0 though is_over says that the deal goes on (after 6 actions")
def stops_early(state: Any, options: Any, out: Any) -> int:
    return duel.legal(state, options, out) if int(state.played).bit_count() < 6 else 0


@wrong("legal", "legal: returns 1 though the deal is over: it must return 0 (after 8 actions")
def goes_on(state: Any, options: Any, out: Any) -> int:
    return max(1, duel.legal(state, options, out))


@wrong("legal", "legal: lists an action twice: [")
def lists_twice(state: Any, options: Any, out: Any) -> int:
    count = duel.legal(state, options, out)
    out[count] = out[0]
    return count + (count > 0)


@wrong("legal", "legal: lists 20 actions, more than LEGAL = 13")
def lists_many(state: Any, options: Any, out: Any) -> int:
    if not duel.legal(state, options, out):
        return 0
    out[:20] = range(20)
    return 20


@wrong("legal", "actions are from 0 to ACTIONS - 1 = 51")
def lists_strange(state: Any, options: Any, out: Any) -> int:
    count = duel.legal(state, options, out)
    out[0] = 52
    return count


@wrong("legal", "legal: changes the state (`starter`: ")
def changes_state(state: Any, options: Any, out: Any) -> int:
    state.starter = 1 - state.starter
    return duel.legal(state, options, out)


@wrong("apply", "is_over: a deal is not over after 10,000 actions")
def does_nothing(state: Any, options: Any, action: int) -> None:
    pass


@wrong("apply", "apply: a card is in two hands; `hands` is [")
def doubles(state: Any, options: Any, action: int) -> None:
    duel.apply(state, options, action)
    state.hands[0] |= state.hands[1] & -state.hands[1]


@wrong("deal", "deal: all seeds deal the same cards: shuffle with `generator`")
def deals_alike(state: Any, options: Any, generator: Any, starter: int, scores: Any) -> None:
    state.deck[:] = range(52)
    duel.begin(state, options, starter, scores)


@wrong("deal", "deal: the deck does not have every card once")
def deals_few(state: Any, options: Any, generator: Any, starter: int, scores: Any) -> None:
    duel.deal(state, options, generator, starter, scores)
    state.deck[0] = state.deck[1]


@wrong("begin", "begin: it does not write all of the state; seat ")
def forgets_card(state: Any, options: Any, starter: int, scores: Any) -> None:
    card = state.card
    duel.begin(state, options, starter, scores)
    if card > 0:
        state.card = card


@wrong("score", "score: [-3, 0]: writes every seat's, none below 0 (after 8 actions")
def below_nothing(state: Any, options: Any, out: Any) -> None:
    out[0], out[1] = -3, 0


@wrong("score", "-77]: writes every seat's, none below 0")
def scores_one(state: Any, options: Any, out: Any) -> None:
    out[0] = 1


@wrong("tally", "tally: writes more counts than the 0 of TALLY")
def counts_more(state: Any, options: Any, gained: Any, counts: Any) -> None:
    counts[0] += 1


@wrong("next_starter", "next_starter: returns 2: from 0 to 1")
def third_starts(state: Any, options: Any) -> int:
    return 2


@wrong("first_starter", "first_starter: returns -1: a seat is from 0 to 1")
def nobody_starts(options: Any, seats: int, generator: Any) -> int:
    return -1


@wrong("observe", "observe: leaves old values in the view, `played`: 0 and 6148914691236517205: ")
def forgets_played(state: Any, options: Any, me: int, view: Any) -> None:
    played = view.played
    duel.observe(state, options, me, view)
    view.played = played


@wrong("observe", "observe: changes the state, `starter`: ")
def moves_starter(state: Any, options: Any, me: int, view: Any) -> None:
    duel.observe(state, options, me, view)
    state.starter = 1 - state.starter


@wrong("observe", "observe: `me` is the seat that looks, `seat` the one on turn, not 0, ")
def always_first(state: Any, options: Any, me: int, view: Any) -> None:
    duel.observe(state, options, me, view)
    view.me = 0


@wrong("observe", "has one event log of two deals, but sees `starter`: ")
def shows_a_card(state: Any, options: Any, me: int, view: Any) -> None:
    """The rank of a card in the other hand."""
    duel.observe(state, options, me, view)
    view.starter = int(state.hands[1 - me]).bit_length()


@wrong("complete", "complete: the position looks different to seat ")
def forgets_trick(view: Any, options: Any, generator: Any, state: Any) -> None:
    duel.complete(view, options, generator, state)
    state.card = -1


@wrong("complete", "complete: changes the view, `hand`: ")
def changes_view(view: Any, options: Any, generator: Any, state: Any) -> None:
    duel.complete(view, options, generator, state)
    view.hand = 0


@wrong("complete", "complete: makes one position of a view: the rest comes from `generator`")
def always_alike(view: Any, options: Any, generator: Any, state: Any) -> None:
    state.deck[:] = 0
    seen = int(view.hand) | int(view.played)
    hidden = [card for card in range(52) if not seen >> card & 1]
    duel._copy_public(view, state)
    state.deck[52 - len(hidden) :] = hidden
    other = options.hand - (int(view.played).bit_count() + (view.me == view.seat)) // 2
    state.hands[view.me] = view.hand
    state.hands[1 - view.me] = sum(1 << card for card in hidden[:other])


@wrong("legal", "its view must decide")
def looks_at_the_other(state: Any, options: Any, out: Any) -> int:
    count = duel.legal(state, options, out)
    other = int(state.hands[1 - state.seat])
    return min(count, 1) if other & 0xFFFFFFF > other >> 28 else count


@pytest.mark.parametrize("name", KERNELS)
def test_a_wrong_kernel_is_named(name: str) -> None:
    member, said = KERNELS[name]
    function = FUNCTIONS[name]
    rules = changed(**{member: function})
    if member == "begin":  # which `deal` calls by its own name
        rules.deal = duel.deal
    (found,) = problems(game_of(rules))
    assert said in found, found
    assert "\n" not in found
    if f"{member}: " in said:
        assert f"test_rules_check.py, line {function.__code__.co_firstlineno}: " in found


class NoSuits(DuelText):
    def format_action(self, action: int) -> str:
        return super().format_action(action % 13)


class OffByOne(DuelText):
    def parse_action(self, text: str) -> int:
        return super().parse_action(text) + 1


@pytest.mark.parametrize("text", [NoSuits, OffByOne])
def test_text_that_does_not_read_back_is_named(text: Any) -> None:
    (found,) = problems(game_of(duel, text(duel)))
    assert found.startswith("parse_action reads 'play "), found


@pytest.mark.parametrize(
    ("legal", "said"),
    [
        (stops_early, "duel: legal lists 0 actions though the deal is not over: it must list some"),
        (goes_on, "duel: legal lists 1 actions though the deal is over: it must return 0 then"),
    ],
)
def test_a_deal_stops_where_the_rules_contradict_themselves(legal: Wrong, said: str) -> None:
    game = game_of(changed(legal=legal))
    deal: Deal = Deal(game, seed=1)

    def play() -> None:
        while not deal.is_over:
            deal.apply(deal.actions[0])

    with pytest.raises(RulesError, match=said):
        play()
