"""E05: no policy has more reward than the hard threshold at equal unfairness."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, below, by_p_values, not_said
from penalized_bandits.claims.beyond.comparison import TRADEOFF
from penalized_bandits.claims.beyond.margins import MARGIN, SHOWN
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.distance import distance
from penalized_bandits.claims.measures.tradeoff import curve_of
from penalized_bandits.policies import PAPER_POLICY


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    silent: list[Part] = []
    p_holds: list[float] = []
    p_fails: list[float] = []
    for name in TRADEOFF:
        for case in evidence.cases(name):
            ours = curve_of(evidence, name, case, PAPER_POLICY)
            outcome = evidence.outcomes(name, case=case)[0]
            for policy in evidence.section(name).policies:
                if policy == PAPER_POLICY:
                    continue
                found = distance(ours, curve_of(evidence, name, case, policy), outcome)
                what = f"{policy} {case}"
                if found is None:
                    unknown = Part(what, np.nan, np.nan, np.nan, "undecided")
                    silent.append(not_said(unknown, "no unfairness in common"))
                    continue
                behind = found[1]
                # Reward of the policy less that of the hard threshold.
                less = behind.estimate
                part = below(what, -less.value, -less.high, -less.low, MARGIN, stake=1.0)
                if behind.same:
                    silent.append(not_said(part, "the same there as the hard threshold"))
                    continue
                parts.append(part)
                p_holds.append(behind.p_more(-MARGIN))
                p_fails.append(behind.p_less(-MARGIN))
    decided = by_p_values(parts, p_holds, p_fails, evidence.level)
    return Finding(
        f"reward of the policy less that of {PAPER_POLICY} at equal unfairness, as a share of the "
        "frontier's range",
        (*decided, *silent),
    )


CLAIM = Claim(
    where="beyond the paper",
    statement="At equal unfairness no policy has more reward than the hard threshold, by more than "
    f"{SHOWN} of the range of reward on the frontier.",
    rule="For each panel and policy, the mean over nine levels of unfairness that both reach (its "
    "own unfairness, for a policy without a trade-off): holds if its reward is larger by less than "
    f"{SHOWN} of the frontier's range, fails if larger by more (errors from a bootstrap of "
    "replicates, Student's t, Holm over all, and over the seeds of a confirmation, p < 0.05). "
    "Vacuous where they reach no unfairness in common, or are the same there.",
    evidence="results/extended/comparison_by_case.csv",
    measure=_measure,
)
