"""The report of a reproduction: every number of the paper beside ours."""

from collections.abc import Iterable, Sequence
from typing import Any

from undercut.core.spec import split_spec
from undercut.training.evaluate import KS
from undercut.training.reproduce import MILLION, PHASES, RANGES, TEST, Reproduction

TKCA = {10: 0.3775, 15: 0.6147, 20: 0.7961, 25: 0.9068}
HYPER_PARAMETERS = {
    "meld_bonus": ("MELD BONUS", 1.5),
    "combination_bonus": ("COMBINATION BONUS", 4.0),
    "deadwood_bonus": ("DEADWOOD BONUS", 1.0),
    "knock_bonus": ("KNOCK BONUS", 10.0),
    "gin_bonus": ("GIN BONUS", 20.0),
    "opponent": ("OPP UTIL IMPORTANCE", 0.77),
    "low_card_bonus": ("LOW CARD BONUS", 0.2),
    "emergency_booster": ("EMERGENCY BOOSTER", 2.5),
}


def write_report(run: Reproduction) -> str:
    """The report of a finished run, as Markdown."""
    parts = [
        _heading(run),
        _data(run),
        _accuracy(run),
        _matches(run),
        _settings(run),
        _decided(run),
    ]
    return "\n\n".join(parts) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _heading(run: Reproduction) -> str:
    scale = run.scale
    return (
        "# The paper, reproduced\n\n"
        "The paper on estimating the opponent's hand in Gin Rummy by a network, run from end to "
        "end.\n\n"
        f"Written by `undercut reproduce --scale {run.name} --seed {run.seed} --report FILE`. "
        f"At this scale {_amount(scale.divisor)}, the number of hands that agents sample is "
        f"{scale.samples} (paper: 100), each tuning has {scale.trials} trials of "
        f"{scale.tune_games} games against each opponent, and a network is trained for "
        f"{scale.epochs} epochs. Intervals hold the true value 19 times out of 20; those of "
        "matches are over pairs of games on the same deals, those of recall over matches."
    )


def _amount(divisor: int) -> str:
    if divisor == 1:
        return "there is as much data as in the paper"
    return f"there is 1/{divisor:,} of the paper's data"


def _players(run: Reproduction) -> dict[str, str]:
    """The tuned agents, and what to call them."""
    first = run.result("tune1")["strategies"]
    later = [run.result(f"tune{phase}")["strategies"][0] for phase in (2, 3)]
    names = ("the first agent", "the second agent", "with network 1", "with network 2")
    return {each["spec"]: name for each, name in zip([*first[:2], *later], names, strict=True)}


def _data(run: Reproduction) -> str:
    rows = []
    total = test = size = 0
    for phase, printed in enumerate(PHASES, start=1):
        made = run.result(f"generate{phase}")
        total += made["train"]["decisions"]
        size += made["train"]["bytes"]
        test += made["test"]["decisions"]
        rows.append(
            [
                f"decisions of phase {phase}",
                f"{printed // MILLION} million",
                f"{made['train']['decisions']:,}",
            ]
        )
    rows += [
        ["decisions in all", "50 million", f"{total:,}"],
        ["decisions to test on", f"{TEST / MILLION:g} million", f"{test:,}"],
        ["bytes for each decision, on disk", "not told", f"{size / total:.2f}"],
    ]
    return "## Data\n\n" + _table(["", "paper", "here"], rows)


def _accuracy(run: Reproduction) -> str:
    found = run.result("evaluate")
    rows = []
    for k in KS:
        name = f"recall@{k}"
        low, high = found["network"][name]["ci95"]
        least, most = found["lift"][name]["ci95"]
        rows.append(
            [
                f"K = {k}",
                f"{TKCA[k]:.2%}",
                f"{found['network'][name]['mean']:.2%} ({low:.2%} – {high:.2%})",
                f"{found['counting'][name]['mean']:.2%}",
                f"{found['lift'][name]['mean']:+.2%} ({least:+.2%} – {most:+.2%})",
            ]
        )
    losses = {method: found[method]["log_loss"]["mean"] for method in ("network", "counting")}
    lift = found["lift"]["log_loss"]["mean"]
    rows.append(
        [
            "log-loss, nats a card",
            "not told",
            f"{losses['network']:.4f}",
            f"{losses['counting']:.4f}",
            f"{lift:+.4f}",
        ]
    )
    table = _table(["", "paper, TKCA", "here, recall@K", "counting alone", "lift"], rows)
    return (
        "## The other hand's cards among the K likeliest\n\n"
        f"{found['decisions']:,} decisions of {found['matches']:,} matches that no network was "
        "trained on.\n\n"
        f"{table}\n\n"
        "The paper calls its figure top K categorical accuracy. With several right answers that "
        "measure looks at one of them, so it is close to the share of the other hand's cards "
        "among the K likeliest, which is what stands here.\n\n" + _parts(found, _players(run))
    )


