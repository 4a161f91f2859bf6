"""Setting 1 (Figure 1): penalized regret against the horizon T."""

from typing import Annotated

import numpy as np
from pydantic import AfterValidator

from penalized_bandits.rewards import Gaussian
from penalized_bandits.settings.base import (
    ArmNumbers,
    Case,
    Context,
    Fractions,
    Horizons,
    PolicyList,
    Replicates,
    Section,
    Setting,
    drawn_means,
    half_spread,
    regret_runs,
    shown,
    tuned_by,
)


class Setting1(Section):
    """Section ``setting_1`` of the config."""

    replicates: Replicates
    policies: Annotated[PolicyList, AfterValidator(tuned_by("regret"))]
    arms: ArmNumbers
    """Numbers of arms K."""
    fairness: Fractions
    """Totals tau: each arm has tau_k = tau / K."""
    horizons: Horizons


def _groups(section: Setting1) -> list[str]:
    return [f"K{n_arms}" for n_arms in section.arms]


def _cases(section: Setting1, group: str, context: Context) -> list[Case]:
    n_arms = int(group.removeprefix("K"))
    cases = []
    for tau in section.fairness:
        case = f"{group}_tau{shown(tau)}"
        means = drawn_means(context, n_arms, "setting_1", case)
        penalties = half_spread(means)
        runs = regret_runs(section.policies, section.horizons, context, penalties)
        fairness = np.full(n_arms, tau / n_arms)
        cases.append(Case(case, means, fairness, Gaussian(1 / n_arms), runs))
    return cases


SETTING = Setting(
    id="setting_1",
    title="Penalized regret against the horizon",
    section=Setting1,
    groups=_groups,
    cases=_cases,
    readings=("log_of", "means", "lfg"),
)
