"""The paper's figures: what captions say, how policies look, what Figures 3 to 5 show of claims."""

import itertools
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex, to_rgb

from config_helpers import ROOT
from figure_helpers import CONFIG, TablesOf, caption, draw, edit, set_comparisons, set_origin, words
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY, POLICIES
from penalized_bandits.theory.fluid import break_points
from penalized_replication.figures import EVERY_FIGURE
from penalized_replication.figures.base import claims_of, draw_figure
from penalized_replication.figures.figure_4 import arms_of, rows_of, slopes_of
from penalized_replication.figures.panels import plain_ticks
from penalized_replication.figures.style import COLOURS, look_of
from penalized_replication.figures.tradeoff import lowest


def test_bundled_counts_are_named(tables_for: TablesOf) -> None:
    tables = tables_for("figure_3")
    set_origin(tables, reason="download failed: a reason")
    assert "Ratings: bundled counts (download failed: a reason)." in caption("figure_3", tables)
    set_origin(tables, reason=None)
    assert "Ratings: bundled counts (as configured)." in caption("figure_3", tables)
    set_origin(tables, source_used="download")
    real = caption("figure_3", tables)
    assert "bundled" not in real
    assert "download of MovieLens 1M" in real


def test_captions_follow_the_interpretations(tables_for: TablesOf) -> None:
    tables = {figure: tables_for(figure) for figure in ("figure_1", "figure_3", "figure_4")}
    assert "in each replicate" in caption("figure_1", tables["figure_1"])
    once = caption("figure_1", tables["figure_1"], means="once")
    assert "drawn once" in once
    assert "drawn means" not in once
    assert "rating/highest" in caption("figure_3", tables["figure_3"], movielens_rewards="fraction")
    assert "Gaussian" in caption("figure_4", tables["figure_4"])
    assert "Bernoulli" in caption("figure_4", tables["figure_4"], setting_4_rewards="bernoulli")


def test_a_caption_counts_the_points_at_which_the_hard_threshold_leads(
    tables_for: TablesOf,
) -> None:
    tables = tables_for("figure_1")
    # Those that the paper does not draw are in `theory_crossover`.
    labels = [text.get_text() for text in draw("figure_1", tables).legends[0].get_texts()]
    assert labels == [look_of(policy).label for policy in (PAPER_POLICY, "lfg", "fair_learn")]
    table = pd.read_csv(tables["summary"])
    leads = (table["policy"] == "lfg") & (table["horizon"] == table["horizon"].min())
    edit(tables["summary"], lambda t: t.assign(mean=1.0 + leads))
    said = "The hard threshold has less mean regret than Flearn at 0 of 4 points, than LFG at 2, in"
    assert said in caption("figure_1", tables)


# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
SIGHT = {
    "normal": "1 0 0 0 1 0 0 0 1",
    "deutan": "0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413 -0.011820 0.042940 0.968881",
    "protan": "0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 -0.003882 -0.048116 1.051998",
}
TO_XYZ = "0.4124564 0.3575761 0.1804375 0.2126729 0.7151522 0.0721750 0.0193339 0.1191920 0.9503041"


def matrix(text: str) -> FloatArray:
    return np.array(text.split(), dtype=np.float64).reshape(3, 3)


def lab(colour: str, sight: str) -> FloatArray:
    """Return a colour as seen, in CIE L*a*b*, where distance is what the eye distinguishes."""
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = matrix(TO_XYZ) @ np.clip(matrix(SIGHT[sight]) @ linear, 0, 1)
    xyz /= matrix(TO_XYZ).sum(axis=1)
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_are_told_apart(sight: str) -> None:
    # Those of the paper's figures; where more are drawn each has a row of its own.
    for one, other in itertools.combinations(COLOURS, 2):
        difference = lab(one, sight) - lab(other, sight)
        # Some 2 is the least that is seen side by side; thin lines need far more.
        assert np.linalg.norm(difference) > 15, (one, other)


def test_policies_are_told_apart_in_grey() -> None:
    every = [look_of(policy) for policy in POLICIES]
    assert len({(look.colour, look.marker, str(look.dashes)) for look in every}) == len(every)
    looks = every[: len(COLOURS)]
    assert len({look.marker for look in looks}) == len(looks)
    assert len({str(look.dashes) for look in looks}) == len(looks)
    # None so light that it is lost on white.
    assert all(lab(look.colour, "normal")[0] < 80 for look in looks)


def test_the_colour_of_a_policy_is_written_once() -> None:
    source = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    assert {source.count(colour) for colour in COLOURS} == {1}


