"""Snakemake's own report: what it holds, and that it asks nothing of any host."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from docutils.core import publish_parts

from browser_helpers import chromium, needs_browser
from penalized_bandits.figures import ALL_FIGURES
from workflow_helpers import Project

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page(miniature: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the report in a copy of the miniature's run."""
    project = miniature.copy(tmp_path_factory.mktemp("report") / "project")
    return project.make("report").folder / "results/report.html"


@pytest.mark.sample
def test_every_figure_is_in_it_with_its_caption(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for figure in ALL_FIGURES:
        assert f"{figure}.png" in text
        caption = (page.parent / f"figures/{figure}.md").read_text(encoding="utf-8")
        title = re.match(r"\*\*(.+?)\*\*", caption)
        assert title is not None
        assert f"<strong>{json.dumps(title[1])[1:-1]}</strong>" in text


def test_categories_labels_and_description(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for category in ("Claims", "Figures of the paper", "Figures of the theory"):
        assert category in text
    assert "Setting 3" in text
    assert "claims.html" in text
    # Numbers of the config at hand, not of the one shipped.
    assert "Master seed 7" in text


def test_nothing_went_wrong_in_making_it(page: Path) -> None:
    log = (page.parent / "logs/report.log").read_text(encoding="utf-8")
    assert "Report created" in log
    assert "ERROR" not in log
    assert "system-message" not in page.read_text(encoding="utf-8")


def test_size(page: Path) -> None:
    assert page.stat().st_size < 6e6


def test_captions_are_read_as_they_were_written(page: Path) -> None:
    # Captions are Markdown, the report takes reStructuredText: they use what both have.
    for caption in sorted((page.parent / "figures").glob("*.md")):
        parts: Any = publish_parts(f".. include:: {caption}\n", writer="html")
        body = str(parts["body"])
        assert "system-message" not in body
        assert body.count("<strong>") == caption.read_text("utf-8").count("**") // 2 > 0


def test_a_report_that_cannot_be_made_says_so(miniature: Project, tmp_path: Path) -> None:
    project = miniature.copy(tmp_path / "project")
    # No caption can be made of this.
    (project.folder / "workflow/report/figure.rst").write_text("{{ nothing.at.all }}\n")
    outcome = project.run("report")
    assert outcome.status != 0
    assert "could not write the report" in outcome.text
    assert "results/logs/report.log" in outcome.text
    assert not (project.folder / "results/report.html").exists()


@needs_browser
def test_in_a_browser(page: Path) -> None:
    # Snakemake's own scripts warn of their style sheet: errors are what counts here.
    with chromium() as browser:
        asked: list[str] = []
        errors: list[str] = []
        shown = browser.new_page(viewport={"width": 1280, "height": 900})
        shown.on("request", lambda request: asked.append(request.url))
        shown.on("pageerror", lambda error: errors.append(str(error)))
        shown.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        shown.goto(page.as_uri())
        shown.get_by_text("Figures of the paper", exact=True).first.click()
        shown.get_by_text("Figure 3", exact=True).first.wait_for()
        assert "Reward against unfairness on movie ratings" in shown.inner_text("body")
        assert errors == []
        assert {url.partition(":")[0] for url in asked} <= {"file", "data", "blob"}
