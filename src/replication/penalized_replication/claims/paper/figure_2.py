"""Figure 2: unfairness of each arm along the scale η, and the sets of fair arms (section 5)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product
from typing import Any

import numpy as np

from penalized_bandits.common.numbers import TAILS, percent
from penalized_bandits.common.typing import BoolArray, FloatArray, IntArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import mean_estimate, paired_difference, resampled_means
from penalized_bandits.theory.fluid import break_points
from penalized_replication.claims import parts
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import bandit_at, whole_levels
from penalized_replication.storage.replicates import Outcome

SETTING = "setting_2"
ROUNDING = 1e-9
IN_ORDER = 0.9
"""Share of replicates that must turn two arms unfair in the order of their gaps."""
ORDER = "share of replicates in which it turns unfair before the next"
RISES = "largest rise of unfairness with A (pulls)"
RISE = 0.01
"""Rise of the mean path that is let pass, as a share of the fairness level."""
MAJORITY = 0.5
"""An arm is unfair where it lacks a whole pull in more than this share of replicates."""
RIVALS = ("fair_learn", "lfg")


@dataclass(frozen=True, eq=False)
class Paths:
    """One policy on one case of Setting 2, m values of the scale, R replicates, K arms."""

    first: Outcome
    """The outcome at the least scale."""
    scale: FloatArray
    """eta, increasing, shape (m,)."""
    tuning: FloatArray
    """The policy's own parameter at each, shape (m,)."""
    short: FloatArray
    """Whole pulls below the fairness level: (floor(tau_k T) - N_k)_+, shape (m, R, K)."""

    def about(self, arm: int | None = None, **fields: Any) -> parts.Fields:
        """Return the fields of a part that is about the case, or one of its arms (from 0)."""
        case, policy = self.first.info, self.first.policy
        fields |= {"case": case.id, "label": case.label, "policy": policy}
        return fields if arm is None else fields | {"arm": int(arm) + 1}

    @property
    def unfair(self) -> BoolArray:
        """Whether an arm lacks at least one whole pull, shape (m, R, K)."""
        return self.short >= 1

    @property
    def gaps(self) -> FloatArray:
        """Delta_k, equal where they differ by rounding only, shape (K,)."""
        return np.round(bandit_at(self.first).gaps, 9)

    @property
    def suboptimal(self) -> IntArray:
        """Arms with Delta_k > 0, from 0."""
        return np.flatnonzero(self.gaps > 0)

    @cached_property
    def last_unfair(self) -> IntArray:
        """Place on the grid of the largest eta at which an arm is unfair, -1 if none, (R, K)."""
        last = len(self.scale) - 1 - np.argmax(self.unfair[::-1], axis=0)
        return np.where(self.unfair.any(axis=0), last, -1)

    @property
    def break_points(self) -> FloatArray:
        """Where each arm turns unfair as eta falls, shape (R, K).

        Midway between the largest eta at which it is unfair and the next; half a step beyond
        the end of the grid if it is fair, or unfair, at every eta.
        """
        middles = (self.scale[1:] + self.scale[:-1]) / 2
        first, last = (self.scale[1] - self.scale[0]) / 2, (self.scale[-1] - self.scale[-2]) / 2
        edges = np.concatenate([[self.scale[0] - first], middles, [self.scale[-1] + last]])
        return edges[self.last_unfair + 1]


def paths_of(evidence: Evidence, case: str, policy: str) -> Paths:
    """Return the outcomes of a policy along the scale."""
    outcomes = evidence.outcomes(SETTING, case=case, policy=policy)
    runs = sorted(outcomes, key=lambda outcome: outcome.scale or 0.0)
    scale, tuning = np.array([(run.scale, run.tuning) for run in runs], dtype=np.float64).T
    short = np.stack([np.maximum(whole_levels(runs[0]) - run.pulls, 0.0) for run in runs])
    return Paths(runs[0], scale, tuning, short)


def all_paths(evidence: Evidence, policy: str) -> Iterator[Paths]:
    """Yield the outcomes of a policy along the scale in each case."""
    for case in evidence.cases(SETTING):
        yield paths_of(evidence, case, policy)


