"""Instances behind the figures of the theory, read back from summaries."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.figures.base import select
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_bandits.theory.inputs import instance_of

GUIDE_COLOUR = "#555555"
"""Predictions and guide lines; no colour of a policy."""
VARYING = ("τ depends on T", "A depends on T")
_DECIMALS = 12
"""Gaps are differences of means given with few decimals: the rest is rounding."""


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

    @property
    def served_arms(self) -> list[int]:
        """Numbers of the optimal and critical arms, from 1."""
        return (np.flatnonzero(self.served) + 1).tolist()


def bandit_of(rows: pd.DataFrame) -> Bandit:
    """Return the instance behind the rows of one run, from those about its arms."""
    arms = rows[rows["arm"].notna()].drop_duplicates("arm").sort_values("arm")
    gap, tau, rate = (
        arms[name].to_numpy(dtype=np.float64)
        for name in ("gap", "fairness_fraction", "penalty_rate")
    )
    return Bandit(-np.round(gap, _DECIMALS), tau, np.round(rate, _DECIMALS))


@dataclass(frozen=True, eq=False)
class LawInstance:
    """An instance of the study ``log_laws`` with the rows about it, all horizons together."""

    name: str
    rows: pd.DataFrame
    broken: str
    """What it breaks of Theorem 4.2's conditions as stated; empty if it meets them."""

    @property
    def bandit(self) -> Bandit:
        """The bandit at the largest horizon."""
        return bandit_of(select(self.rows, horizon=self.rows["horizon"].max()))

    @property
    def fixed(self) -> bool:
        """Whether tau and A are the same at all horizons."""
        return self.broken not in VARYING

    @property
    def grows(self) -> bool:
        """Whether some arm is non-critical, so that regret grows with T."""
        return not self.bandit.served.all()

    @property
    def title(self) -> str:
        """Its name, for reading."""
        return self.rows["label"].iloc[0]


def _broken(rows: pd.DataFrame) -> str:
    horizons = sorted(rows["horizon"].unique())
    first, last = (bandit_of(select(rows, horizon=t)) for t in (horizons[0], horizons[-1]))
    for text, name in zip(VARYING, ("fairness", "penalties"), strict=True):
        if not np.allclose(getattr(first, name), getattr(last, name)):
            return text
    conditions = conditions_4_2(instance_of(*last), float(horizons[-1]))
    parts = [f"({'i' * place})" for place, c in enumerate(conditions, start=1) if not c.holds]
    return f"breaks {' and '.join(parts)}" if parts else ""


def law_instances(table: pd.DataFrame) -> list[LawInstance]:
    """Return the instances of ``log_laws`` in the order of the table."""
    return [
        LawInstance(str(name), rows, _broken(rows))
        for name, rows in table.groupby("instance", sort=False)
    ]
