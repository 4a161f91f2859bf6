"""UCB1 as a user writes it for JAX: a scan over rounds for one replicate, and vmap."""

import importlib
from functools import cache
from typing import Any

import numpy as np

from benchmarks.cases import Case
from penalized_bandits.common.typing import IntArray


@cache
def _compiled(arms: int, horizon: int, precision: str) -> Any:
    """Return the compiled function of (keys, means, sd)."""
    jax: Any = importlib.import_module("jax")
    jnp = jax.numpy

    def play_one(key: Any, means: Any, sd: Any) -> Any:
        def play_round(state: Any, n: Any) -> Any:
            key, pulls, total = state
            key, subkey = jax.random.split(key)
            index = total / pulls + jnp.sqrt(2 * jnp.log(n) / pulls)
            arm = jnp.argmax(jnp.where(pulls == 0, jnp.inf, index))
            reward = means[arm] + sd * jax.random.normal(subkey, dtype=precision)
            return (key, pulls.at[arm].add(1), total.at[arm].add(reward)), None

        start = (key, jnp.zeros(arms, precision), jnp.zeros(arms, precision))
        rounds = jnp.arange(1, horizon + 1, dtype=precision)
        (_, pulls, _), _ = jax.lax.scan(play_round, start, rounds)
        return pulls

    return jax.jit(jax.vmap(play_one, in_axes=(0, None, None)))


def play(case: Case) -> IntArray:
    """Play all replicates; return their pulls, shape (R, K)."""
    jax: Any = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", case.precision == "float64")
    means = case.instance.means.astype(case.precision)
    keys = jax.random.split(jax.random.key(0), case.replicates)
    run = _compiled(case.arms, case.horizon, case.precision)
    return np.asarray(run(keys, means, means.dtype.type(1 / case.arms))).astype(np.int64)
