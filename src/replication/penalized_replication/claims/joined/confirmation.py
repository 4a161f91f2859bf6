"""Claims confirmed on new seeds and bandits, all seeds together."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scipy.stats import gmean

from penalized_replication.claims import claim
from penalized_replication.claims.base import Evidence, verdict_of
from penalized_replication.claims.ledger.register import digest_of
from penalized_replication.claims.ledger.render import tell
from penalized_replication.claims.results import ClaimResult, decide, measure


def confirm(identifier: str, evidence: Mapping[int, Evidence], frozen: str) -> ClaimResult:
    """Measure a claim on the evidence of each seed, which share its level; return one result.

    Its facts have the verdict of each seed alone (``by_seed``), the digest of the rule
    (``rule_digest``), and ``frozen``, the digest of config and bandits.
    """
    for one in evidence.values():
        one.level = Evidence.level / len(evidence)
    results = {seed: measure(identifier, one) for seed, one in evidence.items()}
    parts = tuple(
        replace(part, case=f"seed_{seed}/{part.case}", label=f"seed {seed}, {part.label}")
        for seed, result in results.items()
        for part in result.parts
    )
    declared = claim(identifier)
    facts: dict[str, Any] = {
        "by_seed": [verdict_of(result.parts, declared.kind) for result in results.values()],
        "rule_digest": digest_of(declared),
        "frozen": frozen,
    }
    first = next(iter(results.values()))
    every = [result.facts["ratios"] for result in results.values() if "ratios" in result.facts]
    for law in every[0] if every else ():
        least, most, mean = zip(*(ratios[law] for ratios in every), strict=True)
        # The seeds have as many cases each.
        facts.setdefault("ratios", {})[law] = [min(least), max(most), float(gmean(mean))]
    if chosen := {one for result in results.values() for one in result.facts.get("chosen", ())}:
        facts["chosen"] = sorted(chosen)
    result = tell(decide(replace(first, parts=parts, facts={**first.facts, **facts})))
    return replace(result, confirmed="")
