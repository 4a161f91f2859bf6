"""Titles, labels, ids and names of files are text: nothing takes a letter of them for markup."""

import re
from dataclasses import replace

import numpy as np
import pytest
from docutils.core import publish_parts
from matplotlib import pyplot as plt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from figure_helpers import TablesOf, set_origin
from figure_helpers import caption as caption_of
from pages_helpers import Reader
from penalized_bandits import POLICIES, Card
from penalized_bandits.common.typing import FloatArray
from penalized_replication.figures.captions import labels_of
from penalized_replication.figures.style import policy_handle, use_style
from penalized_replication.pages.render import caption, formula

TEXTS = [
    "Trading $1 for $2",
    "$$_x$ and $\\frac$",
    "a\\$b$",
    "_kept",
    "x**y** `z` |a| c_ <b> [d](e)",
]


@pytest.fixture(name="mine", params=TEXTS)
def mine_fixture(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    own = replace(POLICIES["ucb1"], id="k_mine", card=Card(label=request.param))
    monkeypatch.setitem(POLICIES, "k_mine", own)
    return request.param


def pixels(text: str, *, parse: bool) -> FloatArray:
    figure = Figure(figsize=(3, 1))
    figure.text(0.05, 0.5, text, parse_math=parse)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())


def in_the_report(text: str) -> str:
    """Return a caption as Snakemake's report has it, which takes it for reStructuredText."""
    settings = {"report_level": 5, "halt_level": 6}
    return publish_parts(text, writer="html", settings_overrides=settings).get("body", "")


def test_a_label_is_drawn_letter_by_letter_and_is_in_the_legend(mine: str) -> None:
    use_style()
    handle, axes = policy_handle("k_mine"), plt.figure().add_subplot()
    given = str(handle.get_label())
    np.testing.assert_array_equal(pixels(given, parse=True), pixels(mine, parse=False))
    axes.add_artist(handle)
    assert len(axes.get_legend_handles_labels()[1]) == 1, mine


def test_a_label_in_a_caption_is_text(mine: str) -> None:
    text = f"**Figure 1.** τ$_k$ of {labels_of(['ucb1', 'k_mine'])}."
    page = Reader(str(caption(text)))
    assert mine in page.text
    assert {tag for tag, _ in page.elements} == {"strong", "sub"}
    assert mine in Reader(in_the_report(text)).text


FILE = "<img src=x onerror=alert(1)>&**__|[a](javascript:alert(1)) $_x$ .. raw:: html.csv"
"""A name that a ratings table may have."""


def test_a_hostile_file_name_in_captions(tables_for: TablesOf) -> None:
    tables = tables_for("figure_3")
    set_origin(tables, source_used="table", dataset=FILE)
    text = caption_of("figure_3", tables)
    assert "\n" not in text
    assert "on MovieLens" not in text
    # Markdown shows HTML as it stands within a span of code, and nowhere else.
    assert [span for span in re.findall(r"`([^`]*)`", text) if "<img" in span]
    assert "<" not in re.sub(r"`[^`]*`", "", text)
    for html in (str(caption(text)), in_the_report(text)):
        assert "<img" not in html
        assert "&lt;img" in html
        assert 'href="javascript:' not in html


def test_an_id_is_no_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POLICIES, "k_mine", POLICIES["ucb1"])
    assert formula("k_mine, T_k = 3, k_mine_2") == "k_mine, T<sub>k</sub> = 3, k_mine_2"
