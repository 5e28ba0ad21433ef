"""The offer of a lobby: games, options and opponents; the opponents that a page may name."""

from collections.abc import Iterator
from functools import cache

from undercut.app.company import company
from undercut.app.statistics import title
from undercut.app.stored_games import Stored, called
from undercut.app.web import lobby
from undercut.cards.packs import Pack
from undercut.games.characters import CHARACTERS, GUESTS, ROBOT, STARS, Character
from undercut.games.contract import Family, Game, Level
from undercut.games.families import all_families, parse_game
from undercut.games.table.description import as_sentence, title_of
from undercut.games.table.house_rules import LENGTH, SEATS, HouseGroup, HouseRule, offered
from undercut.games.table.plain_description import description_of
from undercut.kernels.records import Options, Settings
from undercut.players.catalog import agent_names, find_agent, is_foreign, parse_agent
from undercut.players.strengths import Ladder, load_ladders, strength_of
from undercut.text.errors import OptionsError, UndercutError
from undercut.text.spec import one_of, options_of, split_spec
from undercut.text.translation import say, say_as, speaking


@cache
def games_offered(language: str) -> tuple[lobby.GameOffered, ...]:
    """Every preset of every game."""
    ladders = load_ladders()
    with speaking(language):
        return tuple(
            _offer(family, preset, ladders.get(family.name))
            for family in all_families()
            for preset in family.rules.PRESETS
        )


@cache
def guests(language: str) -> tuple[lobby.CharacterOffered, ...]:
    """Further opponents of a level, by seat."""
    with speaking(language):
        return tuple(map(_character, GUESTS))


def _offer(family: Family, preset: str, ladder: Ladder | None) -> lobby.GameOffered:
    options, describe = family.rules.PRESETS[preset], description_of(family)
    measured = ""
    if ladder:
        values = {"reference": ladder.reference, "game": ladder.game}
        measured = say("games won against {reference} at {game}", **values)
    return lobby.GameOffered(
        name=preset,
        title=title_of(preset, describe.titles),
        about=say(describe.about.get(preset, "")),
        aim=describe.aim(options),
        pack=pack_shown(describe.pack),
        goal=describe.goal(options),
        seats=family.rules.SEATS,
        variants=tuple(
            lobby.VariantOffered(name, say(describe.variants.get(name, "")))
            for name in family.rules.VARIANTS.get(preset, {})
        ),
        length=tuple(
            _rule(HouseRule(name, option.help), options)
            for name, option in options_of(type(options)).items()
            if name in LENGTH
        ),
        house=tuple(_house(describe.house, options)),
        levels=tuple(_levels(family, ladder)),
        usual=family.usual,
        agents=tuple(_agent(family, name) for name in agent_names(family)),
        measured=measured,
    )


def _house(groups: tuple[HouseGroup, ...], options: Options) -> Iterator[lobby.GroupOffered]:
    """The house rules in groups; those that a game has not put into words come last."""
    for group in groups:
        rules = tuple(_rule(rule, options) for rule in group.rules)
        yield lobby.GroupOffered(say(group.title), rules)
    named = {*offered(groups), *LENGTH, SEATS}
    others = tuple(
        _rule(HouseRule(name, option.help), options)
        for name, option in options_of(type(options)).items()
        if name not in named
    )
    if others:
        yield lobby.GroupOffered(say("House rules"), others)


def _rule(rule: HouseRule, options: Options) -> lobby.RuleOffered:
    limits = options_of(type(options))[rule.option]
    return lobby.RuleOffered(
        rule.option,
        limits.low,
        limits.high,
        getattr(options, rule.option),
        say(rule.words),
        say(rule.example),
        tuple((value, say(words)) for value, words in rule.choices),
        tuple(lobby.NeedOffered(*need) for need in rule.needs),
    )


def _settings(values: Settings) -> Iterator[lobby.OptionOffered]:
    for name, each in options_of(type(values)).items():
        yield lobby.OptionOffered(name, each.low, each.high, getattr(values, name), each.meaning)


def _agent(family: Family, name: str) -> lobby.AgentOffered:
    entry = find_agent(family, name)
    return lobby.AgentOffered(name, say(entry.about), tuple(_settings(entry.settings)))


def _levels(family: Family, ladder: Ladder | None) -> Iterator[lobby.LevelOffered]:
    agent = family.opponent
    for level in family.levels or (Level(agent, agent, find_agent(family, agent).about),):
        found = strength_of(level, ladder)
        low, high = found.ci95 if found else (0.0, 0.0)
        title = as_sentence(say(level.name))
        character = CHARACTERS.get(level.name)
        yield lobby.LevelOffered(
            level.name,
            title,
            say(level.about),
            STARS.get(level.name, 0),
            _character(character) if character else lobby.CharacterOffered(title, ROBOT),
            found.win_rate if found else None,
            (high - low) / 2 if found else None,
        )


def _character(character: Character) -> lobby.CharacterOffered:
    name = say_as("player", character.name)
    return lobby.CharacterOffered(name, character.face, say(character.line))


def pack_shown(pack: Pack) -> lobby.PackShown:
    """The data that a page needs to draw the cards of a pack."""
    names = {card: pack.name_card(card) for card, _ in pack.names}
    return lobby.PackShown(pack.name, pack.ranks, pack.suits, names)


def check_opponent(spec: str, game: Game) -> None:
    """Raise an error unless a spec names an agent of the catalog, with numbers as settings.

    A page must never make the server load a file or run a command. So it cannot name a Python
    agent, an engine, or the file of a network.
    """
    family = game.family
    if any(level.name == spec for level in family.levels):
        return
    if is_foreign(spec):
        message = say(
            "{spec!r} cannot play on this page: {command}",
            spec=called(spec),  # without the path of a file
            command="undercut play --terminal",
        )
        raise OptionsError(message)
    name, fields = split_spec(spec)
    if name not in agent_names(family):
        known = one_of([*(level.name for level in family.levels), *agent_names(family)], name)
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
    """The error of a spec as an opponent at a game; "" if there is none."""
    try:
        parsed = parse_game(game)
        check_opponent(spec, parsed)
        parse_agent(spec, parsed)
    except UndercutError as error:
        return " ".join(str(error).split())
    return ""


def kept(stored: Stored) -> lobby.GameKept:
    """A stored game for a list, without its seed, which determines hidden cards."""
    sitting = company(stored.players, stored.called, stored.named)
    return lobby.GameKept(
        stored.number,
        stored.touched,
        stored.game,
        title(stored.game),
        tuple(each.name for each in sitting),
        tuple(each.face for each in sitting),
        stored.people[0],
        stored.scores,
        stored.state,
        stored.training,
    )
