"""The report of a reproduction: every number of the paper next to ours."""

from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

from undercut.cards.french import SUITS, SYMBOLS
from undercut.games.gin.players import estimator
from undercut.learn.score import CHOICES, KS, MEASURES
from undercut.paper.matches import APPENDIX_B, KINDS, NEUTRAL, OPPONENTS
from undercut.paper.plots import plot_scores
from undercut.paper.reproduce import MILLION, PHASES, RANGES, TEST, Reproduction, Result
from undercut.paper.verdict import MATCHES, TKCA, nearest, verdict
from undercut.text import files
from undercut.text.spec import split_spec

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


_KNOWN = {
    True: "The network's belief is 1 for cards that the opponent took openly.",
    False: "Cards that the opponent took openly keep the network's own output.",
}

_DIFFERENT = (
    "## Where this is not the paper\n\n"
    "- Decisions: the paper records one sample at each turn. Here every unforced choice of "
    "either seat before a knock is one, so most turns give two: the draw and the discard."
)


def write_report(run: Reproduction, path: Path) -> None:
    """Write the report of a finished run as Markdown, and its plot as PNG."""
    picture = path.with_suffix(".png")
    plot_scores(run.result("score"), picture, _players(run))
    parts = [
        _heading(run),
        verdict(run),
        _data(run),
        accuracy(run.result("score"), _players(run), picture.name),
        _matches(run),
        _ablation(run),
        _example(run),
        _settings(run),
        _DIFFERENT,
        _decided(run),
        _made(run),
    ]
    files.write_text(path, "\n\n".join(parts) + "\n")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _heading(run: Reproduction) -> str:
    scale = run.scale
    return (
        "# The paper, reproduced\n\n"
        "The paper is Bhaskar Mishra and Ashish Aggarwal, *Opponent Hand Estimation in Gin Rummy "
        "Using Deep Neural Networks and Heuristic Strategies*, Proceedings of the AAAI Conference "
        "on Artificial Intelligence 35(17), pages 15607–15613, 2021: "
        "<https://doi.org/10.1609/aaai.v35i17.17838>. This page reports a complete "
        "reproduction.\n\n"
        f"`undercut reproduce --scale {run.name} --seed {run.seed} --report FILE` wrote it. "
        f"At this scale {_amount(scale.divisor)}, and agents sample {scale.samples} hands "
        f"(paper: 100). Each tuning has {scale.trials} trials of {scale.tune_games} matches "
        f"against each opponent, and training has {scale.epochs} epochs. The run took "
        f"{_duration(run)}. "
        "All intervals are 95 % intervals: of win rates over rounds, which are two matches on the "
        "same deals with exchanged seats, and of recall over matches."
    )


def _duration(run: Reproduction) -> str:
    spent = run.seconds().items()
    return " and ".join(f"{seconds / 60:.0f} minutes on {device}" for device, seconds in spent)


def _amount(divisor: int) -> str:
    if divisor == 1:
        return "there is as much data as in the paper"
    return f"there is 1/{divisor:,} of the paper's data"


def _players(run: Reproduction) -> dict[str, str]:
    """The specs of the tuned agents, and their names in the report."""
    specs = [*run.strategies("tune1")[:2], *(run.strategies(f"tune{phase}")[0] for phase in (2, 3))]
    names = ("the first agent", "the second agent", "with network 1", "with network 2")
    return dict(zip(specs, names, strict=True))


def _data(run: Reproduction) -> str:
    rows = []
    total = test = size = 0
    for phase, printed in enumerate(PHASES, start=1):
        made = run.result(f"generate{phase}")
        decisions = made["train"]["decisions"]
        total += decisions
        size += made["train"]["bytes"]
        test += made["test"]["decisions"]
        name, paper = f"decisions of phase {phase}", f"{printed // MILLION} million"
        rows.append([name, paper, f"{decisions:,}"])
    rows += [
        ["decisions in all", "50 million", f"{total:,}"],
        ["decisions to test on", f"{TEST / MILLION:g} million", f"{test:,}"],
        ["bytes for each decision, on disk", "not stated", f"{size / total:.2f}"],
    ]
    return "## Data\n\n" + _table(["", "paper", "here"], rows)


