"""Policies against a penalty rate, a fairness fraction or the horizon."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from penalized_bandits.bandit.checks import numbers
from penalized_bandits.bandit.instances import Instance, check_instance
from penalized_bandits.common.errors import BanditError, extra
from penalized_bandits.common.progress import Progress, reported
from penalized_bandits.comparison.compare import Comparison, Policies, compare, listed
from penalized_bandits.comparison.looks import looks_of
from penalized_bandits.comparison.pictures import draw, metric_of
from penalized_bandits.engine.simulate import checked_sizes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

LABELS = {
    "penalties": "penalty rate A of each arm (reward)",
    "fairness": "fairness fraction τ of each arm",
    "horizon": "rounds T",
}


@dataclass(frozen=True, eq=False, repr=False)
class Sweep:
    """Comparisons of the same policies, in order of a quantity.

    >>> from penalized_bandits import Bernoulli, Instance
    >>> bandit = Instance([0.9, 0.5], fairness=0.2, penalties=0.3, rewards=Bernoulli())
    >>> swept = sweep("ucb1", bandit, 500, penalties=[0.1, 0.6], replicates=5)
    >>> swept.to_frame()["penalties"].unique().tolist(), swept.plot("regret").get_ylabel()
    ([0.1, 0.6], 'penalized regret (reward)')
    """

    swept: str
    """The quantity, and its column: ``penalties``, ``fairness`` or ``horizon``."""
    values: tuple[float, ...]
    """Its values, increasing."""
    comparisons: tuple[Comparison, ...]
    """One for each value, at its horizon alone."""

    def to_frame(self, by_replicate: bool = False) -> "DataFrame":
        """Return `Comparison.to_frame` of all values, with a column of these; raises as it does."""
        pairs = zip(self.values, self.comparisons, strict=True)
        frames = [each.to_frame(by_replicate).assign(**{self.swept: x}) for x, each in pairs]
        return extra("pandas", "pandas").concat(frames, ignore_index=True)

    def plot(self, metric: str = "regret", ax: "Axes | None" = None) -> "Axes":
        """Draw the mean of a metric at the horizon against the values, as `Comparison.plot`."""
        name, first = metric_of(metric), self.comparisons[0]
        rows = [[each[-1] for each in one.rows(name)] for one in self.comparisons]
        # Tunings of the paper follow the horizon.
        same = all(one.labels == first.labels for one in self.comparisons)
        policies = [run.policy for run in first.runs]
        looks = looks_of(policies, first.labels if same else [p.label for p in policies])
        lines = [*zip(looks, zip(*rows, strict=True), strict=True)]
        return draw(lines, self.values, name, ax, LABELS[self.swept], self.swept == "horizon")

    def __repr__(self) -> str:
        values = f"{self.values[0]:g} to {self.values[-1]:g}, {len(self.values)} values"
        return f"Sweep({self.swept} {values}; {self.comparisons[-1]!r:.220})"


def sweep(
    policies: Policies,
    instance: Instance,
    horizon: float | None = None,
    *,
    penalties: Sequence[float] | None = None,
    fairness: Sequence[float] | None = None,
    horizons: Sequence[float] | None = None,
    replicates: float = 100,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = None,
) -> Sweep:
    """Compare policies on an instance again and again, with one of its numbers changed.

    Parameters
    ----------
    policies, instance, horizon, replicates, seed, threads, progress
        As in :func:`compare`, with one bar for all values; no ``horizon`` where ``horizons`` are
        swept.
    penalties, fairness, horizons
        One of the three, increasing: rates or fractions, each for all arms, or horizons.

    Raises
    ------
    BanditError
        As :func:`compare`; or unless exactly one of the three is given, with values in order.

    Examples
    --------
    >>> from penalized_bandits import Bernoulli, Instance
    >>> bandit = Instance([0.9, 0.5], fairness=0.2, penalties=0.3, rewards=Bernoulli())
    >>> sweep("ucb1", bandit, 500, penalties=[0.1, 0.6], replicates=5).to_frame().shape
    (20, 14)
    """
    check_instance(instance)
    swept = {"penalties": penalties, "fairness": fairness, "horizon": horizons}
    given = [name for name, values in swept.items() if values is not None]
    if len(given) != 1:
        raise BanditError("give values of exactly one of penalties, fairness and horizons")
    name, values = given[0], listed(given[0], swept[given[0]])
    if (horizon is None) != (name == "horizon"):
        raise BanditError(f"horizon is {horizon!r:.80}: give it, or horizons, and not both")
    for i, value in enumerate(values):
        if numbers(f"{name}[{i}]", value).ndim:
            raise BanditError(f"{name}[{i}] is {value!r:.80}: it must be one number for all arms")
    if any(later <= one for one, later in pairwise(values)):
        raise BanditError(f"{name} is {values!r:.80}: values must increase")
    rules, made = listed("policies", policies), []
    shared: dict[str, Any] = {"replicates": replicates, "seed": seed, "threads": threads}
    runs = [checked_sizes(x if horizon is None else horizon, replicates) for x in values]
    with reported(len(rules) * sum(rounds * each for rounds, each in runs), progress) as done:
        for value, (rounds, _) in zip(values, runs, strict=True):
            bandit = instance if horizon is None else replace(instance, **{name: value})
            how = {"checkpoints": [rounds], "progress": done or False, **shared}
            made.append(compare(rules, bandit, rounds, **how))
    return Sweep(name, tuple(values), tuple(made))
