"""Write the JSON Schemas of the package: `make schemas`. A test says if they are not up to date."""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from undercut.adapters.engine import messages

FOLDER = Path(__file__).parents[1] / "src" / "undercut" / "schemas"
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def engine() -> dict[str, Any]:
    """The messages of the engine protocol, those of each side under its own name."""
    both = (messages.FromHost, messages.FromEngine)
    (host, other), parts = msgspec.json.schema_components(both, ref_template="#/$defs/{name}")
    return {
        "$schema": DRAFT,
        "$id": f"{messages.PROTOCOL}",
        "title": "A message of the engine protocol",
        "description": "One JSON object a line: see docs/protocol.md.",
        "anyOf": [{"$ref": "#/$defs/FromHost"}, {"$ref": "#/$defs/FromEngine"}],
        "$defs": {"FromHost": host, "FromEngine": other, **parts},
    }


Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}
RATE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
INTERVAL: Schema = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}


def many(item: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": item}


def named(value: Schema) -> Schema:
    """An object with any names."""
    return {"type": "object", "additionalProperties": value}


def maybe(value: Schema) -> Schema:
    """This, or null."""
    return {"anyOf": [value, {"type": "null"}]}


def thing(fields: Schema, optional: Schema | None = None) -> Schema:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": {**fields, **(optional or {})},
        "required": [*fields],
        "additionalProperties": False,
    }


