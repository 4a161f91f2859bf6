"""The fluid prediction of the policies that were followed to long horizons."""

from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from penalized_bandits.bandit.rewards import Bernoulli, Categorical, Gaussian, RewardFamily
from penalized_bandits.claims.beyond.best import name_of
from penalized_bandits.claims.beyond.evidence import ExtendedEvidence
from penalized_bandits.claims.evidence import bandit_of
from penalized_bandits.claims.measures.fluid_law import Track, regrets
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.exploration import Exploration, exploration_of
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import linear_constant, log_constant


@singledispatch
def variances(law: RewardFamily, means: FloatArray) -> FloatArray:
    """Return the variance of a reward of each arm, shape (K,).

    Raises BanditError for a reward law whose variance is not known here.
    """
    del means
    raise BanditError(f"no variance is known here for rewards {law.id}")


@variances.register
def _(law: Gaussian, means: FloatArray) -> FloatArray:
    return np.full(means.shape, law.sd**2)


@variances.register
def _(law: Bernoulli, means: FloatArray) -> FloatArray:
    del law
    return means * (1 - means)


@variances.register
def _(law: Categorical, means: FloatArray) -> FloatArray:
    return law.probabilities @ law.support**2 - means**2


@dataclass(frozen=True)
class Limits:
    """What regret tends to under the fluid prediction."""

    linear: float
    """Limit of R(T)/T: positive only under a soft threshold."""
    log: float
    """Limit of R(T)/log T, where the first is 0."""


def _bandit(evidence: ExtendedEvidence, policy: str, run: Outcome) -> Exploration | None:
    assert (run.means == run.means[0]).all()  # noqa: S101
    law = evidence.laws.of(name_of(evidence, policy), run.case)
    learnt = variances(law, run.means[0]) if policy == "hard_threshold_variance" else None
    return exploration_of(policy, law.noise, learnt)


def limits_of(evidence: ExtendedEvidence, policy: str, run: Outcome) -> Limits:
    """Return the limits of a policy's regret on the bandit of a long run."""
    rule = _bandit(evidence, policy, run)
    assert rule is not None  # noqa: S101
    bandit = instance_of(*bandit_of(run))
    soft = policy == "soft_threshold_ucb"
    linear = float(linear_constant(bandit)) if soft else 0.0
    return Limits(linear, float(log_constant(bandit, rule)))


def long_track(
    evidence: ExtendedEvidence, policy: str, case: str, runs: list[Outcome]
) -> Track | None:
    """Return a policy's regret along a long case, with its prediction; None if there is none."""
    rule = _bandit(evidence, policy, runs[0])
    return None if rule is None else regrets(f"{policy} {case}", runs, rule=rule)
