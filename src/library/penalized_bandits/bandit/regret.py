"""Penalized regret, loss, unfairness and reward as pure functions of pull counts.

All take counts N_k(T) of shape (..., K), arrays or lists, replicates and checkpoints in front, and
the :class:`Instance` that they were made on: where its means or penalty rates vary by replicate,
counts are (R, ..., K), a row of the instance for each of theirs.  T is the sum of the counts.
Regret is measured on mean rewards (pseudo-regret) and on tau_k T not rounded (interpretation R12).
"""

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.checks import in_order, numbers
from penalized_bandits.bandit.instances import Instance, check_instance
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray


def _counts(pulls: ArrayLike, instance: Instance) -> FloatArray:
    """Return counts as an array; raise BanditError if they are not of the instance's arms."""
    check_instance(instance)
    pulls = in_order("pulls", pulls, getattr(instance.rewards, "arms", None))
    counts = numbers("pulls", pulls, least=0.0, most=np.inf)
    rows = instance.n_replicates
    if counts.shape[-1:] != (instance.n_arms,) or rows not in (None, *counts.shape[:-1][:1]):
        right = f"({'..., ' if rows is None else f'{rows}, ..., '}{instance.n_arms})"
        raise BanditError(f"pulls has shape {counts.shape}: for this instance it must be {right}")
    return counts


def _aligned(values: FloatArray, counts: FloatArray) -> FloatArray:
    """Return values (K,) or (R, K) in shapes that broadcast with counts."""
    return values if values.ndim < 2 else values.reshape(len(values), *(1,) * (counts.ndim - 2), -1)


def optimal_loss(instance: Instance, horizon: ArrayLike) -> FloatArray:
    """L*(T) = T sum_k min(Delta_k, A_k) tau_k, eq. (9): the loss of a prophet.

    It is T times the least value of eq. (6), which the shares of eq. (7) attain: the pulls
    of eq. (8).  Shape (...) for horizons (...); (R, ...) where the instance varies by replicate.
    With ceilings it is mu* T less the most penalized reward.

    >>> from penalized_bandits import Bernoulli
    >>> optimal_loss(Instance([0.9, 0.5], 0.25, [0.0, 0.2], Bernoulli()), [100, 200])
    array([ 5., 10.])
    """
    rounds = numbers("horizon", horizon, least=0.0, most=np.inf)
    return np.asarray(np.multiply.outer(instance.optimal_loss_rate, rounds))


def shortfall(pulls: ArrayLike, instance: Instance) -> FloatArray:
    """(tau_k T - N_k)_+, the unfairness of each arm, shape (..., K)."""
    counts = _counts(pulls, instance)
    return np.maximum(instance.fairness * counts.sum(axis=-1, keepdims=True) - counts, 0.0)


def excess(pulls: ArrayLike, instance: Instance) -> FloatArray:
    """(N_k - c_k T)_+, the pulls of each arm above its ceiling, shape (..., K).

    >>> from penalized_bandits import Bernoulli
    >>> excess([[90, 10], [40, 60]], Instance([0.9, 0.5], 0.0, 0.0, Bernoulli(), ceilings=0.5))
    array([[40.,  0.],
           [ 0., 10.]])
    """
    counts = _counts(pulls, instance)
    return np.maximum(counts - instance.ceilings * counts.sum(axis=-1, keepdims=True), 0.0)


def unfairness(pulls: ArrayLike, instance: Instance) -> FloatArray:
    """Sum over arms of (tau_k T - N_k)_+, shape (...), pulls: unfairness of Settings 3 and 5.

    Ceilings have no part in it: their measure is :func:`excess`.

    >>> from penalized_bandits import Bernoulli
    >>> unfairness([[90, 10], [70, 30]], Instance([0.9, 0.5], 0.25, 1.0, Bernoulli()))
    array([15.,  0.])
    """
    return shortfall(pulls, instance).sum(axis=-1)


