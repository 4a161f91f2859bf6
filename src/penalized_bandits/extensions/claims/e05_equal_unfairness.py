"""E05: no policy has more reward than the hard threshold at equal unfairness."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, below, nothing_known
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.tradeoff import curve_of
from penalized_bandits.extensions.comparison import OURS, TRADEOFF, distance, policies_of


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    for name in TRADEOFF:
        for case in evidence.cases(name):
            ours = curve_of(evidence, name, case, OURS)
            outcome = evidence.outcomes(name, case=case)[0]
            for policy in policies_of(evidence, name):
                if policy == OURS:
                    continue
                theirs = curve_of(evidence, name, case, policy)
                found = distance(ours, theirs, outcome)
                what = f"{policy} {case}"
                if found is None:
                    parts.append(nothing_known(what, "no unfairness in common"))
                    continue
                # The hard threshold's reward less the policy's: more for the policy is below 0.
                less = found[1]
                part = below(what, -less.value, -less.high, -less.low, 0.0)
                parts.append(part)
    shown = [part for part in parts if not np.isnan(part.estimate)]
    return Finding(
        f"reward of the policy less that of {OURS} at equal unfairness, as a share of the "
        "frontier's range",
        tuple(parts),
        headline=max(shown, key=lambda part: part.estimate, default=None),
    )


CLAIM = Claim(
    where="beyond the paper",
    statement="At equal unfairness no policy has more reward than the hard threshold in Settings 3 "
    "and 5.",
    rule="For each panel and policy, the mean over nine levels of unfairness that both reach (its "
    "own unfairness, for a policy without a trade-off): holds if its reward is smaller by the 95 % "
    "interval of a bootstrap of replicates, fails if larger.",
    evidence="results/extended/comparison_by_case.csv",
    measure=_measure,
)
