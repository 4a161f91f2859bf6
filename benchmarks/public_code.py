"""Policies beside the public code of their authors, pull by pull on the same reward tapes.

    git clone https://github.com/DBaudry/Revenue_guaranteeing_bandits FOLDER
    python -m benchmarks.public_code FOLDER

The code (BSD licence; compared was commit 0ade927) is read from the folder that it was cloned
into.  It has the revenue floors of Baudry et al. (AISTATS 2024) and their version of BanditQ.  Both
are told floors once and for all; here they are told tau_k m_k anew in each round, as our versions
take them.  Theirs reads log(n - 1), so ours plays by that reading (R1).

Theirs gives shares, from which the arm is drawn with the number that ours draws from.  Printed is
in how many rounds both pulled the same arm, each going on from its own pulls.  Bounds are found
to 1e-6 there and to 1e-13 here.
"""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from penalized_bandits import Bernoulli, Instance
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine.oracle import RewardTape, noise_of, trace
from penalized_bandits.policies import POLICIES

HORIZON = 2_000
SEEDS = range(5)
INSTANCES = {
    "three arms, floors soon sure": Instance([0.9, 0.8, 0.6], 0.1, 0.3, Bernoulli()),
    "five arms": Instance([0.9, 0.8, 0.6, 0.3, 0.2], 0.1, 0.3, Bernoulli()),
    "sum of fractions 0.9": Instance([0.8, 0.7, 0.5], 0.3, 0.3, Bernoulli()),
}


class RevenueFloors:
    """Their policy that is sure of the floors as long as it can be, and KL-UCB for the rest."""

    def __init__(self, library: Any, n_arms: int) -> None:
        none = np.zeros(n_arms)
        floors = library.Fair(none, library.kl_lcb, normalize=False)
        self._policy = library.FairBandit(floors, library.Bandit(none, library.kl_ucb))

    def shares(self, floors: FloatArray) -> FloatArray:
        """Return the shares of the round to come."""
        self._policy.fairalgo.lambdas = self._policy.bandit.lambdas = floors
        return self._policy.play()

    def learn(self, arm: int, reward: float, shares: FloatArray, floors: FloatArray) -> None:
        """Tell it of a pull."""
        del floors
        self._policy.update(arm, reward, shares)


class BanditQ:
    """Their version of BanditQ; rounds count from the first that it is asked."""

    def __init__(self, library: Any, n_arms: int) -> None:
        self._policy = library.BanditQ(np.zeros(n_arms), HORIZON)
        self._first_pulls = n_arms

    def shares(self, floors: FloatArray) -> FloatArray:
        """Return the shares of the round to come."""
        del floors
        return self._policy.play()

    def learn(self, arm: int, reward: float, shares: FloatArray, floors: FloatArray) -> None:
        """Tell it of a pull; the first one of each arm is not its own."""
        if self._first_pulls > 0:
            self._first_pulls -= 1
            return
        self._policy.lambdas = floors
        self._policy.update(arm, reward, shares)


THEIRS: dict[str, Callable[[Any, int], RevenueFloors | BanditQ]] = {
    "revenue_floors": RevenueFloors,
    "banditq": BanditQ,
}


def theirs(library: Any, name: str, instance: Instance, seed: int) -> list[int]:
    """Return the arms that their policy pulls."""
    policy, n_arms = THEIRS[name](library, instance.n_arms), instance.n_arms
    tape = RewardTape(instance, 0, seed, ())
    draw = noise_of(POLICIES[name], POLICIES[name].exploration, 0, seed, ())
    pulls, totals = np.zeros(n_arms), np.zeros(n_arms)
    arms: list[int] = []
    for n in range(1, HORIZON + 1):
        shares = policy.shares(instance.fairness * totals / np.maximum(pulls, 1))
        drawn = int(np.searchsorted(np.cumsum(shares), draw(0, n), side="right"))
        arm = n - 1 if n <= n_arms else min(drawn, n_arms - 1)
        pulls[arm] += 1
        reward = tape.reward(arm, int(pulls[arm]))
        totals[arm] += reward
        policy.learn(arm, reward, shares, instance.fairness * totals / np.maximum(pulls, 1))
        arms.append(arm)
    return arms


def main() -> None:
    """Compare and print."""
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "fairbandits").is_dir():
        sys.exit(f"{__doc__}\nGive the folder of the clone, which has fairbandits/ in it.")
    sys.path.insert(0, sys.argv[1])
    library = importlib.import_module("fairbandits.algo")
    for name in THEIRS:
        tuning = POLICIES[name].tuning
        for where, instance in INSTANCES.items():
            value = tuning.regret(instance.n_arms, HORIZON) if tuning and tuning.regret else None
            same = 0
            for seed in SEEDS:
                ours = trace(name, instance, HORIZON, seed=seed, tuning=value, log_of="n-1").arms
                same += sum(map(int.__eq__, ours, theirs(library, name, instance, seed)))
            rounds = HORIZON * len(SEEDS)
            sys.stdout.write(f"{name}, {where}: the same arm in {same:,} of {rounds:,} rounds\n")


if __name__ == "__main__":
    main()
