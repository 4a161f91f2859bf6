"""Figures of the theory and of the ledger."""

import math
import re
from typing import get_args

import numpy as np
import pandas as pd
import pytest

from figure_helpers import Tables, TablesOf, caption, draw, edit, set_parts, words
from outcome_factories import outcome
from penalized_bandits.theory.bounds import log_slopes
from penalized_bandits.theory.deficits import deficit_coefficients
from penalized_bandits.theory.fluid import predicted_regret
from penalized_replication.claims.base import Verdict
from penalized_replication.claims.horizon_series import SETTLED
from penalized_replication.experiments.base import Readings
from penalized_replication.figures.base import claim_of
from penalized_replication.figures.regret_decomposition import PARTS, decomposed, parts_of
from penalized_replication.figures.sensitivity import MARKS, READINGS
from penalized_replication.figures.theory_instances import LawInstance, bandit_of, law_instances
from penalized_replication.figures.theory_maximal import deficits_of
from penalized_replication.pages.render import written
from penalized_replication.storage.summaries import read_summary
from penalized_replication.summaries.tables import summarize

# --- Laws in log T -----------------------------------------------------------------


def instances(tables: Tables) -> dict[str, LawInstance]:
    """Return the instances of ``log_laws`` by name."""
    found = law_instances(read_summary(tables["log_laws"]))
    return {one.rows["instance"].iloc[0]: one for one in found}


def test_what_instances_break_of_the_conditions(tables_for: TablesOf) -> None:
    found = {name: one.broken for name, one in instances(tables_for("theory_log_t")).items()}
    expected = {
        "two_arms": "",
        "unequal": "breaks (i)",
        "regular": "breaks (ii)",
        "ties": "breaks (i) and (ii)",
        "least_margin": "A depends on T",
        "tau_power_050": "τ depends on T",
    }
    assert found | expected == found
    # 0.9 - 0.6 is more than 0.3, which is rounding: the arm's rate is at its gap.
    arms = {"arm": [1, 2], "gap": [0.0, 0.9 - 0.6], "penalty_rate": [1.0, 0.3]}
    assert bandit_of(pd.DataFrame({**arms, "fairness_fraction": 0.1})).critical[1]


def test_slopes_are_said_with_the_bounds(tables_for: TablesOf) -> None:
    tables = tables_for("theory_log_t")
    drawing = draw("theory_log_t", tables)
    # In the table another one, which breaks a condition, comes first.
    assert next(iter(instances(tables))) == "regular"
    assert "(a) two arms" in drawing.axes[0].get_title("left")
    one = instances(tables)["two_arms"]
    # The dashed line is the fluid prediction.
    (dashed,) = (line for line in drawing.axes[0].lines if line.get_linestyle() == "--")
    predicted = [float(predicted_regret(one.bandit, t)) for t in one.horizons]
    assert np.asarray(dashed.get_ydata()) == pytest.approx(predicted)
    limits = log_slopes(one.bandit)
    said = words(drawing)
    assert f"slope with 1: {limits.lower.sum():.3g}, with 8: {limits.upper.sum():.3g}" in said
    assert said.count("slope with") == sum(one.fixed for one in instances(tables).values())
    # They are not bounds of these bandits.
    assert "bounds" not in said


def test_a_panel_that_is_not_yet_logarithmic_says_so(tables_for: TablesOf) -> None:
    *_, half, three_quarters = draw("theory_log_t", tables_for("theory_log_t")).axes
    assert "τ power 0.50" in half.get_title("left")
    assert "τT: not yet log T" in half.texts[0].get_text()
    assert "log T" not in three_quarters.texts[0].get_text()


def deficits(table: pd.DataFrame, arm: int, instance: str = "") -> pd.Series:
    """Return the rows on the largest deficit of an arm."""
    chosen = (table["metric"] == "max_deficit") & (table["arm"] == arm)
    return chosen & table["case"].str.startswith(instance)


