"""What regret is made of: parts that add up, and are those of eq. (10)."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from figure_helpers import HARD, PENALTIES, draw, run, summary, tables_for, values, words
from penalized_bandits.bandit.regret import penalized_regret, shortfall
from penalized_bandits.figures.regret_decomposition import PARTS, decomposed, parts_of


def test_parts_of_the_regret_add_up(tmp_path: Path) -> None:
    tables = tables_for("regret_decomposition", tmp_path)
    found = decomposed(tables)
    # Of each setting one case; none whose means are drawn anew.
    assert list(found) == ["setting_2_case_1", "movies_m0_2500"]
    for _, parts in found.values():
        regret = parts["total"].to_numpy()
        assert parts[list(PARTS)].sum(axis=1).to_numpy() == pytest.approx(regret)
        shares = parts.set_index("policy")["critical arms: penalty"].to_numpy() / regret
        wanted = parts["policy"].map(PENALTIES).to_numpy()
        assert shares == pytest.approx(wanted)
        assert (parts["optimal arms: penalty"] == 0).all()


def test_parts_of_the_regret_are_those_of_single_pulls() -> None:
    # Against eq. (10) itself, with the counts of one run of a bandit with all classes of arms.
    bandit = ([0.9, 0.9, 0.7, 0.6, 0.2], [0.1, 0.2, 0.1, 0.1, 0.2], [0.5, 0.3, 0.4, 0.5, 0.3])
    counts = np.array([50, 30, 5, 13, 2])
    means, fairness, penalties = map(np.asarray, bandit)
    regret = float(penalized_regret(counts, means, fairness, penalties))
    short = shortfall(counts, fairness, 100)
    known = {"pulls": counts, "arm_unfairness": short}
    rows = run("case", HARD, 100, values(regret), bandit, **known)
    (parts,) = parts_of(summary(iter(rows), "crossover")).to_dict("records")
    assert sum(parts[name] for name in PARTS) == pytest.approx(regret)
    assert parts["optimal arms: penalty"] == pytest.approx(0.0)
    assert parts["critical arms: penalty"] == pytest.approx((0.4 - 0.2) * 5)
    assert parts["critical arms: over-pulling"] == pytest.approx(0.3 * 3)
    assert parts["non-critical arms: over-pulling"] == pytest.approx((0.7 - 0.3) * 2)


def test_without_fixed_means_nothing_is_decomposed(tmp_path: Path) -> None:
    tables = tables_for("regret_decomposition", tmp_path)
    for name in ("crossover", "movie_crossover"):
        table = pd.read_csv(tables[name])
        table.loc[table["metric"] == "pulls", "mean"] += 1.0
        table.to_csv(tables[name], index=False)
    assert "no bandits with fixed means" in words(draw("regret_decomposition", tables))
