"""Two-player Rummy explained in a few lines, as the options have it."""

from undercut.games.description import Sentences, counted, who_begins
from undercut.games.rummy.rules import Options

_TIMES = ("", "once", "twice")


def times(number: int) -> str:
    """How often something was done.

    >>> times(2), times(5)
    ('twice', '5 times')
    """
    return _TIMES[number] if number < len(_TIMES) else f"{number} times"


def aim(options: Options) -> Sentences:
    """What a newcomer has to know, in three lines."""
    ending = "The first without cards scores what the other one holds"
    return (
        "Put down melds: three or four of a kind (9c 9d 9s), runs in a suit (5h 6h 7h).",
        "Each turn draw a card, put down what you like, add to melds, then throw a card.",
        ending + (", twice if out at once." if options.rummy_doubles else "."),
    )


def rules(options: Options) -> Sentences:
    """The rules of the game, as they are played here."""
    return (
        "Each player gets ten cards, and the next card is turned up: it begins the discard pile. The others are the stock.",
        "A turn: draw the top of the stock or take the upcard; put down as much as you like, or nothing; then throw one card on the pile"
        + (
            "."
            if options.may_discard_taken
            else ", not the card just taken. A put-down that would leave only that card is not allowed."
        ),
        "You may put down a meld: three or four cards of one rank, or three or more of one suit in a row. The ace is low.",
        "You may lay off a card on any meld on the table, whoever made it: the fourth card of a set, or the next card at either end of a run.",
        "A player who has no cards left, after a put-down or a throw, is out, and the deal ends at once.",
        "The player who is out scores the cards in the other hand, melds or not: ace 1, 2 to 10 as they say, jack, queen and king 10 each.",
        *_rummy_rules(options),
        "When the stock is empty, take the upcard, or turn the pile over as it lies and draw: the oldest card comes first.",
        _tie_rule(options),
        _begin_rule(options),
        f"The match ends when a player has {options.target} points, or after {counted(options.max_rounds, 'deal')}: the higher total wins, equal totals share the win.",
    )


def _begin_rule(options: Options) -> str:
    then = "the players take turns" if options.alternate_starter else "the same player begins again"
    return f"{who_begins(options.first_starter)}; then {then}."


def _rummy_rules(options: Options) -> list[str]:
    if not options.rummy_doubles:
        return []
    return [
        "Rummy: a player who goes out in one turn, with nothing put down before it, scores double."
    ]


def _tie_rule(options: Options) -> str:
    award = f"each player scores {options.tie_points}" if options.tie_points else "nobody scores"
    reasons = [f"after {counted(options.max_turns, 'turn')}"]
    if options.turnovers >= 0:
        done = f" and the pile was turned over {times(options.turnovers)}"
        reasons.insert(
            0, f"when a turn begins, the stock is empty{done if options.turnovers else ''}"
        )
    return f"A deal is tied, and {award}, {', or '.join(reasons)}."
