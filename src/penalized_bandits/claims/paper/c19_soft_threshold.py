"""C19: a soft threshold has regret linear in T, the hard one log T (section 5)."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, nothing_known
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fluid_law import (
    RULE,
    Track,
    agreement,
    regrets,
    said_of_rivals,
)
from penalized_bandits.claims.measures.overtaking import cells
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.limits import linear_constant, log_constant

SOFT = "soft_threshold_ucb"
SETTLED = 10_000


def _soft(evidence: Evidence, study: str, case: str) -> list[Part]:
    runs = [o for o in evidence.outcomes(study, case=case, policy=SOFT) if o.horizon >= SETTLED]
    name = f"{case}: soft"
    if not runs:
        return [nothing_known(name, f"no horizon from {SETTLED} on")]
    one = runs[0]
    assert one.penalties is not None  # noqa: S101
    limit = float(linear_constant(one.means, one.fairness, one.penalties).mean())
    if limit == 0:
        return []  # No suboptimal arm is critical: the bonus is of no use to it.
    track = regrets(name, runs)
    return [agreement(track, 1 / track.horizons, limit)]


def _hard(evidence: Evidence, study: str, case: str, tracks: list[Track]) -> Part:
    found = evidence.outcomes(study, case=case, policy=PAPER_POLICY)
    runs = [o for o in found if o.horizon >= SETTLED]
    name = f"{case}: hard"
    if not runs:
        return nothing_known(name, f"no horizon from {SETTLED} on")
    one = runs[0]
    assert one.penalties is not None  # noqa: S101
    # Over bandits drawn anew the mean of 1/(Delta_k - A_k) is infinite.
    drawn = (one.means != one.means[0]).any()
    limit = np.nan if drawn else float(log_constant(one.means[0], one.penalties[0]))
    track = regrets(name, runs)
    tracks.append(track)
    return agreement(track, 1 / np.log(track.horizons), limit)


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    tracks: list[Track] = []
    for study, case in cells(evidence):
        parts += _soft(evidence, study, case)
        parts.append(_hard(evidence, study, case, tracks))
    return Finding(
        "mean regret over its fluid prediction",
        tuple(parts),
        note="The numbers are R(T)/T of the soft threshold and R(T)/log T of the hard one. An arm "
        "with 0 < Δ_k < A_k stops short of its level under the soft threshold, at "
        "τ_k T (1 − Δ_k/A_k) pulls, so that R(T)/T tends to Σ τ_k (A_k − Δ_k) Δ_k/A_k: linear "
        "exactly where there is such an arm. Where means are drawn anew R(T)/log T has no limit: "
        "the mean of 1/(Δ_k − A_k) over bandits is infinite. " + said_of_rivals(tracks),
    )


CLAIM = Claim(
    where='section 5, "On hard threshold"',
    statement="A soft threshold has penalized regret linear in T wherever some arm has "
    "0 < Δ_k < A_k, the hard threshold log T.",
    rule="In each cell of the studies with such an arm, from T = 10,000 on, mean regret over its "
    "fluid prediction, which is linear in T for the soft threshold and grows like log T for the "
    f"hard one, bandit by bandit: {RULE}",
    evidence="results/summaries/crossover.csv",
    measure=_measure,
)
