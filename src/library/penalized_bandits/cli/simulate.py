"""``penalized-bandits simulate``: play policies on a bandit and compare them."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from penalized_bandits.cli import values
from penalized_bandits.common.confidence import WORDS
from penalized_bandits.common.errors import UserError
from penalized_bandits.common.files import whole_file

if TYPE_CHECKING:
    from pandas import DataFrame

    from penalized_bandits.bandit.rewards import RewardFamily
    from penalized_bandits.comparison.compare import Comparison
    from penalized_bandits.policies import Policy

Rewards = Literal["gaussian", "bernoulli", "beta", "deterministic"]
MOST_ROUNDS, MOST_REPLICATES = 1_000_000_000, 10_000_000
MOST_COUNTS = 200_000_000
"""Of replicates, rounds and arms together: 12 bytes each, 2.4 GB."""

EXAMPLES = """\b
For example:
  penalized-bandits simulate hard_threshold_ucb --means 0.9,0.6,0.5 \\
      --fairness 0.1,0.2,0.2 --penalties 0.35 --sd 0.3 --replicates 1000
  penalized-bandits simulate ucb1,lfg,fair_learn --means 0.9,0.6,0.5 \\
      --fairness 0.2 --penalties 0.2 --tuning lfg=30,fair_learn=0 \\
      --csv compared.csv
  penalized-bandits simulate hard_threshold_ucb,ucb1 --means 0.9,0.6 \\
      --fairness 0.3 --penalties 0.4 --rewards bernoulli --horizon 1e5
