"""Claims on bounded deficits and the bounded rest of the regret (theorem A, parts 3 and 4)."""

import numpy as np

from penalized_bandits.theory.deficits import drift_bound
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, exact
from penalized_replication.claims.horizon_series import deficits_of, regret_of, whole_levels
from penalized_replication.claims.rules import Below
from penalized_research.claims.constants import sharp_series

FIRST = 100_000
"""Statements that hold from some round on are checked from here on."""
SETTLED = "settled (√(2 log T/(τ_k T)) ≤ |A_k − Δ_k| for every arm of A_k ≠ Δ_k)"
"""As `SharpSeries.settled_since` has it."""
TOGETHER = f"For each policy and bandit, the T from {FIRST:,} on that have {SETTLED}, together"
SINCE = f"For each policy and bandit, from when the longest runs were seen {SETTLED} to their end"
POLICIES = ("hard_threshold_ucb", "hard_threshold_sigma", "kl_hard_threshold")
DEFICITS = "relative growth of the mean of max_t≤T (τ_k t − N_k(t))₊, summed over these arms"
REST = "growth of R(T) − Σ (Δ − A) N over the predicted growth of Σ (Δ − A) N"
GROWTH, BEYOND = "growth of the largest deficits", "replicates beyond the drift bound"


@claim(
    "S03",
    {
        GROWTH: Below(0.5, of=DEFICITS, over=SINCE, times="that of log T"),
        BEYOND: Below(0.05, of=f"share of {BEYOND}", over=TOGETHER),
    },
)
def bounded_deficits(evidence: Evidence) -> Measured:
    for series in sharp_series(evidence, POLICIES):
        late, served = series.settled_since(FIRST), series.served
        if ends := series.ends():
            before, after = (run.max_deficit[:, served].sum(axis=1) for run in ends)
            horizons = [run.horizon for run in ends]
            unit = float(np.log(horizons[1]) / np.log(horizons[0]) - 1)
            grown = exact(np.inf if after.any() else 0.0)
            grown = (after - before) / before.mean() if before.any() else grown
            values = {"horizons": horizons, "means": [float(before.mean()), float(after.mean())]}
            yield Measurement(grown, series.place(GROWTH), unit=unit, values=values)
        if len(late) and served.sum() > 1:
            limit = drift_bound(late.bandit)[served] + 1e-6
            lacks = np.concatenate([deficits_of(run)[:, served] for run in late.outcomes])
            values = {"first": late.horizons[0], "largest_ratio": float(np.max(lacks / limit))}
            yield Measurement((lacks > limit).any(axis=1), late.place(BEYOND), values=values)


@claim(
    "S04", Below(0.05, of="share of replicates with such an arm below ⌊τT⌋ pulls", over=TOGETHER)
)
def equal_fractions(evidence: Evidence) -> Measured:
    for series in sharp_series(evidence, POLICIES):
        late, served = series.settled_since(FIRST), series.served
        if len(late) and served.any() and np.ptp(late.bandit.fairness[served]) == 0:
            above = [(run.pulls - whole_levels(run))[:, served] for run in late.outcomes]
            surplus = np.concatenate(above)
            values = {"least_surplus": float(surplus.min())}
            yield Measurement((surplus < 0).any(axis=1), late.place(), values=values)


@claim("S08", Below(0.1, of=REST, over=SINCE))
def bounded_rest(evidence: Evidence) -> Measured:
    for series in sharp_series(evidence, POLICIES):
        if (ends := series.ends()) is None:
            continue
        horizons = [run.horizon for run in ends]
        unit = series.predicted(horizons[1]) - series.predicted(horizons[0])
        if unit > 0:
            first, last = (regret_of(run) - series.leading(run) for run in ends)
            rest = [round(float(x.mean()), 6) + 0.0 for x in (first, last)]
            values = {"horizons": horizons, "rest": rest, "leading_growth": unit}
            # Without a deficit the rest is 0 up to rounding.
            yield Measurement(np.round((last - first) / unit, 9), series.place(), values=values)
