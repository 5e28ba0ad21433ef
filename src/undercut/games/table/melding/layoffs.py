"""The text of lay-offs: `lay 8h on 7h`, `lay 8h on eights`."""

from collections.abc import Sequence

from undercut.cards.french import RANKS, format_card, parse_card
from undercut.text.errors import NotationError
from undercut.text.translation import mark, say, say_as

ON_SET, ON_HIGHER, ON_LOWER = range(3)
"""On three of a kind; as the new lowest card of a run; as the new highest card of a run."""

RANK_NAMES = (
    *(mark("aces"), mark("twos"), mark("threes"), mark("fours"), mark("fives"), mark("sixes")),
    *(mark("sevens"), mark("eights"), mark("nines"), mark("tens")),
    *(mark("jacks"), mark("queens"), mark("kings")),
)


def is_layoff(number: int) -> bool:
    """Whether a number below 156 is a lay-off: nothing lies above a king or below an ace."""
    kind, card = divmod(number, 52)
    return (kind, card % 13) not in ((ON_HIGHER, 12), (ON_LOWER, 0))


def format_layoff(number: int) -> str:
    """A lay-off, with the number 52 * kind + card, in a card player's words.

    >>> format_layoff(52 * ON_LOWER + 33), format_layoff(52 * ON_SET + 33)
    ('lay 8h on 7h', 'lay 8h on eights')
    """
    kind, card = divmod(number, 52)
    if kind == ON_SET:
        target = RANK_NAMES[card % 13]
    else:
        target = format_card(card + 1 if kind == ON_HIGHER else card - 1)
    return f"lay {format_card(card)} on {target}"


def name_target(target: str) -> str:
    """The target of a lay-off in the current language; a card stays the same."""
    return say(target) if target in RANK_NAMES else target


def parse_layoff(text: str) -> int:
    """The number of a lay-off; the text may name the whole run.

    >>> parse_layoff("lay 8h on 5h-7h") == parse_layoff("lay 8h on 7h") == 52 * ON_LOWER + 33
    True
    """
    card_text, on, target = text.strip()[len("lay") :].partition(" on ")
    if not on:
        example = say_as("typed", "lay 8h on 7h, or lay 8h on eights")
        message = say("not a lay-off: {text!r} (write {example})", text=text, example=example)
        raise NotationError(message)
    card = parse_card(card_text)
    target = target.strip()
    if target.lower() == RANK_NAMES[card % 13]:
        return 52 * ON_SET + card
    ends = [parse_card(end) for end in target.split("-")]
    if card % 13 < 12 and ends[0] == card + 1:
        return 52 * ON_HIGHER + card
    if card % 13 > 0 and ends[-1] == card - 1:
        return 52 * ON_LOWER + card
    message = say("{card} cannot be laid on {target!r}", card=format_card(card), target=target)
    raise NotationError(message)


def said(meld: Sequence[str]) -> tuple[str, ...]:
    """The names of a meld as the target of a lay-off: a set's rank, a run's ends."""
    first, last = meld[0], meld[-1]
    return (first, last) if first[1] == last[1] else (RANK_NAMES[RANKS.index(first[0])],)


def is_laid_on(layoff: str, meld: Sequence[str]) -> bool:
    """Whether a lay-off names a meld.

    >>> is_laid_on("lay 8h on eights", ("8c", "8d", "8s"))
    True
    """
    return layoff.partition(" on ")[2] in said(meld)
