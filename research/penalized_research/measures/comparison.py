"""Policies side by side: regret against the lower bound, reward below the frontier."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr

from penalized_bandits.bandit.frontier import Frontier, oracle_frontier
from penalized_bandits.bandit.regret import unfairness
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import POLICIES
from penalized_bandits.statistics.estimates import Estimate, student
from penalized_bandits.theory.limits import linear_constant, proved_constant
from penalized_bandits.theory.lower_bound import lower_constant
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.horizon_series import bandits_of, regret_of
from penalized_replication.claims.measures.comparison import (
    Curve,
    common_levels,
    interpolated,
    resampled_curves,
)
from penalized_replication.storage.replicates import Outcome

UNIT_REWARDS = "rewards in [0, 1]"
"""Of facts by law: the laws that Theorem 2 is about."""
ROUNDING = 1e-9
"""Differences below this share of a range are none."""


class Regrets(NamedTuple):
    """A policy's penalized regret in a case, as published and tuned; shape (R,) all arrays.

    The tuning is chosen on the even replicates for the odd ones, and the other way round.
    """

    published: FloatArray
    tuned: FloatArray
    chosen: str
    unfairness: FloatArray
    """As published, as a share of all levels: sum (tau_k T - N_k)+ over sum tau_k T."""


def _name_of(outcome: Outcome, runs: Sequence[Outcome]) -> str:
    """Return the name of a tuning, and whether it is at an end of those tried."""
    if outcome.scale == 1.0:
        return "as published"
    if outcome.scale is not None:
        return f"exploration x {outcome.scale:.3g}" + ("" if outcome.scale else " (greedy)")
    own = [run.tuning for run in runs if run.scale is None and run.tuning is not None]
    last = " (the last tried)" if outcome.tuning in (min(own), max(own)) else ""
    return f"tuning {outcome.tuning:.4g}{last}"


def regrets_of(evidence: Evidence, name: str, case: str, policy: str) -> Regrets:
    """Return a policy's regrets at the last horizon of a case."""
    horizon = max(evidence.section(name).horizons)
    runs = evidence.outcomes(name, case=case, policy=policy, horizon=horizon)
    as_published = next(run for run in runs if run.scale == 1.0)
    regrets = np.stack([regret_of(run) for run in runs])
    tuned = np.empty(regrets.shape[1])
    chosen = []
    for half in (0, 1):
        other = slice(1 - half, None, 2)
        best = int(np.argmin(regrets[:, half::2].mean(axis=1)))
        tuned[other] = regrets[best, other]
        chosen.append(_name_of(runs[best], runs))
    names = " / ".join(dict.fromkeys(chosen))
    short = unfairness(as_published.pulls, as_published.bandits)
    share = short / (as_published.fairness.sum() * horizon)
    return Regrets(regret_of(as_published), tuned, names, share)


def limit_over_bound(evidence: Evidence, name: str, case: str, policy: str) -> float | None:
    """Return the limit of R(T)/log T over the constant of the lower bound; None if not known.

    The geometric mean over the bandits of a case.  It is infinite where regret is linear in T:
    under the soft threshold (Theorem 4), and for policies that ignore penalty rates, which serve
    arms with Delta below and above A alike, at a cost on one of the sides (decomposition (D)).
    """
    bandit = bandits_of(evidence.outcomes(name, case=case)[0])
    if POLICIES[policy].ignores_penalties:
        return np.inf
    if policy == "soft_threshold_ucb":
        return np.inf if linear_constant(bandit).any() else None
    constant = proved_constant(policy, bandit)
    if constant is None:
        return None
    return float(np.exp(np.log(constant / lower_constant(bandit)).mean()))


class Distance(NamedTuple):
    """How far a policy's reward is below something, as a share of the frontier's range."""

    estimate: Estimate
    error: float
    """Standard error."""
    same: bool = False
    """Whether the two are the same in every resample."""

    def p_values(self, share: float) -> tuple[float, float]:
        """One-sided p-values, small where it is shown to be below by more than a share, by less."""
        excess = self.estimate.value - share
        if self.error == 0:
            return float(excess <= ROUNDING), float(-excess <= ROUNDING)
        scores = np.array([-excess, excess]) / self.error
        more, less = map(float, stdtr(self.estimate.n - 1, scores))
        return more, less


def _distance(values: FloatArray, n: int) -> Distance:
    """Return the distance of the value (first) and its resamples, with Student's t."""
    value, error = float(values[0]), float(values[1:].std()) * np.sqrt(n / (n - 1))
    if np.ptp(values) <= ROUNDING:
        return Distance(Estimate(value, value, value, n), 0.0, same=abs(value) <= ROUNDING)
    half = student(n) * error
    return Distance(Estimate(value, value - half, value + half, n), error)


def distance(ours: Curve, theirs: Curve, outcome: Outcome) -> tuple[Distance, Distance] | None:
    """Return how far a policy is below the frontier, and below the paper's hard threshold.

    Means over the nine levels of unfairness that both reach, or, for a policy with one tuning,
    at its own unfairness; as shares of the frontier's range of reward.  Errors are from a
    bootstrap of replicates, the same for both, the frontier being that of all of them.  None if
    they have no unfairness in common.
    """
    if theirs.unfairness.shape[1] == 1:
        means, level, levels = ours.unfairness.mean(axis=0), theirs.unfairness.mean(axis=0)[0], None
        error = ROUNDING * max(means.max(), 1.0)
        reached = means.min() - error <= level <= means.max() + error
    else:
        levels = common_levels([ours, theirs])
        reached = levels is not None
    frontier = oracle_frontier(outcome.bandits, outcome.horizon)
    span = float(frontier.reward[-1] - frontier.reward[0])
    if not reached or span <= 0:
        return None
    n = len(theirs.reward)
    # Reward less what the best arm would earn: instances differ in that far more.
    most = outcome.horizon * outcome.means.max(axis=1, keepdims=True)
    lowered = (Curve(curve.unfairness, curve.reward - most) for curve in (ours, theirs))
    x, y, other_x, other_y = resampled_curves(*lowered)
    # A policy with one tuning is compared at its unfairness in each resample.
    at = other_x if levels is None else levels
    of_ours, of_theirs = interpolated(x, y, at), interpolated(other_x, other_y, at)
    best = Frontier(frontier.unfairness, frontier.reward - float(most.mean())).reward_at(at)
    below, behind = ((high - of_theirs).mean(axis=1) / span for high in (best, of_ours))
    return _distance(below, n), _distance(behind, n)
