"""The matches that measure the final agent, and the ablations of its parts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from undercut.text.spec import split_spec

# The value at which a hyper-parameter has no effect.
NEUTRAL = {
    "meld_bonus": 0.0,
    "combination_bonus": 0.0,
    "deadwood_bonus": 0.0,
    "knock_bonus": 0.0,
    "gin_bonus": 0.0,
    "opponent": 0.0,
    "low_card_bonus": 0.0,
    "emergency_booster": 1.0,
}

APPENDIX_B = {
    "knock_carefully": "knocks only with little deadwood if the other player seems close",
    "force_carefully": "then discards its highest card for a knock only if little deadwood is left",
    "meld_for_layoffs": "of equal meldings, the one with the most to lay off on the knocker",
    "meld_against_layoffs": "when knocking, the melding on which least can be laid off",
    "competition": "all four",
}

WITHOUT, REMEMBERING, SIMPLE = "without", "remembering", "simple"
OPPONENTS = {
    WITHOUT: "itself without the network",
    REMEMBERING: "the same, which remembers the cards it saw being taken",
    SIMPLE: "simple",
}
KINDS = {
    "match": "paper's settings",
    "tuned": "settings tuned here",
    "published": "published agent's settings",
}


@dataclass(frozen=True)
class Planned:
    """A planned match; the specs of its agents may depend on the results of earlier steps."""

    name: str
    about: str
    agents: Callable[[], tuple[str, str]]
    games: int
    seed: int


def with_fields(spec: str, changes: Mapping[str, object]) -> str:
    """A spec with some fields added or replaced.

    >>> with_fields("heuristic:samples=20", {"opponent": 0.5, "samples": 3})
    'heuristic:samples=3,opponent=0.5'
    """
    name, fields = split_spec(spec)
    changed = {**fields, **{field: f"{value}" for field, value in changes.items()}}
    return f"{name}:{','.join(f'{field}={value}' for field, value in changed.items())}"


def without_network(spec: str, remember: bool = False) -> str:
    """The same agent with a uniform belief over unseen cards, as in the paper.

    With `remember` it also knows the cards that the opponent took openly. The spec lists all
    settings, since both agents must have the same.

    >>> without_network("estimator:settings=printed,samples=20,model=paper")
    'heuristic:settings=printed,samples=20,remember=0'
    """
    fields = split_spec(spec)[1]
    fields.pop("model", None)
    return with_fields("heuristic", {**fields, "remember": int(remember)})


def paper_matches(
    final: Callable[[], str], tuned: Callable[[], str], games: int, seed: int
) -> list[Planned]:
    """The final agent against itself without the network, with and without memory, and `simple`.

    The paper's figures may come from other settings than it prints, so there are two more sets.
    """
    agents = {
        "match": final,
        "tuned": tuned,
        "published": lambda: with_fields(final(), {"settings": "published"}),
    }
    return [match for kind, agent in agents.items() for match in _three(kind, agent, games, seed)]


def _three(kind: str, agent: Callable[[], str], games: int, seed: int) -> list[Planned]:
    def planned(name: str, about: str, opponent: Callable[[], str], seed: int) -> Planned:
        about = f"{KINDS[kind]}: {about}"
        return Planned(f"{kind}_{name}", about, lambda: (agent(), opponent()), games, seed)

    without = "with the network against without"
    remembering = f"{without}, remembering"
    return [
        planned(WITHOUT, without, lambda: without_network(agent()), seed),
        planned(REMEMBERING, remembering, lambda: without_network(agent(), remember=True), seed),
        planned(SIMPLE, "against simple", lambda: SIMPLE, seed + 1),
    ]


def ablations(final: Callable[[], str], games: int, seed: int) -> list[Planned]:
    """The final agent against itself with one setting off, or without a change of Appendix B."""

    def taking_away(name: str) -> Planned:
        less = {name: f"{NEUTRAL[name]:g}"}
        about = f"against itself with {name}={less[name]}"
        return Planned(
            f"ablate_{name}", about, lambda: (final(), with_fields(final(), less)), games, seed
        )

    def adding(name: str) -> Planned:
        about = f"with {name} against without"
        return Planned(
            f"change_{name}", about, lambda: (with_fields(final(), {name: 1}), final()), games, seed
        )

    return [*map(taking_away, NEUTRAL), *map(adding, APPENDIX_B)]
