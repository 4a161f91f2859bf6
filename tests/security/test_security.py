"""Unsafe names in captions."""

import re
from pathlib import Path

from docutils.core import publish_parts

import figure_helpers
from penalized_bandits.pages.render import caption
from workflow_helpers import Project

FILE = "<img src=x onerror=alert(1)>&**__|[a](javascript:alert(1)) $_x$ .. raw:: html.csv"
"""A name that a ratings table may have."""


def test_a_hostile_file_name_in_captions(smoke_run: Project, tmp_path: Path) -> None:
    tables = figure_helpers.copied_tables(smoke_run, "figure_3", tmp_path)
    figure_helpers.set_origin(tables, source_used="table", dataset=FILE)
    text = figure_helpers.caption("figure_3", tables)
    assert "\n" not in text
    # Markdown shows HTML as it stands within a span of code, and nowhere else.
    spans = re.findall(r"`([^`]*)`", text)
    assert [span for span in spans if "<img" in span]
    assert "<" not in re.sub(r"`[^`]*`", "", text)
    # On the page, and in Snakemake's report, which takes the caption for reStructuredText.
    settings = {"report_level": 5, "halt_level": 6}
    report = publish_parts(text, writer="html", settings_overrides=settings).get("body", "")
    for html in (str(caption(text)), report):
        assert "<img" not in html
        assert "&lt;img" in html
        assert 'href="javascript:' not in html
