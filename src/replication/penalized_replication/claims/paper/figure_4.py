"""Figure 4: pulls against the inverse squared gap, Setting 4."""

from typing import Any

import numpy as np

from penalized_bandits.common.numbers import CONFIDENCE, TAILS
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import Estimate, resampled_means
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, place_of
from penalized_replication.claims.horizon_series import bandit_at
from penalized_replication.claims.rules import Below, Within
from penalized_replication.storage.replicates import Outcome

SETTING = "setting_4"
OFF = 0.01
"""How far from its level, as a share of it, an arm's mean must be to be off it."""
SAME_SIDE = 0.95
"""Share of replicates in which it must be on that side."""
TOLERANCE = 0.1
"""Distance from 1 at which an exponent still means proportional."""


def theil_slopes(rows: FloatArray, x: FloatArray) -> FloatArray:
    """Return the slope of rows (..., n) in x (n,), shape (...), by Theil and Sen.

    The numbers of `scipy.stats.theilslopes`, which takes one row at a time and finds an
    interval that a resample has no use for.
    """
    upper, lower = np.nonzero(x[:, None] > x)
    return np.median((rows[..., upper] - rows[..., lower]) / (x[upper] - x[lower]), axis=-1)


def elasticity(x: FloatArray, rows: FloatArray) -> tuple[Estimate, Estimate]:
    """Estimate the slope of log y in log x (n,), by Theil and Sen (median of all pairs' slopes).

    Replicates of y have shape (R, n); their means are fitted.  Return the slope with the interval
    over points: do they lie on one power law?  And with a bootstrap interval over replicates: how
    much is noise?  With one replicate it is the whole line.
    """
    from scipy import stats  # takes long to import, and few need it

    log_x, log_y = np.log(x), np.log(rows.mean(axis=0))
    with np.errstate(invalid="ignore"):
        slope, _, low, high = map(float, stats.theilslopes(log_y, log_x, alpha=CONFIDENCE))
    if np.isnan(low):
        # Ties in x and y leave the ranks no variance: only a constant is known to be one.
        low, high = (slope, slope) if (log_y == log_y[0]).all() else (-np.inf, np.inf)
    over_points, n = Estimate(slope, low, high, x.size), len(rows)
    if n == 1:
        return over_points, Estimate(slope, -np.inf, np.inf, n)
    means = resampled_means(rows)
    low, high = np.quantile(theil_slopes(np.log(means), log_x), TAILS)
    return over_points, Estimate(slope, float(low), float(high), n)


def _line_through_origin(x: FloatArray, y: FloatArray) -> dict[str, float]:
    """Return R² of y (n,) on a line in x through the origin, and numbers beside it.

    R² is beside 0, as usual without an intercept; ``about_the_mean`` is beside the mean of y, and
    ``of_square_root`` what R² would be if y were proportional to the square root of x.
    """

    def r_squared(y: FloatArray, centre: float = 0.0) -> float:
        left = y - (x * y).sum() / (x**2).sum() * x
        return float(1 - (left**2).sum() / ((y - centre) ** 2).sum())

    off_x, off_y = x - x.mean(), y - y.mean()
    square, product = (off_x**2).sum(), (off_x * off_y).sum()
    return {
        "r_squared": r_squared(y),
        "of_square_root": r_squared(np.sqrt(x)),
        "about_the_mean": r_squared(y, y.mean()),
        "correlation": float(product / np.sqrt(square * (off_y**2).sum())),
        "intercept": float(y.mean() - product / square * x.mean()),
    }


