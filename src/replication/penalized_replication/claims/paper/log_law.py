"""The law log T of regret and of pulls, and its constants (Theorem 4.2, sections 4 and 5)."""

from dataclasses import replace

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Bernoulli
from penalized_bandits.theory.bounds import gap_dependent_bound, largest_regret
from penalized_bandits.theory.fluid import predicted_pulls, predicted_regret
from penalized_bandits.theory.limits import PULLS, log_constant
from penalized_bandits.theory.lower_bound import lower_constant
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import bandit_at
from penalized_replication.claims.measures import fluid_law, growth
from penalized_replication.claims.parts import above, exact, exactly, irrelevant, within

SHORTER, LONGER = 1e9, 1e12
"""Horizons at which the fluid prediction stands for its limit."""
AROUND = 0.05


@claim(
    "C07",
    where="Theorem 4.2",
    statement="Penalized regret is Θ(log T).",
    rule="For every instance that meets the theorem's conditions and has non-critical arms, from "
    "T = 10,000 on, mean regret over its fluid prediction, which has no parameter and grows like "
    f"log T with a known constant: {fluid_law.RULE}",
    quantity="mean regret over its fluid prediction",
    kind="theorem",
    plain="the policy's loss grows only with the logarithm of time",
)
def logarithmic_regret(evidence: Evidence) -> Measured:
    comparisons: list[fluid_law.FluidComparison] = []
    outside: dict[str, float] = {}
    for series in growth.log_law_series(evidence, fixed=True):
        if not series.bandit.non_critical.any():
            continue  # Nothing is left to learn about: regret is O(1).
        comparison = fluid_law.regret_comparison(series.settled())
        if growth.meets_4_2(series.last):
            asymptote = float(log_constant(series.bandit))
            yield fluid_law.agreement(comparison, 1 / np.log(comparison.horizons), asymptote)
            comparisons.append(comparison)
        else:
            outside[series.label] = float(comparison.ratios().mean())
    yield fluid_law.rival_facts(comparisons) | {"outside": outside}


@claim(
    "C08",
    where="section 4, tightness of Theorem 4.2",
    statement="N_k (Δ_k − A_k)²/log T of a non-critical arm tends to a constant, at most 8 by "
    "Theorem 4.2c and at least 1 in the bandit of Theorem 4.6.",
    rule="For every non-critical arm of an instance that meets the theorem's conditions, from "
    "T = 10,000 on, its mean pulls over their fluid prediction, for which the limit is 2: "
    f"{fluid_law.RULE}",
    quantity="mean pulls over their fluid prediction",
    plain="an arm not worth its share is pulled like the logarithm of time, at a known rate",
)
def constant_of_pulls(evidence: Evidence) -> Measured:
    comparisons: list[fluid_law.FluidComparison] = []
    for series in growth.log_law_series(evidence, fixed=True):
        if not growth.meets_4_2(series.last):
            continue
        late, bandit = series.settled(), series.bandit
        predicted = np.array([predicted_pulls(bandit, t) for t in late.rounds])
        for arm in np.flatnonzero(bandit.non_critical):
            pulls, fluid = late.pulls(int(arm)), list(predicted[:, arm])
            fields = series.about(arm=int(arm) + 1)
            comparison = fluid_law.FluidComparison(late.rounds, pulls, fluid, fields=fields)
            yield fluid_law.agreement(
                comparison, bandit.margins[arm] ** 2 / np.log(late.rounds), PULLS
            )
            comparisons.append(comparison)
    yield fluid_law.rival_facts(comparisons) | {"limit": PULLS}


def _over_log(bandit: Instance) -> tuple[float, float, float, float]:
    """Return fluid regret over log T, shorter and longer, Theorem 4.2d's bound, the lower bound."""
    shorter, longer = (float(predicted_regret(bandit, t) / np.log(t)) for t in (SHORTER, LONGER))
    bound = float((8 / -bandit.margins[bandit.non_critical]).sum())
    return shorter, longer, bound, float(lower_constant(replace(bandit, rewards=Bernoulli())))