"""

_POLICIES = (
    "One policy, or several with commas between them: ids (see 'penalized-bandits policies') or "
    "my_module:policy. They meet the same rewards, pull by pull, and are compared with the first."
)
_FAIRNESS = (
    "Fairness fraction τ_k of each arm, or one number for every arm. The sum must be at most 1."
)
_PENALTIES = "Penalty rate A_k of each arm, or one number for every arm."
_SD = "Standard deviation of Gaussian rewards; 1/K by default, as in the paper."
_TUNING = (
    "A policy's own parameter: one number, or lfg=30,fair_learn=0. By default that of the paper's "
    "Setting 1 (LFG √T, Flearn 0)."
)
_CSV = "Write everything shown, in full precision, as CSV."


def _reward_family(rewards: Rewards, sd: float | None, n_arms: int) -> "RewardFamily":
    """Return the reward family; Gaussian with sd 1/K where none is given, as in the paper."""
    from penalized_bandits.bandit.rewards import Gaussian, family_of

    if rewards == "gaussian":
        return Gaussian(1 / n_arms if sd is None else sd)
    if sd is not None:
        values.refuse("--sd", f"{rewards} rewards have no sd to choose")
    return family_of(rewards, {})


def _cores() -> int:
    available = getattr(os, "sched_getaffinity", None)
    return len(available(0)) if available else os.cpu_count() or 1


def _tuned(rules: list["Policy"], given: dict[str, float]) -> list[tuple["Policy", float | None]]:
    ids = [rule.id for rule in rules]
    if strangers := [name for name in given if name and name not in ids]:
        values.refuse("--tuning", f"{', '.join(strangers)} is not among the policies")
    if "" in given and all(rule.tuning is None for rule in rules):
        values.refuse("--tuning", "no policy here has a tuning")
    for_all = given.get("")
    return [(rule, given.get(rule.id, for_all if rule.tuning else None)) for rule in rules]


NOTE = (
    f"Means over replicates ± half of the {WORDS} t-interval. Arm unfairness: (τ_k T − N_k)₊; "
    "unfairness: their sum; penalized regret: eq. (10), on mean rewards; expected reward: Σ_t μ of "
    "the arm pulled."
)
NOT_SHOWN = ("reward_loss", "max_deficit")
"""Metrics that are in the CSV alone."""


def _text(compared: "Comparison", frame: "DataFrame", less: "DataFrame | None", seed: int) -> str:
    """Return the tables of policies on a bandit: arms, whole runs, paired differences."""
    from penalized_bandits.cli.terminal import arms_of, table

    run = compared.runs[0]
    horizon = int(run.checkpoints[-1])
    alone = " (one replicate: no intervals)" if run.n_replicates == 1 else ""
    known, whole = frame[~frame["metric"].isin(NOT_SHOWN)], ["policy", "horizon"]
    last = known[known["arm"].notna() & (known["horizon"] == horizon)]
    arms = arms_of(run.instance, horizon).merge(compared.for_reading(last, ["arm", "policy"]))
    parts = [
        f"{run.described}, seed {seed}{alone}",
        table(arms.drop(columns="gap"), f"Arms after {horizon} rounds"),
        table(compared.for_reading(known[known["arm"].isna()], whole), "Whole runs"),
    ]
    if less is not None:
        title = f"Differences to {compared.labels[0]}, replicate by replicate"
        shown = less[less["metric"] != "reward_loss_difference"]
        parts.append(table(compared.for_reading(shown, whole), title))
    return "\n\n".join([*parts, NOTE])


def simulate(
    policies: Annotated[str, typer.Argument(metavar="POLICIES", help=_POLICIES)],
    means: Annotated[str, values.listed("Mean reward of each arm: 0.9,0.6,0.5.")],
    fairness: Annotated[str, values.listed(_FAIRNESS)],
    penalties: Annotated[str, values.listed(_PENALTIES)],
    rewards: Annotated[Rewards, typer.Option(help="Reward family.")] = "gaussian",
    sd: Annotated[float | None, typer.Option(metavar="NUMBER", help=_SD)] = None,
    horizon: Annotated[
        int, values.whole_number("--horizon", "T", "Number of rounds.", 1, MOST_ROUNDS)
    ] = 10_000,
    replicates: Annotated[
        int, values.whole_number("--replicates", "R", "Independent runs.", 1, MOST_REPLICATES)
    ] = 200,
    seed: Annotated[int, values.whole_number("--seed", "NUMBER", "Master seed.", 0)] = 0,
    tuning: Annotated[str | None, typer.Option(metavar="VALUES", help=_TUNING)] = None,
    checkpoints: Annotated[
        str | None, values.listed("Rounds to look at, besides the horizon.")
    ] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", dir_okay=False, help=_CSV)] = None,
) -> None:
    """Play policies on a bandit and show what came of it.

    For each arm: pulls, fairness level τ_k T and deficit (τ_k T − N_k)₊. For each policy:
    penalized regret, reward and unfairness, and their differences to the first policy.
    All are means over replicates with 95 % t-intervals. Policies that need rewards in [0, 1]
    refuse means outside it: scale means, sd and penalties.
    """
    names = values.names(policies)
    mu = values.numbers("--means", means)
    fractions = values.one_or_more("--fairness", fairness)
    rates = values.one_or_more("--penalties", penalties)
    given = {} if tuning is None else values.pairs("--tuning", tuning)
    looked_at = [] if checkpoints is None else values.rounds("--checkpoints", checkpoints, horizon)
    rounds = sorted({*looked_at, horizon})
    if csv is not None and not csv.parent.is_dir():
        values.refuse("--csv", f"there is no folder {str(csv.parent)!r}")

    import pandas as pd

    from penalized_bandits.bandit.instances import Instance
    from penalized_bandits.cli.terminal import progress_bar
    from penalized_bandits.comparison.compare import compare
    from penalized_bandits.policies import get_policy

    rules = [get_policy(name) for name in names]
    # A tuning may go by either name of a policy of the user's own.
    either = {name: rule.id for name, rule in zip(names, rules, strict=True)}
    given = {either.get(name, name): value for name, value in given.items()}
    bandit = Instance(mu, fractions, rates, _reward_family(rewards, sd, len(mu)))
    tuned = _tuned(rules, given)
    counts = replicates * len(rounds) * bandit.n_arms * len(rules)
    if counts > MOST_COUNTS:
        raise UserError(
            f"{counts:.2g} counts would be kept, of every replicate, arm and round looked at, at "
            f"most {MOST_COUNTS:.2g}: ask for fewer replicates or checkpoints"
        )
    with progress_bar(horizon * replicates * len(rules), "pulls") as progress:
        compared = compare(
            tuned,
            bandit,
            horizon,
            replicates=replicates,
            seed=seed,
            checkpoints=rounds,
            threads=_cores(),
            progress=progress,
        )
    frame, (first, *others) = compared.to_frame(), compared.names
    less = [compared.difference(name, first, None) for name in others]
    typer.echo(_text(compared, frame, pd.concat(less) if less else None, seed))
    if csv is not None:
        with whole_file(csv) as temporary:
            pd.concat([frame, *less]).to_csv(temporary, index=False, lineterminator="\n")
        typer.echo(f"{csv} written", err=True)
