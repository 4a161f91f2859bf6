"""Every figure of the registry: files, captions, panels, refused tables."""

import re
from pathlib import Path
from string import ascii_lowercase

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

from figure_helpers import CONFIG, TablesOf, caption, draw, edit
from penalized_bandits.policies import POLICIES
from penalized_replication.claims import CLAIMS
from penalized_replication.figures import EVERY_FIGURE, FIGURES
from penalized_replication.figures.base import draw_figure
from penalized_replication.figures.style import COLUMN_WIDTH, TEXT_WIDTH, look_of
from workflow_helpers import Project

STUDIED = [name for name, figure in EVERY_FIGURE.items() if figure.experiments]


@pytest.mark.parametrize("figure", STUDIED)
def test_files(smoke_run: Project, figure: str) -> None:
    made = smoke_run.folder / "results/figures"
    pdf = (made / f"{figure}.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    # TrueType as a whole: journals refuse Type 3.
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf
    assert len(re.findall(rb"/FontDescriptor \d+ 0 R", pdf)) == pdf.count(b"/FontFile2")
    assert b"/Subtype /Image" not in pdf
    assert b"/CreationDate" not in pdf
    media = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert media is not None
    assert float(media[1]) == pytest.approx(TEXT_WIDTH * 72, abs=0.1)
    assert float(media[2]) <= 9.5 * 72
    for form, width in (("", TEXT_WIDTH), ("_column", COLUMN_WIDTH)):
        svg = (made / f"{figure}{form}.svg").read_bytes()
        size = re.search(rb'<svg [^>]*width="([\d.]+)pt"', svg)
        assert size is not None
        assert float(size[1]) == pytest.approx(width * 72, abs=0.1)
        # Letters are drawn, so that they look the same without the font.
        assert not any(part in svg for part in (b"<image", b"<dc:date>", b"<text"))
    png = (made / f"{figure}.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == pytest.approx(TEXT_WIDTH * 300, abs=1)
    assert (made / f"{figure}.md").read_text("utf-8").count("\n") == 1


@pytest.mark.parametrize("figure", EVERY_FIGURE)
def test_captions(tables_for: TablesOf, figure: str) -> None:
    tables = tables_for(figure)
    text = caption(figure, tables)
    assert len(text.split()) <= 110
    # No raw TeX, and nothing left of the template.
    assert not re.search(r"[${}]|\n|  ", text)
    number = EVERY_FIGURE[figure].setting.removeprefix("setting_")
    title = rf"Figure {number}\. .*\(Setting {number}\)" if figure in FIGURES else "[A-Z][^*]+"
    assert re.match(rf"\*\*{title}\.\*\* ", text)
    if figure in STUDIED:
        (experiment, *_) = EVERY_FIGURE[figure].experiments
        assert f" {CONFIG.section(experiment).replicates} replicates" in text
        assert "95 %" in text
        assert "intervals over replicates" in text
    claims = set(re.findall(r"\bC\d\d[A-Z]?\b", text))
    assert claims <= CLAIMS.keys()
    # A figure that the page shows with claims names some of them.
    assert claims or not EVERY_FIGURE[figure].claims
    assert "Interpretations" not in text
    changed = caption(figure, tables, lfg="original")
    assert changed == f"{text} **Interpretations switched from their defaults: lfg: original.**"


@pytest.mark.parametrize("figure", [name for name, about in EVERY_FIGURE.items() if about.topics])
def test_without_their_claims(
    tables_for: TablesOf, figure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = tables_for(figure)
    (measured,) = (Path(path) for name, path in tables.items() if name.endswith("_claims"))
    measured.write_text("[]", encoding="utf-8")
    monkeypatch.setattr("penalized_replication.claims.CLAIMS", {})
    for column in (False, True):
        draw_figure(EVERY_FIGURE[figure], tables, column=column).draw_without_rendering()
    assert not re.search(r"(?i)\bclaim", caption(figure, tables))


@pytest.mark.parametrize("column", [False, True])
@pytest.mark.parametrize("figure", EVERY_FIGURE)
def test_letters_and_panels(tables_for: TablesOf, figure: str, *, column: bool) -> None:
    drawing = draw_figure(EVERY_FIGURE[figure], tables_for(figure), column=column)
    drawing.draw_without_rendering()
    assert drawing.get_figwidth() == (COLUMN_WIDTH if column else TEXT_WIDTH)
    # The narrow form is 340 pixels wide, 1 % more than its 252 pt.
    texts = [text for text in drawing.findobj(Text) if text.get_visible() and text.get_text()]
    # Scripts of formulas, as in 10^3, would be 0.7 of their size.
    assert min(float(text.get_fontsize()) for text in texts) >= 6
    assert not [text.get_text() for text in texts if re.search(r"\$.*[_^]", text.get_text())]
    titles = [axes.get_title("left") for axes in drawing.axes if axes.axison]
    letters = sorted(title[1] for title in titles if title.startswith("("))
    assert letters == list(ascii_lowercase[: len(letters)])
    for legend in drawing.legends:
        parts = (*legend.get_lines(), *legend.get_patches(), *legend.get_texts())
        x = [end for part in parts for end in part.get_window_extent().intervalx]
        assert drawing.bbox.x0 <= min(x) <= max(x) <= drawing.bbox.x1
    for axes in drawing.axes if figure in FIGURES else ():
        # Every panel shows something, inside its limits, or says why there is nothing.
        (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
        lines = [line for line in axes.lines if line.get_transform() == axes.transData]
        x, y = np.hstack([np.zeros((2, 0)), *(np.array(x.get_data(), float) for x in lines)])
        inside = (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
        assert not axes.axison or inside.sum() >= 3 or axes.texts


@pytest.mark.parametrize("figure", [name for name in STUDIED if name != "figure_2"])
def test_a_policy_looks_the_same_everywhere(tables_for: TablesOf, figure: str) -> None:
    tables = tables_for(figure)
    if "summary" in tables:
        # In another order than that of the registry.
        edit(tables["summary"], lambda t: t.sort_values("policy", kind="stable", ascending=False))
    drawing = draw(figure, tables)
    (legend, *_) = drawing.legends
    looks = {look_of(policy).label: look_of(policy) for policy in POLICIES}
    drawn = {to_hex(line.get_color()) for axes in drawing.axes for line in axes.lines}
    for text, handle in zip(legend.get_texts(), legend.legend_handles, strict=True):
        if look := looks.get(text.get_text()):
            assert to_hex(handle.get_color()) == look.colour.lower()  # type: ignore[union-attr]
            assert handle.get_marker() == look.marker  # type: ignore[union-attr]
            assert look.colour.lower() in drawn


@pytest.mark.parametrize("figure", STUDIED)
def test_one_replicate_at_one_horizon(tables_for: TablesOf, figure: str) -> None:
    tables = tables_for(figure)
    one = {"se": np.nan, "ci_low": np.nan, "ci_high": np.nan, "n_replicates": 1}
    for name in set(tables) & {"summary", *EVERY_FIGURE[figure].studies}:
        edit(tables[name], lambda t: t[t["horizon"] == t["horizon"].min()].assign(**one))
    # Neither bars nor fits, and no warning, which would be an error here.
    draw(figure, tables)
    assert " 1 replicates" in caption(figure, tables)
