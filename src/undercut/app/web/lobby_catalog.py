"""What a lobby offers: games, their options, and opponents; and which opponents a page may name."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from undercut.app.statistics import title
from undercut.app.stored_games import Stored, called
from undercut.app.web.lobby import (
    AgentOffered,
    GameKept,
    GameOffered,
    LevelOffered,
    OptionOffered,
    PackShown,
)
from undercut.cards.packs import Pack
from undercut.games.contract import Family, Game, Level
from undercut.games.families import all_families, parse_game
from undercut.games.table.description import title_of
from undercut.games.table.plain_description import description_of
from undercut.players.catalog import agent_names, find_agent, is_foreign, parse_agent
from undercut.players.strengths import Ladder, load_ladders, strength_of
from undercut.text.errors import OptionsError, UndercutError
from undercut.text.spec import one_of, options_of, split_spec
from undercut.text.translation import say, speaking


@cache
def games_offered(language: str) -> tuple[GameOffered, ...]:
    """Every preset of every game."""
    ladders = load_ladders()
    with speaking(language):
        return tuple(
            _offer(family, preset, ladders.get(family.name))
            for family in all_families()
            for preset in family.rules.PRESETS
        )


def _offer(family: Family, preset: str, ladder: Ladder | None) -> GameOffered:
    options, describe = family.rules.PRESETS[preset], description_of(family)
    return GameOffered(
        name=preset,
        title=title_of(preset, describe.titles),
        aim=describe.aim(options),
        pack=pack_shown(describe.pack),
        goal=describe.goal(options),
        seats=family.rules.SEATS,
        variants=tuple(family.rules.VARIANTS.get(preset, {})),
        options=tuple(each for each in _options(options) if each.name != "players"),
        levels=tuple(_levels(family, ladder)),
        usual=family.usual,
        agents=tuple(_agent(family, name) for name in agent_names(family)),
        measured=_measured(ladder) if ladder else "",
    )


def _options(values: Any) -> Iterator[OptionOffered]:
    for name, each in options_of(type(values)).items():
        yield OptionOffered(name, each.low, each.high, getattr(values, name), each.meaning)


def _agent(family: Family, name: str) -> AgentOffered:
    entry = find_agent(family, name)
    return AgentOffered(name, say(entry.about), tuple(_options(entry.settings)))


def _measured(ladder: Ladder) -> str:
    """What the strengths are shares of."""
    values = {"reference": ladder.reference, "game": ladder.game}
    return say("games won against {reference} at {game}", **values)


def _levels(family: Family, ladder: Ladder | None) -> Iterator[LevelOffered]:
    for level in family.levels or (_default(family),):
        found = strength_of(level, ladder)
        low, high = found.ci95 if found else (0.0, 0.0)
        yield LevelOffered(
            level.name,
            say(level.name),
            say(level.about),
            found.win_rate if found else None,
            (high - low) / 2 if found else None,
        )


def _default(family: Family) -> Level:
    """The opponent of a game that has no levels."""
    return Level(family.opponent, family.opponent, find_agent(family, family.opponent).about)


def pack_shown(pack: Pack) -> PackShown:
    """What a page needs to draw the cards of a pack."""
    names = {card: pack.name_card(card) for card, _ in pack.names}
    return PackShown(pack.name, pack.ranks, pack.suits, names)


def check_opponent(spec: str, game: Game) -> None:
    """Raise an error unless a spec names an agent of the catalog, with settings that are numbers.

    A page must never make the server load a file or run a command: no agent of one's own, no
    engine, no network by its file.
    """
    family = game.family
    if any(level.name == spec for level in family.levels):
        return
    if is_foreign(spec):
        message = say(
            "{spec!r} cannot be sat down from a page: {command}",
            spec=called(spec),  # without the path of a file
            command="undercut play --terminal",
        )
        raise OptionsError(message)
    name, fields = split_spec(spec)
    if name not in agent_names(family):
        known = one_of([*(level.name for level in family.levels), *agent_names(family)])
        raise OptionsError(
            say(
                "unknown opponent {name!r} for {game}: {known}",
                name=name,
                game=game.name,
                known=known,
            )
        )
    entry = find_agent(family, name)
    allowed = {*entry.options, *(["settings"] if entry.presets else [])}
    for field in fields:
        if field not in allowed:
            message = say("{field!r} of {name} cannot be set from a page", field=field, name=name)
            raise OptionsError(message)


def find_problem(spec: str, game: str) -> str:
    """Why an opponent cannot sit down to a game, "" if it can."""
    try:
        parsed = parse_game(game)
        check_opponent(spec, parsed)
        parse_agent(spec, parsed)
    except UndercutError as error:
        return " ".join(str(error).split())
    return ""


def kept(stored: Stored) -> GameKept:
    """A stored game as a list shows it; its seed, which names hidden cards, stays here."""
    return GameKept(
        stored.number,
        stored.touched,
        stored.game,
        title(stored.game),
        tuple(map(say, stored.called)),
        stored.scores,
        stored.state,
        stored.training,
    )
