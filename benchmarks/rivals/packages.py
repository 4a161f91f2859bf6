"""UCB1 of other packages, called round by round except PyMAB's.

Rewards are drawn in advance, so that drawing adds next to nothing to their times.
"""

import contextlib
import importlib
import io
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from benchmarks.cases import Case
from penalized_bandits.common.typing import FloatArray, IntArray

Bandit = tuple[Callable[[], int], Callable[[int, float], object]]
"""What chooses an arm, and what takes its reward."""


def pulls_of(bandit: Bandit, case: Case, noise: FloatArray) -> IntArray:
    """Play a round for each reward's noise; return the pulls, shape (K,)."""
    (choose, learn), pulls = bandit, [0] * case.arms
    means: list[float] = case.instance.means.tolist()
    for deviation in noise.tolist():
        arm = choose()
        learn(arm, means[arm] + deviation)
        pulls[arm] += 1
    return np.array(pulls)


def _replicates(case: Case, start: Callable[[int], Bandit]) -> IntArray:
    """Play all replicates, each with its seed; return their pulls, shape (R, K)."""
    noise = np.random.default_rng(0).standard_normal((case.replicates, case.horizon)) / case.arms
    return np.array([pulls_of(start(seed), case, own) for seed, own in enumerate(noise)])


def mabwiser(case: Case) -> IntArray:
    """Play with MABWiser."""
    library: Any = importlib.import_module("mabwiser.mab")
    # Its index is mean + alpha sqrt(2 log n / N).
    rule = library.LearningPolicy.UCB1(alpha=1.0)

    def start(seed: int) -> Bandit:
        bandit, unseen = library.MAB([*range(case.arms)], rule, seed=seed), [*range(case.arms)]
        learn = lambda arm, reward: bandit.partial_fit([arm], [reward])  # noqa: E731
        return lambda: unseen.pop() if unseen else bandit.predict(), learn

    return _replicates(case, start)


def smpybandits(case: Case) -> IntArray:
    """Play with SMPyBandits."""
    # The package imports all its policies at once, and with them a function that scipy has
    # renamed; it prints warnings.
    if not hasattr(special, "btdtri"):
        special.btdtri = special.betaincinv  # pyright: ignore[reportAttributeAccessIssue]
    with contextlib.redirect_stdout(io.StringIO()):
        policies: Any = importlib.import_module("SMPyBandits.Policies")

    def start(_: int) -> Bandit:
        policy = policies.UCB(case.arms)
        policy.startGame()
        return policy.choice, policy.getReward

    return _replicates(case, start)


def pymab(case: Case) -> IntArray:
    """Simulate with PyMAB's own loop in Rust, which records every round."""
    library: Any = importlib.import_module("pymab")
    law = library.distributions.GaussianReward(1 / case.arms)
    result = library.Experiment(
        environment=library.BanditEnvironment(case.instance.means, law),
        policies={"ucb1": library.policies.UCBPolicy(n_arms=case.arms)},
        config=library.ExperimentConfig(case.horizon, case.replicates, seed=0, backend="rust"),
    ).run()
    return np.array([np.bincount(path.ravel(), minlength=case.arms) for path in result.actions])
