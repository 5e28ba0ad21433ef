"""The end of a gin deal: the hands as they lie, and where the points come from."""

from undercut.games.description import YOU, Area, Company, Part, Summary, counted
from undercut.games.gin.rules import Options, Outcome
from undercut.games.gin.sight import Sight
from undercut.games.melding.hand import Hand


def summarise(sight: Sight, company: Company) -> Summary:
    """Both hands as they lie, how the deal ended, and where the points come from."""
    areas = tuple(
        _lay_out(hand, company.subject(seat), seat)
        for seat, hand in enumerate(sight.hands)
        if hand is not None
    )
    opponent = company.names[1 - sight.me]
    return Summary(areas, (verdict(sight, opponent, company.options),))


def _lay_out(hand: Hand, label: str, seat: int) -> Area:
    parts = [Part(group) for group in (*hand.melds, hand.loose) if group]
    if hand.laid_off:
        parts.append(Part(hand.laid_off, "laid off"))
    return Area("laid", label, tuple(parts), f"deadwood {hand.deadwood}", seat)


def verdict(sight: Sight, opponent: str, options: Options) -> str:
    """How a deal ended, and who gets how many points for what."""
    if sight.knocker is None:
        return _void_verdict(sight, options)
    knocker, other = sight.hands[sight.knocker], sight.hands[1 - sight.knocker]
    assert knocker is not None, "hands lie open when a deal has ended with a knock"
    assert other is not None, "hands lie open when a deal has ended with a knock"
    i_knocked = sight.knocker == sight.me
    who, whom = (YOU, opponent) if i_knocked else (opponent, YOU)
    if sight.outcome == Outcome.GIN:
        whose = f"{opponent}'s" if i_knocked else "your"
        reason = f"{whose} deadwood {other.deadwood}"
        return f"Gin for {who}: {_award(reason, other.deadwood, options.gin_bonus)}."
    start = f"{'You' if i_knocked else opponent} knocked with {knocker.deadwood}"
    start += f" against {other.deadwood}"
    difference = other.deadwood - knocker.deadwood
    if sight.outcome == Outcome.UNDERCUT:
        award = _award(f"{-difference}", -difference, options.undercut_bonus)
        return f"Undercut! {start}: {award} for {whom}."
    return f"{start}: {counted(difference, 'point')} for {who}."


def _award(reason: str, points: int, bonus: int) -> str:
    """What is scored, and what for."""
    if bonus == 0:
        return counted(points, "point")
    return f"{reason} + bonus {bonus} = {counted(points + bonus, 'point')}"


def _void_verdict(sight: Sight, options: Options) -> str:
    if sight.stock <= options.void_stock:
        reason = f"Only {sight.stock} cards are left in the stock"
    else:
        reason = f"{options.max_discard_takes} cards have been taken from the pile"
    again = "" if options.void_alternates else ", the same player begins"
    return f"{reason}: nobody scores{again}."
