"""The description of Gin: table, choices, refusals, events and the end of a deal."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from undercut.cards.card import Cards
from undercut.games.gin.table import house, rulebook, words
from undercut.games.gin.table.ending import laid_areas, open_table
from undercut.games.gin.table.knocking import prospects
from undercut.games.gin.table.readable import GinView
from undercut.games.gin.table.summary import summarise
from undercut.games.gin.table.waste import Waste
from undercut.games.table.actions import Action
from undercut.games.table.description import (
    Area,
    Choice,
    Company,
    Event,
    Group,
    Part,
    Question,
    Summary,
    Table,
    signed,
)
from undercut.games.table.feats import Feat
from undercut.games.table.melding import description as melding
from undercut.games.table.melding.layoffs import is_laid_on
from undercut.text.translation import mark, mark_as, say, say_as, say_count

HAND = 10  # the number of cards in the other hand between turns


class GinDescription(melding.MeldingDescription[GinView]):
    """Gin as people see it, and the parser for their input."""

    titles: ClassVar = {
        "gin": mark("Gin Rummy"),
        "gin-classic": mark("Classic Gin Rummy"),
        "oklahoma": mark("Oklahoma Gin"),
        "straight": mark("Straight Gin"),
        "distilled": mark("Distilled Gin"),
    }
    phrases: ClassVar = {
        **melding.PHRASES,
        "pass unseen": (mark_as("you", "pass"), mark("passes")),
        "knock": (mark_as("you", "knock, throwing {card}"), mark("knocks, throwing {card}")),
        "knock unseen": ("", mark("knocks, throwing a card face down")),
    }
    about = house.ABOUT
    variants = house.VARIANTS
    house = house.HOUSE
    feats = (
        Feat(mark("Your knocks win {share} % of the time."), won="knock", lost="undercut"),
        Feat(mark("{share} % of the deals end with your gin."), won="gin"),
    )
    help = words.HELP
    aim = staticmethod(rulebook.aim)
    rules = staticmethod(rulebook.rules)

    def table(self, view: GinView, company: Company) -> Table:
        """The piles and the known cards, or the melds after a knock; then the hand."""
        if view.phase == "over" and view.knocker is not None:
            return open_table(view, company)
        above = _laid(view, company) if _is_laying(view) else _piles(view, company)
        rest = view.rest
        hand = melding.hand_area(rest, say("deadwood {count}", count=rest.deadwood), view.me)
        return Table((*above, hand), melding.orders_of(rest))

    def question(self, view: GinView, company: Company) -> Question:
        """A draw, a throw or a knock, or melds to lay down."""
        legal = view.choices
        if view.phase == "discard":
            groups = (melding.throws(view.rest, legal), *_knocks(view, legal))
            return Question(groups, begins_turn=False)
        if _is_laying(view):
            return _lay_down(view, legal, Waste(view))
        return Question((Group("", "list", tuple(_choice(action, view) for action in legal)),))

    def refusal(self, view: GinView, action: str) -> str:
        """The reason why an action is not legal now."""
        verb, _, rest = action.partition(" ")
        hand = view.rest.cards
        if view.phase == "discard" and verb in ("discard", "knock"):
            if rest not in hand or rest == view.taken:
                return melding.why_not_thrown(rest, hand)
            return _why_no_knock(view, rest)
        if _is_laying(view) and verb == "meld" and set(rest.split()) - set(hand):
            return say("you do not hold all of {cards}", cards=rest)
        if _is_laying(view) and verb in ("meld", "done"):
            return say_count(
                "after a knock at most {count} point may be left over",
                "after a knock at most {count} points may be left over",
                view.knock_limit,
            )
        return say("{word!r} is not possible now", word=say_as("typed", verb))

    def seen(self, action: Action, before: GinView, after: GinView) -> Event:
        """An action as the viewer saw it; the card of a knock may lie face down."""
        event = super().seen(action, before, after)
        is_hidden = action.verb == "knock" and after.upcard is None
        return replace(event, cards=()) if is_hidden else event

    def summary(self, view: GinView, points: Sequence[int], company: Company) -> Summary:
        """Both hands, the end of the deal, and the sum of the points."""
        return summarise(view, company)

    def read(self, text: str, view: GinView, choices: Sequence[str]) -> str:
        """The typed action."""
        return words.read_action(text, choices)


DESCRIPTION = GinDescription()


def _is_laying(view: GinView) -> bool:
    return view.phase in ("spread", "defend")


def _piles(view: GinView, company: Company) -> list[Area]:
    """The upcard, the pile and the stock, and the known cards of the other hand."""
    note = ""
    if view.options.oklahoma:
        limit = view.knock_limit
        note = say(", knock ≤ {count}", count=limit) if limit else say(", gin only")
    return [melding.piles_area(view, note), _hidden_hand(view, company)]


def _hidden_hand(view: GinView, company: Company) -> Area:
    """The other hand, with its known cards, without those on the table."""
    other = 1 - view.me
    laid = Cards.from_mask(int(view.record.melded[other]))
    known = (view.known - laid).texts
    told = say("{name} took and still holds", name=company.names[other]) if known else ""
    held = HAND + (view.phase == "discard" and view.seat == other) - len(laid)
    part = Part(known, told, face_down=held - len(known), seat=other)
    return Area("players", say("Known"), (part,))


def _laid(view: GinView, company: Company) -> list[Area]:
    """The melds on the table, and the rest of the other hand if its player knocked."""
    areas = laid_areas(view, company)
    other = 1 - view.me
    hand, name = view.hands[other], company.names[other]
    if hand is not None and hand.deadwood == 0:
        gin = Part(before=say("no deadwood, and nothing may be laid off"))
        areas.append(Area("laid", say("{name} has gin:", name=name), (gin,), seat=other))
    elif hand is not None:
        note = say("deadwood {count}", count=hand.deadwood)
        kept = say("{name} kept", name=name)
        areas.append(Area("players", kept, (Part(hand.loose.texts, seat=other),), note, other))
    else:
        areas.append(_hidden_hand(view, company))
    return areas


def _knocks(view: GinView, legal: Sequence[str]) -> list[Group]:
    """The legal knocks, best first."""
    found = []
    for action in legal:
        if action.startswith("knock "):
            card = action.split()[1]
            left = view.lay_out(view.hand - card).deadwood
            words = say("knock, throwing {card} (deadwood {count})", card=card, count=left)
            if left == 0:
                words = say("knock, throwing {card} (gin, no deadwood)", card=card)
            found.append((left, Choice(action, words, (card,))))
    choices = [choice for _, choice in sorted(found, key=lambda each: each[0])]
    if choices:
        choices[0] = _named_knock(choices[0], min(left for left, _ in found), view)
    return [Group(say("Or knock, which ends the deal:"), "list", tuple(choices))] if choices else []


def _named_knock(knock: Choice, left: int, view: GinView) -> Choice:
    """The best knock, with what it would bring."""
    most, least = prospects(view, knock.cards[0])
    values = {"most": signed(most), "least": signed(least)}
    note = say("about {most} at best, {least} at worst", **values)
    brief = say("Knock ({count})", count=left) if left else say("Gin")
    return replace(knock, brief=brief, note=note, is_safe=left == 0)


def _lay_down(view: GinView, legal: Sequence[str], waste: Waste) -> Question:
    """The legal melds and lay-offs, ordered by the deadwood that they leave."""
    wasted = {action: waste.of(action) for action in legal}
    choices = tuple(
        replace(_choice(action, view), warning=_warn(wasted[action], waste.is_certain))
        for action in sorted(legal, key=lambda each: wasted[each])
    )
    asked = say("Lay down your melds:")
    if any(action.startswith("lay ") for action in legal):
        asked = say("Lay down your melds, and lay off cards that fit the knocker's:")
    shortcut = say("lay down the best way")
    if waste.is_certain:
        shortcut = say("lay down the best way ({count} left)", count=waste.least)
    return Question((Group(asked, "list", choices),), shortcut=shortcut)


def _warn(wasted: int, is_certain: bool) -> str:
    if not wasted or not is_certain:
        return ""
    return say_count(
        "That leaves {count} point more deadwood than you need.",
        "That leaves {count} points more deadwood than you need.",
        wasted,
    )


def _choice(action: str, view: GinView) -> Choice:
    """The choice of any action except a throw or a knock."""
    if action == "draw":
        return Choice(action, say("draw from the stock"), key="d")
    if action == "take":
        return melding.take_choice(view)
    if action == "pass":
        return Choice(action, say("pass, leave it there"), key="p")
    if action == "done":
        own = view.hands[view.me]
        assert own is not None, "a seat always sees its own hand"
        words = say_count(
            "done, with {count} point of deadwood",
            "done, with {count} points of deadwood",
            own.deadwood,
        )
        return Choice(action, words)
    if action.startswith("meld "):
        return melding.meld_choice(action)
    theirs = (meld.texts for meld in view.melds[1 - view.me])
    onto = next((meld for meld in theirs if is_laid_on(action, meld)), ())
    return melding.layoff_choice(action, onto)


def _why_no_knock(view: GinView, card: str) -> str:
    if not view.options.knock:
        return say("nobody knocks in this game: a deal ends when all cards of a hand are in melds")
    left = view.lay_out(view.hand - card).deadwood
    if left == 0:
        return say("that is gin: just throw the card, and the deal ends by itself")
    return say_count(
        "that leaves {count} point of deadwood; {limit} is the most to knock",
        "that leaves {count} points of deadwood; {limit} is the most to knock",
        left,
        limit=view.knock_limit,
    )
