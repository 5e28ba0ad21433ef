"""Profiles: sums and intervals over deals, by player, in time."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from lab.review.test_review import RECORDS, review_of, with_error
from undercut.cli import main
from undercut.lab.review.page import page
from undercut.lab.review.profile import (
    FEWEST_DEALS,
    MOST_PARTS,
    PlayedSide,
    by_player,
    over_time,
    profile,
    ratio,
    sides_of,
)
from undercut.lab.review.worth import POINTS

pytestmark = pytest.mark.compiled


def sides(count: int) -> list[PlayedSide]:
    return [
        PlayedSide(10 + number % 3, 2.0 * number, number - 3.0, number - 5.0, (("late", 1.5),))
        for number in range(count)
    ]


def test_a_profile_has_the_sums_of_its_deals() -> None:
    found = profile([*sides(6), PlayedSide(0, 0.0, 0.0, 0.0, (("early", 20.0), ("late", 0.5)))])
    assert (found.deals, found.decisions) == (7, 66)
    assert found.error_rate.value == pytest.approx(30 / 66)
    assert found.luck.value == pytest.approx((sum(range(6)) - 18) / 7)
    assert [(each.name, each.count, each.points) for each in found.themes] == [
        ("early", 1, 20.0),
        ("late", 7, pytest.approx(9.5)),
    ]


def test_the_interval_holds_the_rate_in_about_95_of_100_samples() -> None:
    random, held, samples = np.random.default_rng(1), 0, 400
    for _ in range(samples):
        counts = random.integers(5, 20, 30)
        lost = [float(random.exponential(0.4, count).sum()) for count in counts]
        found = ratio(lost, counts.tolist())
        assert found.interval is not None
        held += found.interval[0] <= 0.4 <= found.interval[1]
    assert 0.91 <= held / samples <= 0.985


def test_one_deal_has_no_interval_and_no_decision_no_rate() -> None:
    assert ratio([3.0], [6]) == (0.5, None)
    assert ratio([], []) == (0.0, None)
    assert ratio([0.0, 0.0], [0, 0]) == (0.0, None)


@pytest.mark.parametrize("count", [1, FEWEST_DEALS, 2 * FEWEST_DEALS + 1, 500])
def test_time_is_cut_into_stretches_without_a_gap(count: int) -> None:
    every, parts = sides(count), over_time(sides(count))
    assert len(parts) == max(1, min(MOST_PARTS, count // FEWEST_DEALS))
    assert sum(part.deals for part in parts) == count
    assert sum(part.decisions for part in parts) == sum(each.decisions for each in every)
    assert max(part.deals for part in parts) - min(part.deals for part in parts) <= 1
    assert parts[0].luck.value <= parts[-1].luck.value, "the first deals come first"


def test_the_sides_of_a_review_have_its_numbers() -> None:
    review = with_error(review_of("gin"))
    account = review.account(POINTS)
    assert account is not None
    for seat, summary in enumerate(review.seats):
        found = sides_of(review, seat)
        assert sum(each.decisions for each in found) == summary.decisions
        assert sum(each.lost for each in found) == pytest.approx(summary.points)
        share = account.share(seat)
        assert sum(each.luck for each in found) == pytest.approx(share.luck)
        assert sum(each.result for each in found) == pytest.approx(share.result)
    themes = [theme for seat in (0, 1) for each in sides_of(review, seat) for theme in each.themes]
    assert "broke a meld" in dict(themes)


def test_players_are_gathered_by_name_and_game() -> None:
    one = review_of("gin")
    other = replace(one, players=(one.players[1], "Eve"))
    found = by_player([one, other])
    counts = {player: len(each) for (_, player), each in found.items()}
    first, second = one.players
    assert counts == {first: 2, second: 4, "Eve": 2}


def test_pages_of_several_matches_begin_with_profiles() -> None:
    review = with_error(review_of("gin"))
    html = page([review] * 6)
    assert html.index("Profiles") < html.index("Luck and skill")
    assert "luck, in points a deal, over time" in html
    assert not re.search(r"https?://|<script|<link|@import|url\(", html)
    assert "Profiles" not in page([review])


def test_the_command_prints_profiles_of_several_records(tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"{number}.jsonl").write_text((RECORDS / "prsi.jsonl").read_text())
    shown = CliRunner().invoke(main, ["review", str(tmp_path), "--samples", "8"])
    assert "dearest theme" in shown.stdout
    told = CliRunner().invoke(main, ["review", str(tmp_path), "--samples", "8", "--json"])
    profiles = json.loads(told.stdout)["profiles"]
    reviews = json.loads(told.stdout)["reviews"]
    for each in profiles:
        seats = [seat for review in reviews for seat in review["seats"]]
        own = [seat for seat in seats if seat["player"] == each["player"]]
        assert each["decisions"] == sum(seat["decisions"] for seat in own)
        assert each["deals"] == 2 * len(reviews[0]["deals"])
