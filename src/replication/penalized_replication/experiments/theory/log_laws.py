"""Log T laws: regret, pulls and deficits over three decades of horizons (Theorems 4.1-4.4).

Each instance is simulated at each horizon on random numbers of its own, so that fits
over horizons meet independent errors.  Instances that satisfy the theorems' conditions
stand beside instances that break one of them.  Rewards are Bernoulli: the theory wants
them in [0, 1].
"""

import math
from collections.abc import Iterator

import numpy as np
from pydantic import Field

from penalized_bandits.bandit.rewards import Bernoulli
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.common.section import Section
from penalized_replication.experiments import base, keys


class LawInstance(keys.NamedCase):
    """A bandit, whose fairness fractions and penalty rates may depend on the horizon."""

    means: keys.Means
    fairness: list[keys.Fraction] | None = None
    """Fairness fractions τ_k of the arms, with a sum below 1."""
    fairness_power: keys.Share | None = None
    """Power b, in place of `fairness`: τ_k = T^−b."""
    penalties: list[keys.Rate] | None = None
    """Penalty rates A_k of the arms."""
    penalty_margin: keys.Rate | None = None
    """Factor c, in place of `penalties`: A_k = Δ_k + c √(32 K log T/T), as in Lemma 4.4."""
    policies: keys.UntunedPolicies = Field(default=[PAPER_POLICY])
    """Ids of its policies, the hard threshold among them; by default that alone."""

    def _check(self) -> None:
        if PAPER_POLICY not in self.policies:
            raise ValueError(f"policies must have {PAPER_POLICY} among them: the laws are its")
        for one, other in (("fairness", "fairness_power"), ("penalties", "penalty_margin")):
            if (getattr(self, one) is None) == (getattr(self, other) is None):
                raise ValueError(f"give either {one} or {other}")
        keys.feasible(self.means, fairness=self.fairness, penalties=self.penalties)

    @property
    def fixed(self) -> bool:
        """Whether tau and A are the same at all horizons."""
        return self.fairness is not None and self.penalties is not None

    def fairness_at(self, horizon: int) -> FloatArray:
        """Return tau_k for a horizon, shape (K,)."""
        if self.fairness_power is None:
            return np.array(self.fairness)
        return np.full(len(self.means), float(horizon) ** -self.fairness_power)

    def penalties_at(self, horizon: int) -> FloatArray:
        """Return A_k for a horizon, shape (K,)."""
        if self.penalty_margin is None:
            return np.array(self.penalties)
        means = np.array(self.means)
        margin = math.sqrt(32 * len(means) * math.log(horizon) / horizon)
        return means.max() - means + self.penalty_margin * margin


class LogLaws(Section):
    replicates: keys.Replicates
    horizons: keys.Horizons
    instances: keys.Named[LawInstance]
    """Bandits by name, with Bernoulli rewards."""

    def _check(self) -> None:
        for name, instance in self.instances.items():
            total = instance.fairness_at(self.horizons[0]).sum()
            keys.below_one(total, f" of {name} at the horizon {self.horizons[0]}")

    @property
    def policies(self) -> list[str]:
        """All policies that take part."""
        return list(dict.fromkeys(p for i in self.instances.values() for p in i.policies))


@base.declare("log_of")
def log_laws(section: LogLaws, context: base.Context) -> Iterator[base.Case]:
    """Regret, pulls and deficits over three decades of horizons."""
    for name, instance in section.instances.items():
        for horizon in section.horizons:
            means, tau = np.array(instance.means), instance.fairness_at(horizon)
            bandit = base.Case(name, means, tau, Bernoulli(), label=instance.label)
            rates = instance.penalties_at(horizon)
            yield base.at_horizon(bandit, horizon, instance.policies, context, rates)
