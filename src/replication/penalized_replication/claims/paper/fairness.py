"""Theorems 4.1 and 4.3, Lemma 4.4, Observation 1: fairness levels, deficits, classical fairness."""

from collections.abc import Sequence

import numpy as np

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import NORMAL
from penalized_bandits.theory import deficits as theory
from penalized_bandits.theory.conditions import condition_4_1, condition_lemma_4_4
from penalized_replication.claims import horizon_series
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, Place, exact
from penalized_replication.claims.horizon_series import SINCE, HorizonSeries, bandit_at, deficits_of
from penalized_replication.claims.measures import growth
from penalized_replication.claims.measures.proof_steps import HORIZON, REPLICATES, proof_steps
from penalized_replication.claims.rules import Below, BelowBound, RareWithoutRise, Within

FURTHEST = "pulls of the arm furthest behind over ⌊τ_k T⌋"
SHORT = "replicates with an arm short"


def _level_reached(series: HorizonSeries, *, at_limit: bool) -> Measured:
    outcomes = [o for o in series.outcomes if condition_4_1(bandit_at(o), o.horizon).all()]
    if not outcomes:
        return
    last, levels = outcomes[-1], horizon_series.whole_levels(outcomes[-1])
    # A level of 0 is reached by any number of pulls.
    arm = int(np.argmin(last.pulls[0] / np.maximum(levels, 1e-9)))
    pulls, level = float(last.pulls[0, arm]), float(levels[arm])
    share = pulls / level if level else 1.0
    limit = {"arm": arm + 1, "first": outcomes[0].horizon, "fairness": float(last.fairness[arm])}
    limit |= {"shares": [float(one.pulls[0, arm] / one.horizon) for one in outcomes]}
    values = limit if at_limit else {}
    values |= {"lacking": level - pulls, "level": level}
    yield Measurement(exact(share), series.place(FURTHEST, horizon=last.horizon), values=values)


@claim(
    "C02",
    {
        FURTHEST: Within(
            1.0,
            of=FURTHEST,
            over="With deterministic rewards, at the largest horizon that meets the condition",
            exact=True,
            centre=1.0,
        ),
        SHORT: RareWithoutRise(
            0.05,
            of="share of replicates with an arm short of ⌊τ_k T⌋ pulls",
            over="With random rewards, at the largest horizon, if it meets the condition, and the "
            "first that does",
            rise_level=0.025,
        ),
    },
)
def fair_with_high_probability(evidence: Evidence) -> Measured:
    for series in growth.limit_series(evidence, "theorem_4_1"):
        yield from _level_reached(series, at_limit=True)
    for series in growth.waiting_series(evidence):
        yield from _level_reached(series, at_limit=False)
    for series in growth.log_law_series(evidence):
        outcomes = [o for o in series.outcomes if condition_4_1(bandit_at(o), o.horizon).all()]
        if not outcomes or outcomes[-1] is not series.last:
            continue
        short = [~horizon_series.all_served(outcome) for outcome in outcomes]
        values = {"short": [float(x.mean()) for x in short]}
        values |= {"horizons": [outcome.horizon for outcome in outcomes]}
        place = series.place(SHORT, horizon=series.last.horizon)
        yield Measurement((short[-1], short[0]), place, values=values)


@claim(
    "C11",
    BelowBound(
        of="E max_t (τ_j t − N_j(t))₊",
        over=f"On each bandit with fixed τ and A, {SINCE}, for the arm that speaks "
        "most against the bound a_j log T",
        allowance=10.0,
        allowed="10 pulls",
        vacuous="a_j log T exceeds τ_j T at the largest horizon, ties (a_j infinite) included",
    ),
)
def largest_deficits(evidence: Evidence) -> Measured:
    for series in growth.log_law_series(evidence, fixed=True):
        late, coefficients = series.since(), theory.deficit_coefficients(series.bandit)
        if not len(late):
            continue
        for arm in map(int, np.flatnonzero(~np.isnan(coefficients))):
            largest = [outcome.max_deficit[:, arm] for outcome in late.outcomes]
            # Coefficients of ties are infinite.
            bounds = min(coefficients[arm], 1e9) * np.log(late.rounds)
            data = late.beside(bounds, largest)
            made = Measurement(data, series.place(arm=arm + 1), group=series.instance)
            vacuous = bounds[-1] >= series.bandit.fairness[arm] * late.rounds[-1]
            yield made.certain("a_j log T exceeds τ_j T at the largest horizon", when=vacuous)


def _growth(horizons: Sequence[int], samples: Sequence[FloatArray], place: Place) -> Measurement:
    first, last = samples[0], samples[-1]
    factor = float(np.log(horizons[-1]) / np.log(horizons[0]))
    value = float(last.mean() - factor * first.mean())
    variance = last.var(ddof=1) / last.size + factor**2 * first.var(ddof=1) / first.size
    half = NORMAL * float(np.sqrt(variance))
    means = [float(first.mean()), float(last.mean())]
    values = {"means": means, "first": horizons[0], "last": horizons[-1]}
    return Measurement((value, value - half, value + half), place, values=values)


