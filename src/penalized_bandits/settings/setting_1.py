"""Setting 1 (Figure 1): penalized regret against the horizon T."""

from itertools import pairwise
from typing import Annotated

import numpy as np
from pydantic import AfterValidator, Field

from penalized_bandits.rewards import Gaussian
from penalized_bandits.settings.base import (
    ArmNumbers,
    Case,
    Context,
    Fractions,
    Horizon,
    PolicyList,
    Replicates,
    Run,
    Section,
    Setting,
    drawn_means,
    rule_of,
    shown,
    tuned_by,
)
from penalized_bandits.typing import FloatArray


def _increasing(values: list[int]) -> list[int]:
    if any(b <= a for a, b in pairwise(values)):
        raise ValueError(f"horizons must increase, got {values}")
    return values


class Setting1(Section):
    """Section ``setting_1`` of the config."""

    replicates: Replicates
    policies: Annotated[PolicyList, AfterValidator(tuned_by("regret"))]
    arms: ArmNumbers
    """Numbers of arms K."""
    fairness: Fractions
    """Totals tau: each arm has tau_k = tau / K."""
    horizons: Annotated[list[Horizon], Field(min_length=1), AfterValidator(_increasing)]


def _groups(section: Setting1) -> list[str]:
    return [f"K{n_arms}" for n_arms in section.arms]


def _runs(
    section: Setting1, context: Context, n_arms: int, penalties: FloatArray
) -> tuple[Run, ...]:
    runs: list[Run] = []
    for policy in section.policies:
        rule = rule_of(policy, context.readings)
        if rule.tuning is None:
            tunings = dict.fromkeys(section.horizons)
        else:
            assert rule.tuning.regret is not None  # noqa: S101  (checked in the config)
            tunings = {t: rule.tuning.regret(n_arms, t) for t in section.horizons}
        # One run serves all horizons with the same tuning: rewards are common, so a
        # longer run begins with the shorter one (reading R5).
        for tuning in dict.fromkeys(tunings.values()):
            horizons = tuple(t for t, value in tunings.items() if value == tuning)
            runs.append(
                Run(policy, rule, horizons, tuning, penalties=penalties, tuning_shown=tuning)
            )
    return tuple(runs)


def _cases(section: Setting1, group: str, context: Context) -> list[Case]:
    n_arms = int(group.removeprefix("K"))
    cases = []
    for tau in section.fairness:
        case = f"{group}_tau{shown(tau)}"
        means = drawn_means(context, n_arms, "setting_1", case)
        # A_k = (max mu - min mu) / 2, from the true means: an oracle choice.
        spread = (means.max(axis=-1, keepdims=True) - means.min(axis=-1, keepdims=True)) / 2
        penalties = np.broadcast_to(spread, means.shape)
        cases.append(
            Case(
                case,
                means,
                np.full(n_arms, tau / n_arms),
                Gaussian(1 / n_arms),
                _runs(section, context, n_arms, penalties),
            )
        )
    return cases


SETTING = Setting(
    id="setting_1",
    title="Penalized regret against the horizon",
    section=Setting1,
    groups=_groups,
    cases=_cases,
    readings=("log_of", "means", "lfg"),
)
