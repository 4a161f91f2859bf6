"""Results with their sentences: notes and details from templates, numbers in one style.

``claims/notes/<id>.md.j2`` has two blocks: ``note``, about the claim, which knows its ``result``
with ``comparisons`` and ``facts``; and ``detail``, beside a ``comparison``.  A claim without a
template, or without one of the blocks, has none.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from penalized_bandits.common.numbers import estimate, format_number, interval, percent
from penalized_replication.claims import OURS, entry_of, if_declared
from penalized_replication.claims.base import claim_of
from penalized_replication.claims.comparisons import Comparison, name_of
from penalized_replication.claims.power import broken
from penalized_replication.claims.results import PAPERS, ClaimResult
from penalized_replication.claims.table.preregistration import dates_of, in_short, path_of
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.extensions import packages


def signed_percent(share: float) -> str:
    """Write a share with its sign in per cent: ``+1.3 %``, ``−0.02 %``."""
    return f"+{percent(share)}" if share > 0 else percent(share)


def listed(values: Any, digits: int = 4) -> str:
    """Write numbers one after another, with a number of significant digits."""
    return ", ".join(format_number(float(f"{value:.{digits}g}")) for value in values)


@cache
def templates(folder: Path) -> jinja2.Environment:
    """Return the templates of a folder, and of the paper's notes, as one environment."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader([folder, Path(__file__).parents[1] / "notes"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701  Markdown, which pages escape themselves
    )
    made.filters |= {"number": format_number, "listed": listed, "if_declared": if_declared}
    made.filters |= {"percent": percent, "signed_percent": signed_percent, "policy": name_of}
    made.globals |= {"estimate": estimate, "interval": interval, "isnan": math.isnan}
    return made


def _block(identifier: str, block: str, **values: Any) -> str:
    path, package = f"{identifier.lower()}.md.j2", entry_of(identifier).package
    folder = packages()[package] / "claims/notes"
    if not (folder / path).is_file():
        return ""
    template = templates(folder).get_template(path)
    if block not in template.blocks:
        return ""
    return " ".join("".join(template.blocks[block](template.new_context(values))).split())


def counts_text(result: ClaimResult) -> str:
    """Return how many comparisons hold, fail and are undecided: ``9 / 1 / 0``."""
    count = result.statuses
    text = f"{count['holds']} / {count['fails']} / {count['undecided']}"
    more = [f"{count[word]} {word}" for word in ("negligible", "vacuous") if count[word]]
    return f"{text} (+ {', '.join(more)})" if more else text


def bound_text(result: ClaimResult) -> str:
    """Return the ratio of the nearest bound to the measured value, ``× 28.6``; or nothing."""
    shown = result.bound_ratio >= 1 and result.verdict != "holds by algebra"
    return f"× {listed([result.bound_ratio], 3)}" if shown else ""


def measured_text(result: ClaimResult) -> str:
    """Return the headline estimate with its interval; empty without comparisons."""
    shown = result.headline
    return estimate(shown.estimate, shown.low, shown.high) if result.comparisons else ""


def headline_text(result: ClaimResult) -> str:
    """Return the headline estimate with its quantity and place; empty without comparisons."""
    shown, measured = result.headline, measured_text(result) or "no estimate"
    name = shown.name if shown.quantity else f"{result.quantity} ({shown.name})"
    vacuous = ", vacuous" if shown.status == "vacuous" else ""
    return f"{name}{vacuous}: {measured}" if result.comparisons else ""


def facts_of(result: ClaimResult) -> dict[str, str]:
    """Return the facts on a claim, by heading; without the empty ones."""
    bound, effect = bound_text(result), result.headline.effect
    changed = f", changed {result.changed}" if result.changed else ""
    ten, fifty, double = map(percent, result.detection or (math.nan,) * 3)
    chances = f"by 10 % in {ten}, by 50 % in {fifty}, by a factor 2 in {double}"
    facts = {
        "Rule": result.rule,
        "Declared": f"{result.declared}{changed} (digest {result.digest})",
        "Verdicts so far": result.path,
        "Confirmation": result.confirmed,
        "Measured": headline_text(result),
        "Best": result.best if result.verdict == "holds in part" else "",
        "Size": "" if math.isnan(effect) else f"{percent(effect)} of the reference scale",
        "Bound": f"{bound} away" if bound else "",
        "Detects": f"a violation {chances} of runs ({result.violation})" if double else "",
        "Low power": result.low_power,
        "Note": result.note,
    }
    return {heading: fact for heading, fact in facts.items() if fact}


def described(
    result: ClaimResult, config: str = "", folders: Mapping[str, str] | None = None
) -> ClaimResult:
    """Return a decided result with its texts, the dates of its rule, and the config by name.

    ``folders`` has the folder of the scenario in which each experiment was simulated.  Raises
    ClaimError if the rule is not in the preregistration.
    """
    first, changed = dates_of(result.id)
    declared, comparisons = claim_of(result.id), list[Comparison]()
    experiments = declared.experiments
    interpretations = {r for e in experiments for r in EXPERIMENTS[e].interpretations}
    table = f"summaries/{experiments[0]}.csv" if experiments else "claims/claims.json"
    table = declared.evidence or table
    behind = [e for e in experiments if e == Path(table).stem] or experiments
    folder = "".join((folders or {}).get(e, "") for e in behind[:1])
    for one in result.comparisons:
        texts = one.reason, _block(result.id, "detail", comparison=one, values=one.values)
        comparisons.append(replace(one, detail="; ".join(filter(None, texts))))
    note = f"Not measured under this config: {result.missing}."
    if comparisons:
        values = {"result": result, "comparisons": comparisons, "facts": result.facts}
        unjudged = f"No verdict: {declared.unjudged}." if declared.unjudged else ""
        note = " ".join(filter(None, (unjudged, _block(result.id, "note", **values))))
    best = result.best_comparison
    measured = estimate(best.estimate, best.low, best.high) if best else ""
    weakest = None if result.weakest is None else result.comparisons[result.weakest]
    same = ("where", "statement", "rule", "digest", "low_power", "corrected")
    return replace(
        result,
        **{name: getattr(declared, name) for name in same},
        repeats=if_declared(declared.repeats),
        quantity=declared.quantity if comparisons else "",
        evidence=f"results/{folder}{table}",
        interpretations=", ".join(sorted(interpretations)),
        asked_by="us" if declared.ours or declared.package != OURS else "the paper",
        declared=first,
        changed=changed,
        path=path_of(result.id, result.verdict) if changed and config in ("", PAPERS) else "",
        config=config,
        confirmed=in_short(result.id),
        comparisons=tuple(comparisons),
        note=note,
        best=f"{best.name}: {measured}".removesuffix(": ") if best else "",
        violation="" if weakest is None else f"{weakest.name}: {broken(weakest, 2.0)[1]}",
    )
