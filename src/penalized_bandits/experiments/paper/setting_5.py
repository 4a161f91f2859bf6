"""Setting 5 (Figure 5): reward against unfairness under three reward laws."""

from itertools import product
from typing import Annotated, Literal

import numpy as np
from pydantic import AfterValidator, Field

from penalized_bandits.bandit.rewards import Bernoulli, Beta, Gaussian, RewardFamily
from penalized_bandits.experiments.base import (
    Case,
    Context,
    Experiment,
    cell_label,
    drawn_means,
    tradeoff_runs,
)
from penalized_bandits.experiments.keys import (
    ArmNumbers,
    Fractions,
    TradeoffSection,
    distinct,
    format_for_id,
)

RewardLaws = Annotated[
    list[Literal["gaussian", "beta", "bernoulli"]], Field(min_length=1), AfterValidator(distinct)
]


class Setting5(TradeoffSection):
    """Section ``setting_5`` of the config."""

    arms: ArmNumbers
    """Numbers of arms K."""
    fairness: Fractions
    """Totals tau: each arm has tau_k = tau / K (reading R11)."""
    rewards: RewardLaws


def family_of(name: str, n_arms: int) -> RewardFamily:
    """Return a reward law by its name; Gaussian errors have variance 1 / K^2."""
    if name == "gaussian":
        return Gaussian(1 / n_arms)
    return Beta() if name == "beta" else Bernoulli()


def _cases(section: Setting5, context: Context) -> list[Case]:
    cases = []
    for n_arms, tau in product(section.arms, section.fairness):
        runs = tradeoff_runs(section, context, n_arms, tau)
        for rewards in section.rewards:
            case = f"K{n_arms}_tau{format_for_id(tau)}_{rewards}"
            cases.append(
                Case(
                    case,
                    drawn_means(context, n_arms, "setting_5", case),
                    np.full(n_arms, tau / n_arms),
                    family_of(rewards, n_arms),
                    runs,
                    label=cell_label(n_arms, tau, rewards),
                )
            )
    return cases


EXPERIMENT = Experiment(
    id="setting_5",
    title="Reward against unfairness under three reward laws",
    section=Setting5,
    cases=_cases,
    readings=("log_of", "means", "lfg"),
    has_frontier=True,
)
