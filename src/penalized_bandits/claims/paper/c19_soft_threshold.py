"""C19: a soft threshold has regret linear in T, the hard one log T (section 5)."""

from itertools import product

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, nothing_known
from penalized_bandits.claims.evidence import Evidence, bandit_of, penalties_of
from penalized_bandits.claims.measures.fluid_law import (
    RULE,
    Track,
    agreement,
    regrets,
    said_of_rivals,
)
from penalized_bandits.claims.measures.overtaking import cells
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import linear_constant, log_constant

SOFT = "soft_threshold_ucb"
SETTLED = 10_000


def _limit(one: Outcome) -> float:
    """Return what R(T)/T tends to under the soft threshold, R(T)/log T under the hard one."""
    if one.policy == SOFT:
        return float(
            linear_constant(instance_of(one.means, one.fairness, penalties_of(one))).mean()
        )
    # Over bandits drawn anew the mean of 1/(Delta_k - A_k) is infinite.
    bandit = instance_of(*bandit_of(one))
    drawn = (one.means != bandit.means).any()
    return np.nan if drawn else float(log_constant(bandit))


def _exponents(tracks: list[Track]) -> str:
    """Say between which powers of T regret grows from the first horizon to the last."""
    ends = [
        (one.horizons[[0, -1]], (one.measured[0].mean(), one.measured[-1].mean()))
        for one in tracks
        if len(one.horizons) > 1
    ]
    found = [np.log(r[1] / r[0]) / np.log(t[1] / t[0]) for t, r in ends if min(r) > 0]
    if not found:
        return ""
    return (
        f"In the range of these horizons the hard threshold's grows like T^{min(found):.2f} to "
        f"T^{max(found):.2f}: log T is the law of the prediction that it follows. "
    )


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    tracks: list[Track] = []
    for (study, case), soft in product(cells(evidence), (True, False)):
        name, policy = (f"{case}: soft", SOFT) if soft else (f"{case}: hard", PAPER_POLICY)
        found = evidence.outcomes(study, case=case, policy=policy)
        runs = [one for one in found if one.horizon >= SETTLED]
        if not runs:
            parts.append(nothing_known(name, f"no horizon from {SETTLED} on"))
            continue
        limit = _limit(runs[0])
        if soft and limit == 0:
            continue  # No suboptimal arm is critical: the bonus is of no use to it.
        track = regrets(name, runs)
        scale = 1 / (track.horizons if soft else np.log(track.horizons))
        parts.append(agreement(track, scale, limit))
        if not soft:
            tracks.append(track)
    return Finding(
        "mean regret over its fluid prediction",
        tuple(parts),
        note="The numbers are R(T)/T of the soft threshold and R(T)/log T of the hard one. An arm "
        "with 0 < Δ_k < A_k stops short of its level under the soft threshold, at "
        "τ_k T (1 − Δ_k/A_k) pulls, so that R(T)/T tends to Σ τ_k (A_k − Δ_k) Δ_k/A_k: linear "
        "exactly where there is such an arm. Where means are drawn anew R(T)/log T has no limit: "
        "the mean of 1/(Δ_k − A_k) over bandits is infinite. "
        + _exponents(tracks)
        + said_of_rivals(tracks),
    )


CLAIM = Claim(
    where='section 5, "On hard threshold"',
    statement="A soft threshold does not have nearly optimal penalized regret, and the hard one "
    "has: wherever some arm has 0 < Δ_k < A_k it is linear in T for the one, log T for the other.",
    rule="In each cell of the studies with such an arm, from T = 10,000 on, mean regret over its "
    "fluid prediction, which is linear in T for the soft threshold and grows like log T for the "
    f"hard one, bandit by bandit: {RULE}",
    measure=_measure,
)
