"""Every policy in plain Python, written for reading: what the engine is held to.

One replicate at a time, one arm at a time, with the paper's own expressions.  The
formulas are the policy's (``policies/*.py``); the loop, the means, the radius and the
fairness level are written again here, without any of the engine's tricks.  Rewards come
from the same tapes, so engine and oracle must pull the same arms, ties included.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.engine.draws import draw, noise_number, uniform_number
from penalized_bandits.engine.state import UNPULLED_ROOT
from penalized_bandits.engine.streams import (
    NOISE_STREAM,
    WEYL,
    arm_keys,
    mix,
    replicate_keys,
    stream_key,
)
from penalized_bandits.errors import BanditError
from penalized_bandits.policies import Arm, Policy, Round, get_policy
from penalized_bandits.typing import FloatArray


@dataclass(frozen=True)
class Trace:
    """One replicate, round by round."""

    arms: list[int]
    """Arm pulled in each round, from 0."""
    rewards: list[float]
    """Reward of each round."""
    max_deficits: list[float]
    """max over t of (tau_k t - N_k(t))_+ for each arm."""


class RewardTape:
    """The rewards X_1^(k), X_2^(k), ... of every arm in one replicate.

    ``row`` is the replicate's row where the means vary, its own number by default.
    """

    def __init__(
        self,
        instance: Instance,
        replicate: int,
        seed: int,
        stream: tuple[str, ...],
        row: int | None = None,
    ) -> None:
        self._keys = np.empty((instance.n_arms, 1), dtype=np.uint64)
        with np.errstate(over="ignore"):  # words wrap
            arm_keys(np.uint64(stream_key(seed, *stream)), replicate, self._keys)
        self._means = _row(instance.means, replicate if row is None else row)
        self._code = instance.reward_code

    def reward(self, arm: int, pull: int) -> float:
        """Return the reward of the arm's pull with that number (from 1)."""
        # Uncompiled (NUMBA_DISABLE_JIT) all of it warns: of words that wrap, and of the
        # division by a mean of 0 that makes a Beta reward certain.
        with np.errstate(over="ignore", divide="ignore"):
            word = self._keys[arm, 0] + np.uint64(pull) * WEYL
            return float(draw(np.uint64(mix(word)), arm, self._means[arm], self._code))


def _row(values: FloatArray, row: int) -> FloatArray:
    """Return the values of a replicate, where they vary."""
    return values[row] if values.ndim == 2 else values


def noise_of(
    policy: Policy, exploration: float, replicate: int, seed: int, stream: tuple[str, ...]
) -> Callable[[int, int], float]:
    """Return what draws a policy's own number for (arm, round); 0 where it draws none."""
    if not policy.draws:
        return lambda arm, n: 0.0  # noqa: ARG005
    keys = np.empty(1, dtype=np.uint64)
    with np.errstate(over="ignore"):  # words wrap
        replicate_keys(np.uint64(stream_key(seed, *stream, NOISE_STREAM)), replicate, keys)
    sd = math.sqrt(0.5 * exploration)
    number = uniform_number if policy.draws == "uniform" else noise_number

    def noise(arm: int, n: int) -> float:
        with np.errstate(over="ignore"):
            return float(number(keys[0], arm, n, sd))

    return noise


