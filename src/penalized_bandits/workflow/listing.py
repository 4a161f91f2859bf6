"""What ``snakemake scenarios`` says: the scenarios of each set, what they change and make."""

import re
from collections.abc import Iterable, Iterator

from penalized_bandits.config.scenarios import Scenarios
from penalized_bandits.workflow.paths import CONFIRM, Files

MINUTES = {"readings": 30, "seeds": 60, "design": 30, "extended": 40, "sharp": 60, "confirm": 20}
"""Of two cores, measured once with ``config/config.yaml``."""
SHORT = 60
"""Characters of what a scenario changes, at most."""


_FIRST = re.compile(r"(?<!_frontier)(?<!_by_case)(?<!_column)(?<!/parts)\.(?:csv|pdf)$")
"""The first of the files of a job."""


def listed(files: Files, scenarios: Scenarios) -> Iterator[str]:
    """Yield the lines: a set with its jobs and minutes, and each of its scenarios."""
    for name, overlays in scenarios.sets.items():
        folders = scenarios.folders(name)
        time = f", about {MINUTES[name]} minutes of two cores" if name in MINUTES else ""
        yield f"{name}: {_jobs(files, name, folders)} jobs{time}: snakemake --cores all {name}"
        for scenario, folder in zip(overlays, folders, strict=True):
            changes = scenarios.changes(scenario)
            cut = changes if len(changes) <= SHORT else f"{changes[:SHORT]} …"
            yield f"  {scenario} ({cut})"
            yield f"    simulates {', '.join(_simulated(files, folder, name)) or 'nothing anew'}"
            yield f"    results/{folder}"


def _simulated(files: Files, folder: str, name: str) -> list[str]:
    if name == CONFIRM:
        return files.confirmed_on(folder)
    return files.runs.changed(folder)


def _jobs(files: Files, name: str, folders: Iterable[str]) -> int:
    """Return the jobs of a set beyond those of the config itself."""
    jobs = sum(bool(_FIRST.search(path)) for path in files.of_set(name))
    for folder in folders:
        jobs += len(files.replicates(*_simulated(files, folder, name), folder=folder))
        jobs += 0 if name == CONFIRM else len(files.topics(folder))
    return jobs
