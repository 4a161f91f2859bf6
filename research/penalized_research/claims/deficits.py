"""Claims on bounded deficits and the bounded rest of the regret (theorem A, parts 3 and 4)."""

import numpy as np

from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.deficits import drift_bound
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import deficits_of, regret_of, whole_levels
from penalized_replication.claims.parts import below, exactly, frequency
from penalized_research.claims.constants import sharp_series

LATE = 100_000
"""Statements that hold from some round on are checked from here on."""
SETTLED_IF = "√(2 log T/(τ_k T)) ≤ |A_k − Δ_k| for every arm of A_k ≠ Δ_k"
"""When a series has settled, in the words of a rule (`SharpSeries.settled_since`)."""
POLICIES = ("hard_threshold_ucb", "hard_threshold_sigma", "kl_hard_threshold")
SHARE = 0.5
"""Of the growth of log T."""
REST_SHARE = 0.1
UNLIKELY = 0.05


@claim(
    "S03",
    where="not in the paper; theorem A, part 3",
    statement="Of arms with A_k > Δ_k the largest deficit over all rounds, "
    "sup_t (τ_k t − N_k(t))₊, has a finite mean, where Theorem 4.3 has log T; and from some round "
    "on no deficit exceeds the drift bound.",
    rule="For each policy and bandit, if the longest runs had settled when they were seen before "
    f"their end ({SETTLED_IF}): what the mean of max_t≤T (τ_k t − N_k(t))₊, summed over these "
    "arms, grows by since, as a share of what it was then, holds if less than "
    f"{SHARE:g} of what log T grows by and fails if more, with its whole 95 % interval. And, where "
    f"there are two such arms, all settled horizons from T = {LATE:,} on together: the share of "
    f"replicates with a deficit above the drift bound holds if below {UNLIKELY:g} with its Wilson "
    "interval, fails if above.",
    quantity="growth of the mean largest deficit over all rounds, or share of replicates beyond "
    "the drift bound",
    kind="theorem",
)
def bounded_deficits(evidence: Evidence) -> Measured:
    for series in sharp_series(evidence, POLICIES):
        late, served = series.settled_since(LATE), series.served
        if ends := series.ends():
            first, last = (one.max_deficit[:, served].sum(axis=1) for one in ends)
            before, end = (one.horizon for one in ends)
            most = float(SHARE * (np.log(end) / np.log(before) - 1))
            values = {"horizons": [before, end], "means": [float(x.mean()) for x in (first, last)]}
            fields = series.about(quantity="growth of the largest deficits", values=values)
            if first.mean() == 0:
                yield exactly(not last.any(), 0.0, most, **fields)
            else:
                grown = mean_estimate((last - first) / first.mean())
                yield below(grown.interval, most, **fields)
        if len(late) and served.sum() > 1:
            limit = drift_bound(late.bandit)[served] + 1e-6
            lacks = np.concatenate([deficits_of(one)[:, served] for one in late.outcomes])
            values = {"first": late.horizons[0], "largest_ratio": float(np.max(lacks / limit))}
            fields = late.about(quantity="replicates beyond the drift bound", values=values)
            yield frequency((lacks > limit).any(axis=1), most=UNLIKELY, **fields)


@claim(
    "S04",
    where="not in the paper; theorem A, part 3",
    statement="Where the arms with A_k > Δ_k have equal fractions τ, each of them has at least "
    "⌊τT⌋ pulls for all large T: what Theorem 4.1 says of all fractions.",
    rule=f"For each policy and each such bandit, all horizons from T = {LATE:,} on "
    f"together that have settled ({SETTLED_IF}): the "
    "share of replicates in which one of these arms has fewer than ⌊τT⌋ pulls holds if below "
    f"{UNLIKELY:g} with its Wilson interval, fails if above.",
    quantity=f"share of replicates with an arm short of ⌊τT⌋ pulls, from T = {LATE:,} on",
    kind="theorem",
)
def equal_fractions(evidence: Evidence) -> Measured:
    for series in sharp_series(evidence, POLICIES):
        late, served = series.settled_since(LATE), series.served
        if not len(late) or not served.any() or np.ptp(late.bandit.fairness[served]) != 0:
            continue
        surplus = np.concatenate([(o.pulls - whole_levels(o))[:, served] for o in late.outcomes])
        fields = late.about(values={"least_surplus": float(surplus.min())})
        yield frequency((surplus < 0).any(axis=1), most=UNLIKELY, **fields)


@claim(
    "S08",
    where="not in the paper; theorem A, part 4",
    statement="R(T) is Σ (Δ_k − A_k) E N_k(T), over the arms with Δ_k > A_k, and a rest that stays "
    "bounded.",
    rule="For each policy with a hard threshold and each bandit with such an arm, if the longest "
    f"runs had settled when they were seen before their end ({SETTLED_IF}): what the mean of the "
    "rest grows by since, over what the fluid prediction of the sum grows by, holds if below "
    f"{REST_SHARE:g} with its whole 95 % interval, fails if above.",
    quantity="growth of R(T) − Σ (Δ − A) N over the predicted growth of Σ (Δ − A) N",
    kind="theorem",
)
def bounded_rest(evidence: Evidence) -> Measured:
    for series in sharp_series(evidence, POLICIES):
        ends = series.ends()
        if ends is None or not series.margins.any():
            continue
        first, last = (regret_of(one) - series.leading(one) for one in ends)
        early, late = (one.horizon for one in ends)
        unit = series.predicted(late) - series.predicted(early)
        if not unit > 0:
            continue
        # Without a deficit the rest is 0 up to rounding.
        interval = mean_estimate(np.round((last - first) / unit, 9)).interval
        rest = [round(float(x.mean()), 6) + 0.0 for x in (first, last)]
        values = {"horizons": [early, late], "rest": rest, "leading_growth": unit}
        yield below(interval, REST_SHARE, **series.about(), values=values)
