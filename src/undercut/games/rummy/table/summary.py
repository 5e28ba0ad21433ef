"""The end of a round of Rummy: melds, hands, and the sum of the points."""

from dataclasses import replace

from undercut.games.rummy.table.readable import RummyView
from undercut.games.rummy.table.rulebook import times
from undercut.games.table.description import Area, Cards, Company, Part, Summary, points
from undercut.games.table.melding.hand import worth
from undercut.games.table.melding.open_hand import meld_part
from undercut.text.translation import say, say_count


def summarise(view: RummyView, company: Company) -> Summary:
    """The melds, both hands, the end of the round, and the sum of the points."""
    hands = [view.known.texts] * 2
    hands[view.me] = view.layout.cards
    left = [_lay_out(cards, seat, company) for seat, cards in enumerate(hands)]
    told = verdict(view, company.names[1 - view.me])
    return Summary((*melds_areas(view, company), *left), (told,))


def melds_areas(view: RummyView, company: Company) -> list[Area]:
    """The melds on the table by maker, with the numbers that players may type."""
    areas, numbered = [], [*enumerate(view.melds, start=1)]
    for seat in range(len(company.names)):
        melds = [
            replace(meld_part(meld.cards), before=f"{number}:")
            for number, meld in numbered
            if meld.maker == seat
        ]
        if melds:
            areas.append(Area("melds", company.subject(seat), tuple(melds), seat=seat))
    return areas


def _lay_out(cards: Cards, seat: int, company: Company) -> Area:
    label = say("{name} holds", name=company.names[seat])
    if company.is_you(seat):
        label = say("You hold")
    if not cards:
        return Area("laid", label, (Part(before=say("no cards")),), seat=seat)
    return Area("laid", label, (Part(cards),), points(worth(cards)), seat)


def verdict(view: RummyView, opponent: str) -> str:
    """The end of the round, the winner, and the sum of the points."""
    if view.winner is None:
        return _tie_verdict(view)
    i_won = view.winner == view.me
    left = worth(view.known if i_won else view.hand)
    if view.outcome == "rummy" and view.options.rummy_doubles:
        award = say("2 x {points} = {award}", points=left, award=points(2 * left))
        if i_won:
            return say("Rummy! You are out at once: {award} for you.", award=award)
        return say("Rummy! {name} is out at once: {award} for {name}.", award=award, name=opponent)
    if i_won:
        return say("You are out: {award} for you.", award=points(left))
    return say("{name} is out: {award} for {name}.", award=points(left), name=opponent)


def _tie_verdict(view: RummyView) -> str:
    options = view.options
    reason = say_count("{count} turn played", "{count} turns played", options.max_turns)
    if view.stock == 0 and view.turnovers == options.turnovers:
        reason = say("The stock is empty")
        if view.turnovers:
            how_often = times(view.turnovers)
            reason = say("The stock is empty and the pile was turned over {times}", times=how_often)
    if options.tie_points:
        award = points(options.tie_points)
        return say("{reason}: a tie, {award} for each.", reason=reason, award=award)
    return say("{reason}: a tie, nobody scores.", reason=reason)
