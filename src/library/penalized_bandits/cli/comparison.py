"""Play policies on one bandit, on the same rewards, and compare them: tables for the terminal."""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.cli.terminal import plus_minus, table
from penalized_bandits.common.confidence import WORDS
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.files import whole_file
from penalized_bandits.common.typing import FloatArray, PullArray
from penalized_bandits.engine.simulate import simulate_part
from penalized_bandits.policies import Policy
from penalized_bandits.statistics.summaries import rows_of, run_metrics, run_rows

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


@dataclass(frozen=True, eq=False)
class Played:
    """One policy after some rounds: R replicates of K arms."""

    instance: Instance
    rule: Policy
    tuning: float | None
    horizon: int
    pulls: PullArray
    """N_k(T), shape (R, K)."""
    max_deficit: FloatArray
    """max over t of (tau_k t - N_k(t))_+, shape (R, K)."""

    @property
    def policy(self) -> str:
        """Id of the policy."""
        return self.rule.id

    @property
    def label(self) -> str:
        """The policy's label, with its tuning if it has one."""
        if self.rule.tuning is None:
            return self.rule.label
        return f"{self.rule.label} ({self.rule.tuning.symbol} = {self.tuning:g})"

    @property
    def about(self) -> Row:
        """The first columns of its rows."""
        return {"policy": self.policy, "tuning": self.tuning, "horizon": self.horizon}

    @property
    def rows(self) -> Iterator[Row]:
        """Its metrics and those of its arms, in the columns of `run_rows`."""
        return run_rows(self.about, self.pulls, self.max_deficit, self.instance)


