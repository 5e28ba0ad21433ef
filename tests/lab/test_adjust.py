"""Luck taken out of matches and tournaments: the same games, and results that vary less."""

from pathlib import Path

import numpy as np
import pytest

from lab.tables import GAMES, quick_agents
from undercut.games.families import parse_game
from undercut.kernels.jit import COMPILED
from undercut.lab.compare import play_match
from undercut.lab.results_file import LedgerError
from undercut.lab.sprt import Sprt
from undercut.lab.tournament import Tournament, parse_entrants
from undercut.lab.workers import Setup
from undercut.players.catalog import parse_agent
from undercut.text.errors import OptionsError

MATCHES = 3000 if COMPILED else 20


def test_a_match_is_the_same_but_for_what_is_adjusted() -> None:
    game, agents = quick_agents("patient", "simple")
    plain = play_match(game, agents, 20, seed=3).to_json()
    found = play_match(game, agents, 20, 3, Setup(workers=1), adjust=True).to_json()
    adjusted = found.pop("adjusted")
    assert plain | {"deals_per_second": 0} == found | {"deals_per_second": 0}
    assert sum(adjusted["win_rates"]) == pytest.approx(1)
    assert adjusted["win_rates"][0] == pytest.approx(plain["win_rate"] - adjusted["luck"][0])
    again = play_match(game, agents, 20, 3, Setup(workers=2), adjust=True).to_json()
    assert again["adjusted"] == adjusted, "however many threads there are"


def test_luck_is_0_on_average_and_worth_taking_out() -> None:
    game = parse_game("gin:target=25")
    agents = [parse_agent(spec, game) for spec in ("patient", "simple")]
    moments = play_match(game, agents, MATCHES, seed=11, adjust=True).moments
    luck, interval = moments.luck(0)
    assert interval is not None
    error = (interval[1] - interval[0]) / 4
    assert abs(luck) < 3.5 * error
    times = moments.worth_of_adjusting(0)
    assert times is not None
    assert times > (1.2 if COMPILED else 0.3)


def test_an_agent_in_python_is_adjusted_as_well() -> None:
    game, (simple,) = quick_agents("simple")

    class First:
        name = "first"

        def act(self, view: object, legal: list[int], random: object) -> int:
            return legal[0]

    result = play_match(game, [First(), simple], 4, seed=1, adjust=True)  # type: ignore[list-item]
    assert np.isfinite(result.moments.adjusted_rate(0).value)


def test_a_sequential_test_goes_by_adjusted_results() -> None:
    game, agents = quick_agents("patient", "simple")
    sprt, other = Sprt(0.45, 0.65), Sprt(0.45, 0.65)
    play_match(game, agents, GAMES, seed=1, sprt=sprt)
    play_match(game, agents, GAMES, seed=1, sprt=other, adjust=True)
    assert sprt.ratio != other.ratio


def test_a_tournament_rates_what_is_left_without_luck(tmp_path: Path) -> None:
    game, _ = quick_agents()
    entrants = parse_entrants(["patient", "simple", "random"], game)
    path = tmp_path / "kept.db"
    with Tournament(game, entrants, 8, 1, path, adjust=True) as contest:
        whole = contest.play(Setup(workers=1))
    pair = play_match(game, [entrants["patient"], entrants["simple"]], 8, 1, adjust=True)
    assert whole.win_rates[0][1] == pytest.approx(pair.moments.adjusted_rate(0).value)
    found = whole.to_json()
    assert len(found["adjusted"]["win_rates"]) == 3
    assert found["tables"][0]["adjusted"]["win_rates"][0] == pytest.approx(whole.win_rates[0][1])
    assert all(np.isfinite(found["elo"]))
    with Tournament(game, entrants, 8, 1, path, adjust=True) as contest:
        assert contest.games_left == 0
        assert contest.play().to_json() == found, "from the file"
    with pytest.raises(LedgerError, match="its adjusted is True, not False"):
        Tournament(game, entrants, 8, 1, path)


def test_a_game_without_values_is_refused() -> None:
    game = parse_game("rummy")
    agents = [parse_agent(spec, game) for spec in ("greedy", "random")]
    with pytest.raises(OptionsError, match="rummy cannot be adjusted for luck: one of gin"):
        play_match(game, agents, 2, adjust=True)
