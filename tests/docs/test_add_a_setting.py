"""The guide to a sixth setting: two new files, a section of two configs, and its own figure."""

from pathlib import Path

import pytest

from docs_pages import blocks, files_of, snakemake_commands, write_files
from workflow_helpers import PACKAGE, Project, made_in

PAGE = "how-to/add-a-setting.md"
NEW = {
    f"{PACKAGE}/experiments/paper/setting_6.py",
    f"{PACKAGE}/figures/figure_6.py",
}
SMALL = "config/quick.yaml"


def test_two_new_files_and_a_section_of_two_configs() -> None:
    assert files_of(PAGE) == {*NEW, "config/config.yaml", SMALL}


@pytest.mark.sample
def test_the_figure_is_drawn_from_its_setting_alone(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    write_files(PAGE, project.folder)
    commands = [arguments for block in blocks(PAGE) for arguments in snakemake_commands(block)]
    (command,) = (arguments for arguments in commands if SMALL in arguments)
    outcome = project.snakemake(command)
    assert outcome.status == 0, outcome.text
    figures = {f"results/figures/figure_6.{kind}" for kind in ("pdf", "svg", "png", "md")}
    assert figures <= project.files("results/figures")
    caption = (project.folder / "results/figures/figure_6.md").read_text(encoding="utf-8")
    assert "(Setting 6)" in caption
    assert "means of 8 replicates" in caption
    simulated = {Path(path).parent.name for path in project.files("results/replicates")}
    assert simulated == {"setting_6"}

    everything = project.snakemake(["--summary", "--configfile", SMALL])
    assert "results/index.html" in made_in(everything)
    assert "results/figures/figure_6.png\t" in everything.text
