"""Figure 1: penalized regret of the hard threshold, LFG and Flearn."""

from itertools import product

from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, place_of
from penalized_replication.claims.horizon_series import regret_of
from penalized_replication.claims.rules import Less

SETTING = "setting_1"


def _less_than(rival: str, over: str = "In each panel and at each horizon") -> Less:
    of = f"penalized regret, hard threshold minus {rival} (reward)"
    return Less(of=of, over=over, scale="the rival's mean regret")


@claim("C24", _less_than("LFG"), rival="lfg")
@claim(
    "C25", _less_than("Flearn", "In each panel at its last horizon"), rival="fair_learn", last=True
)
@claim("C25H", _less_than("Flearn"), rival="fair_learn")
@claim("C24S", _less_than("soft threshold"), rival="soft_threshold_ucb")
def regrets(evidence: Evidence, rival: str, *, last: bool = False) -> Measured:
    horizons: list[int] = evidence.section(SETTING).horizons[-1 if last else 0 :]
    for case, horizon in product(evidence.cases(SETTING), horizons):
        ours = evidence.outcome(SETTING, case, PAPER_POLICY, horizon)
        theirs = evidence.outcome(SETTING, case, rival, horizon)
        pair = regret_of(ours), regret_of(theirs)
        yield Measurement(pair, place_of(ours, rival=rival))
