"""The claims on ratings, on replicates that keep the constants of the theorems and break them."""

import numpy as np
import pytest

from outcome_factories import N, Runs, info_of, outcome
from penalized_bandits.bandit.by_value import parameters_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.exploration import exploration_of
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims.results import measure
from penalized_replication.experiments.base import case_of
from penalized_replication.storage.replicates import Outcome
from penalized_research.claims import ratings
from penalized_research.claims.ratings import EMPIRICAL, KL
from penalized_research.experiments.sharp import RatedBandit
from tiny_sections import RATED, TINY_SHARP

CASE, RATES = RatedBandit.model_validate(RATED).bandit("one")
LAW, TAU, MEANS = CASE.rewards, CASE.fairness, CASE.means
HORIZONS = (31_000, 100_000, 300_000, 1_000_000)


def run(policy: str, horizon: int, factor: float) -> Outcome:
    """Return an outcome with a factor times the predicted pulls of arms 2 and 3."""
    rule = exploration_of(policy, LAW.noise, law=LAW)
    assert rule is not None
    predicted = predicted_pulls(instance_of(MEANS, TAU, RATES), horizon, rule=rule)[1:]
    counts = predicted * factor * np.random.default_rng(horizon).uniform(0.98, 1.02, (N, 2))
    info = info_of(case_of("one", horizon), TAU, law=LAW.id, parameters=parameters_of(LAW))
    return outcome(counts, horizon, MEANS, TAU, RATES, case=info, policy=policy)


def statuses(claim: str, **factors: float) -> str:
    """Return how the parts end where some policies' pulls are off by a factor."""
    policies = (EMPIRICAL, KL, PAPER_POLICY)
    runs = [run(p, t, factors.get(p, 1.0)) for p in policies for t in HORIZONS]
    made = Runs({"sharp_ratings": runs}, TINY_SHARP)
    return "".join(part.status[0] for part in measure(claim, made).parts)


@pytest.mark.parametrize(("factor", "status"), [(1.0, "h"), (0.5, "f"), (1.3, "f")])
def test_pulls_off_the_law_are_noticed(factor: float, status: str) -> None:
    assert statuses("S21", **{EMPIRICAL: factor}) == status


def test_limits_over_the_least(monkeypatch: pytest.MonkeyPatch) -> None:
    assert statuses("S22") == "hhh"
    # As if no law with the mean were nearer than the one that is optimal for two values.
    monkeypatch.setattr(ratings, "lower_constant", lambda bandit: 1e9)
    assert statuses("S22") == "fff"


def test_regret_beside_the_empirical_index() -> None:
    assert statuses("S23") == "hh"
    assert statuses("S23", **{EMPIRICAL: 2.0}) == "fh"
    assert statuses("S23", **{PAPER_POLICY: 0.2}) == "hf"
