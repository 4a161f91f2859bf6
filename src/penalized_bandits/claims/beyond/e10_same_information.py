"""E10: a policy that is told no more than the paper's has less penalized regret."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.beyond.best import (
    alike,
    all_regrets,
    keeping,
    least,
    odd,
)
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.regret import smaller_unless_same
from penalized_bandits.policies import PAPER_POLICY


def _measure(evidence: Evidence) -> Finding:
    kept = alike(keeping(evidence))
    best = least(evidence, kept or [PAPER_POLICY])
    ours, theirs = all_regrets(evidence, best), all_regrets(evidence, PAPER_POLICY)
    parts = smaller_unless_same(
        {case: (odd(ours[case].published), odd(theirs[case].published)) for case in ours}
    )
    return Finding(
        f"penalized regret of {best} less that of {PAPER_POLICY}, both as published",
        parts,
        note=f"The policy is {best}, least of {', '.join(kept)}.",
    )


CLAIM = Claim(
    where="beyond the paper",
    statement="Among policies that are told no more than the paper's hard threshold (not the "
    "noise), one that keeps the log T law, as far as is seen, has less penalized regret in every "
    "case.",
    rule="As E01, without policies that are told sigma: on the odd replicates, in each case holds "
    "if its mean regret is smaller, fails if larger (paired, Holm over all cases, p < 0.05).",
    evidence="results/extended/comparison_by_case.csv",
    measure=_measure,
)