def largest_rise(paths: FloatArray) -> FloatArray:
    """Return the largest rise of paths (..., m) between any two places; 0 where one only falls."""
    return (paths - np.minimum.accumulate(paths, axis=-1)).max(axis=-1)


def resampled_rises(values: FloatArray) -> FloatArray:
    """Return the largest rise of the mean path in B resamples; (m, R, K) gives (B, K)."""
    m, n, n_arms = values.shape
    rows = np.moveaxis(values, 0, 2).reshape(n, n_arms * m)
    return largest_rise(resampled_means(rows).reshape(-1, n_arms, m))


def _order(paths: Paths) -> Measured:
    for small, large in pairwise(np.unique(paths.gaps[paths.suboptimal]).tolist()):
        later, earlier = paths.gaps == small, paths.gaps == large
        fields = paths.about(int(np.argmax(earlier)), quantity=ORDER)
        fields["values"] = {"small": small, "large": large}
        if large - small < (step := np.diff(paths.scale).max()) - ROUNDING:
            yield parts.unknown(f"gaps nearer than the grid's step {step:g}", **fields)
            continue
        latest = paths.last_unfair[:, later].max(axis=1)
        first = paths.last_unfair[:, earlier].min(axis=1)
        # Both fair, or both unfair, on the whole grid: their order is not visible.
        visible = (latest != first) | ((latest >= 0) & (latest < len(paths.scale) - 1))
        if visible.all():
            yield parts.frequency(first > latest, least=IN_ORDER, **fields)
            continue
        reason = f"neither changes on the grid in {percent(1 - visible.mean())} of replicates"
        yield parts.unknown(reason, **fields)


def _falls(paths: Paths) -> Measured:
    found, rises = largest_rise(paths.short.mean(axis=1).T), resampled_rises(paths.short)
    for arm in paths.suboptimal:
        fields = paths.about(arm, quantity=RISES, values={"gap": float(paths.gaps[arm])})
        if paths.short.shape[1] < 2:
            yield parts.unknown("one replicate", **fields)
            continue
        low, high = np.quantile(rises[:, arm], TAILS)
        most = RISE * float(paths.first.fairness[arm] * paths.first.horizon)
        part = parts.below((float(found[arm]), low, high), most, **fields)
        fair = not paths.unfair[:, :, arm].any()
        yield parts.irrelevant(part, "fair at every η in every replicate") if fair else part


def _concordance(paths: Paths) -> float:
    """Return the mean of Kendall's tau-b of gaps and break points that differ; NaN if none do."""
    from scipy.stats import kendalltau

    gap = paths.gaps[paths.suboptimal]
    rows = paths.break_points[:, paths.suboptimal]
    rows = rows[(rows != rows[:, :1]).any(axis=1)]
    if len(rows) == 0 or (gap == gap[0]).all():
        return float("nan")
    different, times = np.unique(rows, axis=0, return_counts=True)
    tau: Any = kendalltau
    concordances = [float(tau(gap, row).statistic) for row in different]
    return float(np.average(concordances, weights=times))


@claim(
    "C26",
    where="Figure 2",
    statement="Under the hard threshold arms turn unfair one by one as the common penalty rate A "
    "falls, the one with the largest gap first.",
    rule="Order: the share of replicates in which the larger of two neighbouring gaps turns "
    f"unfair at a strictly larger η is above {IN_ORDER:g} (Wilson interval); undecided if the gaps "
    "differ by less than a grid step. Path, for each suboptimal arm: the mean unfairness nowhere "
    f"rises with A by more than {100 * RISE:g} % of τ_k T (isotonic fit, bootstrap interval). "
    "Each holds, or fails, if its whole 95 % interval is on one side of the limit.",
    quantity="order: share of replicates in which the arm with the larger of two neighbouring gaps "
    "turns unfair first; paths: largest rise of unfairness with A, in pulls",
    plain="arms give up their shares one by one as the penalty falls",
)
def one_by_one(evidence: Evidence) -> Measured:
    cases = [paths for paths in all_paths(evidence, PAPER_POLICY) if paths.suboptimal.size]
    for paths in cases:
        yield from _order(paths)
    for paths in cases:
        yield from _falls(paths)
    yield {"concordances": {paths.first.info.label: _concordance(paths) for paths in cases}}