def test_arms_of_figure_2_go_from_dark_to_light(tables_for: TablesOf) -> None:
    legend = draw("figure_2", tables_for("figure_2")).legends[0]
    arms = [*zip(legend.get_texts(), legend.legend_handles, strict=True)][:8]
    assert [text.get_text() for text, _ in arms] == [f"arm {k + 1}" for k in range(8)]
    colours = [to_hex(handle.get_color()) for _, handle in arms]  # type: ignore[union-attr]
    assert min(np.diff([lab(colour, "normal")[0] for colour in colours])) > 4


def test_predicted_breaks_of_figure_2_are_marked_at_zero(tables_for: TablesOf) -> None:
    tables = tables_for("figure_2")
    edit(tables["summary"], lambda t: t.assign(horizon=10_000))
    rows = pd.read_csv(tables["summary"]).query("case == 'case_1' and arm > 0")
    arms = rows.drop_duplicates("arm").sort_values("arm")
    starts = break_points(-arms["gap"], arms["fairness_fraction"], 10_000)
    expected = [pair for pair in zip(starts, arms["gap"], strict=True) if pair[1] > 0]
    assert len(expected) == 7
    first, *_ = axes = draw("figure_2", tables).axes
    marks = [line for line in first.lines if len(np.atleast_1d(line.get_xdata())) == 1]
    assert {float(np.asarray(mark.get_ydata())[0]) for mark in marks} == {0.0}
    places = [float(np.asarray(mark.get_xdata())[0]) for mark in marks]
    assert places == pytest.approx(np.ravel(expected))
    for low, high in (panel.get_ylim() for panel in axes):
        # Unfairness is never below 0.
        assert -0.05 * high < low < 0


def test_panels_say_what_the_claims_found(tables_for: TablesOf) -> None:
    tables = tables_for("figure_4")
    exponent = {"estimate": 1.0, "low": 0.98, "high": 1.02}
    set_comparisons(tables["setting_4_claims"], "C30", exponent)
    said = words(draw("figure_4", tables))
    assert "slope 1.000\n[0.980, 1.020]\n" in said
    # Of a few rounds only critical arms are off their level.
    assert said.count("too few arms\noff the level") == 3
    assert "within 0.1 of 1 (claims C29, C30)" in caption("figure_4", tables)


def test_predicted_slopes_tend_to_1(tables_for: TablesOf) -> None:
    tables = tables_for("figure_4")
    _, rows = rows_of(tables)
    held = {group: [slopes_of(table)[0] for table, _ in row] for group, row in rows.items()}
    alone = [slopes_of(table)[1] for table, _ in rows["critical"]]
    for slopes in (*held["noncritical"], *alone):
        (there,) = np.nonzero(~np.isnan(slopes))
        assert (np.diff(slopes[there]) > 0).all()
        assert 0.94 < slopes[-1] < 1
    # At large T the level is above what exploration takes of critical arms.
    assert all(np.isnan(slopes[-1]) for slopes in held["critical"])
    assert "arms at T = 10⁷: 0.9" in caption("figure_4", tables)


@pytest.mark.parametrize("column", [False, True])
def test_axes_of_figure_4_and_arms_not_used(tables_for: TablesOf, *, column: bool) -> None:
    tables = tables_for("figure_4")
    used = {"arms": [2, 3, 4, 5], "used": [False, True, True, True], "factor": 20.0}
    set_comparisons(tables["setting_4_claims"], "C30", {"values": used})
    drawing = draw_figure(EVERY_FIGURE["figure_4"], tables, column=column)
    faces = {}
    for axes in drawing.axes:
        low, high = axes.get_xlim()
        assert sum(low <= tick <= high for tick in axes.get_xticks()) >= 3
        points = (line for line in axes.lines if line.get_marker() == "o")
        faces[axes.get_title("left")[:3]] = {line.get_markerfacecolor() for line in points}
    hollow, full, none = {"white"}, {look_of(PAPER_POLICY).colour}, set()
    of_panels = [faces[letter] for letter in sorted(faces)]
    # The fourth and the last have slopes against T: measured ones are full.
    assert of_panels == [hollow, hollow, hollow, none, hollow | full, full, full, full]


@pytest.mark.parametrize(
    ("limits", "few", "ticks"),
    [
        ((6, 560), False, [10, 20, 50, 100, 200, 500]),
        ((6, 560), True, [10, 30, 100, 300]),
        ((4, 3000), True, [10, 100, 1000]),
        ((119, 560), False, [200, 300, 500]),
        ((110, 310), False, [150, 200, 300]),
    ],
)
def test_plain_ticks(limits: tuple[float, float], ticks: list[float], *, few: bool) -> None:
    axes = plt.figure().add_subplot()
    axes.set_xscale("log")
    axes.set_xlim(*limits)
    plain_ticks(axes.xaxis, few=few)
    found = [tick for tick in axes.get_xticks() if limits[0] <= tick <= limits[1]]
    assert found == pytest.approx(ticks)


