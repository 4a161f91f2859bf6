"""The least loss of a rule that knows the means, and which arms are there in each round."""

import numpy as np
from scipy.optimize import linprog

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.typing import BoolArray, IntArray


def least_loss(instance: Instance, sets: BoolArray, rounds: IntArray) -> float:
    """Return L*(T), eq. (9), where arms sleep: the optimum of a linear program, in reward.

    It is the least of sum_k (Delta_k N_k + A_k (tau_k T - N_k)_+) over the pulls N_k of each arm
    in the rounds with each set of arms, not rounded.  Each set (S, K), of an arm or more, is there
    in so many rounds (S,); fractions are of all of them.  If all arms are always there it is
    :func:`~penalized_bandits.bandit.regret.optimal_loss`.
    """
    n_sets, n_arms = sets.shape
    # Variables: pulls of each arm with each set, then the pulls that each arm is short of.
    costs = np.r_[np.tile(instance.gaps, n_sets), instance.penalties]
    every_round = np.kron(np.eye(n_sets), np.ones(n_arms))
    floors = np.hstack([np.tile(np.eye(n_arms), n_sets), np.eye(n_arms)])
    most = np.r_[np.where(sets, np.inf, 0.0).ravel(), np.full(n_arms, np.inf)]
    solution = linprog(
        costs,
        A_ub=-floors,
        b_ub=-instance.fairness * rounds.sum(),
        A_eq=np.hstack([every_round, np.zeros((n_sets, n_arms))]),
        b_eq=rounds,
        bounds=np.column_stack([np.zeros_like(most), most]),
    )
    return float(solution.fun)
