"""What scripts of the workflow get besides their files: params of its rules."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from penalized_bandits.claims import switches
from penalized_bandits.config import BaseConfig
from penalized_bandits.experiments.base import part_of
from penalized_bandits.experiments.catalogue import EXPERIMENTS, experiment
from penalized_bandits.figures import ALL_FIGURES, EVERY_FIGURE, EXTENDED_FIGURES, SHARP_FIGURES
from penalized_bandits.notebooks import NOTEBOOKS
from penalized_bandits.storage.origins import origin_path
from penalized_bandits.workflow.made_with import MadeWith


def either(names: Iterable[str]) -> str:
    """Return a wildcard's constraint: one of some names."""
    return "|".join(names) or "none"


def thresholds(config: BaseConfig, table: str) -> list[int]:
    """Return the thresholds of ratings m0 of the experiments that read a table of counts.

    ``table`` is its folder.
    """
    if table == "movielens":
        names = list(EXPERIMENTS)
    else:
        names = config.sharp_studies if table == "sharp" else config.extensions
    sections = [config.section(name) for name in names]
    return sorted({m0 for section in sections for m0 in getattr(section, "m0", [])})


def flipping_rules(config: BaseConfig) -> dict[str, list[str]]:
    """Return the readings that each rule simulates flipped, by the rule's name."""
    if config.simulation.jobs == "all":
        return {"simulate_readings": switches.readings()}
    return {f"simulate_{reading}": [reading] for reading in switches.readings()}


def touched_by(readings: Iterable[str]) -> list[str]:
    """Return the experiments that some readings can touch, again for each reading."""
    return [experiment for reading in readings for experiment in switches.touched(reading)]


def _simulation(
    made: MadeWith, name: str, groups: Sequence[str], replicates: int
) -> dict[str, Any]:
    return {
        "experiment": name,
        "section": made.section(name),
        "groups": groups,
        "first": 0,
        "replicates": replicates,
        "readings": made.readings(name),
        "in_force": None,
        "on_new_bandits": False,
        "origin": made.replicates(name),
        "about": {"replicates": replicates},
    }


def simulation_of_part(
    config: BaseConfig, made: MadeWith, name: str, job: str, part: int, parts: int
) -> dict[str, Any]:
    """Return what the simulation of a part of some groups of an experiment is."""
    first, replicates = part_of(config.section(name).replicates, part, parts)
    found = _simulation(made, name, config.jobs(name)[job], replicates)
    return found | {"first": first, "about": {"group": job, "part": part, "parts": parts}}


def simulations(config: BaseConfig, made: MadeWith, names: Iterable[str]) -> list[dict[str, Any]]:
    """Return what each simulation of a job of several whole experiments is."""
    sections = ((name, config.section(name)) for name in names)
    return [
        _simulation(made, name, experiment(name).groups(section), section.replicates)
        for name, section in sections
    ]


def flipped_simulations(config: BaseConfig, made: MadeWith, reading: str) -> list[dict[str, Any]]:
    """Return the same for what a reading touches, with it flipped."""
    changes = made.flips(reading)
    found = simulations(config, made, changes)
    for job, (name, changed) in zip(found, changes.items(), strict=True):
        job["replicates"] = min(changed["replicates"], job["replicates"])
        job["about"] = {"replicates": job["replicates"]}
        # What is the same with these is not simulated again.
        job["in_force"] = job["readings"]
        job["readings"] = job["readings"] | changed["readings"]
        job["origin"] = made.flipped(reading, name)
    return found


def simulation_on_new_bandits(
    config: BaseConfig, made: MadeWith, name: str, seed: int
) -> dict[str, Any]:
    """Return what the simulation of an experiment on bandits drawn anew with a seed is."""
    (found,) = simulations(config, made, [name])
    return found | {"on_new_bandits": True, "origin": made.new_bandits(name, seed)}


def figure_section(config: BaseConfig, made: MadeWith, figure: str) -> Any:
    """Return the config behind a figure: its setting's section, or all sections by name."""
    if figure in EXTENDED_FIGURES:
        return {name: made.section(name) for name in config.extensions}
    if figure in SHARP_FIGURES:
        return {name: made.section(name) for name in SHARP_FIGURES[figure].studies}
    wanted, values = ALL_FIGURES[figure], made.config
    if wanted.setting:
        return values[wanted.setting]
    return {name: values[name] for name in (*wanted.studies, *wanted.claims) if name in values}


def figure_readings(config: BaseConfig, made: MadeWith, figure: str) -> dict[str, str]:
    """Return the readings that a figure depends on: all, if it shows no single experiment."""
    experiments = EVERY_FIGURE[figure].experiments
    if not experiments:
        return config.readings.model_dump()
    return {k: v for name in experiments for k, v in made.readings(name).items()}


def notebook_parameters(notebook: str, results: Path, replicates: Sequence[str]) -> dict[str, Any]:
    """Return what a notebook's cell of parameters is given: where its tables are."""
    parameters: dict[str, Any] = {}
    if NOTEBOOKS[notebook].reads_results:
        parameters["results"] = str(results)
    if NOTEBOOKS[notebook].replicates:
        parameters["replicates"] = list(replicates)
    return parameters


def expected_hashes(made: MadeWith, results: Path) -> dict[str, list[str]]:
    """Return the hashes of config and code that belong in each origin, by its file."""
    return {
        str(origin_path(results / Path(file).relative_to("results"))): [
            origin["config"],
            origin["code"],
        ]
        for file, origin in made.expected().items()
    }


def ledger_config(config: BaseConfig, published: str) -> str:
    """Return what the ledger says of the config: its name.

    ``published`` is the file of the paper's config.
    """
    # Not at the top: few jobs ask, and all would wait for these imports.
    from penalized_bandits.claims.ledger import config_name
    from penalized_bandits.pages.origin import changed_keys

    return config_name(changed_keys(config, published))


def ledger_warning(config: BaseConfig, published: str) -> str:
    """Return what a page or figure of the ledger says of a config that is not the paper's."""
    from penalized_bandits.claims.ledger import warning

    return warning({"config": ledger_config(config, published)})
