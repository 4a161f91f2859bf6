"""The law that a quantity follows, chosen by predicting held-out horizons.

*Score.*  Each law is fitted to the smaller horizons.  Its score is the log density of the
held-out means under a normal law (joint over the held-out horizons) around its predictions,
whose variance is that of the means plus that of the fit, by standard errors alone.  The plateau
is a constant, unless the smaller horizons reject b = 0 in a - b/sqrt(T) (95 %): then it is that.

*Clearly better.*  A law is clearly better than another if its score leads by log 19 or more, and
if it also leads in 95 % of resamples (`Measurements.resampled`).  Weights and variances stay
those of the data.

*Who may win.*  Log: if the interval of its slope over all horizons is above 0.  Power: if the
interval of its exponent over all horizons is above ``smallest_exponent``, and that of its size
above 0.  Plateau: always.  (Intervals are widened on misfit, see
:mod:`penalized_bandits.statistics.least_squares`.)

*Who must be beaten.*  Log: unless its growth b log(T_m/T_1) is at most the tolerance, with its
whole interval.  Power: unless the whole interval of its exponent is at most
``smallest_exponent``: such a law is log T by another name, it neither wins nor stops log T from
winning.  A power law with a wide interval cannot win but must be beaten, as must one that could
not be fitted.  Plateau: always.

*Decision.*  The law that may win and is clearly better than all others that must be beaten.
Failing this, ``plateau`` if the growth is within the tolerance (its whole interval, so that
noise alone never makes a plateau; a quantity that falls does not grow) and neither of the
others, if it may win, is clearly better.  Else ``undecided``.

*Exact data.*  A score is -h log(root mean square of the h errors), errors below 1e-9 of the
largest mean being rounding, and clearly better is half the error.  Which law is the nearest is
then a matter of approximation, not of chance.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import Estimate
from penalized_bandits.statistics.fits import (
    fit_log,
    fit_plateau,
    fit_power,
    log_design,
    plateau_design,
    power_curve,
    power_jacobian,
    reference_of,
    search_power,
    start_of_search,
)
from penalized_bandits.statistics.least_squares import EXACT, influence_of
from penalized_bandits.statistics.measurements import FEWEST_HORIZONS, Measurements

Law: TypeAlias = Literal["plateau", "log", "power"]
Decision: TypeAlias = Literal["plateau", "log", "power", "undecided"]

LAWS: tuple[Law, ...] = ("plateau", "log", "power")
MARGIN = math.log(19.0)
"""Lead in log predictive density that decides: 95 % against 5 % at equal prior odds."""
SHARE = 0.95
"""Share of resamples in which the lead must have the same sign."""
CLEARLY_NEARER = 2.0
"""Ratio of held-out errors that decides between laws where the data are exact."""
APPROACH_RATE = 0.5
"""The q of a - b/T^q where a plateau is approached."""


@dataclass(frozen=True, eq=False)
class Forecast:
    """Quality of a law's predictions of the held-out means."""

    score: float
    """Log predictive density of the held-out means (exact data: see the head of the module)."""
    errors: FloatArray
    """Held-out mean minus prediction, in standard errors of that difference (exact data: in
    the quantity's own units)."""
    drawn: FloatArray
    """Scores in resamples, (B,); NaN where the law could not be fitted to one."""


@dataclass(frozen=True, eq=False)
class LawChoice:
    """The law that predicts the held-out horizons best, and whether that is decided."""

    decision: Decision
    best: Law
    """The law with the highest score, whether or not that decides anything."""
    forecasts: Mapping[Law, Forecast]
    """Of the laws that could be fitted to the smaller horizons."""
    growth: Estimate
    """b log(T_m/T_1) of the log law over all horizons: how much the quantity grows."""
    allowed_growth: float
    """Growth up to which the quantity counts as a plateau."""


