"""Play policies on one bandit, on the same rewards, and compare them: tables for the terminal."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pandas as pd

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.cli._terminal import plus_minus, table
from penalized_bandits.common.confidence import WORDS
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine.simulate import simulate_part
from penalized_bandits.experiments.base import Case
from penalized_bandits.experiments.simulate import outcomes_of
from penalized_bandits.experiments.summaries import rows_of, run_metrics, summarize, table_of
from penalized_bandits.policies import POLICIES
from penalized_bandits.storage.replicates import Outcome

CASE = "bandit"
DIFFERENCE = "_difference"
"""End of the names of differences of whole-run metrics."""
SETTING = "simulate"
WHOLE_RUN = {
    "penalized_regret": "penalized regret",
    "expected_reward": "reward",
    "unfairness": "unfairness",
}

Cells = dict[tuple[str, int, int | None, str], str]
"""Means with intervals as they are shown, by policy, rounds, arm and metric."""


def play(
    policies: Iterable[tuple[str, float | None]],
    instance: Instance,
    checkpoints: Sequence[int],
    *,
    replicates: int,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[Outcome]:
    """Return the outcomes of policies on the same rewards, as `simulate` has them with this seed.

    ``policies`` are ids, each with its tuning (None where it has none); the last of the
    ``checkpoints`` is the horizon T.  Returns an outcome for each policy and checkpoint, policy by
    policy.  Raises BanditError as `simulate` does, or if a policy is there twice.
    """
    wanted = list(policies)
    ids = [policy for policy, _ in wanted]
    if twice := sorted({policy for policy in ids if ids.count(policy) > 1}):
        raise BanditError(f"policies are compared once each, but {', '.join(twice)} came twice")
    case = Case(CASE, instance.means, instance.fairness, instance.rewards, ()).info
    outcomes: list[Outcome] = []
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
        outcomes += outcomes_of(run, case, policy, tuning)
    return outcomes


def differences(setting: str, outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return each policy's whole-run metrics less the first policy's, paired by replicate.

    Policies that meet the same rewards vary together: the interval of their difference is
    shorter than what their own intervals suggest.  The table has the columns of the summaries, its
    metrics end in ``_difference``; it is empty where there is one policy only.
    """
    first = {o.horizon: run_metrics(o) for o in outcomes if o.policy == outcomes[0].policy}

    def less(outcome: Outcome) -> dict[str, FloatArray]:
        found, other = run_metrics(outcome), first[outcome.horizon]
        # Of sums of this size the last digits are rounding: equal runs differ by 0.
        reward = np.abs(found["expected_reward"])
        sizes = {key: np.maximum(np.abs(values), reward) for key, values in found.items()}
        sizes["unfairness"] = np.full(len(outcome.pulls), float(outcome.horizon))
        made = {key: values - other[key] for key, values in found.items()}
        return {
            key + DIFFERENCE: np.where(np.abs(x) <= 1e-13 * sizes[key], 0.0, x)
            for key, x in made.items()
        }

    others = [outcome for outcome in outcomes if outcome.policy != outcomes[0].policy]
    return table_of(row for one in others for row in rows_of(setting, one, less(one)))


def as_csv(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return summaries and differences in one table, in the columns of the summaries."""
    summary, paired = summarize(SETTING, outcomes), differences(SETTING, outcomes)
    rows = [*summary.to_dict("records"), *paired.to_dict("records")]
    return pd.DataFrame(rows, columns=summary.columns).astype({"arm": "Int64"})


def _label(outcome: Outcome) -> str:
    policy = POLICIES[outcome.policy]
    if policy.tuning is None:
        return policy.label
    return f"{policy.label} ({policy.tuning.symbol} = {outcome.tuning:g})"


def _cells(rows: pd.DataFrame) -> Cells:
    cells: Cells = {}
    for row in rows.to_dict("records"):
        arm = None if pd.isna(row["arm"]) else row["arm"]
        key = row["policy"], row["horizon"], arm, row["metric"]
        cells[key] = plus_minus(row["mean"], row["ci_high"] - row["mean"])
    return cells


def _header(bandit: Instance, outcome: Outcome, seed: int) -> str:
    sd = f" (sd {bandit.rewards.sd:.4g})" if isinstance(bandit.rewards, Gaussian) else ""
    replicates = len(outcome.pulls)
    text = (
        f"{bandit.n_arms} arms, {bandit.rewards.id} rewards{sd}, T = {outcome.horizon} rounds, "
        f"{replicates} {'replicate' if replicates == 1 else 'replicates'}, seed {seed}"
    )
    return text if replicates > 1 else text + " (one replicate: no intervals)"


def arms_table(bandit: Instance, last: Sequence[Outcome], cells: Cells) -> str:
    """Return the table of arms at the horizon, the policies below one another in each."""
    horizon = last[0].horizon
    heads = (">arm", ">mean", ">penalty", "kind", ">level τT", "policy", ">pulls", ">deficit")
    rows: list[tuple[str, ...]] = []
    for k in range(bandit.n_arms):
        numbers = (f"{value:.4g}" for value in (bandit.means[k], bandit.penalties[k]))
        level = f"{bandit.fairness[k] * horizon:.6g}"
        kind = "critical" if bandit.critical[k] else "non-critical"
        own = (str(k + 1), *numbers, "optimal" if bandit.optimal[k] else kind, level)
        for outcome in last:
            key = (outcome.policy, horizon, k + 1)
            counts = (cells[*key, metric] for metric in ("pulls", "arm_unfairness"))
            rows.append((*own, POLICIES[outcome.policy].label, *counts))
            own = ("",) * len(own)
    return table(heads, rows, f"Arms after {horizon} rounds")


def runs_table(title: str, outcomes: Sequence[Outcome], cells: Cells, ending: str = "") -> str:
    """Return the table of whole-run metrics, those whose names end so."""
    rows = [
        (
            _label(outcome),
            str(outcome.horizon),
            *(cells[outcome.policy, outcome.horizon, None, m + ending] for m in WHOLE_RUN),
        )
        for outcome in outcomes
    ]
    return table(("policy", ">rounds", *(f">{name}" for name in WHOLE_RUN.values())), rows, title)


NOTE = (
    f"Means over replicates ± half of the {WORDS} t-interval. Deficit of an arm: (τ_k T − N_k)₊; "
    "unfairness: their sum; penalized regret: eq. (10), on mean rewards; reward: Σ_t μ of the "
    "arm pulled."
)


def comparison_text(bandit: Instance, outcomes: Sequence[Outcome], seed: int) -> str:
    """Return the tables of policies on a bandit: arms, whole runs, paired differences.

    There is an outcome for each policy and round shown, policy by policy; rounds increase.
    """
    horizon = outcomes[-1].horizon
    last = [outcome for outcome in outcomes if outcome.horizon == horizon]
    cells = _cells(summarize(SETTING, outcomes))
    parts = [
        _header(bandit, last[0], seed),
        arms_table(bandit, last, cells),
        runs_table("Whole runs", outcomes, cells),
    ]
    if len(last) > 1:
        title = f"Differences to {_label(last[0])}, replicate by replicate"
        others = [outcome for outcome in outcomes if outcome.policy != last[0].policy]
        paired = _cells(differences(SETTING, outcomes))
        parts.append(runs_table(title, others, paired, DIFFERENCE))
    return "\n\n".join([*parts, NOTE])