def accuracy(found: Result, players: dict[str, str], picture: str) -> str:
    """The section about the network's accuracy, from the JSON of `undercut score`."""
    rows = []
    network, counting = (found["beliefs"][method] for method in ("network", "counting"))
    lift = found["lifts"][0]["figures"]
    for measure, k in product(MEASURES, KS):
        name = f"{measure}@{k}"
        figures = _share(network[name]), f"{counting[name]['mean']:.2%}", _share(lift[name], "+")
        rows.append([name, f"{TKCA[k]:.2%}", *figures])
    rows += [
        [
            "log-loss, nats a card",
            "not stated",
            _interval(network["log_loss"], ".4f"),
            f"{counting['log_loss']['mean']:.4f}",
            _interval(lift["log_loss"], "+.4f"),
        ],
        [
            "calibration error",
            "not stated",
            *(f"{belief['calibration_error']:.2%}" for belief in (network, counting)),
            "",
        ],
    ]
    table = _table(["", "paper", "here", "counting alone", "lift"], rows)
    return (
        "## Accuracy of the estimated hand\n\n"
        f"The test set has {found['decisions']:,} decisions of {found['matches']:,} matches that "
        f"no network was trained on. {_KNOWN[found['remember']]} The baseline, counting alone, "
        "also knows these cards; all other unseen cards are equally likely to it.\n\n"
        f"{table}\n\n"
        "recall@K is the share of the opponent's cards among the K most likely. The paper's text "
        "fits it, but its figure has the name top K categorical accuracy. The usual implementation "
        "of that expects one right answer only: the first. tkca@K is how often the first card of "
        "the opponent's hand, aces before deuces, is among the K most likely; tkca-suits@K is the "
        "same with clubs before diamonds. Only the numbers show which of the three the paper's "
        f"figure is: {nearest(network)}\n\n"
        "The paper records one sample at each turn and does not say whether before the "
        "draw or before the discard. Here every choice is one. At draws alone and at discards "
        f"alone:\n\n{_by_choice(found)}\n\n"
        "The calibration error is the mean distance between the predicted probability of a card "
        "and the frequency of such cards.\n\n"
        f"![calibration, recall by turn, recall by opponent]({picture})\n\n"
        + _parts(found, players)
    )


def _by_choice(found: Result) -> str:
    """The measures that the paper's figure may be, for each kind of choice."""
    rows, network = [], found["beliefs"]["network"]
    for measure, k in product(MEASURES, KS):
        name = f"{measure}@{k}"
        figures = (network["by_choice"][choice].get(name) for choice in CHOICES)
        rows.append([name, f"{TKCA[k]:.2%}", *map(_share, figures)])
    counts = found["decisions_by_choice"]
    head = ["", "paper", *(f"{choice}s alone ({counts[choice]:,})" for choice in CHOICES)]
    return _table(head, rows)


def _share(figure: Result | None, sign: str = "") -> str:
    return "–" if figure is None else _interval(figure, f"{sign}.2%")


def _interval(figure: Result, form: str) -> str:
    low, high = figure["ci95"]
    return f"{figure['mean']:{form}} ({low:{form}} – {high:{form}})"


def _parts(found: Result, players: dict[str, str]) -> str:
    methods = [found["beliefs"][method] for method in ("network", "counting")]
    head = ["decisions", "recall@10", "counting alone"]

    def row(name: str, count: int, part: str, key: str | int) -> list[str]:
        shares = (f"{method[part]['recall@10'][key]:.2%}" for method in methods)
        return [name, f"{count:,}", *shares]

    opponents = [
        row(players.get(agent, agent), count, "by_opponent", agent)
        for agent, count in found["decisions_by_opponent"].items()
        if count
    ]
    turns = [
        row(str(turn + 1), count, "by_turn", turn)
        for turn, count in enumerate(found["decisions_by_turn"])
        if count
    ]
    by_turn = _table(["turn (last: and later)", *head], turns)
    return f"{_table(['opponent', *head], opponents)}\n\n{by_turn}"


