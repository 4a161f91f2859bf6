"""A sixth setting with its figure is what its guide says: two files, a few lines, nothing else."""

from difflib import ndiff
from pathlib import Path

import pytest

from docs_pages import blocks, snakemake_commands, write_files
from workflow_helpers import (
    Project,
    made_in,
)

PAGE = "how-to/add-a-setting.md"
PACKAGE = "src/penalized_bandits"
NEW = {f"{PACKAGE}/experiments/paper/setting_6.py", f"{PACKAGE}/figures/figure_6.py"}
REGISTRIES = {f"{PACKAGE}/experiments/catalogue.py", f"{PACKAGE}/figures/__init__.py"}
CONFIG, SMOKE = "config/config.yaml", "smoke.yaml"


def texts(folder: Path) -> dict[str, str]:
    """Return the sources, rules and configs of a project, by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*.*")
        if path.suffix in {".py", ".smk", ".yaml", ".rst", ".j2"}
    }


def added(before: str, after: str) -> list[str]:
    """Return the lines that were added; nothing may have been taken away."""
    lines = list(ndiff(before.splitlines(), after.splitlines()))
    assert not [line for line in lines if line.startswith("- ")]
    return [line[2:] for line in lines if line.startswith("+ ")]


@pytest.fixture(scope="module", name="extended")
def extended_fixture(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a copy of the project in which the guide was followed, up to its commands."""
    project = fresh.copy(tmp_path_factory.mktemp("sixth") / "project")
    write_files(PAGE, project.folder)
    return project


def test_two_new_files_and_three_lines_of_registry(fresh: Project, extended: Project) -> None:
    before, after = texts(fresh.folder), texts(extended.folder)
    assert set(after) - set(before) == {*NEW, SMOKE}
    changed = {
        path: added(text, after[path]) for path, text in before.items() if text != after[path]
    }
    assert set(changed) == {*REGISTRIES, CONFIG}
    assert sum(len(changed[path]) for path in REGISTRIES) <= 3
    assert "setting_6:" in changed[CONFIG]


@pytest.mark.sample
def test_the_figure_is_drawn_from_it_alone(extended: Project) -> None:
    (command,) = (
        arguments
        for block in blocks(PAGE)
        for arguments in snakemake_commands(block)
        if SMOKE in arguments
    )
    outcome = extended.snakemake(command)
    assert outcome.status == 0, outcome.text
    figures = {f"results/figures/figure_6.{kind}" for kind in ("pdf", "svg", "png", "md")}
    assert figures <= extended.files("results/figures")
    caption = (extended.folder / "results/figures/figure_6.md").read_text(encoding="utf-8")
    assert "(Setting 6)" in caption
    assert "means of 8 replicates" in caption
    simulated = {Path(path).parent.name for path in extended.files("results/replicates")}
    assert simulated == {"setting_6"}

    # Everything else knows of it: its own target, and the default one with its page.
    configs = ["--configfile", "config/quick.yaml", SMOKE]
    own = extended.snakemake(["setting_6", "--summary", *configs])
    assert made_in(own) == set()
    everything = extended.snakemake(["--summary", *configs])
    assert "results/index.html" in made_in(everything)
    assert "results/figures/figure_6.png\t" in everything.text
