"""Notebooks as they are committed, and the helpers that they import."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pandas as pd
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from config_helpers import ROOT
from outcome_factories import outcome, part
from penalized_bandits.common.errors import UserError
from penalized_replication.notebooks import NOTEBOOKS
from penalized_replication.notebooks.kit import picture, replicate_tables, results_folder
from penalized_replication.storage.replicates import write_replicates
from penalized_replication.storage.tables import write_csv
from penalized_replication.summaries import summarize
from penalized_replication.workflow.paths import notebook_files
from smoke_run import FILES
from workflow_helpers import Project, made_in


def test_registered_with_their_titles_and_committed_without_outputs() -> None:
    assert {path.stem for path in (ROOT / "workflow/notebooks").glob("*.ipynb")} == {*NOTEBOOKS}
    for name, about in NOTEBOOKS.items():
        notebook = nbformat.read(ROOT / f"workflow/notebooks/{name}.ipynb", as_version=4)
        nbformat.validate(notebook)
        assert notebook.cells[0].source.startswith(f"# {about.title}\n")
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert not [c.id for c in code if c.outputs or c.execution_count is not None], name
        (parameters,) = (c for c in code if "parameters" in c.metadata.get("tags", []))
        assert ("replicates = None" in parameters.source) == bool(about.replicates)


def test_picture_is_described() -> None:
    figure, _ = plt.subplots(figsize=(2, 1))
    image = picture(figure, "A line that rises.")
    assert isinstance(image.data, bytes)
    assert image.data.startswith(b"\x89PNG")
    assert (image.width, image.alt) == (192, "A line that rises.")
    assert not plt.fignum_exists(figure.number)


def test_results_are_found_from_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    below = tmp_path / "workflow/notebooks"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    with pytest.raises(UserError, match=r"no folder 'results' in .* run `uv run snakemake"):
        results_folder()
    (tmp_path / "results").mkdir()
    assert results_folder() == tmp_path / "results"


@pytest.mark.parametrize("summarised", [1, 2, 3, 10])
def test_tables_of_replicates_of_the_summary(tmp_path: Path, summarised: int) -> None:
    """Splits of four configs lie beside, of which that in two lacks a part."""
    folder, summary = tmp_path / "replicates/setting_1", tmp_path / "summaries/setting_1.csv"
    tables = {n: [folder / f"{i + 1}of{n}.parquet" for i in range(n)] for n in (1, 2, 3, 10)}
    for parts, paths in tables.items():
        pulls = np.random.default_rng(parts).integers(0, 40, (30, 2)).astype(float)
        whole = outcome(pulls, 100, [0.9, 0.5, 0.4], [0.1] * 3, 0.5)
        for number, path in enumerate(paths, 1):
            write_replicates(path, [part(whole, number, parts)], {"parts": parts})
        if parts == summarised:
            write_csv(summarize("setting_1", [whole]), summary)
    tables[2][1].unlink()
    # The workflow names them itself.
    assert replicate_tables(tmp_path, "setting_1", [str(tables[1][0])]) == tables[1]
    if summarised != 2:
        assert replicate_tables(tmp_path, "setting_1") == tables[summarised]
    for experiment in ("setting_1",) * (summarised == 2) + ("setting_2",):
        with pytest.raises(UserError, match=rf"no replicates in .* run `.* {experiment}`"):
            replicate_tables(tmp_path, experiment)


@pytest.fixture(scope="module")
def project(smoke_run: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = smoke_run.copy(tmp_path_factory.mktemp("notebooks") / "project")
    return project.make("notebooks")


def outputs(notebook: NotebookNode, cell: str) -> str:
    (found,) = (c for c in notebook.cells if c.id == cell)
    data = found.outputs[-1].data
    return data.get("text/markdown", data["text/plain"])


@pytest.mark.sample
def test_run_from_first_cell_to_last_and_pages_load_nothing(project: Project) -> None:
    made = set(notebook_files(*NOTEBOOKS))
    assert project.files("results/notebooks") == made
    for name, about in NOTEBOOKS.items():
        file = project.folder / f"results/notebooks/{name}.ipynb"
        cells = [c for c in nbformat.read(file, as_version=4).cells if c.cell_type == "code"]
        assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
        # No warnings, no stray prints.
        assert not [o for cell in cells for o in cell.outputs if o.output_type == "stream"], name
        page = file.with_suffix(".html").read_text("utf-8")
        assert f"<title>{about.title}</title>" in page
        assert 'src="http' not in page
        assert "<link" not in page
        assert ".parquet" not in page  # the cell of parameters


@pytest.mark.slow
def test_numbers_are_those_of_the_tables(project: Project) -> None:
    folder = project.folder / "results"
    inside = nbformat.read(folder / "notebooks/intermediate_results.ipynb", as_version=4)
    claims = pd.read_csv(folder / "claims/claims.csv")
    for verdict, number in claims["verdict"].value_counts().items():
        text = outputs(inside, "claims")
        assert re.search(rf"(?m)^{verdict} +{number}$", text), text
    own = nbformat.read(folder / "notebooks/own_policy.ipynb", as_version=4)
    assert "all 25 counts agree" in outputs(own, "oracle")


@pytest.mark.slow
def test_opened_in_its_own_folder(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    # As Jupyter does: no parameters, and the folder of results is two folders up.
    monkeypatch.chdir(project.folder / "workflow/notebooks")
    for name in (name for name, about in NOTEBOOKS.items() if about.replicates):
        opened = NotebookClient(nbformat.read(f"{name}.ipynb", as_version=4)).execute()
        run = nbformat.read(project.folder / f"results/notebooks/{name}.ipynb", as_version=4)
        last = [cell.id for cell in opened.cells if cell.cell_type == "code"][-1]
        assert outputs(opened, last) == outputs(run, last)


@pytest.mark.slow
def test_what_a_notebook_needs_is_made_first(project: Project) -> None:
    made = made_in(project.run("notebooks", options=["--summary", "--forceall"]))
    for about in NOTEBOOKS.values():
        assert {f"results/{table}" for table in about.tables.split()} <= made
        assert {*FILES.replicates(*about.replicates)} <= made


@pytest.mark.slow
def test_failing_cell_is_named_and_leaves_no_output(project: Project, tmp_path: Path) -> None:
    broken = project.copy(tmp_path / "project")
    path = broken.folder / "workflow/notebooks/tour.ipynb"
    notebook = nbformat.read(path, as_version=4)
    next(c for c in notebook.cells if c.id == "loss").source = "raise ValueError('no such arm')"
    nbformat.write(notebook, path)
    outcome = broken.run("results/notebooks/tour.html")
    assert outcome.status == 1
    assert "tour.ipynb, cell [4]: ValueError: no such arm" in outcome.text
    assert not (broken.folder / "results/notebooks/tour.ipynb").exists()
