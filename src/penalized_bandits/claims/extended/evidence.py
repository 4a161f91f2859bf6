"""Evidence for extended claims: replicates, and the reward laws behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from penalized_bandits.bandit.rewards import RewardFamily
from penalized_bandits.claims.evidence import Evidence, penalties_of
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.experiments.base import Context, Readings
from penalized_bandits.experiments.catalogue import experiment as experiment_of
from penalized_bandits.experiments.extended.confirmation import on_new_bandits
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.lower_bound import lower_bound


@dataclass
class Laws:
    """The reward laws of cases, which replicates do not hold; with ``new`` of new bandits."""

    sections: Mapping[str, Any]
    seed: int
    readings: Mapping[str, Mapping[str, Any]]
    counts: str
    new: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        self._of = cache(self._all)

    def _all(self, name: str) -> dict[str, RewardFamily]:
        experiment = on_new_bandits(experiment_of(name)) if self.new else experiment_of(name)
        section = experiment.section.model_validate(dict(self.sections[name]))
        context = Context(self.seed, Readings(**self.readings[name]), 0, 1, self.counts)
        return {case.id: case.rewards for case in experiment.all_cases(section, context)}

    def of(self, name: str, case: str) -> RewardFamily:
        """Return the reward law of a case of an experiment."""
        return self._of(name)[case]


class ExtendedEvidence(Evidence):
    """Replicates of the extended experiments, with the reward laws of their cases."""

    def __init__(
        self,
        sections: Mapping[str, Mapping[str, Any]],
        replicates: Mapping[str, Sequence[Path | str]],
        laws: Laws,
    ) -> None:
        super().__init__(sections, replicates)
        self.laws = laws

    def bandits(
        self, experiment: str, case: str
    ) -> tuple[FloatArray, FloatArray, FloatArray, RewardFamily]:
        """Return means, fractions, penalty rates and reward law of a case.

        Means and rates have shape (R, K), or (1, K) where all replicates have the same bandit:
        divergences of many movies take time.
        """
        first = self.outcomes(experiment, case=case)[0]
        means, penalties = first.means, penalties_of(first)
        if (means == means[0]).all() and (penalties == penalties[0]).all():
            means, penalties = means[:1], penalties[:1]
        return means, first.fairness, penalties, self.laws.of(experiment, case)

    def lower_bound(self, experiment: str, case: str, horizon: int) -> FloatArray:
        """Return each replicate's instance lower bound at a horizon, shape (R,)."""
        found = lower_bound(instance_of(*self.bandits(experiment, case)), horizon)
        return np.broadcast_to(found, len(self.outcomes(experiment, case=case)[0].means))
