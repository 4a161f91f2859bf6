"""The result of a simulation."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from penalized_bandits.bandit.changing import Bandit, Changing, dynamic_metrics, stretches_of
from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray, IntArray, PullArray
from penalized_bandits.policies import Policy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame


def _later(module: str) -> Any:
    """Import a module by its name: simulations do not depend on it, nor pay for scipy."""
    return import_module(f"penalized_bandits.{module}")


@dataclass(frozen=True, eq=False, repr=False)
class Simulation:
    """Pulls, deficits and rewards of R replicates on K arms at C checkpoints.

    >>> from penalized_bandits import Bernoulli, Instance, simulate
    >>> bandit = Instance([0.9, 0.5], fairness=0.2, penalties=0.3, rewards=Bernoulli())
    >>> run = simulate("hard_threshold_ucb", bandit, 1000, replicates=10, checkpoints=[100, 1000])
    >>> run.at(100).shape, run.regret().shape
    ((10, 2), (10, 2))
    >>> run.expected_reward().shape, run.unfairness().shape
    ((10, 2), (10, 2))
    >>> run.to_frame().shape, run.plot("unfairness").get_xlabel()
    ((20, 13), 'rounds T')
    """

    policy: Policy
    """The rule that was played."""
    instance: Bandit
    """The bandit."""
    tuning: float | None
    """The policy's own parameter, if it has one."""
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

    @property
    def described(self) -> str:
        """The bandit, rounds and replicates in words."""
        stretches, n = stretches_of(self.instance), self.n_replicates
        rewards, horizon = stretches[1].rewards, int(self.checkpoints[-1])
        changes = sum(1 < begin <= horizon for begin in stretches)
        changed = f" with {changes} change{'s' * (changes > 1)}" if changes else ""
        sd = f" (sd {rewards.sd:.4g})" if isinstance(rewards, Gaussian) else ""
        return (
            f"{stretches[1].n_arms} arms, {rewards.id} rewards{sd}, T = {horizon} rounds{changed}, "
            f"{n} {'replicate' if n == 1 else 'replicates'}"
        )

    def regret(self) -> FloatArray:
        """Penalized regret R(T), eq. (10), shape (R, C), in units of reward."""
        return self._measured("penalized_regret")

    def dynamic_regret(self) -> FloatArray:
        """Dynamic penalized regret where means change (Changing), shape (R, C), in rewards.

        >>> from penalized_bandits import Changing, Deterministic, Instance, simulate
        >>> bandit = Instance([0.9, 0.5], fairness=0.2, penalties=1.0, rewards=Deterministic())
        >>> simulate("ucb1", Changing(bandit, {3: [0.1, 0.5]}), 4, replicates=1).dynamic_regret()
        array([[0.24, 0.48]])
        """
        return self._measured("dynamic_regret")

    def unfairness(self) -> FloatArray:
        """Sum over arms, and periods, of (tau_k T - N_k)_+, shape (R, C), in pulls."""
        return self._measured("unfairness")

    def expected_reward(self) -> FloatArray:
        """Sum over rounds of the mean of the arm pulled, shape (R, C), in units of reward."""
        return self._measured("expected_reward")

    def _measured(self, metric: str) -> FloatArray:
        if isinstance(self.instance, Changing):
            measured = dynamic_metrics(self.instance, self.pulls, self.checkpoints)
            if metric in measured:
                return measured[metric]
            raise BanditError("means change: dynamic_regret() is measured, not regret()")
        if metric == "dynamic_regret":
            raise BanditError("means are constant: regret() is measured, not dynamic_regret()")
        return getattr(_later("bandit.regret"), metric)(self.pulls, self.instance)

    def at(self, horizon: int) -> PullArray:
        """Return N_k(T), shape (R, K), after T rounds: BanditError if T is no checkpoint."""
        rounds = self.checkpoints.tolist()
        if horizon not in rounds:
            known = ", ".join(map(str, rounds))
            raise BanditError(f"horizon is {horizon!r:.80}: it must be a checkpoint: {known}")
        return self.pulls[:, rounds.index(horizon)]

    def _alone(self) -> Any:
        return _later("comparison.compare").Comparison((self,))

    def to_frame(self, by_replicate: bool = False) -> "DataFrame":
        """Return means with standard errors and intervals: `Comparison.to_frame` of this run."""
        return self._alone().to_frame(by_replicate)

    def plot(self, metric: str = "regret", ax: "Axes | None" = None) -> "Axes":
        """Draw the mean of a metric with its 95 % band: `Comparison.plot` of this run."""
        return self._alone().plot(metric, ax)

    def __repr__(self) -> str:
        name = "dynamic_regret" if isinstance(self.instance, Changing) else "penalized_regret"
        summarised = _later("statistics.summaries").mean_and_interval(self._measured(name)[:, -1])
        mean, _, half = map(float, summarised)
        text = _later("common.numbers").plus_minus(mean, half)
        about = f"{self.described}, {name.replace('_', ' ')} {text}"
        return f"Simulation({self.policy.id:.100}: {about})"

    def _repr_html_(self) -> str | None:
        return self._alone()._repr_html_()
