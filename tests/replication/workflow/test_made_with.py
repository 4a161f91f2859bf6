"""Results that another config made, and jobs that find other code than planned: refused by name."""

import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from penalized_replication.workflow.job import job
from config_helpers import CONFIG, PAPER, changed
from penalized_bandits.common.files import digest_of
from penalized_bandits.policies import POLICIES
from penalized_replication.common.errors import ResultsError, RunError
from penalized_replication.common.section import leaves
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.experiments.own_policies import check_unchanged, register
from penalized_replication.storage.files import hash_of
from penalized_replication.storage.replicates import (
    check_made_with,
    read_metadata,
    write_replicates,
)
from penalized_replication.workflow.code import Code
from penalized_replication.workflow.runs import Run
from smoke_run import config_with
from workflow_helpers import Project

TABLE = {"movielens": {"source": "table", "table": {"path": "pyproject.toml"}}}
MINE = {"policies": ["hard_threshold_ucb", "mine"]}
PLAYED = {"setting_1": MINE, "log_laws": {"instances": {"regular": MINE}}}
IMED = {"policies": {"mine": "penalized_bandits.policies.classical.imed:POLICY"}, **PLAYED}
ANOTHER = {"policies": {"mine": "penalized_bandits.policies.classical.kl_ucb:POLICY"}, **PLAYED}


@pytest.fixture(autouse=True)
def _no_policy_is_left() -> Iterator[None]:
    """Take away what a config registered: processes that other tests start would register it."""
    yield
    register({})


@pytest.mark.parametrize(
    ("name", "before", "now", "same"),
    [
        ("setting_4", {}, {"seed": 8}, False),
        ("setting_4", {}, {"setting_4": {"horizon": 900}}, False),
        ("setting_4", {}, {"setting_3": {"horizon": 900}}, True),
        ("setting_1", IMED, ANOTHER, False),
        ("log_laws", IMED, ANOTHER, False),
        ("setting_4", IMED, ANOTHER, True),
        ("setting_3", {}, TABLE, False),
        ("setting_4", {}, TABLE, True),
    ],
)
def test_what_makes_the_same_replicates(
    name: str, before: dict[str, Any], now: dict[str, Any], same: bool
) -> None:
    made_from = Run(config_with(before), name).made_from
    assert (made_from == Run(config_with(now), name).made_from) is same


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_key_of_an_experiment_is_compared(tmp_path: Path, name: str) -> None:
    section, path = CONFIG.section(name).model_dump(mode="json"), tmp_path / "1of1.parquet"
    made = {"seed": 7, "section": section}
    for key, _ in leaves(made):
        write_replicates(path, [], changed(key, "another", made))
        with pytest.raises(ResultsError, match=f"^{path} was made with {key} 'another', the con"):
            check_made_with({name: [path]}, 7, {name: section})


@pytest.mark.slow
@pytest.mark.sample
def test_results_of_an_archive(one_figure: Project, tmp_path: Path) -> None:
    project = one_figure.copy(tmp_path / "project")
    shutil.rmtree(project.folder / ".snakemake")
    project.make("figure_4", options=["--touch"])
    shutil.rmtree(project.folder / ".snakemake")
    table, measured = (
        f"results/{name}"
        for name in ("replicates/setting_4/1of1.parquet", "claims/measured/setting_4.json")
    )
    (project.folder / measured).unlink()
    outcome = project.run(measured, options=["--config", "seed=8"])
    assert outcome.status == 1
    assert f"{table} was made with seed 7, the config has 8: delete it and run" in outcome.text
    # The remedy; and from then on Snakemake's own records decide.
    (project.folder / table).unlink()
    for seed in (8, 9):
        project.make("figure_4", options=["--config", f"seed={seed}"])
        assert read_metadata(project.folder / table)["seed"] == seed


# --- Jobs that find other code than planned -----------------------------------------

CHANGED = "changed while the run was at work: run the same command again"


@pytest.mark.parametrize("edited", [None, "before", "during"])
def test_an_edit_of_the_code_behind_a_job(tmp_path: Path, edited: str | None) -> None:
    files = [tmp_path / name for name in ("simulate.py", "other.py")]
    for file in files:
        file.write_text("import penalized_bandits\n", encoding="utf-8")
    given = {"code": list(map(str, files))}
    planned = hash_of(map(digest_of, files))
    log = tmp_path / "log"
    snakemake = SimpleNamespace(
        log=[log], input=given, params=SimpleNamespace(code=planned), config={}
    )

    def edit(when: str) -> None:
        if edited == when:
            files[0].write_text("# An edit.\n", encoding="utf-8")

    edit("before")
    with pytest.raises(SystemExit) if edited else nullcontext(), job(snakemake):
        assert edited != "before"
        edit("during")
    said = log.read_text(encoding="utf-8")
    assert (f"{files[0]} {CHANGED}" in said) == bool(edited)


def test_the_plan_is_of_the_files_as_they_were(tmp_path: Path) -> None:
    script = tmp_path / "scripts/simulate.py"
    script.parent.mkdir()
    script.write_text("import penalized_bandits\n", encoding="utf-8")
    code = Code(Scenarios(PAPER), tmp_path)
    code.plugins["simulate"] = {"policies": lambda _: ["moss"]}
    script.write_text("# An edit.\n", encoding="utf-8")
    files = code.behind("simulate", {})
    assert {"moss.py", "simulate.py"} <= {file.name for file in files}
    # A file with a docstring alone, such as most __init__.py, is no code.
    assert not any(file.read_text("utf-8").endswith('."""\n') for file in files)
    assert code.hash_of("simulate")({}) != hash_of(map(digest_of, files))


def test_another_policy_of_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    given = Run(config_with(IMED), "setting_1").own["policies"]
    check_unchanged(given)
    monkeypatch.setitem(POLICIES, "mine", POLICIES["kl_ucb"])
    with pytest.raises(RunError, match=f"^policy mine {CHANGED}$"):
        check_unchanged(given)
