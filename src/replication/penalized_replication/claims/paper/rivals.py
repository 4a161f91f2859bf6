"""The hard threshold beside its rivals: regret at any horizon, reward at equal unfairness."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from penalized_bandits.bandit.frontier import oracle_frontier
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.limits import linear_constant, log_constant
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, place_of
from penalized_replication.claims.horizon_series import SINCE, all_served, by_instance, regret_of
from penalized_replication.claims.measures import comparison as tradeoff
from penalized_replication.claims.measures import growth
from penalized_replication.claims.measures.crossing import PairedRegrets
from penalized_replication.claims.measures.fluid_law import regret_comparison
from penalized_replication.claims.rules import AsPredicted, Below, LastSign, Less, MoreAtEveryLevel
from penalized_replication.common.errors import NotMeasuredError

SETTING = "setting_1"


def _less_than(rival: str, over: str = "In each panel and at each horizon") -> Less:
    of = f"penalized regret, hard threshold minus {rival} (reward)"
    return Less(of=of, over=over, scale="the rival's mean regret")


@claim("C24", _less_than("LFG"), rival="lfg")
@claim(
    "C25", _less_than("Flearn", "In each panel at its last horizon"), rival="fair_learn", last=True
)
@claim("C25H", _less_than("Flearn"), rival="fair_learn")
@claim("C24S", _less_than("soft threshold"), rival="soft_threshold_ucb")
def regrets(evidence: Evidence, rival: str, *, last: bool = False) -> Measured:
    horizons: list[int] = evidence.section(SETTING).horizons[-1 if last else 0 :]
    for case, horizon in product(evidence.cases(SETTING), horizons):
        ours = evidence.outcome(SETTING, case, PAPER_POLICY, horizon)
        theirs = evidence.outcome(SETTING, case, rival, horizon)
        pair = regret_of(ours), regret_of(theirs)
        yield Measurement(pair, place_of(ours, rival=rival))


SOFT = "soft_threshold_ucb"


def crossover_cells(evidence: Evidence) -> list[tuple[str, str]]:
    """Return study and case of every cell of the studies at increasing horizons."""
    studies = ("crossover", "movie_crossover")
    return [(study, case) for study in studies for case in evidence.cases(study)]


@claim(
    "C19",
    AsPredicted(
        of="mean regret",
        over="In each cell with an arm of 0 < Δ_k < A_k, for the soft and for the hard threshold, "
        f"bandit by bandit, {SINCE}",
    ),
)
def linear_and_logarithmic(evidence: Evidence) -> Measured:
    exponents: list[float] = []
    for study, case in crossover_cells(evidence):
        for policy, quantity in ((SOFT, "R(T)/T"), (PAPER_POLICY, "R(T)/log T")):
            (series,) = by_instance(evidence.outcomes(study, case=case, policy=policy))
            try:
                late = series.settled()
            except NotMeasuredError as error:
                yield Measurement(None, series.place(quantity), reason=str(error))
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
            data = regret_comparison(late, scale=scale, logarithmic=policy == PAPER_POLICY)
            yield Measurement(data, late.place(quantity), asymptote=limit)
            times = data.horizons[-1] / data.horizons[0]
            grown = growth.exponent(data.measured[0], data.measured[-1], times)
            if policy == PAPER_POLICY and grown:
                exponents.append(grown[0])
    yield {"exponents": exponents}


@claim(
    "C51",
    Below(
        0.5,
        of="probability that the soft threshold gives all of them ⌊τ_k T⌋ pulls",
        over="In each cell at the largest horizon, over the suboptimal arms with A_k − Δ_k ≥ "
        "√(32 log T/(τ_k T)), as in Theorem 4.1, and the replicates that have such arms",
    ),
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
        yield Measurement(all_served(outcome, arms)[some], place_of(outcome), values=values)
        ours = evidence.outcome(study, case, PAPER_POLICY, outcome.horizon)
        hard.append(float(all_served(ours, arms)[some].mean()))
    yield {"hard": min(hard, default=np.nan)}


def _paired(evidence: Evidence, study: str, case: str, rival: str) -> PairedRegrets:
    of_both = (evidence.outcomes(study, case=case, policy=p) for p in (rival, PAPER_POLICY))
    theirs, ours = ({run.horizon: run for run in runs} for runs in of_both)
    horizons = sorted(set(ours) & set(theirs))
    pair = [np.stack([regret_of(runs[t]) for t in horizons], axis=1) for runs in (theirs, ours)]
    unworthy = np.mean(linear_constant(theirs[horizons[-1]].bandits) == 0)
    return PairedRegrets(horizons, pair[0], pair[1], float(unworthy))


def _from_some_horizon(rival: str, over: str, *, within: bool) -> LastSign:
    of = f"horizon from which the hard threshold has less penalized regret than {rival} (rounds)"
    return LastSign(of=of, over=over, within=within)


@claim(
    "C34",
    _from_some_horizon(
        "UCB1",
        "In each cell; in those of Setting 1 by its replicates, which are more, where the change "
        "is within their horizons",
        within=False,
    ),
    rival="ucb1",
    more="setting_1",
)
@claim(
    "C36",
    _from_some_horizon("explore-then-commit", "In each cell", within=True),
    rival="explore_then_commit",
)
def overtaking(evidence: Evidence, rival: str, more: str = "") -> Measured:
    """Yield regrets of a rival and the hard threshold, with those of a study of more replicates."""
    both = {rival, PAPER_POLICY} <= {*(evidence.section(more).policies if more else ())}
    shared = evidence.cases(more) if both else []
    for study, case in crossover_cells(evidence):
        data = [_paired(evidence, study, case, rival)]
        if case in shared:
            data.append(_paired(evidence, more, case, rival))
        ours = evidence.outcomes(study, case=case, policy=PAPER_POLICY)[0]
        yield Measurement(data, place_of(ours, rival=rival, horizon=False))


RIVALS = ("fair_learn", "lfg")
"""Those that the paper compares; its LFG has a wider radius than `lfg_original`."""
MORE_REWARD = MoreAtEveryLevel(
    of="total expected reward of the hard threshold less the rival's at equal unfairness, at the "
    "level where it is least (reward)",
    over="For each panel and rival, at nine levels of unfairness (10 %, ..., 90 % of the range "
    "that both policies reach; undecided without one), each policy's mean reward interpolated "
    "along its curve, errors from a bootstrap of replicates, the same ones for both",
    scale="the oracle frontier's range of reward",
)


@claim("C28", MORE_REWARD, setting="setting_3")
@claim("C28L", MORE_REWARD, setting="setting_3", rivals=("lfg_original",))
@claim("C31", MORE_REWARD, setting="setting_5")
@claim("C31L", MORE_REWARD, setting="setting_5", rivals=("lfg_original",))
def highest_reward(evidence: Evidence, setting: str, rivals: Sequence[str] = RIVALS) -> Measured:
    distances: dict[str, list[float]] = {}
    gains: list[dict[str, Any]] = []
    same_sign: list[bool] = []
    for case in evidence.cases(setting):
        curves = {p: tradeoff.curve_of(evidence, setting, case, p) for p in (PAPER_POLICY, *rivals)}
        outcome = evidence.outcomes(setting, case=case, policy=PAPER_POLICY)[0]
        frontier = oracle_frontier(outcome.bandits, outcome.horizon)
        span = float(frontier.reward[-1] - frontier.reward[0])
        levels = tradeoff.common_levels(list(curves.values()))
        if levels is not None and span > 0:
            best = frontier.reward_at(levels)
            for name, curve in curves.items():
                below = float((best - curve.at(levels)).mean()) / span
                distances.setdefault(name, []).append(below)
        for rival in rivals:
            place = place_of(outcome, rival=rival, horizon=False)
            pair = curves[PAPER_POLICY], curves[rival]
            levels = tradeoff.common_levels([*pair])
            if levels is None:
                yield Measurement(None, place).undecided("no range of unfairness in common")
                continue
            found = tradeoff.curve_difference(*pair, levels)
            difference = found.interval[0]
            values: dict[str, Any] = {
                "share": [float(difference.min() / span), float(difference.max() / span)],
                "level": float(levels[found.worst]),
                "levels": [float(levels[0]), float(levels[-1])],
                "mean": float(difference.mean()),
            }
            yield Measurement(found, place, scale=span, values=values)
            # The differences along the levels, as shares of the frontier's range.
            each = zip(("estimate", "low", "high"), (found.interval / span).tolist(), strict=True)
            gains.append({"case": case, "rival": rival, "levels": levels.tolist(), **dict(each)})
            # Whether the least difference keeps its sign without every second tuning.
            few = [tradeoff.Curve(c.unfairness[:, ::2], c.reward[:, ::2]) for c in pair]
            if (levels := tradeoff.common_levels(few)) is not None:
                least = (few[0].at(levels) - few[1].at(levels)).min()
                same_sign.append(bool(np.sign(least) == np.sign(difference.min())))
    yield {
        "gains": gains,
        "same_sign": [sum(same_sign), len(same_sign)],
        "distances": {policy: [min(values), max(values)] for policy, values in distances.items()},
        "panels": len(distances.get(PAPER_POLICY, ())),
    }
