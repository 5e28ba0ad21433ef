"""What a notebook draws: cards in melds, beliefs on a scale of colours, results with intervals."""

import re
from xml.etree import ElementTree

import pytest

import undercut

CARD = "{http://www.w3.org/2000/svg}rect"


def test_a_hand_is_drawn_with_its_melds_apart() -> None:
    deal = undercut.Deal.from_position("gin.00.0-0.3c8c9cTcAdJd5hAs4sJsQs.5h.t", seed=3)
    for shown in (deal, deal.view()):
        drawn = ElementTree.fromstring(shown._repr_svg_())
        assert drawn.attrib["aria-label"].startswith("8♣ 9♣ 10♣ | ")
        assert len(drawn.findall(f".//{CARD}")) == 11
        assert shown._repr_svg_() in shown._repr_html_()


@pytest.mark.parametrize("game", ["gin", "rummy", "prsi", "duel"])
def test_views_of_every_game_draw_the_whole_hand(game: str) -> None:
    view = undercut.load(game).deal(seed=5).view()
    drawn = ElementTree.fromstring(view._repr_svg_())
    assert len(drawn.findall(f".//{CARD}")) == len(view.hand)


def test_cards_are_pictures() -> None:
    assert undercut.Cards("8h Ks")._repr_svg_() == undercut.Cards("8h Ks")._repr_html_()
    assert ElementTree.fromstring(undercut.Cards()._repr_svg_()).attrib["aria-label"] == ""


def test_a_likelier_card_has_a_darker_colour_and_there_is_a_scale() -> None:
    game = undercut.load("gin")
    deal = game.deal(seed=5)
    deal.play("take")
    belief = undercut.agent("heuristic", game).belief(deal.view())
    html = belief._repr_html_()
    shades = dict(re.findall(r"background:#(\w{6});color:#\w+;[^>]*>([^<]*)<", html)[::-1])
    light = {
        int(shown): sum(bytes.fromhex(colour)) for colour, shown in shades.items() if shown != "·"
    }
    ordered = [light[shown] for shown in sorted(light)]
    assert ordered == sorted(ordered, reverse=True)
    assert "linearGradient" in html
    assert ">0 %<" in html


def test_results_draw_their_intervals() -> None:
    result = undercut.match("gin", "random", "simple", games=20)
    standings = undercut.tournament("gin", "random", "simple", games=20)
    for shown in (result, standings):
        drawn = ElementTree.fromstring(shown._repr_svg_())
        circles = drawn.findall(".//{http://www.w3.org/2000/svg}circle")
        assert len(circles) == 2
        assert " to " in drawn.attrib["aria-label"]
        assert shown._repr_svg_() in shown._repr_html_()
