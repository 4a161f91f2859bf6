"""E09: with many arms the hard threshold is still better than UCB1."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.figure_1 import regret_of
from penalized_bandits.extensions.claims.best import smaller
from penalized_bandits.extensions.comparison import OURS

NAME, RIVAL = "many_arms", "ucb1"


def _measure(evidence: Evidence) -> Finding:
    pairs = {
        f"{case} T={horizon}": (
            regret_of(evidence.outcome(NAME, case, OURS, horizon)),
            regret_of(evidence.outcome(NAME, case, RIVAL, horizon)),
        )
        for case in evidence.cases(NAME)
        for horizon in evidence.section(NAME).horizons
    }
    return Finding(f"penalized regret of {OURS} less that of {RIVAL}", smaller(pairs))


CLAIM = Claim(
    where="beyond the paper",
    statement="With hundreds of movies for arms the hard threshold has less penalized regret than "
    "UCB1.",
    rule="In each case and at each horizon: holds if its mean regret is smaller, fails if larger "
    "(paired, Holm over all, p < 0.05).",
    evidence="results/extended/many_arms.csv",
    measure=_measure,
)
