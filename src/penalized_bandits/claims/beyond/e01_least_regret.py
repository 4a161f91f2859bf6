"""E01: some policy that keeps the log T law has less penalized regret than the paper's."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.beyond.best import (
    all_regrets,
    followed,
    keeping,
    laws_decided,
    least,
    odd,
)
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.regret import smaller_unless_same
from penalized_bandits.policies import PAPER_POLICY


def _measure(evidence: Evidence) -> Finding:
    kept = keeping(evidence)
    best = least(evidence, kept or [PAPER_POLICY])
    ours, theirs = all_regrets(evidence, best), all_regrets(evidence, PAPER_POLICY)
    parts = smaller_unless_same(
        {case: (odd(ours[case].published), odd(theirs[case].published)) for case in ours}
    )
    counts = {policy: laws_decided(evidence, policy) for policy in followed(evidence)}
    told = "; ".join(
        f"{policy} {n['log']}/{n['undecided']}/{n['power']}" for policy, n in counts.items()
    )
    return Finding(
        f"penalized regret of {best} less that of {PAPER_POLICY}, both as published",
        parts,
        note=f"The policy is {best}. Settled cases with the law, undecided and with a power law: "
        f"{told}.",
    )


CLAIM = Claim(
    where="beyond the paper",
    statement="A policy that keeps the log T law, as far as is seen, has less penalized regret "
    "than the paper's hard threshold in every case of Settings 1 and 5 and on MovieLens, both as "
    "published.",
    rule="The policy is the one with the least geometric mean of regret over the hard threshold's, "
    "on the even replicates, of those shown to have the log T law (or less) in a settled case of "
    "the long runs and a power law in none (E02). On the odd replicates: in each case holds if its "
    "mean regret is smaller, fails if larger (paired, Holm over all cases, p < 0.05).",
    evidence="results/extended/comparison_by_case.csv",
    measure=_measure,
)
