"""E06: the order of policies is the same where penalty rates differ between arms."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.figure_1 import regret_of
from penalized_bandits.extensions.claims.best import smaller
from penalized_bandits.extensions.comparison import OURS

NAME = "heterogeneous_penalties"
RIVALS = ("lfg", "fair_learn", "soft_threshold_ucb")


def _measure(evidence: Evidence) -> Finding:
    horizon = max(evidence.section(NAME).horizons)
    pairs = {
        f"{case} T={horizon} against {rival}": (
            regret_of(evidence.outcome(NAME, case, OURS, horizon)),
            regret_of(evidence.outcome(NAME, case, rival, horizon)),
        )
        for case in evidence.cases(NAME)
        for rival in RIVALS
    }
    return Finding(f"penalized regret of {OURS} less the rival's", smaller(pairs))


CLAIM = Claim(
    where="beyond the paper",
    statement="Also where penalty rates differ between arms the hard threshold has less penalized "
    "regret than LFG, Flearn and the soft threshold.",
    rule="In each case at the largest horizon: holds if its mean regret is smaller, fails if "
    "larger (paired, Holm over all, p < 0.05).",
    evidence="results/extended/heterogeneous_penalties.csv",
    measure=_measure,
)
