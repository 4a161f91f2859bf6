"""E07: fairness fractions that shrink with the horizon do not break the law."""

from penalized_bandits.claims.base import Claim, Finding, not_said
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import growth_part
from penalized_bandits.policies import PAPER_POLICY

NAME = "shrinking_fairness"
LIMIT = 0.5


def _measure(evidence: Evidence) -> Finding:
    section = evidence.section(NAME)
    parts = []
    for n_arms in section.arms:
        for power in section.powers:
            stem = f"K{n_arms}_b{power:g}"
            runs = [
                evidence.outcome(NAME, f"{stem}_T{horizon}", PAPER_POLICY, horizon)
                for horizon in section.horizons
            ]
            part = growth_part(stem, runs, LIMIT)
            last = section.horizons[-1]
            if "ucb1" in section.policies:
                plain = evidence.outcome(NAME, f"{stem}_T{last}", "ucb1", last)
                if (plain.pulls == runs[-1].pulls).all():
                    part = not_said(part, "the same pulls as UCB1: the threshold never acts")
            parts.append(part)
    return Finding("exponent of mean regret in T", tuple(parts))


CLAIM = Claim(
    where="beyond the paper (Remark on small fractions)",
    statement="Where fractions shrink with the horizon as T^-b, the hard threshold's penalized "
    "regret grows more slowly than the square root of T.",
    rule="For each b: the exponent of mean regret between the smallest and the largest horizon; "
    "holds if its 95 % interval is below 0.5, fails if above. Vacuous where the hard "
    "threshold pulls what UCB1 does.",
    evidence="results/summaries/shrinking_fairness.csv",
    measure=_measure,
)
