"""What figures of the theory share: bandits and series read back from summaries."""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter, NullLocator

from penalized_bandits.figures.style import tidy
from penalized_bandits.typing import FloatArray

GUIDE_COLOUR = "#555555"
"""Fitted laws and guide lines; no colour of a policy."""
BAND_COLOUR = "#C9D6DF"
SETTLED = 10_000
"""Laws are fitted from this horizon on, as in the ledger."""
FEWEST = 3
"""Horizons that a fit takes."""
_DECIMALS = 12
"""Gaps are differences of means given with few decimals: the rest is rounding."""
_SAME = 1e-12
"""Errors below this share of a mean are rounding: replicates agree."""


class Bandit(NamedTuple):
    """An instance as its table has it; means are relative to the best arm's."""

    means: FloatArray
    """-Delta_k, shape (K,)."""
    fairness: FloatArray
    penalties: FloatArray

    @property
    def served(self) -> np.ndarray:
        """Optimal and critical arms: A_k >= Delta_k."""
        return -self.means <= self.penalties


def bandit_of(rows: pd.DataFrame) -> Bandit:
    """Return the instance behind the rows of one run, from those about its arms."""
    arms = rows[rows["arm"].notna()].drop_duplicates("arm").sort_values("arm")
    gap, tau, rate = (
        arms[name].to_numpy(dtype=np.float64)
        for name in ("gap", "fairness_fraction", "penalty_rate")
    )
    return Bandit(-np.round(gap, _DECIMALS), tau, np.round(rate, _DECIMALS))


def errors_of(rows: pd.DataFrame) -> FloatArray:
    """Return standard errors; 0 where replicates agree, or where there is one only."""
    se = np.nan_to_num(rows["se"].to_numpy(dtype=np.float64))
    return np.where(se <= _SAME * rows["mean"].abs().to_numpy(), 0.0, se)


def bars_of(rows: pd.DataFrame) -> list[FloatArray]:
    """Return the lengths of a mean's interval below and above it; 0 where there is none."""
    mean = rows["mean"].to_numpy()
    low, high = rows["ci_low"].to_numpy(), rows["ci_high"].to_numpy()
    return [np.nan_to_num(mean - low), np.nan_to_num(high - mean)]


def horizon_axis(axes: Axes, horizons: Sequence[int], *, label: bool = True) -> None:
    """Make the x axis one of horizons: logarithmic, powers of ten."""
    axes.set_xscale("log")
    axes.set_xlim(min(horizons) / 1.3, max(horizons) * 1.3)
    axes.xaxis.set_major_locator(LogLocator())
    axes.xaxis.set_minor_locator(NullLocator())
    if label:
        axes.set_xlabel("Horizon T (rounds)")


def log_axes(axes: Axes, horizons: Sequence[int]) -> None:
    """Make both axes logarithmic, the x axis one of horizons."""
    axes.set_yscale("log")
    axes.yaxis.set_minor_formatter(NullFormatter())
    horizon_axis(axes, horizons, label=False)
    tidy(axes)


def joined(values: Sequence[str]) -> str:
    """Join words as a text does."""
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"


def noted_title(axes: Axes, number: int, title: str, notes: Sequence[str], room: int) -> None:
    """Title a panel with its letter, and lines of small print below, ``room`` at most."""
    above = 4 + 7.8 * room
    letter = chr(ord("a") + number)
    axes.set_title(f"({letter}) {title}", loc="left", fontsize=6.8, pad=above + 3)
    text = axes.annotate(
        "\n".join(notes),
        (0, 1),
        (0, above),
        va="top",
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=6,
        linespacing=1.25,
    )
    # The title makes room above; to the right a line may go on over the gap between panels.
    text.set_in_layout(False)


def with_interval(value: float, low: float, high: float) -> str:
    """Write an estimate with its interval, two digits of the half width, two decimals at most."""
    half = (high - low) / 2
    digits = 2
    if math.isfinite(half) and half > 0:
        digits = min(max(1 - math.floor(math.log10(half)), 0), 2)
    shown = (f"{number:.{digits}f}" for number in (value, low, high))
    # No minus before a zero.
    texts = [re.sub(r"^-(?=0(\.0*)?$)", "", text).replace("-", "−") for text in shown]
    return "{} [{}, {}]".format(*texts)
