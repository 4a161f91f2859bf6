"""The result of a simulation."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.extras import extra
from penalized_bandits.common.typing import FloatArray, IntArray, PullArray
from penalized_bandits.policies import Policy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame


@dataclass(frozen=True, eq=False)
class Simulation:
    """Pulls, deficits and rewards of R replicates on K arms at C checkpoints."""

    policy: Policy
    instance: Instance
    tuning: float | None
    checkpoints: IntArray
    """Rounds after which the counts were taken, increasing, shape (C,)."""
    pulls: PullArray
    """N_k(t), shape (R, C, K)."""
    max_deficits: FloatArray
    """max over t' <= t of (tau_k t' - N_k(t'))_+, shape (R, C, K)."""
    reward_sums: FloatArray
    """Sum of the rewards of each arm at the last checkpoint, shape (R, K)."""

    @property
    def n_replicates(self) -> int:
        """Number of replicates R."""
        return self.pulls.shape[0]

    def about(self, checkpoint: int) -> dict[str, Any]:
        """Return the first columns of the rows of a checkpoint, by its place."""
        horizon = int(self.checkpoints[checkpoint])
        return {"policy": self.policy.id, "tuning": self.tuning, "horizon": horizon}

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield means with intervals of each checkpoint, metric and arm: the rows of `to_frame`."""
        # By name: what is simulated does not stand on it (nor pay for scipy).
        summaries = import_module("penalized_bandits.statistics.summaries")
        for c in range(self.checkpoints.size):
            counts = self.pulls[:, c], self.max_deficits[:, c]
            yield from summaries.run_rows(self.about(c), *counts, self.instance)

    def to_frame(self) -> "DataFrame":
        """Return means over replicates with standard errors and 95 % t-intervals.

        A row is a metric at a checkpoint, of the whole run (``arm`` is missing) or of an arm, from
        1: ``penalized_regret``, ``expected_reward``, ``reward_loss``, ``unfairness``; ``pulls``,
        ``arm_unfairness``, ``max_deficit``.  Raises MissingExtraError without pandas.
        """
        return extra("pandas", "pandas").DataFrame([*self.rows()]).astype({"arm": "Int64"})

    def plot(self, metric: str = "penalized_regret", ax: "Axes | None" = None) -> "Axes":
        """Draw the mean of a metric of whole runs over checkpoints, with its 95 % band.

        Raises BanditError for another metric than those of whole runs in `to_frame`,
        MissingExtraError without matplotlib.
        """
        axes = ax or extra("plot", "matplotlib.pyplot").gca()
        whole = [row for row in self.rows() if row["arm"] is None]
        shown = [row for row in whole if row["metric"] == metric]
        if not shown:
            known = ", ".join(dict.fromkeys(row["metric"] for row in whole))
            raise BanditError(f"metric is {metric!r:.80}: metrics of whole runs are {known}")
        x, mean, low, high = (
            [row[name] for row in shown] for name in ("horizon", "mean", "ci_low", "ci_high")
        )
        (line,) = axes.plot(x, mean, marker=".", label=self.policy.label)
        axes.fill_between(x, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
        unit = "pulls" if metric == "unfairness" else "reward"
        axes.set(xlabel="rounds T", ylabel=f"{metric.replace('_', ' ')} ({unit})")
        return axes
