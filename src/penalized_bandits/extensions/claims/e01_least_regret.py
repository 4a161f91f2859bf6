"""E01: some policy that keeps the log T law has less penalized regret than the paper's."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.extensions.claims.best import (
    OURS,
    all_regrets,
    followed,
    keeping,
    least,
    smaller,
)


def _measure(evidence: Evidence) -> Finding:
    kept = keeping(evidence)
    best = least(evidence, kept or [OURS])
    ours, theirs = all_regrets(evidence, best), all_regrets(evidence, OURS)
    parts = smaller({case: (ours[case].published_odd, theirs[case].published_odd) for case in ours})
    lost = [policy for policy in followed(evidence) if policy not in kept]
    return Finding(
        f"penalized regret of {best} less that of {OURS}, both as published",
        parts,
        note=f"The policy is {best}, least of {', '.join(kept)}, which keep the law in every "
        f"settled case{'; not so ' + ', '.join(lost) if lost else ''}.",
    )


CLAIM = Claim(
    where="beyond the paper",
    statement="A policy that keeps the log T law has less penalized regret than the paper's hard "
    "threshold in every case of Settings 1 and 5 and on MovieLens, both as published.",
    rule="The policy is the one with the least geometric mean of regret over the hard threshold's, "
    "on the even replicates, of those whose regret is a power law in no settled case of long_runs "
    "(see E02). On the odd replicates: in each case holds if its mean regret is smaller, fails "
    "if larger (paired, Holm over all cases, p < 0.05).",
    evidence="results/extended/comparison_by_case.csv",
    measure=_measure,
)
