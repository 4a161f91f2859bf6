"""Notebooks: committed clean, watched, run in the right kernel, rendered without loads."""

import ast
import json
import logging
import os
import re
import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import nbformat
import pytest
from nbformat import NotebookNode

from config_helpers import ROOT
from html_reader import Reader
from notebook_helpers import code_of, said
from penalized_bandits.notebooks import NOTEBOOKS
from penalized_bandits.notebooks.page import render_page
from penalized_bandits.notebooks.picture import picture
from penalized_bandits.notebooks.run import NotebookError, run_notebook
from penalized_bandits.notebooks.tables import NoResultsError, replicate_tables, results_folder

FOLDER = ROOT / "workflow/notebooks"
LOG = logging.getLogger("test_notebooks")


def committed(name: str) -> NotebookNode:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def parameters_of(notebook: NotebookNode) -> dict[str, Any]:
    """Return the names that a notebook lets others set, with their defaults."""
    (cell,) = (c for c in notebook.cells if "parameters" in c.metadata.get("tags", []))
    assigned = [node for node in ast.parse(cell.source).body if isinstance(node, ast.Assign)]
    return {ast.unparse(node.targets[0]): ast.literal_eval(node.value) for node in assigned}


# As they are kept


def test_every_notebook_is_registered_and_every_entry_has_its_notebook() -> None:
    assert {path.name for path in FOLDER.iterdir()} - {".ipynb_checkpoints"} == {
        f"{name}.ipynb" for name in NOTEBOOKS
    }
    for name, about in NOTEBOOKS.items():
        assert about.id == name
        assert (ROOT / about.path).is_file()
        assert about.description.endswith(".")
    assert len({about.title for about in NOTEBOOKS.values()}) == len(NOTEBOOKS)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_committed_without_outputs(name: str) -> None:
    notebook = committed(name)
    nbformat.validate(notebook)
    assert all(not cell.outputs and cell.execution_count is None for cell in code_of(notebook))
    # Names of cells that a person chose: what an editor makes up differs with every edit.
    assert all(re.fullmatch(r"[a-z_]+", cell.id) for cell in notebook.cells)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.cells[0].source.startswith(f"# {NOTEBOOKS[name].title}\n")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_parameters(name: str) -> None:
    wanted = parameters_of(committed(name))
    about = NOTEBOOKS[name]
    assert wanted.get("results") == ("results" if about.reads_results else None)
    assert ("replicates" in wanted and wanted["replicates"] is None) == bool(about.replicates)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_no_formula_that_only_a_renderer_could_show(name: str) -> None:
    for cell in committed(name).cells:
        if cell.cell_type == "markdown":
            assert "$" not in cell.source
            assert "\\(" not in cell.source


# What they stand on


def test_the_list_of_notebooks_is_no_burden() -> None:
    # The workflow reads it in every job.
    path = ROOT / "src/penalized_bandits/notebooks/__init__.py"
    imported = re.findall(r"(?m)^\s*(?:from|import) (\S+)", path.read_text("utf-8"))
    assert imported == ["dataclasses"]


# The pieces


