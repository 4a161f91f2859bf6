"""E09: with many arms the hard threshold is still better than UCB1."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.beyond.margins import RULE, less_regret
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.regret import regret_at
from penalized_bandits.policies import PAPER_POLICY

NAME, RIVAL = "many_arms", "ucb1"


def _measure(evidence: Evidence) -> Finding:
    pairs = {
        f"{case} T={horizon}": (
            regret_at(evidence, NAME, case, PAPER_POLICY, horizon),
            regret_at(evidence, NAME, case, RIVAL, horizon),
        )
        for case in evidence.cases(NAME)
        for horizon in evidence.section(NAME).horizons
    }
    return Finding(
        f"penalized regret of {PAPER_POLICY} less that of {RIVAL}",
        less_regret(pairs, evidence.level),
    )


CLAIM = Claim(
    where="beyond the paper",
    statement="With hundreds of movies for arms the hard threshold has less penalized regret than "
    "UCB1.",
    rule=f"In each case and at each horizon: {RULE}.",
    measure=_measure,
)
