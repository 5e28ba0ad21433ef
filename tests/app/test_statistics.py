"""What came of games: known results, counted."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner

from undercut.app.account import Streak, share
from undercut.app.session import Session
from undercut.app.statistics import statistics
from undercut.app.store import FILE, Kept, Store
from undercut.app.stored_games import LEFT, OVER, DealKept
from undercut.cli import main
from undercut.games.families import parse_game

KNOCK, GIN, LOST = DealKept("knock", (12, 0)), DealKept("gin", (30, 0)), DealKept("gin", (0, 26))
VOID, UNDERCUT = DealKept("void", (0, 0)), DealKept("undercut", (0, 14))


def end(
    store: Store,
    players: Sequence[str],
    deals: Sequence[DealKept],
    *,
    state: str = OVER,
    training: bool = False,
    spec: str = "gin",
) -> None:
    """A game with these deals, as if it had been played."""
    stored = store.begin(parse_game(spec), players, 5, training)
    scores = [sum(points) for points in zip(*(deal.points for deal in deals), strict=True)]
    store.note(stored.number, state, scores, deals)


def games(folder: Path) -> Store:
    store = Store(folder)
    end(store, ["you", "simple"], [KNOCK, VOID])
    end(store, ["simple", "you"], [KNOCK, UNDERCUT])
    end(store, ["you", "skilled"], [LOST, UNDERCUT, KNOCK])
    end(store, ["you", "simple"], [GIN], training=True)
    end(store, ["you", "simple"], [GIN], state=LEFT)
    end(store, ["you", "you"], [GIN])
    end(store, ["you", "a", "b"], [DealKept("out", (1, 1, 0))], spec="pharaoh:players=3")
    return store


def test_games_are_counted(tmp_path: Path) -> None:
    found = statistics(games(tmp_path))
    assert found.left == 1
    assert [game.game for game in found.played.games] == ["gin", "pharaoh:players=3"]
    gin, pharaoh = found.played.games
    assert gin.title == "Gin Rummy"
    against = {each.opponents: each.won for each in gin.against}
    assert against == {("Simple",): share(2, 2), ("Viktor (skilled)",): share(0, 1)}
    assert gin.deals_won == share(3, 7)
    endings = {each.outcome: (each.mine, each.theirs, each.nobody) for each in gin.endings}
    assert endings == {
        "knock": (share(2, 7), share(1, 7), share(0, 7)),
        "void": (share(0, 7), share(0, 7), share(1, 7)),
        "undercut": (share(1, 7), share(1, 7), share(0, 7)),
        "gin": (share(0, 7), share(1, 7), share(0, 7)),
    }
    assert gin.streak == Streak(current=-1, longest=2)
    assert pharaoh.won == share(0.5, 1), "a win that is shared counts in part"
    assert found.training.won == share(1, 1)
    assert found.training.games[0].deals_won == share(1, 1)


def test_the_story_comes_before_the_numbers(tmp_path: Path) -> None:
    found = statistics(games(tmp_path))
    assert found.played.story == ("You won 2.5 of 4 games.", "Best streak: 2 games in a row.")
    gin, pharaoh = found.played.games
    assert gin.story == (
        "You win 43 % of the deals.",
        "Your knocks win 67 % of the time.",
        "Against Simple you won 2 of 2.",
        "Against Viktor (skilled) you won 0 of 1.",
    )
    assert pharaoh.story == ("Against A, B you won 0.5 of 1.",)
    assert statistics(Store(tmp_path / "none")).played.story == ()


def test_statistics_are_shown_in_the_terminal(tmp_path: Path) -> None:
    games(tmp_path).close()
    shown = CliRunner().invoke(main, ["games", "--data", str(tmp_path), "--statistics"]).stdout
    assert "Games: 2.5 of 4 won, 1 won in a row now, at most 2 won in a row" in shown
    assert "against Simple" in shown
    assert "undercut, others" in shown
    assert "Training: 1 of 1 won" in shown
    assert "not counted: 1" in shown
    asked = ["games", "--data", str(tmp_path), "--statistics", "--json"]
    told = json.loads(CliRunner().invoke(main, asked).stdout)
    assert told["played"]["games"][0]["deals_won"]["of"] == 7
    empty = ["games", "--data", str(tmp_path / "none"), "--statistics"]
    assert "No game has been played to its end yet" in CliRunner().invoke(main, empty).stdout


def test_the_deals_of_older_games_are_found_by_playing_them_again(tmp_path: Path) -> None:
    game, store = parse_game("gin:target=20"), Store(tmp_path)
    kept = Kept(store, store.begin(game, ["you", "simple"], 5))
    session = Session.at(kept.host, 0)
    while not session.is_over:
        if session.is_deal_over:
            session.next_deal()
        else:
            session.play(session.choices()[-1])
    kept.note()
    noted = statistics(store)
    assert noted.played.games[0].deals_won.of == len(kept.host.results)
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE games SET deals = ''")
    assert statistics(store) == noted
    assert store.find(1).deals is not None, "and noted, so that it is done once"
