"""What ``snakemake scenarios`` says: the scenarios of each set, what they change and make."""

import re
from collections.abc import Iterable, Iterator

from penalized_replication.config.scenarios import Scenarios
from penalized_replication.workflow.paths import CONFIRM, Files

MINUTES = {
    "readings": "4 to 15",
    "seeds": "8 to 30",
    "design": "3 to 10",
    "extended": "25 to 75",
    "confirm": "10",
    "sharp": "17 to 28",
}
"""Of two cores with ``config/config.yaml``, as in the table of ``config/README.md``."""
SHORT = 60
"""Characters of what a scenario changes, at most."""


_FIRST = re.compile(r"(?<!_frontier)(?<!_by_case)(?<!/parts)\.(?:csv|pdf)$")
"""The first of the files of a job."""


def listed(files: Files, scenarios: Scenarios) -> Iterator[str]:
    """Yield the lines: a set with its jobs and minutes, and each of its scenarios."""
    for name, overlays in scenarios.sets.items():
        folders = scenarios.folders(name)
        time = f", {MINUTES[name]} minutes on 2 cores" if name in MINUTES else ""
        yield f"{name}: {_jobs(files, name, folders)} jobs{time}: snakemake --cores all {name}"
        for scenario, folder in zip(overlays, folders, strict=True):
            changes = scenarios.changes(scenario)
            cut = changes if len(changes) <= SHORT else f"{changes[:SHORT]} …"
            yield f"  {scenario} ({cut})"
            yield f"    simulates {', '.join(_simulated(files, folder, name)) or 'nothing anew'}"
            yield f"    results/{folder}"


def _simulated(files: Files, folder: str, name: str) -> list[str]:
    return files.confirmed_on(folder) if name == CONFIRM else files.runs.changed(folder)


def _jobs(files: Files, name: str, folders: Iterable[str]) -> int:
    """Return the jobs of a set beyond those of the config itself."""
    jobs = sum(bool(_FIRST.search(path)) for path in files.of_set(name))
    for folder in folders:
        jobs += len(files.replicates(*_simulated(files, folder, name), folder=folder))
        jobs += 0 if name == CONFIRM else len(files.topics(folder))
    return jobs
