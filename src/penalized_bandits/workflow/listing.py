"""What ``snakemake scenarios`` says: the scenarios of each set, what they change and make."""

from collections.abc import Iterator

from penalized_bandits.config.scenarios import Scenarios
from penalized_bandits.workflow.paths import CONFIRM, Files

MINUTES = {"readings": 30, "seeds": 60, "design": 30, "extended": 40, "sharp": 60, "confirm": 20}
"""Of two cores, measured once with ``config/config.yaml``."""
SHORT = 60
"""Characters of what a scenario changes, at most."""


def listed(files: Files, scenarios: Scenarios) -> Iterator[str]:
    """Yield the lines: a set with its jobs and minutes, and each of its scenarios."""
    for name, overlays in scenarios.sets.items():
        folders = scenarios.folders(name)
        jobs = sum(len(_made(files, folder, name)) for folder in folders)
        time = f", about {MINUTES[name]} minutes of two cores" if name in MINUTES else ""
        yield f"{name}: {jobs} jobs{time}: snakemake --cores all {name}"
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


def _made(files: Files, folder: str, name: str) -> list[str]:
    simulated = files.replicates(*_simulated(files, folder, name), folder=folder)
    if name == CONFIRM:
        return simulated
    return [*simulated, *files.scenario(folder), *files.measured(*files.topics(folder))]