@pytest.mark.parametrize("case", ["noncritical_1", "critical_1"])
def test_arms_of_a_panel(tables_for: TablesOf, case: str) -> None:
    given, critical = CONFIG.section("setting_4").cases[case], case == "critical_1"
    table = pd.read_csv(tables_for("figure_4")["summary"]).query("metric == 'pulls'")
    found = arms_of(table[table["case"] == case]).dropna(subset="x")
    gaps = max(given.means) - np.array(given.means)
    # The best arm has no gap.
    chosen = (gaps > 0) & (gaps <= given.penalty) if critical else gaps > given.penalty
    assert found["arm"].tolist() == (np.flatnonzero(chosen) + 1).tolist()
    distance = gaps[chosen] - (0 if critical else given.penalty)
    assert found["x"].to_numpy() == pytest.approx(1 / distance**2)
    assert found["level"].unique() == pytest.approx(0.05 * 300)


def test_a_case_without_such_arms_is_drawn_empty(tables_for: TablesOf) -> None:
    # The config lets a case of the upper row have a penalty rate above every gap.
    tables = tables_for("figure_4")
    edit(tables["summary"], lambda t: t.assign(penalty_rate=0.95))
    assert words(draw("figure_4", tables)).count("no such arms") == 3


def test_gains_are_drawn_in_per_cent_with_their_bands(tables_for: TablesOf) -> None:
    tables = tables_for("figure_5")
    drawing = draw("figure_5", tables)
    gains = [gain for claim in claims_of(tables) for gain in claim.facts["gains"]]
    # Gains under three laws share a panel.
    (axes,) = drawing.axes
    assert len(gains) == 9
    for gain in gains:
        colour, at = look_of(gain["rival"]).colour, 100 * np.array(gain["estimate"])
        curves = [line.get_ydata() for line in axes.lines if line.get_color() == colour]
        assert any(curve == pytest.approx(at) for curve in curves), gain["case"]
    # A band for each rival and law, and what is negligible.
    assert len(axes.collections) + len(axes.patches) == 10
    assert "(claims C" in caption("figure_5", tables)


def test_the_title_names_who_earns_more(tables_for: TablesOf) -> None:
    tables = tables_for("figure_3")
    measured = Path(tables["setting_3_claims"])
    results = json.loads(measured.read_text("utf-8"))
    ahead = "The hard threshold earns more than each rival, by 1.0 to 3.0 % of the frontier's range"
    behind = "With 13 movies LFG (as published) earns more than the hard threshold, by up to 3.0 %"
    mixed = "The hard threshold's gain is −1.0 to 3.0 % of the frontier's range"
    for ends, said in ({0.01: ahead, -0.03: behind, -0.01: mixed}).items():
        for result in results:
            rival, least = ("lfg_original", ends) if result["id"] == "C28L" else ("lfg", 0.01)
            most = 0.03 if said != behind or rival == "lfg" else -0.01
            gain = {"case": "m0_2500", "rival": rival, "levels": [1.0, 2.0]}
            gain |= {end: [least, most] for end in ("low", "estimate", "high")}
            result["facts"]["gains"] = [gain]
        measured.write_text(json.dumps(results), encoding="utf-8")
        assert caption("figure_3", tables).startswith(f"**Figure 3. {said}")
    text = caption("figure_3", tables)
    assert re.search(r"\(1 %: [\d.]+.* of reward\)", text)


@pytest.mark.parametrize("figure", ["figure_3", "figure_5_panels"])
def test_points_below_the_panels_are_counted(tables_for: TablesOf, figure: str) -> None:
    tables = tables_for(figure)
    table = pd.read_csv(tables["summary"])
    of_lfg = (table["policy"] == "lfg") & (table["tuning"] > table["tuning"].median())
    for metric, value in (("expected_reward", 7.0), ("unfairness", 0.0)):
        table.loc[of_lfg & (table["metric"] == metric), "mean"] = value
    count = (of_lfg & (table["metric"] == "unfairness")).sum()
    edit(tables["summary"], lambda _: table)
    said = f"Cut off below the curves: {count} points of LFG, rewards from 7, "
    assert count > 1
    assert said in caption(figure, tables)


def test_a_tail_of_less_reward_is_cut_off() -> None:
    points = {"unfairness": [0, 1, 2, 500], "reward": [1.0, 50, 90, 95], "reward_half": [0] * 4}
    curve = pd.DataFrame(points)
    assert lowest(curve, 10.0) == 90
    assert lowest(curve, 0.5) == 1
    assert lowest(curve.assign(reward=[1.0, 50, 90, 60]), 10.0) == 60
