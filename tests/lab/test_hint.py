"""`undercut hint`, as a user meets it."""

import json
from pathlib import Path

import pytest

from cli.test_cli import BOTS, refused, undercut

OFFER = "gin.00.0-0.4c5c6cKc8d7hKhAsQsKs.Jh.-"
THROW = "gin.00.0-0.4c5c6cKc8d5h7hKhAsQsKs.Jhp.tTc-s5h"
QUICK = ("--agent", "heuristic:samples=2")


def test_a_discard_with_its_reasons() -> None:
    shown = undercut("hint", THROW, *QUICK).stdout
    assert shown.startswith("heuristic:samples=2: discard ")
    assert all(len(line) <= 80 for line in shown.splitlines())
    for text in ("hand utility", "opponent's gain", "value", "█", "♠"):
        assert text in shown


def test_a_discard_in_json() -> None:
    told = json.loads(undercut("hint", THROW, *QUICK, "--json").stdout)
    assert told["position"] == THROW
    assert {row["card"] for row in told["discards"]} == {"8d", "5h", "7h", "As", "Qs"}
    values = [row["value"] for row in told["discards"]]
    assert values == sorted(values, reverse=True)
    for row in told["discards"]:
        assert row["value"] == pytest.approx(row["utility"] - 0.77 * row["gain"])
    assert told["action"] == "discard " + told["discards"][0]["card"]
    assert sum(told["belief"].values()) == pytest.approx(10)
    assert told["belief"]["Jh"] == told["belief"]["Jd"] == 0.25  # taken, but the paper forgets that
    assert told["belief"]["Tc"] == told["belief"]["4c"] == 0
    remembering = undercut("hint", THROW, "--agent", "heuristic:samples=2,remember=1", "--json")
    assert json.loads(remembering.stdout)["belief"]["Jh"] == 1


def test_a_careful_player_weighs_the_others_even_when_the_card_is_settled() -> None:
    """It throws the ten for a knock with eight points, after a look around."""
    position = "gin.00.0-0.3c4c5cJcQcKc2h3hThAs2s.8dpp.sTh"
    told = json.loads(undercut("hint", position, "--agent", "published:samples=2", "--json").stdout)
    assert told["reason"].startswith("its highest loose card")
    for row in told["discards"]:
        assert row["value"] == pytest.approx(row["utility"] - 0.77 * row["gain"])
    plain = json.loads(undercut("hint", position, *QUICK, "--json").stdout)
    assert {row["gain"] for row in plain["discards"]} == {None}
    assert "–" in undercut("hint", position, *QUICK).stdout


def test_the_seed_names_the_sampled_hands() -> None:
    first, again, other = (
        undercut("hint", THROW, *QUICK, "--seed", seed, "--json").stdout for seed in ("1", "1", "2")
    )
    assert first == again != other


def test_a_draw_with_its_reasons() -> None:
    told = json.loads(undercut("hint", OFFER, *QUICK, "--json").stdout)
    assert told["action"] == ("take" if told["take"] > told["stock"] else "pass")
    shown = undercut("hint", OFFER, *QUICK).stdout
    assert f"{told['stock']:.2f}" in shown
    assert "the upcard" in shown


def test_the_estimator_believes_its_network() -> None:
    """Both weigh the same cards; only what they believe of the other hand differs."""
    plain, told = (
        json.loads(undercut("hint", THROW, "--agent", agent, "--json").stdout)
        for agent in ("published:samples=2", "estimator:remember=1,samples=2")
    )
    assert {row["card"] for row in told["discards"]} == {row["card"] for row in plain["discards"]}
    for row in told["discards"]:
        assert row["value"] == pytest.approx(row["utility"] - 0.77 * row["gain"])
    assert told["action"] == "discard " + told["discards"][0]["card"]
    assert sum(told["belief"].values()) == pytest.approx(10)
    assert told["belief"]["Jh"] == 1
    assert told["belief"]["Tc"] == told["belief"]["4c"] == 0
    unseen = {card for card, chance in plain["belief"].items() if 0 < chance < 1}
    assert len({plain["belief"][card] for card in unseen}) == 1
    assert len({told["belief"][card] for card in unseen}) == len(unseen)
    shown = undercut("hint", THROW, "--agent", "estimator:remember=1,samples=2").stdout
    for text in ("hand utility", "opponent's gain", "value", "█", "♠"):
        assert text in shown


