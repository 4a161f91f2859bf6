"""Growth laws, held against the fluid prediction: measured over predicted, horizon by horizon.

The prediction (:mod:`penalized_bandits.theory.fluid`) has no parameter, and its limits are
known exactly (:mod:`penalized_bandits.theory.limits`).  A quantity that agrees with it at every
horizon follows its law; what lies beyond the largest horizon rests on the prediction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.claims.base import Part, nothing_known, within
from penalized_bandits.claims.measures.regret import regret_of
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.exploration import Exploration
from penalized_bandits.typing import FloatArray

ON_AVERAGE = 0.03
"""How far the mean over horizons of measured over predicted may be from 1."""
AT_EACH = 0.1
"""How far it may be from 1 at any horizon."""
FEWEST = 3
"""Horizons that a law takes."""

RULE = (
    f"(a) the mean over horizons of measured over predicted is within {ON_AVERAGE:.0%} of 1, and "
    f"(b) at every horizon it is within {AT_EACH:.0%} (Bonferroni over horizons): each holds if "
    "its whole 95 % interval is, and fails if none of it is."
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
        return np.array([np.mean(wanted) for wanted in self.predicted])


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


def agreement(track: Track, scale: FloatArray | float = 1.0, limit: float = np.nan) -> list[Part]:
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
    from scipy.special import stdtrit

    average, each = f"{track.name}: on average", f"{track.name}: at the horizon furthest off"
    if len(track.horizons) < FEWEST:
        why = f"{len(track.horizons)} horizons: a law takes {FEWEST}"
        return [nothing_known(name, why) for name in (average, each)]
    value, error = track.ratios()
    m, freedom = value.size, min(seen.size for seen in track.measured) - 1
    quantile = partial(stdtrit, max(freedom, 1))
    half = float(quantile(0.975)) * float(np.sqrt((error**2).sum())) / m
    mean = float(value.mean())
    first = within(
        average, mean, mean - half, mean + half, 1 - ON_AVERAGE, 1 + ON_AVERAGE, limit=1.0
    )
    widened = float(quantile(1 - 0.025 / m)) * error
    worst = int(np.argmax(np.abs(value - 1) + widened))
    second = within(
        each,
        float(value[worst]),
        float(value[worst] - widened[worst]),
        float(value[worst] + widened[worst]),
        1 - AT_EACH,
        1 + AT_EACH,
        limit=1.0,
    )
    by = np.broadcast_to(scale, value.shape)
    seen, wanted = float(track.measured[-1].mean() * by[-1]), float(track.curve[-1] * by[-1])
    says = f"at T = {track.horizons[-1]:.0f} measured {seen:.4g}, predicted {wanted:.4g}"
    if not np.isnan(limit):
        says += f", limit {limit:.4g} as T → ∞"
    return [
        replace(first, detail=says),
        replace(second, detail=f"at T = {track.horizons[worst]:.0f}"),
    ]


def rivals_noticed(track: Track) -> dict[str, float]:
    """Return how often the rule would notice a rival law, at the errors of the run.

    Each rival is c g(T), with the c that fits the predicted curve best over the same horizons
    (least squares in logarithms); noticed means that one of the two parts does not hold.
    """
    from scipy.special import ndtr, ndtri

    log = np.log(track.horizons)
    rivals = {
        "log² T": 2 * np.log(log),
        "(log T)^1.5": 1.5 * np.log(log),
        "log T log log T": np.log(log) + np.log(np.log(log)),
        "T^0.2": 0.2 * log,
    }
    _, error = track.ratios()
    m = log.size
    wide = float(ndtri(1 - 0.025 / m)) * error
    found = {}
    for name, shape in rivals.items():
        apart = shape - np.log(track.curve)
        truth = np.exp(apart - apart.mean())
        each = ndtr((1 + AT_EACH - truth - wide) / error) - ndtr(
            (1 - AT_EACH - truth + wide) / error
        )
        of_mean = float(np.sqrt((error**2).sum())) / m
        room = ON_AVERAGE - float(ndtri(0.975)) * of_mean
        off = float(truth.mean()) - 1
        on_average = ndtr((room - off) / of_mean) - ndtr((-room - off) / of_mean)
        # The average hardly depends on the one horizon that decides the other part.
        kept = min(float(np.prod(np.maximum(each, 0.0))), max(float(on_average), 0.0))
        found[name] = 1 - kept
    return found


def said_of_rivals(tracks: Sequence[Track]) -> str:
    """Say how often the rule would notice each rival law, least over several quantities."""
    known = [track for track in tracks if len(track.horizons) >= FEWEST]
    if not known:
        return ""
    each = [rivals_noticed(track) for track in known]
    listed = ", ".join(f"{name} {min(one[name] for one in each):.0%}" for name in each[0])
    return (
        "At the errors of this run a rival law fitted to the same horizons would be noticed at "
        f"least this often: {listed}."
    )
