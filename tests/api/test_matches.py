"""Matches and tournaments in one call: what they print, and what they are as data."""

import sys
from pathlib import Path

import pytest

import undercut
from undercut.text.errors import OptionsError, UndercutError


class Sly(undercut.Agent):
    """Its name is no HTML."""

    name = "<script>sly</script>"

    def act(self, view: undercut.View, random: undercut.Random) -> str:
        return random.choice(view.legal)


def test_a_match_prints_as_a_table_and_is_data(tmp_path: Path) -> None:
    result = undercut.match("gin", "simple", "random", games=6, seed=1, record=tmp_path)
    assert str(result).splitlines()[1].split() == (
        [
            "agent",
            "wins",
            "win",
            "rate",
            "95",
            "%",
            "interval",
            "points/deal",
            "95",
            "%",
            "interval",
        ]
    )
    assert result.win_rate == 1.0
    assert result.interval == result.moments.win_interval(0)
    assert result.win_rates == {"simple": 1.0, "random": 0.0}
    frame = result.to_dataframe()
    assert [*frame["agent"]] == ["simple", "random"]
    assert [*frame["wins"]] == result.wins
    assert (frame["win_rate_low"][0], frame["win_rate_high"][0]) == result.interval
    assert len([*tmp_path.glob("*.jsonl")]) == result.games == 6


def test_the_same_seed_plays_the_same_match_with_an_agent_of_one_s_own() -> None:
    first, second = (undercut.match("gin:target=5", Sly(), "simple", games=4) for _ in range(2))
    assert first.moments.sums.tolist() == second.moments.sums.tolist()


def test_names_are_escaped_in_a_notebook() -> None:
    result = undercut.match("gin:target=5", Sly(), "random", games=2)
    assert "<script>" not in result._repr_html_()
    assert "&lt;script&gt;sly" in result._repr_html_()
    standings = undercut.tournament("gin:target=5", Sly(), "simple", games=4)
    assert "<script>" not in standings._repr_html_()


def test_a_tournament_prints_ratings_and_is_data(tmp_path: Path) -> None:
    game = undercut.load("gin:target=20")
    kept = tmp_path / "kept.db"
    standings = undercut.tournament(game, "random", "simple", games=8, seed=1, path=kept)
    again = undercut.tournament(game, "random", "simple", games=8, seed=1, path=kept)
    assert str(again) == str(standings)
    assert str(standings).splitlines()[2].split()[0] == "simple"
    assert repr(standings).endswith(": simple > random>")
    assert [*standings.to_dataframe()["agent"]] == ["simple", "random"]


def test_who_cannot_play_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionsError, match="3 agents: gin is for 2"):
        undercut.match(undercut.load("gin"), "simple", "simple", "random")
    with pytest.raises(OptionsError, match="two agents have the same name"):
        undercut.tournament("gin", "simple", "simple")
    result = undercut.match("gin:target=5", "simple", "random", games=2)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UndercutError, match=r"this needs pandas: pip install 'undercut\[data\]'"):
        result.to_dataframe()


def test_a_deal_of_a_record_has_the_cards_that_were_dealt(tmp_path: Path) -> None:
    undercut.match("gin", "simple", "random", games=2, seed=3, record=tmp_path)
    path = tmp_path / "000000.jsonl"
    deal = undercut.Deal.from_record(path, 0)
    for ply, action in enumerate(undercut.read_record(path).actions[:8]):
        again = undercut.Deal.from_record(str(path), ply)
        assert [again.view(seat).position for seat in (0, 1)] == [
            deal.view(seat).position for seat in (0, 1)
        ]
        deal.apply(action)
