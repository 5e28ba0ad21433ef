"""The house rules of Pharaoh and Prší, in a card player's words."""

from undercut.games.table.house_rules import HouseGroup, HouseRule, first_starter
from undercut.text.translation import mark

HOUSE = (
    HouseGroup(
        mark("Dealing"),
        (
            HouseRule(
                "deal",
                mark("Cards for each player"),
                mark("With many players fewer, so that five are left in the stock."),
            ),
            first_starter(mark("the player after you")),
            HouseRule(
                "upcard_effects",
                mark("The first card on the pile counts"),
                mark("A seven turned up: the first player takes cards, or answers with a seven."),
            ),
        ),
    ),
    HouseGroup(
        mark("Several cards at once"),
        (
            HouseRule(
                "most_cards",
                mark("Cards of one value in a move, at most"),
                mark("2: you may play 9L and 9H together. 1: one card a move."),
            ),
            HouseRule(
                "quads",
                mark("Four of a kind bring another move"),
                mark("They cancel sevens and aces, and count against nobody."),
            ),
            HouseRule(
                "quad_effects",
                mark("Four sevens and four aces count all the same"),
                mark("They hit the player who played them."),
            ),
        ),
    ),
    HouseGroup(
        mark("Sevens, aces, overs and unders"),
        (
            HouseRule(
                "seven_cards",
                mark("Cards to take for a seven"),
                mark("2: after two sevens in a row, the next player takes four."),
            ),
            HouseRule(
                "aces_stack",
                mark("An ace may be answered with an ace"),
                mark("Then the player after that is skipped."),
            ),
            HouseRule(
                "over_on_active",
                mark("An over goes onto a seven and an ace too"),
                mark("Even while the seven or the ace still counts."),
            ),
            HouseRule(
                "leaves_under",
                mark("The under of leaves goes onto everything"),
                mark("It cancels a seven, and any card may follow it."),
            ),
            HouseRule(
                "heart_seven_returns",
                mark("The seven of hearts brings a player back"),
                mark("Play 7H on the player who has just gone out, and he takes cards again."),
            ),
        ),
    ),
    HouseGroup(
        mark("The end"),
        (
            HouseRule(
                "first_out_wins",
                mark("The first player out wins at once"),
                mark("Otherwise you play on for the other places."),
            ),
            HouseRule(
                "stop_rounds",
                mark("Rounds without a card that end a deal"),
                mark("It ends when nobody has played or taken a card for so long."),
            ),
            HouseRule("max_moves", mark("Moves after which a deal ends as it stands")),
        ),
    ),
)

ABOUT = {
    "pharaoh": mark("Play all cards of a value at once, and do not be the last."),
    "prsi": mark("The Czech favourite: one card at a time, the first one out wins."),
}
"""A sentence about each preset."""
