"""Growth laws, held against the fluid prediction: measured over predicted, horizon by horizon.

The prediction (:mod:`penalized_bandits.theory.fluid`) has no parameter, and its limits are
known exactly (:mod:`penalized_bandits.theory.limits`).  A quantity that agrees with it at every
horizon follows its law; what lies beyond the largest horizon rests on the prediction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr, ndtri

from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.claims.base import Part, nothing_known, within
from penalized_bandits.claims.measures.regret import regret_of
from penalized_bandits.statistics.estimates import NORMAL
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.exploration import Exploration
from penalized_bandits.typing import FloatArray

ON_AVERAGE = 0.05
"""How far the mean over horizons of measured over predicted may be from 1: what noise shifts the
pulls of an arm by (1 % with a standard deviation of 1/2, see the prediction), and several standard
errors of the runs here (0.7 %)."""
AT_EACH = 0.1
"""How far it may be from 1 at any horizon."""
FEWEST = 3
"""Horizons that a law takes."""

RULE = (
    f"holds if the mean over horizons of measured over predicted is within {ON_AVERAGE:.0%} of 1, "
    f"and at every horizon within {AT_EACH:.0%} (Bonferroni over horizons), with the whole 95 % "
    "intervals; fails if one of the two is outside with its whole interval."
)


@dataclass(frozen=True, eq=False)
class Track:
    """A quantity at increasing horizons, and what the fluid prediction has for it."""

    name: str
    horizons: FloatArray
    """Shape (m,)."""
    measured: Sequence[FloatArray]
    """Replicates at each horizon, (R,) each, independent from horizon to horizon."""
    predicted: Sequence[FloatArray]
    """The prediction for each replicate's bandit, (R,) or one number at each horizon."""

    def ratios(self) -> tuple[FloatArray, FloatArray]:
        """Mean measured over mean predicted at each horizon, and its standard error."""
        value, error = np.empty(len(self.horizons)), np.empty(len(self.horizons))
        for i, (seen, wanted) in enumerate(zip(self.measured, self.predicted, strict=True)):
            mean = float(np.mean(wanted))
            value[i] = seen.mean() / mean
            # Linearised: replicates whose bandit costs more are expected to.
            rest = seen - value[i] * wanted
            error[i] = rest.std(ddof=1) / np.sqrt(seen.size) / mean if seen.size > 1 else np.inf
        return value, error

    @property
    def curve(self) -> FloatArray:
        """The mean prediction at each horizon, (m,)."""
        return np.array([float(np.mean(wanted)) for wanted in self.predicted])


def regrets(name: str, outcomes: Sequence[Outcome], *, rule: Exploration | None = None) -> Track:
    """Return the track of penalized regret, at the horizons of the outcomes.

    The soft threshold's own prediction where the policy is ``soft_threshold_ucb``.
    """
    from penalized_bandits.theory.fluid import predicted_pulls

    predicted = []
    for one in outcomes:
        assert one.penalties is not None  # noqa: S101
        # Most studies have one bandit in all replicates.
        rows = slice(0, 1) if (one.means == one.means[0]).all() else slice(None)
        bandit = (one.means[rows], one.fairness, one.penalties[rows])
        soft = one.policy == "soft_threshold_ucb"
        pulls = predicted_pulls(*bandit, one.horizon, rule=rule, soft=soft)
        predicted.append(penalized_regret(pulls, *bandit))
    horizons = np.array([one.horizon for one in outcomes], dtype=np.float64)
    return Track(name, horizons, [regret_of(one) for one in outcomes], predicted)


def agreement(track: Track, scale: FloatArray | float = 1.0, limit: float = np.nan) -> Part:
    """Say whether a quantity agrees with its prediction: on average, and at each horizon.

    Parameters
    ----------
    track
        The quantity.
    scale
        What it is multiplied by for reading, one number or one for each horizon.
    limit
        What the scaled prediction tends to; NaN if that is not one number.
    """
    m = len(track.horizons)
    if m < FEWEST:
        return nothing_known(track.name, f"{m} horizons: a law takes {FEWEST}")
    value, error = track.ratios()
    half, widened = _halves(error)
    mean = float(value.mean())
    part = within(
        track.name, mean, mean - half, mean + half, 1 - ON_AVERAGE, 1 + ON_AVERAGE, limit=1.0
    )
    low, high = value - widened, value + widened
    if ((low > 1 + AT_EACH) | (high < 1 - AT_EACH)).any():
        part = replace(part, status="fails")
    elif part.status == "holds" and ((low < 1 - AT_EACH) | (high > 1 + AT_EACH)).any():
        part = replace(part, status="undecided")
    by = np.broadcast_to(scale, value.shape)
    seen, wanted = float(track.measured[-1].mean() * by[-1]), float(track.curve[-1] * by[-1])
    says = f"at T = {track.horizons[-1]:.0f} measured {seen:.4g}, predicted {wanted:.4g}"
    if not np.isnan(limit):
        says += f", limit {limit:.4g} as T → ∞"
    worst = int(np.argmax(np.abs(value - 1)))
    says += f"; the ratio is furthest from 1 at T = {track.horizons[worst]:.0f}: {value[worst]:.3f}"
    return replace(part, detail=says)


def _halves(error: FloatArray) -> tuple[float, FloatArray]:
    """Half the interval of the mean over horizons, and of each horizon (Bonferroni)."""
    of_mean = float(np.sqrt((error**2).sum())) / error.size
    return NORMAL * of_mean, float(ndtri(1 - 0.025 / error.size)) * error


def rivals_noticed(track: Track) -> dict[str, float]:
    """Return how often the rule would notice a rival law, at the errors of the run.

    Each rival is c g(T), with the c that fits the predicted curve best over the same horizons
    (least squares in logarithms).
    """
    log = np.log(track.horizons)
    rivals = {
        "log² T": 2 * np.log(log),
        "(log T)^1.5": 1.5 * np.log(log),
        "log T log log T": np.log(log) + np.log(np.log(log)),
        "T^0.2": 0.2 * log,
    }
    _, error = track.ratios()
    half, widened = _halves(error)
    found = {}
    for name, shape in rivals.items():
        apart = shape - np.log(track.curve)
        truth = np.exp(apart - apart.mean())
        each = _inside(truth, AT_EACH - widened, error)
        average = _inside(np.array([truth.mean()]), ON_AVERAGE - half, np.array([half / NORMAL]))
        # Both must hold; the average is decided by hardly more than the ratios themselves.
        found[name] = 1 - min(float(np.prod(each)), float(average[0]))
    return found


def _inside(truth: FloatArray, room: FloatArray | float, error: FloatArray) -> FloatArray:
    """Return the chance that an estimate is within some room of 1."""
    return np.maximum(ndtr((1 + room - truth) / error) - ndtr((1 - room - truth) / error), 0.0)


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
        "Were the law another, fitted to the prediction over the same horizons, the rule would "
        f"notice at the errors of this run with probability: {listed}."
    )
