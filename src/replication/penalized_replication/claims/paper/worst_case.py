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
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.bounds import gap_independent_bound, lower_bound_4_8
from penalized_bandits.theory.fluid import predicted_pulls, predicted_regret
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims import parts
from penalized_replication.claims.base import FAR, Evidence, Measured, claim
from penalized_replication.claims.horizon_series import bandit_at, regret_of
from penalized_replication.claims.measures.fits import fit_power
from penalized_replication.claims.measures.proof_steps import proof_steps
from penalized_replication.storage.replicates import Outcome

AROUND = 0.03
"""How far an exponent may be from 1/2, or from 2/3 in any decade."""
AGREES = 0.1
"""How far measured over predicted may be from 1."""

ROUNDS = (1e3, 1e6, 1e9)
NUMBERS_OF_ARMS = (2, 5, 20, 100, 1000)

TOGETHER = np.array([0.9, 0.5, 0.5]), np.array([0.1, 0.3, 0.3])
"""μ and τ of a bandit in which arms 2 and 3 come due in the round T, so that one has to wait."""
LAST, REPLICATES = 10_004, 100
LARGE = (1e6, 1e9)
"""A."""
TIMES = 2.0
"""More than that C would grow with A."""


def _worst_outcomes(evidence: Evidence, policy: str) -> list[Outcome]:
    """Return at each horizon the outcome of the gap and ratio A / Δ with the largest regret."""
    horizons = evidence.section("worst_case").horizons
    studies = (evidence.outcomes("worst_case", policy=policy, horizon=t) for t in horizons)
    return [max(study, key=lambda outcome: regret_of(outcome).mean()) for study in studies]


@claim(
    "C14",
    where="Theorem 4.5",
    statement="Whatever the gaps, regret is at most 8 √(T log T) Σ √τ_k + "
    "8 √((1 − τ_min) K T log T) + C √(K T log T).",
    rule="At each horizon the largest mean regret over gaps and penalty rates, over the bound with "
    "C = 0: holds if below 1 with its 95 % interval, fails if above. Vacuous where the bound "
    "exceeds T.",
    quantity="worst mean regret over gaps, over the bound without its unknown constant C",
    kind="bound",
    plain="however close the arms, the loss grows about like the square root of time at most",
)
def gap_independent(evidence: Evidence) -> Measured:
    facts: dict[str, Any] = {}
    for outcome in _worst_outcomes(evidence, PAPER_POLICY):
        horizon = outcome.horizon
        bound = float(gap_independent_bound(outcome.fairness, horizon))
        regret = mean_estimate(regret_of(outcome))
        part = parts.below((regret / bound).interval, 1.0, horizon=horizon, policy=PAPER_POLICY)
        if bound >= horizon:
            part = parts.vacuous(part, f"the bound is {bound:,.0f}, more than T")
        yield part
        unit = float(np.sqrt(outcome.means.shape[1] * horizon * np.log(horizon)))
        facts = {"last": horizon, "regret": regret.value / unit, "bound": bound / unit}
    yield facts


@claim(
    "C15",
    where="Theorems 4.5 and 4.8",
    statement="The worst case over gaps grows like √T up to logarithms.",
    rule="(a) The exponent in T of the worst mean regret over gaps, divided by the bound's "
    f"√(log T), is within {AROUND} of 1/2; (b) at each horizon the worst mean regret is within "
    f"{AGREES:.0%} of the largest fluid regret over the same gaps (Bonferroni over horizons). Each "
    "holds if its whole 95 % interval is, and fails if none of it is.",
    quantity="exponent in T of the worst mean regret over √(log T); measured over predicted",
    plain="the worst loss over all bandits grows like the square root of time",
)
def root_of_the_horizon(evidence: Evidence) -> Measured:
    outcomes, multiples = _worst_outcomes(evidence, PAPER_POLICY), []
    scaled = [regret_of(outcome) / math.log(outcome.horizon) ** 0.5 for outcome in outcomes]
    horizons = [outcome.horizon for outcome in outcomes]
    fit = fit_power(horizons, scaled) if len(outcomes) > 2 else "too few horizons"
    about: dict[str, Any] = {"policy": PAPER_POLICY, "quantity": "exponent in T"}
    if isinstance(fit, str):
        yield parts.unknown(fit, **about)
    else:
        yield parts.within(fit.interval, 0.5 - AROUND, 0.5 + AROUND, 0.5, **about)
    section = evidence.section("worst_case")
    for outcome in outcomes:
        horizon = outcome.horizon
        regret = mean_estimate(regret_of(outcome), level=1 - parts.LEVEL / len(outcomes))
        bandits = (instance_of(*bandit) for _, _, bandit in section.bandits(horizon))
        predicted = max(float(predicted_regret(one, horizon)) for one in bandits)
        about = {"policy": PAPER_POLICY, "horizon": horizon, "quantity": "over prediction"}
        about |= {"measured": regret.value, "predicted": predicted}
        if predicted == 0:
            part = parts.unknown("", **about)
            yield parts.irrelevant(part, "the prediction is 0: there is no ratio to it")
        else:
            yield parts.within((regret / predicted).interval, 1 - AGREES, 1 + AGREES, 1.0, **about)
        multiples.append(float(bandit_at(outcome).gaps.max()) / section.gap_at(1.0, horizon))
    yield {"multiples": multiples}


