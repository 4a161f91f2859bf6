"""What ``penalized-bandits simulate`` shows: arms, whole runs, paired differences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.cli.comparison import DIFFERENCE, differences
from penalized_bandits.cli.terminal import plus_minus, show, table
from penalized_bandits.experiments.summaries import summarize
from penalized_bandits.policies import POLICIES
from penalized_bandits.storage.replicates import Outcome

if TYPE_CHECKING:
    from rich.table import Table

SETTING = "simulate"
"""The setting that the rows of a table belong to."""
WHOLE_RUN = {
    "penalized_regret": "penalized regret",
    "expected_reward": "reward",
    "unfairness": "unfairness",
}
"""Metrics shown, with their headings."""

Cells = dict[tuple[str, int, int | None, str], str]
"""Means with intervals as they are shown, by policy, rounds, arm and metric."""


def as_csv(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return summaries and differences in one table, in the columns of the summaries."""
    summary, paired = summarize(SETTING, outcomes), differences(SETTING, outcomes)
    rows = [*summary.to_dict("records"), *paired.to_dict("records")]
    return pd.DataFrame(rows, columns=summary.columns).astype({"arm": "Int64"})


def _label(outcome: Outcome) -> str:
    """Name a policy, with its tuning if it has one."""
    policy = POLICIES[outcome.policy]
    if policy.tuning is None:
        return policy.label
    return f"{policy.label} ({policy.tuning.symbol} = {outcome.tuning:g})"


def _cells(rows: pd.DataFrame) -> Cells:
    """Write every row as its mean with interval, by policy, rounds, arm and metric."""
    return {
        (
            row["policy"],
            row["horizon"],
            None if pd.isna(row["arm"]) else row["arm"],
            row["metric"],
        ): plus_minus(row["mean"], row["ci_high"] - row["mean"])
        for row in rows.to_dict("records")
    }


def _header(bandit: Instance, outcome: Outcome, seed: int) -> str:
    sd = f" (sd {bandit.rewards.sd:.4g})" if isinstance(bandit.rewards, Gaussian) else ""
    replicates = len(outcome.pulls)
    text = (
        f"{bandit.n_arms} arms, {bandit.rewards.id} rewards{sd}, T = {outcome.horizon} rounds, "
        f"{replicates} {'replicate' if replicates == 1 else 'replicates'}, seed {seed}"
    )
    return text if replicates > 1 else text + " (one replicate: no intervals)"


def _kind(bandit: Instance, arm: int) -> str:
    if bandit.optimal[arm]:
        return "optimal"
    return "critical" if bandit.critical[arm] else "non-critical"


def arms_table(bandit: Instance, last: Sequence[Outcome], cells: Cells) -> "Table":
    """Return the table of arms at the horizon, the policies below one another in each."""
    several = len(last) > 1
    horizon = last[0].horizon
    made = table(
        *(">arm", ">mean", ">penalty", "kind", ">level τT"),
        *(["policy"] if several else []),
        *(">pulls", ">deficit"),
        title=f"Arms after {horizon} rounds",
    )
    for arm in range(1, bandit.n_arms + 1):
        numbers = (bandit.means[arm - 1], bandit.penalties[arm - 1])
        level = f"{bandit.fairness[arm - 1] * horizon:.6g}"
        own = [str(arm), *(f"{value:.4g}" for value in numbers), _kind(bandit, arm - 1), level]
        for outcome in last:
            key = (outcome.policy, horizon, arm)
            policy = [POLICIES[outcome.policy].label] if several else []
            made.add_row(*own, *policy, *(cells[*key, m] for m in ("pulls", "arm_unfairness")))
            own = [""] * len(own)
    return made


def runs_table(title: str, outcomes: Sequence[Outcome], cells: Cells, ending: str = "") -> "Table":
    """Return the table of whole-run metrics, those whose names end so."""
    made = table("policy", ">rounds", *(f">{name}" for name in WHOLE_RUN.values()), title=title)
    before = ""
    for outcome in outcomes:
        key = (outcome.policy, outcome.horizon, None)
        values = [cells[*key, metric + ending] for metric in WHOLE_RUN]
        label = "" if outcome.policy == before else _label(outcome)
        made.add_row(label, str(outcome.horizon), *values)
        before = outcome.policy
    return made


NOTE = (
    "Means over replicates ± half of the 95 % t-interval. Deficit of an arm: (τ_k T − N_k)₊; "
    "unfairness: their sum; penalized regret: eq. (10), on mean rewards; reward: Σ_t μ of the "
    "arm pulled."
)


def show_comparison(bandit: Instance, outcomes: Sequence[Outcome], seed: int) -> None:
    """Print what came of policies on a bandit.

    There is an outcome for each policy and round shown, policy by policy; rounds increase.
    """
    horizon = outcomes[-1].horizon
    last = [outcome for outcome in outcomes if outcome.horizon == horizon]
    cells = _cells(summarize(SETTING, outcomes))
    parts: list[Any] = [
        _header(bandit, last[0], seed),
        arms_table(bandit, last, cells),
        runs_table("Whole runs", outcomes, cells),
    ]
    if len(last) > 1:
        title = f"Differences to {_label(last[0])}, replicate by replicate"
        others = [outcome for outcome in outcomes if outcome.policy != last[0].policy]
        paired = _cells(differences(SETTING, outcomes))
        parts.append(runs_table(title, others, paired, DIFFERENCE))
    show(*parts, NOTE)
