"""The law log T of regret and of pulls, and its constants (Theorem 4.2, sections 4 and 5)."""

from dataclasses import replace

import numpy as np

from penalized_bandits.bandit.rewards import Bernoulli
from penalized_bandits.theory.bounds import gap_dependent_bound, largest_regret
from penalized_bandits.theory.fluid import predicted_pulls, predicted_regret
from penalized_bandits.theory.limits import PULLS, log_constant
from penalized_bandits.theory.lower_bound import lower_constant
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, Place, exact
from penalized_replication.claims.horizon_series import SINCE, bandit_at
from penalized_replication.claims.measures import growth
from penalized_replication.claims.measures.fluid_law import FluidComparison, regret_comparison
from penalized_replication.claims.rules import Above, AsPredicted, BelowBound, Within

SHORTER, LONGER = 1e9, 1e12
"""Horizons at which the fluid prediction stands for its limit."""


@claim(
    "C07",
    AsPredicted(
        of="mean regret",
        over="On each bandit that meets the theorem's conditions and has non-critical arms, "
        f"{SINCE}",
    ),
)
def logarithmic_regret(evidence: Evidence) -> Measured:
    outside: dict[str, float] = {}
    for series in growth.log_law_series(evidence, fixed=True):
        if not series.bandit.non_critical.any():
            continue  # Nothing is left to learn about: regret is O(1).
        late = series.settled()
        data = regret_comparison(late, scale=1 / np.log(late.rounds), logarithmic=True)
        if growth.meets_4_2(series.last):
            limit = float(log_constant(series.bandit))
            yield Measurement(data, series.place(), asymptote=limit)
        else:
            outside[series.label] = float(data.ratios().mean())
    yield {"outside": outside}


@claim(
    "C08",
    AsPredicted(
        of="mean pulls",
        over=f"Of each non-critical arm of a bandit that meets the theorem's conditions, {SINCE}",
    ),
)
def constant_of_pulls(evidence: Evidence) -> Measured:
    for series in growth.log_law_series(evidence, fixed=True):
        if not growth.meets_4_2(series.last):
            continue
        late, bandit = series.settled(), series.bandit
        predicted = np.array([predicted_pulls(bandit, t) for t in late.rounds])
        for arm in map(int, np.flatnonzero(bandit.non_critical)):
            pulls, fluid = late.pulls(arm), list(predicted[:, arm])
            scale = bandit.margins[arm] ** 2 / np.log(late.rounds)
            data = FluidComparison(late.rounds, pulls, fluid, scale=scale, logarithmic=True)
            yield Measurement(data, series.place(arm=arm + 1), asymptote=PULLS)
    yield {"limit": PULLS}


ORDER, ANY_POLICY = "order", "any policy, where it must lose least"
ANALYSIS = "analysis, where the bound is tightest"
BY_PREDICTION = "On the bandits with non-critical arms, by the fluid prediction"


@claim(
    "C38",
    {
        ORDER: Within(
            0.95,
            1.05,
            of="R(T)/log T at T = 10^12 over that at 10^9",
            over=BY_PREDICTION,
            exact=True,
            centre=1.0,
        ),
        ANY_POLICY: Above(
            0.0, of="least loss of any policy over log T", over="With Bernoulli rewards", exact=True
        ),
        # The paper says that its bounds for this policy are a factor 8 apart.
        ANALYSIS: Above(
            1 / 8, of="regret at T = 10^12 over the bound", over=BY_PREDICTION, exact=True
        ),
    },
)
def nearly_not_improvable(evidence: Evidence) -> Measured:
    every = growth.log_law_series(evidence, fixed=True)
    chosen = [x for x in every if x.bandit.fairness.min() > 0 and x.bandit.non_critical.any()]
    if not chosen:
        return
    bandits, horizons = [one.bandit for one in chosen], np.array([[SHORTER], [LONGER]])
    fluid = [[float(predicted_regret(bandit, t)) for bandit in bandits] for t in horizons.flat]
    shorter, regrets = fluid / np.log(horizons)
    # All over log T: that of Theorem 4.2d, and the lower bound.
    bounds = np.array([(8 / -x.margins[x.non_critical]).sum() for x in bandits])
    least = np.array([lower_constant(replace(x, rewards=Bernoulli())) for x in bandits])
    orders = regrets / shorter
    furthest = int(np.argmax(np.abs(orders - 1)))
    yield Measurement(exact(float(orders[furthest])), chosen[furthest].place(ORDER))
    yield Measurement(exact(float(least.min())), Place(quantity=ANY_POLICY))
    yield Measurement(exact(float((regrets / bounds).max())), Place(quantity=ANALYSIS))
    times = np.divide(regrets, least, out=np.full_like(least, np.inf), where=least != 0)
    yield {"times": [float(times.min()), float(times.max())]}


DEFICIT, BOUND = "deficit over one pull an arm", "regret over its bound"
LAW = "regret over its prediction"
SHRINKING = f"For each b, {SINCE}"


@claim(
    "C21",
    {
        DEFICIT: BelowBound(
            of="mean deficit of optimal and critical arms",
            over=SHRINKING,
            allowance=1.0,
            allowed="a pull an arm",
            vacuous=f"a level is below what exploration alone takes, {PULLS:g} log T/Δ²",
        ),
        BOUND: BelowBound(
            of="mean regret",
            over=SHRINKING,
            allowance=1.0,
            allowed="K",
            vacuous="the bound exceeds T or the largest regret that there is",
        ),
        LAW: AsPredicted(of="mean regret", over=SHRINKING),
    },
)
def shrinking_fractions(evidence: Evidence) -> Measured:
    instances = evidence.section("log_laws").instances
    for series in growth.log_law_series(evidence):
        if instances[series.instance].fairness_power is None:
            continue
        late, arms, bandit = series.settled(), series.bandit.optimal_or_critical, series.bandit
        level = float((bandit.fairness * late.horizons[-1])[arms].min())
        enough = PULLS * np.log(late.horizons[-1]) / max(float(bandit.gaps[arms].max()), 1e-12) ** 2
        data = late.beside(np.zeros(len(late)), late.deficits(arms))
        reason = f"levels of {level:.0f} pulls: exploration alone takes {enough:.0f}"
        deficit = Measurement(data, series.place(DEFICIT), unit=float(arms.sum()))
        yield deficit.silent(reason, when=level < enough)
        # Eq. (12) as proved, with the fractions of each horizon.
        pairs = [(bandit_at(outcome), outcome.horizon) for outcome in late.outcomes]
        bounds = np.array([float(gap_dependent_bound(*p, interpretation="proved")) for p in pairs])
        most = np.array([float(largest_regret(*pair)) for pair in pairs])
        informative = bounds < np.minimum(late.rounds, most)
        data = late.beside(bounds, late.regrets(), informative)
        yield Measurement(data, series.place(BOUND), unit=float(bandit.n_arms))
        law = regret_comparison(late, scale=1 / np.log(late.rounds))
        limit = float(log_constant(series.bandit))
        yield Measurement(law, series.place(LAW), asymptote=limit)
