"""Figures from tables made up here: files, captions, looks."""

import itertools
import json
import math
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure as Drawing

from penalized_bandits.config import load_config
from penalized_bandits.figures import FIGURES
from penalized_bandits.figures.base import MadeWith, replicates_of, save_figure
from penalized_bandits.figures.figure_3 import source_note
from penalized_bandits.figures.figure_4 import fit_power_law, panel_of
from penalized_bandits.figures.style import RC, look_of, thousands, use_style
from penalized_bandits.frontier import oracle_frontier
from penalized_bandits.policies import POLICIES
from penalized_bandits.settings import SETTINGS, Readings
from penalized_bandits.summaries import COLUMNS, SummaryError
from penalized_bandits.typing import FloatArray

PAPER_CONFIG = load_config(Path(__file__).parents[1] / "config" / "config.yaml")
REPLICATES = 1234
SHOWN = "1\u2009234"
PAPER = ["hard_threshold_ucb", "lfg", "fair_learn"]
MEANS = np.array([0.9, 0.7, 0.5, 0.3, 0.1])
HORIZON = 10_000
LEVEL = 0.05 * HORIZON

Row = dict[str, Any]


def row(case: str, policy: str, metric: str, mean: float, **more: Any) -> Row:
    """Return a row of a summary, its interval 2 % each way."""
    half = 0.02 * abs(mean)
    return {
        "case": case,
        "policy": policy,
        "metric": metric,
        "horizon": HORIZON,
        "mean": mean,
        "se": half / 2,
        "ci_low": mean - half,
        "ci_high": mean + half,
        "n_replicates": REPLICATES,
        **more,
    }


def regrets(policies: list[str]) -> Iterator[Row]:
    for case in ("K5_tau0.2", "K5_tau0.8", "K20_tau0.2", "K20_tau0.8"):
        for place, policy in enumerate(policies, start=1):
            for horizon in (500, 1000, 2000):
                mean = place * math.sqrt(horizon)
                yield row(case, policy, "penalized_regret", mean, horizon=horizon)


def paths(policies: list[str]) -> Iterator[Row]:
    for case, policy in itertools.product(("case_1", "case_2"), policies):
        for scale, (arm, mean) in itertools.product((0, 0.5, 1), enumerate(MEANS, start=1)):
            gap = MEANS[0] - mean
            unfair = LEVEL if gap > scale else 0.0
            more = {"scale": scale, "tuning": scale, "arm": arm, "gap": gap}
            more["fairness_fraction"] = 0.05
            yield row(case, policy, "arm_unfairness", unfair, **more)


def tradeoffs(policies: list[str], cases: list[str]) -> Iterator[Row]:
    best = HORIZON * MEANS[0]
    for case, (place, policy) in itertools.product(cases, enumerate(policies)):
        tunings = [None] if policy == "ucb1" else [0.0, 0.5, 1.0]
        for tuning in tunings:
            given_up = 1 - (0.3 if tuning is None else tuning)
            loss = LEVEL * (3 - given_up) + 40 * place
            unfair = {"expected_reward": best - loss, "reward_loss": loss}
            unfair |= {"unfairness": 2 * LEVEL * given_up}
            for metric, mean in unfair.items():
                yield row(case, policy, metric, mean, tuning=tuning)
            for arm in range(1, len(MEANS) + 1):
                yield row(case, policy, "pulls", LEVEL, tuning=tuning, arm=arm)


def pulls(policies: list[str]) -> Iterator[Row]:
    for case in ("noncritical_1", "noncritical_2", "critical_1"):
        rate = 0.1 if case.startswith("noncritical") else 0.85
        for policy, (arm, mean) in itertools.product(policies, enumerate(MEANS, start=1)):
            gap = MEANS[0] - mean
            distance = gap if rate > gap else gap - rate
            count = 20 / distance**2 if arm > 1 else HORIZON
            more = {"arm": arm, "gap": gap, "fairness_fraction": 0.05, "penalty_rate": rate}
            yield row(case, policy, "pulls", count, tuning=rate, **more)


