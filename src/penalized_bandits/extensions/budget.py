"""The same tuning budget for every policy: as published, and so many values of one number.

A policy with a parameter of its own is tuned by that, any other by its exploration
constant.  All values are simulated on all replicates; which is best is read from one half of
them and how good it is from the other, so that nobody is rewarded for luck.
"""

from collections.abc import Sequence
from dataclasses import replace

from penalized_bandits.policies import Policy
from penalized_bandits.settings.base import Context, Run, regret_runs, rule_of
from penalized_bandits.typing import FloatArray

STEP = 4.0
"""Factor between neighbouring values."""


def own_values(rule: Policy, points: int, n_arms: int, level: float, horizon: int) -> list[float]:
    """Return ``points`` values of a policy's own parameter around the published one."""
    tuning = rule.tuning
    assert tuning is not None  # noqa: S101
    if tuning.tradeoff is not None:
        return tuning.tradeoff(points, level, horizon)
    assert tuning.regret is not None  # noqa: S101  (checked in the config)
    published = tuning.regret(n_arms, horizon)
    values = [published * STEP ** (i - points // 2) for i in range(points)]
    if not rule.commits:
        return values
    # Whole pulls of each arm, and not more than there are rounds.
    most = max(horizon // n_arms, 1)
    return list(dict.fromkeys(float(min(max(round(v), 1), most)) for v in values))


def budgeted_runs(
    policies: Sequence[str],
    horizons: Sequence[int],
    context: Context,
    penalties: FloatArray,
    level: float,
    points: int,
) -> tuple[Run, ...]:
    """Return each policy's runs: as published at all horizons, then tuned at the last.

    ``scale`` is 1 for a published run; for a tuned one it is the factor on its exploration
    constant, or missing where its own parameter is tuned.
    """
    runs: list[Run] = []
    horizon, n_arms = horizons[-1], penalties.shape[-1]
    for policy in policies:
        published = regret_runs([policy], horizons, context, penalties)
        runs += [replace(run, scale=1.0) for run in published]
        rule = rule_of(policy, context.readings)
        if rule.tuning is not None:
            runs += [
                Run(policy, rule, (horizon,), v, penalties=penalties, tuning_shown=v)
                for v in own_values(rule, points, n_arms, level, horizon)
            ]
        else:
            for i in range(1, points + 1):
                factor = STEP**-i
                scaled = replace(rule, exploration=rule.exploration * factor)
                runs.append(Run(policy, scaled, (horizon,), scale=factor, penalties=penalties))
    return tuple(runs)
