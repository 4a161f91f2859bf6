"""What the claims on hard floors measure, on replicates of known regret."""

import numpy as np
import pytest

from outcome_factories import N, Runs, info_of, outcome
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.storage.replicates import Outcome
from penalized_research.claims import floors
from penalized_research.experiments.floors import EQUAL, ONE, STUDIES, fractions_of
from penalized_research.theory import floors as theory
from rule_helpers import alternating, measured
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


def runs_of(*outcomes: Outcome) -> Runs:
    changes = {"rates": [1], "policies": list({one.policy for one in outcomes})}
    # What is twice there counts once.
    made_of = dict.fromkeys(STUDIES, outcomes)
    return Runs(made_of, {name: TINY_SHARP[name] | changes for name in made_of})


def estimates(claim: str, *outcomes: Outcome) -> list[float]:
    return measured(claim, runs_of(*outcomes))[1]


def unit(*, soft: bool = False, **about: float | str) -> float:
    return floors.unit_of(made(0.0, **about), soft=soft)  # pyright: ignore[reportArgumentType]


def test_order_of_regret() -> None:
    assert estimates("S15", made(0.5 * unit(soft=True))) == pytest.approx([0.5], rel=0.01)


def test_growth_in_arms_is_from_the_second_number_of_arms_on() -> None:
    found = []
    for kind, regret, growth in ((EQUAL, 3.0, 2.0), (ONE, 0.3, 1.2)):
        for arms, scaled in ((2, 9.0), (10, regret), (50, regret * growth)):
            about = {"kind": kind, "arms": arms, "free": 0.01}
            found.append(made(scaled * unit(**about), **about))  # pyright: ignore
    assert measured("S16", runs_of(*found)) == ("hh", pytest.approx([2.0, 1.2], rel=0.02))


def test_published_beside_due_first() -> None:
    ours = made(20, 2, kind=ONE), made(90, 2, kind=EQUAL)
    theirs = made(36, 2, kind=ONE, policy=PAPER_POLICY), made(0, policy=PAPER_POLICY)
    assert estimates("S17", *ours, *theirs) == pytest.approx([1.8])


def test_bounds() -> None:
    """Two arms without floors, whose rates exceed 1 all the same."""
    about = {"arms": 2, "free": 1.0, "rate": 2.0}
    bandit = instance_of([0.5 + GAP, 0.5], 0.0, 2.0)
    for claim, policy, bound in (
        ("S18", DUE, theory.upper_bound_p(bandit, HORIZON)),
        ("S19", PAPER_POLICY, theory.upper_bound_q(bandit, HORIZON)),
        ("S20", PAPER_POLICY, theory.lower_bound_p(bandit.fairness, HORIZON)),
    ):
        found = estimates(claim, made(0.9 * bound, policy=policy, **about))
        assert found == pytest.approx([0.9], rel=0.01), claim


def test_rates_of_1_are_outside_theorem_q() -> None:
    assert estimates("S19", made(1e3, rate=1.0, policy=PAPER_POLICY)) == []
