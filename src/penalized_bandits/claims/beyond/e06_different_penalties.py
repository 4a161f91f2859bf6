"""E06: the order of policies is the same where penalty rates differ between arms."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.beyond.margins import RULE, less_regret
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.regret import regret_at
from penalized_bandits.policies import PAPER_POLICY

NAME = "heterogeneous_penalties"
RIVALS = ("lfg", "fair_learn", "soft_threshold_ucb")


def _measure(evidence: Evidence) -> Finding:
    horizon = max(evidence.section(NAME).horizons)
    pairs = {
        f"{case} T={horizon} against {rival}": (
            regret_at(evidence, NAME, case, PAPER_POLICY, horizon),
            regret_at(evidence, NAME, case, rival, horizon),
        )
        for case in evidence.cases(NAME)
        for rival in RIVALS
    }
    return Finding(
        f"penalized regret of {PAPER_POLICY} less the rival's", less_regret(pairs, evidence.level)
    )


CLAIM = Claim(
    where="beyond the paper",
    statement="Also where penalty rates differ between arms the hard threshold has less penalized "
    "regret than LFG, Flearn and the soft threshold.",
    rule=f"In each case and against each rival, at the largest horizon: {RULE}.",
    measure=_measure,
)
