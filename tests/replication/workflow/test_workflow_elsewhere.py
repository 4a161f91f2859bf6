"""Runs from another folder and as a module: the same files as in the project's own folder."""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from pages_helpers import unpacked
from smoke_run import values_with
from workflow_helpers import Project, Request, snakemake

pytestmark = pytest.mark.slow

# As snakedeploy writes it, in workflow/ of another project.
MODULE = """
configfile: "config/config.yaml"


module bandits:
    snakefile:
        {snakefile}
    config:
        {config}
    {prefix}


use rule * from bandits {names}
"""
SETS = {
    "interpretations": {"lfg": {"interpretations": {"lfg": "original"}}},
    "own": {"mine": {"setting_4": {"horizon": 200}}},
}
TARGETS = ["bandits_interpretations", "paper/results/scenarios/mine/figures/figure_4.png"]
OWN = """
rule own:
    input: "paper/results/figures/figure_4.png", "paper/results/figures/figure_4_column.svg"
"""


def run(fresh: Project, folder: Path, *arguments: str) -> str:
    """Run Snakemake in a folder, with the sources of the copy and no error; return its output."""
    request = Request(str(folder), ["--cores", "2", *arguments])
    outcome = snakemake(request, fresh.kernels, fresh.folder)
    assert outcome.status == 0, outcome.text
    return outcome.text


def deploy(fresh: Project, folder: Path, **how: str) -> Path:
    """Write a project as snakedeploy does, with this workflow as its module; return its folder."""
    values = values_with({})
    (folder / "config").mkdir(parents=True)
    # Scenarios of a run's own take the place of the workflow's.
    (folder / "config/scenarios.yaml").write_text(yaml.safe_dump(SETS), encoding="utf-8")
    text = yaml.safe_dump({"ours": values} if "ours" in str(how) else values, sort_keys=False)
    (folder / "config/config.yaml").write_text(text, encoding="utf-8")
    snakefile = repr(str(fresh.folder / "workflow/Snakefile"))
    given = {"snakefile": snakefile, "config": "config", "prefix": "", "names": ""} | how
    shutil.copytree(fresh.folder / "profiles", folder / "profiles")
    (folder / "workflow").mkdir()
    text = how.get("before", "") + MODULE.format(**given)
    (folder / "workflow/Snakefile").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def as_module(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run as a module of a repository, with rules renamed and a prefix."""
    repository = fresh.copy(tmp_path_factory.mktemp("host") / "repository").folder
    for command in ("init", "add .", "-c user.name=a -c user.email=a@b commit -m a", "tag v1"):
        subprocess.run(["git", "-C", repository, *command.split(" ")], check=True)
    snakefile = f"gitfile({str(repository)!r}, path='workflow/Snakefile', tag='v1')"
    how = {"snakefile": snakefile, "config": "config['ours']", "prefix": "prefix: 'paper'"}
    how |= {"names": "as bandits_*", "before": OWN}
    folder = deploy(fresh, tmp_path_factory.mktemp("module") / "project", **how)
    # The default target is that of whoever has the module.
    run(fresh, folder)
    made = {path.stem for path in (folder / "paper/results/figures").glob("*.svg")}
    assert made == {"figure_4", "figure_4_column"}
    assert not (folder / "paper/results/index.html").exists()
    run(fresh, folder, "bandits_all")
    run(fresh, folder, *TARGETS, "paper/results/notebooks/tour.html")
    return folder


def test_as_snakedeploy_writes_it(fresh: Project, tmp_path: Path) -> None:
    folder = deploy(fresh, tmp_path / "project")
    stale = Project(folder, fresh.kernels).stale("figure_4", config=None)
    assert "results/figures/figure_4.svg" in stale


def test_either_snakefile_has_the_profile(fresh: Project, tmp_path: Path) -> None:
    for file in ("Snakefile", "workflow/Snakefile"):
        where = ["--snakefile", str(fresh.folder / file), "--directory", str(fresh.folder)]
        assert "profiles/default for setting" in run(fresh, tmp_path, *where, "--list-rules")


def checksums(folder: Path) -> str:
    return (folder / "results/checksums.txt").read_text(encoding="utf-8")


def test_with_directory_on_one_core_and_in_uneven_parts_the_results_are_the_same(
    smoke_run: Project, fresh: Project, tmp_path: Path
) -> None:
    folder = tmp_path / "my results"
    folder.mkdir()
    (tmp_path / "parts.yaml").write_text("simulation: {chunks: 2}", encoding="utf-8")
    configs = [str(fresh.folder / name) for name in ("config/config.yaml", "tiny.yaml")]
    configs.append(str(tmp_path / "parts.yaml"))
    where = ["--snakefile", str(fresh.folder / "Snakefile"), "--directory", str(folder)]
    run(fresh, tmp_path, *where, "--cores", "1", "--configfile", *configs)
    assert (folder / "results/replicates/setting_1/2of2.parquet").is_file()
    assert checksums(folder) == checksums(smoke_run.folder)
    assert not (fresh.folder / "results").exists()


def test_as_a_module_the_results_are_the_same(smoke_run: Project, as_module: Path) -> None:
    assert checksums(as_module / "paper") == checksums(smoke_run.folder)
    for name in ("interpretations.csv", "lfg/claims/claims.md", "mine/figures/figure_4.md"):
        assert (as_module / "paper/results/scenarios" / name).stat().st_size > 0, name
    for name in ("notebooks/tour.html", "notebooks/tour.ipynb"):
        assert (as_module / "paper/results" / name).stat().st_size > 0, name
    assert not (as_module / "results").exists()


def test_with_a_prefix_the_page_links_to_its_evidence(as_module: Path) -> None:
    path = as_module / "paper/results/index.html"
    link = 'href="summaries/log_laws.csv">results/summaries/log_laws.csv</a>'
    assert link in unpacked(path.read_text(encoding="utf-8"))


def test_as_a_module_a_second_run_finds_nothing_to_do(fresh: Project, as_module: Path) -> None:
    before = (as_module / "paper/results/index.html").stat().st_mtime_ns
    run(fresh, as_module, "bandits_all", *TARGETS)
    assert (as_module / "paper/results/index.html").stat().st_mtime_ns == before