def _parts(found: dict[str, Any], players: dict[str, str]) -> str:
    network, counting = found["network"], found["counting"]
    rows = [
        [
            players.get(agent, agent),
            f"{found['decisions_by_opponent'][agent]:,}",
            f"{network['by_opponent']['recall@10'][agent]:.2%}",
            f"{counting['by_opponent']['recall@10'][agent]:.2%}",
        ]
        for agent in found["decisions_by_opponent"]
    ]
    by_opponent = _table(["opponent", "decisions", "recall@10", "counting alone"], rows)
    turns = [
        [
            str(turn),
            f"{count:,}",
            *(f"{method['by_turn']['recall@10'][turn - 1]:.2%}" for method in (network, counting)),
        ]
        for turn, count in enumerate(found["decisions_by_turn"], start=1)
        if count
    ]
    by_turn = _table(["turn (last: and later)", "decisions", "recall@10", "counting alone"], turns)
    return f"{by_opponent}\n\n{by_turn}"


def _matches(run: Reproduction) -> str:
    rows = []
    for label, name, printed in (
        (
            "the same agent without the network",
            "match_without",
            "57.0 % (54.45 – 59.52 %) of 1,500",
        ),
        ("simple", "match_simple", "69.5 % (1,042 of 1,500)"),
    ):
        found = run.result(name)
        low, high = found["ci95"]
        rows.append(
            [
                label,
                printed,
                f"{found['win_rate']:.1%} ({low:.1%} – {high:.1%}) of {found['games']:,}",
                f"{found['lead_per_deal']:+.2f}",
            ]
        )
    table = _table(["against", "paper", "here", "points gained with each deal"], rows)
    return (
        f"## Matches of the final agent\n\nThe final network with the paper's settings.\n\n{table}"
    )


def _settings(run: Reproduction) -> str:
    tuned = [
        *run.result("tune1")["strategies"][:2],
        run.result("tune2")["strategies"][0],
        run.result("tune3")["strategies"][0],
    ]
    fields = [split_spec(each["spec"])[1] for each in tuned]
    rows = []
    for name in RANGES:
        label, printed = HYPER_PARAMETERS[name]
        rows.append([label, f"{printed:g}", *(each[name] for each in fields)])
    rows.append(["win rate on fresh deals", "", *(f"{each['win_rate']:.1%}" for each in tuned)])
    opponents = "; ".join(
        f"phase {phase}: {', '.join(_short(spec) for spec in run.result(f'tune{phase}')['against'])}"
        for phase in (1, 2, 3)
    )
    head = ["", "paper, final", "first", "second", "with network 1", "with network 2"]
    return (
        "## Settings found\n\n"
        f"{_table(head, rows)}\n\n"
        f"Mean win rates against the opponents each was tuned against ({opponents})."
    )


def _short(spec: str) -> str:
    name, fields = split_spec(spec)
    return name if set(fields) <= {"samples", "model"} else f"{name} (tuned)"


def _decided(run: Reproduction) -> str:
    return (
        "## Where the paper is silent\n\n"
        "- Inputs: turns are whole numbers from 1, without scaling; passing the first upcard is a "
        "refusal in turn 1; cards keep the latest turn.\n"
        "- Training: binary cross-entropy over all 52 outputs; Adam, its rate falling in a straight "
        f"line from 0.001 to 0; batches of {run.scale.batch:,}; {run.scale.epochs} epochs.\n"
        "- Decisions: every real choice of either seat before a knock, draws and discards alike.\n"
        "- Mix: matches with `simple` have twice the decisions that are about `simple`, since in "
        "half of them it is the one who guesses.\n"
        "- Tuning: half the trials at random, then a grid around the best; opponents as listed.\n"
        "- The example hand of figure 2 is a picture, and its numbers cannot be checked from the "
        "text."
    )
