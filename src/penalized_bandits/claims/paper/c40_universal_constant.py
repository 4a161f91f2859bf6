"""C40: the constant C of Theorem 4.5 is universal."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.claims.base import Claim, Finding, Part, below
from penalized_bandits.claims.evidence import Bandit, Evidence
from penalized_bandits.claims.measures.steps import watch
from penalized_bandits.theory.bounds import gap_independent_bound
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of

ARMS = (2, 10, 100)
REST = (0.5, 0.1, 0.01, 0.001)
"""1 − Σ τ."""
ROUNDS = (1e4, 1e7)
MULTIPLES = (0.1, 0.5, 1.0, 2.0, 8.0)
"""Gaps, or margins, in multiples of √(K log T/T)."""
RATIOS = (0.5, 1.0, 3.0)
"""A / Δ."""

TOGETHER = np.array([0.9, 0.5, 0.5]), np.array([0.1, 0.3, 0.3])
"""μ and τ of a bandit in which arms 2 and 3 come due in the round T, so that one has to wait."""
LAST, REPLICATES = 10_004, 100
LARGE = (1e6, 1e9)
"""A."""
TIMES = 2.0
"""More than that C would grow with A."""


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


def _needed(rate: float) -> tuple[float, float]:
    """Return mean regret with a penalty rate, and the least C with which the bound holds."""
    means, fairness = TOGETHER
    rates = np.full(means.size, rate)
    pulls = watch(means, fairness, rates, LAST, REPLICATES).pulls
    regret = float(penalized_regret(pulls, means, fairness, rates).mean())
    over = regret - float(gap_independent_bound(fairness, LAST))
    return regret, max(over, 0.0) / np.sqrt(means.size * LAST * np.log(LAST))


def _large_rates() -> Part:
    """Say how much the C that is needed grows with A."""
    found = [_needed(rate) for rate in LARGE]
    grown = found[1][1] / max(found[0][1], 1.0)
    detail = "; ".join(
        f"A = 10^{np.log10(rate):.0f}: regret {regret:,.0f}, C = {constant:,.0f} needed"
        for rate, (regret, constant) in zip(LARGE, found, strict=True)
    )
    return replace(below("large A", grown, grown, grown, TIMES), detail=detail)


def _measure(evidence: Evidence) -> Finding:
    del evidence
    parts = [_large_rates()]
    for rest in REST:
        worst = 0.0
        for arms in ARMS:
            for horizon in ROUNDS:
                for bandit in _bandits(arms, rest, horizon):
                    regrets = penalized_regret(
                        predicted_pulls(instance_of(*bandit), horizon), *bandit
                    )
                    bound = float(gap_independent_bound(bandit[1], horizon))
                    if bound >= horizon:
                        continue  # It says nothing.
                    worst = max(worst, float(regrets.max()) / bound)
        parts.append(below(f"1 − Σ τ = {rest:g}", worst, worst, worst, 1.0))
    return Finding(
        "largest ratio of fluid regret to the bound of eq. (14) with C = 0; with large A growth of "
        "the C that is needed",
        tuple(parts),
        note="In K, τ and μ nothing here contradicts a universal C: with A up to 3 Δ, or 1, C = 0 "
        "is enough. In A one C does not serve: two arms come due in the round T, one waits and "
        "lacks a fifth of a pull, and that costs A/5. The order √(T log T) for a fixed A is "
        "untouched. The proof takes its C from Lemma 4.4, with a constant that grows like 1/c_0.",
    )


CLAIM = Claim(
    where="Theorem 4.5",
    statement="The constant C of the gap-independent bound is universal: one C serves for all K, "
    "τ, A and μ.",
    rule="By the fluid prediction, over K from 2 to 100, T of 10^4 and 10^7, gaps and margins from "
    "0.1 to 8 times √(K log T/T) and A from 0.5 Δ to 3 Δ, where the bound is below T: for each "
    "1 − Σ τ of 0.5, 0.1, 0.01 and 0.001 holds if the largest ratio of regret to the bound with "
    "C = 0 is below 1, fails if above. With large A, on μ = (0.9, 0.5, 0.5), τ = (0.1, 0.3, 0.3), "
    f"T = {LAST:,}, Bernoulli rewards, {REPLICATES} replicates: holds if the C that mean regret "
    f"needs grows by less than {TIMES:g} times from A = 10^6 to A = 10^9, fails if by more.",
    evidence="results/claims/claims.json",
    measure=_measure,
    kind="bound",
)
