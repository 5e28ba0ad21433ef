"""The end of a rummy deal: what lies on the table, and where the points come from."""

from undercut.games.description import YOU, Area, Cards, Company, Part, Summary, counted
from undercut.games.melding.hand import held, worth
from undercut.games.rummy.rulebook import times
from undercut.games.rummy.rules import Options, Outcome
from undercut.games.rummy.sight import Sight


def summarise(sight: Sight, company: Company) -> Summary:
    """The melds on the table, both hands, how the deal ended, and where the points come from."""
    hands = [sight.known, sight.known]
    hands[sight.me] = held(sight.hand)
    left = [_lay_out(cards, seat, company) for seat, cards in enumerate(hands)]
    told = verdict(sight, company.names[1 - sight.me], company.options)
    return Summary((*melds_areas(sight, company), *left), (told,))


def melds_areas(sight: Sight, company: Company) -> list[Area]:
    """The melds on the table, by who made them, with the numbers by which they are called."""
    areas = []
    for seat in range(len(company.names)):
        numbered = enumerate(sight.melds, start=1)
        melds = [Part(meld.cards, f"{number}:") for number, meld in numbered if meld.maker == seat]
        if melds:
            areas.append(Area("melds", company.subject(seat), tuple(melds), seat=seat))
    return areas


def _lay_out(cards: Cards, seat: int, company: Company) -> Area:
    label = f"{company.subject(seat)} {'hold' if company.is_you(seat) else 'holds'}"
    if not cards:
        return Area("laid", label, (Part(before="no cards"),), seat=seat)
    return Area("laid", label, (Part(cards),), counted(worth(cards), "point"), seat)


def verdict(sight: Sight, opponent: str, options: Options) -> str:
    """How a deal ended, and who gets how many points for what."""
    if sight.winner is None:
        return _tie_verdict(sight, options)
    i_won = sight.winner == sight.me
    left = worth(sight.known if i_won else held(sight.hand))
    out = "You are out" if i_won else f"{opponent} is out"
    award = counted(left, "point")
    if sight.outcome == Outcome.RUMMY and options.rummy_doubles:
        out = f"Rummy! {out} at once"
        award = f"2 x {left} = {counted(2 * left, 'point')}"
    return f"{out}: {award} for {YOU if i_won else opponent}."


def _tie_verdict(sight: Sight, options: Options) -> str:
    reason = f"{counted(options.max_turns, 'turn')} played"
    if sight.stock == 0 and sight.turnovers == options.turnovers:
        reason = "The stock is empty"
        if sight.turnovers:
            reason += f" and the pile was turned over {times(sight.turnovers)}"
    award = f"{counted(options.tie_points, 'point')} for each"
    return f"{reason}: a tie, {award if options.tie_points else 'nobody scores'}."
