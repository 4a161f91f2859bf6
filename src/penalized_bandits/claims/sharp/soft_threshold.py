"""The claim on the soft threshold's linear regret (theorem 4)."""

from collections.abc import Iterator

import numpy as np

from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.claims.base import claim
from penalized_bandits.claims.extended.evidence import ExtendedEvidence
from penalized_bandits.claims.measures.fluid_law import RULE, agreement, regret_comparison
from penalized_bandits.claims.parts import Part, exact, within
from penalized_bandits.claims.sharp.constants import AT_FAR, FAR, ROUNDED
from penalized_bandits.claims.sharp.series import SETTLED, SharpSeries, sharp_series
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.limits import linear_constant

SOFT = "soft_threshold_ucb"
WITHIN = 0.05


def _predicted(series: SharpSeries, horizon: float) -> FloatArray:
    return predicted_pulls(series.bandit, horizon, rule=series.exploration, soft=True)


def _limit(series: SharpSeries, constant: float) -> Part:
    """Return the part on the prediction of R(T)/T at a far horizon over its limit."""
    bandit = series.bandit
    pulls = _predicted(series, FAR)[None]
    regret = penalized_regret(pulls, bandit.means[None], bandit.fairness, bandit.penalties[None])
    ratio = exact(float(regret[0]) / FAR / constant)
    return within(ratio, 1 - ROUNDED, 1 + ROUNDED, 1.0, quantity=AT_FAR, **series.about())


def _shares(series: SharpSeries) -> Iterator[Part]:
    """Yield a part for each arm with 0 < Delta < A; of identical arms for the first."""
    last, gap = series.last, series.bandit.gaps
    predicted = _predicted(series, last.horizon)
    shares = series.bandit.fairness * (1 - gap / series.bandit.penalties)
    arms = {(gap[k], shares[k]): int(k) for k in np.flatnonzero((gap > 0) & series.served)[::-1]}
    for k in sorted(arms.values()):
        yield within(
            mean_estimate(last.pulls[:, k] / predicted[k]).interval,
            1 - WITHIN,
            1 + WITHIN,
            1.0,
            quantity="pulls over the prediction",
            arm=k + 1,
            horizon=last.horizon,
            measured=float(last.pulls[:, k].mean() / last.horizon),
            predicted=float(predicted[k] / last.horizon),
            asymptote=float(shares[k]),
            **series.about(),
        )


@claim(
    "S06",
    where="not in the paper; theorem 4",
    statement="Under the soft threshold an arm with 0 < Δ_k < A_k has the share τ_k (1 − Δ_k/A_k) "
    "of all pulls as T grows, so that R(T)/T tends to Σ τ_k (A_k − Δ_k) Δ_k/A_k.",
    rule=f"For each bandit with such an arm, from T = {SETTLED:,} on, each horizon on random "
    f"numbers of its own, mean regret over its fluid prediction: {RULE} Besides, the prediction of "
    f"R(T)/T at T = 10^15 over the limit holds if within {ROUNDED:.0%} of 1, and for each such arm "
    "(of arms that are alike the first) mean pulls at the largest horizon over their prediction "
    f"if within {WITHIN:.0%} of 1 with the whole 95 % interval; they fail if outside, with all of "
    "it.",
    quantity="mean of R(T), or N_k(T), over its fluid prediction; the prediction over its limit",
    evidence="results/summaries/sharp_long.csv",
    kind="theorem",
)
def linear_regret(evidence: ExtendedEvidence) -> Iterator[Part]:
    """Compare the soft threshold's regret and pulls with their predictions."""
    for series in sharp_series(evidence, [SOFT]):
        constant = float(linear_constant(series.bandit))
        if constant == 0:
            continue
        late = series.from_horizon(SETTLED)
        yield agreement(regret_comparison(late, rule=series.exploration), 1 / late.rounds, constant)
        yield _limit(series, constant)
        yield from _shares(series)
