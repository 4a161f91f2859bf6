"""Growth laws, held against the fluid prediction: measured over predicted, horizon by horizon.

The prediction (:mod:`penalized_bandits.theory.fluid`) has no parameter, and its limits are
known exactly (:mod:`penalized_bandits.theory.limits`).  A quantity that agrees with it at every
horizon follows its law; what lies beyond the largest horizon rests on the prediction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.claims.base import Part, nothing_known, within
from penalized_bandits.claims.evidence import penalties_of
from penalized_bandits.claims.measures.regret import regret_of
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import NORMAL, student
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.exploration import Exploration
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of

ON_AVERAGE = 0.05
"""How far the mean over horizons of measured over predicted may be from 1: what noise shifts the
pulls of an arm by (1 % with a standard deviation of 1/2, see the prediction), and several standard
errors of the runs here (0.7 %)."""
CHANGE = 0.1
"""How much it may change over the range of horizons: log T log log T in the place of log T changes
by 18 % from 10^4 to 10^6, and every other rival by more."""
EXACT = 1e-9
"""Standard errors below this are rounding."""
FEWEST = 3
"""Horizons that a law takes."""

RULE = (
    f"holds if the mean over horizons of measured over predicted is within {ON_AVERAGE:.0%} of 1 "
    f"and a straight line through it in log T changes by less than {CHANGE:.0%} over the range, "
    "both with their whole 95 % intervals; fails if one of the two is outside with its whole "
    "interval."
)


@dataclass(frozen=True, eq=False)
class Track:
    """A quantity at increasing horizons, and what the fluid prediction has for it."""

    name: str
    horizons: FloatArray
    """Shape (m,)."""
    measured: Sequence[FloatArray]
    """Replicates at each horizon, (R,) each."""
    predicted: Sequence[FloatArray]
    """The prediction for each replicate's bandit, (R,) or one number at each horizon."""
    same_runs: bool = False
    """Whether the horizons are those of the same runs; else each has runs of its own."""

    def ratios(self) -> FloatArray:
        """Mean measured over mean predicted at each horizon, (m,)."""
        return np.array([seen.mean() for seen in self.measured]) / self.curve

    def error_of(self, weights: FloatArray) -> FloatArray:
        """Return the standard errors (n,) of weighted sums of the ratios, weights (n, m)."""
        if any(seen.size < 2 for seen in self.measured):
            return np.full(len(weights), np.inf)
        of_each = zip(self.measured, self.predicted, self.ratios(), strict=True)
        # Linearised: replicates whose bandit costs more are expected to.
        rest = [seen - ratio * wanted for seen, wanted, ratio in of_each]
        if self.same_runs:
            # Ratios of the same runs depend on each other: their sum is taken run by run.
            sums = weights / self.curve @ np.stack(rest)
            return sums.std(ddof=1, axis=1) / np.sqrt(sums.shape[1])
        errors = np.array([one.std(ddof=1) / np.sqrt(one.size) for one in rest]) / self.curve
        return np.sqrt(weights**2 @ errors**2)

    @property
    def quantile(self) -> float:
        """Standard errors in half a 95 % interval: Student's for the same runs."""
        if not self.same_runs or self.measured[0].size < 2:
            return NORMAL
        return student(self.measured[0].size)

    @property
    def curve(self) -> FloatArray:
        """The mean prediction at each horizon, (m,)."""
        return np.array([float(np.mean(wanted)) for wanted in self.predicted])


def _predicted(one: Outcome, rule: Exploration | None) -> FloatArray:
    """Return the predicted regret of each replicate's bandit; one number where all are alike."""
    # Most studies have one bandit in all replicates.
    rows = slice(0, 1) if (one.means == one.means[0]).all() else slice(None)
    bandits = one.means[rows], one.fairness, penalties_of(one)[rows]
    soft = one.policy == "soft_threshold_ucb"
    pulls = predicted_pulls(instance_of(*bandits), one.horizon, rule=rule, soft=soft)
    return penalized_regret(pulls, *bandits)


