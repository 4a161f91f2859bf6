"""The hard threshold, the soft one, UCB1 and explore-then-commit at increasing horizons."""

import math
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.common.numbers import TAILS
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics import estimates
from penalized_bandits.theory.limits import linear_constant, log_constant
from penalized_replication.claims import horizon_series
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import HALF, SETTLED, by_instance, regret_of
from penalized_replication.claims.measures import fluid_law
from penalized_replication.claims.parts import LEVEL, Part, Status, about, frequency, unknown

SOFT = "soft_threshold_ucb"


def crossover_cells(evidence: Evidence) -> list[tuple[str, str]]:
    """Return study and case of every cell of the studies at increasing horizons."""
    studies = ("crossover", "movie_crossover")
    return [(study, case) for study in studies for case in evidence.cases(study)]


@claim(
    "C19",
    where='section 5, "On hard threshold"',
    statement="A soft threshold does not have nearly optimal penalized regret, and the hard one "
    "has: wherever some arm has 0 < Δ_k < A_k it is linear in T for the one, log T for the other.",
    rule="In each cell of the studies with such an arm, from T = 10,000 on, mean regret over its "
    "fluid prediction, which is linear in T for the soft threshold and grows like log T for the "
    f"hard one, bandit by bandit: {fluid_law.RULE}",
    quantity="mean regret over its fluid prediction",
    plain="a bonus that fades near the share costs in proportion to time, the full one a logarithm",
)
def linear_and_logarithmic(evidence: Evidence) -> Measured:
    hard: list[fluid_law.FluidComparison] = []
    for study, case in crossover_cells(evidence):
        for policy, quantity in ((SOFT, "R(T)/T"), (PAPER_POLICY, "R(T)/log T")):
            (series,) = by_instance(evidence.outcomes(study, case=case, policy=policy))
            late = series.since()
            if not len(late):
                yield unknown(f"no horizon from {SETTLED} on", **series.about(quantity=quantity))
                continue
            last = late.last
            if not linear_constant(last.bandits).any():
                continue  # No suboptimal arm is critical: the bonus is of no use to it.
            if policy == SOFT:
                scale, limit = 1 / late.rounds, float(linear_constant(last.bandits).mean())
            else:
                # Over bandits drawn anew the mean of 1/(Delta_k - A_k) is infinite.
                alike = (last.means == late.bandit.means).all()
                scale = 1 / np.log(late.rounds)
                limit = float(log_constant(late.bandit)) if alike else np.nan
            comparison = fluid_law.regret_comparison(late, quantity=quantity)
            yield fluid_law.agreement(comparison, scale, limit)
            if policy == PAPER_POLICY:
                hard.append(comparison)
    # The power of T by which each regret grows from its first horizon to its last.
    exponents: list[float] = []
    for one in hard:
        first, last = float(one.measured[0].mean()), float(one.measured[-1].mean())
        if len(one.horizons) > 1 and min(first, last) > 0:
            times = one.horizons[-1] / one.horizons[0]
            exponents.append(float(np.log(last / first) / np.log(times)))
    yield {"exponents": exponents, **fluid_law.rival_facts(hard)}


@claim(
    "C51",
    where='section 5, "On hard threshold"',
    statement="A soft threshold is not asymptotically fair: arms whose penalty rates are above "
    "their gaps stay short of their levels.",
    rule="In each cell at the largest horizon, over the suboptimal arms with A_k − Δ_k ≥ "
    "√(32 log T/(τ_k T)), the condition of Theorem 4.1, and the replicates that have such arms: "
    "holds if the Wilson interval of the probability that all of them have ⌊τ_k T⌋ pulls lies "
    f"below {HALF:g}, fails if above. A cell without such arms says nothing.",
    quantity="probability that the soft threshold gives all arms that must be fair ⌊τ_k T⌋ pulls",
    plain="a bonus that fades as an arm nears its share leaves arms short for ever",
)
def soft_is_not_fair(evidence: Evidence) -> Measured:
    hard: list[float] = []
    for study, case in crossover_cells(evidence):
        outcome = max(evidence.outcomes(study, case=case, policy=SOFT), key=lambda run: run.horizon)
        level, bandits = outcome.fairness * outcome.horizon, outcome.bandits
        gap = bandits.gaps
        root = np.sqrt(32 * np.log(outcome.horizon) / np.maximum(level, 1e-9))
        arms = np.asarray((gap > 0) & (bandits.margins >= root))
        if not arms.any():
            continue
        # The share of their level that these arms lack on average, and its limit.
        lacks = (np.maximum(level - outcome.pulls, 0) / level)[arms].mean()
        limit = (gap / bandits.penalties)[arms].mean()
        values = {"lacks": float(lacks), "asymptote": float(limit)}
        some = arms.any(axis=1)
        fair = horizon_series.all_served(outcome, arms)[some]
        yield frequency(fair, most=HALF, **about(outcome), values=values)
        ours = evidence.outcome(study, case, PAPER_POLICY, outcome.horizon)
        hard.append(float(horizon_series.all_served(ours, arms)[some].mean()))
    yield {"hard": min(hard, default=np.nan)}


