"""Play policies on one bandit, on the same rewards, and compare them: tables for the terminal."""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.cli.terminal import plus_minus, table
from penalized_bandits.common.confidence import WORDS
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.files import whole_file
from penalized_bandits.engine.simulate import simulate_part
from penalized_bandits.engine.simulation import Simulation
from penalized_bandits.engine.streams import Stream
from penalized_bandits.policies import Policy
from penalized_bandits.statistics.summaries import rows_of, run_metrics

DIFFERENCE = "_difference"
"""End of the names of differences of whole-run metrics."""
WHOLE_RUN = {
    "penalized_regret": "penalized regret",
    "expected_reward": "reward",
    "unfairness": "unfairness",
}

Cells = dict[tuple[str, int, int | None, str], str]
"""Means with intervals as they are shown, by policy, rounds, arm and metric."""
Row = dict[str, Any]


def label_of(run: Simulation) -> str:
    """Return the policy's label, with its tuning if it has one."""
    rule = run.policy
    return f"{rule.label} ({rule.tuning.symbol} = {run.tuning:g})" if rule.tuning else rule.label


def play(
    policies: Iterable[tuple[Policy, float | None]],
    instance: Instance,
    checkpoints: Sequence[int],
    *,
    replicates: int,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[Simulation]:
    """Return what policies pull on the same rewards, as `simulate` has it with this seed.

    ``policies`` come each with its tuning (None where it has none); the last of the
    ``checkpoints`` is the horizon T.  Raises BanditError as `simulate` does, or if a policy is
    there twice.
    """
    wanted = list(policies)
    ids = [policy.id for policy, _ in wanted]
    if twice := sorted({policy for policy in ids if ids.count(policy) > 1}):
        raise BanditError(f"policies are compared once each, but {', '.join(twice)} came twice")
    return [
        simulate_part(
            policy,
            instance,
            checkpoints[-1],
            replicates=replicates,
            stream=Stream(seed),
            tuning=tuning,
            checkpoints=checkpoints,
            threads=threads,
            progress=progress,
        )
        for policy, tuning in wanted
    ]


def differences(runs: Sequence[Simulation]) -> Iterator[Row]:
    """Yield each policy's whole-run metrics less the first policy's, paired by replicate.

    Policies that meet the same rewards vary together: the interval of their difference is
    shorter than what their own intervals suggest.  The metrics end in ``_difference``.
    """
    for run in runs[1:]:
        for c, horizon in enumerate(run.checkpoints.tolist()):
            found, other = (run_metrics(one.pulls[:, c], one.instance) for one in (run, runs[0]))
            # Of sums of this size the last digits are rounding: equal runs differ by 0.
            reward = np.abs(found["expected_reward"])
            sizes = {key: np.maximum(np.abs(values), reward) for key, values in found.items()}
            sizes["unfairness"] = np.full(run.n_replicates, float(horizon))
            made = {key: values - other[key] for key, values in found.items()}
            less = {
                key + DIFFERENCE: np.where(np.abs(x) <= 1e-13 * sizes[key], 0.0, x)
                for key, x in made.items()
            }
            yield from rows_of(run.about(c), less)


COLUMNS = (
    *("policy", "tuning", "horizon", "arm", "metric", "mean", "se", "ci_low", "ci_high"),
    *("n_replicates", "gap", "fairness_fraction", "penalty_rate"),
)


def write_csv(runs: Sequence[Simulation], path: Path) -> None:
    """Write everything and the differences as CSV, in full precision, whole or not at all."""
    with whole_file(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(row for run in runs for row in run.rows())
        writer.writerows(differences(runs))


def _cells(rows: Iterable[Row]) -> Cells:
    return {
        (row["policy"], row["horizon"], row["arm"], row["metric"]): plus_minus(
            row["mean"], row["ci_high"] - row["mean"]
        )
        for row in rows
    }


def _header(run: Simulation, seed: int) -> str:
    bandit, replicates = run.instance, run.n_replicates
    sd = f" (sd {bandit.rewards.sd:.4g})" if isinstance(bandit.rewards, Gaussian) else ""
    text = (
        f"{bandit.n_arms} arms, {bandit.rewards.id} rewards{sd}, T = {run.checkpoints[-1]} rounds, "
        f"{replicates} {'replicate' if replicates == 1 else 'replicates'}, seed {seed}"
    )
    return text if replicates > 1 else text + " (one replicate: no intervals)"


def arms_table(runs: Sequence[Simulation], cells: Cells) -> str:
    """Return the table of arms at the horizon, the policies below one another in each."""
    bandit, horizon = runs[0].instance, int(runs[0].checkpoints[-1])
    heads = (">arm", ">mean", ">penalty", "kind", ">level τT", "policy", ">pulls", ">deficit")
    rows: list[tuple[str, ...]] = []
    for k in range(bandit.n_arms):
        numbers = (f"{value:.4g}" for value in (bandit.means[k], bandit.penalties[k]))
        level = f"{bandit.fairness[k] * horizon:.6g}"
        kind = "critical" if bandit.critical[k] else "non-critical"
        own = (str(k + 1), *numbers, "optimal" if bandit.optimal[k] else kind, level)
        for run in runs:
            key = (run.policy.id, horizon, k + 1)
            counts = (cells[*key, metric] for metric in ("pulls", "arm_unfairness"))
            rows.append((*own, run.policy.label, *counts))
            own = ("",) * len(own)
    return table(heads, rows, f"Arms after {horizon} rounds")


def runs_table(title: str, runs: Sequence[Simulation], cells: Cells, ending: str = "") -> str:
    """Return the table of whole-run metrics, those whose names end so."""
    rows = [
        (
            label_of(run),
            str(horizon),
            *(cells[run.policy.id, horizon, None, m + ending] for m in WHOLE_RUN),
        )
        for run in runs
        for horizon in run.checkpoints.tolist()
    ]
    return table(("policy", ">rounds", *(f">{name}" for name in WHOLE_RUN.values())), rows, title)


NOTE = (
    f"Means over replicates ± half of the {WORDS} t-interval. Deficit of an arm: (τ_k T − N_k)₊; "
    "unfairness: their sum; penalized regret: eq. (10), on mean rewards; reward: Σ_t μ of the "
    "arm pulled."
)


def comparison_text(runs: Sequence[Simulation], seed: int) -> str:
    """Return the tables of policies on a bandit: arms, whole runs, paired differences."""
    cells = _cells(row for run in runs for row in run.rows())
    parts = [_header(runs[0], seed), arms_table(runs, cells), runs_table("Whole runs", runs, cells)]
    if len(runs) > 1:
        title = f"Differences to {label_of(runs[0])}, replicate by replicate"
        parts.append(runs_table(title, runs[1:], _cells(differences(runs)), DIFFERENCE))
    return "\n\n".join([*parts, NOTE])