def _matches(run: Reproduction) -> str:
    rows = []
    for match in run.matches():
        kind, against = match.name.split("_")
        found = run.result(match.name)
        rows.append(
            [
                KINDS[kind],
                OPPONENTS[against],
                MATCHES[against].text if kind == "match" and against in MATCHES else "",
                _won(found),
                _lead(found),
            ]
        )
    head = ["settings", "against", "paper", "here, matches won", "points gained with each deal"]
    return (
        "## Matches of the final agent\n\n"
        "The final network plays with the settings that the paper prints. To see the effect of the "
        "settings, it also plays with those tuned here and with those of the agent that the "
        "authors published. The agents play every deal twice, with the seats exchanged.\n\n"
        f"{_table(head, rows)}\n\n"
        "Without the network all unseen cards are equally likely, as in the paper: that agent "
        "forgets the cards that the opponent took openly. A gain against it, but not against the "
        f"agent that remembers, is due to memory. {_memory()}"
    )


def _memory() -> str:
    if estimator.PRINTED.remember:
        return "The agent with the network remembers these cards independently of its network."
    return "The agent with the network estimates such cards from the inputs of its network."


def _won(found: Result) -> str:
    low, high = found["ci95"]
    return f"{found['win_rate']:.1%} ({low:.1%} – {high:.1%}) of {found['games']:,}"


def _lead(found: Result) -> str:
    mean, interval = found["lead_per_deal"], found["lead_per_deal_ci95"]
    if interval is None:
        return f"{mean:+.2f}"
    return _interval({"mean": mean, "ci95": interval}, "+.2f")


def _ablation(run: Reproduction) -> str:
    settings = []
    for name, value in NEUTRAL.items():
        label, printed = HYPER_PARAMETERS[name]
        found = run.result(f"ablate_{name}")
        settings.append([label, f"{printed:g}", f"{value:g}", *_worth(found)])
    changes = [[about, *_worth(run.result(f"change_{name}"))] for name, about in APPENDIX_B.items()]
    worth = ["matches won", "points gained with each deal", ""]
    return (
        "## Ablations\n\n"
        "The final agent with the paper's settings plays against itself with one of the eight "
        "hyper-parameters at its neutral value. If it wins more than half of the matches, the "
        "hyper-parameter helps.\n\n"
        f"{_table(['', 'paper', 'neutral', *worth], settings)}\n\n"
        "The final agent with a change of Appendix B plays against itself without it:\n\n"
        f"{_table(['change', *worth], changes)}"
    )


def _worth(found: Result) -> list[str]:
    """Matches won, points, and whether the difference is significant."""
    low, high = found["ci95"]
    said = "helps" if low > 0.5 else "harms" if high < 0.5 else "not settled"
    return [_won(found), _lead(found), said]


def _example(run: Reproduction) -> str:
    example = run.result("example")
    found = example["found"]
    intro = (
        "## A discard that the network changes\n\n"
        f"Among {example['discards']:,} discards of the last test set, the network "
        f"changes {example['changed']:,}."
    )
    if found is None:
        return f"{intro} In none of them do both clearly prefer their card."
    even = {row["card"]: row for row in found["even"]}
    rows = []
    for row in found["network"]:
        other = even.get(row["card"], {})
        rows.append([_card(row["card"]), *_weighed(other), *_weighed(row)])
    names = ("hand utility", "opponent's gain", "value")
    head = [
        "discard",
        *(f"{name}, {belief}" for belief in ("uniform", "network") for name in names),
    ]
    before, after = (_card(found[method][0]["card"]) for method in ("even", "network"))
    return (
        f"{intro} In this one both prefer their card most clearly.\n\n"
        f"Hand: {_cards(found['hand'])}. Pile: {_cards(found['pile'])}. For the utility of its own "
        f"hand alone the agent would discard {_card(found['greedy'])}. With a uniform belief, the "
        f"same probability for every unseen card, it discards {before}; with the network, "
        f"{after}.\n\n"
        f"`{found['position']}`\n\n"
        f"{_table(head, rows)}\n\n"
        "The probability that the opponent holds a card that melds with one of these two:\n\n"
        + _table(["discard", "melds with", "uniform", "network"], _partners(found))
    )