SETTING_3 = ["m0_2500", "m0_1250"]
SETTING_5 = ["K5_tau0.2_gaussian", "K5_tau0.2_beta", "K20_tau0.5_gaussian", "K20_tau0.5_beta"]
ROWS = {
    "figure_1": lambda policies: regrets(policies),
    "figure_2": lambda policies: paths(policies),
    "figure_3": lambda policies: tradeoffs(policies, SETTING_3),
    "figure_4": lambda policies: pulls(policies),
    "figure_5": lambda policies: tradeoffs(policies, SETTING_5),
}
DRAWN = {
    "figure_1": [*PAPER, "ucb1", "soft_threshold_ucb"],
    "figure_2": PAPER,
    "figure_3": PAPER,
    "figure_4": ["hard_threshold_ucb"],
    "figure_5": PAPER,
}
PANELS = {"figure_1": 4, "figure_2": 6, "figure_3": 2, "figure_4": 3, "figure_5": 4}


def tables_for(
    figure: str, folder: Path, policies: list[str] | None = None, **origin: str | None
) -> dict[str, str]:
    """Write a figure's tables and return their paths by name."""
    setting = FIGURES[figure].setting
    rows = list(ROWS[figure](policies or DRAWN[figure]))
    table = pd.DataFrame(rows).reindex(columns=list(COLUMNS))
    table["setting"] = setting
    folder.mkdir(parents=True, exist_ok=True)
    tables = {"summary": str(folder / "summary.csv")}
    table.astype({"arm": "Int64"}).to_csv(tables["summary"], index=False)
    if SETTINGS[setting].has_frontier:
        frontier = oracle_frontier(MEANS, np.full(len(MEANS), 0.05), HORIZON)
        levels = np.linspace(0, frontier.unfairness[-1], 21)
        curve = {"horizon": HORIZON, "unfairness": levels}
        curve["expected_reward"] = frontier.reward_at(levels)
        cases = dict.fromkeys(r["case"] for r in rows)
        frontiers = [pd.DataFrame({"setting": setting, "case": c, **curve}) for c in cases]
        tables["frontier"] = str(folder / "frontier.csv")
        pd.concat(frontiers).to_csv(tables["frontier"], index=False)
    if SETTINGS[setting].needs_ratings:
        tables["provenance"] = str(folder / "provenance.json")
        data = {"dataset": "movielens_1m", "title": "MovieLens 1M"}
        known = {"source_used": "download", "reason": None, **data, **origin}
        Path(tables["provenance"]).write_text(json.dumps(known), encoding="utf-8")
    return tables


def draw(figure: str, tables: dict[str, str]) -> Drawing:
    use_style()
    return import_module(f"penalized_bandits.figures.{figure}").draw(tables)


def made_with(figure: str, **readings: Any) -> MadeWith:
    section = PAPER_CONFIG.section(FIGURES[figure].setting)
    return MadeWith(section.model_dump(), Readings(**readings))


def caption(figure: str, tables: dict[str, str], **readings: Any) -> str:
    module = import_module(f"penalized_bandits.figures.{figure}")
    return module.caption(tables, made_with(figure, **readings))


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Undo what a figure sets for all of matplotlib."""
    with mpl.rc_context():
        yield
    plt.close("all")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save every figure twice, into one/ and two/."""
    folder = tmp_path_factory.mktemp("figures")
    with mpl.rc_context():
        for number in ("one", "two"):
            for figure in FIGURES.values():
                # The second time from another folder and after other figures.
                tables = tables_for(figure.id, folder / number / figure.id)
                save_figure(figure, tables, made_with(figure.id), folder / number / figure.id)
    return folder


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("suffix", ["pdf", "svg", "png", "md"])
def test_same_bytes_each_time(saved: Path, figure: str, suffix: str) -> None:
    one, two = ((saved / n / f"{figure}.{suffix}").read_bytes() for n in ("one", "two"))
    assert len(one) > (200 if suffix == "md" else 5000)
    assert one == two


