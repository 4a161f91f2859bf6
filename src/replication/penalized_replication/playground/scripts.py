"""The simulator of the playground as one script: the engine by hand, the policies translated."""

import json
from collections.abc import Iterable
from decimal import Decimal, localcontext
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Template

from penalized_bandits.policies import POLICIES, Policy
from penalized_bandits.policies.base import no_queue, no_urgency
from penalized_bandits.policies.ziggurat import ZIGGURAT_EDGES, ZIGGURAT_HEIGHTS
from penalized_replication.playground.expressions import CannotTranslateError
from penalized_replication.playground.translate import Script


def _read(name: str) -> str:
    return (Path(__file__).parent / "engine" / name).read_text(encoding="utf-8")


_ENTRY = Template(_read("policy.js.j2"), trim_blocks=True, keep_trailing_newline=True)


def literal(value: Any) -> str:
    """Write a value for a script that stands in a page: nothing in it ends the script."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


@cache
def _translated(policy: Policy) -> str:
    """Return a policy as an entry of the table ``POLICIES``, with its functions."""
    script = Script()
    kinds = {"index": ("arm",), "urgency": ("arm",), "served": ("number",) * 3}
    kinds = {"choose": ("round",)} if policy.choose else kinds
    names = {name: script.function(getattr(policy, name), of).text for name, of in kinds.items()}
    regret = policy.tuning and policy.tuning.regret
    c = policy.exploration
    facts = {
        "id": policy.id,
        "label": policy.label,
        "rule": policy.card.formula,
        "reference": policy.card.reference,
        "draws": policy.draws,
        "commits": policy.commits,
        "firstPulls": bool(policy.first_pulls),
        "memory": policy.memory,
        "ignoresPenalties": policy.ignores_penalties,
        "bound": policy.card.bound,
    }
    kind = "choose" if policy.choose else "costly" if policy.hints.index_exceeds else "index"
    return _ENTRY.render(
        {"policy": policy, "script": script, "names": names, "facts": facts, "literal": literal},
        has_urgency=policy.urgency is not no_urgency,
        has_queue=policy.served is not no_queue,
        draws=bool(policy.draws),
        value=script.function(regret, ("number",) * 2).text if regret else "null",
        exploration=script.function(c, ("number",)).text if callable(c) else f"() => {c}",
        loop=_read(f"{kind}_loop.js"),
    )


def translations(only: Iterable[str] = POLICIES) -> tuple[dict[str, str], list[dict[str, str]]]:
    """Return the page's policies as JavaScript, by their ids, and those that it does not have."""
    found: dict[str, str] = {}
    absent: list[dict[str, str]] = []
    for name in only:
        try:
            found[name] = _translated(POLICIES[name])
        except CannotTranslateError as error:
            absent.append({"id": name, "label": POLICIES[name].label, "why": str(error)})
    return found, absent


def logarithms() -> dict[str, list[float]]:
    """Return log 2 and log(i / 128) as sums of two floats, and 128 / i, for ``elementary.js``.

    These are for i / 128 from sqrt(1/2) to sqrt(2), and 0 for smaller i.  The first part of log 2
    has so few bits that its multiples are exact.  Decimal arithmetic is correctly rounded, so that
    all is the same on every machine.
    """
    none, known = [0.0] * 91, range(91, 182)
    with localcontext(prec=60):
        log_2 = Decimal(2).ln()
        high = Decimal(int(log_2 * 2**36)) / 2**36
        logs = [(Decimal(i) / 128).ln() for i in known]
        return {
            "LN2": [float(high), float(log_2 - high)],
            "LOG_HIGH": [*none, *map(float, logs)],
            "LOG_LOW": [*none, *(float(log - Decimal(float(log))) for log in logs)],
            "INVERSES": [*none, *(128 / i for i in known)],
        }


def engine_source(only: Iterable[str] = POLICIES) -> str:
    """Return the simulator as one script, for a page, a worker or node, with these policies."""
    translated, absent = translations(only)
    ziggurat = {"EDGES": ZIGGURAT_EDGES.tolist(), "HEIGHTS": ZIGGURAT_HEIGHTS.tolist()}
    tables = [
        f"const {name} = new Float64Array({literal(values)});"
        for name, values in (ziggurat | logarithms()).items()
    ]
    tables += ["const POLICIES = [];", f"const ABSENT = {literal(absent)};"]
    names = ("words.js", "rewards.js", "elementary.js", "arithmetic.js", "simulation.js")
    body = "\n".join([*tables, *map(_read, names), *translated.values()])
    shared = "{ POLICIES, ABSENT, REWARD_LAWS, familyOf, sigmaOf, Simulation }"
    return f'const {shared} = (() => {{\n"use strict";\n{body}\nreturn {shared};\n}})();\n'
