"""Gin and Distilled Gin explained in a few lines, as the options have them."""

from undercut.games.description import Sentences, who_begins
from undercut.games.gin.rules import Options


def aim(options: Options) -> Sentences:
    """What a newcomer has to know, in three lines."""
    ending = "A deal ends when a hand is all in melds: the other's deadwood is its score."
    if options.knock:
        limit = options.knock_limit
        ending = (
            f"With at most {limit} points of deadwood you may knock: the lower deadwood scores."
        )
    return (
        "Collect melds: three or four of a kind (9c 9d 9s), runs in a suit (5h 6h 7h).",
        "Each turn draw a card, then throw one. Cards in no meld are your deadwood.",
        ending,
    )


def rules(options: Options) -> Sentences:
    """The rules of the game, as they are played here."""
    return (
        *_deal_rules(options),
        "A turn: draw the top of the stock or take the upcard, then throw one card on the pile; not the card just taken.",
        *(_knock_rules(options) if options.knock else _gin_only_rules(options)),
        f"A deal is void, and nobody scores, when a turn would begin with {options.void_stock} or fewer cards in the stock, or after {options.max_discard_takes} takes from the pile.",
        _begin_rule(options),
        f"The first player to reach {options.target} points wins the match.",
    )


def _deal_rules(options: Options) -> list[str]:
    faces = (
        "jack 11, queen 12, king 13"
        if options.face_points == 13
        else "jack, queen and king 10 each"
    )
    if options.upcard:
        dealing = "Each player gets ten cards, and the next card is turned up. The player who begins may take it or pass, then the other; if both pass, the first draws from the stock."
    else:
        dealing = "The player who begins gets eleven cards and throws one; the dealer gets ten."
    return [
        "A meld is three or four cards of one rank, or three or more of one suit in a row. The ace is low. A card counts in one meld only.",
        f"Cards outside melds are deadwood: ace 1, 2 to 10 as they say, {faces}.",
        dealing,
    ]


def _begin_rule(options: Options) -> str:
    again = (
        "" if options.void_alternates else ", but after a void deal the same player begins again"
    )
    return f"{who_begins(options.first_starter)}; then the players take turns{again}."


def _gin_only_rules(options: Options) -> list[str]:
    bonus = f" and a bonus of {options.gin_bonus}" if options.gin_bonus else ""
    return [
        f"When all ten cards of a hand are in melds the deal ends by itself: the player scores the other's deadwood{bonus}.",
    ]


def _knock_rules(options: Options) -> list[str]:
    sentences = [
        f"With {options.knock_limit} points of deadwood or less after the throw a player may knock. Then both lay down their melds.",
    ]
    if options.knock_face_down:
        sentences.append("The card thrown at a knock lies face down until the deal is over.")
    if options.layoffs:
        how = "by itself, wherever cards fit" if options.eaai_auto_layoff else "as the player likes"
        sentences.append(
            f"The knocker's opponent may also lay off cards on the knocker's melds ({how}), but not if the knocker has gin."
        )
    sentences += [
        "Lower deadwood: the knocker scores the difference.",
        f"Undercut: if the opponent has as little or less, the opponent scores the difference and {options.undercut_bonus}.",
        f"Gin, no deadwood at all: the player scores the other's deadwood and {options.gin_bonus}"
        + (", and the deal ends by itself." if options.automatic_gin else "."),
    ]
    return sentences
