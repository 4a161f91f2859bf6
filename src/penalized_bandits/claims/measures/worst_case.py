"""The largest regret over gaps, from the study ``worst_case``."""

from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.horizon_series import regret_of
from penalized_bandits.storage.replicates import Outcome


def worst_outcomes(evidence: Evidence, policy: str) -> list[Outcome]:
    """Return at each horizon the outcome of the gap and ratio A / Δ with the largest regret."""
    horizons = evidence.section("worst_case").horizons
    studies = (evidence.outcomes("worst_case", policy=policy, horizon=t) for t in horizons)
    return [max(study, key=lambda outcome: regret_of(outcome).mean()) for study in studies]
