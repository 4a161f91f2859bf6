"""Figure 2: unfairness of each arm along the scale η, and the sets of fair arms (section 5)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from typing import Any

import numpy as np

from penalized_bandits.common.numbers import TAILS, percent
from penalized_bandits.common.typing import BoolArray, FloatArray, IntArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import resampled_means
from penalized_bandits.theory.fluid import break_points
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, Place, place_of
from penalized_replication.claims.horizon_series import bandit_at, whole_levels
from penalized_replication.claims.rules import Above, Below, More, Within
from penalized_replication.storage.replicates import Outcome

SETTING = "setting_2"
ROUNDING = 1e-9
ORDER = "share of replicates in which it turns unfair before the next"
RISES = "largest rise of unfairness with A (pulls)"
LEAVING, FALL = "leaving the set", "largest fall of P(fair) of an arm"
GROWTH = "growth of the set"
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

    def place(self, arm: int | None = None, *, quantity: str = "", rival: str = "") -> Place:
        """Return the place of a comparison about the case, or one of its arms (from 0)."""
        arm = None if arm is None else int(arm) + 1
        return place_of(self.first, quantity=quantity, rival=rival, arm=arm, horizon=False)

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
        first, last = 2 * self.scale[0] - self.scale[1], 2 * self.scale[-1] - self.scale[-2]
        longer = np.concatenate([[first], self.scale, [last]])
        return ((longer[1:] + longer[:-1]) / 2)[self.last_unfair + 1]


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


def _one_by_one(paths: Paths) -> Measured:
    step = np.diff(paths.scale).max()
    for small, large in pairwise(np.unique(paths.gaps[paths.suboptimal]).tolist()):
        later, earlier = paths.gaps == small, paths.gaps == large
        place = paths.place(int(np.argmax(earlier)), quantity=ORDER)
        latest = paths.last_unfair[:, later].max(axis=1)
        first = paths.last_unfair[:, earlier].min(axis=1)
        # Both fair, or both unfair, on the whole grid: their order is not visible.
        visible = (latest != first) | ((latest >= 0) & (latest < len(paths.scale) - 1))
        hidden, near = 1 - visible.mean(), large - small < step - ROUNDING
        made = Measurement(first > latest, place, values={"small": small, "large": large})
        unseen = f"neither changes on the grid in {percent(hidden)} of replicates"
        made = made.undecided(unseen, when=hidden > 0)
        yield made.undecided(f"gaps nearer than the grid's step {step:g}", when=near)
    rises, resampled = largest_rise(paths.short.mean(axis=1).T), resampled_rises(paths.short)
    levels, single = paths.first.fairness * paths.first.horizon, paths.short.shape[1] < 2
    for arm in paths.suboptimal:
        place, values = paths.place(arm, quantity=RISES), {"gap": float(paths.gaps[arm])}
        interval = rises[arm], *np.quantile(resampled[:, arm], TAILS)
        made = Measurement(interval, place, unit=float(levels[arm]), values=values)
        fair = not (single or paths.unfair[:, :, arm].any())
        made = made.silent("fair at every η in every replicate", when=fair)
        yield made.undecided("one replicate", when=single)


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
    {
        ORDER: Above(
            0.9,
            of="share of replicates in which the larger one's arm turns unfair at a larger η",
            over="For each two neighbouring gaps that differ by a step of the grid or more",
        ),
        RISES: Below(
            0.01,
            of="largest rise of its mean unfairness with A (pulls)",
            over="For each suboptimal arm that is unfair at some η",
            times="τ_k T",
        ),
    },
)
def one_by_one(evidence: Evidence) -> Measured:
    cases = [paths for paths in all_paths(evidence, PAPER_POLICY) if paths.suboptimal.size]
    for paths in cases:
        yield from _one_by_one(paths)
    yield {"concordances": {paths.first.info.label: _concordance(paths) for paths in cases}}


@claim(
    "C26P",
    Within(
        -0.5,
        0.5,
        centre=0.0,
        of="mean η at which it turns unfair (midway between the largest at which it lacks a whole "
        "pull and the next)",
        over="For each suboptimal arm",
        times="the grid step",
        around="the fluid prediction",
        rounding=ROUNDING,
    ),
)
def predicted_break_points(evidence: Evidence) -> Measured:
    offsets: list[float] = []
    for paths in all_paths(evidence, PAPER_POLICY):
        predicted = break_points(paths.first.means[0], paths.first.fairness, paths.first.horizon)
        for arm in paths.suboptimal:
            points, fluid = paths.break_points[:, arm], float(predicted[arm])
            measured, gap = float(points.mean()), float(paths.gaps[arm])
            offsets.append(measured - gap)
            about: dict[str, Any] = {"measured": measured, "predicted": fluid, "asymptote": gap}
            about |= {"origin": fluid, "unit": float(np.diff(paths.scale).max())}
            yield Measurement(points, paths.place(arm), **about)
    yield {"offsets": [min(offsets), max(offsets)] if offsets else []}


@claim(
    "C27",
    Above(
        0.5,
        of="share of replicates in which the arm lacks a whole pull of ⌊τ_k T⌋",
        over="For each policy, case and suboptimal arm, at the largest η below 1, where the tuning "
        "is a pull or more",
    ),
)
def all_at_once(evidence: Evidence) -> Measured:
    lasting, eta, hard = [], 1.0, dict[str, int]()
    for paths in (paths for policy in RIVALS for paths in all_paths(evidence, policy)):
        first, at = paths.first, int(np.flatnonzero(paths.scale < 1)[-1])
        lacks, levels = paths.short[at].mean(axis=0), first.fairness * first.horizon
        eta = float(paths.scale[at])
        for arm in paths.suboptimal:
            values = {"eta": eta, "lacks": float(lacks[arm]), "level": float(levels[arm])}
            made = Measurement(paths.unfair[at, :, arm], paths.place(arm), values=values)
            rounding = "the tuning is below one pull: rounding only"
            yield made.undecided(rounding, when=paths.tuning[at] < 1)
        # The arms (from 1) that are fair there, and the largest eta at which each is not.
        unfair = paths.unfair.mean(axis=1) > 0.5
        fair = [arm for arm in paths.suboptimal if not unfair[at, arm]]
        until = {str(k + 1): max(paths.scale[unfair[:, k]].tolist(), default=None) for k in fair}
        if until:
            lasting.append({"label": first.info.label, "policy": first.policy, "until": until})
    ran = PAPER_POLICY in evidence.section(SETTING).policies
    for paths in all_paths(evidence, PAPER_POLICY) if ran else ():
        unfair = paths.unfair[paths.scale < 1][-1].mean(axis=0)
        hard[paths.first.info.label] = int((unfair > 0.5).sum())
    yield {"eta": eta, "lasting": lasting, "hard": hard}


@claim(
    "C52",
    More(
        of="share at which it is fair, hard threshold minus rival,",
        over="Of the whole scale η, for each case, suboptimal arm and rival",
        scale="the scale",
    ),
)
def wider_range(evidence: Evidence) -> Measured:
    for paths, rival in product(all_paths(evidence, PAPER_POLICY), RIVALS):
        theirs = paths_of(evidence, paths.first.info.id, rival)
        for arm in paths.suboptimal:
            pair = tuple((~each.unfair[:, :, arm]).mean(axis=0) for each in (paths, theirs))
            yield Measurement(pair, paths.place(arm, rival=rival), scale=1.0)


def _changes(paths: Paths) -> Measured:
    """Yield how the set of fair arms changes along the scale: arms that leave it, and its size."""
    lost, unfair = ~paths.unfair[:-1] & paths.unfair[1:], paths.unfair.astype(np.float64)
    for arm in paths.suboptimal:
        made = Measurement(lost[:, :, arm].any(axis=0), paths.place(arm, quantity=LEAVING))
        same = np.ptp(unfair[:, :, arm]) == 0
        yield made.silent("the same at every η in every replicate", when=same)
    # P(fair) falls where its negative rises.
    fall = largest_rise(-(1 - unfair.mean(axis=1).T)).max()
    interval = fall, *np.quantile(resampled_rises(unfair).max(axis=1), TAILS)
    made, single = Measurement(interval, paths.place(quantity=FALL)), paths.short.shape[1] < 2
    made = made.silent("all arms are fair at every η", when=not (single or unfair.any()))
    yield made.undecided("one replicate", when=single)
    fair = (~paths.unfair).sum(axis=2).astype(np.float64)
    values = {"first": float(paths.scale[0]), "last": float(paths.scale[-1])}
    place, scale = paths.place(quantity=GROWTH), float(paths.gaps.size)
    made = Measurement(fair[-1] - fair[0], place, scale=scale, values=values)
    made = made.silent("all arms are fair at every η", when=not unfair.any())
    yield made.silent("no suboptimal arm", when=not paths.suboptimal.size)


def _nesting(paths: Paths) -> dict[str, Any]:
    first, fair = paths.first, ~paths.unfair[:-1]
    lost = fair & paths.unfair[1:]
    nested, steps = float((~lost.any(axis=(0, 2))).mean()), float(lost.sum() / max(fair.sum(), 1))
    return {"label": first.info.label, "policy": first.policy, "nested": nested, "steps": steps}


@claim(
    "C32",
    {
        LEAVING: Below(
            0.05,
            of="share of replicates in which the arm is fair at some A and unfair at the next",
            over="For each suboptimal arm that is not the same at every η",
        ),
        FALL: Below(
            0.05,
            of="largest fall of an arm's probability of being fair, as A grows,",
            over="In each case with an arm unfair at some η",
        ),
        GROWTH: Above(0.0, of="number of fair arms, largest A minus least,", over="In each case"),
    },
)
def nested_sets(evidence: Evidence) -> Measured:
    ours, others = [], []
    rivals = [p for p in RIVALS if p in evidence.section(SETTING).policies]
    for paths in all_paths(evidence, PAPER_POLICY):
        yield from _changes(paths)
        ours.append(_nesting(paths))
        others += [_nesting(paths_of(evidence, paths.first.info.id, p)) for p in rivals]
    yield {"ours": ours, "others": others}
