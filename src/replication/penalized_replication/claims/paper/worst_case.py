"""The worst case over gaps: Theorems 4.5 and 4.8, and explore-then-commit (section 5)."""

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.common.numbers import format_number
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.bounds import gap_independent_bound, lower_bound_4_8
from penalized_bandits.theory.fluid import predicted_pulls, predicted_regret
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, Place, exact
from penalized_replication.claims.horizon_series import bandit_at, regret_of
from penalized_replication.claims.measures import growth
from penalized_replication.claims.measures.proof_steps import proof_steps
from penalized_replication.claims.rules import Above, Below, Within
from penalized_replication.storage.replicates import Outcome

AROUND = 0.03
"""How far an exponent may be from 1/2, or from 2/3 in any decade."""

ROUNDS = (1e3, 1e6, 1e9)
NUMBERS_OF_ARMS = (2, 5, 20, 100, 1000)

TOGETHER = np.array([0.9, 0.5, 0.5]), np.array([0.1, 0.3, 0.3])
"""μ and τ of a bandit in which arms 2 and 3 come due in the round T, so that one has to wait."""
LAST, REPLICATES = 10_004, 100
LARGE = (1e6, 1e9)  # penalty rates


def _worst_outcomes(evidence: Evidence, policy: str) -> list[Outcome]:
    """Return at each horizon the outcome of the gap and ratio A / Δ with the largest regret."""
    horizons = evidence.section("worst_case").horizons
    studies = (evidence.outcomes("worst_case", policy=policy, horizon=t) for t in horizons)
    return [max(study, key=lambda outcome: regret_of(outcome).mean()) for study in studies]


@claim(
    "C14",
    Below(
        1.0,
        of="largest mean regret over gaps and penalty rates, over the bound with C = 0",
        over="At each horizon (vacuous where the bound exceeds T)",
    ),
)
def gap_independent(evidence: Evidence) -> Measured:
    facts: dict[str, Any] = {}
    for outcome in _worst_outcomes(evidence, PAPER_POLICY):
        horizon, regret = outcome.horizon, regret_of(outcome)
        bound = float(gap_independent_bound(outcome.fairness, horizon))
        made = Measurement(regret / bound, Place(horizon=horizon, policy=PAPER_POLICY))
        yield made.certain(f"the bound is {bound:,.0f}, more than T", when=bound >= horizon)
        unit = float(np.sqrt(outcome.means.shape[1] * horizon * np.log(horizon)))
        facts = {"last": horizon, "regret": float(regret.mean()) / unit, "bound": bound / unit}
    yield facts


EXPONENT, PREDICTION = "exponent in T", "over prediction"


@claim(
    "C15",
    {
        EXPONENT: Within(
            0.5 - AROUND,
            0.5 + AROUND,
            of="exponent in T of the worst mean regret over gaps, divided by the bound's √(log T)",
            over="Between the first horizon and the last",
            centre=0.5,
        ),
        PREDICTION: Within(
            0.9,
            1.1,
            centre=1.0,
            of="worst mean regret over the largest fluid regret over the same gaps",
            over="At each horizon",
            together=True,
        ),
    },
)
def root_of_the_horizon(evidence: Evidence) -> Measured:
    outcomes, multiples = _worst_outcomes(evidence, PAPER_POLICY), []
    ends = outcomes[0], outcomes[-1]
    first, last = (regret_of(outcome) / math.log(outcome.horizon) ** 0.5 for outcome in ends)
    exponent = growth.exponent(first, last, ends[1].horizon / ends[0].horizon)
    made = Measurement(exponent, Place(policy=PAPER_POLICY, quantity=EXPONENT))
    yield made.undecided("one horizon, or a mean that is not positive", when=exponent is None)
    section = evidence.section("worst_case")
    for outcome in outcomes:
        horizon, regret = outcome.horizon, regret_of(outcome)
        bandits = (instance_of(b.means, b.fairness, a) for b, a in section.bandits(horizon))
        predicted = max(float(predicted_regret(bandit, horizon)) for bandit in bandits)
        place = Place(policy=PAPER_POLICY, horizon=horizon, quantity=PREDICTION)
        if predicted == 0:
            yield Measurement(None, place).silent("the prediction is 0: there is no ratio to it")
        else:
            measured = float(regret.mean())
            yield Measurement(regret / predicted, place, measured=measured, predicted=predicted)
        multiples.append(float(bandit_at(outcome).gaps.max()) / section.gap_at(1.0, horizon))
    yield {"multiples": multiples}


def _ratio_of_bounds(arms: int, total: float, horizon: float) -> float:
    """Upper bound with C = 0, without √(log T), over the lower bound; τ_k all equal."""
    tau = np.full(arms, total / arms)
    upper = float(gap_independent_bound(tau, horizon)) / float(np.sqrt(np.log(horizon)))
    return upper / float(lower_bound_4_8(tau, horizon))