@pytest.mark.parametrize("figure", FIGURES)
def test_pdf_is_vector_with_fonts_embedded(saved: Path, figure: str) -> None:
    pdf = (saved / "one" / f"{figure}.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    # TrueType as a whole: journals refuse Type 3.
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf
    assert len(re.findall(rb"/FontDescriptor \d+ 0 R", pdf)) == pdf.count(b"/FontFile2")
    assert b"/Subtype /Image" not in pdf
    assert b"/CreationDate" not in pdf
    media = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert media is not None
    # Both columns of a two-column page, at most its height.
    assert float(media[1]) == pytest.approx(7.16 * 72, abs=0.1)
    assert float(media[2]) <= 9.5 * 72


@pytest.mark.parametrize("figure", FIGURES)
def test_svg_and_png(saved: Path, figure: str) -> None:
    svg = (saved / "one" / f"{figure}.svg").read_text(encoding="utf-8")
    assert "<svg" in svg
    assert "<image" not in svg
    assert "<dc:date>" not in svg
    # Letters are drawn: they look the same without the font.
    assert "<text" not in svg
    png = (saved / "one" / f"{figure}.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == pytest.approx(7.16 * 300, abs=1)


@pytest.mark.parametrize("figure", FIGURES)
def test_caption(saved: Path, figure: str) -> None:
    text = (saved / "one" / f"{figure}.md").read_text(encoding="utf-8")
    number = figure.removeprefix("figure_")
    assert text.startswith(f"**Figure {number}. ")
    assert f"(Setting {number})" in text
    assert f"means of {SHOWN} replicates" in text
    assert "95 % t-intervals" in text
    assert text.count("\n") == 1
    if figure != "figure_1":
        assert "T = 10\u2009000" in text


@pytest.mark.parametrize("figure", FIGURES)
def test_panels(tmp_path: Path, figure: str) -> None:
    drawing = draw(figure, tables_for(figure, tmp_path))
    panels = [axes for axes in drawing.axes if axes.axison]
    assert len(panels) == PANELS[figure]
    letters = [axes.get_title("left")[:3] for axes in panels]
    assert letters == [f"({letter})" for letter in "abcdefgh"[: len(panels)]]
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
    assert len(drawing.legends) == 1


@pytest.mark.parametrize("figure", FIGURES)
def test_tables_of_another_form_are_refused(tmp_path: Path, figure: str) -> None:
    tables = tables_for(figure, tmp_path)
    table = pd.read_csv(tables["summary"])
    table.drop(columns=["ci_low"]).to_csv(tables["summary"], index=False)
    with pytest.raises(SummaryError, match=r"summary\.csv lacks the columns \['ci_low'\]"):
        draw(figure, tables)


def test_no_letters_below_six_points() -> None:
    sizes = {key: RC[key] for key in RC if key.endswith(("font.size", "labelsize", "titlesize"))}
    sizes["legend.fontsize"] = RC["legend.fontsize"]
    assert len(sizes) == 6
    assert min(sizes.values()) >= 6


def test_mixed_replicates_are_refused() -> None:
    assert replicates_of(pd.DataFrame({"n_replicates": [7, 7]})) == 7
    with pytest.raises(ValueError, match="mixes"):
        replicates_of(pd.DataFrame({"n_replicates": [7, 8]}))


def test_thousands() -> None:
    assert thousands(REPLICATES) == SHOWN
    assert thousands(50) == "50"


# --- Where the ratings came from ---------------------------------------------------


def test_bundled_counts_are_named_loudly(tmp_path: Path) -> None:
    real = caption("figure_3", tables_for("figure_3", tmp_path / "real"))
    assert "bundled" not in real
    assert "download of MovieLens 1M" in real
    reason = "the network cannot be reached"
    tables = tables_for("figure_3", tmp_path / "not", source_used="bundled", reason=reason)
    text = caption("figure_3", tables)
    (loud,) = re.findall(r"\*\*(Ratings: [^*]*)\*\*", text)
    assert "bundled counts, not the downloaded archive" in loud
    assert reason in loud


def test_captions_follow_the_readings(tmp_path: Path) -> None:
    tables = {f: tables_for(f, tmp_path / f) for f in ("figure_1", "figure_3", "figure_4")}
    assert "anew in each replicate" in caption("figure_1", tables["figure_1"])
    once = caption("figure_1", tables["figure_1"], means="once")
    assert "drawn once" in once
    assert "spread between drawn instances" not in once
    assert "rating/highest" in caption("figure_3", tables["figure_3"], movielens_rewards="fraction")
    assert "Gaussian" in caption("figure_4", tables["figure_4"])
    assert "Bernoulli" in caption("figure_4", tables["figure_4"], setting_4_rewards="bernoulli")
    assert made_with("figure_5").switched() == ""
    assert "lfg: original" in made_with("figure_5", lfg="original").switched()


def test_source_notes() -> None:
    assert "as the config asks" in source_note({"source_used": "bundled", "reason": None})
    known = {"source_used": "archive", "dataset": "movielens_1m", "title": "MovieLens 1M"}
    assert source_note(known).endswith("archive of MovieLens 1M (Harper and Konstan 2015).")
    other = source_note({**known, "dataset": "movielens_20m", "title": "MovieLens 20M"})
    assert "archive of MovieLens 20M" in other
    assert "not MovieLens 1M" in other
    own = source_note({"source_used": "table"})
    assert "table" in own
    assert "not MovieLens 1M" in own


# --- Looks -------------------------------------------------------------------------


def legend_looks(drawing: Drawing) -> dict[str, tuple[str, Any]]:
    handles = drawing.legends[0].legend_handles
    texts = [text.get_text() for text in drawing.legends[0].get_texts()]
    return {
        text: (to_hex(handle.get_color()), handle.get_marker())  # type: ignore[union-attr]
        for text, handle in zip(texts, handles, strict=True)
    }


def test_a_policy_looks_the_same_everywhere(tmp_path: Path) -> None:
    orders = {
        "figure_1": ["ucb1", "lfg", "hard_threshold_ucb", "soft_threshold_ucb"],
        "figure_3": ["fair_learn", "hard_threshold_ucb", "ucb1"],
        "figure_5": ["lfg", "fair_learn", "soft_threshold_ucb"],
    }
    seen: dict[str, set[tuple[str, Any]]] = {}
    for figure, policies in orders.items():
        drawing = draw(figure, tables_for(figure, tmp_path / figure, policies))
        looks = legend_looks(drawing)
        for policy in policies:
            seen.setdefault(policy, set()).add(looks[POLICIES[policy].label])
            # The curves have the colour that the legend gives them.
            colours = {to_hex(line.get_color()) for line in drawing.axes[0].lines}
            assert looks[POLICIES[policy].label][0] in colours
    assert set(seen) == {*PAPER, "ucb1", "soft_threshold_ucb"}
    assert all(len(looks) == 1 for looks in seen.values())
    assert len({looks.pop() for looks in seen.values()}) == len(seen)


# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
}
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def lab(colour: str, sight: str) -> FloatArray:
    """Return a colour as seen, in CIE L*a*b*, where distance is what the eye tells apart."""
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(SIGHT[sight] @ linear, 0, 1) / TO_XYZ.sum(axis=1)
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_lab_of_known_colours() -> None:
    assert lab("#ffffff", "normal") == pytest.approx([100, 0, 0], abs=0.01)
    assert lab("#ff0000", "normal") == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    # A red and a green that deuteranopes confuse: the simulation is at work.
    red, green = "#b45a3c", "#8c7339"
    far, near = (np.linalg.norm(lab(red, s) - lab(green, s)) for s in ("normal", "deuteranopia"))
    assert near < far / 3


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_are_told_apart(sight: str) -> None:
    # Those of the paper's figures; where more are drawn each has a row of its own.
    for one, other in itertools.combinations(list(POLICIES)[:8], 2):
        difference = lab(look_of(one).colour, sight) - lab(look_of(other).colour, sight)
        # Some 2 is the least that is seen side by side; thin lines need far more.
        assert np.linalg.norm(difference) > 15, (one, other)


def test_policies_are_told_apart_in_grey() -> None:
    every = [look_of(policy) for policy in POLICIES]
    assert len({(look.colour, look.marker, str(look.dashes)) for look in every}) == len(every)
    looks = every[:8]
    assert len({look.marker for look in looks}) == len(looks)
    assert len({str(look.dashes) for look in looks}) == len(looks)
    # None so light that it is lost on white.
    assert all(lab(look.colour, "normal")[0] < 80 for look in looks)


def test_arms_of_figure_2_go_from_dark_to_light(tmp_path: Path) -> None:
    looks = legend_looks(draw("figure_2", tables_for("figure_2", tmp_path)))
    light = [lab(colour, "normal")[0] for colour, _ in looks.values()]
    assert list(looks) == [f"arm {arm}" for arm in range(1, len(MEANS) + 1)]
    assert min(np.diff(light)) > 4


# --- Figure 4's fit ------------------------------------------------------------------


@given(
    elasticity=st.floats(0.1, 2) | st.floats(-2, -0.1),
    scale=st.floats(0.1, 100),
    x=st.lists(st.floats(0.5, 500), min_size=3, max_size=8, unique=True),
)
def test_fit_recovers_a_power_law(elasticity: float, scale: float, x: list[float]) -> None:
    # Far enough apart for a slope.
    points: FloatArray = np.array(sorted(x)) * np.arange(1.0, len(x) + 1)
    law = fit_power_law(points, scale * np.power(points, elasticity))
    assert law is not None
    assert law.elasticity == pytest.approx(elasticity, abs=1e-9)
    assert law.scale == pytest.approx(scale, rel=1e-6)
    assert law.half_width < 1e-4


def test_interval_of_the_elasticity_covers_it() -> None:
    rng = np.random.default_rng(1)
    x = np.geomspace(1, 100, 6)
    laws = [fit_power_law(x, 3 * x**0.9 * np.exp(rng.normal(0, 0.1, 6))) for _ in range(400)]
    covered = [abs(law.elasticity - 0.9) <= law.half_width for law in laws if law is not None]
    assert len(covered) == 400
    # 95 % within four standard errors.
    assert 0.905 < np.mean(covered) < 0.995


def test_fit_of_too_few_points() -> None:
    assert fit_power_law(np.array([]), np.array([])) is None
    assert fit_power_law(np.array([2.0, 2.0]), np.array([3.0, 4.0])) is None
    law = fit_power_law(np.array([1.0, 10.0]), np.array([2.0, 20.0]))
    assert law is not None
    assert law.elasticity == pytest.approx(1)
    assert math.isnan(law.half_width)


def test_arms_of_a_panel(tmp_path: Path) -> None:
    table = pd.read_csv(tables_for("figure_4", tmp_path)["summary"])
    upper = panel_of(table[table["case"] == "noncritical_1"], "noncritical_1")
    assert upper.arms["arm"].tolist() == [2, 3, 4, 5]
    assert upper.x == pytest.approx(1 / np.array([0.1, 0.3, 0.5, 0.7]) ** 2)
    # The first is pulled more often than its level asks.
    assert upper.fitted.tolist() == [False, True, True, True]
    assert upper.level == LEVEL
    lower = panel_of(table[table["case"] == "critical_1"], "critical_1")
    # The best arm has no gap.
    assert lower.arms["arm"].tolist() == [2, 3, 4, 5]
    assert lower.x == pytest.approx(1 / np.array([0.2, 0.4, 0.6, 0.8]) ** 2)
    assert lower.fitted.tolist() == [False, False, False, False]


def test_a_case_without_such_arms_is_drawn_empty(tmp_path: Path) -> None:
    # The config lets a case of the upper row have a penalty rate above every gap.
    tables = tables_for("figure_4", tmp_path)
    table = pd.read_csv(tables["summary"])
    table.loc[table["case"] == "noncritical_2", "penalty_rate"] = 0.95
    table.to_csv(tables["summary"], index=False)
    assert len([a for a in draw("figure_4", tables).axes if a.axison]) == PANELS["figure_4"]
