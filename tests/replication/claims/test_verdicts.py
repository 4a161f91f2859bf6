"""Verdicts from comparisons, beside those of scenarios; detection probabilities, by simulation."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalized_bandits.statistics.estimates import NORMAL
from penalized_replication.claims.base import (
    FAR,
    NO_EVIDENCE,
    Kind,
    Verdict,
    bound_ratio_of,
    claim_of,
    verdict_of,
)
from penalized_replication.claims.comparisons import Comparison, Status
from penalized_replication.claims.power import FACTORS, broken, detected, power_of
from penalized_replication.claims.results import ClaimResult
from penalized_replication.claims.table.scenarios import dependent, verdicts_table
from rule_helpers import above, below, first, result, unknown, within

NAN = math.nan
LETTERS = {status[0]: status for status in get_args(Status)}


def compared(status: Status, **fields: Any) -> Comparison:
    return Comparison(estimate=1.0, low=0.5, high=1.5, status=status, **fields)


def ratio(estimate: float) -> Comparison:
    return below((estimate, estimate, estimate), 1.0)


VERDICTS: dict[str, tuple[Verdict, Verdict]] = {
    # Statuses of the comparisons: the verdict of an empirical claim, and of a theorem.
    "": ("not measured", "not measured"),
    "v": ("undecided", "undecided"),
    "h": ("holds", "holds"),
    "u": ("undecided", "undecided"),
    "f": ("fails", "fails"),
    "hu": ("holds in part", "holds in part"),
    "hn": ("holds in part", "holds in part"),
    "hf": ("holds in part", "fails"),
    "uf": ("fails", "fails"),
    "huf": ("holds in part", "fails"),
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
    # Neither how often nor in which order; vacuous ones do not count beside others.
    again = more.draw(st.lists(st.sampled_from(letters + "v"), max_size=5)) if letters else []
    statuses = more.draw(st.permutations([*letters, *again]))
    verdict = verdict_of([compared(LETTERS[letter]) for letter in statuses], kind)
    algebra = kind == "algebra" and letters == "h"
    assert verdict == ("holds by algebra" if algebra else verdicts[kind != "empirical"])


def test_a_bound_that_is_far_away_is_not_contradicted_and_one_too_far_no_evidence() -> None:
    near, far, farthest = ratio(0.9), ratio(0.4), ratio(1 / NO_EVIDENCE)
    empty = replace(near, status="vacuous")
    assert verdict_of([far, ratio(1 / FAR)], "bound") == "not contradicted"
    assert verdict_of([ratio(1 / FAR + 1e-9)], "bound") == "holds"
    # The nearest bound counts, of the comparisons that are not vacuous.
    assert verdict_of([far, near], "bound") == "holds"
    assert verdict_of([far, empty], "bound") == "not contradicted"
    assert verdict_of([farthest, empty], "bound") == "no verdict"
    assert verdict_of([far, farthest], "bound") == "not contradicted"
    assert verdict_of([far], "theorem") == verdict_of([far]) == "holds"
    assert bound_ratio_of([far, near, empty, ratio(1.5)]) == pytest.approx(1 / 0.9)
    assert math.isnan(bound_ratio_of([compared("holds")]))


def test_claims_without_a_verdict_say_so() -> None:
    holds = [compared("holds")]
    assert claim_of("C18").verdict(holds) == claim_of("C38").verdict(holds) == "no verdict"
    assert claim_of("C34").verdict(holds) == "descriptive"
    assert claim_of("C36").verdict([*holds, compared("fails")]) == "holds in part"
    assert claim_of("C34").verdict([]) == claim_of("C18").verdict([]) == "not measured"


@pytest.mark.parametrize(
    ("comparison", "bound_ratio", "margin"),
    [
        (below((1.5, 1.4, 1.6), 1.0), 1 / 1.5, 0.5),
        (below((0.25, 0.2, 0.3), 1.0), 4.0, -0.75),
        (above((1.0, 0.9, 1.1), 2.0), 0.5, 0.5),
        (above((5.0, 4.0, 6.0), 2.0), 2.5, -1.5),
        # No ratio to a bound: a difference, a probability, two limits, a limit or an estimate of 0.
        (above((-22.0, -25.0, -19.0), 0.0, 1000.0), NAN, 0.022),
        (above((0.5, 0.4, 0.6), 0.9, trials=100), NAN, 0.4),
        (compared("holds", least=0.9, most=1.1), NAN, -0.1 / 0.9),
        (below((3.0, 2.0, 4.0), 0.0), NAN, 3.0),
        (ratio(0.0), NAN, -1.0),
        (compared("holds"), NAN, NAN),
    ],
)
def test_distance_from_the_limit(comparison: Comparison, bound_ratio: float, margin: float) -> None:
    assert comparison.bound_ratio == pytest.approx(bound_ratio, nan_ok=True)
    assert comparison.margin == pytest.approx(margin, nan_ok=True)


def test_the_headline_is_what_speaks_most_against_the_claim() -> None:
    holds, holds_easily = ratio(0.9), ratio(0.1)
    open_, fails = below((1.01, 0.9, 1.1), 1.0), ratio(1.1)
    fails_most, empty = ratio(9.0), replace(ratio(99.0), status="vacuous")
    order = (fails_most, fails, open_, holds, holds_easily, empty)
    for number, expected in enumerate(order):
        for rest in (order[number:], order[number:][::-1]):
            assert ClaimResult("C24", rest).headline is expected
    assert ClaimResult("C24", order).best_comparison is holds_easily
    assert ClaimResult("C24", (fails_most, fails, empty)).best_comparison is fails
    # Of comparisons without limits the first one.
    unlimited = tuple(compared("holds", case=case) for case in "abc")
    found = ClaimResult("C24", unlimited)
    assert found.headline is found.best_comparison is unlimited[0]


HOLDS, FAILS = below((1.0, 0.5, 1.5), 2.0, case="a"), below((5.0, 4.0, 6.0), 2.0, case="a")
OTHER = above((0.5, 0.2, 0.9), 1.0, case="b")
CHANGES = {"lfg": "interpretations.lfg: original", "seed_1": "seed: 1"}
OF_PAPER = [result("C07", HOLDS, verdict="holds"), result("C25", HOLDS, verdict="holds")]


def failed(name: str) -> ClaimResult:
    return result(name, FAILS, verdict="fails")


def test_a_changed_verdict_is_beside_the_papers() -> None:
    scenarios = {"lfg": [failed("C07"), OF_PAPER[1]], "seed_1": [failed("C07")]}
    table = verdicts_table(OF_PAPER, scenarios, CHANGES)
    assert table["scenario"].to_list() == ["lfg", "lfg", "seed_1"]
    changed, same, _ = table.to_dict("records")
    assert (changed["verdict"], changed["paper_verdict"]) == ("fails", "holds")
    assert [changed[name] for name in ("estimate", "ci_low", "ci_high")] == [5, 4, 6]
    assert [changed[name] for name in ("hold", "fail", "undecided")] == [0, 1, 0]
    assert (changed["comparison"], changed["paper_estimate"]) == ("a", 1.0)
    assert (changed["changed"], same["changed"]) == (True, False)
    assert dependent(table) == {"C07": [f"{changes}: fails" for changes in CHANGES.values()]}


@pytest.mark.parametrize(
    ("scenario", "paper_verdict", "changed"),
    [
        # A claim or a comparison that the paper's run lacks, and a claim without comparisons.
        (failed("C24"), "", False),
        (result("C07", OTHER, verdict="fails"), "holds", True),
        (result("C07", verdict="not measured"), "holds", True),
    ],
)
def test_what_the_paper_lacks(scenario: ClaimResult, paper_verdict: str, changed: bool) -> None:
    table = verdicts_table(OF_PAPER, {"lfg": [scenario]}, CHANGES)
    (row,) = table.to_dict("records")
    assert np.isnan(table["paper_estimate"].astype(float)).all()
    assert (row["paper_verdict"], row["changed"]) == (paper_verdict, changed)
    assert list(dependent(table)) == [scenario.id] * changed


RUNS, SEED = 20_000, 20261122
BOUND = 4.5
"""Standard errors that a simulated share may lie off; one in 100,000 lies further."""


@dataclass(frozen=True)
class Limited:
    """Comparisons of one kind: how one is made of an estimate, and of which standard error."""

    comparison: Callable[[tuple[float, float, float]], Comparison]
    estimate: float
    error: float
    in_proportion: bool = True
    """Whether the standard error grows with the truth."""

    def of(self, value: float, error: float) -> Comparison:
        return self.comparison((value, value - NORMAL * error, value + NORMAL * error))


KINDS = {
    "ratio below a bound": Limited(lambda x: below(x, 1.0), 0.8, 0.05),
    "ratio above a bound": Limited(lambda x: above(x, 2.0), 3.0, 0.4),
    "two limits": Limited(lambda x: within(x, 0.9, 1.1, 1.0), 1.0, 0.04),
    "two limits, wide": Limited(lambda x: within(x, 0.6, 1.6, 1.0), 1.05, 0.03),
    "two limits around 0": Limited(lambda x: within(x, -0.05, 0.05, 0.0), 0.0, 0.02, False),
    "difference above 0": Limited(lambda x: above(x, 0.0, 10.0), 1.0, 0.4, False),
    "difference below 0": Limited(lambda x: below(x, 0.0, 2.0), -3.0, 0.3, False),
}


def check(expected: float, simulated: float) -> None:
    error = math.sqrt(max(expected * (1 - expected), 1 / RUNS) / RUNS)
    assert abs(simulated - expected) < BOUND * error


@pytest.mark.parametrize("name", KINDS)
def test_detection_of_a_violation(name: str) -> None:
    kind = KINDS[name]
    comparison = kind.of(kind.estimate, kind.error)
    chances = []
    for factor in FACTORS:
        missed = []
        for i, truth in enumerate(broken(comparison, factor)[0]):
            error = kind.error * (truth / kind.estimate if kind.in_proportion else 1.0)
            draws = np.random.default_rng([SEED, i]).normal(truth, error, RUNS)
            missed.append(np.mean([kind.of(x, error).status == "holds" for x in draws.tolist()]))
        chances.append(detected(comparison, factor))
        check(chances[-1], 1 - float(max(missed)))
    assert chances == sorted(chances)


@pytest.mark.parametrize(
    ("side", "limit", "successes", "trials"),
    [(above, 0.9, 60, 60), (above, 0.9, 97, 100), (below, 0.1, 0, 40), (below, 0.3, 5, 60)],
)
def test_detection_of_a_probability(
    side: Callable[..., Comparison], limit: float, successes: int, trials: int
) -> None:
    comparison = side(first(successes, trials), limit)
    for factor in FACTORS:
        ((truth,), _) = broken(comparison, factor)
        draws = np.random.default_rng([SEED, trials]).binomial(trials, truth, RUNS)
        seen = [side(first(n, trials), limit).status != "holds" for n in draws]
        check(detected(comparison, factor), float(np.mean(seen)))


UNLIMITED = Comparison(estimate=0.0, low=0.0, high=0.0, status="holds")


@pytest.mark.parametrize(
    ("comparison", "factor", "truths", "words"),
    [
        (below((0.5, 0.4, 0.6), 1.0), 1.5, [1.5], "1.1, 1.5 or 2 times 1"),
        (above((3.0, 2.5, 3.5), 2.0), 2.0, [1.0], "2 divided by 1.1, 1.5 or 2"),
        (above((3, 2, 4), 0.0, 100.0), 1.1, [-10.0], "0 missed by 10, 50 or 100 % of 100"),
        (within((1, 0.99, 1.01), 0.9, 1.2, 1.0), 1.5, [1.5, 1 / 1.5],
         "true value 1.1, 1.5 or 2 times the claimed 1, or that fraction of it"),
        (within((1, 0.99, 1.01), 0.8, 1.2), 2.0, [2.0, 0.5],
         "true value 1.1, 1.5 or 2 times the claimed 1, or that fraction of it"),
        (within((0, 0, 0), -0.1, 0.2), 2.0, [0.4, -0.2], "1.1, 1.5 or 2 times −0.1 or 0.2"),
        (above(first(60, 60), 0.9), 1.5, [0.85],
         "a probability 1.1, 1.5 or 2 times 0.1 short of 1"),
        (below(first(0, 60), 0.1), 1.5, [0.15], "a probability 1.1, 1.5 or 2 times 0.1"),
        (below(first(0, 60), 0.7), 2.0, [1.0], "a probability 1.1, 1.5 or 2 times 0.7"),
        # No factor breaks these.
        *((one, 2.0, [], "") for one in (UNLIMITED, below((-3, -4, -2), 0.0), unknown("no data"))),
    ],
)  # fmt: skip
def test_violations(comparison: Comparison, factor: float, truths: list[float], words: str) -> None:
    assert broken(comparison, factor) == (pytest.approx(truths), words)
    assert math.isnan(detected(comparison, factor)) == (not truths)


def test_parts_without_error_or_without_an_end() -> None:
    assert [detected(below((0.25, 0.25, 0.25), 1.0), factor) for factor in FACTORS] == [1.0] * 3
    assert detected(within((4.5, 4.5, 4.5), 1.0, 8.0), 1.5) == 0.0
    assert math.isnan(detected(below((1.0, -math.inf, math.inf), 2.0), 2.0))


def test_the_weakest_part_counts() -> None:
    sharp, blunt = (KINDS["ratio below a bound"].of(*x) for x in ((0.8, 0.01), (0.2, 0.3)))
    comparisons = (sharp, UNLIMITED, blunt, below((3.0, 2.9, 3.1), 1.0))
    (*_, least), weakest = power_of(comparisons)
    assert least == detected(blunt, 2.0) < detected(sharp, 2.0)
    assert weakest == 2
    unbroken, none = power_of(comparisons[1::2])
    assert none is None
    assert all(map(math.isnan, unbroken))
