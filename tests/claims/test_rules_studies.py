"""Rules of the claims on the worst case, lower bounds and formulas: cases near each limit."""

import importlib
from collections.abc import Callable

import pytest

import study_factories as make
from outcome_factories import Runs
from penalized_bandits.theory.explore_then_commit import least_worst_regret
from rule_helpers import RATIO, Case, check, near, result_of, table

# --- C14, C15 ---------------------------------------------------------------------
EXPONENT, OVER = {"quantity": "exponent in T"}, {"quantity": "over prediction", "horizon": make.T}
WORST = (
    *near("C14", make.largest, *RATIO),
    *near("C14", make.largest, ((0.3, 0.01, 3000), "v"), reason="the bound is 3,378, more than T"),
    # Within 0.03 of 1/2; power 0 is 1/2.
    *near("C15", lambda power, spread: make.worst(make.as_predicted(1.0, power), spread),
          ((0.027, 0.005), "h"), ((0.027, 0.05), "u"), ((0.033, 0.005), "f"),
          ((-0.027, 0.005), "h"), ((-0.033, 0.005), "f"), **EXPONENT),
    # Within 10 % of the prediction.
    *near("C15", lambda factor, spread: make.worst(make.as_predicted(factor), spread),
          ((1.09, 0.01), "h"), ((1.09, 0.05), "u"), ((1.11, 0.01), "f"), ((0.91, 0.01), "h"),
          ((0.89, 0.01), "f"), **OVER),
    *near("C15", lambda *t: make.worst(make.as_predicted(), horizons=t), (make.ROUNDS[:2], "u"),
          reason="too few horizons", **EXPONENT),
)  # fmt: skip

# --- C16, C17, C44: nothing is random ---------------------------------------------
LOWER = (
    *(case for claim, times in (("C16", 1), ("C17", 1), ("C44", 2)) for case in near(
        claim, make.constructions, (1.02, "vhh" * times), (0.98, "vff" * times),
        ((1.02, 0.98), "vff" * times), reason="the proof's assumptions need a larger T")),
)  # fmt: skip

# --- C18 --------------------------------------------------------------------------
PAIRS = near("C18", make.pairs, ((1.02, 0.03), "h"), ((1.01, 0.1), "u"), ((0.99, 0.1), "u"),
             ((0.98, 0.03), "f"), policy="ucb1")  # fmt: skip


@table(*WORST, *LOWER, *PAIRS)
def test_worst_case_and_lower_bounds(case: Case) -> None:
    check(case)


# --- Claims that are computed: the numbers compared are set near their limits -----
COMPUTED = (
    *(("C20", "worst_case.least_worst_regret", make.etc(2 / 3 + x), f"{s}h")
      for x, s in ((0.029, "h"), (0.031, "f"), (-0.029, "h"), (-0.031, "f"))),
    *(("C20", "worst_case._worst_regret", lambda t, x=x: x * least_worst_regret(t)[0], s)
      for x, s in ((0.99, "hh"), (1.01, "hf"))),
    *(("C39", "worst_case.lower_bound_4_8", make.lower_bound(x), f"{s}h")
      for x, s in ((1.99, "h"), (2.01, "f"))),
    *(("C40", "worst_case._fluid_regret", make.bound(x), s * 4)
      for x, s in ((0.999, "h"), (1.001, "f"))),
    *(("C40A", "worst_case._needed", lambda a, x=x: (1.0, 5.0 if a < 1e7 else 5 * x), s)
      for x, s in ((1.99, "f"), (2.01, "h"))),
    *(("C41", "worst_case.commit_regret", make.dear(x), s * 4)
      for x, s in ((1.11, "h"), (1.09, "f"))),
)  # fmt: skip


@pytest.mark.parametrize(("claim", "target", "other", "statuses"), COMPUTED)
def test_computed_claims(
    monkeypatch: pytest.MonkeyPatch,
    claim: str,
    target: str,
    other: Callable[..., object],
    statuses: str,
) -> None:
    monkeypatch.setattr(f"penalized_bandits.claims.paper.{target}", other)
    check(Case(claim, lambda: make.worst(make.as_predicted(), horizons=make.ROUNDS[-1:]), statuses))


@pytest.mark.parametrize(("error", "status"), [(0.99e-9, "h"), (1.01e-9, "f")])
def test_the_formula_of_the_prophet_s_loss(
    monkeypatch: pytest.MonkeyPatch, error: float, status: str
) -> None:
    module = importlib.import_module("penalized_bandits.claims.paper.sections_2_3")
    right = module.optimal_loss
    monkeypatch.setattr(module, "optimal_loss", lambda *given: right(*given) + error * given[-1])
    check(Case("C01", lambda: Runs({}), status))


def test_explore_then_commit_is_compared_where_it_is_nearest() -> None:
    least = result_of("C20", make.worst(make.as_predicted(), horizons=make.ROUNDS[-1:])).parts[1]
    # Regret 115 with the best length at T = 10^4, where the hard threshold's is 96.9.
    assert least.estimate == pytest.approx(1.19, abs=0.01)
