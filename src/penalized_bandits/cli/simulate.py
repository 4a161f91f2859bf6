"""``penalized-bandits simulate``: play policies on a bandit and say what came of it."""

import inspect
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from penalized_bandits.cli import values
from penalized_bandits.common.errors import UserError

if TYPE_CHECKING:
    from penalized_bandits.bandit.rewards import RewardFamily

Rewards = Literal["gaussian", "bernoulli", "beta", "deterministic"]
MOST_ROUNDS, MOST_REPLICATES = 1_000_000_000, 10_000_000
CHART_POINTS = 60
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
      --fairness 0.3 --penalties 0.4 --rewards bernoulli --horizon 1e5 \\
      --chart regret.png
"""

_POLICIES = (
    "One policy, or several with commas between them: ids (see 'penalized-bandits policies') or "
    "my_module:policy. They meet the same rewards, pull by pull, and are compared with the first."
)
_FAIRNESS = (
    "Fairness fraction τ_k of each arm, or one number for every arm. The sum must be below 1."
)
_PENALTIES = "Penalty rate A_k of each arm, or one number for every arm."
_SD = "Standard deviation of Gaussian rewards; 1/K by default, as in the paper."
_THREADS = "Threads; as many as there are cores by default. Results do not depend on it."
_TUNING = (
    "A policy's own parameter: one number, or lfg=30,fair_learn=0. By default that of the paper's "
    "Setting 1 (LFG √T, Flearn 0)."
)
_CSV = "Write everything shown, in full precision, as CSV, in the columns of results/summaries."
_CHART = "Draw mean penalized regret against rounds, with 95 % intervals (.pdf, .png or .svg)."


def _list(what: str) -> typer.models.OptionInfo:
    return typer.Option(metavar="LIST", help=what)


def _file(what: str) -> typer.models.OptionInfo:
    return typer.Option(metavar="FILE", dir_okay=False, help=what)


@dataclass(frozen=True)
class Arguments:
    """Arguments and options of the command."""

    policies: Annotated[str, typer.Argument(metavar="POLICIES", help=_POLICIES)]
    means: Annotated[str, _list("Mean reward of each arm: 0.9,0.6,0.5.")]
    fairness: Annotated[str, _list(_FAIRNESS)]
    penalties: Annotated[str, _list(_PENALTIES)]
    rewards: Annotated[Rewards, typer.Option(help="Reward family.")] = "gaussian"
    sd: Annotated[float | None, typer.Option(metavar="NUMBER", help=_SD)] = None
    horizon: Annotated[
        int, values.whole_number("--horizon", "T", "Number of rounds.", 1, MOST_ROUNDS)
    ] = 10_000
    replicates: Annotated[
        int, values.whole_number("--replicates", "R", "Independent runs.", 1, MOST_REPLICATES)
    ] = 200
    seed: Annotated[int, values.whole_number("--seed", "NUMBER", "Master seed.", 0)] = 0
    threads: Annotated[int | None, values.whole_number("--threads", "NUMBER", _THREADS, 1)] = None
    tuning: Annotated[str | None, typer.Option(metavar="VALUES", help=_TUNING)] = None
    checkpoints: Annotated[str | None, _list("Rounds to look at, besides the horizon.")] = None
    csv: Annotated[Path | None, _file(_CSV)] = None
    chart: Annotated[Path | None, _file(_CHART)] = None

    def rounds_shown(self) -> list[int]:
        """Return the rounds to show, the horizon last."""
        given = [] if self.checkpoints is None else values.rounds("--checkpoints", self.checkpoints)
        for number in given:
            if not 1 <= number <= self.horizon:
                values.refuse(
                    "--checkpoints",
                    f"{number} is not a round from 1 to the horizon {self.horizon}",
                )
        return sorted({*given, self.horizon})

    def rounds_of_chart(self) -> set[int]:
        """Return rounds for a chart, if there is to be one, evenly spaced up to the horizon."""
        points = 0 if self.chart is None else min(CHART_POINTS, self.horizon)
        return {self.horizon * i // points for i in range(1, points + 1)}

    def reward_family(self, n_arms: int) -> "RewardFamily":
        """Return the reward family; Gaussian with sd 1/K where none is given, as in the paper."""
        from penalized_bandits.bandit.rewards import Bernoulli, Beta, Deterministic, Gaussian

        if self.rewards == "gaussian":
            return Gaussian(1 / n_arms if self.sd is None else self.sd)
        if self.sd is not None:
            values.refuse("--sd", f"{self.rewards} rewards have no sd to choose")
        return {"bernoulli": Bernoulli, "beta": Beta, "deterministic": Deterministic}[
            self.rewards
        ]()


def _cores() -> int:
    """Return the number of cores that this process may use."""
    available = getattr(os, "sched_getaffinity", None)
    return len(available(0)) if available else os.cpu_count() or 1


def _ids(wanted: list[str]) -> list[str]:
    """Return the ids of policies; those given as ``my_module:policy`` join the registry."""
    from penalized_bandits.policies import POLICIES, get_policy, imported

    ids = [get_policy(name).id for name in wanted]
    own = {own: name for own, name in zip(ids, wanted, strict=True) if imported.is_spec(name)}
    if own:
        imported.register({**imported.registered(), **own}, POLICIES)
    return ids


def _tuned(
    policies: list[str], given: dict[str, float], n_arms: int, horizon: int
) -> list[tuple[str, float | None]]:
    """Give each policy its tuning: its own, the one for all, or that of Setting 1."""
    from penalized_bandits.cli.comparison import tuning_of
    from penalized_bandits.policies import get_policy

    if strangers := [name for name in given if name and name not in policies]:
        values.refuse("--tuning", f"{', '.join(strangers)} is not among the policies")
    tuned: list[tuple[str, float | None]] = []
    for policy in policies:
        value = given.get(policy)
        if value is None and get_policy(policy).tuning is not None:
            value = given[""] if "" in given else tuning_of(policy, n_arms, horizon)
        tuned.append((policy, value))
    if "" in given and all(value is None for _, value in tuned):
        values.refuse("--tuning", "no policy here has a tuning")
    return tuned


def _check_size(counts: int) -> None:
    """Refuse what would fill the memory: counts are kept of all replicates."""
    if counts > MOST_COUNTS:
        raise UserError(
            f"{counts:.2g} counts would be kept, of every replicate, arm and round looked at, at "
            f"most {MOST_COUNTS:.2g}: ask for fewer replicates or checkpoints, or no chart"
        )


def _simulate(arguments: Arguments) -> None:
    """Play policies on a bandit and show what came of it.

    For each arm: pulls, fairness level τ_k T and deficit (τ_k T − N_k)₊. For each policy:
    penalized regret, reward and unfairness, and their differences to the first policy.
    All are means over replicates with 95 % t-intervals. Policies that need rewards in [0, 1]
    refuse means outside it: scale means, sd and penalties.
    """
    names = values.names(arguments.policies)
    mu = values.numbers("--means", arguments.means)
    fractions = values.one_or_more("--fairness", arguments.fairness)
    rates = values.one_or_more("--penalties", arguments.penalties)
    given = {} if arguments.tuning is None else values.pairs("--tuning", arguments.tuning)
    seen = arguments.rounds_shown()
    if arguments.csv is not None:
        values.file_to_write("--csv", arguments.csv)
    if arguments.chart is not None:
        values.drawing_file("--chart", arguments.chart)

    from penalized_bandits.bandit.instances import Instance
    from penalized_bandits.cli.bar import progress_bar, waiting
    from penalized_bandits.cli.comparison import play
    from penalized_bandits.cli.simulate_tables import as_csv, show_comparison
    from penalized_bandits.engine.simulate import prepare
    from penalized_bandits.policies import get_policy
    from penalized_bandits.storage.summaries import write_csv

    wanted = _ids(names)
    rules = [get_policy(policy) for policy in wanted]
    # A tuning may go by either name of a policy of the user's own.
    either = dict(zip(names, wanted, strict=True))
    given = {either.get(name, name): value for name, value in given.items()}
    bandit = Instance(mu, fractions, rates, arguments.reward_family(len(mu)))
    tuned = _tuned(wanted, given, bandit.n_arms, arguments.horizon)
    for rule, (_, value) in zip(rules, tuned, strict=True):
        rule.check_tuning(value)
    checked = sorted({*seen, *arguments.rounds_of_chart()})
    replicates = arguments.replicates
    _check_size(replicates * len(checked) * bandit.n_arms * len(wanted))
    with waiting("compiling policies that are new here"):
        prepare((rule, bandit, replicates) for rule in rules)
    with progress_bar(arguments.horizon * replicates * len(wanted), "pulls") as progress:
        outcomes = play(
            tuned,
            bandit,
            checked,
            replicates=replicates,
            seed=arguments.seed,
            threads=_cores() if arguments.threads is None else arguments.threads,
            progress=progress,
        )
    shown = [outcome for outcome in outcomes if outcome.horizon in seen]
    show_comparison(bandit, shown, arguments.seed)
    if arguments.csv is not None:
        write_csv(as_csv(shown), str(arguments.csv))
        typer.echo(f"{arguments.csv} written", err=True)
    if arguments.chart is not None:
        from penalized_bandits.cli.simulate_chart import draw_regret
        from penalized_bandits.figures.base import write_drawing

        write_drawing(draw_regret(outcomes), arguments.chart)
        typer.echo(f"{arguments.chart} written", err=True)


def simulate(**given: Any) -> None:
    """Stand for `_simulate`: its parameters are the fields of `Arguments`."""
    _simulate(Arguments(**given))


# What typer makes the command of.
simulate.__doc__ = _simulate.__doc__
simulate.__signature__ = inspect.signature(Arguments).replace(return_annotation=None)  # type: ignore[attr-defined]