@claim(
    "C39",
    Below(
        2.0,
        of="largest over least ratio of the two bounds, without the upper one's √(log T), C = 0",
        over="Over T from 10^3 to 10^9, and over K from 2 to 1000, 1 − Σ τ = 0.5, all τ_k equal",
        exact=True,
    ),
)
def orders_match(_: Evidence) -> Measured:
    over_rounds = [_ratio_of_bounds(5, 0.5, horizon) for horizon in ROUNDS]
    over_arms = [_ratio_of_bounds(arms, 0.5, 1e6) for arms in NUMBERS_OF_ARMS]
    for symbol, values, ratios in (("T", ROUNDS, over_rounds), ("K", NUMBERS_OF_ARMS, over_arms)):
        quantity = f"{symbol} = {format_number(values[0])} to {format_number(values[-1])}"
        yield Measurement(exact(max(ratios) / min(ratios)), Place(quantity=quantity))
    yield {"growth": _ratio_of_bounds(5, 0.999, 1e6) / _ratio_of_bounds(5, 0.5, 1e6)}


def _bandits(arms: int, spare: float, horizon: float) -> Iterator[Instance]:
    """Yield bandits (R, K) with a better arm and equal fractions, then with a large fraction."""
    scale = np.sqrt(arms * np.log(horizon) / horizon)
    # Gaps, or margins, in multiples of the scale, and rates in multiples of gaps.
    sizes = np.minimum(np.multiply((0.1, 0.5, 1.0, 2.0, 8.0), scale), 1.0)[:, None]
    ratios = (0.5, 1.0, 3.0)
    first = np.arange(arms) == 0
    alike = np.full(arms, (1 - spare) / arms)
    rates = np.outer(sizes, ratios).reshape(-1, 1)
    means = np.repeat(sizes, len(ratios), axis=0) * first
    yield instance_of(means, alike, rates * np.ones(arms))
    others = np.where(first, -1.0, 1 / max(arms - 1, 1)) * spare / 10
    means = np.where(first, sizes, 1.0)
    yield instance_of(means, np.where(first, 1 - spare, 0.0) + others, np.ones_like(means))


@claim(
    "C40",
    Below(
        1.0,
        of="largest ratio of fluid regret to the bound of eq. (14) with C = 0",
        over="For each 1 − Σ τ of 0.5, 0.1, 0.01 and 0.001, over K from 2 to 100, T of 10^4 and "
        "10^7, gaps and margins from 0.1 to 8 times √(K log T/T) and A from 0.5 Δ to 3 Δ, where "
        "the bound is below T",
        exact=True,
    ),
)
def universal_constant(_: Evidence) -> Measured:
    for spare in (0.5, 0.1, 0.01, 0.001):
        largest = 0.0
        for arms, horizon in product((2, 10, 100), (1e4, 1e7)):
            for bandit in _bandits(arms, spare, horizon):
                bound = float(gap_independent_bound(bandit.fairness, horizon))
                if bound < horizon:  # Else it is vacuous.
                    largest = max(largest, float(predicted_regret(bandit, horizon).max()) / bound)
        place = Place(case=f"spare_{spare:g}", label=f"1 − Σ τ = {spare:g}")
        yield Measurement(exact(largest), place)


@claim(
    "C40A",
    Above(
        2.0,
        of="growth of the C that mean regret needs, from A = 10^6 to A = 10^9",
        over=f"On μ = (0.9, 0.5, 0.5), τ = (0.1, 0.3, 0.3), T = {LAST:,}, Bernoulli rewards, "
        f"{REPLICATES} replicates",
        exact=True,
    ),
)
def growing_constant(_: Evidence) -> Measured:
    bandits = [instance_of(*TOGETHER, penalty) for penalty in LARGE]
    pulls = [proof_steps(bandit, LAST, REPLICATES).pulls for bandit in bandits]
    pairs = zip(pulls, bandits, strict=True)
    regrets = [float(penalized_regret(*pair).mean()) for pair in pairs]
    # The least C with which the bound holds.
    bound, unit = gap_independent_bound(TOGETHER[1], LAST), np.sqrt(3 * LAST * np.log(LAST))
    constants = [max(regret - float(bound), 0.0) / unit for regret in regrets]
    least = constants[0] or math.nan  # Where one C serves both, nothing is decided.
    grown = constants[1] / least
    values = {"penalties": LARGE, "regrets": regrets, "constants": constants}
    yield Measurement(exact(grown), Place(case="large_penalties", label="large A"), values=values)