@dataclass(frozen=True, eq=False)
class _Split:
    """Data of which the largest horizons are to be predicted."""

    data: Measurements
    train: Measurements
    draws: FloatArray
    """Resampled means at all horizons, (B, m); of no use where the data are exact."""

    @property
    def held(self) -> FloatArray:
        """The held-out horizons, (h,)."""
        return self.data.horizons[self.train.mean.size :]

    def parts(self, means: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the smaller horizons' means (..., m - h) and the held-out ones (..., h)."""
        return means[..., : self.train.mean.size], means[..., self.train.mean.size :]

    def forecast(
        self,
        errors: FloatArray,
        drawn: FloatArray,
        train_jacobian: FloatArray,
        held_jacobian: FloatArray,
    ) -> Forecast:
        """Score prediction errors: (h,) of the data and (B, h) of the resamples."""
        from scipy.stats import multivariate_normal  # takes long to import

        if self.data.exact:
            error = max(math.sqrt(float(np.mean(errors**2))), EXACT * self.data.size)
            score = -errors.size * math.log(error) if error > 0 else math.inf
            return Forecast(score, errors, np.empty(0))
        # The error of prediction is linear in the means of all horizons, so its variance
        # takes in both the fit and the held-out means.
        influence = influence_of(train_jacobian, self.train.errors)
        difference = np.hstack([-held_jacobian @ influence, np.eye(errors.size)])
        spread = difference @ self.data.covariance @ difference.T
        # Errors of very different size can leave no variance in some direction.
        spread += 1e-8 * float(np.diag(spread).mean()) * np.eye(errors.size)
        normal: Any = multivariate_normal
        density = normal(np.zeros(errors.size), spread)
        usable = np.isfinite(drawn).all(axis=1)
        scores = np.full(len(drawn), np.nan)
        scores[usable] = np.atleast_1d(density.logpdf(drawn[usable]))
        return Forecast(float(density.logpdf(errors)), errors / np.sqrt(np.diag(spread)), scores)

    def linear(self, train: FloatArray, held: FloatArray) -> Forecast:
        """Forecast by a law with these columns at the smaller and at the held-out horizons."""
        predict = held @ influence_of(train, self.train.errors)

        def errors(means: FloatArray) -> FloatArray:
            smaller, larger = self.parts(means)
            return larger - smaller @ predict.T

        return self.forecast(errors(self.data.mean), errors(self.draws), train, held)

    def plateau(self) -> Forecast:
        """Forecast by a plateau: training horizons alone decide whether it is approached."""
        approach = fit_plateau(self.train, APPROACH_RATE).approach
        flat = approach is None or approach.low <= 0 <= approach.high
        rate = None if flat else APPROACH_RATE
        return self.linear(
            plateau_design(self.train.horizons, rate), plateau_design(self.held, rate)
        )

    def power(self) -> Forecast | None:
        """Forecast by a power law; None if the smaller horizons have none."""
        reference, ratio = reference_of(self.train.horizons)
        held_ratio, weights = np.log(self.held / reference), self.train.errors
        start = start_of_search(ratio, self.train.mean, weights)
        best = search_power(ratio, self.train.mean, weights, start)
        if isinstance(best, str):
            return None

        def errors(means: FloatArray) -> FloatArray:
            smaller, larger = self.parts(means)
            found = search_power(ratio, smaller, weights, best)
            if isinstance(found, str):
                return np.full(larger.size, np.nan)
            return larger - power_curve(held_ratio, *found)

        drawn = np.array([errors(means) for means in self.draws])
        return self.forecast(
            self.parts(self.data.mean)[1] - power_curve(held_ratio, *best),
            drawn.reshape(len(self.draws), self.held.size),
            power_jacobian(ratio, *best),
            power_jacobian(held_ratio, *best),
        )

    def forecasts(self) -> dict[Law, Forecast]:
        """Forecast by each law that can be fitted."""
        log = self.linear(log_design(self.train.horizons), log_design(self.held))
        found: dict[Law, Forecast] = {"plateau": self.plateau(), "log": log}
        by_power = self.power()
        return found if by_power is None else {**found, "power": by_power}


@dataclass(frozen=True, eq=False)
class ModelSelection:
    """Selection of a law by its forecasts."""

    forecasts: Mapping[Law, Forecast]
    exact: bool
    eligible: Mapping[Law, bool]
    must_be_beaten: Mapping[Law, bool]

    def clearly_better(self, law: Law, rival: Law) -> bool:
        """Return whether one law predicts clearly better than another."""
        if not {law, rival} <= self.forecasts.keys():
            return False
        first, second = self.forecasts[law], self.forecasts[rival]
        lead = 0.0 if first.score == second.score else first.score - second.score
        if self.exact:
            return lead >= first.errors.size * math.log(CLEARLY_NEARER)
        # A resample without a power law speaks for nobody: it is not a win.
        return lead >= MARGIN and float(np.mean(first.drawn > second.drawn)) >= SHARE

    def wins(self, law: Law) -> bool:
        """Whether a law may win and clearly clearly_better all others that must be beaten."""
        rivals: list[Law] = [other for other in LAWS if other != law and self.must_be_beaten[other]]
        beaten = bool(rivals) and all(self.clearly_better(law, rival) for rival in rivals)
        return self.eligible[law] and beaten

    def decide(self) -> Decision:
        """Return the law that is decided on."""
        growing: list[Law] = [law for law in LAWS[1:] if self.eligible[law]]
        grows = any(self.clearly_better(law, "plateau") for law in growing)
        winners: list[Law] = [law for law in LAWS if self.wins(law)]
        if grows and "plateau" in winners:
            # A growth within the tolerance that is there all the same.
            winners.remove("plateau")
        if len(winners) == 1:
            return winners[0]
        flat = not winners and not self.must_be_beaten["log"] and not grows
        return "plateau" if flat else "undecided"


def choose_law(
    data: Measurements,
    *,
    held_out: int = 2,
    tolerance: float = 0.1,
    absolute_tolerance: float = 0.0,
    smallest_exponent: float = 0.1,
    seed: int = 0,
    resamples: int = 499,
) -> LawChoice:
    """Choose between plateau, log T and a power of T by predicting held-out horizons.

    Parameters
    ----------
    data
        Means at T_1 < ... < T_m, with their replicates where there are any (`measure`).
    held_out
        Number of the largest horizons that are predicted; at least three must be left to fit to.
    tolerance, absolute_tolerance
        Growth between T_1 and T_m that counts as none: ``absolute_tolerance`` + ``tolerance``
        times the size of the fitted constant.
    smallest_exponent
        Powers of T no larger than this are not distinguished from log T.
    seed, resamples
        Of the bootstrap over replicates.
    """
    m = data.mean.size
    if not 1 <= held_out <= m - FEWEST_HORIZONS:
        raise BanditError(
            f"held_out is {held_out} of {m} horizons: it must be at least 1 and leave at least "
            f"{FEWEST_HORIZONS}"
        )
    if resamples < 1:
        raise BanditError(f"resamples is {resamples}: it must be at least 1")
    rng = np.random.default_rng(seed)
    draws = np.empty((0, m)) if data.exact else data.resampled(resamples, rng)
    forecasts = _Split(data, data.before(held_out), draws).forecasts()
    slope, by_power = fit_log(data).slope, fit_power(data)
    span = math.log(data.horizons[-1] / data.horizons[0])
    growth = Estimate(slope.value * span, slope.low * span, slope.high * span, slope.n)
    # Rounding of exact constants is not growth.
    rounding = EXACT * data.size
    level = abs(fit_plateau(data).level.value)
    allowed = absolute_tolerance + tolerance * level + rounding
    exponent = by_power.exponent
    real_power = by_power.middle.low > 0 and exponent.low > smallest_exponent
    contest = ModelSelection(
        forecasts,
        data.exact,
        eligible={"plateau": True, "log": slope.low > rounding, "power": real_power},
        must_be_beaten={
            "plateau": True,
            "log": growth.high > allowed,
            # The interval of a law that could not be fitted is the whole line.
            "power": exponent.high > smallest_exponent,
        },
    )
    best = max(forecasts, key=lambda law: forecasts[law].score)
    return LawChoice(contest.decide(), best, forecasts, growth, allowed)
