"""C40: the constant C of Theorem 4.5 is universal."""

from collections.abc import Iterator

import numpy as np

from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.claims.base import Claim, Finding, below
from penalized_bandits.claims.evidence import Bandit, Evidence
from penalized_bandits.theory.bounds import gap_independent_bound
from penalized_bandits.theory.fluid import predicted_pulls

ARMS = (2, 10, 100)
REST = (0.5, 0.1, 0.01, 0.001)
"""1 − Σ τ."""
ROUNDS = (1e4, 1e7)
MULTIPLES = (0.1, 0.5, 1.0, 2.0, 8.0)
"""Gaps, or margins, in multiples of √(K log T/T)."""
RATIOS = (0.5, 1.0, 3.0)
"""A / Δ."""


def _bandits(arms: int, rest: float, horizon: float) -> Iterator[Bandit]:
    """Yield bandits with one better arm and equal fractions, then with one large fraction.

    Each time several at once: means and penalty rates have shape (R, K).
    """
    scale = np.sqrt(arms * np.log(horizon) / horizon)
    sizes = np.minimum(np.multiply(MULTIPLES, scale), 1.0)[:, None]
    first = np.arange(arms) == 0
    alike = np.full(arms, (1 - rest) / arms)
    rates = np.outer(sizes, RATIOS).reshape(-1, 1)
    yield np.repeat(sizes, len(RATIOS), axis=0) * first, alike, rates * np.ones(arms)
    large = np.where(first, 1 - rest, 0.0) + np.where(first, -1.0, 1 / max(arms - 1, 1)) * rest / 10
    means = np.where(first, sizes, 1.0)
    yield means, large, np.ones_like(means)


def _measure(evidence: Evidence) -> Finding:
    del evidence
    parts = []
    for rest in REST:
        worst = 0.0
        for arms in ARMS:
            for horizon in ROUNDS:
                for bandit in _bandits(arms, rest, horizon):
                    regrets = penalized_regret(predicted_pulls(*bandit, horizon), *bandit)
                    bound = float(gap_independent_bound(bandit[1], horizon))
                    worst = max(worst, float(regrets.max()) / bound)
        parts.append(below(f"1 − Σ τ = {rest:g}", worst, worst, worst, 1.0))
    return Finding(
        "largest ratio of fluid regret to the bound of eq. (14) with C = 0",
        tuple(parts),
        note="Nothing here contradicts a universal C: C = 0 is enough. The proof does not give "
        "one: its C comes from Lemma 4.4 with a constant that grows like 1/c_0.",
    )


CLAIM = Claim(
    where="Theorem 4.5",
    statement="The constant C of the gap-independent bound is universal: one C serves for all K, "
    "τ, A and μ.",
    rule="By the fluid prediction, over K from 2 to 100, T of 10^4 and 10^7, gaps and margins from "
    "0.1 to 8 times √(K log T/T) and A from 0.5 Δ to 3 Δ: for each 1 − Σ τ of 0.5, 0.1, 0.01 and "
    "0.001 holds if the largest ratio of regret to the bound with C = 0 is below 1, fails if "
    "above.",
    evidence="results/claims/claims.json",
    measure=_measure,
    kind="bound",
)
