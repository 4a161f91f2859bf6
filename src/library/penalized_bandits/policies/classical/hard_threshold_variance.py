"""UCB-V and UCB-V with the hard threshold: the noise is learnt arm by arm.

    i_k(n) = m_k + A_k 1(N_k < tau_k n) + sqrt(2 v_k log n / N_k) + 3 log n / N_k

with v_k the variance of the rewards seen (divided by N_k), for rewards in [0, 1].  Source:
Audibert, Munos and Szepesvári, Theoretical Computer Science 410, 2009, with zeta = 1, c = 1
(they prove for zeta > 1; 1 is the usual choice); the threshold is the paper's, eq. (11).
"""

import math

from penalized_bandits.policies.base import Arm, Card, Hints, Policy


def index(arm: Arm) -> float:
    """Return the index of UCB-V with the bonus of eq. (11); the square of the radius is a level."""
    spread = arm.radius * math.sqrt(arm.variance)
    return arm.mean + arm.bonus + spread + 1.5 * arm.radius * arm.radius


POLICY = Policy(
    id="hard_threshold_variance",
    card=Card(
        label="Hard-threshold UCB-V",
        reference="Audibert, Munos and Szepesvári 2009; threshold of eq. (11)",
        formula="max m_k + A_k 1(N_k < τ_k n) + √(2 v_k log n / N_k) + 3 log n / N_k",
        guarantees="none known with the threshold",
        limitations="rewards outside [0, 1]; 3 log n / N_k rules until an arm has some hundred "
        "pulls",
        classical="ucb_v",
        bound="empirical_variance",
    ),
    needs_unit_rewards=True,
    index=index,
    hints=Hints(index_is_nondecreasing=True),
)

CLASSICAL = POLICY.without_penalties(
    Card(
        label="UCB-V",
        reference="Audibert, Munos and Szepesvári 2009",
        formula="max m_k + √(2 v_k log n / N_k) + 3 log n / N_k",
        guarantees="rewards in [0, 1], for any more than log n in its place: classical regret "
        "O(log T), less where suboptimal arms vary less",
        limitations="knows no penalties: penalized regret linear in T where A_k > Δ_k; rewards "
        "outside [0, 1]; 3 log n / N_k rules until an arm has some hundred pulls",
    ),
)