def _ratio_of_bounds(arms: int, total: float, horizon: float) -> float:
    """Upper bound with C = 0, without √(log T), over the lower bound; τ_k all equal."""
    tau = np.full(arms, total / arms)
    upper = float(gap_independent_bound(tau, horizon)) / float(np.sqrt(np.log(horizon)))
    return upper / float(lower_bound_4_8(tau, horizon))


@claim(
    "C39",
    where="after Theorem 4.8",
    statement="The orders of the bounds of Theorems 4.5 and 4.8 match if log T is ignored.",
    rule="The ratio of the two bounds, without the upper one's √(log T) and with C = 0, is the "
    f"same up to a factor {FAR:g} (a) over T from 10^3 to 10^9, (b) over K from 2 to 1000, with "
    "1 − Σ τ = 0.5 and all τ_k equal: each holds if so, and fails if not.",
    quantity="largest over least ratio of the two bounds, √(log T) left out",
    kind="identity",
    plain="upper and lower bound of the worst case grow alike, but for a logarithm",
)
def orders_match(_: Evidence) -> Measured:
    over_rounds = [_ratio_of_bounds(5, 0.5, horizon) for horizon in ROUNDS]
    over_arms = [_ratio_of_bounds(arms, 0.5, 1e6) for arms in NUMBERS_OF_ARMS]
    for symbol, values, ratios in (("T", ROUNDS, over_rounds), ("K", NUMBERS_OF_ARMS, over_arms)):
        quantity = f"{symbol} = {format_number(values[0])} to {format_number(values[-1])}"
        yield parts.below(parts.exact(max(ratios) / min(ratios)), FAR, quantity=quantity)
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
    where="Theorem 4.5",
    statement="For fixed penalty rates the constant C of the gap-independent bound is universal: "
    "one C serves for all K, τ and μ.",
    rule="By the fluid prediction, over K from 2 to 100, T of 10^4 and 10^7, gaps and margins from "
    "0.1 to 8 times √(K log T/T) and A from 0.5 Δ to 3 Δ, where the bound is below T: for each "
    "1 − Σ τ of 0.5, 0.1, 0.01 and 0.001 holds if the largest ratio of regret to the bound with "
    "C = 0 is below 1, fails if above.",
    quantity="largest ratio of fluid regret to the bound of eq. (14) with C = 0",
    kind="bound",
    plain="one constant in the worst-case bound serves all bandits while penalties are fixed",
)
def universal_constant(_: Evidence) -> Measured:
    for spare in (0.5, 0.1, 0.01, 0.001):
        largest, named = 0.0, parts.Fields(case=f"spare_{spare:g}", label=f"1 − Σ τ = {spare:g}")
        for arms, horizon in product((2, 10, 100), (1e4, 1e7)):
            for bandit in _bandits(arms, spare, horizon):
                bound = float(gap_independent_bound(bandit.fairness, horizon))
                if bound < horizon:  # Else it is vacuous.
                    largest = max(largest, float(predicted_regret(bandit, horizon).max()) / bound)
        yield parts.below(parts.exact(largest), 1.0, **named)


@claim(
    "C40A",
    where="Theorem 4.5; not in the paper, which fixes A",
    statement="At a fixed T no C of the gap-independent bound serves for all penalty rates.",
    rule="On μ = (0.9, 0.5, 0.5), τ = (0.1, 0.3, 0.3), "
    f"T = {LAST:,}, Bernoulli rewards, {REPLICATES} replicates: holds if the C that mean regret "
    f"needs grows by more than {TIMES:g} times from A = 10^6 to A = 10^9, fails if by less.",
    quantity="growth of the C that is needed",
    ours=True,
    low_power="a proof, Proposition H; the runs illustrate it",
    plain="no constant in the worst-case bound serves all penalties",
)
def growing_constant(_: Evidence) -> Measured:
    bandits = [instance_of(*TOGETHER, penalty) for penalty in LARGE]
    pulls = [proof_steps(bandit, LAST, REPLICATES).pulls for bandit in bandits]
    pairs = zip(pulls, bandits, strict=True)
    regrets = [float(penalized_regret(*pair).mean()) for pair in pairs]
    # The least C with which the bound holds.
    bound, unit = gap_independent_bound(TOGETHER[1], LAST), np.sqrt(3 * LAST * np.log(LAST))
    constants = [max(regret - float(bound), 0.0) / unit for regret in regrets]
    growth = constants[1] / max(constants[0], 1.0)
    values = {"penalties": LARGE, "regrets": regrets, "constants": constants}
    fields = parts.Fields(case="large_penalties", label="large A", values=values)
    yield parts.above(parts.exact(growth), TIMES, **fields)


