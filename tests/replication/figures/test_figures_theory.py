"""Figures of the theory and of the claims table."""

import math
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest

from figure_helpers import TablesOf, caption, draw, edit, set_comparisons, words
from outcome_factories import outcome
from penalized_bandits.theory.fluid import predicted_regret
from penalized_replication.claims.base import Verdict
from penalized_replication.experiments.base import Interpretations
from penalized_replication.figures import theory_crossover
from penalized_replication.figures.base import bandit_of
from penalized_replication.figures.regret_decomposition import PARTS, decomposed, parts_of
from penalized_replication.figures.sensitivity import INTERPRETATIONS, SHADES
from penalized_replication.figures.theory_log_t import LEAST, MEETS, ratios
from penalized_replication.pages.render import written
from penalized_replication.summaries import summarize


def test_what_instances_break_of_the_conditions(tables_for: TablesOf) -> None:
    tables = tables_for("theory_log_t")
    # At larger horizons more of them meet the conditions.
    pd.read_csv(tables["log_laws"]).query("horizon <= 2800").to_csv(tables["log_laws"], index=False)
    table = ratios(tables)
    assert table["group"].iloc[0].startswith(MEETS)
    found = dict(zip(table["instance"], table["group"], strict=True))
    expected = {
        "two_arms": f"{MEETS}some Δ > A",
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


def test_measured_over_predicted(tables_for: TablesOf) -> None:
    tables = tables_for("theory_log_t")
    found = ratios(tables)
    rows = found[found["instance"] == "ties"]
    runs = pd.read_csv(tables["log_laws"]).query("instance == 'ties'")
    predicted = [float(predicted_regret(bandit_of(runs), t)) for t in rows["horizon"]]
    measured = rows["mean"].to_numpy() / predicted
    assert rows["ratio"].to_numpy() == pytest.approx(
        np.where(rows["fluid"] >= LEAST, measured, np.nan), nan_ok=True
    )
    assert rows["ratio"].notna().any()
    # A panel for each group, with the points of its instances that have a scale.
    drawing, scaled = draw("theory_log_t", tables), found.dropna(subset="ratio")
    titles = [axes.get_title("left")[4:] for axes in drawing.axes if axes.axison]
    assert titles == list(dict.fromkeys(found["group"]))
    panel = drawing.axes[titles.index(rows["group"].iloc[0])]
    drawn = [np.array(line.get_ydata(), float) for line in panel.lines]
    assert any(y.tolist() == rows["ratio"].dropna().tolist() for y in drawn)
    ends = f"{scaled['ratio'].min():.2f} to {scaled['ratio'].max():.2f} times"
    assert ends in caption("theory_log_t", tables)


def test_growth_of_the_worst_case_beside_its_guides(tables_for: TablesOf) -> None:
    drawing = draw("theory_exponents", tables_for("theory_exponents"))
    said = words(drawing)
    for guide in ("√T\n", "T^(2/3)"):
        assert said.count(guide) == 1
    # Of each policy the largest regret at each horizon.
    assert len(drawing.axes[0].containers) == 3


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ((42_929.3, 34_401.8, 59_175.7, "holds", "overtakes"), "overtakes at T = 42,900 [34,400"),
        ((math.nan, 0, 1000, "holds", "always ahead"), "always ahead by T = 1,000,000"),
        ((3000.0, 0.0, math.inf, "undecided", "is overtaken"), "is overtaken at T = 3,000\n"),
    ],
)
def test_crossings_are_marked(tables_for: TablesOf, found: tuple[Any, ...], said: str) -> None:
    tables = tables_for("theory_crossover")
    at, low, high, status, change = found
    crossing = {"estimate": at, "low": low, "high": high, "status": status, "reason": ""}
    crossing |= {"values": {"change": change, "last": 1_000_000}}
    set_comparisons(tables["crossover_claims"], "C34", crossing, {"status": "undecided"})
    drawing = draw("theory_crossover", tables)
    assert "(a) K = 5, τ = 0.2\n" in words(drawing)
    assert said in words(drawing)
    assert "T ≤ 16,000" in [text.get_text() for text in drawing.legends[0].get_texts()]
    places = [np.array(x.get_xdata(), float).tolist() for a in drawing.axes for x in a.lines]
    assert sum({*place} == {at} for place in places) == (not math.isnan(at))
    up_to = "UCB1 has less mean regret up to T = 42,900"
    assert (up_to in caption("theory_crossover", tables)) == (change == "overtakes")


def test_shares_of_draws_and_the_lower_bound(tables_for: TablesOf) -> None:
    tables = tables_for("theory_crossover")
    draws = theory_crossover.draws_of(*tables["crossover_replicates"])
    cell = draws[(draws["case"] == "K5_tau0.2") & (draws["horizon"] == 1000)]
    ours, theirs = (cell[cell["policy"] == policy] for policy in theory_crossover.PAIR)
    # Both policies meet the same draws.
    same = ["replicate", "bound", "worth"]
    assert ours[same].to_numpy().tolist() == theirs[same].to_numpy().tolist()
    table = pd.read_csv(tables["crossover"]).query("case == 'K5_tau0.2' and horizon == 1000")
    mean = table.query("metric == 'penalized_regret' and policy == 'ucb1'")["mean"].item()
    assert theirs["regret"].mean() == pytest.approx(mean)
    assert 0 < ours["bound"].mean() < ours["regret"].mean()
    shares = draw("theory_crossover", tables).axes[2]
    assert shares.get_title("left") == "(c) hard threshold ahead, τ = 0.2"
    ahead = 100 * (ours["regret"].to_numpy() < theirs["regret"].to_numpy()).mean()
    assert np.asarray(shares.lines[0].get_ydata(), float)[-1] == pytest.approx(ahead)
    never = 100 * (1 - ours["worth"].mean())
    assert (f"{never:.1f}" if never else "") in caption("theory_crossover", tables).partition(
        " % of draws"
    )[0]


