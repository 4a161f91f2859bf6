"""Claims on the constants of the log T law (theorems 1 to 3 and A)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from penalized_bandits.bandit.rewards import Bernoulli, Gaussian
from penalized_bandits.claims.base import claim
from penalized_bandits.claims.extended.evidence import ExtendedEvidence
from penalized_bandits.claims.measures.fluid_law import (
    RULE,
    FluidComparison,
    agreement,
    rival_facts,
)
from penalized_bandits.claims.parts import Part, above, exact, within
from penalized_bandits.claims.sharp.series import SETTLED, SharpSeries, sharp_series
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.lower_bound import lower_constant

KL, SIGMA = "kl_hard_threshold", "hard_threshold_sigma"
FAR = 1e15
"""A horizon at which the prediction is compared with its limit."""
AT_FAR = "prediction at T = 10¹⁵ over its limit"
ROUNDED = 0.01
"""How far it may be from it there."""
ON_AVERAGE = 0.1
"""Noise takes 1/(2 log T) of the pulls of policies that explore no more than it requires, 5 % at
T = 30,000, and one run's error is 38 %: as much again in the mean over some horizons."""
CHANGE = 0.2
"""From 3·10^4 to 10^7 (log T)^1.5 in the place of log T changes by 22 %, log² T by 44 %."""
EXACT = 1e-6
TIMES = 4.0
LEADING = "mean of Σ (Δ − A) N over the arms with Δ > A, over its fluid prediction"


@claim(
    "S01",
    where="not in the paper; theorem 1",
    statement="Under the published policy an arm with Δ_k > A_k is pulled 2 log T/(Δ_k − A_k)² "
    "times as T grows, on every bandit with 1-sub-Gaussian rewards, so that these arms cost "
    "Σ 2/(Δ_k − A_k) log T.",
    rule=f"For each bandit with such an arm, from T = {SETTLED:,} on, each horizon on random "
    "numbers of its own, the mean of Σ (Δ_k − A_k) N_k(T) over these arms over its fluid "
    f"prediction: {RULE} Besides, the prediction at T = 10^15 over Σ 2/(Δ_k − A_k) log T: holds "
    f"if within {ROUNDED:.0%} of 1, fails if not.",
    quantity=LEADING,
    kind="theorem",
)
def published_constant(evidence: ExtendedEvidence) -> Iterator[Part | dict[str, Any]]:
    """Compare the leading term of the published policy with its prediction and limit."""
    comparisons: list[FluidComparison] = []
    for series in sharp_series(evidence, [PAPER_POLICY]):
        if not series.margins.any():
            continue
        comparison = series.from_horizon(SETTLED).comparison()
        comparisons.append(comparison)
        constant = float((2 / series.margins[series.margins > 0]).sum())
        yield agreement(comparison, 1 / np.log(comparison.horizons), constant)
        ratio = exact(series.predicted(FAR) / np.log(FAR) / constant)
        yield within(ratio, 1 - ROUNDED, 1 + ROUNDED, 1.0, quantity=AT_FAR, **series.about())
    yield rival_facts(comparisons)


@claim(
    "S02",
    where="not in the paper; theorems A and 2",
    statement="Under the hard threshold with KL-UCB's index, rewards in [0, 1], an arm with "
    "Δ_k > A_k is pulled log T/kl(μ_k, μ* − A_k) times as T grows; with the radius "
    "σ √(2 log n/N), σ-sub-Gaussian rewards, 2σ² log T/(Δ_k − A_k)² times.",
    rule=f"For each of the two policies and each bandit with such an arm, from T = {SETTLED:,} on, "
    "each horizon on random numbers of its own, the mean of Σ (Δ_k − A_k) N_k(T) over these arms "
    "over its fluid prediction: holds if the mean over horizons is within "
    f"{ON_AVERAGE:.0%} of 1 and a straight line through it in log T changes by less than "
    f"{CHANGE:.0%} over the range, both with their whole 95 % intervals; fails if one of the two "
    "is outside with its whole interval.",
    quantity=LEADING,
    evidence="results/summaries/sharp_kl.csv",
    kind="theorem",
)
def optimal_policies(evidence: ExtendedEvidence) -> Iterator[Part]:
    """Compare the leading terms of the KL and the scaled policy with their predictions."""
    for series in sharp_series(evidence, (KL, SIGMA)):
        if series.margins.any():
            comparison = series.from_horizon(SETTLED).comparison()
            scale = 1 / np.log(comparison.horizons)
            yield agreement(
                comparison, scale, series.constant, on_average=ON_AVERAGE, change=CHANGE
            )


def _ratio_to_bound(series: SharpSeries, least: float) -> Part | None:
    """Return the part on the limit of the prediction over the constant of the lower bound."""
    ratio, fields = exact(series.constant / least), series.about()
    if isinstance(series.law, Gaussian) and series.policy != KL:
        target = 1.0 if series.policy == SIGMA else 1 / series.law.sd**2
        return within(ratio, target * (1 - EXACT), target * (1 + EXACT), target, **fields)
    if isinstance(series.law, Bernoulli) and series.policy == KL:
        return within(ratio, 1 - EXACT, 1 + EXACT, 1.0, **fields)
    if isinstance(series.law, Bernoulli) and series.policy == PAPER_POLICY:
        return above(ratio, TIMES, **fields)
    return None


@claim(
    "S05",
    where="not in the paper; theorem 3 and its corollary",
    statement="The limit of regret over log T is the least that a consistent policy can have for "
    "the KL hard threshold on Bernoulli rewards and for the scaled one on Gaussian rewards of "
    "known σ; the published policy's is more than 4 times that on Bernoulli rewards, 1/σ² times on "
    "Gaussian ones.",
    rule="For each of these policies and bandits, the limit of the fluid prediction over the "
    f"constant of the lower bound: holds if it is 1, or 1/σ², up to {EXACT:g}, or above "
    f"{TIMES:g}; fails if not. The limits are computed, not measured.",
    quantity="limit of regret over log T, over the constant of the lower bound",
    evidence="results/sharp/claims.json",
    kind="identity",
)
def lower_bound(evidence: ExtendedEvidence) -> Iterator[Part]:
    """Compare the limits of the predictions with the lower bound."""
    for series in sharp_series(evidence, (PAPER_POLICY, KL, SIGMA)):
        if not series.margins.any():
            continue
        bandit = series.bandit
        full = instance_of(bandit.means, bandit.fairness, bandit.penalties, series.law)
        least = float(lower_constant(full))
        part = _ratio_to_bound(series, least)
        if part is not None:
            shares = series.leading(series.last) / (least * np.log(series.last.horizon))
            error = float(shares.std(ddof=1) / np.sqrt(shares.size))
            measured = {"last": series.last.horizon, "mean": float(shares.mean()), "error": error}
            yield replace(part, values=measured)