@claim(
    "C38",
    where="after Theorems 4.2 and 4.7",
    statement="The order log T of regret is nearly not improvable, and it is almost impossible to "
    "improve the bound of Theorem 4.2d for this policy: by a factor 8 at most.",
    rule="By the fluid prediction, on the instances with non-critical arms: (order) R(T)/log T at "
    f"T = 10^12 is within {AROUND:.0%} of that at 10^9 on each; (any policy) with Bernoulli "
    "rewards every consistent policy must lose more than 0 times log T on each; (analysis) on one "
    "of them at least, regret at T = 10^12 is above 1/8 of the bound. Each holds if so, and fails "
    "if not.",
    quantity="R(T)/log T at 10^12 over that at 10^9; what any policy must lose, over log T; regret "
    "over the bound",
    evidence="claims/claims.json",
    kind="identity",
    plain="no policy can do much better: the bound is at most 8 times too high",
)
def nearly_not_improvable(evidence: Evidence) -> Measured:
    every = growth.log_law_series(evidence, fixed=True)
    chosen = [x for x in every if x.bandit.fairness.min() > 0 and x.bandit.non_critical.any()]
    if not chosen:
        return
    shorter, regrets, bounds, least = np.array([_over_log(one.bandit) for one in chosen]).T
    orders = regrets / shorter
    furthest = int(np.argmax(np.abs(orders - 1)))
    order, fields = exact(float(orders[furthest])), chosen[furthest].about()
    yield within(order, 1 - AROUND, 1 + AROUND, 1, **fields, quantity="order")
    smallest = float(least.min())
    yield exactly(smallest > 0, smallest, quantity="any policy, where it must lose least")
    tight = exact(float((regrets / bounds).max()))
    # The paper says that its bounds for this policy are a factor 8 apart.
    yield above(tight, 1 / 8, quantity="analysis, where the bound is tightest")
    times = np.divide(regrets, least, out=np.full_like(least, np.inf), where=least != 0)
    yield {"times": [float(times.min()), float(times.max())]}


@claim(
    "C21",
    where='section 5, "When τ_k is not constant"',
    statement="For τ_k = T^−b, 0 < b < 1, the deficits of optimal and critical arms stay O(1) and "
    "regret stays below the bound of Theorem 4.2d with the term that part b implies.",
    rule="For each b, from T = 10,000 on: the largest ratio, over horizons, of the mean deficit of "
    "these arms to one pull an arm, and of mean regret to the bound plus K, holds if below 1 and "
    "fails if above it with its whole interval (Bonferroni over horizons). Nothing is said of "
    "deficits where the level is less than exploration takes, nor of a bound above the largest "
    f"regret. Regret over its fluid prediction: {fluid_law.RULE}",
    quantity="mean deficit over one pull for each fair arm; mean regret over its upper bound, and "
    "over its fluid prediction",
    kind="bound",
    plain="shares that shrink with time are kept too, at a loss below a bound",
)
def shrinking_fractions(evidence: Evidence) -> Measured:
    instances = evidence.section("log_laws").instances
    for series in growth.log_law_series(evidence):
        if instances[series.instance].fairness_power is None:
            continue
        late, arms, bandit = series.settled(), series.bandit.optimal_or_critical, series.bandit
        limits = np.full(len(late), float(arms.sum()))  # O(1) is a pull an arm
        fields = series.about(quantity="deficit over one pull an arm")
        part = growth.largest_ratio(late.deficits(arms), limits, late.horizons, fields)
        level = float((bandit.fairness * late.horizons[-1])[arms].min())
        enough = 2 * np.log(late.horizons[-1]) / max(float(bandit.gaps[arms].max()), 1e-12) ** 2
        reason = f"levels of {level:.0f} pulls: exploration alone takes {enough:.0f}"
        yield irrelevant(part, reason) if level < enough else part
        # Eq. (12) as proved, with the fractions of each horizon.
        pairs = [(bandit_at(outcome), outcome.horizon) for outcome in late.outcomes]
        bounds = np.array([float(gap_dependent_bound(*p, reading="proved")) for p in pairs])
        most = np.array([float(largest_regret(*pair)) for pair in pairs])
        informative = bounds < np.minimum(late.rounds, most)
        limits, fields = bounds + bandit.n_arms, series.about(quantity="regret over its bound")
        yield growth.largest_ratio(late.regrets(), limits, late.horizons, fields, informative)
        comparison = fluid_law.regret_comparison(late, quantity="regret over its prediction")
        asymptote = float(log_constant(series.bandit))
        yield fluid_law.agreement(comparison, 1 / np.log(comparison.horizons), asymptote)