ETC = "explore_then_commit"
WHERE = 'section 5, "Comparison with ETC method"'
DECADES = (1e4, 1e5, 1e6, 1e7, 1e8)
GAP, MILLION = 0.2, 1e6
DEARER = 1.1
"""Regret with another's length over regret with one's own: above this it matters."""
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


def _gaps(horizon: float) -> FloatArray:
    """Return the gaps Delta among which the worst is looked for, shape (GAPS,)."""
    return np.geomspace(0.01 / np.sqrt(horizon), 1, GAPS)


def best_length(gap: float, horizon: float) -> float:
    """Return the length m with the least regret at a gap Delta and a horizon T, pulls."""
    lengths = np.geomspace(1, horizon / 2, LENGTHS)
    return float(lengths[np.argmin(commit_regret(gap, lengths, horizon))])


def least_worst_regret(horizon: float) -> tuple[float, float]:
    """Return the least over m of the largest regret over gaps in (0, 1], and that m."""
    lengths = np.geomspace(1, horizon / 2, LENGTHS)
    worst = commit_regret(_gaps(horizon)[:, None], lengths, horizon).max(axis=0)
    best = int(np.argmin(worst))
    return float(worst[best]), float(lengths[best])


def _worst_regret(horizon: float) -> float:
    """Return the hard threshold's fluid regret at the worst gap, on two arms without penalties."""
    gaps = _gaps(horizon)
    means = np.stack([gaps, np.zeros_like(gaps)], axis=1)
    return float((gaps * predicted_pulls(instance_of(means, 0.0), horizon)[:, 1]).max())


@claim(
    "C20",
    where=WHERE,
    statement="Explore-then-commit, its length chosen from T alone, has worst-case regret of the "
    "order T^(2/3), worse than the hard threshold's √T.",
    rule="On two arms without penalties, with the length that is best at each T against the worst "
    "gap: (a) holds if in every decade of T from 10^4 to 10^8 the exponent of that regret is "
    f"within {AROUND} of 2/3, fails otherwise; (b) holds if at each of these T it is above the "
    "hard threshold's largest regret over the same gaps, by the fluid prediction, and fails if "
    "below at one.",
    quantity="(a) exponent in T of the worst regret; (b) worst regret over the hard threshold's",
    evidence="claims/claims.json",
    kind="identity",
    plain="exploring first and committing then loses more in the worst case",
)
def worse_in_the_worst_case(evidence: Evidence) -> Measured:
    least, lengths = zip(*map(least_worst_regret, DECADES), strict=True)
    regrets = np.array(least)
    slopes = np.diff(np.log(regrets)) / np.log(10)
    furthest = parts.exact(float(slopes[np.argmax(np.abs(slopes - 2 / 3))]))
    about: dict[str, Any] = {"policy": ETC, "label": "best length for each T"}
    limits = (2 / 3 - AROUND, 2 / 3 + AROUND, 2 / 3)
    yield parts.within(furthest, *limits, **about, quantity="exponent in the decade furthest off")
    ratios = regrets / [_worst_regret(horizon) for horizon in DECADES]
    about |= {"rival": PAPER_POLICY, "quantity": "least ratio to the worst regret"}
    yield parts.above(parts.exact(float(ratios.min())), 1.0, **about)
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
    where=WHERE,
    statement="The best length of the exploration depends on Δ and on T.",
    rule="Two arms without penalties, Δ = 0.2, T = 10^6: holds for each of Δ = 0.1, Δ = 0.4, "
    "T = 10^4, T = 10^8 if the length that is best for it costs more than "
    f"{DEARER:g} times the least regret, fails if less.",
    quantity=f"regret at the gap {GAP:g} and T = {format_number(MILLION)} with the length that is "
    "best elsewhere, over the least regret there",
    kind="identity",
    plain="how long to explore before committing depends on gaps that nobody knows",
)
def best_lengths(_: Evidence) -> Measured:
    best = best_length(GAP, MILLION)
    least = float(commit_regret(GAP, best, MILLION))
    for gap, horizon in ((0.1, MILLION), (0.4, MILLION), (GAP, 1e4), (GAP, 1e8)):
        length = best_length(gap, horizon)
        ratio = float(commit_regret(GAP, length, MILLION)) / least
        elsewhere = f"T = {format_number(horizon)}" if gap == GAP else f"Δ = {gap:g}"
        yield parts.above(
            parts.exact(ratio), DEARER, quantity=f"the length that is best for {elsewhere}"
        )
    yield {"best": best}
