"""Run from another folder, and as a module: the same files, wherever they are."""

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from extended_helpers import TINY_EXTENDED
from miniature import TINY
from workflow_helpers import Outcome, Project, Request, environment, made_in, several

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
RENAMED = "as bandits_*"
PREFIX = "prefix: 'paper'"
OWN = """
rule own:
    input: "results/figures/figure_4.png", "results/figures/figure_4_column.svg"
"""
LAYOUTS: dict[str, dict[str, str]] = {
    "deployed": {},
    "renamed": {"names": RENAMED},
    "prefix": {"prefix": PREFIX},
    # The default target is that of whoever has the module.
    "own target": {"names": RENAMED, "before": OWN},
}
TARGETS = ("", "figure_4", "extended")


def run(fresh: Project, folder: Path, *arguments: str) -> None:
    """Run Snakemake in a folder with the sources of the copy; it must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", *arguments],
        cwd=folder,
        env=environment(fresh.folder, fresh.kernels),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def by_directory(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which all was made, with a Snakefile and configs that lie elsewhere."""
    folder = tmp_path_factory.mktemp("elsewhere")
    configs = [str(fresh.folder / name) for name in ("config/config.yaml", "tiny.yaml")]
    where = ["--snakefile", str(fresh.folder / "Snakefile"), "--directory", str(folder)]
    run(fresh, folder.parent, *where, "all", "figure_4", "--configfile", *configs)
    return folder


def deploy(fresh: Project, folder: Path, **how: str) -> Path:
    """Make a project, with a config of its own, of which this workflow is a module."""
    values = yaml.safe_load((fresh.folder / "config/config.yaml").read_text(encoding="utf-8"))
    update_config(values, {**TINY, "extended": TINY_EXTENDED})
    (folder / "config").mkdir(parents=True)
    text = yaml.safe_dump({"ours": values} if "ours" in str(how) else values, sort_keys=False)
    (folder / "config/config.yaml").write_text(text, encoding="utf-8")
    snakefile = repr(str(fresh.folder / "workflow/Snakefile"))
    given = {"snakefile": snakefile, "config": "config", "prefix": "", "names": ""} | how
    # The layout that snakedeploy writes.
    shutil.copytree(fresh.folder / "profiles", folder / "profiles")
    (folder / "workflow").mkdir()
    text = how.get("before", "") + MODULE.format(**given)
    (folder / "workflow/Snakefile").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def dry(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Return dry runs of each target in each layout, and in the folder of the workflow itself."""
    base = tmp_path_factory.mktemp("layouts")
    wanted: dict[str, Request] = {}
    for layout, how in LAYOUTS.items():
        folder = deploy(fresh, base / layout, **how)
        for target in TARGETS:
            name = f"bandits_{target}" if target and "names" in how else target
            options = ["--summary", *([name] if name else [])]
            wanted[f"{layout} {target}"] = Project(folder, fresh.kernels).request(
                config=None, options=options
            )
    shutil.copytree(base / "deployed/config", base / "directory/config")
    for target in TARGETS:
        where = ["--directory", str(base / "directory"), "--summary"]
        options = [*where, *([target] if target else [])]
        wanted[f"directory {target}"] = fresh.request(config=None, options=options)
    return several(wanted, fresh.kernels)


@pytest.fixture(scope="module")
def as_module(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a workflow of which this one is a module: renamed, with a prefix.

    Its files are read from a repository, like those of a host.
    """
    repository = fresh.copy(tmp_path_factory.mktemp("host") / "repository").folder
    for command in ("init", "add .", "-c user.name=a -c user.email=a@b commit -m a", "tag v1"):
        subprocess.run(["git", "-C", repository, *command.split(" ")], check=True)
    snakefile = f"gitfile({str(repository)!r}, path='workflow/Snakefile', tag='v1')"
    how = {"snakefile": snakefile, "config": "config['ours']", "prefix": PREFIX, "names": RENAMED}
    folder = deploy(fresh, tmp_path_factory.mktemp("module") / "project", **how)
    run(fresh, folder)
    named = [f"bandits_{name}" for name in ("extended", "figure_4")]
    files = [f"paper/results/{name}" for name in ("notebooks/tour.html",)]
    run(fresh, folder, *named, *files)
    return folder


def listed(folder: Path) -> Iterable[str]:
    """Return the checksums of the results of a folder."""
    return (folder / "results/checksums.txt").read_text(encoding="utf-8").splitlines()


def test_from_another_folder_the_same_comes_out(miniature: Project, by_directory: Path) -> None:
    assert listed(by_directory) == listed(miniature.folder)


def test_nothing_is_written_beside_the_snakefile(by_directory: Path, fresh: Project) -> None:
    assert by_directory.is_dir()
    assert not (fresh.folder / "results").exists()


def test_as_a_module_the_same_comes_out(miniature: Project, as_module: Path) -> None:
    here = [line.replace("  paper/", "  ") for line in listed(as_module / "paper")]
    assert here == listed(miniature.folder)
    for name in ("extended/claims.md", "notebooks/tour.html"):
        assert (as_module / "paper/results" / name).stat().st_size > 0, name


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_makes_the_same(dry: dict[str, Outcome], layout: str, target: str) -> None:
    expected = "figure_4" if (layout, target) == ("own target", "") else target
    made = {name.removeprefix("paper/") for name in made_in(dry[f"{layout} {target}"])}
    assert made == made_in(dry[f"directory {expected}"])
    assert len(made) > 8


def test_with_a_prefix_nothing_is_written_outside_of_it(as_module: Path) -> None:
    assert not (as_module / "results").exists()


def test_with_a_prefix_the_page_links_to_its_evidence(as_module: Path) -> None:
    path = as_module / "paper/results/index.html"
    link = 'href="summaries/log_laws.csv">results/summaries/log_laws.csv</a>'
    assert link in path.read_text(encoding="utf-8")


def test_as_a_module_a_second_run_finds_nothing_to_do(fresh: Project, as_module: Path) -> None:
    before = (as_module / "paper/results/index.html").stat().st_mtime_ns
    run(fresh, as_module, "bandits_all", "bandits_extended")
    assert (as_module / "paper/results/index.html").stat().st_mtime_ns == before
