"""``penalized-bandits penalties``: the effect of penalty rates, by the fluid prediction."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from penalized_bandits.cli import values
from penalized_bandits.cli.terminal import arms_of, table
from penalized_bandits.common.numbers import format_number

if TYPE_CHECKING:
    from penalized_bandits.bandit.instances import Instance
    from penalized_bandits.common.typing import FloatArray
    from penalized_bandits.policies import Policy

MOST_ROUNDS = 10**15
TINY, LARGEST = 1e-6, 1e6
"""Noise beyond is of another unit than the means."""

EXAMPLES = """\b
For example:
  penalized-bandits penalties --means 0.9,0.6,0.5 --fairness 0.1,0.2,0.2 \\
      --horizon 1e4 --penalties 0.35
  penalized-bandits penalties --means 0.12,0.10,0.07 --fairness 0.2 \\
      --horizon 1e5 --policy kl_hard_threshold --keep 2,3
"""

_KEEP = "Arms, from 1, to be kept at their levels: shows the smallest rates that do it."
_PENALTIES = (
    "Penalty rate A_k of each arm, or one number for every arm; 0 by default. With --keep those "
    "of the other arms."
)
_NOISE = (
    "Sigma of the rewards, for policies that know it or learn it; 1/2 by default, which is "
    "enough for all rewards in [0, 1]."
)


def penalties(
    means: Annotated[str, values.listed("Mean reward of each arm: 0.9,0.6,0.5.")],
    fairness: Annotated[
        str, values.listed("Fairness fraction τ_k of each arm, or one number for every arm.")
    ],
    horizon: Annotated[
        int, values.whole_number("--horizon", "T", "Number of rounds.", 2, MOST_ROUNDS)
    ],
    penalties: Annotated[str | None, values.listed(_PENALTIES)] = None,
    policy: Annotated[
        str, typer.Option(metavar="POLICY", help="Id of a policy.")
    ] = "hard_threshold_ucb",
    noise: Annotated[float, typer.Option(metavar="NUMBER", help=_NOISE)] = 0.5,
    keep: Annotated[str | None, values.listed(_KEEP)] = None,
) -> None:
    """Predict what penalty rates do, and find those that keep arms at their levels.

    Shows pulls of each arm, regret and unfairness, and with --keep the smallest penalty rates,
    one an arm and one for all. All are predictions without noise: no simulation is run.
    """
    mu = values.numbers("--means", means)
    fractions = values.one_or_more("--fairness", fairness)
    rates = 0.0 if penalties is None else values.one_or_more("--penalties", penalties)
    kept = [] if keep is None else _arms(keep, len(mu))
    if not TINY <= noise <= LARGEST:
        values.refuse("--noise", f"{noise:g} is not from {TINY:g} to {LARGEST:g}")

    from penalized_bandits.bandit.instances import Instance
    from penalized_bandits.bandit.rewards import Gaussian
    from penalized_bandits.comparison.predict import rule_of
    from penalized_bandits.policies import get_policy
    from penalized_bandits.theory.least_penalties import least_penalties

    chosen = get_policy(policy)
    rule = rule_of(chosen, Gaussian(noise))
    if rule.below_one and not all(0 <= mean < 1 for mean in mu):
        values.refuse("--means", f"{chosen.id} is for means from 0 to below 1")
    bandit = Instance(mu, fractions, rates, Gaussian(noise))
    parts: list[str] = [
        f"{bandit.n_arms} arms, T = {horizon} rounds, {chosen.label}: predicted without noise"
    ]
    if penalties is not None or not kept:
        parts += _prediction(bandit, chosen, horizon, "With these rates")
    if kept:
        if chosen.ignores_penalties or chosen.soft:
            values.refuse("--keep", f"no penalty rate makes {chosen.id} keep a level")
        least = least_penalties(bandit, kept, horizon, rule=rule)
        parts += _least_table(bandit, kept, least, horizon)
        if least.max() < float("inf"):
            wanted = bandit.penalties.copy()
            wanted[kept] = least
            title = "With the smallest rates, one an arm"
            parts += _prediction(replace(bandit, penalties=wanted), chosen, horizon, title)
    typer.echo("\n\n".join([*parts, NOTE]))


NOTE = (
    "Arm unfairness: (τ_k T − N_k)₊; unfairness: their sum; penalized regret: eq. (10); expected "
    "reward: Σ_t μ of the arm pulled. Noise makes an arm at its smallest rate short in half of the "
    "runs: add a few times σ/√(τ_k T)."
)


def _arms(text: str, n_arms: int) -> list[int]:
    """Read numbers of arms, from 1; return them from 0."""
    arms = values.numbers("--keep", text)
    if any(arm not in range(1, n_arms + 1) or arms.count(arm) > 1 for arm in arms):
        values.refuse("--keep", f"{text!r}: each must be one of the arms 1 to {n_arms}, once")
    return [int(arm) - 1 for arm in arms]


def _prediction(bandit: "Instance", policy: "Policy", horizon: int, title: str) -> list[str]:
    from penalized_bandits.comparison.predict import predict

    rows = predict(bandit, horizon, [policy]).dropna(subset="policy")
    by_arm = rows.dropna(subset="arm").pivot(index="arm", columns="quantity", values="value")
    arms = arms_of(bandit, horizon).merge(by_arm[["pulls", "arm_unfairness"]], on="arm")
    whole = rows.loc[rows["arm"].isna(), ["quantity", "value", "unit", "source"]]
    return [table(arms, title), table(whole, "Whole run")]


def _least_table(
    bandit: "Instance", kept: list[int], least: "FloatArray", horizon: int
) -> list[str]:
    import pandas as pd

    from penalized_bandits.theory.conditions import condition_4_1

    arms = [k + 1 for k in kept]
    frame = pd.DataFrame({"arm": arms, "rate": least, "as T grows": bandit.gaps[kept]})
    asked = bandit.gaps + condition_4_1(bandit, horizon).least
    return [
        table(frame, "Smallest rates"),
        f"smallest rate that they can share: {format_number(least.max())} "
        f"(Theorem 4.1 requires {format_number(asked[kept].max())} with Hard-threshold UCB)",
    ]