def trace(
    policy: str | Policy,
    instance: Instance,
    horizon: int,
    *,
    replicate: int = 0,
    row: int | None = None,
    seed: int = 0,
    stream: tuple[str, ...] = (),
    tuning: float | None = None,
    log_of: Literal["n", "n-1"] = "n",
) -> Trace:
    """Play one replicate in plain Python; parameters as in ``simulate``.

    ``row`` is the replicate's row where means or penalties vary, its own number by default.
    """
    policy = get_policy(policy)
    value = policy.check_tuning(tuning)
    row = replicate if row is None else row
    tape = RewardTape(instance, replicate, seed, stream, row)
    exploration = policy.exploration_for(instance.rewards.noise)
    noise = noise_of(policy, exploration, replicate, seed, stream)
    penalties: list[float] = _row(instance.penalties, row).tolist()
    fairness: list[float] = instance.fairness.tolist()
    arms = range(instance.n_arms)
    scheduled = policy.scheduled_rounds(instance.n_arms, value)

    pulls = [0 for _ in arms]
    sums = [0.0 for _ in arms]
    means = [math.inf for _ in arms]
    gains = [policy.arrival(tau, value) for tau in fairness]
    memory = np.zeros((policy.memory, instance.n_arms))
    # A queue gains as much in every round: as it was after the last pull, and when that was.
    levels = [0.0 for _ in arms]
    since = [policy.queues_since for _ in arms]
    deficits = [0.0 for _ in arms]
    chosen: list[int] = []
    rewards: list[float] = []

    for n in range(1, horizon + 1):
        log = math.log(n if log_of == "n" else max(n - 1, 1))
        if n <= scheduled:
            choice = (n - 1) % instance.n_arms
        elif policy.choose is not None:
            seen_now = Round(
                n,
                np.array(pulls, dtype=float),
                np.array(means),
                np.array(fairness),
                np.array(penalties),
                value,
                exploration,
                log,
                np.array([noise(k, n) for k in arms]),
                memory,
            )
            choice = chosen_arm(policy, seen_now)
        else:
            seen = []
            for k in arms:
                root = 1.0 / math.sqrt(pulls[k]) if pulls[k] else UNPULLED_ROOT
                seen.append(
                    Arm(
                        n=float(n),
                        mean=means[k],
                        # sqrt(2 log n / N), in the two factors that the engine has: the
                        # last bit decides ties such as 0.1 + 0.2 against 0.3.
                        radius=math.sqrt(exploration * log) * root,
                        pulls=float(pulls[k]),
                        below=pulls[k] < fairness[k] * n,
                        fairness=fairness[k],
                        penalty=penalties[k],
                        queue=levels[k] + gains[k] * (n - 1 - since[k]),
                        tuning=value,
                        noise=noise(k, n),
                    )
                )
            urgencies = [policy.urgency(arm) for arm in seen]
            if max(urgencies) > -math.inf:
                choice = urgencies.index(max(urgencies))
            else:
                indices = [policy.index(arm) for arm in seen]
                if any(map(math.isnan, indices)):
                    raise BanditError(f"policy {policy.id}: an index is not a number in round {n}")
                choice = indices.index(max(indices))

        pulls[choice] += 1
        reward = tape.reward(choice, pulls[choice])
        sums[choice] += reward
        if not policy.commits or n <= scheduled:
            means[choice] = sums[choice] / pulls[choice]
        arrived = levels[choice] + gains[choice] * (n - 1 - since[choice]) + gains[choice]
        levels[choice] = policy.served(arrived, penalties[choice], value)
        since[choice] = n
        for k in arms:
            deficits[k] = max(deficits[k], fairness[k] * n - pulls[k])
        chosen.append(choice)
        rewards.append(reward)
    return Trace(chosen, rewards, deficits)


def chosen_arm(policy: Policy, seen: Round) -> int:
    """Ask a policy that chooses by itself; raise BanditError unless it names an arm."""
    assert policy.choose is not None  # noqa: S101
    choice = policy.choose(seen)
    if not isinstance(choice, int | np.integer) or not 0 <= choice < seen.pulls.size:
        raise no_such_arm(policy, seen.n, choice, seen.pulls.size)
    return int(choice)


def no_such_arm(policy: Policy, n: int, choice: object, n_arms: int) -> BanditError:
    """Make the error for a policy that names an arm that there is not."""
    return BanditError(
        f"policy {policy.id} chose arm {choice!r} in round {n}: it must be a whole number "
        f"from 0 to {n_arms - 1}"
    )
