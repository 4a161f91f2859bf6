"""The claims on batches and sleeping arms: each rule just inside its limit, outside and between."""

import numpy as np
import pytest
from test_extended_claims import evidence

from case_helpers import info_of
from extended_helpers import TINY_EXTENDED
from outcome_factories import N, outcome
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Bernoulli
from penalized_replication.claims.deciding import decide, measure
from penalized_replication.experiments.extended.changing_catalogue import (
    FLOORS_GROW,
    ChangingCatalogue,
    availability,
    batch_case,
    sleeping_case,
)
from penalized_replication.storage.replicates import Outcome
from penalized_replication.theory.sleeping import least_loss

NAME, INSTANCE = "changing_catalogue", "one"
TINY = TINY_EXTENDED[NAME]
BANDIT = [TINY["cases"][INSTANCE][key] for key in ("means", "fairness", "penalties")]
GAP, LEVEL = 0.4, 40
"""Of arm 2: a pull above its level of 40 in 400 costs 0.4."""
SEED = 5
# Two values in turn around a mean; and the same further apart, which decides nothing.
NEAR, FAR = np.tile([-0.5, 0.5], N // 2), np.tile([-6.0, 6.0], N // 2)


def run(case: str, policy: str, others: np.ndarray | float, horizon: int = 400) -> Outcome:
    pulls = np.broadcast_to(others, N)[:, None]
    info = info_of(case, BANDIT[1], instance=INSTANCE)
    return outcome(pulls, horizon, *BANDIT, case=info, policy=policy)


def asleep(regret: float | np.ndarray, accrual: str, policy: str, horizon: int = 400) -> Outcome:
    """Return a run with about this regret against the best rule for the same availability."""
    there = availability(ChangingCatalogue.model_validate(TINY), SEED, INSTANCE)[:horizon]
    least = least_loss(Instance(BANDIT[0], BANDIT[1], BANDIT[2], Bernoulli()), there)
    pulls = np.round((least + regret) / GAP)
    return run(sleeping_case(INSTANCE, accrual), policy, pulls, horizon)


def batches(extra: np.ndarray | float, policy: str = "hard_threshold_ucb") -> list[Outcome]:
    plain = run(INSTANCE, policy, LEVEL + 20.0)
    return [plain, run(batch_case(INSTANCE, 10), policy, LEVEL + 20.0 + extra)]


def sleeping(cost: float | np.ndarray) -> list[Outcome]:
    policy = "hard_threshold_ucb"
    changed = [asleep(16.0 + cost, accrual, policy) for accrual in FLOORS_GROW]
    return [run(INSTANCE, policy, LEVEL + 20.0), *changed]


def growing(late: float | np.ndarray) -> list[Outcome]:
    policy = "kl_hard_threshold"
    return [asleep(10.0, "always", policy, 100), asleep(late, "always", policy)]


@pytest.mark.parametrize(
    ("name", "runs", "statuses"),
    [
        # The limit is 9 pulls of arm 2.
        ("E11", batches(8.5 + NEAR), "h"),
        ("E11", batches(9.5 + NEAR), "f"),
        ("E11", batches(9.0 + FAR), "u"),
        ("E12", [*batches(5.0), *batches(4.5 + NEAR, "thompson_hard_threshold")], "h"),
        ("E12", [*batches(5.0), *batches(5.5 + NEAR, "thompson_hard_threshold")], "f"),
        ("E12", [*batches(5.0), *batches(5.0 + FAR, "thompson_hard_threshold")], "u"),
        # The limit is 8, once for each accrual; without sleep regret is 16.
        ("E13", sleeping(7.2 + NEAR), "hh"),
        ("E13", sleeping(9.0 + NEAR), "ff"),
        ("E13", sleeping(8.0 + 2 * FAR), "uu"),
        # Twice the regret of 10 at a quarter of the horizon.
        ("E14", growing(21.2 + NEAR), "h"),
        ("E14", growing(18.8 + NEAR), "f"),
        ("E14", growing(20.0 + 2 * FAR), "u"),
    ],
)
def test_the_rule_decides_near_its_limit(
    name: str, runs: list[Outcome], statuses: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = evidence().add(NAME, *runs)
    monkeypatch.setattr(made, "seed", lambda _: SEED)
    result = decide(measure(name, made))
    assert "".join(part.status[0] for part in result.parts) == statuses, result.parts
