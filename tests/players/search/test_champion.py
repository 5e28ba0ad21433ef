"""players/search/champion.py: the guide with an evaluator."""

import pickle
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from undercut.cli import main
from undercut.games.families import parse_game
from undercut.kernels.records import Array
from undercut.play.agent import Random
from undercut.play.batch import play_batch
from undercut.play.deal import Deal
from undercut.players.catalog import parse_agent
from undercut.players.encoding import encoding_of
from undercut.players.search.candidates import CERTAIN
from undercut.players.search.champion import Champion
from undercut.players.search.evaluate import CUT, Evaluator
from undercut.players.search.rollouts import ENDING, FIELDS, MILLION, VALUE
from undercut.text.errors import OptionsError

pytestmark = pytest.mark.compiled
GIN = parse_game("gin")


@cache
def _champion(spec: str = "champion:samples=16") -> Champion:
    agent = parse_agent(spec, GIN)
    assert isinstance(agent, Champion)
    return agent


def _positions(count: int) -> Iterator[tuple[Any, list[int]]]:
    """Views with a choice, from deals that the guide plays."""
    guide, seed = _champion().guide, 0
    while count > 0:
        seed += 1
        deal, random = Deal(GIN, seed), Random.from_seed(seed)
        while not deal.is_over and count > 0:
            if len(deal.actions) > 1:
                yield deal.observe().copy(), deal.actions
                count -= 1
            deal.apply(guide.act(deal.observe(), deal.actions, random))


def _policy(view: Any, legal: list[int]) -> list[float]:
    """The guide's chances, from the numbers that its explanation shows."""
    table = _champion().guide.explain(view, legal, Random.from_seed(0))
    assert table is not None
    shown = dict(table.comparisons[0].rows) if table.comparisons else {}
    return [float(shown.get(GIN.notation.format_action(move), 0)) / 100 for move in legal]


def test_it_tries_the_likeliest_moves_and_nothing_if_the_guide_is_certain() -> None:
    champion, tried = _champion(), 0
    for view, legal in _positions(60):
        own = champion.guide.act(view, legal, Random.from_seed(0))
        moves, chances = champion.candidates(view, legal, Random.from_seed(0)), _policy(view, legal)
        assert moves[0] == own
        if not encoding_of(GIN).is_asked(view, 0) or max(chances) >= CERTAIN:
            assert moves == [own]
            continue
        tried += 1
        assert len(moves) == min(len(legal), champion.settings.moves)
        left = [chance for move, chance in zip(legal, chances, strict=True) if move not in moves]
        kept = [chance for move, chance in zip(legal, chances, strict=True) if move in moves]
        assert max(left, default=0) <= min(kept)
    assert tried >= 10


def test_the_same_seed_gives_the_same_match_on_any_number_of_threads() -> None:
    champion = _champion()
    alone = replace(champion, evaluator=Evaluator(GIN, workers=1))
    guide = parse_agent("blueprint", GIN)
    first, second = (
        play_batch(GIN, [each, guide], 2, seed=4, max_deals=1, trace=None)
        for each in (champion, alone)
    )
    assert (first.traces == second.traces).all()
    assert not champion.by_clock


def _values(monkeypatch: pytest.MonkeyPatch, leads: list[float], spread: float) -> Evaluator:
    """An evaluator whose moves lead the first one by these values of a match."""
    evaluator = copy(_champion().evaluator)
    scale = evaluator.player.value
    assert scale is not None

    def sample(view: Any, moves: Array, numbers: range, seed: int, whole_share: int = 4) -> Array:
        found = np.zeros((len(numbers), len(moves), FIELDS), dtype=np.int64)
        found[..., ENDING] = CUT
        for row, number in enumerate(numbers):
            for column, move in enumerate(moves.tolist()):
                noise = spread * (1 if (number + move) % 2 else -1)
                value = MILLION * scale.match * (leads[move] + noise)
                found[row, column, VALUE] = int(value)
        return found

    monkeypatch.setattr(evaluator, "_sample", sample)
    return evaluator


def test_it_leaves_the_guides_move_only_for_one_that_leads_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With noise of ± 0.1 on the difference of odd moves, 100 samples have an error of 0.02."""
    view, _ = next(_positions(1))
    moves = [0, 1, 2]
    evaluator = _values(monkeypatch, [0.0, 0.03, 0.01], spread=0.1)
    assert evaluator.choose(view, moves, 100, 1, gate=1.0) == 1
    assert evaluator.choose(view, moves, 100, 1, gate=2.0) == 0
    evaluator = _values(monkeypatch, [0.0, -0.05, 0.01], spread=0.1)
    assert evaluator.choose(view, moves, 100, 1, gate=0.5) == 2, "no noise between even moves"
    evaluator = _values(monkeypatch, [0.0, -0.01, -0.01], spread=0.0)
    assert evaluator.choose(view, moves, 100, 1, gate=0.0) == 0


def test_a_copy_plays_the_same() -> None:
    champion = _champion()
    copy = pickle.loads(pickle.dumps(champion))
    for view, legal in _positions(8):
        mine = champion.act(view, legal, Random.from_seed(3))
        assert copy.act(view, legal, Random.from_seed(3)) == mine


def test_a_search_by_the_clock_is_announced() -> None:
    words = ["match", "gin:target=10", "champion:milliseconds=1,moves=2", "simple", "-n", "2"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    note = "note: champion:milliseconds=1,moves=2 searches by the clock"
    assert note in done.stderr
    done = CliRunner().invoke(
        main, ["match", "gin:target=10", "champion:samples=2,moves=2", "simple", *words[-2:]]
    )
    assert "by the clock" not in done.stderr


def test_a_game_without_a_network_has_no_champion(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator = copy(_champion().evaluator)
    evaluator.guide = parse_agent("simple", GIN)
    monkeypatch.setattr("undercut.players.search.champion.evaluator_of", lambda name: evaluator)
    with pytest.raises(OptionsError, match="champion does not play gin: no network does"):
        parse_agent("champion", GIN)
