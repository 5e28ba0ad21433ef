"""Agents of every kind, asked in one way; agents of one's own; beliefs and reasons."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercut
from undercut.games.gin import GinView
from undercut.text.errors import AgentError, IllegalAction, NotationError, OptionsError

GIN = undercut.load("gin", view=GinView)

BATCHED = """
class Many:
    name = "many"

    def act_batch(self, views, legal, counts, generators):
        return legal[:, 0]

class One:
    name = "one"

    def act(self, view, legal, random):
        return legal[0]
"""


class Stubborn(undercut.Agent):
    """Says the same whatever it is asked."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, view: undercut.View, random: undercut.Random) -> str:
        return self.answer


class Last(undercut.Agent):
    """Does what is offered last, in a word that is read and never written: 10h for Th."""

    def act(self, view: undercut.View, random: undercut.Random) -> str:
        return view.legal[-1].replace("T", "10")


def discarding() -> undercut.Deal[GinView]:
    deal = GIN.deal(seed=7)
    deal.play("take")
    return deal


@pytest.mark.parametrize(
    "spec", ["simple", "random", "estimator:samples=4", "blueprint", "beginner"]
)
def test_a_seed_and_a_view_give_the_same_answer(spec: str) -> None:
    view = discarding().view()
    answers = [[undercut.agent(spec, GIN, seed).act(view) for _ in range(2)] for seed in (3, 3)]
    assert answers[0] == answers[1]
    assert {*answers[0]} <= {*view.legal}


def test_agents_of_other_forms_are_asked_in_the_same_way(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(BATCHED)
    view = discarding().view()
    for name in ("Many", "One"):
        asked = undercut.agent(f"python:{tmp_path / 'bots.py'}:{name}", GIN)
        assert asked.act(view) == view.legal[0]
    search = undercut.agent("montecarlo:samples=4", GIN)
    assert search.act(view) in view.legal


def test_what_cannot_be_asked_is_refused() -> None:
    deal, simple = discarding(), undercut.agent("simple", GIN)
    with pytest.raises(IllegalAction, match="seat 1 has nothing to decide here"):
        simple.act(deal.view(1))
    with pytest.raises(OptionsError, match="simple plays gin, the view is of gin:target=50"):
        simple.act(undercut.load("gin:target=50").deal(seed=1).view())
    with pytest.raises(OptionsError, match="simple does not say what the other seat may hold"):
        simple.belief(deal.view())


def test_reasons_print_as_the_hint_does() -> None:
    view = discarding().view()
    why = undercut.agent("estimator:samples=20", GIN, seed=1).explain(view)
    assert why.action in view.legal
    first, *rest = str(why).splitlines()
    assert first == f"estimator:samples=20: {why.action} – {why.reason}"
    assert any(line.startswith("discard  hand utility") for line in rest)
    assert why.belief is not None
    assert "<td" in why._repr_html_()
    plain = undercut.agent("simple", GIN).explain(view)
    assert str(plain) == f"simple: {plain.action}"
    assert plain.belief is None


def test_a_belief_is_an_array_of_suits_and_ranks() -> None:
    view = discarding().view()
    belief = undercut.agent("heuristic:samples=4", GIN).belief(view)
    assert belief.array.shape == (4, 13)
    assert np.asarray(belief).sum() == pytest.approx(10)  # cards of the other hand
    assert (belief.suits[2], belief.ranks[9]) == ("hearts", "10")
    assert belief["Th"] == belief.array[2, 9]
    assert all(belief[card] == 0 for card in view.hand)
    card, chance = belief.likeliest(1)[0]
    assert chance == belief[card] == belief.array.max()
    assert str(belief).splitlines()[3].split()[0] == "♥"
    with pytest.raises(OptionsError, match="not a card of the french pack: 'XX'"):
        belief["XX"]


def test_one_s_own_agent_answers_in_any_words_that_the_game_reads() -> None:
    result = undercut.match("gin:target=20", Last(), "random", games=2, seed=1)
    assert result.agents == ("last", "random")


@pytest.mark.parametrize("answer", ["fold", "discard 2c", None, 104, ["take"]])
def test_an_answer_that_is_not_legal_is_named(answer: Any) -> None:
    with pytest.raises(AgentError, match=r"stubborn answered .* which is not legal: "):
        undercut.match("gin", Stubborn(answer), "random", games=2)


def test_one_s_own_agent_is_loaded_from_a_file() -> None:
    path = Path(__file__).parents[2] / "examples" / "first_bot.py"
    spec = f"python:{path}:Hasty"
    result = undercut.match("gin:target=20", spec, "random", games=4, seed=1)
    assert (result.agents[0], result.win_rate) == ("hasty", 1.0)


def test_what_is_read_can_be_copied_and_sent() -> None:
    view = discarding().view()
    for thing in (view.hand, view.hand[0], view.legal[0], view.layout):
        for twin in (pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing)):
            assert (twin, type(twin)) == (thing, type(thing))
    assert pickle.loads(pickle.dumps(view.legal[0])).number == view.legal[0].number


def test_cards_know_what_they_are_in_their_pack() -> None:
    ten, eight = undercut.Card("Th"), undercut.load("pharaoh").deal(seed=3).view().hand[0]
    assert (ten.rank, ten.symbol, ten.order) == ("10", "10♥", 9)
    assert (eight, eight.name, eight.suit) == ("8H", "eight of hearts", "hearts")
    with pytest.raises(NotationError, match="not a card of the french pack: '7L'"):
        undercut.Card("7L")
    hand = undercut.Cards("8h 9h Ks")
    assert hand[1:] == "9h Ks"
    assert hand.mask == undercut.Cards.from_mask(hand.mask).mask
    assert {hand: 1}[undercut.Cards(["8h", "9h", "Ks"])] == 1
