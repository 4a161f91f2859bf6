"""Paths of Figure 2: each arm's unfairness along the scale eta, by replicate."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from penalized_bandits.common.typing import BoolArray, FloatArray, IntArray
from penalized_bandits.statistics.estimates import resampled_means
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.horizon_series import bandit_at, whole_levels
from penalized_replication.claims.parts import Fields
from penalized_replication.statistics.paths import largest_rise
from penalized_replication.storage.replicates import Outcome

SETTING = "setting_2"
ROUNDING = 1e-9


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

    def about(self, arm: int | None = None, **fields: Any) -> Fields:
        """Return the fields of a part that is about the case, or one of its arms (from 0)."""
        case, policy = self.first.info, self.first.policy
        fields |= {"case": case.id, "label": case.label, "policy": policy}
        return fields if arm is None else fields | {"arm": int(arm) + 1}

    @property
    def unfair(self) -> BoolArray:
        """Whether an arm lacks at least one whole pull, shape (m, R, K)."""
        return self.short >= 1

    @property
    def lost(self) -> BoolArray:
        """Whether a fair arm turns unfair at a step up of the scale, shape (m - 1, R, K)."""
        return ~self.unfair[:-1] & self.unfair[1:]

    @property
    def levels(self) -> FloatArray:
        """tau_k T, shape (K,)."""
        return self.first.fairness * self.first.horizon

    @property
    def gaps(self) -> FloatArray:
        """Delta_k, equal where they differ by rounding only, shape (K,)."""
        return np.round(bandit_at(self.first).gaps, 9)

    @property
    def suboptimal(self) -> IntArray:
        """Arms with Delta_k > 0, from 0."""
        return np.flatnonzero(self.gaps > 0)

    @property
    def step(self) -> float:
        """Largest distance of neighbouring values of eta."""
        return float(np.diff(self.scale).max())

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
    first = runs[0]
    scale, tuning = np.array([(run.scale, run.tuning) for run in runs], dtype=np.float64).T
    short = np.stack([np.maximum(whole_levels(first) - run.pulls, 0.0) for run in runs])
    return Paths(first, scale, tuning, short)


def all_paths(evidence: Evidence, policy: str) -> Iterator[Paths]:
    """Yield the outcomes of a policy along the scale in each case."""
    for case in evidence.cases(SETTING):
        yield paths_of(evidence, case, policy)


def resampled_rises(values: FloatArray) -> FloatArray:
    """Return the largest rise of the mean path in B resamples; (m, R, K) gives (B, K)."""
    m, n, n_arms = values.shape
    rows = np.moveaxis(values, 0, 2).reshape(n, n_arms * m)
    return largest_rise(resampled_means(rows).reshape(-1, n_arms, m))
