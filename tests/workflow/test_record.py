"""The record of a run is a crate that others can read, and says of every file what it is."""

import json
from pathlib import Path
from typing import Any

import pytest
from rocrate.rocrate import ROCrate

from penalized_bandits.storage.origins import digest_of
from workflow_helpers import Project

pytestmark = pytest.mark.sample


@pytest.fixture(scope="module", name="recorded")
def recorded_fixture(miniature: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Record a copy of the miniature's run; return its results."""
    project = miniature.copy(tmp_path_factory.mktemp("record") / "project")
    return project.make("record").folder / "results"


def crate_of(folder: Path) -> Any:
    """Read the record as a crate; its entities are of kinds that their JSON says."""
    return ROCrate(folder)


def test_every_checksum_is_that_of_the_file(recorded: Path) -> None:
    files = [e for e in crate_of(recorded).get_entities() if "File" in e.type]
    assert {e.id: e["sha256"] for e in files} == {e.id: digest_of(recorded / e.id) for e in files}
    lines = (recorded / "checksums.txt").read_text(encoding="utf-8").splitlines()
    listed = {name: sha for sha, name in (line.split("  results/") for line in lines)}
    assert {e.id: e["sha256"] for e in files if e.id in listed} == listed


def test_the_run_has_its_workflow_its_parameters_and_all_that_it_made(recorded: Path) -> None:
    crate = crate_of(recorded)
    run = crate.root_dataset["mentions"]
    assert run["instrument"] == crate.mainEntity
    assert "snakemake" in crate.mainEntity["programmingLanguage"].id
    values = {e["name"]: e["value"] for e in run["object"] if e.type == "PropertyValue"}
    assert (values["seed"], values["log_of"]) == ("7", "n")
    config = json.loads((recorded / "record/config.json").read_bytes())
    assert config["seed"] == 7
    made = {e.id for e in run["result"]}
    assert {"index.html", "claims/claims.html", "figures/figure_1.png"} <= made
    assert {"replicates/setting_1/all.1of1.parquet", "movielens/rating_counts.csv"} <= made


def test_files_say_their_kind_and_the_crate_its_profile(recorded: Path) -> None:
    crate = crate_of(recorded)
    kinds = {e.id: e["encodingFormat"] for e in crate.get_entities() if "encodingFormat" in e}
    assert (kinds["figures/figure_1.png"], kinds["index.html"]) == ("image/png", "text/html")
    assert kinds["record/config.json"] == "application/json"
    graph = json.loads((recorded / "ro-crate-metadata.json").read_bytes())["@graph"]
    (described,) = (e for e in graph if e["@id"] == "ro-crate-metadata.json")
    profiles = {entity["@id"] for entity in described["conformsTo"]}
    assert "https://w3id.org/workflowhub/workflow-ro-crate/1.0" in profiles


def test_software_has_its_versions(recorded: Path) -> None:
    software = crate_of(recorded).mainEntity["softwareRequirements"]
    named = {entity["name"]: entity["softwareVersion"] for entity in software}
    assert {"python", "penalized-bandits", "numpy", "numba", "snakemake"} <= set(named)
    assert all(named.values())


def test_nothing_leads_to_an_entity_that_is_not_there(recorded: Path) -> None:
    graph = json.loads((recorded / "ro-crate-metadata.json").read_bytes())["@graph"]
    there = [entity["@id"] for entity in graph]
    assert len(there) == len(set(there))
    named = {each["@id"] for each in _values(graph) if isinstance(each, dict)}
    assert {name for name in named if not name.startswith("http")} <= set(there)


def _values(found: object) -> list[object]:
    """Return everything within lists and mappings."""
    inner = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return [found, *(v for each in inner for v in _values(each))]
