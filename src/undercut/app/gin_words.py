"""What a person types at a gin table, read as an action."""

from undercut.core.cards import format_card, parse_card, parse_cards
from undercut.core.errors import NotationError
from undercut.games.gin_text import format_action, parse_action

HELP = (
    ("d, draw", "draw from the stock"),
    ("t, take", "take the upcard"),
    ("p, pass", "leave the first upcard"),
    ("8h", "throw that card: a rank of A 2 ... 9 T J Q K, then a suit:"),
    ("", "c clubs, d diamonds, h hearts, s spades"),
    ("k 8h", "knock, throwing 8h"),
    ("meld 5h 6h 7h", "lay down a meld after a knock"),
    ("lay 8h on 7h", "lay a card off on a run of the knocker"),
    ("lay 8h on eights", "lay it off on a set"),
    ("done", "lay down no more"),
    ("auto, or Enter", "after a knock: lay down what leaves least deadwood"),
    ("sort", "show the hand by melds, by suits or by ranks"),
)

_VERBS = {
    "d": "draw",
    "draw": "draw",
    "stock": "draw",
    "t": "take",
    "take": "take",
    "upcard": "take",
    "p": "pass",
    "pass": "pass",
    "throw": "discard",
    "discard": "discard",
    "k": "knock",
    "knock": "knock",
    "gin": "knock",
    "m": "meld",
    "meld": "meld",
    "l": "lay",
    "lay": "lay",
    "done": "done",
}


def read_action(text: str, choices: list[str]) -> str:
    """The action a person means, in its usual words; `choices` are those on the screen, in order.

    The action need not be one of the choices.

    >>> choices = ["discard 8h", "discard Kd", "knock 8h"]
    >>> read_action("2", choices), read_action("10S", choices), read_action("k", choices)
    ('discard Kd', 'discard Ts', 'knock 8h')
    """
    plain = " ".join(text.lower().split())
    if not plain:
        raise NotationError("type a number or a word (help lists the words)")
    if plain.isdecimal():
        return _by_number(int(plain), choices)
    word, _, rest = plain.partition(" ")
    verb = _VERBS.get(word)
    if verb is None:
        return _read_cards(plain, text, choices)
    if verb == "draw" and rest:  # d 8h
        verb = "discard"
    if verb in ("discard", "knock", "lay") and " on " not in rest:
        return _complete(verb, rest, choices)
    return format_action(parse_action(f"{verb} {rest}"))


def _by_number(number: int, choices: list[str]) -> str:
    if not 1 <= number <= len(choices):
        raise NotationError(f"there is no choice {number}: 1 to {len(choices)}")
    return choices[number - 1]


def _read_cards(plain: str, text: str, choices: list[str]) -> str:
    """Cards without a verb: one is thrown, or laid off; several are a meld."""
    try:
        cards = parse_cards(plain)
    except NotationError:
        raise NotationError(f"not understood: {text.strip()!r} (help lists the words)") from None
    if cards.bit_count() > 1:
        return format_action(parse_action(f"meld {plain}"))
    is_discard = any(choice.startswith("discard ") for choice in choices)
    return _complete("discard" if is_discard else "lay", plain, choices)


def _complete(verb: str, rest: str, choices: list[str]) -> str:
    """The action that begins so: with no card given, or no meld to lay off on, the only one."""
    if rest and verb != "lay":
        return format_action(parse_action(f"{verb} {rest}"))
    start = f"{verb} {format_card(parse_card(rest))} on " if rest else f"{verb} "
    found = [choice for choice in choices if choice.startswith(start)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotationError(f"there is nothing to {verb}" + (f" with {rest}" if rest else " now"))
    raise NotationError("which one? " + ", ".join(found))
