"""Duel for people. What is not here comes from `Plain`: it lists the choices and reads them."""

from typing import Any, ClassVar

from duel.readable import DuelView
from undercut.cards.packs import FRENCH
from undercut.games.table.description import Area, Company, Part, Table
from undercut.games.table.plain_description import Plain


class DuelDescription(Plain[DuelView]):
    """The card to beat lies above the hand."""

    pack = FRENCH
    titles: ClassVar = {"duel": "Duel"}
    help = (("8h", "play that card"),)

    def aim(self, options: Any) -> tuple[str, ...]:
        """What a newcomer has to know."""
        return ("The higher card takes the trick, ace low; of equal ones the first.",)

    def rules(self, options: Any) -> tuple[str, ...]:
        """The rules, as the options have them."""
        cards = f"Each player gets {options.hand} cards. Whoever takes a trick leads to the next."
        return cards, *self.aim(options), f"The last trick is a point; {options.target} points win."

    def table(self, view: DuelView, company: Company) -> Table:
        """The card to beat and the hand."""
        card = Part(before="nothing") if view.card is None else Part((str(view.card),))
        return Table((Area("piles", "To beat", (card,)), *super().table(view, company).areas))


DESCRIPTION = DuelDescription()
