"""The house rules of Gin, in a card player's words."""

from undercut.games.table.house_rules import HouseGroup, HouseRule, Need, first_starter
from undercut.text.translation import mark

HOUSE = (
    HouseGroup(
        mark("Knocking"),
        (
            HouseRule(
                "knock",
                mark("Players may knock"),
                mark("Without knocking, only gin ends a deal."),
                needs=(Need(0, "automatic_gin", 1), Need(0, "oklahoma", 0)),
            ),
            HouseRule(
                "knock_limit",
                mark("Most deadwood to knock with"),
                mark("10: you may knock with a seven and a three left over. 0: only with gin."),
            ),
            HouseRule(
                "oklahoma",
                mark("Oklahoma: the first upcard says how much"),
                mark("A six turned up: knock with at most 6. An ace: only with gin."),
                needs=(Need(1, "knock", 1), Need(1, "upcard", 1)),
            ),
            HouseRule(
                "layoffs",
                mark("The other player may lay off"),
                mark("After a knock with 5h 6h 7h, he gets rid of 8h there."),
            ),
            HouseRule(
                "eaai_auto_layoff",
                mark("Cards are laid off for you"),
                mark("Whatever fits is laid off at once, without a question."),
            ),
            HouseRule(
                "knock_face_down",
                mark("The knocker throws face down"),
                mark("His last card is shown when the deal is over."),
            ),
        ),
    ),
    HouseGroup(
        mark("Points"),
        (
            HouseRule(
                "gin_bonus", mark("Points for gin"), mark("Beside the deadwood of the other hand.")
            ),
            HouseRule(
                "undercut_bonus",
                mark("Points for an undercut"),
                mark("If the other player has no more deadwood than the knocker."),
            ),
            HouseRule(
                "face_points",
                mark("What jack, queen and king count"),
                choices=((10, mark("ten each")), (13, mark("eleven, twelve, thirteen"))),
            ),
            HouseRule(
                "automatic_gin",
                mark("Gin ends the deal by itself"),
                mark("When ten cards are in melds, you throw the eleventh, without a knock."),
                needs=(Need(0, "knock", 1),),
            ),
        ),
    ),
    HouseGroup(
        mark("Dealing"),
        (
            first_starter(mark("your opponent")),
            HouseRule(
                "upcard",
                mark("A card is turned up and offered"),
                mark("Without it, the player who begins gets eleven cards."),
                needs=(Need(0, "oklahoma", 0),),
            ),
            HouseRule(
                "void_stock",
                mark("Cards in the stock that end a deal"),
                mark("2: with two cards left, no turn begins and nobody scores."),
            ),
            HouseRule(
                "void_alternates",
                mark("A void deal passes the deal on"),
                mark("Otherwise the same player begins again."),
            ),
            HouseRule(
                "max_discard_takes",
                mark("Cards taken from the pile that make a deal void"),
                mark("It stops two players who only swap cards."),
            ),
        ),
    ),
)

ABOUT = {
    "gin": mark("Draw, throw, and knock when little is left over."),
    "distilled": mark("No knocking: the first hand all in melds scores."),
    "gin-classic": mark("As Gin Rummy, with 20 for gin and 10 for an undercut."),
    "oklahoma": mark("The first upcard says how low you must be to knock."),
    "straight": mark("Only gin ends a deal: no knocking with leftovers."),
}
"""A sentence about each preset."""

VARIANTS = {
    "upcard": mark("A card is turned up and offered first."),
    "knock": mark("Players may knock; gin and an undercut bring 10 points."),
    "long": mark("A long match, to 100 points."),
}