def _partners(found: Result) -> list[list[str]]:
    return [
        [_card(card), _card(other["card"]), f"{other['even']:.0%}", f"{other['network']:.0%}"]
        for card, partners in found["partners"].items()
        for other in partners
    ]


def _weighed(row: Result) -> list[str]:
    return [f"{row[name]:.2f}" if name in row else "–" for name in ("utility", "gain", "value")]


def _card(text: str) -> str:
    """A card with the symbol of its suit."""
    return text[:-1].replace("T", "10") + SYMBOLS[SUITS.index(text[-1])]


def _cards(text: str) -> str:
    return " ".join(map(_card, text.split())) or "none"


def _settings(run: Reproduction) -> str:
    one, two, three = (run.result(f"tune{phase}")["strategies"] for phase in (1, 2, 3))
    tuned = [*one[:2], two[0], three[0]]
    fields = [split_spec(each["spec"])[1] for each in tuned]
    rows = []
    for name in RANGES:
        label, printed = HYPER_PARAMETERS[name]
        rows.append([label, f"{printed:g}", *(each[name] for each in fields)])
    rows.append(["win rate on new deals", "", *(f"{each['win_rate']:.1%}" for each in tuned)])
    opponents = "; ".join(
        f"phase {phase}: {', '.join(map(_short, run.result(f'tune{phase}')['against']))}"
        for phase in (1, 2, 3)
    )
    head = ["", "paper, final", "first", "second", "with network 1", "with network 2"]
    return (
        "## Tuned settings\n\n"
        f"{_table(head, rows)}\n\n"
        f"The win rates are means over the opponents of the tuning ({opponents})."
    )


def _short(spec: str) -> str:
    name, fields = split_spec(spec)
    return name if set(fields) <= {"settings", "samples", "model"} else f"{name} (tuned)"


def _decided(run: Reproduction) -> str:
    return (
        "## Where the paper is silent\n\n"
        "- Inputs: turns are integers from 1, without scaling; passing the first upcard is a "
        "refusal in turn 1; cards keep the latest turn.\n"
        "- Training: binary cross-entropy over all 52 outputs; Adam with a learning rate that "
        f"falls linearly from 0.001 to 0; batches of {run.scale.batch:,}; "
        f"{run.scale.epochs} epochs.\n"
        "- Mix: matches with `simple` have twice as many decisions as those about `simple`'s hand, "
        "since `simple` itself makes half of them.\n"
        "- Tuning: half the trials at random, then a grid around the best; opponents as listed.\n"
        "- The example hand of figure 2 is a picture, and its numbers cannot be checked from the "
        "text."
    )


def _made(run: Reproduction) -> str:
    steps = run.steps()
    rows = []
    for step in steps:
        result = run.result(step.name)
        rows.append([step.name, step.about, f"{result['seconds']:.1f}", result["device"]])
    commands = "\n".join(filter(None, (step.command() for step in steps)))
    return (
        "## Steps and commands\n\n"
        "The seconds are those of the call that finished a step; a resumed step took "
        "longer.\n\n"
        f"{_table(['step', '', 'seconds', 'on'], rows)}\n\n"
        "The command of each step, with its seed:\n\n"
        f"```sh\nmkdir -p {run.folder}\n{commands}\n```"
    )