def regrets(name: str, outcomes: Sequence[Outcome], *, rule: Exploration | None = None) -> Track:
    """Return the track of penalized regret, at the horizons of the outcomes.

    The soft threshold's own prediction where the policy is ``soft_threshold_ucb``.
    """
    horizons = np.array([one.horizon for one in outcomes], dtype=np.float64)
    predicted = [_predicted(one, rule) for one in outcomes]
    # A case has the same rewards at all its horizons: they are moments of one run.
    same_runs = len({one.case for one in outcomes}) < len(outcomes)
    return Track(name, horizons, [regret_of(one) for one in outcomes], predicted, same_runs)


def agreement(
    track: Track,
    scale: FloatArray | float = 1.0,
    limit: float = np.nan,
    *,
    on_average: float = ON_AVERAGE,
    change: float = CHANGE,
) -> Part:
    """Say whether a quantity agrees with its prediction: on average and in its change with T.

    Parameters
    ----------
    track
        The quantity.
    scale
        What it is multiplied by for reading, one number or one for each horizon.
    limit
        What the scaled prediction tends to; NaN if that is not one number.
    on_average, change
        How far the ratio may be from 1 on average, and change over the range.
    """
    m = len(track.horizons)
    if m < FEWEST:
        return nothing_known(track.name, f"{m} horizons: a law takes {FEWEST}")
    value, weights = track.ratios(), _weights(track.horizons)
    (mean, slope), halves = weights @ value, track.quantile * track.error_of(weights)
    least, most = mean - halves[0], mean + halves[0]
    part = within(track.name, mean, least, most, 1 - on_average, 1 + on_average, limit=1.0)
    trend = within("", slope, slope - halves[1], slope + halves[1], -change, change)
    if trend.status == "fails" or part.status == "holds":
        part = replace(part, status=trend.status)
    by = np.broadcast_to(scale, value.shape)
    seen, wanted = float(track.measured[-1].mean() * by[-1]), float(track.curve[-1] * by[-1])
    says = f"at T = {track.horizons[-1]:.0f} measured {seen:.4g}, predicted {wanted:.4g}"
    if not np.isnan(limit):
        says += f", limit {limit:.4g} as T → ∞"
    says += f"; the ratio changes by {slope:+.1%} [{trend.low:+.1%}, {trend.high:+.1%}]"
    return replace(part, detail=says)


def _weights(horizons: FloatArray) -> FloatArray:
    """Weights (2, m) of the ratios in their mean, and in the change of a line along log T."""
    log = np.log(horizons)
    centred = log - log.mean()
    slope = centred / (centred**2).sum()
    return np.stack([np.full(log.size, 1 / log.size), slope * (log[-1] - log[0])])


def rivals_noticed(track: Track) -> dict[str, float]:
    """Return how often the rule would notice a rival law, at the errors of the run.

    Under a rival g(T) the quantity is the prediction times g(T)/log T, and times the number
    that brings it back to the prediction on average.
    """
    log = np.log(track.horizons)
    rivals = {
        "log² T": log,
        "(log T)^1.5": np.sqrt(log),
        "log T log log T": np.log(log),
        "T^0.2": np.exp(0.2 * log) / log,
    }
    weights = _weights(track.horizons)
    # Exact data have no error.
    error = np.maximum(track.error_of(weights), EXACT)
    room = np.array([ON_AVERAGE, CHANGE]) - track.quantile * error
    found = {}
    for name, factor in rivals.items():
        off = weights @ (factor / factor.mean()) - [1, 0]
        held = ndtr((room - off) / error) - ndtr((-room - off) / error)
        found[name] = 1 - float(np.prod(np.maximum(held, 0.0)))
    return found


def said_of_rivals(tracks: Sequence[Track]) -> str:
    """Say how often the rule would notice if all quantities followed a rival law."""
    known = [track for track in tracks if len(track.horizons) >= FEWEST]
    if not known:
        return ""
    each = [rivals_noticed(track) for track in known]
    listed = ", ".join(
        f"{name} {1 - float(np.prod([1 - one[name] for one in each])):.0%}" for name in each[0]
    )
    return (
        "Were there a rival law in the place of log T, the rule would notice at the errors of "
        f"this run with probability: {listed}."
    )
