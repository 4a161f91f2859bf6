"""Results without Snakemake's records: none is read, or left as it is, under another config."""

import json
import shutil
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from penalized_bandits.workflow.job import job
from config_helpers import CONFIG
from penalized_bandits.common.errors import RunError
from penalized_bandits.config.files import leaves, merge
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.storage.replicates import read_metadata, write_replicates
from penalized_bandits.workflow.runs import Run, check_made_with, ratings_origin
from smoke_run import config_with
from workflow_helpers import Project


def own(module: str) -> dict[str, Any]:
    """Return changes of the config: a policy of one's own in Setting 1 and one law."""
    mine = {"policies": ["hard_threshold_ucb", "mine"]}
    laws = {"instances": {"regular": mine}}
    return {"policies": {"mine": f"{module}:POLICY"}, "setting_1": mine, "log_laws": laws}


UCB1, KL_UCB = (own(f"penalized_bandits.policies.{name}") for name in ("ucb1", "kl_ucb"))
FEW = {"sensitivity": {"replicates_of": {"setting_4": 2}}, "setting_4": {"replicates": 5}}
FILM, MOVIE = (
    {"movielens": {"source": "table", "table": {"path": "pyproject.toml", "item": item}}}
    for item in ("film", "movie")
)
CASES: dict[str, tuple[str, dict[str, Any], dict[str, Any], str | None]] = {
    "seed": ("replicates/setting_4", {}, {"seed": 8}, "seed 7, the config has 8: delete it and"),
    "few": ("sensitivity/setting_4", {}, FEW, None),
    "fewer": ("sensitivity/setting_4", FEW, {"sensitivity": {"replicates_of": {}}}, None),
    "formula": ("replicates/setting_1", UCB1, KL_UCB, "policies.mine .*ucb1.*, .* has .*kl_ucb"),
    "law": ("replicates/log_laws", UCB1, KL_UCB, "policies.mine .*ucb1.*, .* has .*kl_ucb"),
    "not played": ("replicates/setting_4", UCB1, KL_UCB, None),
    "ratings": ("replicates/setting_3", {}, FILM, "ratings None, .* has .*'film'"),
    "columns": ("sensitivity/setting_3", FILM, MOVIE, "ratings .*'film', .* has .*'movie'"),
    "no ratings": ("replicates/setting_4", FILM, MOVIE, None),
}
"""Table, changes of the config that made it and of the one that reads it, the reason if any."""


def written(path: Path, made: Run, **changes: Any) -> str:
    """Write a table of replicates with nothing but its origin; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    about = deepcopy(made.metadata(1, 1))
    merge(about, changes)
    write_replicates(path, [], about)
    return str(path)


@pytest.mark.parametrize("case", CASES)
def test_a_table_of_another_config_is_refused(tmp_path: Path, case: str) -> None:
    name, before, now, reason = CASES[case]
    made = Run(config_with(before), *name.split("/"))
    path = written(tmp_path / "results" / name / "1of1.parquet", made)
    check_made_with(config_with(before), [path])
    if reason is None:
        check_made_with(config_with(now), ["README.md", path])
    else:
        with pytest.raises(RunError, match=f"^{path} was made with {reason}"):
            check_made_with(config_with(now), ["README.md", path])


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_key_of_an_experiment_is_compared(tmp_path: Path, name: str) -> None:
    made, path = Run(CONFIG, "replicates", name), tmp_path / f"replicates/{name}/1of1.parquet"
    about = made.metadata(1, 1)
    for key, _ in leaves({part: about[part] for part in ("readings", "section")}):
        changes: Any = "another"
        for part in reversed(key.split(".")):
            changes = {part: changes}
        written(path, made, **changes)
        if key != "section.replicates":  # those of all parts decide
            with pytest.raises(RunError, match=f"with {key.replace('section', name)} 'another'"):
                check_made_with(CONFIG, [str(path)])


def test_a_job_ends_before_it_writes(tmp_path: Path) -> None:
    counts = tmp_path / "movielens/rating_counts.csv"
    counts.parent.mkdir()
    origin = {"config": ratings_origin(config_with({}), "movielens")}
    counts.with_name("provenance.json").write_text(json.dumps(origin), encoding="utf-8")
    values = {"movielens": {"source": "auto"}}
    config = config_with(values).model_dump(exclude_none=True)
    given = SimpleNamespace(log=[tmp_path / "log"], input=[counts], config=config)
    with pytest.raises(SystemExit), job(given):
        pytest.fail("the job began")
    said = (tmp_path / "log").read_text(encoding="utf-8")
    assert f"{counts} was made with movielens.source 'bundled', the config has 'auto'" in said


@pytest.mark.slow
@pytest.mark.sample
def test_results_of_an_archive(one_figure: Project, tmp_path: Path) -> None:
    project = one_figure.copy(tmp_path / "project")
    shutil.rmtree(project.folder / ".snakemake")
    table, before = "results/replicates/setting_4/1of1.parquet", project.files()
    measured = "results/claims/measured/setting_4.json"
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
        assert project.files() == before
