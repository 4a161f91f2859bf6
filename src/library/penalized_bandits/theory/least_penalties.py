"""The smallest penalty rates that keep given arms at their fairness levels.

In the fluid prediction all indices are level, at v say.  Arm k is at its level tau_k T or above
where its index there, mu_k + A_k + u_k, is not below v, with u_k the height of its upper
confidence bound above its mean after tau_k T pulls.  If all arms of a set are so, v does not depend
on their rates: it makes the pulls of all others and these levels sum to T.  So the set is kept
if and only if each of its arms has

    A_k >= v - mu_k - u_k,

which is Delta_k + u_* - u_k, with u_* the height of the best arm's bound, and tends to Delta_k as T
grows.  The smallest rate that the arms can share is the largest of these.

With noise the index of an arm at its level is uncertain by about sd/sqrt(tau_k T): at its
smallest rate an arm is short in half of the runs, a few times as much above it in none.  That
is far below the margin sqrt(32 log T/(tau_k T)) over Delta_k that Theorem 4.1 requires.
"""

from collections.abc import Sequence

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.errors import BanditError, whole
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.exploration import PAPER, Exploration
from penalized_bandits.theory.fluid import HALVINGS, predicted_pulls
from penalized_bandits.theory.inputs import check_paper, instance_of

ROUNDING = 1e-9
"""Share of its level by which an arm that sits on it may miss it."""


def least_penalties(
    bandit: Instance, keep: Sequence[int], horizon: float, *, rule: Exploration = PAPER
) -> FloatArray:
    """Return the smallest penalty rates with which arms have N_k(T) >= tau_k T, as predicted.

    For policies with a hard threshold: a soft one keeps no arm with Delta_k > 0 at its level.

    Parameters
    ----------
    bandit
        Parameters of shape (K,); the penalty rates of arms in ``keep`` and the reward family do
        not matter.
    keep
        The arms to be kept at their levels, from 0.
    horizon
        T, at least K.
    rule
        How the policy explores; by default with the radius of eq. (11).

    Returns
    -------
    FloatArray
        A_k of each arm of ``keep``, in the unit of the means; 0 for one that is at its level
        anyway, infinite if T has no room for these levels beside one pull of each other arm.
        The largest of them is the smallest rate that they can share.

    Raises
    ------
    BanditError
        If there is no such arm, one is there twice, T is too short, or ceilings are charged.
    """
    check_paper(bandit)
    arms = [whole("arm", arm, 0, bandit.n_arms - 1) for arm in keep]
    if len({*arms}) < len(arms):
        raise BanditError(f"keep is {arms}: each arm must be in it once")
    # With rates above every index these arms are kept, if that is possible.
    rates = bandit.penalties.copy()
    rates[arms] = bandit.gaps_to_best.max() + rates.max() + rule.width(1.0, float(horizon)) + 1.0
    kept = instance_of(bandit.means, bandit.fairness, rates)
    pulls = predicted_pulls(kept, horizon, rule=rule)
    level = bandit.fairness * float(horizon)
    below = pulls < level * (1 - ROUNDING)
    if below[arms].any():
        return np.where(level[arms] > 1, np.inf, 0.0)
    # All arms have the common index, or less: those with their first pull alone, or on their level.
    paid = bandit.means + np.where(below, bandit.penalties, 0.0)
    index = (paid + _heights(rule, pulls, bandit.means, float(horizon))).max()
    needed = np.maximum(level, 1.0)
    least = index - bandit.means - _heights(rule, needed, bandit.means, float(horizon))
    return np.where(level > 1, np.maximum(least, 0.0), 0.0)[arms]


def _heights(rule: Exploration, pulls: FloatArray, means: FloatArray, horizon: float) -> FloatArray:
    """Return how far upper bounds are above their means after so many pulls, (K,)."""
    low = np.zeros_like(pulls)
    high = np.full_like(pulls, rule.width(float(pulls.min()), horizon) * (1 + ROUNDING))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        higher = rule.pulls(middle, means, horizon) >= pulls
        low, high = np.where(higher, middle, low), np.where(higher, high, middle)
    return low