@claim(
    "C26P",
    where="not in the paper; behind Figure 2",
    statement="Under the hard threshold an arm turns unfair where the fluid prediction has it, "
    "which tends to A = Δ_k as T grows.",
    rule="For each suboptimal arm: holds if the mean break point (midway between the largest η at "
    "which the arm lacks a whole pull and the next) is within half a grid step of the fluid "
    "prediction with its 95 % t-interval, fails if outside.",
    quantity="scale η at which an arm turns unfair",
    ours=True,
    plain="an arm gives up its share where the penalty falls to about its gap",
)
def predicted_break_points(evidence: Evidence) -> Measured:
    offsets: list[float] = []
    for paths in all_paths(evidence, PAPER_POLICY):
        first = paths.first
        predicted = break_points(first.means[0], first.fairness, float(first.horizon))
        tolerance = np.diff(paths.scale).max() / 2 + ROUNDING
        for arm in paths.suboptimal:
            fluid, gap = float(predicted[arm]), float(paths.gaps[arm])
            measured = mean_estimate(paths.break_points[:, arm])
            offsets.append(measured.value - gap)
            numbers = {"measured": measured.value, "predicted": fluid, "asymptote": gap}
            limits = fluid - tolerance, fluid + tolerance, fluid
            yield parts.within(measured.interval, *limits, **paths.about(arm), **numbers)
    yield {"offsets": [min(offsets), max(offsets)] if offsets else []}


@claim(
    "C27",
    where="Figure 2",
    statement="Under Flearn and LFG all suboptimal arms turn unfair at once, as soon as the scale "
    "η is below 1.",
    rule="For each policy, case and suboptimal arm, at the largest η below 1: holds if the arm "
    "lacks at least one whole pull of floor(τ_k T) in more than half of the replicates, fails if "
    "in fewer than half, by the whole 95 % Wilson interval; undecided where the tuning is below "
    "one pull.",
    quantity="share of replicates in which an arm lacks a whole pull, for the arm of which it is "
    "least",
    plain="the earlier policies give up all shares at once as the penalty falls",
)
def all_at_once(evidence: Evidence) -> Measured:
    lasting, eta = [], 1.0
    for paths in (paths for policy in RIVALS for paths in all_paths(evidence, policy)):
        first, place = paths.first, int(np.flatnonzero(paths.scale < 1)[-1])
        eta = float(paths.scale[place])
        unfair_at = paths.unfair.mean(axis=1) > MAJORITY
        # Arms (from 1) fair at this place, and the largest eta at which each is not, or None.
        until: dict[str, float | None] = {}
        for arm in paths.suboptimal:
            if not unfair_at[place, arm]:
                unfair = paths.scale[unfair_at[:, arm]]
                until[str(arm + 1)] = float(unfair[-1]) if unfair.size else None
            lacks = float(paths.short[place, :, arm].mean())
            level = float(first.fairness[arm] * first.horizon)
            values = {"eta": eta, "lacks": lacks, "level": level}
            fields = paths.about(arm, values=values)
            if paths.tuning[place] < 1:
                yield parts.unknown("the tuning is below one pull: rounding only", **fields)
            else:
                yield parts.frequency(paths.unfair[place, :, arm], least=MAJORITY, **fields)
        if until:
            lasting.append({"label": first.info.label, "policy": first.policy, "until": until})
    hard = {}
    if PAPER_POLICY in evidence.section(SETTING).policies:
        for paths in all_paths(evidence, PAPER_POLICY):
            unfair = paths.unfair[paths.scale < 1][-1].mean(axis=0)
            hard[paths.first.info.label] = int((unfair > MAJORITY).sum())
    yield {"eta": eta, "lasting": lasting, "hard": hard}


