"""The claim on reward at equal unfairness, over all policies."""

from dataclasses import replace

from penalized_bandits.claims.base import Measured, claim
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.extended.comparison import TRADEOFF
from penalized_bandits.claims.extended.less_regret import BY_CASE, MARGIN, SHOWN
from penalized_bandits.claims.measures.distance import distance
from penalized_bandits.claims.measures.tradeoff import curve_of
from penalized_bandits.claims.parts import Fields, Part, below, by_p_values, irrelevant, unknown
from penalized_bandits.policies import PAPER_POLICY


@claim(
    "E05",
    where="not in the paper",
    statement="At equal unfairness no policy has more reward than the hard threshold, by more than "
    f"{SHOWN} of the range of reward on the frontier.",
    rule="For each panel and policy, the mean over nine levels of unfairness that both reach (its "
    "own unfairness, for a policy without a trade-off): holds if its reward is larger by less than "
    f"{SHOWN} of the frontier's range, fails if larger by more (errors from a bootstrap of "
    "replicates, Student's t, Holm over all, and over the seeds of a confirmation, p < 0.05). "
    "Vacuous where they reach no unfairness in common, or are the same there.",
    quantity="reward less that of the hard threshold at equal unfairness, as a share of the "
    "frontier's range",
    evidence=BY_CASE,
)
def no_more_reward(evidence: Evidence) -> Measured:
    """Compare the reward of all policies with the hard threshold's."""
    parts: list[Part] = []
    vacuous: list[Part] = []
    panels = [(name, case) for name in TRADEOFF for case in evidence.cases(name)]
    for name, case in panels:
        ours = curve_of(evidence, name, case, PAPER_POLICY)
        outcome = evidence.outcomes(name, case=case)[0]
        for policy in evidence.section(name).policies:
            if policy == PAPER_POLICY:
                continue
            fields = Fields(case=f"{name} {case}", label=outcome.info.label, policy=policy)
            distances = distance(ours, curve_of(evidence, name, case, policy), outcome)
            if distances is None:
                reason = "no unfairness in common"
                vacuous.append(irrelevant(unknown(reason, **fields), reason))
                continue
            behind = distances[1]
            # Reward of the policy less that of the hard threshold.
            less = behind.estimate
            part = below((-less.value, -less.high, -less.low), MARGIN, 1.0, **fields)
            if behind.same:
                vacuous.append(irrelevant(part, "the same there as the hard threshold"))
            else:
                p_holds, p_fails = behind.p_more(-MARGIN), behind.p_less(-MARGIN)
                parts.append(replace(part, p_holds=p_holds, p_fails=p_fails))
    yield from by_p_values(parts, evidence.level)
    yield from vacuous
