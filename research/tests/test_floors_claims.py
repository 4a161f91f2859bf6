"""The claims on hard floors, on replicates that keep orders and bounds and that break them."""

import numpy as np
import pytest

from outcome_factories import N, Runs, info_of, outcome
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims.results import measure
from penalized_replication.storage.replicates import Outcome
from penalized_research.claims import floors
from penalized_research.experiments.floors import EQUAL, ONE, STUDIES, fractions_of
from penalized_research.theory import floors as theory
from rule_helpers import alternating
from tiny_sections import TINY_SHARP

HORIZON, GAP = 20_000, 0.4
DUE = floors.DUE_FIRST


def made(
    regret: float, spread: float = 0.0, *, kind: str = EQUAL, arms: int = 10, free: float = 0.1,
    rate: float = 1.0, policy: str = DUE,
) -> Outcome:  # fmt: skip
    """Return an outcome with a mean regret: arm 1 is the best, arm 2 has pulls to spare."""
    tau = fractions_of(kind, arms, free)
    above = alternating(regret, spread, N)[:, None] / GAP * (np.arange(arms - 1) == 0)
    means = np.where(np.arange(arms) == 0, 0.5 + GAP, 0.5)
    name = f"K{arms}_free{free:g}_{kind}_rate{rate:g}_T{HORIZON}"
    info = info_of(name, tuple(tau), group=kind)
    pulls = above + tau[1:] * HORIZON
    return outcome(pulls, HORIZON, means, tuple(tau), rate, case=info, policy=policy)


def statuses(claim: str, *outcomes: Outcome) -> str:
    changes = {"rates": [1], "policies": list({one.policy for one in outcomes})}
    # What is twice there counts once.
    made_of = dict.fromkeys(STUDIES, outcomes)
    runs = Runs(made_of, {name: TINY_SHARP[name] | changes for name in made_of})
    return "".join(part.status[0] for part in measure(claim, runs).parts)


def unit(*, soft: bool = False, **about: float | str) -> float:
    return floors.unit_of(made(0.0, **about), soft=soft)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("value", "spread", "status"),
    [(0.5, 0.1, "h"), (0.005, 0.001, "f"), (0.01, 0.005, "u"), (1.0, 0.1, "u"), (1.1, 0.1, "f")],
)
def test_order_of_regret(value: float, spread: float, status: str) -> None:
    scale = unit(soft=True)
    assert statuses("S15", made(value * scale, spread * scale)) == status


@pytest.mark.parametrize(("growth", "expected"), [(2.0, "hf"), (1.2, "fh")])
def test_growth_in_arms(growth: float, expected: str) -> None:
    found = []
    for kind in (EQUAL, ONE):
        for arms, scaled in ((2, 9.0), (10, 0.3), (50, 0.3 * growth)):
            about = {"kind": kind, "arms": arms, "free": 0.01}
            found.append(made(scaled * unit(**about), **about))  # pyright: ignore
    assert statuses("S16", *found) == expected


@pytest.mark.parametrize(("times", "status"), [(1.8, "h"), (1.5, "u"), (1.3, "f")])
def test_published_beside_due_first(times: float, status: str) -> None:
    ours = made(20, 2, kind=ONE), made(90, 2, kind=EQUAL)
    theirs = (made(20 * times, 2, kind=ONE, policy=PAPER_POLICY), made(0, policy=PAPER_POLICY))
    assert statuses("S17", *ours, *theirs) == status


@pytest.mark.parametrize(("share", "statuses_"), [(0.9, "hhf"), (1.1, "ffh")])
def test_bounds(share: float, statuses_: str) -> None:
    """S20 is a lower bound.  Two arms without floors, whose rates exceed 1 all the same."""
    about = {"arms": 2, "free": 1.0, "rate": 2.0}
    bandit = instance_of([0.5 + GAP, 0.5], 0.0, 2.0)
    for claim, policy, bound, status in (
        ("S18", DUE, theory.upper_bound_p(bandit, HORIZON), statuses_[0]),
        ("S19", PAPER_POLICY, theory.upper_bound_q(bandit, HORIZON), statuses_[1]),
        ("S20", PAPER_POLICY, theory.lower_bound_p(bandit.fairness, HORIZON), statuses_[2]),
    ):
        assert statuses(claim, made(share * bound, policy=policy, **about)) == status, claim


def test_rates_of_1_are_outside_theorem_q() -> None:
    assert statuses("S19", made(1e3, rate=1.0, policy=PAPER_POLICY)) == ""
