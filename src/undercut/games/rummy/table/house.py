"""The house rules of Rummy, in a card player's words."""

from undercut.games.table.house_rules import HouseGroup, HouseRule, first_starter
from undercut.text.translation import mark

HOUSE = (
    HouseGroup(
        mark("Playing"),
        (
            HouseRule(
                "may_discard_taken",
                mark("A card just taken may be thrown back"),
                mark("You take 8h and throw it again in the same turn."),
            ),
            HouseRule(
                "rummy_doubles",
                mark("Rummy counts double"),
                mark("Rummy: all your cards in one turn, with nothing put down before."),
            ),
        ),
    ),
    HouseGroup(
        mark("When the stock is empty"),
        (
            HouseRule(
                "turnovers",
                mark("How often the pile is turned over"),
                mark("After that, an empty stock ends the deal as a tie."),
                choices=(
                    (-1, mark("as often as needed")),
                    (0, mark("never")),
                    (1, mark("once")),
                    (2, mark("twice")),
                    (3, mark("three times")),
                ),
            ),
            HouseRule("tie_points", mark("Points for both in a tied deal")),
        ),
    ),
    HouseGroup(
        mark("Dealing"),
        (
            first_starter(mark("your opponent")),
            HouseRule(
                "alternate_starter",
                mark("Players take turns to begin"),
                mark("Otherwise the same player begins every deal."),
            ),
        ),
    ),
    HouseGroup(
        mark("Lest it go on for ever"),
        (
            HouseRule("max_turns", mark("Turns after which a deal is a tie")),
            HouseRule("max_rounds", mark("Deals after which the match ends as it stands")),
        ),
    ),
)

ABOUT = {
    "rummy": mark("Put melds down when you like; be the first without cards."),
    "rummy-classic": mark("As Rummy, but a card that you took stays in your hand."),
}
"""A sentence about each preset."""
