"""C23: the second rule for A keeps unfairness below a tolerance."""

from penalized_bandits.bandit.regret import unfairness
from penalized_bandits.claims.base import Claim, Finding, below
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fair_arms import within_reach
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import mean_estimate


def _measure(evidence: Evidence) -> Finding:
    horizons = evidence.section("equal_penalties").horizons
    parts = []
    for outcome in evidence.outcomes("equal_penalties", policy=PAPER_POLICY, horizon=horizons[-1]):
        # The least tolerance for which the rule gives this A: what the arms beyond it carry.
        tolerated = float(outcome.fairness[~within_reach(outcome)].sum())
        share = unfairness(outcome.pulls, outcome.fairness, outcome.horizon) / outcome.horizon
        slack = outcome.fairness.size / outcome.horizon
        name = f"{outcome.case} tol = {tolerated:.4g}, T={horizons[-1]}"
        parts.append(below(name, *mean_estimate(share).interval, tolerated + slack))
    return Finding(
        "mean unfairness Σ (τ_k T − N_k)₊ per round",
        tuple(parts),
        note="As printed the rule sums τ_k over the arms that are kept fair and takes an infimum "
        "without lower bound. Read as an A whose arms left unfair, those of larger gaps, carry at "
        "most tol; A is halfway between two gaps, and tol the least for which it is right.",
    )


CLAIM = Claim(
    where='section 5, "Practical choice", 2',
    statement="With the rule mended so that it has a value: an A that leaves arms unfair which "
    "carry at most tol together keeps unfairness per round at most tol.",
    rule="For each tolerance that separates two penalty rates, at the largest horizon: holds if "
    "mean unfairness per round lies below tol plus one pull an arm with its 95 % interval, fails "
    "if above.",
    measure=_measure,
    kind="bound",
)