def test_where_the_paper_stops(tables_for: TablesOf, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = tables_for("theory_crossover")
    for ends, stops in ((300, True), (16_000, False)):
        monkeypatch.setattr(theory_crossover, "FIGURE_1_ENDS", ends)
        example = theory_crossover.draw(tables, column=True)
        assert ("the paper\nstops here" in words(example)) is stops


def verdicts() -> pd.DataFrame:
    """Return a table in which three verdicts change, one of them in how many comparisons fail."""
    log, lfg = ("log_of", "interpretations.log_of: n-1"), ("lfg", "interpretations.lfg: original")
    found = [
        (*log, "C01", "holds", "holds", False),
        (*log, "C02", "undecided", "holds", True),
        (*log, "C03", "holds in part", "holds in part", True),
        (*lfg, "C03", "fails", "holds in part", True),
        (*lfg, "C04", "fails", "fails", False),
    ]
    columns = ["scenario", "changes", "id", "verdict", "paper_verdict", "changed"]
    return pd.DataFrame(found, columns=columns).assign(fail=2)


def test_verdicts_that_change(tables_for: TablesOf) -> None:
    tables = tables_for("sensitivity")
    edit(tables["verdicts"], lambda _: verdicts())
    (axes,) = draw("sensitivity", tables).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["C02", "C03"]
    heads = [label.get_text() for label in axes.get_xticklabels()]
    assert heads == ["default", "log(n − 1)\nin the index", "LFG as first\npublished"]
    cells = [text.get_text() for text in axes.texts]
    assert cells == ["holds", "undecided", "holds in part", "holds in part, 2 fail", "fails"]
    text = caption("sensitivity", tables)
    assert "at a time, each simulated with all replicates: log(n − 1) in the index (R1) and" in text
    assert "Another verdict, or comparisons that fail which held, in 3 of 5 pairs" in text
    assert "of claim and alternative interpretation: C02 and C03." in text


def test_every_interpretation_has_words_and_every_verdict_a_colour() -> None:
    usual, fields = Interpretations().model_dump(), Interpretations.model_fields.items()
    values = ((name, value) for name, field in fields for value in get_args(field.annotation))
    others = {f"interpretations.{n}: {value}" for n, value in values if usual[n] != value}
    assert set(INTERPRETATIONS) == others
    assert list(SHADES) == list(get_args(Verdict))
    # In the colours of the page.
    css = written("page.css").lower()
    assert all(f": {colour.lower()};" in css for colour in SHADES.values())


def test_no_verdict_changes(tables_for: TablesOf) -> None:
    tables = tables_for("sensitivity")
    edit(tables["verdicts"], lambda t: t.assign(changed=False))
    assert "no verdict changes" in words(draw("sensitivity", tables))
    assert caption("sensitivity", tables).startswith("**No verdict changes in ")


def test_parts_of_the_regret_add_up(tables_for: TablesOf) -> None:
    found = decomposed(tables_for("regret_decomposition"))
    # Of each setting one case; none whose means are drawn anew.
    assert list(found) == ["setting_2_case_1", "setting_4_noncritical_1", "movies_m0_2500"]
    for _, parts in found.values():
        regret = parts["total"].to_numpy()
        assert parts[list(PARTS)].sum(axis=1).to_numpy() == pytest.approx(regret)
        assert (parts[list(PARTS)] >= 0).all(axis=None)


def test_parts_of_the_regret_are_those_of_single_pulls() -> None:
    # Against eq. (10) itself, with the counts of one run of a bandit with all classes of arms.
    bandit = ([0.9, 0.9, 0.7, 0.6, 0.2], [0.1, 0.2, 0.1, 0.1, 0.2], [0.5, 0.3, 0.4, 0.5, 0.3])
    run = outcome(np.array([[30, 5, 13, 2]]), 100, *bandit)
    table = summarize("crossover", [run])
    (parts,) = parts_of(table).to_dict("records")
    regret = table.loc[table["metric"] == "penalized_regret", "mean"].item()
    assert sum(parts[name] for name in PARTS) == pytest.approx(regret)
    # The third arm lacks 5 pulls, the fourth has 3 above its level, the fifth is not worth its 2.
    assert parts["missed shares"] == pytest.approx((0.4 - 0.2) * 5)
    assert parts["exploration"] == pytest.approx(0.3 * 3 + (0.7 - 0.3) * 2)


def test_without_fixed_means_nothing_is_decomposed(tables_for: TablesOf) -> None:
    tables = tables_for("regret_decomposition")
    for name in ("crossover", "movie_crossover"):
        edit(tables[name], lambda t: t.assign(mean=t["mean"] + (t["metric"] == "pulls")))
    assert "no bandits with fixed means" in words(draw("regret_decomposition", tables))
