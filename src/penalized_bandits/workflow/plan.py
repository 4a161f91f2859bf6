"""How much work a config is: pulls, core-hours and memory, before anything is run.

Times are worked out from what a pull costs (``costs.py``), sizes from what a job holds of its
tables.  Snakemake asks a cluster for them, and a dry run prints them.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from penalized_bandits.claims import switches
from penalized_bandits.common.errors import OriginError
from penalized_bandits.config import BaseConfig
from penalized_bandits.datasets.section import DEFAULT_DATASET
from penalized_bandits.experiments.base import Case, Context
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.experiments.catalogue import experiment as experiment_of
from penalized_bandits.storage.origins import check
from penalized_bandits.workflow.costs import cost_of_few, nanoseconds

BUNDLED_COUNTS = Path(__file__).parents[1] / "datasets/bundled/movielens_1m_counts.csv"
START_UP = 2.0
"""Seconds of a job before the first pull."""
ROW_SECONDS, READ_SECONDS, DECIDE_SECONDS = 3e-7, 3e-7, 3e-6
"""Time to write a row of a table of replicates, to read it, to decide claims on it."""

SIMULATED_ROW, READ_ROW, KEPT_ROW, SUMMARY_ROW = 100e-6, 200e-6, 35e-6, 1200e-6
"""Megabytes of a row of a table that is simulated, that is being read, that is held once it
was read, and of a row of a summary.  Measured: 70, 190, 28 and 1040 bytes."""
STORED_ROW = 20e-9
"""Gigabytes of a row on disk."""
PATIENCE = 3
"""How many times as long as worked out a job may take: other machines are slower."""
UNKNOWN_MINUTES = 60


class Needs(NamedTuple):
    """What a job needs, so that a cluster can give it that."""

    mb: int
    minutes: int


USUAL = Needs(1000, 10)
"""Of a job that takes seconds.  Figures and notebooks have peaks of 300 to 510 MB, and Slurm
starts two Snakemakes around a job, of 130 MB each."""


def _needs(mb: float = 0, seconds: float = 0) -> Needs:
    """Round up what a job needs beside the usual, so that small changes do not show."""
    return Needs(
        USUAL.mb + 250 * math.ceil(mb / 250),
        USUAL.minutes + 5 * math.ceil(PATIENCE * seconds / 300),
    )


def asks(needs: Callable[[Any], Needs] = lambda _: USUAL) -> dict[str, Callable[[Any, int], int]]:
    """Return a rule's resources: what its jobs need, by their wildcards; more at each attempt."""
    return {
        "mem_mb": lambda wildcards, attempt: attempt * needs(wildcards).mb,
        "runtime": lambda wildcards, attempt: attempt * needs(wildcards).minutes,
    }


def counts_before(config: BaseConfig, results: Path) -> str | None:
    """Return the table of rating counts, or what would be taken without a network.

    A damaged one is for the job that needs it to complain of.
    """
    with suppress(OSError, OriginError):
        made = results / "movielens/rating_counts.csv"
        check(made)
        return str(made)
    wanted = config.movielens
    bundled = wanted.source != "table" and wanted.dataset == DEFAULT_DATASET
    return str(BUNDLED_COUNTS) if bundled else None