OF_AGENTS = {
    "places": many(NUMBER),
    "places_ci95": many(INTERVAL),
    "first_shares": many(RATE),
    "first_shares_ci95": many(INTERVAL),
    "points_per_deal": many(NUMBER),
    "points_per_deal_ci95": many(maybe(INTERVAL)),
}
STATISTICS = {"statistics": named(NUMBER), "statistics_ci95": named(maybe(INTERVAL))}
ADJUSTED = thing(
    {
        "win_rates": many(NUMBER),
        "win_rates_ci95": many(maybe(INTERVAL)),
        "luck": many(NUMBER),
        "luck_ci95": many(maybe(INTERVAL)),
        "times_as_many_games": many(maybe(NUMBER)),
    }
)
SPRT = thing(
    {
        "low": NUMBER,
        "high": NUMBER,
        "alpha": NUMBER,
        "beta": NUMBER,
        "pairs": COUNT,
        "log_likelihood_ratio": NUMBER,
        "bounds": INTERVAL,
        "verdict": TEXT,
    }
)
MATCH = thing(
    {
        "game": TEXT,
        "agents": many(TEXT),
        "games": COUNT,
        "wins": many(NUMBER),
        "win_rate": RATE,
        "win_rate_ci95": INTERVAL,
        "ci95": INTERVAL,
        **OF_AGENTS,
        "lead_per_deal": NUMBER,
        "lead_per_deal_ci95": maybe(INTERVAL),
        "deals": COUNT,
        "deals_per_second": NUMBER,
        "seed": COUNT,
        **STATISTICS,
    },
    {"adjusted": ADJUSTED, "sprt": SPRT, "forfeits": many(COUNT), "stopped_before": COUNT},
)
TABLE = thing(
    {"agents": many(TEXT), "deals": COUNT, **OF_AGENTS, **STATISTICS}, {"adjusted": ADJUSTED}
)
TOURNAMENT = thing(
    {
        "game": TEXT,
        "agents": many(TEXT),
        "games": COUNT,
        "seed": COUNT,
        "seats": COUNT,
        "elo": many(NUMBER),
        "elo_ci95": many(INTERVAL),
        "ci95": many(INTERVAL),
        "win_rates": many(many(maybe(NUMBER))),
        **OF_AGENTS,
        **STATISTICS,
        "tables": many(TABLE),
    },
    {
        "adjusted": ADJUSTED,
        "forfeits": many(COUNT),
        "decision_times": many(thing({"mean": NUMBER, "percentile95": NUMBER, "decisions": COUNT})),
    },
)
SHARE = thing({"count": NUMBER, "of": COUNT, "rate": maybe(RATE), "rate_ci95": maybe(INTERVAL)})
STREAK = thing({"current": WHOLE, "longest": COUNT})
ACCOUNT = thing(
    {
        "won": SHARE,
        "streak": STREAK,
        "story": many(TEXT),
        "games": many(
            thing(
                {
                    "game": TEXT,
                    "title": TEXT,
                    "won": SHARE,
                    "streak": STREAK,
                    "against": many(thing({"opponents": many(TEXT), "won": SHARE})),
                    "deals_won": SHARE,
                    "story": many(TEXT),
                    "endings": many(
                        thing({"outcome": TEXT, "mine": SHARE, "theirs": SHARE, "nobody": SHARE})
                    ),
                }
            )
        ),
    }
)
DAMAGED = {"damaged": many(thing({"number": WHOLE, "why": TEXT}))}
GAMES = thing(
    {
        **DAMAGED,
        "games": many(
            thing(
                {
                    "number": COUNT,
                    "begun": TEXT,
                    "touched": TEXT,
                    "game": TEXT,
                    "version": COUNT,
                    "players": many(TEXT),
                    "training": FLAG,
                    "state": TEXT,
                    "scores": many(WHOLE),
                    "deals": maybe(many({"type": "array"})),
                    "asks_all": FLAG,
                }
            )
        ),
    }
)
STRENGTH = thing(
    {
        "win_rate": RATE,
        "win_rate_ci95": INTERVAL,
        "ci95": INTERVAL,
        "games": COUNT,
        "seed": COUNT,
        "device": TEXT,
        "command": TEXT,
        "settings": named(NUMBER),
        "microseconds": NUMBER,
    }
)
AGENTS = thing(
    {
        "rules": TEXT,
        "measured_at": TEXT,
        "reference": TEXT,
        "agents": named(
            thing(
                {
                    "about": TEXT,
                    "settings": named(NUMBER),
                    "limits": named(INTERVAL),
                    "presets": named(named(NUMBER)),
                }
            )
        ),
        "levels": named(thing({"name": TEXT, "spec": TEXT, "about": TEXT})),
        "strengths": named(STRENGTH),
    }
)
OPTION = thing({"value": WHOLE, "low": NUMBER, "high": NUMBER, "meaning": TEXT})
OF_GAME = thing({"game": TEXT, "rules": TEXT, "variants": many(TEXT), "players": INTERVAL})
RULES = {
    "anyOf": [
        thing({"games": many(OF_GAME)}),
        thing(
            {
                "game": TEXT,
                "rules": TEXT,
                "version": COUNT,
                "players": INTERVAL,
                "options": named(OPTION),
                "page": TEXT,
            }
        ),
    ]
}
HINT: Schema = {
    "type": "object",
    "properties": {
        "position": TEXT,
        "agent": TEXT,
        "action": TEXT,
        "reason": TEXT,
        "belief": named(RATE),
    },
    "required": ["position", "agent", "action"],
    "description": "An agent may add lists of what it compared, and numbers that counted.",
    "additionalProperties": {
        "anyOf": [
            maybe(NUMBER),
            many(
                {"type": "object", "additionalProperties": {"type": ["string", "number", "null"]}}
            ),
        ]
    },
}
REPLAY = thing({"record": TEXT, "verified": FLAG, "events": many({"type": "object"})})
SECRET: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
SEED: Schema = {"anyOf": [COUNT, SECRET]}
DEAL = thing({"game": TEXT, "seed": SEED, "starter": COUNT, "hands": many(TEXT), "upcard": TEXT})
GENERATE = thing(
    {"folder": TEXT, "decisions": COUNT, "matches": COUNT, "bytes": COUNT, "seed": COUNT}
)
TRAIN = thing(
    {
        "model": TEXT,
        "decisions": COUNT,
        "losses": many(NUMBER),
        "seed": COUNT,
        "seconds": NUMBER,
        "examples_per_second": NUMBER,
    }
)
MEAN = thing({"mean": NUMBER, "ci95": INTERVAL})
SCORED = {
    "type": "object",
    "properties": {
        "calibration_error": NUMBER,
        "calibration": many({}),
        "by_choice": {"type": "object"},
        "by_turn": named(many(maybe(NUMBER))),
        "by_opponent": named(named(maybe(NUMBER))),
    },
    "required": ["calibration_error", "calibration", "by_choice", "by_turn", "by_opponent"],
    "additionalProperties": MEAN,
}
SCORE = thing(
    {
        "decisions": COUNT,
        "matches": COUNT,
        "remember": FLAG,
        "beliefs": named(SCORED),
        "lifts": many(thing({"belief": TEXT, "over": TEXT, "figures": named(MEAN)})),
        "decisions_by_choice": named(COUNT),
        "decisions_by_turn": many(COUNT),
        "decisions_by_opponent": named(COUNT),
    }
)
STRATEGY = thing({"spec": TEXT, "tuned_win_rate": RATE, "win_rate": RATE, "against": many(MATCH)})
TUNE = thing({"game": TEXT, "trials": COUNT, "seed": COUNT, "strategies": many(STRATEGY)})
POINT = {
    "type": "object",
    "properties": {
        "decisions": COUNT,
        "seconds": NUMBER,
        "win_rates": named(RATE),
        "win_rates_ci95": named(INTERVAL),
    },
    "required": ["decisions", "seconds", "win_rates", "win_rates_ci95"],
    "additionalProperties": NUMBER,
}
SELFPLAY = thing(
    {
        "game": TEXT,
        "policy": TEXT,
        "decisions": COUNT,
        "seconds": NUMBER,
        "decisions_per_second": NUMBER,
        "curve": many(POINT),
        "seed": COUNT,
    }
)
BELIEF_POINT = thing({"positions": COUNT, "seconds": NUMBER, "opponents": named(named(NUMBER))})


