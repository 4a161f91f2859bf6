"""Cells of the grids of Settings 1 and 5: K arms with equal fractions and means drawn for each."""

from typing import Literal

import numpy as np

from penalized_bandits.bandit.rewards import FAMILIES, Gaussian
from penalized_replication.experiments.base import Case, Context, drawn_means
from penalized_replication.experiments.keys import Values, format_for_id

RewardLaw = Literal["gaussian", "beta", "bernoulli"]
RewardLaws = Values[RewardLaw]


def cell_id(n_arms: int, tau: float, law: RewardLaw | None = None) -> str:
    """Return the id of a cell.

    >>> cell_id(5, 0.2), cell_id(20, 0.5, "beta")
    ('K5_tau0.2', 'K20_tau0.5_beta')
    """
    return f"K{n_arms}_tau{format_for_id(tau)}{f'_{law}' if law else ''}"


def drawn_cell(
    context: Context, setting: str, n_arms: int, tau: float, law: RewardLaw | None = None
) -> Case:
    """Return a cell without runs: K arms with tau_k = tau / K and the means of ``setting``.

    Rewards are Gaussian of variance 1 / K^2 where no law is named.
    """
    identifier = cell_id(n_arms, tau, law)
    means = drawn_means(context, n_arms, setting, identifier)
    fairness = np.full(n_arms, tau / n_arms)
    rewards = Gaussian(1 / n_arms) if law in (None, "gaussian") else FAMILIES[law]()
    label = f"K = {n_arms}, τ = {tau:g}{f', {law.capitalize()}' if law else ''}"
    return Case(identifier, means, fairness, rewards, label=label)