@claim(
    "C37",
    Below(
        1.0,
        of=f"how much more the mean grows than log T does {SINCE}, in pulls or reward",
        over="On each bandit with fixed τ and A and A_k > Δ_k for all arms, for the largest "
        "deficit over arms and rounds, and for the regret",
    ),
)
def classical_fairness(evidence: Evidence) -> Measured:
    for series in growth.log_law_series(evidence, fixed=True):
        late, bandit = series.since(), series.bandit
        replicates = min((len(outcome.pulls) for outcome in late.outcomes), default=0)
        if (bandit.margins <= 0).any() or len(late) < 2 or replicates < 2:
            continue
        deficits = [outcome.max_deficit.max(axis=1) for outcome in late.outcomes]
        yield _growth(late.horizons, deficits, series.place("largest deficit of all rounds"))
        yield _growth(late.horizons, late.regrets(), series.place("regret"))


WAITED, RECURSION = "rounds waited", "recursion"
BANDITS = (
    f"On each bandit with fixed τ and A without ties, T = {HORIZON:,}, Bernoulli rewards, "
    f"{REPLICATES} replicates"
)


@claim(
    "C45",
    {
        WAITED: BelowBound(
            of="mean rounds waited",
            over=f"{BANDITS}, for the arm that speaks most against the bound b_k log T",
            allowance=10.0,
            allowed="10 rounds",
        ),
        RECURSION: Within(
            most=0.0,
            centre=0.0,
            of="largest excess of a deficit over the recursion, in pulls",
            over=f"{BANDITS}, over all arms and replicates",
            exact=True,
            rounding=1e-9,
        ),
    },
)
def waiting_rounds(evidence: Evidence) -> Measured:
    for series in growth.log_law_series(evidence, fixed=True):
        bandit, coefficients = series.bandit, theory.waiting_coefficients(series.bandit)
        if np.isinf(coefficients).any():
            continue
        steps = proof_steps(bandit, HORIZON, REPLICATES)
        arms = np.flatnonzero(~np.isnan(coefficients))
        for arm in map(int, arms):
            bound = float(coefficients[arm] * np.log(HORIZON))
            place = series.place(WAITED, arm=arm + 1)
            yield Measurement({HORIZON: (steps.waits[:, arm], bound)}, place, group=series.instance)
        order = arms[np.argsort(-(bandit.means + bandit.penalties)[arms], kind="stable")]
        deficits, waits = steps.deficits[:, order], steps.waits[:, order]
        before = np.cumsum(deficits, axis=1) - deficits
        most = before + np.cumsum(waits, axis=1) + bandit.fairness[order]
        yield Measurement(exact(float((deficits - most).max())), series.place(RECURSION))


@claim(
    "C12",
    Within(
        most=1.0,
        centre=1.0,
        of="largest ratio of (A_k − Δ_k)(τ_k T − N_k)₊ to τ_k √(32 K T log T)",
        over="On each bandit, over all replicates and all arms with 0 ≤ A_k − Δ_k ≤ "
        "√(32 K log T/T) (it follows from N_k ≥ 0 alone)",
        exact=True,
        rounding=1e-12,
    ),
)
def small_margins(evidence: Evidence) -> Measured:
    for series in growth.log_law_series(evidence):
        ratios: list[float] = []
        for outcome in series.outcomes:
            bandit, t = bandit_at(outcome), outcome.horizon
            margin = bandit.margins
            small = (margin >= 0) & (margin <= np.sqrt(32 * bandit.n_arms * np.log(t) / t))
            small &= bandit.fairness > 0  # without a fraction both sides are 0
            costs = margin * deficits_of(outcome)
            bound = theory.small_margin_bound(bandit.fairness, t)
            ratios.append(float((costs[:, small] / bound[small]).max(initial=-np.inf)))
        if np.isfinite(max(ratios)):
            yield Measurement(exact(max(ratios)), series.place())


NEARLY = 0.99
"""Share of an arm's level from which on a scale says nothing about it."""


@claim(
    "C13",
    BelowBound(
        of="E(τ_k T − N_k)₊",
        over="On each bandit and construction, for the arm nearest to its bound "
        "32 τ_k K log T/(A_k − Δ_k)², of those that meet the condition",
        vacuous=f"the bound is {100 * NEARLY:g} % of the level τ_k T or more",
    ),
)
def scale_of_deficits(evidence: Evidence) -> Measured:
    for series in growth.limit_series(evidence, "lemma_4_4"):
        each = [(bandit_at(outcome), outcome.horizon) for outcome in series.outcomes]
        scales = np.array([theory.deficit_scale(*pair)[0] for pair in each])
        deficits = [float(growth.lacking(outcome)[0]) for outcome in series.outcomes]
        values = {"ratios": (deficits / scales).tolist()}
        values |= {"first": series.horizons[0], "last": series.horizons[-1]}
        data = series.beside(scales, map(exact, deficits))
        yield Measurement(data, series.place(), values=values)
    for series in growth.log_law_series(evidence):
        # The mean deficit of the arm nearest to its scale, beside it at each horizon.
        nearest: dict[int, tuple[FloatArray, float]] = {}
        informative = False
        for outcome in series.outcomes:
            bandit, horizon = bandit_at(outcome), outcome.horizon
            arms = bandit.optimal_or_critical & condition_lemma_4_4(bandit, horizon)
            if not arms.any():
                continue
            scale, lacks = theory.deficit_scale(bandit, horizon), deficits_of(outcome)
            ratios = (lacks[:, arms] / scale[arms]).mean(axis=0)
            arm = np.flatnonzero(arms)[int(np.argmax(ratios))]
            nearest[horizon] = lacks[:, arm], float(scale[arm])
            informative |= bool(scale[arm] < NEARLY * outcome.fairness[arm] * horizon)
        if nearest:
            made = Measurement(nearest, series.place())
            yield made.certain("the scale is the level itself", when=not informative)