ETC = "explore_then_commit"
DECADES = (1e4, 1e5, 1e6, 1e7, 1e8)
GAP, MILLION = 0.2, 1e6
LENGTHS, GAPS = 600, 400
"""Numbers of lengths, and of gaps, that are tried, evenly in logarithms."""


def commit_regret(gap: ArrayLike, length: ArrayLike, horizon: float) -> FloatArray:
    """Return R(T) of explore-then-commit, in reward, for gaps Delta and lengths m, which broadcast.

    Each of two arms without penalties is pulled m times, then the one with the larger mean for
    good.  With normal rewards of standard deviation 1/2 (the largest that rewards in [0, 1] have)
    the difference of the means has variance 1/(2 m), so that the wrong arm is chosen with
    probability Phi(-Delta sqrt(2 m)) and

        R(T) = m Delta + (T - 2 m) Delta Phi(-Delta sqrt(2 m)).
    """
    delta, m = np.asarray(gap), np.asarray(length)
    return np.asarray(m * delta + (horizon - 2 * m) * delta * ndtr(-delta * np.sqrt(2 * m)))


def least_worst_regret(horizon: float, gap: float | None = None) -> tuple[float, float]:
    """Return the least over m of the regret at a gap, or the worst in (0, 1], and that m, pulls."""
    every = np.geomspace(0.01 / np.sqrt(horizon), 1, GAPS)
    gaps = every if gap is None else np.array([gap])
    lengths = np.geomspace(1, horizon / 2, LENGTHS)
    worst = commit_regret(gaps[:, None], lengths, horizon).max(axis=0)
    best = int(np.argmin(worst))
    return float(worst[best]), float(lengths[best])


DECADE, WORST = "exponent in the decade furthest off", "least ratio to the worst regret"
BEST_LENGTH = "On two arms without penalties, with the length that is best at each T against the "
BEST_LENGTH += "worst gap"


@claim(
    "C20",
    {
        DECADE: Within(
            2 / 3 - AROUND,
            2 / 3 + AROUND,
            of="exponent in T of the worst regret, in the decade of T from 10^4 to 10^8 furthest "
            "from 2/3",
            over=BEST_LENGTH,
            exact=True,
            centre=2 / 3,
        ),
        WORST: Above(
            1.0,
            of="least ratio over these T of the worst regret to the hard threshold's, by the fluid "
            "prediction",
            over=BEST_LENGTH,
            exact=True,
        ),
    },
)
def worse_in_the_worst_case(evidence: Evidence) -> Measured:
    least, lengths = zip(*map(least_worst_regret, DECADES), strict=True)
    regrets = np.array(least)
    slopes = np.diff(np.log(regrets)) / np.log(10)
    furthest = float(slopes[np.argmax(np.abs(slopes - 2 / 3))])
    label = "best length for each T"
    yield Measurement(exact(furthest), Place(quantity=DECADE, policy=ETC, label=label))
    # The hard threshold's fluid regret at the worst gap.
    worst: list[float] = []
    for horizon in DECADES:
        gaps = np.geomspace(0.01 / np.sqrt(horizon), 1, GAPS)
        means = np.stack([gaps, np.zeros_like(gaps)], axis=1)
        worst.append((gaps * predicted_pulls(instance_of(means, 0.0), horizon)[:, 1]).max())
    ratios = regrets / worst
    place = Place(quantity=WORST, policy=ETC, label=label, rival=PAPER_POLICY)
    yield Measurement(exact(float(ratios.min())), place)
    last = {name: _worst_outcomes(evidence, name)[-1] for name in (PAPER_POLICY, ETC)}
    yield {
        "lengths": lengths,
        "ratios": ratios.tolist(),
        "arms": last[ETC].means.shape[1],
        "last": last[ETC].horizon,
        "regrets": {name: float(regret_of(outcome).mean()) for name, outcome in last.items()},
    }


@claim(
    "C41",
    Above(
        1.1,
        of=f"regret at Δ = {GAP:g} and T = {format_number(MILLION)} with the length that is best "
        "elsewhere, over the least regret there",
        over="On two arms without penalties, for each of Δ = 0.1, Δ = 0.4, T = 10^4, T = 10^8",
        exact=True,
    ),
)
def best_lengths(_: Evidence) -> Measured:
    best = least_worst_regret(MILLION, GAP)[1]
    least = float(commit_regret(GAP, best, MILLION))
    for gap, horizon in ((0.1, MILLION), (0.4, MILLION), (GAP, 1e4), (GAP, 1e8)):
        length = least_worst_regret(horizon, gap)[1]
        ratio = float(commit_regret(GAP, length, MILLION)) / least
        elsewhere = f"T = {format_number(horizon)}" if gap == GAP else f"Δ = {gap:g}"
        yield Measurement(exact(ratio), Place(quantity=f"the length that is best for {elsewhere}"))
    yield {"best": best}
