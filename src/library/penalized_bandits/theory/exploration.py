"""Exploration of index policies: pulls after which an upper confidence bound reaches a height.

Without noise the bound depends on the arm's mean, its pulls N and log T alone, and falls in N.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.checks import numbers
from penalized_bandits.bandit.logged import STEPS
from penalized_bandits.bandit.rewards import Bernoulli, Categorical, RewardFamily
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import POLICIES
from penalized_bandits.theory.inputs import ratio
from penalized_bandits.theory.lower_bound import divergences


@dataclass(frozen=True)
class Exploration:
    """The upper confidence bound of a policy, without noise."""

    pulls: Callable[[FloatArray, FloatArray, float], FloatArray]
    """N at which the bound is so much above the mean, given that height, mu and T; infinite
    where the height is not positive."""
    width: Callable[[float, float], float]
    """A height that the bound of no mean exceeds after N pulls, given N and T."""
    leading: "Exploration | None" = None
    """The same with log T alone, where there is more: what limits of N/log T are taken of."""
    below_one: bool = False
    """Whether it is for means from 0 to below 1."""


def root_log(constant: float = 2.0) -> Exploration:
    """Return the radius sqrt(c log T/N): that of eq. (11) with c = 2, scaled with c = 2 sigma^2."""
    return Exploration(
        lambda height, _, t: ratio(constant * np.log(t), np.maximum(height, 0.0) ** 2),
        lambda n, t: float(np.sqrt(constant * np.log(t) / n)),
    )


PAPER = root_log()
"""The radius of eq. (11)."""


def spread(law: Categorical) -> Categorical:
    """Return a law in [0, 1] as empirical KL-UCB counts it: split between twentieths, means kept.

    The value 1 has a place even without probability: K(nu, x) is about all laws on [0, 1].
    """
    grid = np.arange(STEPS + 1) / STEPS
    near = np.maximum(1 - np.abs(law.support[:, None] - grid) * STEPS, 0.0)
    return Categorical(grid, (law.probabilities[:, :, None] * near).sum(axis=1))


def divergence_bound(law: RewardFamily, log_log: float = 0.0) -> Exploration:
    """Return the bound at which N K(nu, mu + height) = log T + c log log T, from T = 3 on.

    K is the least divergence from an arm's law to one of that mean in the family of ``law``: of
    Bernoulli laws the bound is KL-UCB's; of those on twentieths that of empirical KL-UCB.
    """

    def level(rounds: float) -> float:
        return float(np.log(rounds) + log_log * np.log(max(np.log(rounds), 1.0)))

    def pulls(height: FloatArray, means: FloatArray, rounds: float) -> FloatArray:
        means = np.clip(means, 0.0, 1.0)
        target = means + np.maximum(height, 0.0)
        divergence = divergences(law, means, np.minimum(target, 1.0))
        return np.where(target > 1, 0.0, ratio(level(rounds), divergence))

    # Pinsker, and (K3) of Lemma K: K(nu, q) >= kl(mu, q) >= 2 (mu - q)^2.
    leading = divergence_bound(law) if log_log else None
    return Exploration(
        pulls, lambda n, rounds: float(np.sqrt(level(rounds) / (2 * n))), leading, below_one=True
    )


def bernoulli_kl(log_log: float = 0.0) -> Exploration:
    """Return the bound of KL-UCB."""
    return divergence_bound(Bernoulli(), log_log)


def empirical_kl(law: RewardFamily | None, log_log: float) -> Exploration | None:
    """Return the bound of empirical KL-UCB; None for a law that is not finite and in [0, 1]."""
    if isinstance(law, Categorical) and law.support.min() >= 0 and law.support.max() <= 1:
        return divergence_bound(spread(law), log_log)
    return bernoulli_kl(log_log) if isinstance(law, Bernoulli) else None


def unknown_variance(variances: ArrayLike) -> Exploration:
    """Return the bound s sqrt(T^(2/N) - 1), s^2 the variances (K,); the index has N - 2 for N."""
    # Without noise: pulls are infinite at height 0, and none above.
    v = np.maximum(numbers("variances", variances, least=0.0, most=np.inf), 1e-300)
    return Exploration(
        lambda height, _, t: ratio(2 * np.log(t), np.log1p(ratio(np.maximum(height, 0.0) ** 2, v))),
        lambda n, t: float(np.sqrt(v.max() * np.expm1(min(2 * np.log(t) / n, 600.0)))),
    )


def empirical_variance(variances: ArrayLike) -> Exploration:
    """Return the bound of UCB-V: sqrt(2 v log T/N) + 3 log T/N, v the arms' variances (K,)."""
    v = numbers("variances", variances, least=0.0, most=np.inf)

    def pulls(height: FloatArray, _means: FloatArray, rounds: float) -> FloatArray:
        log, up = np.log(rounds), np.maximum(height, 0.0)
        # 3 x^2 + sqrt(2 v) x = height for x = sqrt(log T/N).
        return ratio(log, ((np.sqrt(2 * v + 12 * up) - np.sqrt(2 * v)) / 6) ** 2)

    return Exploration(
        pulls, lambda n, t: float(np.sqrt(2 * v.max() * np.log(t) / n) + 3 * np.log(t) / n)
    )


def exploration_of(
    policy: str,
    noise: float = 0.5,
    variances: ArrayLike | None = None,
    *,
    law: RewardFamily | None = None,
    classical: bool = False,
) -> Exploration | None:
    """Return how a policy with a threshold explores; None if no prediction is known.

    Of these none is: those that draw what they pull (Thompson sampling with a threshold, floors,
    BanditQ), queues, plans, and bounds that end with the horizon (MOSS).  Of IMED and Thompson
    sampling with Beta posteriors it is the limit, proved for Bernoulli rewards.

    ``noise`` is sigma of the rewards, ``variances`` are the arms' (K,), sigma^2 by default, and
    ``law`` is for empirical KL-UCB.  With ``classical`` it is for policies without a threshold.
    """
    rule = POLICIES.get(policy)
    variance = noise**2 if variances is None else variances
    if rule is None or rule.ignores_penalties != classical:
        return None
    match rule.card.bound:
        case "radius" | "soft_radius":
            return root_log(rule.exploration_for(noise))
        case "kl" | "kl_loglog" as bound:
            return bernoulli_kl(3.0 if bound == "kl_loglog" else 0.0)
        case "empirical_kl" | "empirical_kl_log" as bound:
            return empirical_kl(law, 1.0 if bound == "empirical_kl" else 0.0)
        case "empirical_variance":
            return empirical_variance(variance)
        case "unknown_variance":
            return unknown_variance(variance)
        case None:
            return None
