"""Notebooks as they are committed, and the helpers that they import."""

import os
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import pytest

from config_helpers import ROOT
from penalized_replication.notebooks import NOTEBOOKS
from penalized_replication.notebooks.picture import picture
from penalized_replication.notebooks.tables import NoResultsError, replicate_tables, results_folder


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
    with pytest.raises(NoResultsError, match=r"no folder 'results' in .* run `uv run snakemake"):
        results_folder()
    (tmp_path / "results").mkdir()
    assert results_folder() == tmp_path / "results"


def test_tables_of_replicates_of_the_latest_run(tmp_path: Path) -> None:
    with pytest.raises(NoResultsError, match=r"no replicates in .* run `.* setting_1`"):
        replicate_tables(tmp_path, "setting_1")
    folder = tmp_path / "replicates/setting_1"
    folder.mkdir(parents=True)
    names = ["1of1.parquet", "2of2.parquet", "1of2.parquet"]
    for second, name in enumerate(names):
        (folder / name).touch()
        os.utime(folder / name, (1e9 + second, 1e9 + second))
    both = [folder / f"{part}of2.parquet" for part in (1, 2)]
    assert replicate_tables(tmp_path, "setting_1") == both
    # The tables that the workflow names count, not the newest.
    given = [str(folder / "1of1.parquet")]
    assert replicate_tables(tmp_path, "setting_1", given) == [folder / "1of1.parquet"]