class Crossing(NamedTuple):
    """The last change of sign of a paired difference."""

    sign: int
    """The last clear sign, 0 if there is none."""
    crossed: bool
    """Whether an earlier clear sign is another."""
    horizon: estimates.Estimate
    """The horizon of the crossing.  Its ends are 0 or infinite where that many resamples have
    none.  Where there is no crossing the value is NaN and the interval what remains, for one from
    negative to positive: up to the first horizon with a clear sign, or from the last one."""


def _last_change(times: FloatArray, path: FloatArray, sign: int) -> float:
    """Return where a path takes a sign for good: 0 if at once, infinity if it ends otherwise."""
    other = np.flatnonzero(sign * path <= 0)
    if other.size == 0:
        return 0.0
    before = int(other[-1])
    if before == path.size - 1:
        return math.inf
    step = -path[before] / (path[before + 1] - path[before])
    logs = np.log(times[before : before + 2])
    return float(np.exp(logs[0] + step * (logs[1] - logs[0])))


def clear_signs(values: FloatArray) -> IntArray:
    """Return the sign of each column's mean (R, C), 0 where it is not clear, shape (C,)."""
    zero = np.zeros(len(values))
    tests = [estimates.paired_difference(column, zero) for column in values.T]
    p_values = [min(1.0, 2 * min(test.p_greater, test.p_less)) for test in tests]
    signs = np.sign([test.difference.value for test in tests])
    return np.where(estimates.holm(p_values) <= LEVEL, signs, 0).astype(np.int64)


def crossing(horizons: ArrayLike, theirs: FloatArray, ours: FloatArray) -> Crossing:
    """Find the horizon at which paired regrets (R, C), at T_1 < ... < T_C, change their order.

    Signs of ``theirs`` less ``ours`` are clear where a two-sided t-test, Holm-adjusted over
    checkpoints, says so.  The last crossing, in either direction, lies between the last two
    checkpoints of different clear sign with none between them.  Its horizon is where the ratio of
    mean regrets, up to the second of these, crosses 1 for the last time, a power of T between
    checkpoints; its interval is from a bootstrap of replicates (percentiles).
    """
    times, n = np.array(horizons, dtype=np.float64), len(theirs)
    signs = clear_signs(theirs - ours)
    clear = np.flatnonzero(signs)
    if clear.size == 0:
        return Crossing(0, False, estimates.Estimate(math.nan, 0.0, math.inf, n))
    changes, sign = np.flatnonzero(np.diff(signs[clear])), int(signs[clear[-1]])
    if changes.size == 0:
        low, high = (0.0, times[clear[0]]) if sign > 0 else (times[clear[-1]], math.inf)
        return Crossing(sign, False, estimates.Estimate(math.nan, float(low), float(high), n))
    end = int(clear[changes[-1] + 1])
    both = np.hstack([theirs[:, : end + 1], ours[:, : end + 1]])
    means = np.vstack([both.mean(axis=0), estimates.resampled_means(both)])
    logs = np.log(np.maximum(means, np.finfo(np.float64).tiny))
    paths = logs[:, : end + 1] - logs[:, end + 1 :]
    value, *found = (_last_change(times, path, sign) for path in paths)
    # Between two resamples the mean of a number and infinity is neither: take one of them.
    low = np.quantile(found, TAILS[0], method="lower")
    high = np.quantile(found, TAILS[1], method="higher")
    return Crossing(sign, True, estimates.Estimate(value, float(low), float(high), n))


