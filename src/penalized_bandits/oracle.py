"""Every policy in plain Python, written for reading: what the engine is held to.

One replicate at a time, one arm at a time, with the paper's own expressions.  The
formulas are the policy's (``policies/*.py``); the loop, the means, the radius and the
fairness level are written again here, without any of the engine's tricks.  Rewards come
from the same tapes, so engine and oracle must pull the same arms, ties included.
"""

import math
from dataclasses import dataclass

import numpy as np

from penalized_bandits.engine.draws import draw
from penalized_bandits.engine.lanes import UNPULLED_ROOT
from penalized_bandits.engine.simulate import LogOf
from penalized_bandits.instances import Instance
from penalized_bandits.policies import Arm, Policy, get_policy
from penalized_bandits.streams import (
    WEYL,
    arm_keys,
    mix,
    stream_key,
)


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
    """The rewards X_1^(k), X_2^(k), ... of every arm in one replicate."""

    def __init__(
        self, instance: Instance, replicate: int, seed: int, stream: tuple[str, ...]
    ) -> None:
        self._keys = np.empty((instance.n_arms, 1), dtype=np.uint64)
        with np.errstate(over="ignore"):  # words wrap
            arm_keys(np.uint64(stream_key(seed, *stream)), replicate, self._keys)
        self._means = instance.means[replicate] if instance.means.ndim == 2 else instance.means
        self._code = instance.reward_code

    def reward(self, arm: int, pull: int) -> float:
        """Return the reward of the arm's pull with that number (from 1)."""
        # Uncompiled (NUMBA_DISABLE_JIT) all of it warns: of words that wrap, and of the
        # division by a mean of 0 that makes a Beta reward certain.
        with np.errstate(over="ignore", divide="ignore"):
            word = self._keys[arm, 0] + np.uint64(pull) * WEYL
            return float(draw(np.uint64(mix(word)), arm, self._means[arm], self._code))


def trace(
    policy: str | Policy,
    instance: Instance,
    horizon: int,
    *,
    replicate: int = 0,
    seed: int = 0,
    stream: tuple[str, ...] = (),
    tuning: float | None = None,
    log_of: LogOf = "n",
) -> Trace:
    """Play one replicate in plain Python; parameters as in ``simulate``."""
    policy = get_policy(policy)
    value = policy.check_tuning(tuning)
    tape = RewardTape(instance, replicate, seed, stream)
    penalties = (
        instance.penalties[replicate] if instance.penalties.ndim == 2 else instance.penalties
    ).tolist()
    fairness: list[float] = instance.fairness.tolist()
    arms = range(instance.n_arms)
    scheduled = policy.scheduled_rounds(instance.n_arms, value)

    pulls = [0 for _ in arms]
    sums = [0.0 for _ in arms]
    means = [math.inf for _ in arms]
    # A queue gains tau_k a round: as it was after the last pull, and when that was.
    levels = [0.0 for _ in arms]
    since = [policy.queues_since for _ in arms]
    deficits = [0.0 for _ in arms]
    chosen: list[int] = []
    rewards: list[float] = []

    for n in range(1, horizon + 1):
        if n <= scheduled:
            choice = (n - 1) % instance.n_arms
        else:
            log = math.log(n if log_of == "n" else max(n - 1, 1))
            seen = []
            for k in arms:
                root = 1.0 / math.sqrt(pulls[k]) if pulls[k] else UNPULLED_ROOT
                seen.append(
                    Arm(
                        n=float(n),
                        mean=means[k],
                        # sqrt(2 log n / N), in the two factors that the engine has: the
                        # last bit decides ties such as 0.1 + 0.2 against 0.3.
                        radius=math.sqrt(policy.exploration * log) * root,
                        pulls=float(pulls[k]),
                        below=pulls[k] < fairness[k] * n,
                        fairness=fairness[k],
                        penalty=penalties[k],
                        queue=levels[k] + fairness[k] * (n - 1 - since[k]),
                        tuning=value,
                    )
                )
            urgencies = [policy.urgency(arm) for arm in seen]
            if max(urgencies) > -math.inf:
                choice = urgencies.index(max(urgencies))
            else:
                indices = [policy.index(arm) for arm in seen]
                choice = indices.index(max(indices))

        pulls[choice] += 1
        reward = tape.reward(choice, pulls[choice])
        sums[choice] += reward
        if not policy.commits or n <= scheduled:
            means[choice] = sums[choice] / pulls[choice]
        arrived = levels[choice] + fairness[choice] * (n - 1 - since[choice]) + fairness[choice]
        levels[choice] = policy.served(arrived)
        since[choice] = n
        for k in arms:
            deficits[k] = max(deficits[k], fairness[k] * n - pulls[k])
        chosen.append(choice)
        rewards.append(reward)
    return Trace(chosen, rewards, deficits)
