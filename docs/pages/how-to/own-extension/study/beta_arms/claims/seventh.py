"""B01: under Beta rewards the hard threshold has less penalized regret than UCB1."""

from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, place_of
from penalized_replication.claims.horizon_series import regret_of
from penalized_replication.claims.rules import Less


@claim("B01", Less(of="penalized regret, hard threshold minus UCB1 (reward)", over="For each K"))
def regrets(evidence: Evidence) -> Measured:
    horizon = evidence.section("seventh").horizons[-1]
    for case in evidence.cases("seventh"):
        ours, theirs = (
            evidence.outcome("seventh", case, policy, horizon) for policy in (PAPER_POLICY, "ucb1")
        )
        pair = regret_of(ours), regret_of(theirs)
        yield Measurement(pair, place_of(ours, rival="ucb1"))