@claim(
    "C52",
    where="Figure 2, caption",
    statement="The hard threshold keeps each suboptimal arm fair over a wider range of its scale "
    "than Flearn and LFG do over theirs.",
    rule="For each case, suboptimal arm and rival: holds if the mean paired difference of the "
    "shares of the grid of η at which the arm is fair is above 0, fails if below, at "
    "Holm-adjusted one-sided p < 0.05 over all parts. Negligible, and so neither, where the 95 % "
    f"interval is within {100 * parts.NEGLIGIBLE:g} % of the scale.",
    quantity="share of the scale η from 0 to 1 at which an arm is fair, hard threshold less rival",
    plain="it keeps each arm's share over more of its penalty scale than rivals do over theirs",
)
def wider_range(evidence: Evidence) -> Measured:
    found = []
    for paths, rival in product(all_paths(evidence, PAPER_POLICY), RIVALS):
        theirs = paths_of(evidence, paths.first.info.id, rival)
        for arm in paths.suboptimal:
            fair = ((~one.unfair[:, :, arm]).mean(axis=0) for one in (paths, theirs))
            pair = paired_difference(*fair)
            fields = paths.about(arm, rival=rival, p_holds=pair.p_greater, p_fails=pair.p_less)
            found.append(parts.above(pair.difference.interval, 0.0, 1.0, **fields))
    yield from map(parts.unless_negligible, parts.by_p_values(found))


REVERSED = 0.05
"""Share of replicates, or fall of a probability, that is let pass."""


def _fall(paths: Paths) -> parts.Part:
    fields = paths.about(quantity="largest fall of P(fair) of an arm")
    if paths.short.shape[1] < 2:
        return parts.unknown("one replicate", **fields)
    unfair = paths.unfair.astype(np.float64)
    # P(fair) falls where its negative rises.
    fall = float(largest_rise(-(1 - unfair.mean(axis=1).T)).max())
    rises = resampled_rises(unfair).max(axis=1)
    low, high = np.quantile(rises, TAILS)
    part = parts.below((fall, low, high), REVERSED, **fields)
    return part if unfair.any() else parts.irrelevant(part, "all arms are fair at every η")


def _nesting(paths: Paths) -> dict[str, Any]:
    fair = ~paths.unfair[:-1]
    lost = fair & paths.unfair[1:]
    return {
        "label": paths.first.info.label,
        "policy": paths.first.policy,
        "nested": float((~lost.any(axis=(0, 2))).mean()),
        "steps": float(lost.sum() / fair.sum()) if fair.any() else 0.0,
    }


@claim(
    "C32",
    where="section 5, connections to the statistical literature; Figure 2",
    statement="The set of fair arms grows with the penalty rate: no arm that is fair at some A is "
    "unfair at a larger one.",
    rule="An arm (of each case) holds if the share of replicates in which it is fair at some A "
    "and unfair at the next is below 0.05, fails if above (Wilson interval); an arm that never "
    "changes counts for nothing. P(fair) holds if no arm's falls with A by 0.05 (isotonic fit, "
    "bootstrap interval). The number of fair arms holds if it is larger at the largest A than at "
    "the smallest (paired t-interval). All by the whole 95 % interval.",
    quantity="share of replicates in which a fair arm turns unfair as A grows, or fall of P(fair), "
    "for the worst arm",
    plain="a higher penalty takes no arm's share away",
)
def nested_sets(evidence: Evidence) -> Measured:
    ours, others = [], []
    rivals = [p for p in RIVALS if p in evidence.section(SETTING).policies]
    for paths in all_paths(evidence, PAPER_POLICY):
        lost = ~paths.unfair[:-1] & paths.unfair[1:]
        for arm in paths.suboptimal:
            fields = paths.about(arm, quantity="leaving the set")
            part = parts.frequency(lost[:, :, arm].any(axis=0), most=REVERSED, **fields)
            unfair = paths.unfair[:, :, arm]
            same = unfair.all() or not unfair.any()
            yield parts.irrelevant(part, "the same at every η in every replicate") if same else part
        yield _fall(paths)
        fair = (~paths.unfair).sum(axis=2)
        gained = paired_difference(fair[-1], fair[0]).difference
        ends = {"first": float(paths.scale[0]), "last": float(paths.scale[-1])}
        fields = paths.about(quantity="growth of the set", values=ends)
        part = parts.above(gained.interval, 0.0, paths.gaps.size, **fields)
        part = replace(part, status="fails") if gained.high == 0 else part
        yield part if paths.suboptimal.size else parts.irrelevant(part, "no suboptimal arm")
        ours.append(_nesting(paths))
        others += [_nesting(paths_of(evidence, paths.first.info.id, p)) for p in rivals]
    yield {"ours": ours, "others": others}
