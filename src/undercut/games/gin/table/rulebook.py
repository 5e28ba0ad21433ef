"""The rules of Gin and Distilled Gin in sentences, for given options."""

from undercut.games.gin.rules.deal import Options
from undercut.games.table.description import Sentences, who_begins
from undercut.text.translation import say, say_count


def aim(options: Options) -> Sentences:
    """The aim of the game for newcomers, in three lines."""
    ending = say("A deal ends when a hand is all in melds: the other's deadwood is its score.")
    if options.knock and options.oklahoma:
        ending = say("The first upcard is the most deadwood to knock with: the lower one scores.")
    elif options.knock and options.knock_limit:
        ending = say_count(
            "With at most {count} point of deadwood you may knock: the lower deadwood scores.",
            "With at most {count} points of deadwood you may knock: the lower deadwood scores.",
            options.knock_limit,
        )
    return (
        say("Collect melds: three or four of a kind (9c 9d 9s), runs in a suit (5h 6h 7h)."),
        say("Each turn draw a card, then throw one. Cards in no meld are your deadwood."),
        ending,
    )


def rules(options: Options) -> Sentences:
    """The rules of the game with these options."""
    return (
        *_deal_rules(options),
        say(
            "A turn: draw the top of the stock or take the upcard, then throw one card on the pile; not the card just taken."
        ),
        *(_knock_rules(options) if options.knock else (_gin_only_rule(options),)),
        say(
            "A deal is void, and nobody scores, when a turn would begin with {stock} or fewer cards in the stock, or after {takes} takes from the pile.",
            stock=options.void_stock,
            takes=options.max_discard_takes,
        ),
        _begin_rule(options),
        say_count(
            "The first player to reach {count} point wins the match.",
            "The first player to reach {count} points wins the match.",
            options.target,
        ),
    )


def _deal_rules(options: Options) -> list[str]:
    values = say(
        "Cards outside melds are deadwood: ace 1, 2 to 10 as they say, jack, queen and king 10 each."
    )
    if options.face_points == 13:
        values = say(
            "Cards outside melds are deadwood: ace 1, 2 to 10 as they say, jack 11, queen 12, king 13."
        )
    dealing = say("The player who begins gets eleven cards and throws one; the dealer gets ten.")
    if options.upcard:
        dealing = say(
            "Each player gets ten cards, and the next card is turned up. The player who begins may take it or pass, then the other; if both pass, the first draws from the stock."
        )
    return [
        say(
            "A meld is three or four cards of one rank, or three or more of one suit in a row. The ace is low. A card counts in one meld only."
        ),
        values,
        dealing,
    ]


def _begin_rule(options: Options) -> str:
    first = who_begins(options.first_starter)
    if options.void_alternates:
        return say("{first}; then the players take turns.", first=first)
    return say(
        "{first}; then the players take turns, but after a void deal the same player begins again.",
        first=first,
    )


def _gin_only_rule(options: Options) -> str:
    if options.gin_bonus:
        return say(
            "When all ten cards of a hand are in melds the deal ends by itself: the player scores the other's deadwood and a bonus of {bonus}.",
            bonus=options.gin_bonus,
        )
    return say(
        "When all ten cards of a hand are in melds the deal ends by itself: the player scores the other's deadwood."
    )


def _knock_rule(options: Options) -> str:
    if options.oklahoma:
        return say(
            "With at most as much deadwood as the first upcard counts a player may knock; if it is an ace, only with gin. Then both lay down their melds."
        )
    if options.knock_limit == 0:
        return say(
            "A player whose cards are all in melds after the throw may knock: that is gin. Then both lay down their melds."
        )
    return say_count(
        "With {count} point of deadwood or less after the throw a player may knock. Then both lay down their melds.",
        "With {count} points of deadwood or less after the throw a player may knock. Then both lay down their melds.",
        options.knock_limit,
    )


def _knock_rules(options: Options) -> list[str]:
    sentences = [_knock_rule(options)]
    if options.knock_face_down:
        sentences.append(say("The card thrown at a knock lies face down until the deal is over."))
    layoff_rule = say(
        "The knocker's opponent may also lay off cards on the knocker's melds (as the player likes), but not if the knocker has gin."
    )
    if options.eaai_auto_layoff:
        layoff_rule = say(
            "The knocker's opponent may also lay off cards on the knocker's melds (by itself, wherever cards fit), but not if the knocker has gin."
        )
    sentences += [
        *([layoff_rule] if options.layoffs else []),
        say("Lower deadwood: the knocker scores the difference."),
        say(
            "Undercut: if the opponent has as little or less, the opponent scores the difference and {bonus}.",
            bonus=options.undercut_bonus,
        ),
        _gin_rule(options),
    ]
    return sentences


def _gin_rule(options: Options) -> str:
    bonus = options.gin_bonus
    if options.automatic_gin:
        return say(
            "Gin, no deadwood at all: the player scores the other's deadwood and {bonus}, and the deal ends by itself.",
            bonus=bonus,
        )
    return say(
        "Gin, no deadwood at all: the player scores the other's deadwood and {bonus}.", bonus=bonus
    )
