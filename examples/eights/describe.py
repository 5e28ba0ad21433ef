"""Eights for people. What is not here comes from `Plain`: it lists the choices and reads them."""

from typing import Any, ClassVar

from eights.readable import EightsView
from undercut.cards.packs import FRENCH
from undercut.games.table.description import Area, Company, Part, Table
from undercut.games.table.plain_description import Plain


class EightsDescription(Plain[EightsView]):
    """The open card and the stock lie above the hand."""

    pack = FRENCH
    titles: ClassVar = {"eights": "Eights"}
    help = (("8h", "play that card"), ("d", "draw a card"), ("p", "pass: the stock is empty"))
    keys: ClassVar = {"draw": "d", "pass": "p"}

    def aim(self, options: Any) -> tuple[str, ...]:
        """What a newcomer has to know."""
        return ("Play a card of the same suit or rank; an eight goes on any card.",)

    def rules(self, options: Any) -> tuple[str, ...]:
        """The rules, as the options have them."""
        return (
            f"Each player gets {options.hand} cards, and one is turned up.",
            *self.aim(options),
            "Or draw a card, which ends your turn; when the stock is empty, pass.",
            f"An empty hand is a point; {options.target} points win.",
        )

    def table(self, view: EightsView, company: Company) -> Table:
        """The open card, the stock, the other player's hand, and one's own."""
        other = 1 - view.me
        held = Part(face_down=view.held, seat=other)
        stock = Part(before="stock", face_down=view.stock)
        piles = Area("piles", "Open", (Part((str(view.top),)), stock))
        players = Area("players", company.called(other), (held,))
        return Table((players, piles, *super().table(view, company).areas))


DESCRIPTION = EightsDescription()
