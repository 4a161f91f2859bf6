"""The package against a second simulation, written from the paper and from nothing else.

Below, only ``simulate_again`` and the formulas in it produce the second opinion: numpy's
own generator and normals, all replicates side by side, no reward tapes.  Both sides get
the same bandits and are compared in the means of regret, unfairness and pulls.

About 160 means are compared, each within 4 standard errors of its difference.  Were all
independent, a right program would fail with probability 160 * 6.3e-5 = 1 %; the seeds are
fixed, so it does not.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from penalized_bandits import Gaussian, Instance, penalized_regret, simulate, unfairness

Array = np.ndarray[Any, np.dtype[np.float64]]
STANDARD_ERRORS = 4
ROUNDING = 1e-8  # of means of sums up to 10^4


def simulate_again(
    policy: str, mu: Array, tau: Array, rate: Array, horizon: int, sd: float, tuning: Any = None
) -> Array:
    """Return the pulls (R, K) of a policy on means (R, K), as the paper describes it."""
    rng = np.random.default_rng(2024)
    rows = np.arange(len(mu))
    n_arms = mu.shape[1]
    pulls, total, queue = (np.zeros(mu.shape) for _ in range(3))
    for n in range(1, horizon + 1):
        if n <= n_arms:
            arm = np.full(len(mu), n - 1)
        else:
            mean = total / pulls
            ucb = mean + np.sqrt(2 * np.log(n) / pulls)
            if policy == "hard_threshold_ucb":
                index = ucb + rate * (pulls < tau * n)
            elif policy == "soft_threshold_ucb":
                index = ucb + rate * np.maximum(tau * n - pulls, 0) / (tau * n)
            elif policy == "lfg":
                index = queue + tuning * np.minimum(ucb, 1)
            else:
                index = ucb
            if policy == "fair_learn":
                deficit = tau * (n - 1) - pulls
                unfair = (deficit > tuning).any(axis=1, keepdims=True)
                index = np.where(unfair, deficit, index)
            arm = index.argmax(axis=1)
        total[rows, arm] += rng.normal(mu[rows, arm], sd)
        pulls[rows, arm] += 1
        queue += tau
        queue[rows, arm] -= 1
        np.maximum(queue, 0, out=queue)
    return pulls


def regret_again(pulls: Array, mu: Array, tau: Array, rate: Array, horizon: int) -> Array:
    """Return L(T) - L*(T): eq. (5) and (9)."""
    gap = mu.max(axis=1, keepdims=True) - mu
    lost = gap * pulls + rate * np.maximum(tau * horizon - pulls, 0)
    return (lost - np.minimum(gap, rate) * tau * horizon).sum(axis=1)


def assert_agree(name: str, ours: Array, theirs: Array) -> None:
    """Compare means over replicates; both runs are independent given the bandits."""
    # Paired by replicate, because the bandit of a replicate is the same on both sides.
    difference = ours - theirs
    se = difference.std(axis=0, ddof=1) / np.sqrt(len(difference))
    off = np.abs(difference.mean(axis=0))
    assert (off <= STANDARD_ERRORS * se + ROUNDING).all(), f"{name}: off by {off}, SE {se}"


def compare(
    policy: str,
    mu: Array,
    tau: Array,
    rate: Array,
    horizon: int,
    sd: float,
    tuning: float | None = None,
) -> None:
    run = simulate(
        policy,
        Instance(mu, tau, rate, Gaussian(sd)),
        horizon,
        replicates=len(mu),
        seed=7,
        tuning=tuning,
    )
    ours = run.pulls[:, -1].astype(np.float64)
    theirs = simulate_again(policy, mu, tau, rate, horizon, sd, tuning)
    short = np.maximum(tau * horizon - theirs, 0).sum(axis=1)
    assert_agree("pulls", ours, theirs)
    assert_agree("unfairness", unfairness(ours, tau, horizon), short)
    assert_agree(
        "regret",
        penalized_regret(ours, mu, tau, rate),
        regret_again(theirs, mu, tau, rate, horizon),
    )


@pytest.mark.parametrize(
    ("policy", "tuning"),
    [
        ("hard_threshold_ucb", None),
        ("lfg", 2000**0.5),
        ("fair_learn", 0.0),
        ("ucb1", None),
        ("soft_threshold_ucb", None),
    ],
)
def test_setting_1(policy: str, tuning: float | None) -> None:
    # K = 5, tau = 0.4, T = 2000, A = (max mu - min mu) / 2.
    mu = np.random.default_rng(1).random((400, 5))
    rate = np.broadcast_to(np.ptp(mu, axis=1, keepdims=True) / 2, mu.shape)
    compare(policy, mu, np.full(5, 0.08), rate, 2000, 1 / 5, tuning)


MEANS_2 = np.array([0.95, 0.7, 0.65, 0.6, 0.2, 0.15, 0.1, 0.05])
FAIRNESS_2 = np.array([0.1] * 4 + [0.04] * 4)
HORIZON_2 = 2500
SCALES: dict[str, Callable[[float], float | None]] = {
    "hard_threshold_ucb": lambda eta: None,
    "fair_learn": lambda eta: (1 - eta) * 0.1 * HORIZON_2,
    "lfg": lambda eta: (1 - eta) * HORIZON_2,
}


@pytest.mark.parametrize("eta", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("policy", SCALES)
def test_setting_2(policy: str, eta: float) -> None:
    # Case 2 with A = eta, at a quarter of the paper's horizon.
    mu = np.tile(MEANS_2, (150, 1))
    rate = np.full(mu.shape, eta)
    compare(policy, mu, FAIRNESS_2, rate, HORIZON_2, 1 / 8, SCALES[policy](eta))