def small(*sources: str) -> NotebookNode:
    cells = [nbformat.v4.new_code_cell(source, id=f"cell{i}") for i, source in enumerate(sources)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def test_kernel_is_that_of_this_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Another kernel of the same name, found first, and a profile that would change results.
    kernel = tmp_path / "jupyter/kernels/python3/kernel.json"
    kernel.parent.mkdir(parents=True)
    spec = {"argv": ["/no/such/python"], "display_name": "other", "language": "python"}
    kernel.write_text(json.dumps(spec), encoding="utf-8")
    startup = tmp_path / "ipython/profile_default/startup/start.py"
    startup.parent.mkdir(parents=True)
    startup.write_text("surprise = True\n", encoding="utf-8")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    path = tmp_path / "kernel.ipynb"
    nbformat.write(small("import sys\nsys.executable, 'surprise' in globals()"), path)
    done = run_notebook(path, {}, LOG)
    assert said(done, "cell0") == repr((sys.executable, False))


def test_parameters_that_are_passed_fail_by_name(tmp_path: Path) -> None:
    path = tmp_path / "one.ipynb"
    notebook = small("rounds = 1", "1 / rounds")
    notebook.cells[0].metadata["tags"] = ["parameters"]
    nbformat.write(notebook, path)
    done = run_notebook(path, {"rounds": 4}, LOG)
    assert said(done, "cell1") == "0.25"
    with pytest.raises(NotebookError, match=r"one\.ipynb, cell 2 of 2 \(1 / rounds\): ZeroDiv"):
        run_notebook(path, {"rounds": 0}, LOG)


def test_kernel_that_dies(tmp_path: Path) -> None:
    path = tmp_path / "dies.ipynb"
    nbformat.write(small("import os\nos._exit(3)"), path)
    with pytest.raises(NotebookError, match=r"dies\.ipynb: its kernel died"):
        run_notebook(path, {}, LOG)


def test_markup_in_titles_and_texts_is_shown_not_run() -> None:
    about = NOTEBOOKS["tour"]
    notebook = small("'<script>alert(1)</script>'")
    output = nbformat.v4.new_output(
        "execute_result", {"text/plain": "'<script>alert(1)</script>'"}, execution_count=1
    )
    notebook.cells[0].outputs = [output]
    page = render_page(notebook, about)
    assert Reader(page).all("script") == []
    assert "title" not in notebook.metadata


def test_picture_is_described_and_the_same_each_time() -> None:
    def draw() -> Any:
        figure, axes = plt.subplots(figsize=(2, 1))
        axes.plot([0, 1], [0, 1])
        return picture(figure, "A line that rises.")

    open_before = plt.get_fignums()  # other tests may have left some
    first, second = draw(), draw()
    assert first.data == second.data
    assert first.data.startswith(b"\x89PNG")
    assert (first.width, first.alt) == (192, "A line that rises.")
    assert plt.get_fignums() == open_before


def test_results_are_found_from_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    below = tmp_path / "workflow/notebooks"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    with pytest.raises(NoResultsError, match=r"no folder 'results' in .* run `uv run snakemake"):
        results_folder()
    (tmp_path / "results").mkdir()
    assert results_folder() == tmp_path / "results"
    assert results_folder(tmp_path / "results") == tmp_path / "results"


def tables_in(folder: Path, *names: str) -> Path:
    """Make empty tables of replicates, each a second newer than the last."""
    replicates = folder / "replicates/setting_1"
    replicates.mkdir(parents=True, exist_ok=True)
    for second, name in enumerate(names):
        (replicates / name).touch()
        os.utime(replicates / name, (1e9 + second, 1e9 + second))
    return replicates


def test_tables_of_replicates_group_by_group(tmp_path: Path) -> None:
    old = ("K5.1of1.parquet", "K20.1of1.parquet", "all.1of1.parquet")
    new = ("K5.2of2.parquet", "K5.1of2.parquet", "K20.1of2.parquet", "K20.2of2.parquet")
    folder = tables_in(tmp_path, *old, *new)
    found = replicate_tables(tmp_path, "setting_1")
    assert found == [
        [folder / f"{group}.{part}of2.parquet" for part in (1, 2)] for group in ("K20", "K5")
    ]
    # What the workflow names counts, not what is newest.
    given = [str(folder / name) for name in ("K5.1of1.parquet", "K20.1of1.parquet")]
    assert replicate_tables(tmp_path, "setting_1", given) == [[Path(path)] for path in given]
    tables_in(tmp_path, *new, *old)
    assert replicate_tables(tmp_path, "setting_1") == [[folder / "all.1of1.parquet"]]


def test_missing_tables_of_replicates(tmp_path: Path) -> None:
    with pytest.raises(NoResultsError, match=r"no replicates in .* run `.* setting_1`"):
        replicate_tables(tmp_path, "setting_1")
    tables_in(tmp_path, "K5.1of3.parquet", "K5.3of3.parquet")
    with pytest.raises(NoResultsError, match=r"parts \[2\] of K5 are not in"):
        replicate_tables(tmp_path, "setting_1")
