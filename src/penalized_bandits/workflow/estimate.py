"""What simulations need, roughly: rows of their tables times bytes, pulls times nanoseconds."""

import os
import shutil
from pathlib import Path

from penalized_bandits.common.errors import ConfigError
from penalized_bandits.config import BaseConfig
from penalized_bandits.experiments.base import Context
from penalized_bandits.experiments.catalogue import experiment

HELD_ROW, DECIDED_ROW, STORED_ROW, PULL = 200, 35, 13, 30e-9
"""Bytes of a row in the table that is held, of each when claims are decided, and on disk; seconds
of a pull.  Measured: 190, 28 and 2 to 13 bytes, 8 to 50 ns."""


class Estimate:
    """The experiments that a run has asked for."""

    def __init__(self, config: BaseConfig, counts: str | None, results: Path) -> None:
        self._config, self._counts, self._results = config, counts, results
        self._disk: dict[str, float] = {}

    def ask(self, name: str, *, here: bool) -> None:
        """Raise ConfigError if an experiment, with those before it, fits no memory or disk.

        ``here``: whether its jobs run on this machine.
        """
        section, which = self._config.section(name), experiment(name)
        if name in self._disk or (which.needs_ratings and self._counts is None):
            return
        context = Context(self._config.seed, self._config.readings, 0, 1, self._counts, drawn=False)
        cases = which.all_cases(section, context)
        tables = [(len(c.fairness), run.checkpoints) for c in cases for run in c.runs]
        rows = section.replicates * sum(arms * len(times) for arms, times in tables)
        most = max(arms for arms, _ in tables)
        pulls = section.replicates * sum(times[-1] for _, times in tables)
        there = sum(p.stat().st_size for p in self._results.glob(f"replicates/{name}/*"))
        self._disk[name] = max(STORED_ROW * rows - there, 0)
        needs = {"of disk": (sum(self._disk.values()), shutil.disk_usage(Path.cwd()).free)}
        if here:
            memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
            needs["of memory"] = (HELD_ROW * section.replicates * most + DECIDED_ROW * rows, memory)
        for what, (needed, available) in needs.items():
            if needed > available:
                raise ConfigError(
                    f"{name} needs about {needed / 1e9:,.0f} GB {what} ({available / 1e9:,.0f} are "
                    f"there) and {pulls * PULL / 3600:,.2g} core-hours: lower {name}.replicates "
                    f"({section.replicates:,}), or its arms ({most:,}) or horizons"
                )