def later(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table in which all horizons but the first are 100 times as long."""
    first = table["horizon"] == table["horizon"].min()
    return table.assign(horizon=table["horizon"].where(first, 100 * table["horizon"]))


def test_deficits_are_held_against_the_bound(tables_for: TablesOf) -> None:
    tables = tables_for("theory_maximal")
    edit(tables["log_laws"], later)
    ratios, *_ = draw("theory_maximal", tables).axes
    assert ratios.get_xscale() == "log"
    one = instances(tables)["regular"]
    found = deficits_of(one)
    # Arms 4 and 5 are to be left below their levels.
    assert found["arm"].tolist() == np.repeat([1, 2, 3], len(one.horizons)).tolist()
    coefficients = deficit_coefficients(one.bandit)[:3]
    bounds = np.log(one.horizons) * coefficients[:, None]
    assert found["bound"].to_numpy().reshape(3, -1) == pytest.approx(bounds)
    found = found[found["decides"]]
    expected = (found["mean"] / found["bound"]).groupby(found["arm"]).max()
    place = [label.get_text() for label in ratios.get_yticklabels()].index("regular")
    drawn_at = [np.array(line.get_data(), dtype=float) for line in ratios.lines]
    points = [at[0, 0] for at in drawn_at if at.size == 2 and at[1, 0] == place]
    assert sorted(points) == pytest.approx(sorted(expected[expected > 0]))


def test_the_caption_of_deficits_speaks_of_the_bounds_that_decide_c11(tables_for: TablesOf) -> None:
    tables = tables_for("theory_maximal")

    def changed(table: pd.DataFrame) -> pd.DataFrame:
        # A level below the bound makes it vacuous; before T = 10,000 C11 does not look.
        aside = deficits(table, 2, "regular") | (table["horizon"] < SETTLED)
        table.loc[
            table["case"].str.startswith("regular") & (table["arm"] == 2), "fairness_fraction"
        ] = 0.001
        table.loc[aside & (table["metric"] == "max_deficit"), ["mean", "ci_high"]] *= 10_000
        return table

    edit(tables["log_laws"], later)
    text = caption("theory_maximal", tables)
    ((before, most),) = re.findall(r"(at most (\S+) %.* \(claim C11)", text)
    edit(tables["log_laws"], changed)
    assert before in caption("theory_maximal", tables)
    lines = draw("theory_maximal", tables).axes[0].lines
    places = [np.array(line.get_xdata(), float) for line in lines]
    assert max(x[0] for x in places if x.size == 1) <= float(most) / 100


def test_each_panel_of_deficits_has_an_axis_of_its_own(tables_for: TablesOf) -> None:
    tables = tables_for("theory_maximal")

    def changed(table: pd.DataFrame) -> pd.DataFrame:
        ends = ["mean", "ci_low", "ci_high"]
        table.loc[table["metric"] == "max_deficit", ends] = 0.2
        table.loc[deficits(table, 1, "regular"), ends] = 251.7
        return table

    edit(tables["log_laws"], changed)
    _, *paths = draw("theory_maximal", tables).axes
    found = {axes.get_title("left")[4:]: axes for axes in paths}
    large = found.pop("regular")
    assert large.get_yscale() == "symlog"
    assert large.get_ylim()[1] > 250
    for axes in found.values():
        low, high = axes.get_ylim()
        assert axes.get_yscale() == "linear"
        assert low < 0 < 0.2 < high < 1


def test_deficits_that_the_start_forces_are_hollow(tables_for: TablesOf) -> None:
    tables = tables_for("theory_maximal")

    def changed(table: pd.DataFrame) -> pd.DataFrame:
        # One pull of the first arm leaves the second short of its fraction.
        table.loc[deficits(table, 2), ["mean", "ci_low", "ci_high"]] = 0.01
        return later(table)

    edit(tables["log_laws"], changed)
    lines = draw("theory_maximal", tables).axes[0].lines
    assert {x.get_markerfacecolor() for x in lines if x.get_marker() == "s"} == {"white"}


# --- Worst cases, lower bounds, crossings ------------------------------------------


def test_growth_of_the_worst_case_beside_its_guides(tables_for: TablesOf) -> None:
    drawing = draw("theory_exponents", tables_for("theory_exponents"))
    said = words(drawing)
    for guide in ("T$^{1/2}$", "T$^{2/3}$"):
        assert said.count(guide) == 1
    # Of each policy the largest regret at each horizon.
    assert len(drawing.axes[0].containers) == 3


def test_ratios_to_lower_bounds(tables_for: TablesOf) -> None:
    tables = tables_for("theory_lower_bounds")
    claims = tables["small_studies_claims"]
    for claim in ("C16", "C17"):
        set_parts(claims, claim, {}, {"status": "holds"})
    *deterministic, policies = draw("theory_lower_bounds", tables).axes
    for axes, claim, limit in zip(deterministic, ("C16", "C17"), (2, 3), strict=True):
        parts = claim_of(tables, "small_studies_claims", claim).parts
        lines = [np.asarray(line.get_ydata()) for line in axes.lines]
        assert any(line == pytest.approx([p.estimate for p in parts]) for line in lines)
        assert any(len(line) == 2 and line == pytest.approx(limit) for line in lines)
        # At the first horizon the proof assumes too much.
        (hollow,) = (line for line in axes.lines if line.get_markerfacecolor() == "white")
        assert np.asarray(hollow.get_xdata()).tolist() == [parts[0].horizon]
    # In (c) the ratios of the policies; the best of all policies is not drawn.
    parts = [p for p in claim_of(tables, "small_studies_claims", "C18").parts if p.policy]
    assert len(policies.containers) == len({part.policy for part in parts})
    lines = [np.asarray(line.get_ydata()) for line in policies.lines]
    for policy in {part.policy for part in parts}:
        ratios = [part.estimate for part in parts if part.policy == policy]
        assert any(line == pytest.approx(ratios) for line in lines), policy
    assert "limit is 2 in (a) and 3 in (b)" in caption("theory_lower_bounds", tables)


def test_crossings_are_marked(tables_for: TablesOf) -> None:
    tables = tables_for("theory_crossover")
    found = (
        (42_929.3, 34_401.8, 59_175.7, "holds", "overtakes"),
        (math.nan, 0, 1000, "holds", "always ahead"),
        (3000.0, 0.0, math.inf, "undecided", "is overtaken"),
        (math.nan, 1e6, math.inf, "undecided", "not yet"),
    )
    parts = [
        {"estimate": at, "low": low, "high": high, "status": status, "reason": ""}
        | {"values": {"change": change, "last": 1_000_000}}
        for at, low, high, status, change in found
    ]
    set_parts(tables["crossover_claims"], "C34", *parts)
    # C36 is another claim.
    set_parts(tables["crossover_claims"], "C36", {}, parts[0])
    drawing = draw("theory_crossover", tables)
    said = words(drawing)
    assert "(a) K = 5, τ = 0.2\n" in said
    assert "T = 42,900 [34,400, 59,200]" in said
    assert "always ahead by T = 1,000,000" in said
    assert "T = 3,000, is overtaken" in said
    assert "not yet by T = 1,000,000" in said
    # Panels beyond (f) are of bandits that Figure 1 does not have.
    assert "T ≤ 16,000" in [text.get_text() for text in drawing.legends[0].get_texts()]
    places = [np.array(x.get_xdata(), float).tolist() for a in drawing.axes for x in a.lines]
    assert sum({*place} == {42_929.3} for place in places) == 1
    assert "It lies between 42,900 and 42,900" in caption("theory_crossover", tables)


# --- Sensitivity -------------------------------------------------------------------


def verdicts(claims: int = 4) -> pd.DataFrame:
    """Return a table in which two verdicts change."""
    log, lfg = ("log_of", "readings.log_of: n-1"), ("lfg", "readings.lfg: original")
    found = [
        (*log, "C01", "reproduced", "reproduced"),
        (*log, "C02", "undecided", "reproduced"),
        (*log, "C03", "partly", "partly"),
        (*lfg, "C03", "not reproduced", "partly"),
        (*lfg, "C04", "not reproduced", "not reproduced"),
        *((*lfg, f"C{i:02}", "partly", "partly") for i in range(5, claims + 1)),
    ]
    table = pd.DataFrame(found, columns=["scenario", "changes", "id", "verdict", "paper_verdict"])
    return table.assign(changed=table["verdict"] != table["paper_verdict"])


def test_verdicts(tables_for: TablesOf) -> None:
    tables = tables_for("sensitivity")
    edit(tables["verdicts"], lambda _: verdicts())
    (axes,) = draw("sensitivity", tables).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["C01", "C02", "C03", "C04"]
    heads = [label.get_text() for label in axes.get_xticklabels()]
    assert heads == ["default", "log(n − 1)\nin the index", "LFG as first\npublished"]
    points = [line for line in axes.lines if line.get_linestyle() == "None"]
    marks = {tuple(float(p) for (p,) in np.array(line.get_data())): line for line in points}
    assert marks[1, 1].get_markerfacecolor() == MARKS["undecided"]["markerfacecolor"]
    shown = [marks[place].get_marker() for place in ((2, 2), (0, 2), (1, 3))]
    assert shown == [*(MARKS[v]["marker"] for v in ("not reproduced", "partly")), "."]
    changed = [patch.get_gid() for patch in axes.patches if patch.get_gid()]
    assert changed == ["changed C02 log_of", "changed C03 lfg"]
    text = caption("sensitivity", tables)
    assert "at a time: log(n − 1) in the index (R1) and LFG as first published (R13)." in text
    assert "another verdict (C02, C03)." in text


def test_every_reading_has_words_and_every_verdict_a_mark() -> None:
    usual, fields = Readings().model_dump(), Readings.model_fields.items()
    values = ((name, value) for name, field in fields for value in get_args(field.annotation))
    assert set(READINGS) == {f"readings.{n}: {value}" for n, value in values if usual[n] != value}
    assert list(MARKS) == list(get_args(Verdict))
    # In the colours of the page, and different in grey.
    css = written("page.css").lower()
    assert all(f": {mark['color'].lower()};" in css for mark in MARKS.values())
    looks = {(mark["marker"], mark["markerfacecolor"] == mark["color"]) for mark in MARKS.values()}
    assert len(looks) == len(MARKS)


def test_many_claims_are_set_in_two_blocks(tables_for: TablesOf) -> None:
    tables = tables_for("sensitivity")
    edit(tables["verdicts"], lambda _: verdicts(claims=37))
    drawing = draw("sensitivity", tables)
    assert [len(axes.get_yticks()) for axes in drawing.axes] == [19, 18]
    assert drawing.get_figheight() < 9.5


def test_no_verdict_changes(tables_for: TablesOf) -> None:
    tables = tables_for("sensitivity")
    edit(tables["verdicts"], lambda t: t.assign(changed=False))
    assert "another verdict; there is none." in caption("sensitivity", tables)


# --- What regret is made of --------------------------------------------------------


def test_parts_of_the_regret_add_up(tables_for: TablesOf) -> None:
    found = decomposed(tables_for("regret_decomposition"))
    # Of each setting one case; none whose means are drawn anew.
    assert list(found) == ["setting_2_case_1", "setting_4_noncritical_1", "movies_m0_2500"]
    for _, parts in found.values():
        regret = parts["total"].to_numpy()
        assert parts[list(PARTS)].sum(axis=1).to_numpy() == pytest.approx(regret)
        assert (parts["optimal arms: penalty"] == 0).all()


def test_parts_of_the_regret_are_those_of_single_pulls() -> None:
    # Against eq. (10) itself, with the counts of one run of a bandit with all classes of arms.
    bandit = ([0.9, 0.9, 0.7, 0.6, 0.2], [0.1, 0.2, 0.1, 0.1, 0.2], [0.5, 0.3, 0.4, 0.5, 0.3])
    run = outcome(np.array([[30, 5, 13, 2]]), 100, *bandit)
    table = summarize("crossover", [run])
    (parts,) = parts_of(table).to_dict("records")
    regret = table.loc[table["metric"] == "penalized_regret", "mean"].item()
    assert sum(parts[name] for name in PARTS) == pytest.approx(regret)
    assert parts["optimal arms: penalty"] == pytest.approx(0.0)
    assert parts["critical arms: penalty"] == pytest.approx((0.4 - 0.2) * 5)
    assert parts["critical arms: over-pulling"] == pytest.approx(0.3 * 3)
    assert parts["non-critical arms: over-pulling"] == pytest.approx((0.7 - 0.3) * 2)


def test_without_fixed_means_nothing_is_decomposed(tables_for: TablesOf) -> None:
    tables = tables_for("regret_decomposition")
    for name in ("crossover", "movie_crossover"):
        edit(tables[name], lambda t: t.assign(mean=t["mean"] + (t["metric"] == "pulls")))
    assert "no bandits with fixed means" in words(draw("regret_decomposition", tables))
