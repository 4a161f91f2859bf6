"""MOSS: the bonus of an arm ends with its share of the horizon.

    i_k(n) = m_k(n-1) + sqrt(max(log(T / (K N_k(n-1))), 0) / N_k(n-1))

Source: Audibert and Bubeck, COLT 2009 (minimax optimal strategy in the stochastic case), who prove
besides O(K log(T Delta^2 / K) / Delta), Delta the least gap.  The tuning is T / K.
"""

import math

from penalized_bandits.policies.base import Arm, Card, Hints, Policy, Tuning


def index(arm: Arm) -> float:
    """Mean plus the bonus, none from T / K pulls on."""
    share = arm.tuning / arm.observed
    return arm.mean + (math.sqrt(math.log(share) / arm.observed) if share > 1.0 else 0.0)


POLICY = Policy(
    id="moss",
    card=Card(
        label="MOSS",
        reference="Audibert and Bubeck 2009",
        formula="max m_k + √(max(log(T / (K N_k)), 0) / N_k)",
        guarantees="rewards in [0, 1]: classical regret O(√(K T)) whatever the gaps, the least "
        "order",
        limitations="must know T; knows no penalties: penalized regret linear in T where A_k > Δ_k",
    ),
    index=index,
    ignores_penalties=True,
    exploration=0.0,
    tuning=Tuning(symbol="T/K", regret=lambda arms, horizon: horizon / arms),
    hints=Hints(index_is_nondecreasing=True, indices_cross_once=True),
)
