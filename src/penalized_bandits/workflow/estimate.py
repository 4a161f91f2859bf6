"""What simulations need, roughly: rows of their tables times bytes, pulls times nanoseconds."""

import os
import shutil
from pathlib import Path

from penalized_bandits.config import BaseConfig
from penalized_bandits.experiments.base import Context
from penalized_bandits.experiments.catalogue import experiment

READ_ROW, DECIDED_ROW, STORED_ROW, PULL = 200, 35, 13, 30e-9
"""Bytes of a row where a table is read, claims are decided, on disk; seconds of a pull."""
COUNTS = Path("results/movielens/rating_counts.csv")
BUNDLED_COUNTS = Path(__file__).parents[1] / "datasets/bundled/movielens_1m_counts.csv"


class Estimate:
    """What the experiments need that a run asks for; ``problem`` says what cannot fit."""

    def __init__(self, config: BaseConfig) -> None:
        self.problem = ""
        counts = str(COUNTS if COUNTS.is_file() else BUNDLED_COUNTS)
        self._context = Context(config.seed, config.readings, 0, 1, counts, drawn=False)
        self._config = config
        self._disk: dict[str, float] = {}
        self._asked: set[tuple[str, bool]] = set()

    def ask(self, name: str, *, decided: bool = False) -> None:
        """Look whether an experiment fits with those before it, its claims ``decided`` or not."""
        if (name, decided) in self._asked:
            return
        self._asked.add((name, decided))
        section = self._config.section(name)
        cases = experiment(name).all_cases(section, self._context)
        tables = [(len(c.fairness), run.checkpoints) for c in cases for run in c.runs]
        n, most = section.replicates, max(arms for arms, _ in tables)
        rows = n * sum(arms * len(times) for arms, times in tables)
        hours = n * sum(times[-1] for _, times in tables) * PULL / 3600
        there = sum(p.stat().st_size for p in Path(f"results/replicates/{name}").glob("*"))
        self._disk[name] = max(STORED_ROW * rows - there, 0)
        memory = 1e9 * (self._config.simulation.memory_gb or _memory_gb())
        for what, needed, available in (
            ("of disk", sum(self._disk.values()), shutil.disk_usage(Path.cwd()).free),
            ("of memory", READ_ROW * n * most + decided * DECIDED_ROW * rows, memory),
        ):
            if needed > available:
                self.problem = (
                    f"{name} needs about {needed / 1e9:,.0f} GB {what} ({available / 1e9:,.0f} are "
                    f"there) and {hours:,.2g} core-hours: lower {name}.replicates ({n:,}), or its "
                    f"arms ({most:,}) or horizons"
                )


def _memory_gb() -> float:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9
