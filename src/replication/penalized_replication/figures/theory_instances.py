"""Instances behind figures, read back from summaries."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.figures.base import select
from penalized_replication.figures.style import GREY

GUIDE_COLOUR = GREY
"""Predictions and guide lines; no colour of a policy."""
VARYING = ("τ depends on T", "A depends on T")
_DECIMALS = 12
"""Gaps are differences of means given with few decimals: the rest is rounding."""


def bandit_of(rows: pd.DataFrame) -> Instance:
    """Return the instance behind the rows of one run; its means are -Delta_k, shape (K,)."""
    arms = rows[rows["arm"].notna()].drop_duplicates("arm").sort_values("arm")
    gaps, rates = arms["gap"].round(_DECIMALS), arms["penalty_rate"].round(_DECIMALS)
    return instance_of(-gaps, arms["fairness_fraction"], rates)


@dataclass(frozen=True, eq=False)
class LawInstance:
    """An instance of the study ``log_laws`` with the rows about it, all horizons together."""

    rows: pd.DataFrame

    def at(self, horizon: int) -> Instance:
        """Return the bandit at a horizon."""
        return bandit_of(select(self.rows, horizon=horizon))

    @property
    def horizons(self) -> list[int]:
        """The horizons, in increasing order."""
        return sorted(self.rows["horizon"].unique().tolist())

    @property
    def bandit(self) -> Instance:
        """The bandit at the largest horizon."""
        return self.at(self.horizons[-1])

    @property
    def broken(self) -> str:
        """What it breaks of Theorem 4.2's conditions as stated; empty if it meets them."""
        first, last = self.at(self.horizons[0]), self.bandit
        for text, name in zip(VARYING, ("fairness", "penalties"), strict=True):
            if not np.allclose(getattr(first, name), getattr(last, name)):
                return text
        conditions = enumerate(conditions_4_2(last, self.horizons[-1]), start=1)
        parts = [f"({'i' * place})" for place, one in conditions if not one.holds]
        return f"breaks {' and '.join(parts)}" if parts else ""

    @property
    def fixed(self) -> bool:
        """Whether tau and A are the same at all horizons."""
        return self.broken not in VARYING

    @property
    def title(self) -> str:
        """Its name, for reading."""
        return self.rows["label"].iloc[0]


def law_instances(table: pd.DataFrame) -> list[LawInstance]:
    """Return the instances of ``log_laws`` in the order of the table."""
    return [LawInstance(rows) for _, rows in table.groupby("instance", sort=False)]
