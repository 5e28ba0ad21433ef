"""What every game says to people: plain data, every choice once, no hidden card, the true rules."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest

from contract.redeal import redealt
from helpers import helpers_for
from positions import Table, fresh_tables, lively_walk, scaled
from rulesets import EVERY, each_of, every_option, sample
from undercut.games.contract import Family, Game
from undercut.games.families import all_families, parse_game
from undercut.games.table.actions import actions_of
from undercut.games.table.description import YOU, Choice, Company, Group, Question
from undercut.games.table.plain_description import Plain, description_of
from undercut.text.spec import options_of
from undercut.text.translation import LANGUAGES, speaking

pytestmark = pytest.mark.compiled  # text in plain Python, around kernels that others test


def _company(game: Game, seat: int, names_cards: bool = False) -> Company:
    names = [f"player {other}" for other in range(game.seats)]
    names[seat] = YOU
    return Company(tuple(names), names_cards)


def _ways(game: Game) -> list[Plain[Any]]:
    """The game's own description, and the plain one that a game without it has."""
    return [description_of(game.family), Plain()]


def _positions(game: Game, count: int, seed: int) -> Iterator[Table]:
    """Some positions of lively deals, their ends among them."""
    random = Random(seed)
    for table in fresh_tables(game, count, Random(seed + 1)):
        for _ in lively_walk(table, random):
            if table.is_over or random.random() < 0.25:
                yield table


def _texts(table: Table) -> list[str]:
    return [table.game.notation.format_action(action) for action in table.actions()]


def _all_told(way: Plain[Any], table: Table, seat: int) -> Any:
    """All that a seat is told in a position, as a page would get it."""
    view, company = table.readable(seat), _company(table.game, seat)
    told: list[Any] = [way.table(view, company)]
    if table.is_over:
        told.append(way.summary(view, table.points(), company))
    elif table.seat == seat:
        told.append(way.question(view, company))
    return msgspec.json.encode(told)


@every_option
def test_what_is_told_is_plain_data_and_knows_nothing_of_hidden_cards(game: Game) -> None:
    random, moved = Random(61), 0
    for table in islice(_positions(game, scaled(10, 4), 62), sample(game, 45, 24)):
        for seat in range(game.seats):
            twin = redealt(table, seat, random)
            if twin is None:
                continue
            for way in _ways(game):
                assert _all_told(way, table, seat) == _all_told(way, twin, seat)
            moved += twin.state.tobytes() != table.state.tobytes()
    assert moved > scaled(8, 3)


@every_option
def test_every_legal_action_is_one_choice_and_can_be_typed(game: Game) -> None:
    for table in islice(_positions(game, scaled(10, 4), 63), sample(game, 60, 30)):
        if table.is_over:
            continue
        view, legal, company = table.readable(), _texts(table), _company(game, table.seat)
        for way in _ways(game):
            question = way.question(view, company)
            choices = question.choices
            actions = [action for choice in choices for action in choice.actions]
            assert sorted(actions) == sorted(legal)
            assert all(group.choices for group in question.groups)
            for choice in choices:
                _check_choice(way, choice, view, legal)
            _check_hand(way, question, view, company)


def _check_choice(way: Plain[Any], choice: Choice, view: Any, legal: list[str]) -> None:
    """It reads back in its own words, by its key, and with what is to be added."""
    assert choice.words
    assert "\n" not in choice.words
    for action in choice.actions:
        assert way.read(action, view, legal) == action
    for more in choice.more:
        assert choice.asks
        assert way.read(f"{choice.action} {more.words}", view, legal) == more.action
    if choice.key:
        assert way.read(choice.key, view, legal) == choice.action


def _check_hand(way: Plain[Any], question: Question, view: Any, company: Company) -> None:
    """Choices on the hand belong to one card of it each, in whatever order it lies."""
    table = way.table(view, company)
    (hand,) = [area for area in table.areas if area.kind == "hand"]
    cards = [card for part in hand.parts for card in part.cards]
    for order in table.orders:
        assert sorted(card for group in order.groups for card in group) == sorted(cards)
    for group in question.groups:
        if group.place == "hand":
            chosen = [choice.cards for choice in group.choices]
            assert len(set(chosen)) == len(chosen)
            assert all(len(each) == 1 and each[0] in cards for each in chosen)


@every_option
def test_an_illegal_action_is_refused_in_one_line(game: Game) -> None:
    random = Random(64)
    for table in islice(_positions(game, scaled(12, 4), 65), sample(game, 45, 15)):
        if table.is_over:
            continue
        view = table.readable()
        for text in _illegal(game, table.actions(), random):
            for way in _ways(game):
                why = way.refusal(view, text)
                assert why
                assert why.isprintable()


