"""Fields of a case, so that no reader takes an id apart."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from penalized_bandits.bandit.rewards import FAMILIES, RewardFamily

COLUMNS = ("case", "instance", "label", "group", "n_arms", "total_fairness", "law")
"""The fields that tables have as columns, by the names of the columns."""


@dataclass(frozen=True, kw_only=True)
class CaseInfo:
    """A case of an experiment: one bandit, and for some experiments one horizon."""

    id: str
    """Its key in the tables, and in the names of random streams."""
    instance: str
    """The bandit's name: the id without its horizon, where each horizon has a case."""
    label: str
    """The bandit's name for reading, without the horizon."""
    n_arms: int
    total_fairness: float
    """Σ τ_k, to twelve decimals."""
    law: str
    """Id of the reward law (``bandit/rewards.py``); that of movies is ``categorical``."""
    parameters: Mapping[str, Any] = field(hash=False)
    """Those of the reward law besides the means; empty if it has none."""
    horizon: int | None = None
    """The horizon that the case is for; None where one case serves all horizons."""
    group: str | None = None
    """Cases that figures and claims take together, such as a row of Figure 4."""
    m0: int | None = None
    """Threshold of ratings, if the arms are movies."""
    ceilings: Mapping[str, Any] = field(hash=False, default_factory=dict)
    """Ceilings and excess penalties, parameters of an instance; empty where no arm has one."""

    @property
    def rewards(self) -> RewardFamily:
        """The reward law with its parameters."""
        return FAMILIES[self.law](**self.parameters)

    def fields(self) -> dict[str, Any]:
        """Return the fields in JSON's types, without ceilings where no arm has one."""
        return {key: x for key, x in asdict(self).items() if key != "ceilings" or x}

    def columns(self) -> dict[str, Any]:
        """Return the fields that tables have as columns (``COLUMNS``)."""
        return {name: self.id if name == "case" else getattr(self, name) for name in COLUMNS}
