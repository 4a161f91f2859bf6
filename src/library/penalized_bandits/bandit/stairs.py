"""Values of an arm's pulls with a floor and a ceiling, and the price of an optimal split.

A pull of arm k at share x of the rounds is worth mu_k + A_k for x < tau_k, mu_k for tau_k <= x <
c_k, and mu_k - B_k from c_k on: three steps.  An optimal split takes steps from the most valuable
on until their widths fill 1.  The value of the last step taken is the price lambda, of all such
values the largest: mu* without ceilings, unless the floors fill 1.  Arrays of steps end in (K, 3).

Source: research/docs/stairs.md, "The split and its price".
"""

from typing import TYPE_CHECKING

import numpy as np

from penalized_bandits.bandit.checks import ROUNDED_SUM
from penalized_bandits.common.typing import FloatArray

if TYPE_CHECKING:
    from penalized_bandits.bandit.instances import Instance


def step_ends(instance: "Instance") -> FloatArray:
    """Return the shares at which the steps of each arm end, (K, 3): tau_k, c_k and 1."""
    tau, ceilings = instance.fairness, instance.ceilings
    return np.stack([tau, ceilings, np.ones_like(tau)], axis=-1)


def step_widths(instance: "Instance") -> FloatArray:
    """Return the widths of the steps, (K, 3), as shares of the rounds; 0 for one left out."""
    return np.diff(step_ends(instance), axis=-1, prepend=0.0)


def price_of(instance: "Instance") -> FloatArray:
    """Return the price lambda, () or (R,): the largest v such that steps worth v or more fill 1."""
    rates, means = np.broadcast_arrays(instance.penalties, instance.means)
    values = np.stack([means + rates, means, means - instance.excess_penalties], axis=-1)
    values = values.reshape(*values.shape[:-2], -1)
    order = np.argsort(-values, axis=-1, kind="stable")
    filled = np.cumsum(step_widths(instance).ravel()[order], axis=-1)
    last = np.argmax(filled >= 1 - ROUNDED_SUM, axis=-1)[..., None]
    at = np.take_along_axis(order, last, axis=-1)
    return np.take_along_axis(values, at, axis=-1)[..., 0]


def step_values(instance: "Instance") -> FloatArray:
    """Return the values of the steps less the price, (K, 3) or (R, K, 3); -inf above a hard cap."""
    steps = instance.margins, -instance.gaps, instance.values_above_ceilings
    return np.stack(np.broadcast_arrays(*steps), axis=-1)


def value_above_caps(instance: "Instance") -> FloatArray:
    """Return the value, less the price, of the fraction of a pull that rounding puts above a cap.

    It is 1 below the least finite step, () or (R,).
    """
    values = np.where(step_widths(instance) > 0, step_values(instance), np.inf)
    return np.where(np.isneginf(values), np.inf, values).min(axis=(-2, -1)) - 1.0


def regret_by_steps(counts: FloatArray, instance: "Instance") -> FloatArray:
    """Return the penalized regret (...) of counts (..., K), in units of reward, by (D').

    It is the sum of missing pulls of steps above the price and of pulls of steps below it, each
    times its distance from the price; infinite where a hard cap is exceeded by a pull or more.
    Nothing is subtracted, so that no term is negative.
    """
    horizon = counts.sum(axis=-1)[..., None, None]
    ends = step_ends(instance) * horizon
    starts = np.insert(ends[..., :-1], 0, 0.0, axis=-1)
    pulled = np.clip(counts[..., None] - starts, 0.0, ends - starts)
    values, above = step_values(instance), value_above_caps(instance)
    if values.ndim == 3:
        shape = len(values), *(1,) * (counts.ndim - 2)
        values, above = values.reshape(*shape, -1, 3), above.reshape(*shape, 1, 1)
    hard = np.where(pulled < 1.0, above, -np.inf)
    charged = np.where(np.isneginf(values), hard, values)
    missing = np.where(values > 0, (ends - starts) - pulled, 0.0)
    surplus = np.where(values < 0, pulled, 0.0)
    paid = np.multiply(-charged, surplus, out=np.zeros_like(pulled), where=surplus > 0)
    return (np.maximum(values, 0.0) * missing + paid).sum(axis=(-2, -1))
