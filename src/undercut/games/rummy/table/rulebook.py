"""The rules of two-player Rummy in sentences, for given options."""

from undercut.games.rummy.rules.deal import Options
from undercut.games.table.description import Sentences, who_begins
from undercut.text.translation import say, say_count


def times(number: int) -> str:
    """A number of times, in words.

    >>> times(2), times(5)
    ('twice', '5 times')
    """
    if number == 2:
        return say("twice")
    return say_count("once", "{count} times", number)


def aim(options: Options) -> Sentences:
    """The aim of the game for newcomers, in three lines."""
    ending = say("The first without cards scores what the other one holds.")
    if options.rummy_doubles:
        ending = say(
            "The first without cards scores what the other one holds, twice if out at once."
        )
    return (
        say("Put down melds: three or four of a kind (9c 9d 9s), runs in a suit (5h 6h 7h)."),
        say("Each turn draw a card, put down what you like, add to melds, then throw a card."),
        ending,
    )


def rules(options: Options) -> Sentences:
    """The rules of the game with these options."""
    rummy = say(
        "Rummy: a player who goes out in one turn, with nothing put down before it, scores double."
    )
    return (
        say(
            "Each player gets ten cards, and the next card is turned up: it begins the pile. The others are the stock."
        ),
        _turn_rule(options),
        say(
            "You may put down a meld: three or four cards of one rank, or three or more of one suit in a row. The ace is low."
        ),
        say(
            "You may lay off a card on any meld on the table, whoever made it: the fourth card of a set, or the next card at either end of a run."
        ),
        say(
            "A player who has no cards left, after a put-down or a throw, is out, and the deal ends at once."
        ),
        say(
            "The player who is out scores the cards in the other hand, melds or not: ace 1, 2 to 10 as they say, jack, queen and king 10 each."
        ),
        *([rummy] if options.rummy_doubles else []),
        say(
            "When the stock is empty, take the upcard, or turn the pile over as it lies and draw: the oldest card comes first."
        ),
        _tie_rule(options),
        _begin_rule(options),
        say_count(
            "The match ends when a player has {target} points, or after {count} deal: the higher total wins, equal totals share the win.",
            "The match ends when a player has {target} points, or after {count} deals: the higher total wins, equal totals share the win.",
            options.max_rounds,
            target=options.target,
        ),
    )


def _turn_rule(options: Options) -> str:
    if options.may_discard_taken:
        return say(
            "A turn: draw the top of the stock or take the upcard; put down as much as you like, or nothing; then throw one card on the pile."
        )
    return say(
        "A turn: draw the top of the stock or take the upcard; put down as much as you like, or nothing; then throw one card on the pile, not the card just taken. A put-down that would leave only that card is not allowed."
    )


def _begin_rule(options: Options) -> str:
    first = who_begins(options.first_starter)
    if options.alternate_starter:
        return say("{first}; then the players take turns.", first=first)
    return say("{first}; then the same player begins again.", first=first)


def _tie_rule(options: Options) -> str:
    award = say("nobody scores")
    if options.tie_points:
        award = say("each player scores {points}", points=options.tie_points)
    limit = say_count("after {count} turn", "after {count} turns", options.max_turns)
    if options.turnovers < 0:
        return say("A deal is tied, and {award}, {limit}.", award=award, limit=limit)
    if options.turnovers == 0:
        return say(
            "A deal is tied, and {award}, when a turn begins, the stock is empty, or {limit}.",
            award=award,
            limit=limit,
        )
    return say(
        "A deal is tied, and {award}, when a turn begins, the stock is empty and the pile was turned over {times}, or {limit}.",
        award=award,
        limit=limit,
        times=times(options.turnovers),
    )