def expected_reward(pulls: ArrayLike, instance: Instance) -> FloatArray:
    """Sum over rounds of mu_{pi_t}, shape (...): the expected reward of Settings 3 and 5.

    >>> from penalized_bandits import Bernoulli
    >>> expected_reward([[90, 10], [70, 30]], Instance([0.9, 0.5], 0.25, 1.0, Bernoulli()))
    array([86., 78.])
    """
    counts = _counts(pulls, instance)
    return (counts * _aligned(instance.means, counts)).sum(axis=-1)


def loss(pulls: ArrayLike, instance: Instance) -> FloatArray:
    """L(T) of one run, eq. (5) with this run's counts, shape (...), in units of reward.

    It is mu* T less the penalized reward: that of eq. (3), with mean rewards as in eq. (4), less
    B_k (N_k - c_k T)_+ with ceilings; infinite where a hard cap is exceeded by a pull or more.
    """
    counts = _counts(pulls, instance)
    if instance.charges_excess:
        return penalized_regret(counts, instance) + _least(counts, instance)
    short = _aligned(instance.penalties, counts) * shortfall(counts, instance)
    return (_aligned(instance.gaps_to_best, counts) * counts + short).sum(axis=-1)


def _least(counts: FloatArray, instance: Instance) -> FloatArray:
    """Return L*(T) of the rounds of counts (..., K), shape (...)."""
    return _aligned(instance.optimal_loss_rate[..., None], counts)[..., 0] * counts.sum(axis=-1)


def penalized_regret(pulls: ArrayLike, instance: Instance) -> FloatArray:
    """Penalized regret R(T) = L(T) - L*(T) of one run, eq. (10).

    Never negative, but for rounding: L* is the least loss of any allocation of T pulls.  Without
    penalties it is the classical regret, eq. (1).  With ceilings it is computed by (D') of
    research/docs/stairs.md; infinite where a hard cap is exceeded by a pull or more, as rounding
    up c_k T leaves less than one.

    Parameters
    ----------
    pulls
        N_k(T), shape (..., K); (R, ..., K) where the instance varies by replicate.
    instance
        The bandit, or bandits, on which the pulls were made.

    Returns
    -------
    FloatArray
        Shape (...), in units of reward.

    Raises
    ------
    BanditError
        If the shapes do not belong together, or a count is negative or no number.

    Examples
    --------
    >>> from penalized_bandits import Bernoulli, Instance
    >>> bandit = Instance([0.9, 0.7, 0.2], [0.2, 0.3, 0.25], [0.5, 0.4, 0.3], Bernoulli())
    >>> float(penalized_regret([85, 10, 5], bandit))
    6.0
    """
    counts = _counts(pulls, instance)
    if instance.charges_excess:
        return _regret_by_steps(counts, instance)
    return loss(counts, instance) - _least(counts, instance)


def value_above_caps(instance: Instance) -> FloatArray:
    """Return the value, less the price, of the fraction of a pull that rounding puts above a cap.

    It is 1 below the least finite step, () or (R,).
    """
    values, there = instance.step_values, instance.step_widths > 0
    return np.where(there & np.isfinite(values), values, np.inf).min(axis=(-2, -1)) - 1.0


def _regret_by_steps(counts: FloatArray, instance: Instance) -> FloatArray:
    """Return the penalized regret (...) of counts (..., K) by (D') of research/docs/stairs.md.

    It is the sum of missing pulls of steps above the price and of pulls of steps below it, each
    times its distance from the price; infinite where a hard cap is exceeded by a pull or more.
    """
    widths = instance.step_widths * counts.sum(axis=-1)[..., None, None]
    pulled = np.clip(counts[..., None] - (np.cumsum(widths, axis=-1) - widths), 0.0, widths)
    steps = [_aligned(values, counts) for values in np.moveaxis(instance.step_values, -1, 0)]
    values, above = np.stack(steps, axis=-1), value_above_caps(instance)[..., None]
    charged = np.maximum(
        values, np.where(pulled < 1 - 1e-9, _aligned(above, counts)[..., None], -np.inf)
    )
    missed, paid = np.maximum(values, 0.0) * (widths - pulled), np.maximum(-charged, 0.0) * pulled
    return (missed + paid).sum(axis=(-2, -1))