def _illegal(game: Game, legal: list[int], random: Random) -> list[str]:
    """Some actions that are not allowed now; not every number is an action."""
    others = sorted(set(range(game.rules.ACTIONS)) - set(legal))
    texts = []
    for action in random.sample(others, min(20, len(others))):
        try:
            texts.append(game.notation.format_action(action))
        except ValueError:
            continue
    return texts


@every_option
def test_what_happens_is_told_in_lines(game: Game) -> None:
    """Each action as each seat saw it; the other seats' drawn cards are covered by the sessions."""
    random, texts = Random(66), actions_of(game.family).texts
    for table in fresh_tables(game, sample(game, 3, 2), Random(67)):
        while not table.is_over:
            action, seat = random.choice(table.actions()), table.seat
            before = [table.readable(each) for each in range(game.seats)]
            table.apply(action)
            for viewer in range(game.seats):
                after, company = table.readable(viewer), _company(game, viewer)
                for way in _ways(game):
                    event = way.seen(texts[action], before[viewer], after)
                    assert event.seat == seat
                    told = way.tell([event], after, company)
                    assert all(line and line.isprintable() for line in told)
        for viewer in range(game.seats):
            for way in _ways(game):
                company = _company(game, viewer)
                summary = way.summary(table.readable(viewer), table.points(), company)
                assert summary.sentences
                assert all(line.isprintable() for line in summary.sentences)


@every_option
def test_the_words_for_newcomers_are_lines(game: Game) -> None:
    for way in _ways(game):
        sentences = [*way.aim(game.options), *way.rules(game.options), way.goal(game.options)]
        assert all(line and line.isprintable() for line in sentences)
        assert way.rules(game.options)
        msgspec.json.encode([way.pack, way.help])


every_family = pytest.mark.parametrize(
    "family", [*all_families()], ids=[family.name for family in all_families()]
)


def _others(game: Game, name: str) -> list[Any]:
    """The options with another value of one of them, as far as they can be played."""
    option, now = options_of(type(game.options))[name], getattr(game.options, name)
    values = {int(option.low), int(option.high), now + 1} - {now}
    changed = [game.options._replace(**{name: value}) for value in sorted(values)]
    return [
        options
        for options in changed
        if getattr(options, name) <= option.high and not game.rules.find_problem(options)
    ]


def _rule_sets(family: Family) -> list[Game]:
    games = [parse_game(name) for name in EVERY]
    return [game for game in games if game.family is family]


@every_family
def test_the_rules_tell_every_house_rule(family: Family) -> None:
    """For each option there is a rule set in which another value of it makes another text."""
    rules, games = description_of(family).rules, _rule_sets(family)
    for name in options_of(family.rules.Options):
        assert any(
            rules(options) != rules(game.options)
            for game in games
            for options in _others(game, name)
        ), f"{name} makes no difference to the rules that are told"


@every_family
def test_the_rules_tell_numbers_as_they_are(family: Family) -> None:
    """A number that can be large stands in the rules: the one that is played, and no other."""
    rules, games, number = description_of(family).rules, _rule_sets(family), 87
    found = 0
    for name, option in options_of(family.rules.Options).items():
        if option.high < 99:
            continue
        telling = [game for game in games if str(number) in _changed(rules, game, name, number)]
        assert telling, f"{name}={number} is not told"
        for game in telling:
            assert str(number) not in " ".join(rules(game.options))
        found += 1
    assert found


def _changed(rules: Any, game: Game, name: str, number: int) -> str:
    return " ".join(rules(game.options._replace(**{name: number})))


@every_family
def test_every_preset_has_a_title(family: Family) -> None:
    assert set(description_of(family).titles) == set(family.rules.PRESETS)


@each_of([*{helpers_for(parse_game(name)).usual: name for name in EVERY}.values()])
def test_a_language_changes_words_and_not_choices(game: Game) -> None:
    way = description_of(game.family)
    for table in islice(_positions(game, 4, 68), 20):
        if not table.is_over:
            view = table.readable()
            plain = way.question(view, _company(game, table.seat))
            for language in LANGUAGES:
                with speaking(language):
                    company = _company(game, table.seat, names_cards=True)
                    asked = way.question(view, company)
                assert [_offered(group) for group in asked.groups] == [
                    _offered(group) for group in plain.groups
                ]


def _offered(group: Group) -> tuple[Any, ...]:
    """What can be chosen, without the words."""
    return group.place, [(each.actions, each.cards, each.key) for each in group.choices]
