"""Every figure, from tables made up: files, captions, panels, tables of another form."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from figure_helpers import HARD, SHOWN, caption, context_of, draw, tables_for
from penalized_bandits.figures import ALL_FIGURES, FIGURES
from penalized_bandits.figures.base import (
    draw_figure,
    replicates_of,
    save_figure,
    write_drawing,
)
from penalized_bandits.figures.style import RC, look_of
from penalized_bandits.figures.theory_lower_bounds import construction
from penalized_bandits.policies import POLICIES
from penalized_bandits.storage.summaries import SummaryError, read_summary
from workflow_helpers import Project

PANELS = {"figure_1": 4, "figure_2": 6, "figure_3": 2, "figure_4": 3, "figure_5": 4}
FEW = (1000, 3000, 10_000)
STUDIED = [name for name, figure in ALL_FIGURES.items() if figure.experiments]


@pytest.mark.parametrize("figure", ALL_FIGURES)
def test_files(smoke_run: Project, figure: str) -> None:
    made = smoke_run.folder / "results/figures"
    # Both columns of a two-column page, or one.
    for form, width in (("", 7.16), ("_column", 3.5))[: 1 + ALL_FIGURES[figure].column]:
        pdf, svg = ((made / f"{figure}{form}.{kind}").read_bytes() for kind in ("pdf", "svg"))
        assert pdf.startswith(b"%PDF-")
        # TrueType as a whole: journals refuse Type 3.
        assert b"/FontFile2" in pdf
        assert b"/Type3" not in pdf
        assert len(re.findall(rb"/FontDescriptor \d+ 0 R", pdf)) == pdf.count(b"/FontFile2")
        assert b"/Subtype /Image" not in pdf
        assert b"/CreationDate" not in pdf
        media = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
        assert media is not None
        assert float(media[1]) == pytest.approx(width * 72, abs=0.1)
        assert float(media[2]) <= 9.5 * 72
        assert b"<svg" in svg
        # Letters are drawn, so that they look the same without the font.
        assert not any(part in svg for part in (b"<image", b"<dc:date>", b"<text"))
    png = (made / f"{figure}.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == pytest.approx(7.16 * 300, abs=1)
    assert (made / f"{figure}.md").read_text("utf-8").count("\n") == 1


@pytest.mark.sample
@pytest.mark.parametrize("figure", ALL_FIGURES)
def test_the_same_again_from_another_folder(tmp_path: Path, figure: str) -> None:
    # Numbers of elements, colours, nothing of the day.
    for name in ("one", "two"):
        tables = tables_for(figure, tmp_path / f"tables of {name}")
        write_drawing(draw_figure(ALL_FIGURES[figure], tables), tmp_path / f"{name}.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    context = context_of(figure, lfg="original")
    check_caption(figure, caption(figure, tables, lfg="original") + context.switched())


def check_caption(figure: str, text: str) -> None:
    assert "Readings switched from their defaults: lfg: original" in text
    if figure in FIGURES:
        number = figure.removeprefix("figure_")
        assert re.match(rf"\*\*Figure {number}\. .*\(Setting {number}\)", text)
        assert figure == "figure_1" or "T = 10,000" in text
    else:
        assert re.match(r"\*\*[A-Z][^*]+\*\* ", text)
    if figure in STUDIED:
        assert f"means of {SHOWN} replicates" in text
        assert "95 % t-intervals" in text
    else:
        assert "at most 8 replicates" in text


def test_every_format_is_the_same_each_time(tmp_path: Path) -> None:
    tables, context = tables_for("figure_3", tmp_path), context_of("figure_3", lfg="original")
    for name in ("one", "two"):
        save_figure(ALL_FIGURES["figure_3"], tables, context, tmp_path / name)
    for kind in ("pdf", "svg", "png", "md"):
        one, two = ((tmp_path / f"{name}.{kind}").read_bytes() for name in ("one", "two"))
        assert one == two
    check_caption("figure_3", (tmp_path / "one.md").read_text("utf-8"))


@pytest.mark.parametrize("figure", FIGURES)
def test_panels(tmp_path: Path, figure: str) -> None:
    drawing = draw(figure, tables_for(figure, tmp_path))
    panels = [axes for axes in drawing.axes if axes.axison]
    letters = [axes.get_title("left")[:3] for axes in panels if axes.get_title("left")]
    # Below each panel of a trade-off is one of the gains.
    assert len(panels) == PANELS[figure] * (2 if figure in ("figure_3", "figure_5") else 1)
    assert letters == [f"({letter})" for letter in "abcdefgh"[: PANELS[figure]]]
    for axes in panels:
        # Every panel shows something, inside its limits.
        (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
        points = [
            p for line in axes.lines if line.get_transform() == axes.transData
            for p in zip(*map(np.asarray, line.get_data()), strict=True)
        ]  # fmt: skip
        inside = [p for p in points if x0 <= p[0] <= x1 and y0 <= p[1] <= y1]
        assert len(inside) >= 3
    assert any(axes.get_xlabel() for axes in panels)
    assert any(axes.get_ylabel() for axes in panels)


@pytest.mark.parametrize("figure", [name for name in STUDIED if name != "figure_2"])
def test_a_policy_looks_the_same_everywhere(tmp_path: Path, figure: str) -> None:
    # In another order than that of the registry, where a figure of a setting may have one.
    policies = () if figure == "figure_4" else ("ucb1", "lfg", HARD)
    drawing = draw(figure, tables_for(figure, tmp_path, policies=policies, horizons=FEW))
    (legend, *_) = drawing.legends
    looks = {look_of(policy).label: look_of(policy) for policy in POLICIES}
    drawn = {to_hex(line.get_color()) for axes in drawing.axes for line in axes.lines}
    shown = 0
    for text, handle in zip(legend.get_texts(), legend.legend_handles, strict=True):
        if look := looks.get(text.get_text()):
            assert to_hex(handle.get_color()) == look.colour.lower()  # type: ignore[union-attr]
            assert handle.get_marker() == look.marker  # type: ignore[union-attr]
            assert look.colour.lower() in drawn
            shown += 1
    # One policy, which the caption names, or one in each panel, which its title names.
    assert shown or figure in ("figure_4", "theory_maximal", "regret_decomposition")


@pytest.mark.parametrize("figure", ALL_FIGURES)
def test_tables_of_another_form_are_refused(tmp_path: Path, figure: str) -> None:
    tables = tables_for(figure, tmp_path)
    path = Path(next(iter(tables.values())))
    column = "verdict" if figure == "sensitivity" else "ci_low"
    pd.read_csv(path).drop(columns=[column]).to_csv(path, index=False)
    with pytest.raises(SummaryError, match=rf"{path.name} lacks the columns \['{column}'\]"):
        draw_figure(ALL_FIGURES[figure], tables)


@pytest.mark.parametrize("figure", STUDIED)
def test_one_replicate_at_one_horizon(tmp_path: Path, figure: str) -> None:
    tables = tables_for(figure, tmp_path, horizons=(1000,))
    for name in set(tables) & {"summary", *ALL_FIGURES[figure].studies}:
        table = pd.read_csv(tables[name])
        table = table.assign(se=np.nan, ci_low=np.nan, ci_high=np.nan, n_replicates=1)
        table.to_csv(tables[name], index=False)
    # Neither bars nor fits, and no warning, which would be an error here.
    draw(figure, tables)
    assert "means of 1 replicates" in caption(figure, tables)


@pytest.mark.parametrize(("theorem", "claim"), [("4.6", "C16"), ("4.7", "C17")])
def test_constructions_are_those_of_the_claims(
    smoke_run: Project, theorem: str, claim: str
) -> None:
    results = smoke_run.folder / "results"
    table = read_summary(str(results / "summaries/deterministic.csv"))
    rows = json.loads((results / "claims/measured/small_studies.json").read_text("utf-8"))
    parts = next(row for row in rows if row["id"] == claim)["all_parts"]
    known = [part for part in parts if part["estimate"] is not None]
    points = construction(table, theorem)
    assert [part["name"].partition(",")[0] for part in known] == [
        f"T={horizon}" for horizon in points["horizon"]
    ]
    assert points["ratio"].tolist() == pytest.approx([part["estimate"] for part in known])
    assert points["assumed"].tolist() == [part["status"] != "vacuous" for part in known]


def test_no_letters_below_six_points() -> None:
    sizes = {key: RC[key] for key in RC if key.endswith(("font.size", "labelsize", "titlesize"))}
    sizes["legend.fontsize"] = RC["legend.fontsize"]
    assert len(sizes) == 6
    assert min(sizes.values()) >= 6


def test_mixed_replicates_are_refused() -> None:
    assert replicates_of(pd.DataFrame({"n_replicates": [7, 7]})) == 7
    with pytest.raises(ValueError, match="mixes"):
        replicates_of(pd.DataFrame({"n_replicates": [7, 8]}))
