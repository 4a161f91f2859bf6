"""Claims on floors, ceilings and quotas (Theorem V): the law of log T, and caps that are kept."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.regret import excess
from penalized_bandits.theory.exploration import exploration_of
from penalized_bandits.theory.fluid import predicted_regret
from penalized_bandits.theory.limits import log_constant
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, exact
from penalized_replication.claims.horizon_series import HorizonSeries, by_instance
from penalized_replication.claims.measures.fluid_law import regret_comparison
from penalized_replication.claims.rules import AsPredicted, Below
from penalized_research.rules import near_one

STUDY = "stairs"
FAR = 1e10
"""A horizon at which the prediction is compared with its limit: at larger ones the digits of
shares of T end."""
AT_FAR, OVER = "prediction at T = 10¹⁰ over its limit", "largest number of pulls above a cap"
NEAR_LIMIT = near_one(0.01, of=AT_FAR, over="For each of these", exact=True)
BOTH, CAPS, CEILINGS, FULL = "both", "caps", "ceilings", "full"
Law = partial(AsPredicted, of="mean regret", on_average=0.15, change=0.3)
"""As in S02, and regret has a bounded rest besides, a few units beside 18 with KL-UCB's index at
T = 10^4.  From 10^4 to 10^6 log² T in the place of log T changes by 40 %, (log T)^1.5 by 20 %."""


def kind_of(bandit: Instance) -> str:
    """Return which of the four kinds a bandit is of."""
    if np.isinf(bandit.excess_penalties).any():
        return CAPS
    if bandit.charges_excess:
        return BOTH if bandit.fairness.any() else CEILINGS
    return FULL


def series_of(evidence: Evidence, kind: str) -> Iterator[HorizonSeries]:
    """Yield the series of each policy on each bandit of a kind."""
    for policy in evidence.section(STUDY).policies:
        for series in by_instance(evidence.outcomes(STUDY, policy=policy)):
            if kind_of(series.bandit) == kind:
                yield series


@claim("S24", {"": Law(over="Floors and ceilings, each policy"), AT_FAR: NEAR_LIMIT}, kind=BOTH)
@claim("S26", {"": Law(over="Ceilings alone, each policy"), AT_FAR: NEAR_LIMIT}, kind=CEILINGS)
@claim("S27", {"": Law(over="Floors that fill 1, each policy"), AT_FAR: NEAR_LIMIT}, kind=FULL)
def regret_law(evidence: Evidence, kind: str) -> Measured:
    """Yield regret beside its prediction, and the prediction beside its limit."""
    for series in series_of(evidence, kind):
        rewards = series.bandit.rewards
        rule = exploration_of(series.policy, rewards.noise, law=rewards)
        assert rule is not None  # noqa: S101
        limit, scale = float(log_constant(series.bandit, rule)), 1 / np.log(series.rounds)
        data = regret_comparison(series, exploration=rule, scale=scale, logarithmic=limit > 0)
        exceeded = any(np.isinf(regret).any() for regret in data.measured)
        law = Measurement(data, series.place(), asymptote=limit)
        yield law.undecided("a cap is exceeded: regret is infinite", when=exceeded)
        if limit > 0:
            ratio = float(predicted_regret(series.bandit, FAR, rule=rule)) / np.log(FAR) / limit
            yield Measurement(exact(ratio), series.place(AT_FAR))


@claim(
    "S25",
    {
        "": Law(over="Hard caps, each policy"),
        AT_FAR: NEAR_LIMIT,
        OVER: Below(1.0, of=OVER, over="Each policy and T, over arms and replicates", exact=True),
    },
)
def hard_caps(evidence: Evidence) -> Measured:
    yield from regret_law(evidence, CAPS)
    for series in series_of(evidence, CAPS):
        for run in series.outcomes:
            most = float(excess(run.pulls, run.bandits).max())
            yield Measurement(exact(most), series.place(OVER, horizon=run.horizon))