LAST_SIGN = (
    "In each cell, up to the largest horizon: holds if the last clear sign of the paired "
    "difference (t-test, Holm over horizons) favours the hard threshold. Else it is undecided: "
    "what has not happened by then may happen later, so that no part fails. The estimate is the "
    "horizon of the change, with its bootstrap interval."
)


def overtaking(evidence: Evidence, study: str, case: str, rival: str) -> Part:
    """Return the part on the horizon from which the hard threshold has less regret: `LAST_SIGN`."""
    of_both = (evidence.outcomes(study, case=case, policy=p) for p in (rival, PAPER_POLICY))
    theirs, ours = ({run.horizon: run for run in runs} for runs in of_both)
    horizons = sorted(set(ours) & set(theirs))
    fields = about(next(iter(ours.values()))) | {"rival": rival, "horizon": None}
    if len(horizons) < 3:
        return unknown("too few horizons", **fields)
    regrets = [np.stack([regret_of(runs[t]) for t in horizons], axis=1) for runs in (theirs, ours)]
    sign, crossed, change_at = crossing(horizons, *regrets)
    if sign == 0:
        return unknown("no clear difference at any horizon", **fields)
    ahead, behind = ("overtakes", "is overtaken") if crossed else ("always ahead", "not yet")
    change = ahead if sign > 0 else behind
    last = theirs[horizons[-1]]
    # Of the replicates the share in which no arm has 0 < Delta < A.
    unworthy = float(np.mean(linear_constant(last.bandits) == 0))
    values = {"change": change, "first": horizons[0], "last": horizons[-1], "unworthy": unworthy}
    values["ratio"] = float(regrets[1][:, -1].mean() / regrets[0][:, -1].mean())
    # The last horizon is no bound: how far from it they cross says nothing.
    fields |= {"limit": float(horizons[-1]), "values": values}
    value, low, high = change_at.interval
    status: Status = "holds" if sign > 0 else "undecided"
    return Part(estimate=value, low=low, high=high, status=status, **fields)


overtakes = partial(
    claim,
    quantity="horizon at which the hard threshold overtakes, and has less penalized regret from "
    "there (rounds)",
    ours=True,
    low_power="no part can fail: what has not happened by the last horizon may happen later",
)


@overtakes(
    "C34",
    arguments={"rival": "ucb1"},
    where="not in the paper; follows from Theorem 4.2",
    statement="From some horizon on the hard threshold has smaller penalized regret than UCB1, "
    "which ignores fairness.",
    rule=f"{LAST_SIGN} In the cells of Setting 1 it is from the replicates there, which are more, "
    "where the change is within their horizons.",
    plain="in the long run it loses less than UCB1, which ignores the shares",
)
@overtakes(
    "C36",
    arguments={"rival": "explore_then_commit"},
    where="section 5; not shown in the paper",
    statement="From some horizon on the hard threshold has smaller penalized regret than "
    "explore-then-commit.",
    rule=LAST_SIGN,
    plain="in the long run it loses less than exploring first and committing then",
)
def overtaking_in_each_cell(evidence: Evidence, rival: str) -> Measured:
    """Yield the part on the horizon from which the hard threshold has less regret than a rival."""
    there = evidence.section("setting_1").policies if rival == "ucb1" else ()
    shared = evidence.cases("setting_1") if {rival, PAPER_POLICY} <= {*there} else []
    for study, case in crossover_cells(evidence):
        part = overtaking(evidence, study, case, rival)
        if case in shared:
            more = overtaking(evidence, "setting_1", case, rival)
            if part.status == more.status == "holds" and not math.isnan(more.estimate):
                # The horizon from more replicates, beside the cell's own.
                found = {"estimate": more.estimate, "low": more.low, "high": more.high}
                longer = {"longer": [part.estimate, part.low, part.high]}
                part = replace(part, **found, values={**more.values, **longer})
        yield part
