"""Pharaoh and Prší the slow way: the formal specification as data, and a small reader of it.

A state is a dictionary of the specification's own names: DP and ST are lists of cards (the top of
DP and the next card of ST are last), LP a list of hands, LP_MC, ace, suit, val, cnt, i and mc as
there. A card is (suit, value). Each line of RULES and MECHANICS is a line of the specification, its
antecedent and its consequent written as Python. `decided` names the line of the table of gaps
(docs/rules/pharaoh.md) where the text is read otherwise than it stands.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

SUITS = ["hearts", "bells", "acorns", "leaves"]
VALUES = ["VII", "VIII", "IX", "X", "under", "over", "king", "ace"]
PACK = [(suit, value) for value in VALUES for suit in SUITS]
LETTERS = dict(zip(SUITS, "HBCL", strict=True)) | dict(zip(VALUES, "789XUOKA", strict=True))
FARAON = ("leaves", "under")

Card = tuple[str, str]
Spec = dict[str, Any]

# (what the text says, antecedent, which gap decides what is added)
RULES: list[tuple[str, str, int]] = [
    ("match suit", "ace == 0 and cnt == 1 and suit == Cn[0][0]", 6),
    ("match value", "ace == 0 and cnt == 1 and val == v", 5),
    ("over goes onto anything", "ace == 0 and cnt == 1 and v == 'over'", 21),
    (
        "everything goes onto (leaves, under)",
        "leaves_under and val == 'under' and suit == 'leaves'",
        20,
    ),
    (
        "only ace can be played after an ace was played",
        "ace >= 1 and v == 'ace' and aces_stack",
        13,
    ),
    (
        "(leaves, under) goes onto everything if ace wasn't played previously",
        "leaves_under and ace == 0 and Cn[0] == ('leaves', 'under')",
        18,
    ),
    ("VII answers VII", "ace == 0 and cnt > 1 and v == 'VII'", 10),
    ("house rule: over onto a VII or an ace that counts", "over_on_active and v == 'over'", 21),
]

# (text of the specification, antecedent, changed fields and values, gap); n == 0 is a draw.
MECHANICS: list[tuple[str, str, dict[str, str], int]] = [
    ("() -> ace = max(0, ace - 1)", "True", {"ace": "max(0, ace - 1)"}, 12),
    ("Cn[val] == ace -> ace += n + 1", "n and v == 'ace'", {"ace": "ace + n"}, 12),
    ("who is skipped draws nothing", "ace > 0", {"cnt": "0"}, 11),
    ("the last skip is served", "ace == 0 and cnt == 0", {"cnt": "1"}, 26),
    (
        "Cn[0] == (leaves, under) -> cnt = 1",
        "n and leaves_under and Cn[0] == ('leaves', 'under')",
        {"cnt": "1"},
        17,
    ),
    ("(ace == 0 & Cn == empty) -> cnt = 1", "ace == 0 and n == 0", {"cnt": "1"}, 26),
    ("Cn[val] == over -> suit = c", "n and v == 'over'", {"suit": "c"}, 22),
    ("Cn[val] != over -> suit = Cn[suit]", "n and v != 'over'", {"suit": "Cn[-1][0]"}, 7),
    ("() -> val = Cn[val]", "n", {"val": "v"}, 27),
    (
        "Cn[val] == VII -> cnt = 3 * N if cnt == 1 else cnt + 3 * n",
        "n and v == 'VII'",
        {"cnt": "seven_cards * n if cnt == 1 else cnt + seven_cards * n"},
        9,
    ),
    ("four are burned", "n == 4 and quads and not quad_effects", {"ace": "0", "cnt": "1"}, 15),
]


def _compile(line: str) -> Any:
    return compile(line, line, "eval")


_RULES = [_compile(antecedent) for _, antecedent, _ in RULES]
_MECHANICS = [
    (_compile(antecedent), [(name, _compile(value)) for name, value in changes.items()])
    for _, antecedent, changes, _ in MECHANICS
]


def format_card(card: Card) -> str:
    return LETTERS[card[1]] + LETTERS[card[0]]


CARDS = {format_card(card): card for card in PACK}


def format_move(cards: tuple[Card, ...], suit: str | None) -> str:
    text = " ".join(["play", *(format_card(card) for card in cards)])
    return text if suit is None else f"{text} suit {suit}"


def initial(deck: list[Card], starter: int, rules: dict[str, int]) -> Spec:
    """The predefined initial state, from a deck whose first card is dealt first."""
    players = rules["players"]
    each = max(h for h in range(1, rules["deal"] + 1) if 32 - players * h >= 5)
    deck = list(deck)
    hands: list[set[Card]] = [set() for _ in range(players)]
    for number in range(players):
        hands[(starter + number) % players] = {deck.pop(0) for _ in range(each)}
    top = deck.pop(0)
    state = {
        "DP": [top],
        "ST": deck[::-1],
        "LP": hands,
        "LP_MC": [-1] * players,
        "ace": 0,
        "suit": top[0],
        "val": top[1],
        "cnt": 1,
        "i": starter,
        "mc": 0,
        # what the text needs besides: idle moves, who went out last, and how the deal ended
        "idle": 0,
        "just_out": None,
        "outcome": "none",
    }
    if rules["upcard_effects"]:
        if top[1] == "VII":
            state["cnt"] = rules["seven_cards"]
        if top[1] == "ace":
            state["ace"], state["cnt"] = 1, 0
    return state


def copy(state: Spec) -> Spec:
    """The same state, to be changed on its own."""
    lists = {name: list(state[name]) for name in ("DP", "ST", "LP_MC")}
    return state | lists | {"LP": [set(hand) for hand in state["LP"]]}


def tuples_of(hand: set[Card], most: int) -> list[tuple[Card, ...]]:
    """Every ordered tuple of one to four cards of one value."""
    found: list[tuple[Card, ...]] = []
    for value in VALUES:
        same = sorted(card for card in hand if card[1] == value)
        for length in range(1, min(most, len(same)) + 1):
            found += permutations(same, length)
    return found


def legal(state: Spec, rules: dict[str, int]) -> set[str]:
    """The texts of all moves that some rule allows."""
    if state["outcome"] != "none":
        return set()
    can_draw = state["ace"] == 0 and (state["ST"] or len(state["DP"]) > 1)
    moves = {"draw" if can_draw else "pass"}
    names = rules | state
    for cards in tuples_of(state["LP"][state["i"]], rules["most_cards"]):
        names["Cn"], names["v"] = cards, cards[0][1]
        if any(eval(antecedent, {}, names) for antecedent in _RULES):
            suits = SUITS if cards[0][1] == "over" else [None]
            moves |= {format_move(cards, suit) for suit in suits}
    return moves


def take(state: Spec, seat: int, wanted: int, shuffled: list[Card]) -> int:
    """Draw cards; `shuffled` is the order in which the pile comes out when it must be shuffled."""
    taken = 0
    while taken < wanted:
        if not state["ST"]:
            if len(state["DP"]) == 1:
                break
            assert sorted(shuffled) == sorted(state["DP"][:-1])
            state["ST"], state["DP"] = list(shuffled), state["DP"][-1:]
        state["LP"][seat].add(state["ST"].pop())
        taken += 1
    return taken


def play(state: Spec, rules: dict[str, int], text: str, shuffled: list[Card]) -> Spec:
    """The state after a move: the consequent of its rule, then the mechanics."""
    state = copy(state)
    me, hand = state["i"], state["LP"][state["i"]]
    words = text.split()
    named = words[words.index("suit") + 1] if "suit" in words else None
    cards = tuple(CARDS[word] for word in words[1:] if word not in ("suit", named))
    taken = 0
    if not cards:
        wanted = 0 if state["ace"] else state["cnt"]
        taken = take(state, me, wanted, shuffled)
    else:
        state["DP"] += cards
        hand -= set(cards)
    state["idle"] = 0 if cards or taken else state["idle"] + 1

    names = rules | state
    names |= {"Cn": cards, "n": len(cards), "v": cards[0][1] if cards else None, "c": named}
    for antecedent, changes in _MECHANICS:
        if eval(antecedent, {}, names):
            for name, value in changes:
                state[name] = names[name] = eval(value, {}, names)

    # House rule: the heart VII brings back a player who is just out.
    back = state["just_out"]
    is_heart = ("hearts", "VII") in cards and rules["heart_seven_returns"]
    if back is not None and is_heart and state["cnt"] > 1:
        take(state, back, state["cnt"], shuffled)
        state["cnt"] = 1
        state["LP_MC"][back] = -1
    state["just_out"] = None
    if cards and not hand:
        state["LP_MC"][me] = state["mc"]
        state["just_out"] = me
    state["mc"] += 1
    end(state, rules)
    again = len(cards) == 4 and rules["quads"] and hand
    if state["outcome"] == "none" and not again:
        # len(Cn) != 4 -> i = (i + 1) % #LP, players who are out left out (gaps 14, 16)
        state["i"] = (me + 1) % len(state["LP"])
        while not state["LP"][state["i"]]:
            state["i"] = (state["i"] + 1) % len(state["LP"])
    return state


def end(state: Spec, rules: dict[str, int]) -> None:
    """Game ends, when only one player has remaining card(s) on his hand."""
    holding = sum(1 for hand in state["LP"] if hand)
    over = holding <= 1 or (rules["first_out_wins"] and holding < rules["players"])
    waits = rules["heart_seven_returns"] and state["just_out"] is not None and holding
    if over and not waits:
        state["outcome"] = "out"
    elif state["idle"] >= rules["stop_rounds"] * rules["players"]:
        state["outcome"] = "stop"
    elif state["mc"] >= rules["max_moves"]:
        state["outcome"] = "limit"


def places(state: Spec, rules: dict[str, int]) -> list[int]:
    """Each seat's place, the better one for those who share it."""
    ranks: list[tuple[int, int]] = []
    for hand, out_at in zip(state["LP"], state["LP_MC"], strict=True):
        if out_at >= 0:
            ranks.append((0, out_at))
        else:
            ranks.append((1, 0 if state["outcome"] == "out" else len(hand)))
    return [1 + sum(other < rank for other in ranks) for rank in ranks]


def points(state: Spec, rules: dict[str, int]) -> list[int]:
    """Two points for each player behind, one for each with the same place."""
    ranks = places(state, rules)
    return [sum(2 * (other > own) + (other == own) for other in ranks) - 1 for own in ranks]
