"""Verdicts of a set's scenarios beside the paper's."""

import numpy as np
import pytest

from penalized_bandits.claims.joined.verdicts import NEEDED, dependent, is_published, verdicts_table
from penalized_bandits.claims.parts import above, below
from penalized_bandits.claims.results import ClaimResult
from result_factories import result

HOLDS, FAILS = below((1.0, 0.5, 1.5), 2.0, case="a"), below((5.0, 4.0, 6.0), 2.0, case="a")
OTHER = above((0.5, 0.2, 0.9), 1.0, case="b")
CHANGES = {"lfg": "readings.lfg: original", "seed_1": "seed: 1"}
PAPER = [result("C07", HOLDS, verdict="reproduced"), result("C25", HOLDS, verdict="reproduced")]


def failed(name: str) -> ClaimResult:
    return result(name, FAILS, verdict="not reproduced")


def test_a_changed_verdict_is_beside_the_papers() -> None:
    scenarios = {"lfg": [failed("C07"), PAPER[1]], "seed_1": [failed("C07")]}
    table = verdicts_table(PAPER, scenarios, CHANGES)
    assert set(NEEDED) <= set(table.columns)
    assert table["scenario"].to_list() == ["lfg", "lfg", "seed_1"]
    changed, same, _ = table.to_dict("records")
    assert (changed["verdict"], changed["paper_verdict"]) == ("not reproduced", "reproduced")
    assert [changed[name] for name in ("estimate", "ci_low", "ci_high")] == [5, 4, 6]
    assert [changed[name] for name in ("hold", "fail", "undecided")] == [0, 1, 0]
    assert (changed["part"], changed["paper_estimate"]) == ("a", 1.0)
    assert (changed["changed"], same["changed"]) == (True, False)
    texts = [f"{changes}: not reproduced" for changes in CHANGES.values()]
    assert dependent(table) == {"C07": texts}


@pytest.mark.parametrize(
    ("scenario", "paper_verdict", "changed"),
    [
        # A claim that the paper's run lacks, a part that it lacks, and a claim without parts.
        (failed("C24"), "", False),
        (result("C07", OTHER, verdict="not reproduced"), "reproduced", True),
        (result("C07", verdict="not measured"), "reproduced", True),
    ],
)
def test_what_has_no_counterpart_in_the_papers_run(
    scenario: ClaimResult, paper_verdict: str, changed: bool
) -> None:
    table = verdicts_table(PAPER, {"lfg": [scenario]}, CHANGES)
    (row,) = table.to_dict("records")
    assert np.isnan(table["paper_estimate"].astype(float)).all()
    assert (row["paper_verdict"], row["changed"]) == (paper_verdict, changed)
    assert list(dependent(table)) == [scenario.id] * changed


def test_a_published_table_is_known_by_its_place() -> None:
    assert is_published("docs/published/readings.csv")
    assert not is_published("results/scenarios/readings.csv")
