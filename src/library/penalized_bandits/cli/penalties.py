"""``penalized-bandits penalties``: the effect of penalty rates, by the fluid prediction."""

from dataclasses import replace
from typing import Annotated, Any

import typer

from penalized_bandits.cli import values
from penalized_bandits.cli.terminal import table
from penalized_bandits.common.errors import whole
from penalized_bandits.common.numbers import format_number

EXAMPLES = """\b
For example:
  penalized-bandits penalties --means 0.9,0.6,0.5 --fairness 0.1,0.2,0.2 \\
      --horizon 1e4 --penalties 0.35
  penalized-bandits penalties --means 0.12,0.10,0.07 --fairness 0.2 \\
      --horizon 1e5 --policy kl_hard_threshold --keep 2,3
"""

_KEEP = "Arms, from 1, to be kept at their levels: shows the smallest rates that do it."
_NOISE = (
    "Sigma of the rewards, for policies that know it or learn it; 1/2 by default, which is "
    "enough for all rewards in [0, 1]."
)
NOTE = (
    "Arm unfairness: (τ_k T − N_k)₊; unfairness: their sum; expected reward: Σ_t μ of the arm "
    "pulled. Noise makes an arm at its smallest rate short in half of the runs: add a few times "
    "σ/√(τ_k T)."
)


def penalties(
    means: values.Means,
    fairness: values.Fairness,
    horizon: values.Horizon,
    penalties: values.Penalties = "0",
    policy: Annotated[
        str, typer.Option(metavar="POLICY", help="Id of a policy.")
    ] = "hard_threshold_ucb",
    noise: Annotated[float, typer.Option(metavar="NUMBER", help=_NOISE)] = 0.5,
    keep: Annotated[Any, values.listed(_KEEP)] = None,
) -> None:
    """Predict pulls at penalty rates, and find the rates that keep arms at their levels.

    Shows pulls of each arm, regret and unfairness, and with --keep the smallest penalty rates,
    one an arm and one for all. All are predictions without noise: no simulation is run.
    """
    import pandas as pd

    from penalized_bandits.bandit.instances import Instance
    from penalized_bandits.bandit.rewards import Bernoulli, Gaussian
    from penalized_bandits.comparison.predict import predict, rule_of
    from penalized_bandits.policies import get_policy
    from penalized_bandits.theory.least_penalties import least_penalties

    chosen, rounds = get_policy(policy), whole("horizon", horizon)
    # The KL indices use no noise level: they are for rewards in [0, 1], as Bernoulli ones are.
    bound = chosen.card.bound or ""
    law = Bernoulli() if "kl" in bound else Gaussian(noise)
    bandit = Instance(means, fairness, penalties, law)

    def predicted(bandit: Instance, title: str) -> str:
        rows = predict(bandit, rounds, [chosen]).dropna(subset="policy")
        return table(rows.drop(columns="policy"), title)

    parts = [predicted(bandit, f"{chosen.label}, T = {rounds} rounds, with these rates")]
    if keep is not None:
        arms = range(1, bandit.n_arms + 1)
        if sorted(keep) != [arm for arm in arms if arm in keep]:
            given = ",".join(map(format_number, keep))
            values.refuse("--keep", f"{given}: each must be one of the arms 1 to {arms[-1]}, once")
        if chosen.ignores_penalties or bound == "soft_radius":
            values.refuse("--keep", f"no penalty rate makes {chosen.id} keep a level")
        kept = [int(arm) - 1 for arm in keep]
        least = least_penalties(bandit, kept, rounds, rule=rule_of(chosen, bandit))
        limits = bandit.gaps_to_best[kept]
        columns = {"arm": [k + 1 for k in kept], "rate": least, "as T grows": limits}
        parts += [
            table(pd.DataFrame(columns), "Smallest rates"),
            f"smallest rate that they can share: {format_number(least.max())}",
        ]
        if least.max() < float("inf"):
            rates = bandit.penalties.copy()
            rates[kept] = least
            changed = replace(bandit, penalties=rates)
            parts.append(predicted(changed, "With the smallest rates, one an arm"))
    typer.echo("\n\n".join([*parts, NOTE]))
