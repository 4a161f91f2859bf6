"""Bandits for tests, random ones and a fixed one, and which policies the fast tests take."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numba import njit
from scipy.special import rel_entr

from golden_pulls import COMPILED, takes
from penalized_bandits import POLICIES, Instance, Policy, get_policy
from penalized_bandits.bandit import rewards as laws
from penalized_bandits.common.errors import LARGEST
from penalized_bandits.common.typing import FloatArray, UIntArray
from penalized_bandits.engine import simulate as engine
from penalized_bandits.engine._draws import draw
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import LogOf, simulate_part
from penalized_bandits.engine.simulation import Simulation
from penalized_bandits.engine.streams import Stream
from penalized_bandits.policies.reads import knows_floors_alone
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.lower_bound import least_divergence

OTHERS = [policy for policy in POLICIES if policy not in COMPILED]
EACH = [*COMPILED, *(pytest.param(policy, marks=pytest.mark.slow) for policy in OTHERS)]
"""Parameters of a test that compiles each policy."""
ANY = [
    pytest.param(COMPILED, id="some"),
    pytest.param(list(POLICIES), id="all", marks=pytest.mark.slow),
]
"""The same, where hypothesis draws the policy."""

# Sums of eighths are exact, so equal indices are equal in any order of evaluation.
EIGHTHS = np.arange(9) / 8

# One optimal, one critical, one non-critical arm; log T = 10.
MU, TAU, RATES = np.array([0.9, 0.7, 0.3]), np.array([0.1, 0.2, 0.3]), np.array([0.5, 0.3, 0.2])
BANDIT = instance_of(MU, TAU, RATES)
TEN = math.exp(10)

TINY = math.ulp(0.0)
"""The smallest number above 0."""


@dataclass(frozen=True)
class Request:
    policy: str | Policy
    instance: Instance
    horizon: int
    replicates: int
    seed: int
    tuning: float | None
    log_of: LogOf

    def how(self) -> dict[str, Any]:
        return {"tuning": self.tuning, "log_of": self.log_of, "stream": Stream(self.seed)}

    def play(self, **options: Any) -> Simulation:
        """Return the simulation, by default with the counts of every round."""
        options = {"checkpoints": range(1, self.horizon + 1), **self.how(), **options}
        given = self.policy, self.instance, self.horizon
        return simulate_part(*given, replicates=self.replicates, **options)


def fairness_fractions(rng: np.random.Generator, n_arms: int) -> FloatArray:
    """Fractions with zeros among them, their sum anywhere from 0 to just below 1."""
    weights = rng.random(n_arms) * (rng.random(n_arms) < 0.7)
    total = rng.choice([0.0, 0.3, 0.8, 0.999999])
    return weights / max(weights.sum(), 1e-9) * total


def random_means(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """Means of [0, 1]: any, on a coarse grid (many ties), or all equal."""
    kind = rng.integers(0, 3)
    if kind == 0:
        return rng.random(shape)
    return rng.choice(EIGHTHS, shape) if kind == 1 else np.full(shape, rng.choice(EIGHTHS))


def random_penalties(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """Penalty rates: zeros, ties and rates far above every gap."""
    kind = rng.integers(0, 4)
    if kind == 0:
        return np.zeros(shape)
    if kind == 1:
        return rng.choice(EIGHTHS, shape)
    return rng.random(shape) if kind == 2 else rng.choice([0.0, 1.0, 1000.0], shape)


def random_instance(rng: np.random.Generator, family: str, n_arms: int, rows: int) -> Instance:
    """Draw an instance; means and penalties vary by replicate in some."""
    shape = (rows, n_arms) if rng.integers(0, 2) else (n_arms,)
    tau = fairness_fractions(rng, n_arms)
    if family == "categorical":
        # Five ratings, some of probability zero, some arms alike.
        weights = rng.integers(0, 4, (n_arms, 5)) + np.eye(5)[rng.integers(0, 5, n_arms)]
        weights[n_arms // 2] = weights[0]
        rewards = laws.Categorical(np.arange(5) / 4, weights / weights.sum(axis=1, keepdims=True))
        means = np.broadcast_to(rewards.means, shape)
        return Instance(means, tau, random_penalties(rng, shape), rewards)
    rewards = laws.EXAMPLES[family]
    if family == "gaussian":
        rewards = laws.Gaussian(float(rng.choice([0.0, 0.05, 0.5])))
    return Instance(random_means(rng, shape), tau, random_penalties(rng, shape), rewards)


@njit
def draws(words: UIntArray, arm: int, mean: float, code: laws.RewardCode) -> FloatArray:
    drawn = np.empty(words.size)
    for i in range(words.size):
        drawn[i] = draw(words[i], arm, mean, code)
    return drawn


def drawn_rewards(law: laws.RewardFamily, means: list[float], arm: int, size: int) -> FloatArray:
    words = np.random.default_rng(2).integers(0, 2**64, size, np.uint64)
    return draws(words, arm, means[arm], law.code(np.array(means)))


def random_problem(seed: int, most_arms: int = 12) -> tuple[FloatArray, FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, most_arms + 1)),)
    return random_means(rng, shape), fairness_fractions(rng, *shape), random_penalties(rng, shape)


def random_tuning(rng: np.random.Generator, policy: str, horizon: int) -> float | None:
    """Draw a tuning that the policy takes, extremes included."""
    rule = POLICIES[policy]
    if rule.tuning is None:
        return None
    if rule.commits:
        return float(rng.choice([*range(1, 6), LARGEST]))
    return float(rng.choice([0.0, TINY, 0.125, 1.0, rng.random() * horizon, horizon, LARGEST]))


def families(policy: str) -> st.SearchStrategy[str]:
    return st.sampled_from([family for family in laws.FAMILIES if takes(policy, family)])


SIZES = st.integers(1, 40)


@st.composite
def requests(
    draw: st.DrawFn, policies: Sequence[str] = COMPILED, sizes: st.SearchStrategy[int] = SIZES
) -> Request:
    """Draw a simulation of one of some policies on any instance.

    Hypothesis chooses the sizes and the kinds (it shrinks those well), a generator the
    numbers.
    """
    policy = draw(st.sampled_from(sorted(policies)))
    family, n_arms = draw(families(policy)), draw(sizes)
    horizon, replicates = draw(st.integers(1, 300)), draw(st.integers(1, 20))
    log_of: LogOf = draw(st.sampled_from(("n", "n-1")))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    instance = random_instance(rng, family, n_arms, replicates)
    if draw(st.booleans()) and not knows_floors_alone(POLICIES[policy]):
        instance = with_ceilings(rng, instance)
    tuning = random_tuning(rng, policy, horizon)
    return Request(policy, instance, horizon, replicates, seed, tuning, log_of)


def with_ceilings(rng: np.random.Generator, instance: Instance) -> Instance:
    """Add ceilings, soft and hard ones; the first arm has none, so that each round has an arm."""
    n_arms = instance.n_arms
    ceilings = np.maximum(rng.choice([0.125, 0.5, 1.0], n_arms), instance.fairness)
    ceilings[0] = 1.0
    rates = rng.choice([0.0, 0.125, rng.random(), np.inf], n_arms)
    return replace(instance, ceilings=ceilings, excess_penalties=rates)


LAWS = [law for law in laws.EXAMPLES.values() if law.id != "categorical"]  # has means of its own
LAWS += [laws.Gaussian(TINY), laws.Gaussian(LARGEST)]


@st.composite
def extreme_bandits(draw: st.DrawFn, sizes: st.SearchStrategy[int]) -> Instance:
    """Draw an instance whose numbers are at their limits, beside others that are not."""
    n_arms, family = draw(sizes), draw(st.sampled_from(LAWS))
    wide = not isinstance(family, laws.UnitIntervalFamily)
    special = (0.0, 1.0, 0.5, TINY, 1 - 2**-53) + ((LARGEST, -LARGEST, -1.0) if wide else ())

    def values(*some: float) -> FloatArray:
        """Draw numbers, most of them special ones or equal to one another."""
        each = st.sampled_from(some) | st.floats(0, 1)
        return draw(arrays(float, n_arms, elements=each, fill=each))

    means, penalties = values(*special), values(0.0, TINY, 1e9, LARGEST)
    weights = values(0.0, TINY, 1e-9, 1.0)
    total = draw(st.sampled_from([0.0, 0.5, 1.0]))
    fairness = weights / max(math.fsum(weights), 1e-300) * total
    return Instance(means, fairness, penalties, family)


def assert_as_the_oracle(request: Request, replicates: Iterable[int] | None = None) -> None:
    """Compare all loops that can play with the oracle after every round, exactly."""
    policy, instance = get_policy(request.policy), request.instance
    with pytest.MonkeyPatch.context() as patch:
        if policy.choose is None:
            # Where a loop does not compile, plain Python would pull the same arms.
            patch.setattr(engine, "run_plain", lambda _, reason: pytest.fail(reason))
        runs = [request.play(engine=loop) for loop in engine.loops_for(policy)]
    for r in range(request.replicates) if replicates is None else replicates:
        expected = trace(policy, instance, request.horizon, replicate=r, **request.how())
        pulled = np.eye(len(expected.max_deficits), dtype=np.int64)[expected.arms]
        # cumsum adds in order of time, as the engine does: equal to the last bit.
        sums = (pulled * np.array(expected.rewards)[:, None]).cumsum(axis=0)[-1]
        for run in runs:
            np.testing.assert_array_equal(run.pulls[r], pulled.cumsum(axis=0))
            np.testing.assert_array_equal(run.max_deficits[r, -1], expected.max_deficits)
            np.testing.assert_array_equal(run.reward_sums[r], sums)
            assert np.isfinite(run.reward_sums).all()


def kl(p: FloatArray | float, q: FloatArray | float) -> FloatArray:
    return rel_entr(p, q) + rel_entr(1 - p, 1 - q)


def least_on_unit(values: FloatArray, chances: FloatArray, mean: float) -> float:
    """Return K(nu, x) among all laws on [0, 1], which may put mass on 1."""
    return least_divergence(np.append(values, 1.0), np.append(chances, 0.0), mean)