def lesson(result: str) -> Schema:
    """What a run on positions prints, with the file of its network."""
    return thing(
        {
            "game": TEXT,
            result: TEXT,
            "positions": COUNT,
            "seconds": NUMBER,
            "positions_per_second": NUMBER,
            "curve": many(BELIEF_POINT),
            "seed": COUNT,
        }
    )


EXPLOIT = thing(
    {
        "game": TEXT,
        "agent": TEXT,
        "decisions": COUNT,
        "seconds": NUMBER,
        "games": COUNT,
        "win_rate": RATE,
        "win_rate_ci95": INTERVAL,
        "points_per_deal": NUMBER,
        "points_per_deal_ci95": INTERVAL,
        "seed": COUNT,
    }
)
MACHINE = thing(
    {
        "undercut": TEXT,
        "python": TEXT,
        "numba": TEXT,
        "processor": TEXT,
        "threads": COUNT,
        "compiled": FLAG,
    }
)
MEASURE = thing({"what": TEXT, "engine": TEXT, "per_second": NUMBER, "ratio": NUMBER})
BENCH = thing({"machine": MACHINE, "measures": many(MEASURE)}, {"gpu_agrees_with_cpu": named(FLAG)})
CHECKED = {"passed": FLAG, "checks": many(thing({"name": TEXT, "passed": FLAG, "found": TEXT}))}
CHECK = thing({"game": TEXT, "agent": TEXT, **CHECKED, "scores": many(many(WHOLE))})
ENGINE_CHECK = thing(
    {
        "command": TEXT,
        "engine": TEXT,
        **CHECKED,
        "decisions": COUNT,
        "median_seconds": NUMBER,
        "longest_seconds": NUMBER,
    }
)
LUCK = {"deal": NUMBER, "own_draws": NUMBER, "other_draws": NUMBER, "unseen": NUMBER}
ERRORS = {"own_errors": NUMBER, "other_errors": NUMBER}
SIDE = thing({"expectation": NUMBER, "result": NUMBER, **LUCK, **ERRORS})
ACCOUNTS = named(thing({"noise": NUMBER, "seats": many(SIDE)}))
MOVE_VALUE = thing(
    {
        "move": TEXT,
        "points": NUMBER,
        "points_ci95": INTERVAL,
        "win": maybe(NUMBER),
        "win_ci95": maybe(INTERVAL),
        "behind": NUMBER,
        "behind_ci95": INTERVAL,
        "samples": COUNT,
    }
)
JUDGED = thing(
    {
        "deal": COUNT,
        "ply": COUNT,
        "seat": COUNT,
        "player": TEXT,
        "position": TEXT,
        "played": TEXT,
        "best": TEXT,
        "cost": NUMBER,
        "cost_ci95": INTERVAL,
        "unit": TEXT,
        "points": NUMBER,
        "kind": TEXT,
        "themes": many(TEXT),
        "samples": COUNT,
        "moves": many(MOVE_VALUE),
    }
)
REVIEWED_DEAL = thing(
    {
        "deal": COUNT,
        "scores": many(WHOLE),
        "points": maybe(many(WHOLE)),
        "accounts": ACCOUNTS,
        "chances": many(NUMBER),
        "decisions": many(JUDGED),
    }
)
REVIEWED_SEAT = thing(
    {
        "player": TEXT,
        "decisions": COUNT,
        "points": NUMBER,
        "error_rate": NUMBER,
        "errors": named(COUNT),
    }
)
MEASURES = {
    "deals": COUNT,
    "decisions": COUNT,
    **dict.fromkeys(("error_rate", "luck", "result"), NUMBER),
    **dict.fromkeys(("error_rate_ci95", "luck_ci95", "result_ci95"), maybe(INTERVAL)),
    "themes": many(thing({"theme": TEXT, "count": COUNT, "points": NUMBER})),
}
PROFILE = thing({"game": TEXT, "player": TEXT, **MEASURES, "over_time": many(thing(MEASURES))})
REVIEW = thing(
    {
        "profiles": many(PROFILE),
        "reviews": many(
            thing(
                {
                    "game": TEXT,
                    "players": many(TEXT),
                    "complete": FLAG,
                    "samples": COUNT,
                    "seed": COUNT,
                    "seats": many(REVIEWED_SEAT),
                    "accounts": ACCOUNTS,
                    "deals": many(REVIEWED_DEAL),
                }
            )
        ),
    }
)
EXPORT = thing({"out": TEXT, "records": COUNT}, {"decisions": COUNT, "deals": COUNT})
OUTPUTS = {
    "match": MATCH,
    "tournament": TOURNAMENT,
    "games": GAMES,
    "statistics": thing({"played": ACCOUNT, "training": ACCOUNT, "left": COUNT, **DAMAGED}),
    "replay": REPLAY,
    "deal": DEAL,
    "hint": HINT,
    "review": REVIEW,
    "export": EXPORT,
    "generate": GENERATE,
    "train": TRAIN,
    "score": SCORE,
    "tune": TUNE,
    "selfplay": SELFPLAY,
    "exploit": EXPLOIT,
    "belief": lesson("belief"),
    "distil": lesson("policy"),
    "rules": RULES,
    "agents": AGENTS,
    "check": CHECK,
    "engine-check": ENGINE_CHECK,
    "bench": BENCH,
}
COMMANDS = {"statistics": "games --statistics", "engine-check": "engine --check"}


def output(name: str) -> Schema:
    """What a command prints with --json."""
    command = COMMANDS.get(name, name)
    return {"$schema": DRAFT, "title": f"undercut {command} --json", **OUTPUTS[name]}


def texts() -> dict[str, str]:
    """The text of every schema that is made here, by its name."""
    found = {"engine": engine(), **{name: output(name) for name in OUTPUTS}}
    return {name: json.dumps(made, indent=1) + "\n" for name, made in found.items()}


def main() -> None:
    """Write them."""
    for name, text in texts().items():
        (FOLDER / f"{name}.schema.json").write_text(text, encoding="utf-8")
        print(f"{name}.schema.json", file=sys.stderr)


if __name__ == "__main__":
    main()
