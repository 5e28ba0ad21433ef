"""A person's match: it equals a batch match, ends, can be checked, and tells no secret."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from typed_table import redealt
from undercut.app.host import Host
from undercut.app.presentation import Shown
from undercut.app.session import Session
from undercut.games.contract import Game
from undercut.games.families import parse_game, rule_sets
from undercut.games.table.description import Event
from undercut.kernels import rng
from undercut.kernels.records import new
from undercut.play import commitment as fairness
from undercut.play.agent import Random
from undercut.play.batch import play_batch
from undercut.play.records.record import format_record, parse_record, verify
from undercut.play.records.trace import record_of
from undercut.play.seeds import Purpose
from undercut.players.catalog import parse_agent
from undercut.text.errors import AgentError, IllegalAction, NotationError, OptionsError

RUMMY = [
    "rummy:target=25",
    "rummy-classic:max_turns=60,target=25",
    "rummy:turnovers=0,tie_points=3,rummy_doubles=0,target=10",
]
OPPONENTS = {"gin": "simple", "rummy": "greedy"}

every_rule_set = pytest.mark.parametrize("spec", [*rule_sets("gin"), *RUMMY])
Player = Callable[[Session], str]


def begin(spec: str, seed: int | None = 1, opponent: str = "") -> Session:
    game = parse_game(spec)
    agent = parse_agent(opponent or OPPONENTS[game.rules.NAME], game)
    return Session(game, [agent] * (game.seats - 1), seed)


def any_choice(seed: int) -> Player:
    """A player who picks any legal action."""
    chance = Random.from_seed(seed)
    return lambda session: chance.choice(session.choices())


def as_agent(spec: str, game: Game, seed: int) -> Player:
    """A player who does what an agent in seat 0 does in the first match of a batch."""
    agent, notation = parse_agent(spec, game), game.notation
    chance = Random.from_seed(rng.derive(seed, Purpose.AGENT, 0, 0))

    def choose(session: Session) -> str:
        legal = [notation.parse_action(text) for text in session.choices()]
        return notation.format_action(agent.act(session.view().record, legal, chance))

    return choose


def play_deals(session: Session, player: Player) -> Iterator[str]:
    """Play to the end of the match; after each deal, give the commitment it began with."""
    while True:
        commitment = session.commitment
        while not session.is_deal_over:
            session.play(player(session))
        yield commitment
        if session.is_over:
            return
        session.next_deal()


def play_match(session: Session, player: Player) -> None:
    for _ in play_deals(session, player):
        pass


@every_rule_set
def test_a_match_is_played_to_its_target(spec: str) -> None:
    session = begin(spec)
    play_match(session, any_choice(2))
    points = np.array([result.points for result in session.results])
    assert session.is_over
    assert session.choices() == []
    assert tuple(points.sum(axis=0)) == session.scores == session.results[-1].scores
    assert max(session.scores) >= session.game.options.target
    assert (
        max(session.results[-2].scores if len(points) > 1 else (0,)) < session.game.options.target
    )
    assert session.scores[session.winners()[0]] == max(session.scores)


# Unlike simple, random uses up chance whenever it is asked, so it must not be asked too often.
FIRST_MATCHES = [
    *((spec, "simple") for spec in rule_sets("gin")),
    ("gin:knock_limit=60", "random"),
    *((spec, "greedy") for spec in RUMMY),
    ("rummy:target=40", "heuristic"),
    ("rummy:target=20,max_turns=40", "random"),
]


@pytest.mark.parametrize(
    ("spec", "agent", "seed"), [*((*each, 5) for each in FIRST_MATCHES), ("gin", "random", 2**62)]
)
def test_a_session_equals_the_first_match_of_a_batch(spec: str, agent: str, seed: int) -> None:
    session = begin(spec, seed, agent)
    play_match(session, as_agent(agent, session.game, seed))
    agents = [parse_agent(agent, session.game)] * 2
    batch = play_batch(session.game, agents, 1, seed, trace=20_000)
    expected = parse_record(record_of(batch, 0))
    assert session.record()[1:] == expected.events


@every_rule_set
def test_deals_that_are_over_can_be_checked(spec: str) -> None:
    session = begin(spec)
    commitments = list(play_deals(session, any_choice(2)))
    assert commitments == [result.commitment for result in session.results]
    assert len(set(commitments)) == len(commitments)
    for result in session.results:
        assert fairness.check(result.commitment, result.seed, result.salt)
        assert not fairness.check(result.commitment, result.seed + 1, result.salt)
    verify(parse_record(format_record(session.record())))


@pytest.mark.parametrize("choices", [0, 1, 5])
def test_the_record_of_a_match_that_was_left_says_so_and_names_no_winner(choices: int) -> None:
    session = begin("gin")
    next(play_deals(session, any_choice(2)))
    with pytest.raises(IllegalAction, match="still in play"):
        session.record()
    if choices:
        session.next_deal()
    for _ in range(choices - 1):
        session.play(session.choices()[0])
    session.leave()
    header, *_, last = session.record()
    assert header.players == ["you", "simple"]
    assert header.schema == "undercut-record/2"
    assert (last.seat, tuple(last.scores)) == (0, session.scores)
    assert (last.seed is None) == (choices == 0)
    match = verify(parse_record(format_record(session.record())))
    assert (match.deals, match.is_over, match.is_left) == (1, False, True)
    for forbidden in (session.leave, session.next_deal, lambda: session.play("draw")):
        with pytest.raises(IllegalAction):
            forbidden()


def test_the_seed_is_not_told_before_the_deal_is_over() -> None:
    session = begin("gin")
    public = {name: value for name, value in vars(session).items() if not name.startswith("_")}
    seed, salt = session._host.match._seeds(0)
    assert str(seed) not in repr(public)
    assert salt not in repr(public)
    while not session.is_deal_over:
        session.play(session.choices()[0])
    assert (session.results[0].seed, session.results[0].salt) == (seed, salt)


def test_without_a_seed_every_session_has_its_own() -> None:
    assert begin("gin", None).commitment != begin("gin", None).commitment


def shown(session: Session) -> tuple[object, ...]:
    """Everything a session gives to a screen, and all that is described of it."""
    told = Shown(session)
    return (
        session.view().record.tobytes(),
        session.choices(),
        session.events,
        session.names,
        session.scores,
        session.commitment,
        told.tell(session.events),
        told.table(),
        told.question(),
    )


class Watched(Host):
    """After each action of an opponent, lets it happen again with other hidden cards."""

    compared = 0

    def _apply(self, action: int) -> None:
        session, twins = Session.__new__(Session), []
        session._host, session.person, session.game = self, 0, self.game
        if self.match.deal.seat != session.person:
            chance = Random.from_seed(len(session.events))
            twins = [redealt(session, chance) for _ in range(8)]
        super()._apply(action)
        for twin in twins:
            if action in twin._host.match.deal.actions:
                Host._apply(twin._host, action)
                assert twin.events == session.events
                if not session.is_deal_over and not twin.is_deal_over:  # else hands lie open
                    assert twin.view().record.tobytes() == session.view().record.tobytes()
                self.compared += 1


hidden_rule_sets = pytest.mark.parametrize(
    "spec", [*rule_sets("gin"), "gin:knock_face_down=1", *RUMMY]
)


@hidden_rule_sets
def test_what_the_screen_gets_does_not_depend_on_hidden_cards(spec: str) -> None:
    session, player, chance = begin(spec, 3), any_choice(4), Random.from_seed(5)
    choices = 0

    def look_and_choose(session: Session) -> str:
        nonlocal choices
        choices += 1
        assert shown(redealt(session, chance)) == shown(session)
        return player(session)

    for _ in islice(play_deals(session, look_and_choose), 3):
        pass
    assert choices > 10


@hidden_rule_sets
def test_what_an_opponent_did_does_not_tell_hidden_cards(spec: str) -> None:
    game, player = parse_game(spec), any_choice(4)
    host = Watched(game, [None, parse_agent(OPPONENTS[game.rules.NAME], game)], 3)
    for _ in islice(play_deals(Session.at(host, 0), player), 3):
        pass
    assert host.compared > 50


def test_events_name_the_cards_the_person_saw() -> None:
    session = begin("gin:first_starter=0", 1)
    upcard = "Jd"
    session.play("take")
    session.play(session.choices()[0])
    first, thrown, answer = session.events[:3]
    assert first == Event(0, "take", (upcard,))
    assert (thrown.seat, thrown.verb, len(thrown.cards)) == (0, "discard", 1)
    assert answer in [Event(1, "draw"), Event(1, "take", thrown.cards)]
    session.play("draw")
    (drawn,) = session.events[-1].cards
    assert f"discard {drawn}" in session.choices()


def test_an_action_without_alternative_is_played_unasked() -> None:
    """When both have passed the first upcard, the first player can only draw."""
    for seed in range(20):
        session = begin("gin:first_starter=0", seed)
        session.play("pass")
        if session.events[1].verb == "pass":
            assert session.events[2].verb == "draw"
            assert len(session.events[2].cards) == 1
            assert len(session.choices()) >= 11
            return
    pytest.fail("simple took the first upcard in 20 deals")


def test_a_knock_face_down_does_not_name_its_card() -> None:
    session = begin("gin:knock_face_down=1", 3)
    knocks = {
        event.cards
        for _ in play_deals(session, any_choice(2))
        for event in session.events
        if event.verb == "knock" and event.seat == 1
    }
    # It is seen only if the deal was over at once, the person having nothing to lay down.
    assert () in knocks


@pytest.mark.parametrize("text", ["discard Ks", "fly", "take 8h", "knock", ""])
def test_a_bad_action_raises_and_changes_nothing(text: str) -> None:
    session = begin("gin:first_starter=0")
    before = shown(session)
    with pytest.raises((IllegalAction, NotationError)):
        session.play(text)
    assert shown(session) == before


def test_deals_follow_each_other() -> None:
    session = begin("gin", 3)
    with pytest.raises(IllegalAction, match="not over"):
        session.next_deal()
    play_match(session, any_choice(2))
    with pytest.raises(IllegalAction, match="match has ended"):
        session.next_deal()
    with pytest.raises(IllegalAction, match="'draw' cannot be played: the match has ended"):
        session.play("draw")


def test_the_table_must_be_full() -> None:
    game = parse_game("gin")
    with pytest.raises(OptionsError, match="0 opponents"):
        Session(game, [])
    with pytest.raises(OptionsError, match="seat 2"):
        Session(game, [parse_agent("simple", game)], person=2)
    with pytest.raises(OptionsError, match="seed -1"):
        Session(game, [parse_agent("simple", game)], seed=-1)


def test_the_person_may_sit_in_the_other_seat() -> None:
    game = parse_game("gin")
    session = Session(game, [parse_agent("simple", game)], 7, person=1)
    assert session.names == ("Simple", "you")
    play_match(session, any_choice(1))
    assert session.is_over


class Batched:
    """An agent that decides for many games at once: always the first legal action."""

    name = "batched"

    def act_batch(self, views: Any, legal: Any, counts: Any, generators: Any) -> Any:
        assert views.shape == counts.shape == generators.shape == (1,)
        return legal[:, 0]


class Broken:
    """An agent that gives a fixed answer, or raises it."""

    name = "broken"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, view: Any, legal: Any, random: Any) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_a_batched_agent_can_be_an_opponent() -> None:
    session = Session(parse_game("gin:first_starter=1"), [Batched()], seed=1)
    assert session.events[0].verb == "take"


@pytest.mark.parametrize("answer", [9999, None, "take", np.zeros(2), KeyError("lost")])
def test_an_agent_that_answers_badly_is_named(answer: Any) -> None:
    with pytest.raises(AgentError, match="broken"):
        Session(parse_game("gin:first_starter=1"), [Broken(answer)], seed=1)


class Late(Broken):
    """An agent that plays its first turn and then raises."""

    def act(self, view: Any, legal: Any, random: Any) -> Any:
        if view.turn > 1:
            raise RuntimeError("lost my glasses")
        return legal[0]


def test_an_agent_that_fails_does_not_show_its_choices() -> None:
    session = Session(parse_game("gin:first_starter=0"), [Late(None)], seed=1)
    session.play("pass")
    session.play("draw")
    with pytest.raises(AgentError, match="lost my glasses"):
        session.play(session.choices()[0])
    assert session.choices() == []
    with pytest.raises(IllegalAction):
        session.play("draw")


def test_generators_move_on_from_deal_to_deal() -> None:
    """Two deals use one stream for each agent, as a batch does."""
    session = begin("gin", 3)
    start = new(rng.GENERATOR, 1)[0]
    rng.start(start, rng.derive(3, Purpose.AGENT, 0, 1))
    while not session.is_deal_over:
        session.play(session.choices()[0])
    assert session._host._chances[1].generator.seed == start.seed
    assert session._host._chances[1].generator.position > 0


def refusal(attempt: Callable[..., object], *given: object) -> str:
    with pytest.raises(IllegalAction) as refused:
        attempt(*given)
    return str(refused.value)


def play_deal(host: Host) -> None:
    while host.on_turn is not None:
        host.play(host.on_turn, str(host.match.deal.legal[0]))


def test_whatever_cannot_be_done_is_refused_with_the_reason() -> None:
    game = parse_game("prsi:deals=2,max_moves=9,first_starter=1")
    host, other = (Host(game, [None, None], 1, asks_all=True) for _ in range(2))
    assert refusal(host.play, 0, "draw") == "'draw' cannot be played: it is not your turn"
    assert refusal(host.next_deal) == "the deal is not over"
    assert refusal(host.undo, 0) == "only in a training game can a move be taken back"
    assert refusal(host.record).startswith("the match is still in play")
    play_deal(host)
    assert refusal(host.play, 0, "draw") == "'draw' cannot be played: the deal is over"
    host.next_deal()
    play_deal(host)
    other.leave(1)
    for ended in (other, host):
        assert refusal(ended.play, 0, "draw") == "'draw' cannot be played: the match has ended"
        assert refusal(ended.next_deal) == "the match has ended: there is no other deal"
        assert refusal(ended.leave, 0) == "the match has ended: it cannot be left"
        assert ended.record()
