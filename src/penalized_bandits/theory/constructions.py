"""The instances in which the paper's lower bounds are attained (Theorems 4.6 to 4.8).

The proofs of 4.6 and 4.7 look at a round after which arm 1 has been pulled T/2 times and
is pulled again, so its index is the largest: mu* + sqrt(4 log T/T) at most.  An arm with
fewer pulls than claimed would have a larger one.  What that needs is listed with each
construction; where one of the conditions fails the bound may still hold, but the proof
does not show it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.engine.simulate import simulate
from penalized_bandits.errors import BanditError
from penalized_bandits.instances import Instance
from penalized_bandits.policies import Policy
from penalized_bandits.rewards import Deterministic, Gaussian
from penalized_bandits.theory.bounds import (
    lower_bound_4_6,
    lower_bound_4_7,
    two_point_bound,
    two_point_gap,
)
from penalized_bandits.theory.conditions import Condition, condition, conditions_4_8
from penalized_bandits.theory.problem import horizons
from penalized_bandits.typing import FloatArray


@dataclass(frozen=True, eq=False)
class Construction:
    """An instance on which the hard-threshold rule has at least a certain regret."""

    instance: Instance
    """Arm 1 is the best."""
    horizon: int
    regret_bound: float
    """Least penalized regret at the horizon, reward."""
    pulls_bound: FloatArray
    """Least pulls of each arm at the horizon, shape (K,); 0 where nothing is claimed."""
    conditions: tuple[Condition, ...]
    """What the proof needs of these numbers."""

    @property
    def holds(self) -> bool:
        """Whether the proof applies."""
        return all(c.holds for c in self.conditions)


@dataclass(frozen=True, eq=False)
class InstancePair:
    """Two instances of which a policy must do badly on one (Theorem 4.8)."""

    first: Instance
    """Arm 1 has mean ``gap``, all others mean 0."""
    second: Instance
    """The same, but for one arm with mean 2 ``gap``."""
    arm: int
    """The arm that differs, from 0."""
    gap: float
    pulls: FloatArray
    """Mean pulls of the policy on the first instance, shape (K,)."""
    regret_bound: float
    """Least value of the larger of the two expected regrets, reward."""
    conditions: tuple[Condition, ...]
    """What the proof needs of these numbers."""

    @property
    def holds(self) -> bool:
        """Whether the proof applies."""
        return all(c.holds for c in self.conditions)


def _fractions(fairness: ArrayLike, n_arms: int) -> FloatArray:
    tau = np.asarray(fairness, dtype=np.float64)
    if tau.ndim > 1 or (tau.ndim == 1 and tau.size != n_arms):
        raise BanditError(f"fairness has shape {tau.shape}: it must be one number or ({n_arms},)")
    return np.full(n_arms, float(tau)) if tau.ndim == 0 else tau.copy()


def _last_round(rounds: float, cost: float, pulls: float) -> Condition:
    """Check that T/2 + 1 + the other arms' pulls + this one's fit into T rounds."""
    return condition(
        "proof", "T >= n_a", "proved", rounds, least=rounds / 2 + 1 + cost + np.ceil(pulls)
    )


def _best_arm_settled(fairness: float) -> Condition:
    """Check that arm 1 is above its level with T/2 pulls: else A_1 adds to its index."""
    return condition("proof", "tau_1 <= 1/2", "proved", 0.5, least=fairness)


def _index_lags(rounds: float, margin: float, pulls: float) -> Condition:
    """Check that an arm with ``pulls`` pulls overtakes arm 1 by round T/2.

    margin + sqrt(4 log T/T) < sqrt(2 log(T/2)/pulls), ``margin`` being what separates the
    arms' indices without their radii.
    """
    return condition(
        "proof",
        "sqrt(2 log(T/2)/n_1) > margin + sqrt(4 log T/T)",
        "proved",
        np.sqrt(2 * np.log(rounds / 2) / pulls),
        least=margin + np.sqrt(4 * np.log(rounds) / rounds),
        strict=True,
    )


def non_critical_construction(
    n_arms: int, horizon: int, *, gap: float, penalty: float, fairness: ArrayLike
) -> Construction:
    """Theorem 4.6: arm 1 always pays ``gap``, all others nothing, A_k = ``penalty`` < gap.

    Every other arm is non-critical and must be pulled log T/(gap - penalty)^2 times, at a
    cost of gap - penalty each.  The proof assumes 8 log T/(gap - penalty)^2 <= tau_k T/2
    for them; it also needs tau_1 <= 1/2, that its round n_a is not after T, and that T is
    large enough for the last inequality.  With deterministic rewards the pulls are
    2 log T/(gap - penalty + sqrt(2 log T/N_1))^2, twice the claim for large T.

    Parameters
    ----------
    n_arms
        K, at least 2.
    horizon
        T.
    gap, penalty
        Gap and penalty rate of the arms, 0 <= penalty < gap <= 1.
    fairness
        tau, shape (K,) or one number.

    Raises
    ------
    BanditError
        If gap and penalty are not as above or the instance makes no sense.
    """
    if n_arms < 2:
        raise BanditError(f"there are {n_arms} arms: the construction needs at least 2")
    if not 0 <= penalty < gap <= 1:
        raise BanditError(f"need 0 <= penalty < gap <= 1, not penalty {penalty} and gap {gap}")
    rounds = float(horizons(horizon))
    tau = _fractions(fairness, n_arms)
    means = np.zeros(n_arms)
    means[0] = gap
    instance = Instance(means, tau, penalty, Deterministic())
    margin = gap - penalty
    pulls = np.log(rounds) / margin**2
    others = np.arange(n_arms) > 0
    return Construction(
        instance,
        horizon,
        float(lower_bound_4_6(means, tau, penalty, rounds)),
        np.where(others, pulls, 0.0),
        (
            condition(
                "Theorem 4.6",
                "tau T/2 >= 8 log T/(gap - penalty)^2",
                "stated",
                tau * rounds / 2,
                least=8 * pulls,
                applies=others,
            ),
            _last_round(rounds, (n_arms - 2) * 8 * pulls, pulls),
            _best_arm_settled(tau[0]),
            _index_lags(rounds, margin, pulls),
        ),
    )


def critical_construction(
    n_critical: int,
    n_non_critical: int,
    horizon: int,
    *,
    critical_gap: float,
    critical_penalty: float,
    non_critical_gap: float,
    non_critical_penalty: float,
    fairness: ArrayLike,
) -> Construction:
    """Theorem 4.7: arm 1, then critical arms, then non-critical ones, all deterministic.

    Arm 1 pays Delta_1 + Delta_2, critical arms Delta_1 (their gap is Delta_2), others
    Delta_2 (their gap is Delta_1).  Critical arms must be pulled log T/Delta_2^2 times,
    which is beyond their level.  The proof assumes that exploration as in Theorem 4.2
    takes less than T/2 rounds in all and that tau_k T <= log T/Delta_2^2 for critical
    arms: for fixed gaps and fractions that ends at some T, so the bound speaks of
    fractions that shrink like log T/T, or gaps like sqrt(log T/T).  It also needs
    tau_1 <= 1/2, and Delta_2 a little larger than assumed (with one critical arm
    Delta_2 > 4 sqrt(log T/T) is assumed and about 4.83 sqrt(log T/T) used).

    Parameters
    ----------
    n_critical, n_non_critical
        Number of arms of either kind; at least one critical.
    horizon
        T.
    critical_gap, critical_penalty
        Delta_2 and A_2, 0 < Delta_2 < A_2.
    non_critical_gap, non_critical_penalty
        Delta_1 and A_1, 0 <= A_1 < Delta_1; Delta_1 + Delta_2 <= 1.
    fairness
        tau, shape (K,) or one number.

    Raises
    ------
    BanditError
        If gaps and rates are not as above or the instance makes no sense.
    """
    if n_critical < 1 or n_non_critical < 0:
        raise BanditError(
            f"there are {n_critical} critical and {n_non_critical} non-critical arms: "
            "the construction needs at least 1 and 0"
        )
    if not 0 < critical_gap < critical_penalty:
        raise BanditError(
            f"need 0 < gap < penalty of critical arms, not {critical_gap} and {critical_penalty}"
        )
    if not 0 <= non_critical_penalty < non_critical_gap <= 1 - critical_gap:
        raise BanditError(
            f"need 0 <= penalty < gap <= 1 - {critical_gap} of non-critical arms, "
            f"not {non_critical_penalty} and {non_critical_gap}"
        )
    rounds = float(horizons(horizon))
    n_arms = 1 + n_critical + n_non_critical
    tau = _fractions(fairness, n_arms)
    counts = [1, n_critical, n_non_critical]
    means = np.repeat([non_critical_gap + critical_gap, non_critical_gap, critical_gap], counts)
    # The rate of arm 1 is left open by the paper; its index has no bonus where it matters.
    penalties = np.repeat([critical_penalty, critical_penalty, non_critical_penalty], counts)
    instance = Instance(means, tau, penalties, Deterministic())
    critical = instance.critical
    log = np.log(rounds)
    pulls = log / critical_gap**2
    other_pulls = 8 * log / (non_critical_gap - non_critical_penalty) ** 2
    exploration = n_non_critical * other_pulls + n_critical * 8 * pulls
    return Construction(
        instance,
        horizon,
        float(lower_bound_4_7(means, tau, penalties, rounds)),
        np.where(critical, pulls, 0.0),
        (
            condition(
                "Theorem 4.7",
                "T/2 > sum 8 log T/(Delta_1 - A_1)^2 + sum 8 log T/Delta_2^2",
                "stated",
                rounds / 2,
                least=exploration,
                strict=True,
            ),
            condition(
                "Theorem 4.7",
                "log T/Delta_2^2 >= tau T",
                "stated",
                np.full(n_arms, pulls),
                least=tau * rounds,
                applies=critical,
            ),
            _last_round(rounds, exploration - 8 * pulls, pulls),
            _best_arm_settled(tau[0]),
            _index_lags(rounds, critical_gap, pulls),
        ),
    )


def instance_pair(
    fairness: ArrayLike, penalties: ArrayLike, *, gap: float, arm: int, sd: float = 1.0
) -> tuple[Instance, Instance]:
    """Return Theorem 4.8's two instances, which differ in one arm; rewards N(mu, sd^2).

    Parameters
    ----------
    fairness
        tau, shape (K,).
    penalties
        A, shape (K,) or one number.
    gap
        Mean of arm 1; the others have mean 0.
    arm
        The arm (from 0, not the first) that has mean 2 gap in the second instance.
    sd
        Standard deviation of the rewards.

    Raises
    ------
    BanditError
        If there is no such arm or the instance makes no sense.
    """
    n_arms = np.size(fairness)
    if not 0 < arm < n_arms:
        raise BanditError(f"arm is {arm}: it must be from 1 to {n_arms - 1}, not the first arm")
    means = np.zeros(n_arms)
    means[0] = gap
    other = means.copy()
    other[arm] = 2 * gap
    return (
        Instance(means, fairness, penalties, Gaussian(sd)),
        Instance(other, fairness, penalties, Gaussian(sd)),
    )


def pair_against(
    policy: str | Policy,
    fairness: ArrayLike,
    penalties: ArrayLike,
    horizon: int,
    *,
    gap: float | None = None,
    sd: float = 1.0,
    tuning: float | None = None,
    replicates: int = 100,
    seed: int = 0,
) -> InstancePair:
    """Theorem 4.8: the two instances for a policy, by what it pulls least in the first.

    The proof needs an arm with at most T/(K - 1) expected pulls; the one with the fewest
    pulls over the replicates is taken (the first of them if they tie), and the comparison
    is among the conditions.

    Parameters
    ----------
    policy, tuning
        The policy and its own parameter, if it has one.
    fairness
        tau, shape (K,), K >= 2.
    penalties
        A, shape (K,) or one number.
    horizon
        T.
    gap
        Gap between the arms; the proof's sqrt((K - 1)/(C T)) by default.
    sd
        Standard deviation of the Gaussian rewards.
    replicates, seed
        For the simulation of the policy on the first instance.

    Raises
    ------
    BanditError
        If there is one arm, or policy, tuning and instance do not fit.
    """
    n_arms = np.size(fairness)
    spread = float(two_point_gap(n_arms, horizon, sd=sd)) if gap is None else float(gap)
    first, _ = instance_pair(fairness, penalties, gap=spread, arm=1, sd=sd)
    played = simulate(
        policy,
        first,
        horizon,
        replicates=replicates,
        seed=seed,
        stream=("theorem_4_8",),
        tuning=tuning,
    )
    pulls = played.pulls[:, -1].mean(axis=0)
    arm = 1 + int(np.argmin(pulls[1:]))
    first, second = instance_pair(fairness, penalties, gap=spread, arm=arm, sd=sd)
    rarely = condition(
        "Theorem 4.8",
        "T/(K - 1) >= expected pulls of the arm that differs",
        "proved",
        horizon / (n_arms - 1),
        least=pulls[arm],
    )
    return InstancePair(
        first,
        second,
        arm,
        spread,
        pulls,
        float(two_point_bound(fairness, horizon, spread, sd=sd)),
        (*conditions_4_8(fairness, first.penalties, spread), rarely),
    )
