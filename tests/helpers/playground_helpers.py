"""Bandits for the playground's simulator, and its pulls compared with the oracle's."""

from typing import Any

import numpy as np

from penalized_bandits import (
    POLICIES,
    Bernoulli,
    Beta,
    Categorical,
    Deterministic,
    Gaussian,
    HeavyTailed,
    Instance,
)
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine.oracle import trace
from penalized_bandits.playground.scripts import translations

SEED = 20250301
ROUNDS = 120
STREAM = ("playground", "drawn at τ = 0.2, " * 9)
"""Longer than a block of the hash."""
SUPPORT = np.linspace(0, 1, 5)

RUN = """
([given, rounds]) => POLICIES.map((policy) => {
  const arms = [];
  try {
    const sim = new Simulation({ ...given, policy: policy.id });
    for (let n = 0; n < rounds; n += 1) {
      sim.run(1);
      arms.push(sim.last);
    }
    return arms;
  } catch (error) {
    return error.message;
  }
})
"""


def given_as(
    instance: Instance,
    law: dict[str, Any],
    horizon: int,
    *,
    seed: int,
    stream: tuple[str, ...] = (),
    replicate: int = 0,
) -> dict[str, Any]:
    """Return the arguments of a simulation in the script, without the policy."""
    return {
        **{name: getattr(instance, name).tolist() for name in ("means", "fairness", "penalties")},
        **dict(zip(("experiment", "instance"), stream, strict=False)),
        "law": law,
        "horizon": horizon,
        "seed": seed,
        "replicate": replicate,
    }


def _law(family: int, means: FloatArray, rng: np.random.Generator) -> tuple[Any, dict[str, Any]]:
    """Return a law of rewards in Python and for the script."""
    sd = float(rng.choice([0.1, 0.25, 1.0]))
    if family == 3:
        table = rng.dirichlet(np.ones(SUPPORT.size), means.size)
        facts = {"support": SUPPORT.tolist(), "probabilities": table.tolist()}
        return Categorical(SUPPORT, table), {"id": "categorical", **facts}
    return [
        (Gaussian(sd), {"id": "gaussian", "sd": sd}),
        (Bernoulli(), {"id": "bernoulli"}),
        (Beta(), {"id": "beta"}),
        None,
        (Deterministic(), {"id": "deterministic"}),
        (HeavyTailed(sd, 1.5), {"id": "heavy_tailed", "scale": sd, "tail": 1.5}),
    ][family]


def drawn_bandit(i: int) -> tuple[Instance, dict[str, Any]]:
    """Draw a bandit of each family in turn; return it in Python and for the script.

    Every other bandit is on a grid, where ties are decided by rounding.
    """
    rng = np.random.default_rng([SEED, i])
    n_arms = int(rng.integers(2, 21))
    if i % 2:
        means = rng.uniform(0, 1, n_arms)
        fairness = 0.9 * rng.dirichlet(np.ones(n_arms))
        penalties = rng.uniform(0, 1, n_arms)
    else:
        means = rng.integers(0, 11, n_arms) / 10
        fairness = np.full(n_arms, 0.8 / n_arms)
        penalties = rng.integers(0, 6, n_arms) / 10
    rewards, law = _law((i // 2) % 6, means, rng)
    if isinstance(rewards, Categorical):
        means = rewards.means
    instance = Instance(means, fairness, penalties, rewards)
    given = given_as(instance, law, ROUNDS, seed=SEED + i, stream=STREAM, replicate=i)
    return instance, given


def usual_tuning(policy: str, n_arms: int, horizon: int) -> float | None:
    """Return the tuning of a policy's rule for regret; None if it has none."""
    rule = POLICIES[policy].tuning
    return None if rule is None or rule.regret is None else rule.regret(n_arms, horizon)


def check_pulls(page: Any, i: int) -> None:
    """Compare every policy's arms on a drawn bandit with the oracle's, round by round."""
    instance, given = drawn_bandit(i)
    played = dict(zip(translations()[0], page.evaluate(RUN, [given, ROUNDS]), strict=True))
    for policy, arms in played.items():
        if POLICIES[policy].scaled_by_noise and given["law"]["id"] == "heavy_tailed":
            assert "not sub-Gaussian" in arms
            continue
        tuning = usual_tuning(policy, instance.n_arms, ROUNDS)
        expected = trace(
            policy, instance, ROUNDS, replicate=i, seed=SEED + i, stream=STREAM, tuning=tuning
        )
        assert arms == expected.arms, f"{policy}, {given['law']}"
