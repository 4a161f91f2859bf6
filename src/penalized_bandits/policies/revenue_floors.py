"""Revenue floors: what a share tau_k of the pulls is worth is set aside, the rest is KL-UCB's.

    q_k = f_k / max(l_k, f_k),    f_k = tau_k m_k(n-1)
    if the q_k sum to 1 or more:    q_k = f_k / u_k
    draw the arm from the q_k, what they leave being the share of the arm with the largest u_k

u_k and l_k are the largest and the least q with kl(m_k, q) <= 3.03 log n / N_k, kl that of
Bernoulli laws.  Source: Baudry, Merlis, Molina, Richard and Perchet, "Multi-armed bandits with
guaranteed revenue per arm", AISTATS 2024, and their public code: floors for sure (l_k) as long
as that can be done, else hopefully (u_k).  Their floors f_k are numbers given in advance, each arm
is to earn f_k a round in expectation, and the optimal share of a floor is f_k / mu_k.

Adapted here: what is to be kept is a share of pulls, tau_k.  It is worth tau_k mu_k, and m_k
stands for mu_k.  (With m_k in both places the share would be tau_k itself; with l_k it is larger
and tends to tau_k.)  An arm that has earned nothing yet has floor 0.  They bound regret and the
violation of given floors; for floors that are estimated nothing is proved, and penalties are
not known.  Rewards outside [0, 1] are outside their theory.
"""

from penalized_bandits.policies.base import Policy, Round
from penalized_bandits.policies.kl import upper_bound
from penalized_bandits.typing import FloatArray


def choose(seen: Round) -> int:
    """Return an arm drawn from the shares; memory holds them and the upper bounds."""
    n_arms = len(seen.pulls)
    shares, bounds = seen.memory[0], seen.memory[1]
    leader, taken = 0, 0.0
    for k in range(n_arms):
        level = 0.5 * seen.exploration * seen.log / seen.observed[k]
        mean = min(max(seen.means[k], 0.0), 1.0)
        floor = seen.fairness[k] * mean
        bounds[k] = upper_bound(mean, level)
        # kl(p, q) = kl(1 - p, 1 - q)
        sure = 1.0 - upper_bound(1.0 - mean, level)
        shares[k] = floor / max(sure, floor) if floor > 0.0 else 0.0
        taken += shares[k]
        if bounds[k] > bounds[leader]:
            leader = k
    if taken >= 1.0:
        taken = 0.0
        for k in range(n_arms):
            mean = min(max(seen.means[k], 0.0), 1.0)
            shares[k] = seen.fairness[k] * mean / bounds[k]
            taken += shares[k]
    shares[leader] += 1.0 - taken
    return drawn_from(shares, seen.noise[0])


def drawn_from(shares: FloatArray, uniform: float) -> int:
    """Return the arm in whose part of [0, 1) a number lies, by inversion."""
    reached = 0.0
    for k in range(len(shares)):
        reached += shares[k]
        if uniform < reached:
            return k
    return int(shares.argmax())


POLICY = Policy(
    id="revenue_floors",
    label="Revenue floors",
    reference="Baudry, Merlis, Molina, Richard and Perchet 2024; floors of τ_k m_k ours",
    rule="k with probability τ_k m_k / l_k (or, if these exceed 1 in sum, τ_k m_k / u_k), else max "
    "u_k; l_k, u_k the bounds of KL-UCB with 3.03 log n",
    guarantees="none known: theirs are for floors given in advance",
    lacks="knows no penalties: serves arms whose gap exceeds A_k too, at a loss linear in T",
    choose=choose,
    compiles=True,
    memory=2,
    exploration=6.06,
    draws="uniform",
    ignores_penalties=True,
)
