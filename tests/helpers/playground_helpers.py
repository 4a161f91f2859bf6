"""Bandits for the playground's simulator, and its pulls compared with the oracle's."""

import csv
from pathlib import Path
from typing import Any

import numpy as np

from golden_pulls import takes
from penalized_bandits import POLICIES, Categorical, Gaussian, HeavyTailed, Instance
from penalized_bandits.bandit.rewards import EXAMPLES
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.streams import Stream
from penalized_replication.playground.scripts import translations

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
    instance: Instance, horizon: int, *, seed: int, stream: tuple[str, ...] = (), replicate: int = 0
) -> dict[str, Any]:
    """Return the arguments of a simulation in the script, without the policy."""
    law = {name: np.asarray(value).tolist() for name, value in vars(instance.rewards).items()}
    return {
        **{name: getattr(instance, name).tolist() for name in ("means", "fairness", "penalties")},
        **dict(zip(("experiment", "instance"), stream, strict=False)),
        "law": {"id": instance.rewards.id, **law},
        "horizon": horizon,
        "seed": seed,
        "replicate": replicate,
    }


def drawn_bandit(i: int) -> Instance:
    """Draw a bandit of each family in turn; every other one is on a grid, with ties by rounding."""
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
    sd = float(rng.choice([0.1, 0.25, 1.0]))
    table = Categorical(SUPPORT, rng.dirichlet(np.ones(SUPPORT.size), n_arms))
    own = {"gaussian": Gaussian(sd), "categorical": table, "heavy_tailed": HeavyTailed(sd, 1.5)}
    rewards = [*(EXAMPLES | own).values()][(i // 2) % len(EXAMPLES)]
    return Instance(table.means if rewards is table else means, fairness, penalties, rewards)


def check_pulls(page: Any, i: int) -> None:
    """Compare every policy's arms on a drawn bandit with the oracle's, round by round."""
    instance = drawn_bandit(i)
    given = given_as(instance, ROUNDS, seed=SEED + i, stream=STREAM, replicate=i)
    played = dict(zip(translations()[0], page.evaluate(RUN, [given, ROUNDS]), strict=True))
    for policy, arms in played.items():
        if not takes(policy, instance.rewards.id):
            assert "not sub-Gaussian" in arms
            continue
        rule = POLICIES[policy].tuning
        tuning = rule.regret(instance.n_arms, ROUNDS) if rule and rule.regret else None
        stream = Stream(SEED + i, STREAM)
        expected = trace(policy, instance, ROUNDS, replicate=i, stream=stream, tuning=tuning)
        assert arms == expected.arms, f"{policy}, {given['law']}"


SMALL = (
    "#mu=0.9,0.6,0.5&law=gaussian&sd=0.3&tau=0.1,0.2,0.2&a=0.35"
    "&p=hard_threshold_ucb,ucb1&t=600&r=5&seed=7"
)
"""A bandit that is played quickly."""
PLAYED = """() => {
  const words = document.getElementById("clock").textContent.split(" ");
  return words.length === 4 && words[1] === words[3];
}"""


def wait_until_played(page: Any) -> Any:
    page.wait_for_function(PLAYED)
    return page


def address(page: Any) -> dict[str, str]:
    return dict(field.split("=") for field in page.evaluate("location.hash").lstrip("#").split("&"))


def numbers_of(page: Any) -> list[dict[str, str]]:
    """Save all numbers and return their rows, one for each policy, round and arm."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name="All numbers (CSV)").click()
    return list(csv.DictReader(Path(waiting.value.path()).read_text("utf-8").splitlines()))
