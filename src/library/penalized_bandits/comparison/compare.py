"""Policies on one bandit, on the same rewards."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from penalized_bandits.bandit.changing import Bandit, Changing, dynamic_metrics, stretches_of
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.errors import BanditError, MissingExtraError, extra
from penalized_bandits.common.numbers import plus_minus
from penalized_bandits.common.progress import Progress, reported
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.comparison.looks import Look, looks_of
from penalized_bandits.comparison.pictures import draw, metric_of
from penalized_bandits.engine.simulate import Delay, checked_sizes, delays_of, simulate_part
from penalized_bandits.engine.simulation import Simulation
from penalized_bandits.engine.streams import Stream
from penalized_bandits.policies import Policy, get_policy
from penalized_bandits.policies.base import spaced_in_logarithms
from penalized_bandits.statistics.summaries import rows_of, run_metrics, run_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

Policies: TypeAlias = str | Policy | Iterable[str | Policy | tuple[str | Policy, float | None]]
"""Policies or their ids, those with a tuning alone or in a pair with it."""


def _frame(rows: Iterable[dict[str, Any]]) -> "DataFrame":
    return extra("pandas", "pandas").DataFrame([*rows]).astype({"tuning": float, "arm": "Int64"})


def _names(rules: Sequence[tuple[Policy, float | None]]) -> list[str]:
    """Return the ids of policies, with the tuning where a policy has several."""
    ids = [policy.id for policy, _ in rules]
    names = [
        p.id if value is None or ids.count(p.id) == 1 else f"{p.id}={value:.12g}"
        for p, value in rules
    ]
    if twice := sorted({p for p, name in zip(ids, names, strict=True) if names.count(name) > 1}):
        raise BanditError(f"policies are compared once each, but {', '.join(twice)} came twice")
    return names


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Runs of policies on the same rewards, of a bandit with K arms.

    >>> from penalized_bandits import Bernoulli, Instance
    >>> bandit = Instance([0.9, 0.5], fairness=0.2, penalties=0.3, rewards=Bernoulli())
    >>> both = compare(["hard_threshold_ucb", "ucb1"], bandit, 1000)
    >>> both.names, len(both.rows("regret")), both.to_frame().shape
    (['hard_threshold_ucb', 'ucb1'], 2, (400, 13))
    >>> both.difference("ucb1", "hard_threshold_ucb").metric.iloc[-1], both.summary().shape
    ('penalized_regret_difference', (2, 4))
    >>> both.for_reading(both.to_frame(), ["policy", "horizon"]).shape
    (40, 6)
    >>> both.plot("unfairness").get_xlabel()
    'rounds T'
    """

    runs: tuple[Simulation, ...]
    """A run of each policy, all of R replicates at the same C checkpoints."""

    def __post_init__(self) -> None:
        if len({(r.instance, r.n_replicates, *r.checkpoints.tolist()) for r in self.runs}) != 1:
            raise BanditError("runs must be one or more: same instance, replicates, checkpoints")

    @property
    def names(self) -> list[str]:
        """Names of the runs in tables: a policy's id, ``id=tuning`` where it is there twice."""
        return _names([(run.policy, run.tuning) for run in self.runs])

    @property
    def labels(self) -> list[str]:
        """Labels of the policies, with their tunings; with their names where two are equal."""
        with_tuning = [
            f"{run.policy.label} ({run.policy.tuning.symbol} = {run.tuning:.4g})"
            if run.policy.tuning
            else run.policy.label
            for run in self.runs
        ]
        pairs = zip(with_tuning, self.names, strict=True)
        return [a if with_tuning.count(a) == 1 else f"{a}: {name}" for a, name in pairs]

    @property
    def looks(self) -> list[Look]:
        """Looks of the policies in all figures of this comparison."""
        return looks_of([run.policy for run in self.runs], self.labels)

    def _values(self, name: str) -> Iterator[tuple[dict[str, Any], dict[str, FloatArray]]]:
        """Yield the first columns and metrics (R,) of a run at each checkpoint."""
        run, changing = self.runs[self.names.index(name)], dict[str, FloatArray]()
        if isinstance(run.instance, Changing):
            changing = dynamic_metrics(run.instance, run.pulls, run.checkpoints)
        for c, horizon in enumerate(run.checkpoints.tolist()):
            values = {metric: each[:, c] for metric, each in changing.items()}
            if isinstance(run.instance, Instance):
                values = run_metrics(run.pulls[:, c], run.instance)
            yield {"policy": name, "tuning": run.tuning, "horizon": horizon}, values

    def _rows(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a run: where means change, those of arms have pulls alone."""
        run = self.runs[self.names.index(name)]
        for c, (about, values) in enumerate(self._values(name)):
            pulls = run.pulls[:, c]
            if isinstance(run.instance, Instance):
                yield from run_rows(about, pulls, run.max_deficits[:, c], run.instance)
            else:
                arms = [{"arm": k} for k in range(1, pulls.shape[1] + 1)]
                yield from rows_of(about, values)
                yield from rows_of(about, {"pulls": pulls.astype(np.float64)}, arms)

    def _metric(self, name: str) -> str:
        return metric_of(name, isinstance(self.runs[0].instance, Changing))

    def rows(self, metric: str) -> list[list[dict[str, Any]]]:
        """Return rows of a metric of whole runs, as in `to_frame`: of each run, by checkpoint."""
        key = self._metric(metric)
        return [
            [next(rows_of(about, {key: values[key]})) for about, values in self._values(name)]
            for name in self.names
        ]

    def to_frame(self, by_replicate: bool = False) -> "DataFrame":
        """Return means over replicates with standard errors and 95 % t-intervals, tidy.

        A row is a metric of a policy at a checkpoint (``horizon``), of the whole run (``arm`` is
        missing) or of an arm, from 1: ``penalized_regret``, ``expected_reward``, ``reward_loss``
        in units of reward, ``unfairness`` in pulls; ``pulls``, ``arm_unfairness``,
        ``max_deficit``.  Where means change it is ``dynamic_regret``, and of arms ``pulls`` alone.
        With ``by_replicate`` a row is the ``value`` of a whole run's metric in a replicate, from 0.
        Raises MissingExtraError without pandas.
        """
        if not by_replicate:
            return _frame(row for name in self.names for row in self._rows(name))
        pandas, replicates = extra("pandas", "pandas"), np.arange(self.runs[0].n_replicates)
        frames = [
            pandas.DataFrame({**about, "replicate": replicates, "metric": metric, "value": each})
            for name in self.names
            for about, values in self._values(name)
            for metric, each in values.items()
        ]
        return pandas.concat([each.astype({"tuning": float}) for each in frames], ignore_index=True)

    def difference(self, a: str, b: str, metric: str | None = "regret") -> "DataFrame":
        """Return a metric of policy ``a`` less that of ``b``, two of `names`, paired by replicate.

        Rows are those of `to_frame`, one a checkpoint; the metric's name ends in ``_difference``.
        With None for the metric there are rows of all whole-run metrics.  Policies that meet the
        same rewards vary together: the interval of their difference is shorter than what their own
        suggest.  Raises BanditError for an unknown name, MissingExtraError without pandas.
        """
        for name in (a, b):
            if name not in self.names:
                known = ", ".join(self.names)
                raise BanditError(f"policy {name!r:.80} is not compared: {known} are")
        rows: list[dict[str, Any]] = []
        for (about, values), (_, others) in zip(self._values(a), self._values(b), strict=True):
            keys = values if metric is None else [self._metric(metric)]
            rows += rows_of(about, {f"{key}_difference": values[key] - others[key] for key in keys})
        return _frame(rows)

    def for_reading(self, frame: "DataFrame", by: Sequence[str]) -> "DataFrame":
        """Return rows of frames of this comparison as text: means ± half of their intervals.

        A row for each value of the columns ``by``, a column for each metric; policies by label.
        Metrics of arms are left out unless ``by`` has the arm.
        """
        frame = frame if "arm" in by or "arm" not in frame else frame[frame["arm"].isna()]
        cells = frame.assign(
            policy=frame["policy"].map(dict(zip(self.names, self.labels, strict=True))),
            shown=[*map(plus_minus, frame["mean"], frame["ci_high"] - frame["mean"])],
            metric=frame["metric"].str.removesuffix("_difference"),
        )
        table = cells.pivot_table("shown", [*by], "metric", aggfunc="first", sort=False)
        return table.reset_index().rename_axis(columns=None)

    def summary(self) -> "DataFrame":
        """Return a row for each policy at the horizon: means ± half of their intervals."""
        frame = self.to_frame()
        last = frame[frame["horizon"] == frame["horizon"].max()]
        return self.for_reading(last, ["policy"]).set_index("policy")

    def plot(self, metric: str = "regret", ax: "Axes | None" = None) -> "Axes":
        """Draw the mean of a metric of whole runs over checkpoints, with its 95 % band.

        A policy has the same colour, marker and dashes in all figures.  The labels are to the
        right of the axes, by default those of a new figure of 3.5 inches.

        Raises BanditError for another metric than those of whole runs in `to_frame` (``regret``,
        ``reward`` and ``loss`` are short for them), MissingExtraError without matplotlib.
        """
        lines = [*zip(self.looks, self.rows(metric), strict=True)]
        x = self.runs[0].checkpoints.tolist()
        in_logarithms = len(x) > 1 and isinstance(self.runs[0].instance, Instance)
        return draw(lines, x, self._metric(metric), ax, "rounds T", in_logarithms)

    def __repr__(self) -> str:
        policies = ", ".join(self.names)
        policies = policies if len(policies) < 200 else f"{policies[:190]} ..."
        return f"Comparison({policies}: {self.runs[0].described})"

    def _repr_html_(self) -> str | None:
        try:
            return f"<p>{self.runs[0].described}</p>{self.summary().to_html()}"
        except MissingExtraError:
            return None


def compare(
    policies: Policies,
    instance: Bandit,
    horizon: float,
    *,
    replicates: float = 100,
    seed: int = 0,
    checkpoints: Sequence[float] | None = None,
    threads: int = 1,
    progress: Progress = None,
    delay: Delay = 0,
    batch: float = 1,
) -> Comparison:
    """Simulate policies on an instance, on the same rewards.

    Parameters
    ----------
    policies
        Ids or policies, or pairs of one and its tuning.  A policy with a tuning that is given
        none has that of the paper's Setting 1, if there is one.
    instance, horizon, replicates, seed, threads, progress, delay, batch
        As in :func:`simulate`, which has the same pulls; one bar for all policies.
    checkpoints
        Rounds after which counts are taken, increasing; the horizon is always the last.  By
        default about 20, evenly spaced in logarithms.

    Raises
    ------
    BanditError
        As :func:`simulate`; or if there is no policy, or one twice with the same tuning.

    Examples
    --------
    >>> from penalized_bandits import Bernoulli, Instance
    >>> bandit = Instance([0.9, 0.5], fairness=0.2, penalties=0.3, rewards=Bernoulli())
    >>> compared = compare(["hard_threshold_ucb", ("lfg", 30.0)], bandit, 1000, replicates=10)
    >>> compared
    Comparison(hard_threshold_ucb, lfg: 2 arms, bernoulli rewards, T = 1000 rounds, 10 replicates)
    >>> float(compared.difference("lfg", "hard_threshold_ucb", "unfairness")["mean"].iloc[-1])
    -14.1
    """
    horizon, replicates = checked_sizes(horizon, replicates)
    n_arms = stretches_of(instance)[1].n_arms
    rules: list[tuple[Policy, float | None]] = []
    for each in listed("policies", policies):
        pair: Any = each if isinstance(each, tuple) and len(each) == 2 else (each, None)
        rule, tuning = get_policy(pair[0]), pair[1]
        if tuning is None:
            tuning = rule.published_tuning(n_arms, horizon)
        rule.check_tuning(tuning)
        rules.append((rule, tuning))
    _names(rules)
    spaced = spaced_in_logarithms(min(10, horizon), horizon, 20)
    rounds = sorted({*map(round, spaced)}) if checkpoints is None else checkpoints
    shared: dict[str, Any] = {"instance": instance, "horizon": horizon, "replicates": replicates}
    shared |= {"stream": Stream(seed), "checkpoints": rounds, "threads": threads}
    shared |= {"delays": delays_of(delay, horizon), "batch": batch}
    with reported(len(rules) * horizon * replicates, progress) as done:
        runs = [simulate_part(rule, tuning=x, progress=done, **shared) for rule, x in rules]
    return Comparison(tuple(runs))


def listed(name: str, values: Any) -> list[Any]:
    """Return values as a list, a policy alone too; raise BanditError if there are none."""
    if isinstance(values, str | Policy):
        return [values]
    if isinstance(values, Iterable) and not isinstance(values, Mapping) and (entries := [*values]):
        return entries
    raise BanditError(f"{name} is {values!r:.80}: it must be a list of at least one")