@dataclass(frozen=True)
class Work:
    """What the simulation of a group of cases takes, all replicates together."""

    replicates: int
    parts: int
    """Jobs that the replicates are split into."""
    pulls: int
    seconds: float
    """Of one core."""
    arms: tuple[int, ...]
    """Arms K of each run at each horizon: its table has a row for each arm and replicate."""
    widest: int
    """Rows, for each replicate, of all horizons of one run."""

    @property
    def job_seconds(self) -> float:
        """Seconds that a job takes."""
        return START_UP + self.seconds / self.parts

    @cached_property
    def rows(self) -> int:
        """Rows of all tables."""
        return self.replicates * sum(self.arms)

    @property
    def needs(self) -> Needs:
        """What one of its jobs needs."""
        replicates = -(-self.replicates // self.parts)
        return _needs(SIMULATED_ROW * replicates * self.widest, self.job_seconds)


def _work(cases: Iterable[Case], replicates: int, parts: int) -> Work:
    """Add up the runs of some cases."""
    pulls, seconds, widest = 0, 0.0, 0
    arms: list[int] = []
    for case in cases:
        n_arms = len(case.fairness)
        for run in case.runs:
            horizon, tables = run.checkpoints[-1], len(run.checkpoints)
            cost = nanoseconds(run.rule.id, case.rewards.id, n_arms, horizon)
            cost *= cost_of_few(replicates / parts, n_arms)
            pulls += horizon
            seconds += horizon * cost * 1e-9 + n_arms * tables * ROW_SECONDS
            arms += [n_arms] * tables
            widest = max(widest, n_arms * tables)
    return Work(replicates, parts, pulls * replicates, seconds * replicates, tuple(arms), widest)


def _at_once(works: Sequence[Work]) -> Needs:
    """Return what a job needs that simulates one after the other."""
    mb = max((SIMULATED_ROW * w.replicates * w.widest for w in works), default=0)
    return _needs(mb, sum(w.seconds for w in works))


class Plan:
    """What the jobs of a config take.

    ``rating_counts`` is the path of a table of rating counts.  Without it nothing is known of
    experiments whose arms are movies.
    """

    def __init__(self, config: BaseConfig, rating_counts: str | None = None) -> None:
        self._config = config
        self._rating_counts = rating_counts
        self._works: dict[tuple[str, int | None], dict[str, Work]] = {}

    def works(self, experiment: str, at_most: int | None = None) -> dict[str, Work]:
        """Return the work of an experiment, by the name of its jobs; empty if unknown.

        With ``at_most`` replicates, which are not split, as for the sensitivity.
        """
        key = (experiment, at_most)
        if key not in self._works:
            self._works[key] = self._worked_out(experiment, at_most)
        return self._works[key]

    def _worked_out(self, experiment: str, at_most: int | None) -> dict[str, Work]:
        config, setting = self._config, experiment_of(experiment)
        if setting.needs_ratings and self._rating_counts is None:
            return {}
        section = config.section(experiment)
        replicates, parts = section.replicates, config.parts(experiment)
        if at_most is not None:
            replicates, parts = min(replicates, at_most), 1
        context = Context(config.seed, config.readings, 0, 1, self._rating_counts, drawn=False)
        return {
            job: _work(setting.all_cases(section, context, groups), replicates, parts)
            for job, groups in config.jobs(experiment).items()
        }

    def flipped(self, experiments: Iterable[str]) -> list[Work]:
        """Return the work of simulating experiments once more for the sensitivity."""
        limits = self._config.sensitivity
        return [w for e in experiments for w in self.works(e, limits.of(e)).values()]

    def simulation(self, experiment: str, job: str) -> Needs:
        """Return what a job that simulates needs."""
        work = self.works(experiment).get(job)
        return work.needs if work is not None else Needs(USUAL.mb, UNKNOWN_MINUTES)

    def threads(self, experiment: str, job: str, cores: int | None) -> int:
        """Return the threads of a job that simulates: see `_threads`."""
        work = self.works(experiment).get(job)
        return self._threads([work] if work is not None else [], cores)

    def flip_threads(self, experiments: Iterable[str], cores: int | None) -> int:
        """Return the threads of the job of a flipped reading, or that of several."""
        return self._threads(self.flipped(experiments), cores)

    def _threads(self, works: Sequence[Work], cores: int | None) -> int:
        """Return the threads of a job, so that it takes no more than half a core's fair share.

        Other jobs wait for it.  One where nothing is known of the work or, as on a cluster, of the
        cores.  Results do not depend on it.
        """
        if not works or cores is None:
            return 1
        seconds = START_UP + sum(work.seconds / work.parts for work in works)
        return min(max(math.ceil(2 * cores * seconds / self._seconds), 1), cores)

    @cached_property
    def _seconds(self) -> float:
        """Seconds of all simulations that the default target asks for."""
        works = [w for e in EXPERIMENTS for w in self.works(e).values()]
        flips = [self.flipped(switches.touched(reading)) for reading in switches.readings()]
        flipped = sum(START_UP + sum(w.seconds for w in works) for works in flips)
        return flipped + sum(w.parts * w.job_seconds for w in works)

    def everything(self) -> Needs:
        """Return what a job needs that simulates every experiment."""
        return _at_once([w for e in EXPERIMENTS for w in self.works(e).values()])

    def flips(self, experiments: Iterable[str]) -> Needs:
        """Return what the job of a flipped reading needs, or that of several."""
        return _at_once(self.flipped(experiments))

    def summary(self, experiment: str) -> Needs:
        """Return what summarising an experiment needs: one table at a time is held."""
        works = self.works(experiment).values()
        mb = max((READ_ROW * w.replicates * max(w.arms) for w in works), default=0)
        rows = sum(3 * n_arms + 4 for w in works for n_arms in w.arms)
        return _needs(mb + SUMMARY_ROW * rows, READ_SECONDS * sum(w.rows for w in works))

    def claims(self, experiments: Iterable[str]) -> Needs:
        """Return what deciding claims needs: all tables are held."""
        works = [w for e in experiments for w in self.works(e).values()]
        return self._decided(works, works)

    def readings(self, experiments: Iterable[str]) -> Needs:
        """Return what deciding claims with readings flipped needs: a part is held."""
        read = [w for e in experiments for w in self.works(e).values()]
        return self._decided(read, self.flipped(experiments))

    def _decided(self, read: Sequence[Work], kept: Sequence[Work]) -> Needs:
        at_a_time = max((w.replicates * max(w.arms) for w in read), default=0)
        rows = sum(w.rows for w in kept)
        return _needs(
            READ_ROW * at_a_time + KEPT_ROW * rows,
            READ_SECONDS * sum(w.rows for w in read) + DECIDE_SECONDS * rows,
        )

    def describe(self) -> str:
        """Say what the simulations take: in a line, or from an hour on by experiment.

        Experiments that take less than a hundredth of all are put together.
        """
        lines = {
            experiment: [
                _Jobs(w.parts, w.job_seconds, [w]) for w in self.works(experiment).values()
            ]
            for experiment in EXPERIMENTS
        }
        unknown = [experiment for experiment, found in lines.items() if not found]
        for reading in switches.readings():
            works = self.flipped(switches.touched(reading))
            jobs = _Jobs(1, START_UP + sum(w.seconds for w in works), works)
            lines.setdefault("readings flipped", []).append(jobs)
        everything = [jobs for found in lines.values() for jobs in found]
        total = _hours(everything)
        title = "worked out from measured costs of a pull (docs/performance.md)"
        if unknown:
            title += f"; nothing is known of {', '.join(unknown)}"
        if total < 1:
            number = sum(jobs.number for jobs in everything)
            if self._config.simulation.jobs == "all":
                number = 2  # everything, and all readings flipped
            return f"The simulations: {number} jobs, {total:.2f} core-hours, {title}."
        shown = {name: found for name, found in lines.items() if _hours(found) >= total / 100}
        rest = [jobs for name, found in lines.items() if name not in shown for jobs in found]
        rows = [*shown.items(), *([("others", rest)] if rest else []), ("all", everything)]
        return "\n".join(
            [
                f"The simulations of this config, {title}:",
                _cells(*_HEAD),
                *(_line(*r) for r in rows),
            ]
        )


class _Jobs(NamedTuple):
    """Jobs that take the same."""

    number: int
    seconds: float
    """Of each."""
    works: Sequence[Work]


_HEAD = ("", "jobs", "pulls", "core-hours", "minutes a job", "MB a job", "GB on disk")


def _hours(found: Iterable[_Jobs]) -> float:
    return sum(jobs.number * jobs.seconds for jobs in found) / 3600


def _cells(name: str, *cells: str) -> str:
    return f"  {name:16}" + "".join(f"{cell:>15}" for cell in cells)


def _line(name: str, found: Sequence[_Jobs]) -> str:
    """Return a line of the table of what there is to do."""
    works = [work for jobs in found for work in jobs.works]
    minutes = [jobs.seconds / 60 for jobs in found]
    hours = _hours(found)
    return _cells(
        name,
        f"{sum(jobs.number for jobs in found):,}",
        f"{sum(w.pulls for w in works):.2g}",
        f"{hours:,.{2 if hours < 10 else 0}f}",
        f"{min(minutes):.1f} to {max(minutes):.1f}",
        f"{max(w.needs.mb for w in works):,}",
        f"{STORED_ROW * sum(w.rows for w in works):,.1f}",
    )
