"""What measured parts amount to: verdicts, what is shown of them, and what rules would notice."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from penalized_bandits.claims import claim
from penalized_bandits.claims.base import Finding, Part, nothing_known, slack_of, verdict_of
from penalized_bandits.claims.measured import number_or_none, part_from
from penalized_bandits.claims.power import FACTORS, power_of, violation, weakest
from penalized_bandits.common.numbers import estimate


def notices() -> list[str]:
    """Return the columns that say how often a rule notices a violation."""
    return [f"notices_{round(100 * (factor - 1))}" for factor in FACTORS]


def _named(part: Part) -> str:
    measured = estimate(part.estimate, part.low, part.high)
    return f"{part.name}: {measured}" if measured else part.name


def decided(row: Mapping[str, Any]) -> dict[str, Any]:
    """Decide a claim: return its row (`measured.finding_row`) with the verdict, and what bears it.

    ``estimate``, ``ci_low`` and ``ci_high`` are those of the part that is shown.
    """
    parts = tuple(part_from(part) for part in row["all_parts"])
    finding = Finding(row["quantity"], parts)
    shown = finding.shown if parts else nothing_known("", "")
    count = Counter(part.status for part in parts)
    broken = weakest(parts)
    chances = [number_or_none(power_of(parts, factor)) for factor in FACTORS]
    return {
        **row,
        "quantity": f"{row['quantity']} ({shown.name})" if parts else "",
        "estimate": number_or_none(shown.estimate),
        "ci_low": number_or_none(shown.low),
        "ci_high": number_or_none(shown.high),
        "verdict": verdict_of(parts, claim(row["id"]).kind) if parts else "not measured",
        "parts": len(parts),
        "hold": count["holds"],
        "fail": count["fails"],
        "undecided": count["undecided"],
        "vacuous": count["vacuous"],
        "best": _named(finding.best) if parts else "",
        "slack": number_or_none(slack_of(parts)),
        **dict(zip(notices(), chances, strict=True)),
        "of_stake": number_or_none(shown.estimate / shown.stake) if shown.stake else None,
        "violation": violation(broken) if broken else "",
    }
