"""UCB1 in JAX: as a user writes it, and tuned."""

import importlib
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from benchmarks.cases import Case
from penalized_bandits.common.typing import IntArray

CHUNK = 128
UNPULLED = 1e9
"""Stands for 1 / sqrt(0): arms without a pull come first, in order."""


@cache
def _plain(arms: int, horizon: int, replicates: int, precision: str) -> Any:
    """Return a scan over rounds for one replicate, and vmap, as a user writes it."""
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

    play = jax.vmap(play_one, in_axes=(0, None, None))
    return jax.jit(lambda key, *law: play(jax.random.split(key, replicates), *law))


@cache
def _tuned(arms: int, horizon: int, replicates: int, precision: str) -> Any:
    """Return a program for all replicates at once, in which little is computed twice.

    Replicates are the last axis, so that XLA's vector instructions take several of them.  Noise is
    drawn for 128 rounds at a time, means and 1 / sqrt(N) are kept, and the arm is found by two
    reductions (the largest index, its first place); XLA's argmax is slower.
    """
    jax: Any = importlib.import_module("jax")
    jnp = jax.numpy

    def play(key: Any, means: Any, sd: Any) -> Any:
        number, replicate = jnp.arange(arms)[:, None], jnp.arange(replicates)
        in_place = {"unique_indices": True, "mode": "promise_in_bounds"}

        def play_round(state: Any, inputs: Any) -> Any:
            pulls, mean, root = state
            noise, scale = inputs
            index = mean + scale * root
            arm = jnp.where(index == index.max(axis=0), number, arms).min(axis=0)
            at = (arm, replicate)
            count, old = pulls[at] + 1, mean[at]
            new = old + (means[arm] + sd * noise - old) / count
            state = (
                pulls.at[at].set(count, **in_place),
                mean.at[at].set(new, **in_place),
                root.at[at].set(jax.lax.rsqrt(count), **in_place),
            )
            return state, None

        def play_rounds(state: Any, inputs: Any) -> Any:
            key, rounds = inputs
            noise = jax.random.normal(key, (len(rounds), replicates), precision)
            scales = jnp.sqrt(2 * jnp.log(rounds))
            return jax.lax.scan(play_round, state, (noise, scales))

        shape = (arms, replicates)
        zeros = jnp.zeros(shape, precision)
        state = (zeros, zeros, jnp.full(shape, UNPULLED, precision))
        chunks, rest = divmod(horizon, CHUNK)
        rounds = jnp.arange(1, horizon + 1, dtype=precision)
        keys = jax.random.split(key, chunks + 1)
        whole = rounds[: horizon - rest].reshape(chunks, CHUNK)
        state, _ = jax.lax.scan(play_rounds, state, (keys[:chunks], whole))
        (pulls, _, _), _ = play_rounds(state, (keys[chunks], rounds[horizon - rest :]))
        return pulls.T

    return jax.jit(play)


def _play(program: Callable[[int, int, int, str], Any], case: Case) -> IntArray:
    """Play all replicates; return their pulls, shape (R, K)."""
    jax: Any = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", case.precision == "float64")
    means = case.instance.means.astype(case.precision)
    run = program(case.arms, case.horizon, case.replicates, case.precision)
    pulls = run(jax.random.key(0), means, means.dtype.type(1 / case.arms))
    return np.asarray(pulls).astype(np.int64)


plain, tuned = partial(_play, _plain), partial(_play, _tuned)
