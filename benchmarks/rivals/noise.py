"""Rewards for loops in Python: drawn all at once, so that drawing costs them little."""

import numpy as np

from penalized_bandits import Bernoulli, Gaussian, Instance


class Rewards:
    """Gaussian or Bernoulli rewards of one replicate, round by round."""

    def __init__(self, instance: Instance, horizon: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self._means: list[float] = instance.means.tolist()
        self._sd = 0.0
        if isinstance(instance.rewards, Gaussian):
            self._sd = instance.rewards.sd
            self._noise: list[float] = rng.standard_normal(horizon).tolist()
        elif isinstance(instance.rewards, Bernoulli):
            self._noise = rng.random(horizon).tolist()
        else:
            raise TypeError(f"no loop for rewards {instance.rewards.id}")

    def draw(self, arm: int, turn: int) -> float:
        """Return the reward of an arm in a round, counted from 0."""
        if self._sd > 0:
            return self._means[arm] + self._sd * self._noise[turn]
        return 1.0 if self._noise[turn] < self._means[arm] else 0.0