def play(
    policies: Iterable[tuple[Policy, float | None]],
    instance: Instance,
    checkpoints: Sequence[int],
    *,
    replicates: int,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[Played]:
    """Return what policies pull on the same rewards, as `simulate` has it with this seed.

    ``policies`` come each with its tuning (None where it has none); the last of the
    ``checkpoints`` is the horizon T.  Returns one for each policy and checkpoint, policy by
    policy.  Raises BanditError as `simulate` does, or if a policy is there twice.
    """
    wanted = list(policies)
    ids = [policy.id for policy, _ in wanted]
    if twice := sorted({policy for policy in ids if ids.count(policy) > 1}):
        raise BanditError(f"policies are compared once each, but {', '.join(twice)} came twice")
    played: list[Played] = []
    for policy, tuning in wanted:
        run = simulate_part(
            policy,
            instance,
            checkpoints[-1],
            replicates=replicates,
            seed=seed,
            tuning=tuning,
            checkpoints=checkpoints,
            threads=threads,
            progress=progress,
        )
        played += (
            Played(instance, policy, tuning, t, run.pulls[:, c], run.max_deficits[:, c])
            for c, t in enumerate(run.checkpoints.tolist())
        )
    return played


def differences(played: Sequence[Played]) -> Iterator[Row]:
    """Yield each policy's whole-run metrics less the first policy's, paired by replicate.

    Policies that meet the same rewards vary together: the interval of their difference is
    shorter than what their own intervals suggest.  The metrics end in ``_difference``.
    """
    first = {one.horizon: one for one in played if one.policy == played[0].policy}
    for one in played:
        if one.policy == played[0].policy:
            continue
        found, other = (run_metrics(p.pulls, p.instance) for p in (one, first[one.horizon]))
        # Of sums of this size the last digits are rounding: equal runs differ by 0.
        reward = np.abs(found["expected_reward"])
        sizes = {key: np.maximum(np.abs(values), reward) for key, values in found.items()}
        sizes["unfairness"] = np.full(len(one.pulls), float(one.horizon))
        made = {key: values - other[key] for key, values in found.items()}
        less = {
            key + DIFFERENCE: np.where(np.abs(x) <= 1e-13 * sizes[key], 0.0, x)
            for key, x in made.items()
        }
        yield from rows_of(one.about, less)


COLUMNS = (
    *("policy", "tuning", "horizon", "arm", "metric", "mean", "se", "ci_low", "ci_high"),
    *("n_replicates", "gap", "fairness_fraction", "penalty_rate"),
)


def write_csv(played: Sequence[Played], path: Path) -> None:
    """Write everything and the differences as CSV, in full precision, whole or not at all."""
    with whole_file(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(row for one in played for row in one.rows)
        writer.writerows(differences(played))


def _cells(rows: Iterable[Row]) -> Cells:
    return {
        (row["policy"], row["horizon"], row["arm"], row["metric"]): plus_minus(
            row["mean"], row["ci_high"] - row["mean"]
        )
        for row in rows
    }


def _header(bandit: Instance, one: Played, seed: int) -> str:
    sd = f" (sd {bandit.rewards.sd:.4g})" if isinstance(bandit.rewards, Gaussian) else ""
    replicates = len(one.pulls)
    text = (
        f"{bandit.n_arms} arms, {bandit.rewards.id} rewards{sd}, T = {one.horizon} rounds, "
        f"{replicates} {'replicate' if replicates == 1 else 'replicates'}, seed {seed}"
    )
    return text if replicates > 1 else text + " (one replicate: no intervals)"


def arms_table(bandit: Instance, last: Sequence[Played], cells: Cells) -> str:
    """Return the table of arms at the horizon, the policies below one another in each."""
    horizon = last[0].horizon
    heads = (">arm", ">mean", ">penalty", "kind", ">level τT", "policy", ">pulls", ">deficit")
    rows: list[tuple[str, ...]] = []
    for k in range(bandit.n_arms):
        numbers = (f"{value:.4g}" for value in (bandit.means[k], bandit.penalties[k]))
        level = f"{bandit.fairness[k] * horizon:.6g}"
        kind = "critical" if bandit.critical[k] else "non-critical"
        own = (str(k + 1), *numbers, "optimal" if bandit.optimal[k] else kind, level)
        for one in last:
            key = (one.policy, horizon, k + 1)
            counts = (cells[*key, metric] for metric in ("pulls", "arm_unfairness"))
            rows.append((*own, one.rule.label, *counts))
            own = ("",) * len(own)
    return table(heads, rows, f"Arms after {horizon} rounds")


def runs_table(title: str, played: Sequence[Played], cells: Cells, ending: str = "") -> str:
    """Return the table of whole-run metrics, those whose names end so."""
    rows = [
        (
            one.label,
            str(one.horizon),
            *(cells[one.policy, one.horizon, None, m + ending] for m in WHOLE_RUN),
        )
        for one in played
    ]
    return table(("policy", ">rounds", *(f">{name}" for name in WHOLE_RUN.values())), rows, title)


NOTE = (
    f"Means over replicates ± half of the {WORDS} t-interval. Deficit of an arm: (τ_k T − N_k)₊; "
    "unfairness: their sum; penalized regret: eq. (10), on mean rewards; reward: Σ_t μ of the "
    "arm pulled."
)


def comparison_text(bandit: Instance, played: Sequence[Played], seed: int) -> str:
    """Return the tables of policies on a bandit: arms, whole runs, paired differences.

    There is one for each policy and round shown, policy by policy; rounds increase.
    """
    horizon = played[-1].horizon
    last = [one for one in played if one.horizon == horizon]
    cells = _cells(row for one in played for row in one.rows)
    parts = [
        _header(bandit, last[0], seed),
        arms_table(bandit, last, cells),
        runs_table("Whole runs", played, cells),
    ]
    if len(last) > 1:
        title = f"Differences to {last[0].label}, replicate by replicate"
        others = [one for one in played if one.policy != last[0].policy]
        paired = _cells(differences(played))
        parts.append(runs_table(title, others, paired, DIFFERENCE))
    return "\n\n".join([*parts, NOTE])
