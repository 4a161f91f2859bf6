"""How parts are decided by their intervals, claims by their parts; scenarios beside the paper's."""

import math
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalized_replication.claims import parts as comparing
from penalized_replication.claims.base import FAR, Kind, Verdict, bound_ratio_of, verdict_of
from penalized_replication.claims.ledger.verdicts import NEEDED, dependent, verdicts_table
from penalized_replication.claims.parts import above, below
from penalized_replication.claims.results import ClaimResult
from rule_helpers import first, result

NAN, INF = math.nan, math.inf
LETTERS = {status[0]: status for status in get_args(comparing.Status)}
THEOREMS = ("theorem", "bound", "identity")


def part(status: comparing.Status, **fields: Any) -> comparing.Part:
    return comparing.Part(estimate=1.0, low=0.5, high=1.5, status=status, **fields)


def ratio(estimate: float, limit: float = 1.0) -> comparing.Part:
    return comparing.below(comparing.exact(estimate), limit)


VERDICTS: dict[str, tuple[Verdict, Verdict]] = {
    # Statuses of the parts: the verdict of a pattern, and of a theorem.
    "": ("not measured", "not measured"),
    "v": ("undecided", "undecided"),
    "h": ("reproduced", "reproduced"),
    "u": ("undecided", "undecided"),
    "f": ("not reproduced", "not reproduced"),
    "hu": ("partly", "partly"),
    "hn": ("partly", "partly"),
    "hf": ("partly", "not reproduced"),
    "uf": ("not reproduced", "not reproduced"),
    "huf": ("partly", "not reproduced"),
}


@given(
    expected=st.sampled_from(sorted(VERDICTS.items())),
    kind=st.sampled_from(get_args(Kind)),
    more=st.data(),
)
def test_verdicts_depend_on_which_statuses_there_are(
    expected: tuple[str, tuple[Verdict, Verdict]], kind: Kind, more: st.DataObject
) -> None:
    letters, verdicts = expected
    # Neither how often nor in which order; vacuous parts do not count beside others.
    again = more.draw(st.lists(st.sampled_from(letters + "v"), max_size=5)) if letters else []
    statuses = more.draw(st.permutations([*letters, *again]))
    verdict = verdict_of([part(LETTERS[letter]) for letter in statuses], kind)
    identity = kind == "identity" and letters == "h"
    assert verdict == ("identity" if identity else verdicts[kind in THEOREMS])


def test_a_bound_that_is_far_away_is_consistent() -> None:
    near, far, empty = ratio(0.9), ratio(0.4), comparing.vacuous(ratio(0.9), "above T")
    assert verdict_of([far, ratio(1 / FAR)], "bound") == "consistent"
    assert verdict_of([ratio(1 / FAR + 1e-9)], "bound") == "reproduced"
    # The nearest bound counts, of the parts that are not vacuous.
    assert verdict_of([far, near], "bound") == "reproduced"
    assert verdict_of([far, empty], "bound") == "consistent"
    assert verdict_of([far], "theorem") == verdict_of([far]) == "reproduced"
    assert bound_ratio_of([far, near, empty, ratio(1.5)]) == pytest.approx(1 / 0.9)
    assert math.isnan(bound_ratio_of([part("holds")]))


@pytest.mark.parametrize(
    ("part", "bound_ratio", "margin"),
    [
        (comparing.below((1.5, 1.4, 1.6), 1.0), 1 / 1.5, 0.5),
        (comparing.below((0.25, 0.2, 0.3), 1.0), 4.0, -0.75),
        (comparing.above((1.0, 0.9, 1.1), 2.0), 0.5, 0.5),
        (comparing.above((5.0, 4.0, 6.0), 2.0), 2.5, -1.5),
        # No ratio to a bound: a difference, a probability, two limits, a limit or an estimate of 0.
        (comparing.above((-22.0, -25.0, -19.0), 0.0, 1000.0), NAN, 0.022),
        (comparing.frequency(first(50, 100), least=0.9), NAN, 0.4),
        (comparing.within((1.25, 1.2, 1.3), 0.9, 1.1, 1.0), NAN, 0.15 / 1.1),
        (comparing.within((0.75, 0.7, 0.8), 0.9, 1.1, 1.0), NAN, 0.15 / 0.9),
        (comparing.below((3.0, 2.0, 4.0), 0.0), NAN, 3.0),
        (ratio(0.0), NAN, -1.0),
        (comparing.exactly(True, 1.0, 2.0), NAN, NAN),
    ],
)
def test_distance_from_the_limit(part: comparing.Part, bound_ratio: float, margin: float) -> None:
    assert part.bound_ratio == pytest.approx(bound_ratio, nan_ok=True)
    assert part.margin == pytest.approx(margin, nan_ok=True)


