"""Section 2: the prophet's loss."""

from collections.abc import Iterator

import numpy as np

from penalized_bandits.bandit.regret import optimal_loss
from penalized_bandits.claims.base import claim
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.parts import Part, below, exact
from penalized_bandits.theory.inputs import Instance, instance_of

INSTANCES = 200
TOLERANCE = 1e-9


def prophet_loss_by_program(bandit: Instance, horizon: float) -> float:
    """Return the least Delta'N + A's over N, s >= 0 with sum N = T and s_k >= tau_k T - N_k."""
    from scipy.optimize import linprog

    n_arms = bandit.n_arms
    solution = linprog(
        np.concatenate([bandit.gaps, bandit.penalties]),
        A_ub=np.hstack([-np.eye(n_arms), -np.eye(n_arms)]),
        b_ub=-bandit.fairness * horizon,
        A_eq=np.concatenate([np.ones(n_arms), np.zeros(n_arms)])[None],
        b_eq=[horizon],
    )
    return float(solution.fun)


@claim(
    "C01",
    where="section 2, eq. (9)",
    statement="L*(T) = T Σ min(Δ_k, A_k) τ_k is what the best allocation of T pulls loses.",
    rule="Holds if the formula and scipy's linear program differ by less than 1e-9 a round on "
    "every one of 200 random instances (K from 2 to 20); fails otherwise.",
    quantity="largest error of L*(T) / T",
    evidence="results/claims/claims.json",
    kind="identity",
)
def prophet_loss(evidence: Evidence) -> Iterator[Part]:
    """Compare the formula with a linear program."""
    del evidence
    generator = np.random.default_rng(20250301)
    errors = []
    for _ in range(INSTANCES):
        n_arms = int(generator.integers(2, 21))
        means = generator.random(n_arms)
        fairness = generator.dirichlet(np.ones(n_arms + 1))[:-1]
        penalties = generator.random(n_arms) * 2
        horizon = int(generator.integers(100, 100_000))
        loss = float(optimal_loss(means, fairness, penalties, horizon))
        bandit = instance_of(means, fairness, penalties)
        errors.append(abs(loss - prophet_loss_by_program(bandit, horizon)) / horizon)
    label = f"{INSTANCES} random instances"
    yield below(exact(max(errors)), TOLERANCE, case="random", label=label)
