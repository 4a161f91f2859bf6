"""What regret is made of: parts that add up, and are those of eq. (10)."""

import numpy as np
import pytest

from figure_helpers import TablesOf, draw, edit, words
from outcome_factories import outcome
from penalized_replication.figures.regret_decomposition import PARTS, decomposed, parts_of
from penalized_replication.summaries.tables import summarize


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
