"""UCB1 in NumPy over all replicates at once, tuned.

Means and 1 / sqrt(N) are kept, so that a round takes one product, one sum and one argmax over the
(R, K) indices and ten operations on R numbers; nothing is allocated.  With many arms a few rows
at a time stay in the cache.
"""

from typing import Any

import numpy as np

from benchmarks.cases import Case
from penalized_bandits.common.typing import IntArray

MANY_ARMS = 50
ROWS = 250
"""Rows of indices per argmax where there are many arms."""


def play(case: Case) -> IntArray:
    """Play all replicates; return their pulls, shape (R, K)."""
    rng = np.random.Generator(np.random.SFC64(0))
    dtype: Any = np.dtype(case.precision).type
    n_arms, replicates = case.arms, case.replicates
    means, sd = case.instance.means.astype(dtype), dtype(1 / n_arms)
    pulls, total, mean, root, index = (np.zeros((replicates, n_arms), dtype) for _ in range(5))
    flat_pulls, flat_total, flat_mean, flat_root = map(np.ravel, (pulls, total, mean, root))
    row = np.arange(replicates) * n_arms
    choice, at = np.zeros(replicates, np.int64), np.zeros(replicates, np.int64)
    count, value, noise, expected = (np.zeros(replicates, dtype) for _ in range(4))
    size = ROWS if n_arms >= MANY_ARMS else replicates
    parts = [
        (root[i : i + size], mean[i : i + size], choice[i : i + size])
        for i in range(0, replicates, size)
    ]
    for n in range(1, case.horizon + 1):
        if n <= n_arms:
            choice.fill(n - 1)
        else:
            scale = dtype(np.sqrt(2.0 * np.log(n)))
            for roots, averages, choices in parts:
                indices = index[: len(roots)]
                np.multiply(roots, scale, out=indices)
                np.add(indices, averages, out=indices)
                indices.argmax(axis=1, out=choices)
        np.add(row, choice, out=at)
        # mode="clip": with the default, ``out`` is buffered.
        np.take(means, choice, out=expected, mode="clip")
        rng.standard_normal(out=noise, dtype=dtype)
        np.multiply(noise, sd, out=noise)
        np.add(noise, expected, out=noise)
        np.take(flat_pulls, at, out=count, mode="clip")
        np.add(count, dtype(1), out=count)
        flat_pulls[at] = count
        np.take(flat_total, at, out=value, mode="clip")
        np.add(value, noise, out=value)
        flat_total[at] = value
        np.divide(value, count, out=value)
        flat_mean[at] = value
        np.sqrt(count, out=count)
        np.reciprocal(count, out=count)
        flat_root[at] = count
    return pulls.astype(np.int64)
