"""Unsafe names in captions and drawings."""

import re
from pathlib import Path
from xml.etree import ElementTree

import matplotlib.pyplot as plt
from docutils.core import publish_parts

import figure_helpers
from pages_helpers import INJECTION
from penalized_bandits.figures.base import write_drawing
from penalized_bandits.figures.style import use_style
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


def test_hostile_text_in_drawings(tmp_path: Path) -> None:
    with plt.rc_context():
        use_style()
        drawn, axes = plt.subplots()
        axes.set_title(INJECTION.replace("{{", "").replace("}}", ""))
        axes.plot([1], [1], label="<script>alert(1)</script>", gid='"><script>alert(1)</script>')
        axes.legend()
        write_drawing(drawn, tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    names = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(text).iter()}
    assert "path" in names
    assert not {"script", "img", "foreignObject", "iframe"} & names
