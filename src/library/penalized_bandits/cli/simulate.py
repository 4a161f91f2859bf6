"""``penalized-bandits simulate``: play policies on a bandit and compare them."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from penalized_bandits.cli import values
from penalized_bandits.common.errors import whole
from penalized_bandits.common.files import whole_file
from penalized_bandits.common.numbers import WORDS

Rewards = Literal["gaussian", "bernoulli", "beta", "deterministic"]

EXAMPLES = """\b
For example:
  penalized-bandits simulate hard_threshold_ucb --means 0.9,0.6,0.5 \\
      --fairness 0.1,0.2,0.2 --penalties 0.35 --sd 0.3 --replicates 1000
  penalized-bandits simulate ucb1,lfg=30,fair_learn=0 --means 0.9,0.6,0.5 \\
      --fairness 0.2 --penalties 0.2 --csv compared.csv
  penalized-bandits simulate hard_threshold_ucb,ucb1 --means 0.9,0.6 \\
      --fairness 0.3 --penalties 0.4 --rewards bernoulli --horizon 1e5
"""

_POLICIES = (
    "One policy, or several with commas between them: ids (see 'penalized-bandits policies') or "
    "my_module:policy, with a tuning as lfg=30; by default that of the paper's Setting 1. They "
    "meet the same rewards, pull by pull, and are compared with the first."
)
_SD = "Standard deviation of Gaussian rewards; 1/K by default, as in the paper."
_CSV = "Write everything shown, in full precision, as CSV."


def _tuned(text: str) -> tuple[str, float | None]:
    """Return a policy and its tuning, if one is given."""
    name, equals, tuning = text.partition("=")
    return name, values.number(tuning, f"tuning of {name}: ") if equals else None


NOTE = (
    f"Means over replicates ± half of the {WORDS} t-interval. Arm unfairness: (τ_k T − N_k)₊; "
    "unfairness: their sum; penalized regret: eq. (10), on mean rewards; expected reward: Σ_t μ of "
    "the arm pulled; max deficit: the largest arm unfairness up to T."
)


def simulate(
    policies: Annotated[str, typer.Argument(metavar="POLICIES", help=_POLICIES)],
    means: values.Means,
    fairness: values.Fairness,
    penalties: values.Penalties,
    rewards: Annotated[Rewards, typer.Option(help="Reward family.")] = "gaussian",
    sd: Annotated[float | None, typer.Option(metavar="NUMBER", help=_SD)] = None,
    horizon: values.Horizon = 10_000,
    replicates: Annotated[float, typer.Option(metavar="R", help="Independent runs.")] = 200,
    seed: Annotated[
        Any, typer.Option(metavar="NUMBER", parser=values.number, help="Master seed.")
    ] = 0,
    checkpoints: Annotated[Any, values.listed("Rounds to look at, besides the horizon.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", dir_okay=False, help=_CSV)] = None,
) -> None:
    """Play policies on a bandit and show pulls and regret.

    For each arm: pulls and deficits (τ_k T − N_k)₊. For each policy: penalized regret, reward and
    unfairness, and their differences to the first policy. All are means over replicates with 95 %
    t-intervals. Policies that need rewards in [0, 1] refuse means outside it: scale means, sd and
    penalties.
    """
    import pandas as pd
    from numba import config

    from penalized_bandits.bandit.instances import Instance
    from penalized_bandits.bandit.rewards import FAMILIES
    from penalized_bandits.cli.terminal import table
    from penalized_bandits.comparison.compare import compare

    tuned = [_tuned(name.strip()) for name in policies.split(",")]
    if rewards == "gaussian":
        law = FAMILIES[rewards](1 / len(means) if sd is None else sd)
    elif sd is None:
        law = FAMILIES[rewards]()
    else:
        values.refuse("--sd", f"{rewards} rewards have no sd to choose")
    bandit = Instance(means, fairness, penalties, law)
    rounds, runs = whole("horizon", horizon), whole("replicates", replicates)
    seed = whole("seed", seed, 0)
    pulls, stderr = rounds * runs * len(tuned), typer.get_text_stream("stderr")
    hidden = not stderr.isatty()
    with typer.progressbar(length=pulls, label="pulls", file=stderr, hidden=hidden) as bar:
        compared = compare(
            tuned,
            bandit,
            rounds,
            replicates=runs,
            seed=seed,
            checkpoints=sorted({*(checkpoints or []), rounds}),
            threads=config.NUMBA_NUM_THREADS,  # pyright: ignore[reportAttributeAccessIssue]
            progress=bar.update,
        )
    frame, (first, *others) = compared.to_frame(), compared.names
    less = [compared.difference(name, first, None) for name in others]
    arms = frame[frame["arm"].notna() & (frame["horizon"] == rounds)]
    by = ["policy", "horizon"]
    tables = [
        table(compared.for_reading(arms, ["policy", "arm"]), f"Arms after {rounds} rounds"),
        table(compared.for_reading(frame, by), "Whole runs"),
    ]
    if less:
        title = f"Differences to {compared.labels[0]}, replicate by replicate"
        tables.append(table(compared.for_reading(pd.concat(less), by), title))
    typer.echo("\n\n".join([f"{compared.runs[0].described}, seed {seed}", *tables, NOTE]))
    if csv is not None:
        with whole_file(csv) as temporary:
            pd.concat([frame, *less]).to_csv(temporary, index=False, lineterminator="\n")
        typer.echo(f"{csv} written", err=True)
