"""The end of a deal of Gin: both layouts, and the sum of the points."""

from undercut.games.gin.table.readable import GinView
from undercut.games.table.description import Area, Company, Part, Summary, points
from undercut.games.table.melding.hand import Layout
from undercut.text.translation import say, say_count


def summarise(view: GinView, company: Company) -> Summary:
    """Both hands, the end of the deal, and the sum of the points."""
    areas = tuple(
        _lay_out(hand, company.subject(seat), seat)
        for seat, hand in enumerate(view.hands)
        if hand is not None
    )
    return Summary(areas, (verdict(view, company.names[1 - view.me]),))


def _lay_out(hand: Layout, label: str, seat: int) -> Area:
    parts = [*map(Part, hand.groups)]
    if hand.laid_off:
        parts.append(Part(hand.laid_off.texts, say("laid off")))
    return Area("laid", label, tuple(parts), say("deadwood {count}", count=hand.deadwood), seat)


def verdict(view: GinView, opponent: str) -> str:
    """The end of the deal, the winner, and the sum of the points."""
    if view.knocker is None:
        return _void_verdict(view)
    options, hands = view.options, view.hands
    knocker, other = hands[view.knocker], hands[1 - view.knocker]
    assert knocker is not None, "hands lie open when a deal has ended with a knock"
    assert other is not None, "hands lie open when a deal has ended with a knock"
    i_knocked, difference = view.knocker == view.me, other.deadwood - knocker.deadwood
    if view.outcome == "gin":
        return _gin_verdict(other.deadwood, options.gin_bonus, opponent, i_knocked)
    values = {"name": opponent, "deadwood": str(knocker.deadwood), "other": str(other.deadwood)}
    if view.outcome == "undercut":
        values["award"] = _undercut(knocker.deadwood, other.deadwood, options.undercut_bonus)
        if i_knocked:
            return say("Undercut! You knocked: {award} for {name}.", **values)
        return say("Undercut! {name} knocked: {award} for you.", **values)
    values["award"] = points(difference)
    if i_knocked:
        return say("You knocked: {other} − {deadwood} = {award} for you.", **values)
    return say("{name} knocked: {other} − {deadwood} = {award} for {name}.", **values)


def _gin_verdict(deadwood: int, bonus: int, opponent: str, is_mine: bool) -> str:
    award = points(deadwood)
    if bonus:
        values = {"deadwood": deadwood, "bonus": bonus, "award": points(deadwood + bonus)}
        award = say("{deadwood} + {bonus} for gin = {award}", **values)
    if is_mine:
        return say("Gin for you: {award}.", award=award)
    return say("Gin for {name}: {award}.", award=award, name=opponent)


def _undercut(knocker: int, other: int, bonus: int) -> str:
    """The points of an undercut, in words."""
    award = points(knocker - other + bonus)
    values = {"deadwood": knocker, "other": other, "bonus": bonus, "award": award}
    if bonus:
        values["difference"] = knocker - other
        return say("{deadwood} − {other} = {difference}, and {bonus} more: {award}", **values)
    return say("{deadwood} − {other} = {award}", **values)


def _void_verdict(view: GinView) -> str:
    options = view.options
    if view.stock <= options.void_stock:
        reason = say_count(
            "Only {count} card is left in the stock",
            "Only {count} cards are left in the stock",
            view.stock,
        )
    else:
        reason = say_count(
            "{count} card has been taken from the pile",
            "{count} cards have been taken from the pile",
            options.max_discard_takes,
        )
    if options.void_alternates:
        return say("{reason}: nobody scores.", reason=reason)
    return say("{reason}: nobody scores, the same player begins.", reason=reason)
