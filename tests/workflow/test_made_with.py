"""Results without Snakemake's records: none is read, or left as it is, under another config."""

import json
import shutil
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from penalized_replication.workflow.job import job
from config_helpers import CONFIG, PAPER, changed
from penalized_replication.common.errors import RunError
from penalized_replication.common.section import leaves
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.storage.replicates import read_metadata, write_replicates
from penalized_replication.workflow import planned
from penalized_replication.workflow.code import Code
from penalized_replication.workflow.runs import Run, Runs
from smoke_run import values_with
from workflow_helpers import Project

LONGER = {"setting_4": {"horizon": 900}}
TABLE, OTHER = (
    {"movielens": {"source": "table", "table": {"path": path}}}
    for path in ("pyproject.toml", "uv.lock")
)
MINE = {"policies": ["hard_threshold_ucb", "mine"]}
PLAYED = {"setting_1": MINE, "log_laws": {"instances": {"regular": MINE}}}
IMED, KL = (
    {"policies": {"mine": f"penalized_bandits.policies.{name}:POLICY"}, **PLAYED}
    for name in ("imed", "kl_ucb")
)
CASES: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("replicates/setting_4", {}, {"seed": 8}, "seed 7, the config has 8: delete it and run again"),
    # The scenario has a seed of its own.
    ("scenarios/mine/replicates/setting_4", {}, {"seed": 8}, ""),
    ("scenarios/mine/replicates/setting_4", {}, LONGER, "section.horizon 300, the config has 9"),
    ("replicates/setting_1", IMED, KL, "policies.mine .*imed.*, the config has .*kl_ucb"),
    ("replicates/log_laws", IMED, KL, "policies.mine .*imed.*, the config has .*kl_ucb"),
    ("replicates/setting_4", IMED, KL, ""),
    ("replicates/setting_3", {}, TABLE, r"ratings None, the config has \["),
    ("scenarios/mine/replicates/setting_3", TABLE, OTHER, r"ratings \[.*, the config has \["),
    ("replicates/setting_4", TABLE, OTHER, ""),
]
"""Table, changes of the config that made it and of that which reads it, and what differs."""


def runs(changes: dict[str, Any], scenarios: Path | None = None) -> Runs:
    """Return the runs of the smoke run's config with some keys changed."""
    return Runs(Scenarios(values_with(changes), scenarios))


@pytest.mark.parametrize(("name", "before", "now", "different"), CASES)
def test_a_table_of_another_config_is_refused(
    tmp_path: Path, name: str, before: dict[str, Any], now: dict[str, Any], different: str
) -> None:
    path, scenarios = tmp_path / name / "1of1.parquet", tmp_path / "scenarios.yaml"
    scenarios.write_text("own: {mine: {seed: 3}}", encoding="utf-8")
    files = ["README.md", str(path)]
    made = runs(before, scenarios).made_with(files)
    write_replicates(path, [], made[str(path)])
    planned.check_made_with(made)
    refused = pytest.raises(RunError, match=f"^{path} was made with {different}")
    with refused if different else nullcontext():
        planned.check_made_with(runs(now, scenarios).made_with(files))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_key_of_an_experiment_is_compared(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"replicates/{name}/1of1.parquet"
    origin = Run(CONFIG, name).work(1, 1)
    for key, _ in leaves({part: origin[part] for part in ("readings", "section")}):
        write_replicates(path, [], changed(key, "another", origin))
        with pytest.raises(RunError, match=f"with {key} 'another'"):
            planned.check_made_with({str(path): origin})


def test_a_job_ends_before_it_writes(tmp_path: Path) -> None:
    counts, log = tmp_path / "movielens/rating_counts.csv", tmp_path / "log"
    counts.parent.mkdir()
    origin = {"config": runs({}).made_with([str(counts)])[str(counts)]}
    counts.with_name("provenance.json").write_text(json.dumps(origin), encoding="utf-8")
    # Counts that were deleted, as the message says, are made again.
    params = {"made_with": runs({"movielens": {"source": "auto"}}).made_with([str(counts)])}
    planned.check_made_with(params["made_with"])
    counts.touch()
    given = SimpleNamespace(log=[log], input=[counts], params=params, scriptdir=tmp_path)
    with pytest.raises(SystemExit), job(given):
        pytest.fail("the job began")
    said = f"{counts} was made with movielens.source 'bundled', the config has 'auto'"
    assert said in log.read_text()


@pytest.mark.slow
@pytest.mark.sample
def test_results_of_an_archive(one_figure: Project, tmp_path: Path) -> None:
    project = one_figure.copy(tmp_path / "project")
    shutil.rmtree(project.folder / ".snakemake")
    table, measured = (
        f"results/{name}"
        for name in ("replicates/setting_4/1of1.parquet", "claims/measured/setting_4.json")
    )
    before = project.files()
    (project.folder / measured).unlink()
    for target in (measured, "figure_4"):
        outcome = project.run(target, options=["--config", "seed=8"])
        assert outcome.status == 1
        assert f"{table} was made with seed 7, the config has 8: delete it and run" in outcome.text
    assert project.make(measured).files() == before
    # The remedy; and from then on Snakemake's own records decide.
    (project.folder / table).unlink()
    for seed in (8, 9):
        project.make("figure_4", options=["--config", f"seed={seed}"])
        assert read_metadata(project.folder / table)["seed"] == seed


# --- Jobs that find other code or another config than planned -------

CHANGED = "changed while the run was at work: run the same command again"


@pytest.fixture(autouse=True)
def no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    # Set and deleted, so that it is deleted after the test as well.
    monkeypatch.setenv(planned.VARIABLE, "{}")
    monkeypatch.delenv(planned.VARIABLE)


def test_an_edit_of_code_that_the_job_stands_on(tmp_path: Path) -> None:
    script, other = tmp_path / "scripts/simulate.py", tmp_path / "scripts/other.py"
    script.parent.mkdir()
    for file in (script, other):
        file.write_text("import penalized_bandits\n", encoding="utf-8")
    params = ["a key", Code(Scenarios(PAPER), script.parent).of("simulate", policies=["moss"])]
    planned.check(params, script.parent)
    other.write_text("# An edit.\n", encoding="utf-8")
    planned.check(params, script.parent)
    script.write_text("# An edit.\n", encoding="utf-8")
    with pytest.raises(RunError, match=f"^scripts/simulate.py {CHANGED}$"):
        planned.check(params, script.parent)
    # A job of a cluster makes its params anew: what was planned is in the environment.
    moss = next(param for param in params[1] if "policies/moss.py" in param)
    planned.plan({}, code=[f"{moss}0"])
    both = "penalized_bandits/policies/moss.py, scripts/simulate.py"
    with pytest.raises(RunError, match=f"^{both} {CHANGED}$"):
        planned.check(params, script.parent)


def test_another_config_in_a_job_that_reads_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    planned.plan({"seed": 1})
    # The same process may plan another run.
    planned.plan({"seed": 2})
    monkeypatch.setattr(planned.os, "getpid", lambda: 0)
    planned.plan({"seed": 2})
    with pytest.raises(RunError, match=f"^config {CHANGED}$"):
        planned.plan({"seed": 1})