def _exponent(outcome: Outcome, side: str, *, critical: bool) -> tuple[Measurement, list[float]]:
    """Return the exponent over the n arms of a kind that are off their level.

    Critical arms are above it, non-critical ones below.  Beside it are the relative errors of their
    predicted pulls.
    """
    bandit, pulls, level = bandit_at(outcome), outcome.pulls, outcome.fairness * outcome.horizon
    mean = pulls.mean(axis=0)
    if critical:
        distance, kind = bandit.gaps, bandit.critical
        off = (mean > (1 + OFF) * level) & ((pulls > level).mean(axis=0) >= SAME_SIDE)
    else:
        distance, kind = -bandit.margins, bandit.non_critical
        off = (mean < (1 - OFF) * level) & ((pulls < level).mean(axis=0) >= SAME_SIDE)
    used, predicted = kind & off, predicted_pulls(bandit, float(outcome.horizon))
    # The best arm's radius, which the prediction adds to the distance.
    shift = float(np.sqrt(2 * np.log(outcome.horizon) / mean[np.argmax(outcome.means[0])]))
    # Columns of all arms of the kind, counted from 1, which Figure 4 draws.
    values: dict[str, Any] = {
        "arms": (np.flatnonzero(kind) + 1).tolist(),
        "used": off[kind].tolist(),
        "inverse_square": (distance[kind] ** -2.0).tolist(),
        "mean_pulls": mean[kind].tolist(),
        "predicted_pulls": predicted[kind].tolist(),
    }
    distance, predicted, rows = distance[used], predicted[used], pulls[:, used].astype(np.float64)
    mean, place = rows.mean(axis=0), place_of(outcome, horizon=False)
    errors = np.abs(predicted / mean - 1).tolist()
    if np.unique(np.round(distance, 9)).size < 3:
        reason = f"{distance.size} arms {side} the level: three of different gaps are needed"
        return Measurement(None, place, values=values).undecided(reason), errors
    x = distance**-2.0
    points, replicates = elasticity(x, rows)
    shifted = (distance + shift) ** -2.0
    values |= {
        "over_arms": [points.low, points.high],
        "predicted": float(theil_slopes(np.log(predicted), np.log(x))),
        "shifted": float(theil_slopes(np.log(mean), np.log(shifted))),
        # The power law of the figure goes through the arms as the exponent does: by the median.
        "factor": float(np.exp(np.median(np.log(mean) - points.value * np.log(x)))),
    }
    values |= _line_through_origin(x, mean)
    return Measurement(replicates.interval, place, values=values), errors


def _proportional(side: str, inverse: str) -> Within:
    return Within(
        1 - TOLERANCE,
        1 + TOLERANCE,
        of=f"exponent of N_k(T) as a power of {inverse}",
        over=f"In each panel, by Theil and Sen over the arms {side} their level τ_k T (the mean by "
        f"more than {100 * OFF:g} %, and at least {100 * SAME_SIDE:g} % of replicates; undecided "
        "with fewer than three different gaps), with a bootstrap of replicates",
        centre=1.0,
    )


@claim("C29", _proportional("below", "1/(Δ_k − A_k)²"), group="noncritical", side="below")
@claim("C30", _proportional("above", "1/Δ_k²"), group="critical", side="above")
def proportional_pulls(evidence: Evidence, group: str, side: str) -> Measured:
    errors: list[float] = []
    for outcome in evidence.outcomes(SETTING, policy=PAPER_POLICY):
        if outcome.info.group == group:
            exponent, of_arms = _exponent(outcome, side, critical=group == "critical")
            yield exponent
            errors += of_arms
    yield {"errors": errors, "tolerance": TOLERANCE}


@claim(
    "C35",
    Below(
        0.05,
        of="relative error of the predicted pulls",
        over="In each panel, for the arm predicted worst",
    ),
)
def fluid_prediction(evidence: Evidence) -> Measured:
    for outcome in evidence.outcomes(SETTING, policy=PAPER_POLICY):
        predicted = predicted_pulls(bandit_at(outcome), outcome.horizon)
        errors = np.abs(outcome.pulls.mean(axis=0) - predicted) / predicted
        arm = int(np.argmax(errors))
        error = outcome.pulls[:, arm] / predicted[arm] - 1
        size = error * np.copysign(1.0, error.mean())
        yield Measurement(size, place_of(outcome, arm=arm + 1, horizon=False))
