"""Notebooks as the workflow runs them: what they show, and pages that need nothing else."""

import json
import logging
import re
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from nbformat import NotebookNode

from html_reader import Reader
from miniature import SETTINGS, notebooks_of, replicates_of
from notebook_helpers import code_of, pictures, said
from penalized_bandits.notebooks import NOTEBOOKS
from penalized_bandits.notebooks.run import run_notebook
from workflow_helpers import Project, made_in

pytestmark = pytest.mark.slow

READ_RESULTS = [name for name, about in NOTEBOOKS.items() if about.reads_results]
LOG = logging.getLogger("test_notebooks")


@pytest.fixture(scope="module")
def project(miniature: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return the miniature with all notebooks run."""
    project = miniature.copy(tmp_path_factory.mktemp("notebooks") / "project")
    return project.make("notebooks")


def executed(project: Project, name: str) -> NotebookNode:
    return nbformat.read(project.folder / f"results/notebooks/{name}.ipynb", as_version=4)


@pytest.mark.sample
def test_all_notebooks_are_made(project: Project) -> None:
    assert project.files("results/notebooks") == notebooks_of(*NOTEBOOKS)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_run_from_first_cell_to_last(project: Project, name: str) -> None:
    notebook = executed(project, name)
    nbformat.validate(notebook)
    assert [cell.execution_count for cell in code_of(notebook)] == list(
        range(1, len(code_of(notebook)) + 1)
    )
    for cell in code_of(notebook):
        # No warnings, no stray prints.
        assert not [output for output in cell.outputs if output.output_type == "stream"], cell.id
    assert pictures(notebook)
    for output in pictures(notebook):
        assert len(output.metadata["image/png"]["alt"]) > 40


def test_one_pull_of_the_tour(project: Project) -> None:
    tour = executed(project, "tour")
    # min(0.3, 0.45) * 0.25 + min(0.9, 0.45) * 0.25, by hand from eq. (9).
    assert "= 0.1875," in said(tour, "loss")
    assert "critical" in said(tour, "bandit")


def test_recomputed_summary_is_that_of_the_table(project: Project) -> None:
    again = said(executed(project, "intermediate_results"), "again")
    table = pd.read_csv(project.folder / "results/summaries/setting_1.csv")
    rows = table[(table["case"] == table["case"].iloc[0]) & (table["horizon"] == 300)]
    rows = rows[rows["metric"] == "penalized_regret"]
    assert len(rows) == 5
    for row in rows.itertuples():
        (line,) = (line for line in again.splitlines() if line.startswith(f"{row.policy} "))
        shown = [float(number) for number in line.split()[1:]]
        assert shown == pytest.approx([row.mean, row.ci_low, row.ci_high], abs=0.006)


def test_verdicts_are_those_of_the_ledger(project: Project) -> None:
    text = said(executed(project, "intermediate_results"), "claims")
    claims = pd.read_csv(project.folder / "results/claims/claims.csv")
    for verdict, number in claims["verdict"].value_counts().items():
        assert re.search(rf"(?m)^{verdict} +{number}$", text), text


def test_own_policy_agrees_with_the_oracle(project: Project) -> None:
    notebook = executed(project, "own_policy")
    assert "all 25 counts agree" in said(notebook, "oracle")
    assert "Half radius" in said(notebook, "table")


def test_movies_and_their_means(project: Project) -> None:
    notebook = executed(project, "movielens_arms")
    counts = pd.read_csv(project.folder / "results/movielens/rating_counts.csv")
    stars = counts[[f"count_{n}" for n in range(1, 6)]].to_numpy()
    mean = (stars @ np.arange(5) / 4) / stars.sum(axis=1)
    (cell,) = (cell for cell in notebook.cells if cell.id == "arms")
    best = int(mean.argmax())
    row = cell.outputs[-1].data["text/html"].partition(f"<th>{counts['title'][best]}</th>")[2]
    shown = [float(number) for number in re.findall(r"<td>(.*)</td>", row.partition("</tr>")[0])]
    assert shown[0] == counts["n_ratings"][best]
    assert shown[1] == pytest.approx(mean[best], abs=6e-4)
    assert shown[-1] == 0
    assert "bundled" in said(notebook, "tables")


def test_a_title_with_dollars_is_text(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = project.copy(tmp_path / "project")
    table = copy.folder / "results/movielens/rating_counts.csv"
    counts = pd.read_csv(table)
    counts["title"] = [f"Trading $\\oops{n} for ${n}" for n in range(len(counts))]
    counts.to_csv(table, index=False)
    monkeypatch.chdir(copy.folder)
    done = run_notebook("workflow/notebooks/movielens_arms.ipynb", {}, LOG)
    (cell,) = (cell for cell in done.cells if cell.id == "arms")
    shown = cell.outputs[-1].data["text/html"]
    assert "Trading $\\oops" in shown
    # Jupyter's MathJax leaves such a table alone.
    assert "mathjax_ignore" in shown


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_page_says_what_it_is_and_asks_nothing_of_any_host(project: Project, name: str) -> None:
    page = (project.folder / f"results/notebooks/{name}.html").read_text("utf-8")
    about = NOTEBOOKS[name]
    assert f"<title>{about.title}</title>" in page
    assert f"uv run jupyter lab {about.path}" in page
    # What the workflow put in place of the defaults is in the notebook, not on the page.
    assert ("injected-parameters" in str(executed(project, name))) == about.reads_results
    assert "injected-parameters" not in page
    # Nothing of the machine or the hour is kept.
    for text in (page, nbformat.writes(executed(project, name))):
        for trace in (str(project.folder), str(Path.home()) + "/", "/tmp/ipykernel", "start_time"):
            assert trace not in text
    found = Reader(page)
    tags = {tag for tag, _ in found.elements}
    assert not tags & {"script", "link", "iframe", "object", "embed", "base"}
    # Nothing but pictures is loaded.
    loading = {"src", "srcset", "data", "poster", "href"}
    assert {tag for tag, attributes in found.elements if loading & {*attributes}} <= {"img", "a"}
    assert not re.search(r"url\(|@import", page)
    images = found.all("img")
    assert len(images) == len(pictures(executed(project, name)))
    for image in images:
        assert (image["src"] or "").startswith("data:image/png;base64,")
        assert "srcset" not in image
        assert image["alt"]
    pages = {"../index.html", *(f"{other}.html" for other in NOTEBOOKS)}
    for link in [attributes["href"] or "" for attributes in found.all("a") if "href" in attributes]:
        assert link in pages or link.startswith(("https://", "#")), link


def test_log_has_progress(project: Project) -> None:
    text = (project.folder / "results/logs/run_notebook/tour.log").read_text("utf-8")
    assert "Executing Cell 1-" in text
    assert "A tour: what a penalty does: 21 cells" in text


def test_second_run_gives_the_same_bytes(project: Project) -> None:
    files = [project.folder / f"results/notebooks/movielens_arms.{s}" for s in ("ipynb", "html")]
    before = [file.read_bytes() for file in files]
    project.make("results/notebooks/movielens_arms.html", options=["--forcerun", "run_notebook"])
    assert [file.read_bytes() for file in files] == before


@pytest.mark.parametrize("name", READ_RESULTS)
def test_opened_in_its_own_folder(
    project: Project, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As Jupyter does: no parameters, and the folder of results is two folders up.
    monkeypatch.chdir(project.folder / "workflow/notebooks")
    opened = run_notebook(f"{name}.ipynb", {}, LOG)
    ran = executed(project, name)
    for own, workflow in zip(pictures(opened), pictures(ran), strict=True):
        assert own.data == workflow.data


def test_what_a_notebook_needs_is_made_first(project: Project) -> None:
    made = made_in(project.run("notebooks", options=["--summary", "--forceall"]))
    for about in NOTEBOOKS.values():
        assert {f"results/{table}" for table in about.tables} <= made
        assert replicates_of(*about.replicates) <= made
    assert {about for n in NOTEBOOKS.values() for about in n.replicates} <= set(SETTINGS)


def test_failing_cell_is_named_and_leaves_no_output(project: Project, tmp_path: Path) -> None:
    broken = project.copy(tmp_path / "project")
    path = broken.folder / "workflow/notebooks/movielens_arms.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    position = next(i for i, cell in enumerate(notebook["cells"]) if cell["id"] == "arms")
    notebook["cells"][position]["source"] = "first = 1\nraise ValueError('no such arm')"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    outcome = broken.run("results/notebooks/movielens_arms.html")
    assert outcome.status == 1
    log = (broken.folder / "results/logs/run_notebook/movielens_arms.log").read_text("utf-8")
    words = f"movielens_arms.ipynb, cell {position + 1} of {len(notebook['cells'])} (first = 1): "
    for text in (outcome.text, log):
        assert f"{words}ValueError: no such arm" in text
    assert "raise ValueError" in log
    left = notebooks_of(*(other for other in NOTEBOOKS if other != "movielens_arms"))
    assert broken.files("results/notebooks") == left
