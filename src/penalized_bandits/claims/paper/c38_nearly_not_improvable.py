"""C38: "nearly not improvable", "almost impossible to improve" (after Theorems 4.2 and 4.7)."""

import numpy as np

from penalized_bandits.bandit.regret import gaps, penalized_regret
from penalized_bandits.bandit.rewards import Bernoulli
from penalized_bandits.claims.base import Claim, Finding, above, exactly, within
from penalized_bandits.claims.evidence import Bandit, Evidence
from penalized_bandits.claims.measures.growth import fixed_bandits
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.lower_bound import lower_constant

SHORTER, LONGER = 1e9, 1e12
"""Horizons at which the fluid prediction stands for its limit."""
AROUND = 0.05
GRANTED = 1 / 8
"""The paper says that its bounds for this policy are a factor 8 apart."""


def _regret(bandit: Bandit, horizon: float) -> float:
    """Return the fluid regret over log T."""
    pulls = predicted_pulls(instance_of(*bandit), horizon)
    return float(penalized_regret(pulls, *bandit)) / float(np.log(horizon))


def _upper(bandit: Bandit) -> float:
    """Return Theorem 4.2d's bound over log T, in the limit."""
    means, _, penalties = bandit
    margin = gaps(means) - penalties
    return float((8 / margin[margin > 0]).sum())


def _lower(bandit: Bandit) -> float:
    """Return what every consistent policy loses over log T, with Bernoulli rewards."""
    means, fairness, penalties = bandit
    return float(lower_constant(instance_of(means, fairness, penalties, Bernoulli())))


def _measure(evidence: Evidence) -> Finding:
    chosen = {
        name: (means, fairness, penalties)
        for name, (means, fairness, penalties) in fixed_bandits(evidence)
        if fairness.min() > 0 and (gaps(means) > penalties + 1e-9).any()
    }
    if not chosen:
        return Finding("", ())
    limits = {name: _regret(one, LONGER) for name, one in chosen.items()}
    orders = {name: limits[name] / _regret(one, SHORTER) for name, one in chosen.items()}
    analysis = {name: limits[name] / _upper(one) for name, one in chosen.items()}
    others = {name: _lower(one) for name, one in chosen.items()}
    times = [limits[name] / others[name] if others[name] else np.inf for name in chosen]
    furthest = max(orders, key=lambda name: abs(orders[name] - 1))
    order, tight, least = orders[furthest], max(analysis.values()), min(others.values())
    return Finding(
        "R(T)/log T at 10^12 over that at 10^9; what any policy must lose, over log T; regret over "
        "the bound",
        (
            within(f"order ({furthest})", order, order, order, 1 - AROUND, 1 + AROUND, 1),
            exactly("any policy, where it must lose least", least > 0, least),
            above("analysis, where the bound is tightest", tight, tight, tight, GRANTED),
        ),
        note="The order log T cannot be improved. The constants can. Of the analysis: regret has "
        "2/(Δ − A) where the bound has 8/(Δ − A). Of the policy, of which the paper says nothing: "
        f"on these instances it loses {min(times):.1f} to {max(times):.1f} times what a policy "
        "must that knows the rewards to be Bernoulli. All parts follow from theory: no run decides "
        "them.",
    )


CLAIM = Claim(
    where="after Theorems 4.2 and 4.7",
    statement="The order log T of regret is nearly not improvable, and it is almost impossible to "
    "improve the bound of Theorem 4.2d for this policy: by a factor 8 at most.",
    rule="By the fluid prediction, on the instances with non-critical arms: (order) R(T)/log T at "
    f"T = 10^12 is within {AROUND:.0%} of that at 10^9 on each; (any policy) with Bernoulli "
    "rewards every consistent policy must lose more than 0 times log T on each; (analysis) on one "
    "of them at least, regret at T = 10^12 is above 1/8 of the bound. Each holds if so, and fails "
    "if not.",
    evidence="results/claims/claims.json",
    measure=_measure,
    kind="identity",
)