BELOW_1 = (
    *((0.0, 0.9, "h"), (0.0, 1.0, "u"), (0.9, 1.1, "u"), (1.0, 2.0, "u"), (1.1, 2.0, "f")),
    *((-INF, INF, "u"), (NAN, NAN, "u")),
)
FROM_1_TO_2 = (
    *((1.0, 2.0, "h"), (0.9, 1.5, "u"), (1.5, 2.1, "u"), (0.5, 2.5, "u"), (0.5, 1.0, "u")),
    *((0.5, 0.9, "f"), (2.1, 3.0, "f"), (NAN, NAN, "u")),
)


@pytest.mark.parametrize(("low", "high", "expected"), BELOW_1)
@pytest.mark.parametrize("estimate", [0.8, 1.2])
def test_below_mirrors_above(estimate: float, low: float, high: float, expected: str) -> None:
    assert comparing.below((estimate, low, high), 1.0).status == LETTERS[expected]
    assert comparing.above((-estimate, -high, -low), -1.0).status == LETTERS[expected]


@pytest.mark.parametrize(("low", "high", "expected"), FROM_1_TO_2)
@pytest.mark.parametrize("estimate", [0.8, 1.5])
def test_within(estimate: float, low: float, high: float, expected: str) -> None:
    assert comparing.within((estimate, low, high), 1.0, 2.0).status == LETTERS[expected]


@pytest.mark.parametrize("status", get_args(comparing.Status))
def test_vacuous_spares_no_failure(status: comparing.Status) -> None:
    kept = comparing.vacuous(part(status), "the bound exceeds T")
    assert kept.status == ("vacuous" if status == "holds" else status)
    assert kept.reason == ("the bound exceeds T" if status == "holds" else "")
    assert comparing.irrelevant(part(status), "a larger T").status == "vacuous"


@pytest.mark.parametrize(
    ("p_values", "expected"),
    [
        # Holm compares p in order with 0.05/4, 0.05/3, 0.05/2, 0.05: the second stops it.
        ([0.012, 0.02, 0.02, 0.9], "huuu"),
        ([0.012, 0.016, 0.02, 0.04], "hhhh"),
        ([0.04, 0.02, 0.016, 0.012], "hhhh"),
        ([0.02], "h"),
        ([], ""),
    ],
)
def test_families_are_decided_by_holm_in_both_ways(p_values: list[float], expected: str) -> None:
    parts = [part("undecided", case=str(i)) for i in range(len(p_values))]
    pairs = list(zip(parts, p_values, strict=True))
    hold = comparing.by_p_values([replace(one, p_holds=p, p_fails=1.0) for one, p in pairs])
    fail = comparing.by_p_values([replace(one, p_holds=1.0, p_fails=p) for one, p in pairs])
    assert "".join(p.status[0] for p in hold) == expected
    assert "".join(p.status[0] for p in fail) == expected.replace("h", "f")
    assert [p.case for p in hold] == [p.case for p in parts]


def test_the_headline_is_the_part_most_against_the_claim() -> None:
    holds, holds_easily = ratio(0.9), ratio(0.1)
    open_, fails = comparing.below((1.01, 0.9, 1.1), 1.0), ratio(1.1)
    fails_most, empty = ratio(9.0), comparing.irrelevant(ratio(99.0), "needs a larger T")
    order = (fails_most, fails, open_, holds, holds_easily, empty)
    for number, expected in enumerate(order):
        for rest in (order[number:], order[number:][::-1]):
            assert ClaimResult("C24", rest).headline is expected
    assert ClaimResult("C24", order).best_part is holds_easily
    assert ClaimResult("C24", (fails_most, fails, empty)).best_part is fails
    # Of parts without limits the first one.
    unlimited = tuple(part("holds", case=case) for case in "abc")
    result = ClaimResult("C24", unlimited)
    assert result.headline is result.best_part is unlimited[0]
    assert ClaimResult("C24", (*unlimited, holds)).headline is holds


HOLDS, FAILS = below((1.0, 0.5, 1.5), 2.0, case="a"), below((5.0, 4.0, 6.0), 2.0, case="a")
OTHER = above((0.5, 0.2, 0.9), 1.0, case="b")
CHANGES = {"lfg": "readings.lfg: original", "seed_1": "seed: 1"}
OF_PAPER = [result("C07", HOLDS, verdict="reproduced"), result("C25", HOLDS, verdict="reproduced")]


def failed(name: str) -> ClaimResult:
    return result(name, FAILS, verdict="not reproduced")


def test_a_changed_verdict_is_beside_the_papers() -> None:
    scenarios = {"lfg": [failed("C07"), OF_PAPER[1]], "seed_1": [failed("C07")]}
    table = verdicts_table(OF_PAPER, scenarios, CHANGES)
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
    table = verdicts_table(OF_PAPER, {"lfg": [scenario]}, CHANGES)
    (row,) = table.to_dict("records")
    assert np.isnan(table["paper_estimate"].astype(float)).all()
    assert (row["paper_verdict"], row["changed"]) == (paper_verdict, changed)
    assert list(dependent(table)) == [scenario.id] * changed
