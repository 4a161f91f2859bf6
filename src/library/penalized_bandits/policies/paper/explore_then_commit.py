"""Explore-then-commit: m pulls of each arm, then the hard-threshold rule, means frozen.

    rounds 1 .. mK:  each arm in turn
    afterwards:      the arm with the largest  m_k(mK) + A_k 1(N_k(n-1) < tau_k n)

There is no exploration radius after the commitment: with it the rule would go on
exploring, which is what explore-then-commit does not do.  Source: Fang, Li and
Samorodnitsky, section 5, "Comparison with ETC method"; Garivier et al. 2016.
"""

import math

from penalized_bandits.policies.base import Arm, Card, Hints, Policy, Tuning


def index(arm: Arm) -> float:
    """Frozen mean plus the hard-threshold bonus, section 5."""
    return arm.mean + arm.bonus


def pulls_per_arm(arms: int, horizon: int) -> float:
    """Length m of the exploration that knows T but no gap: (T/K)^(2/3) (log T)^(1/3)."""
    m = (horizon / arms) ** (2 / 3) * math.log(max(horizon, 2)) ** (1 / 3)
    return float(max(1, min(math.ceil(m), horizon // arms)))


POLICY = Policy(
    id="explore_then_commit",
    card=Card(
        label="Explore-then-commit",
        reference="Fang, Li and Samorodnitsky, section 5; Garivier, Kaufmann and Lattimore 2016",
        formula="m pulls each; then max m_k + A_k 1(N_k < τ_k n), means frozen",
        guarantees="worst case O(T^(2/3)) up to logarithms with m of that order",
        limitations="must know T; never learns after mK rounds: no log T law without the gaps",
    ),
    index=index,
    tuning=Tuning(symbol="m", regret=pulls_per_arm),
    exploration=0.0,
    first_pulls="commit",
    hints=Hints(index_is_nondecreasing=True),
)