def test_the_examples_of_the_help_work() -> None:
    shown = undercut("hint", "--help").stdout
    assert f"undercut hint {OFFER}\n" in shown
    assert f"undercut hint {THROW} --agent estimator\n" in shown


def test_other_agents_only_say_what_they_would_do(tmp_path: Path) -> None:
    assert undercut("hint", OFFER, "--agent", "simple").stdout == "simple: pass\n"
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    shown = undercut("hint", OFFER, "--agent", f"python:{path}:First", "--json").stdout
    assert json.loads(shown)["action"] == "take"
    said = refused("hint", OFFER, "--agent", f"python:{path}:Thrower")
    line = BOTS.splitlines().index('        raise RuntimeError("I am\\nlost")') + 1
    assert said == f"undercut: thrower raised RuntimeError: I am lost ({path}, line {line})"
    assert "99999, which is not legal: take, pass" in refused(
        "hint", OFFER, "--agent", f"python:{path}:Cheat"
    )


TALKER = """
from undercut.play.explanation import Comparison, Explanation, Figure

class Talker:
    name = "talker"
    answer = 0

    def act(self, view, legal, random):
        return legal[-1]

    def explain(self, view, legal, random):
        weighed = Comparison("moves", (("move", "what"), ("worth", "its worth")), (("pass", None),))
        figures = (Figure("mood", "how it feels", 0.5),)
        return Explanation(legal[-1] + self.answer, "it is polite", (weighed,), figures)

class Liar(Talker):
    answer = 1000
"""


def test_an_agent_of_one_s_own_may_give_reasons(tmp_path: Path) -> None:
    path = tmp_path / "talker.py"
    path.write_text(TALKER)
    agent = f"python:{path}:Talker"
    told = json.loads(undercut("hint", OFFER, "--agent", agent, "--json").stdout)
    assert told == {
        "position": OFFER,
        "agent": agent,
        "action": "pass",
        "reason": "it is polite",
        "moves": [{"move": "pass", "worth": None}],
        "mood": 0.5,
    }
    shown = " ".join(undercut("hint", OFFER, "--agent", agent).stdout.split())
    assert "pass – it is polite" in shown
    assert "how it feels 0.50" in shown
    assert "In per cent" not in shown
    assert "which is not legal: take, pass" in refused(
        "hint", OFFER, "--agent", f"python:{path}:Liar"
    )


PHARAOH = "pharaoh.000n.1-0-0.0-0.9H-0-1.7HUL.9L9H..2-2-0-0-n~2-2-0-0-n"


@pytest.mark.parametrize("position", [OFFER, THROW, PHARAOH])
def test_without_an_agent_the_moves_are_evaluated(position: str) -> None:
    told = json.loads(undercut("hint", position, "--samples", "50", "--json").stdout)
    assert (told["agent"], told["action"]) == ("evaluator", told["moves"][0]["move"])
    assert max(row["samples"] for row in told["moves"]) == 50
    assert told["moves"][0]["behind"] == 0
    shown = undercut("hint", position, "--samples", "50").stdout
    assert shown.startswith(f"evaluator: {told['action']} – ")
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_an_evaluation_depends_on_the_seed_alone() -> None:
    first, again, other = (
        undercut("hint", THROW, "--samples", "40", "--seed", seed).stdout for seed in "112"
    )
    assert first == again != other


def test_an_evaluation_may_have_a_time_instead() -> None:
    told = json.loads(undercut("hint", OFFER, "--milliseconds", "20", "--json").stdout)
    assert told["moves"][0]["samples"] >= 32


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gin"], "not a position: 'gin'"),
        (["chess.00"], "unknown game 'chess'"),
        (["gin.00.0-0.4c.Jh.-"], "1 cards in hand, not 10"),
        ([OFFER, "--samples", "1"], "1 is not in the range"),
        ([OFFER, "--agent", "oracle"], "unknown agent 'oracle' for gin: one of "),
        ([OFFER, "--agent", "heuristic:samples=0"], "samples=0: must be from 1 to 10000"),
        ([OFFER.replace("gin.00", "gin.10")], "seat 1 has no choice here"),
        ([], "Missing argument 'POSITION'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], said: str) -> None:
    assert said in refused("hint", *arguments)
