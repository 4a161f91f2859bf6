"""Rules of the claims on laws of growth, constants and shrinking fractions: near each limit."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from law_series_factories import SOFT, law, off, predicted, regular, shrinking, thresholds
from outcome_factories import Runs
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.claims.paper.log_law import LONGER
from rule_helpers import RATIO, Case, check, near, result_of, table
from series_factories import LATE, log_laws

# --- C07, C08, C19: regret and pulls beside the fluid prediction ----------------------
RIVALS = (lambda x: x**2, lambda x: x**1.5, lambda x: x * math.log(x), lambda x: math.exp(x / 5))
HARD_PART, SOFT_PART = ({"case": "a", "quantity": f"R(T)/{of}"} for of in ("log T", "T"))
LIMITS = (
    # Within 5 % on average, a change of less than 10 %; more cases in test_fluid_law.py.
    *(((1.04, 0, 0.005), "h"), ((1.045, 0, 0.1), "u"), ((1.06, 0, 0.005), "f")),
    *(((1, -0.085, 0.005), "h"), ((1, 0.115, 0.005), "f")),
)
LAWS = (
    *near("C07", regular, *LIMITS),
    # Two non-critical arms.
    *near("C08", regular, *((x, 2 * s) for x, s in LIMITS)),
    # Other laws in place of log T, the same at T = 100,000.
    *near("C07 C08", lambda shape: predicted("two_arms", lambda t: (
        shape(math.log(t)) / math.log(t) * math.log(1e5) / shape(math.log(1e5)))),
          *((shape, "f") for shape in RIVALS)),
    *near("C19", off, *LIMITS, **HARD_PART),
    *near("C19", off, ((1.04, 0, 0.005, SOFT), "h"), ((1.06, 0, 0.005, SOFT), "f"), **SOFT_PART),
    *near("C19", lambda *t: thresholds(horizons=t), (LATE[:2], "uu"), case="a",
          reason="2 horizons: a law takes 3"),
    *near("C19", lambda *t: thresholds(horizons=t), (1000, "uu"), case="a",
          reason="no horizon from 10000 on"),
)  # fmt: skip

# --- C21 ------------------------------------------------------------------------------
DEFICIT = {"quantity": "deficit over one pull an arm"}
SHRINKING = (
    # A pull for each of three arms.
    *near("C21", lambda x: shrinking(deficit=x), (2.8, "h"), (2.95, "u"), (3.05, "u"), (3.2, "f"),
          **DEFICIT),
    *near("C21", shrinking, *RATIO, quantity="regret over its bound"),
    *near("C21", lambda power: shrinking(power=power), ("075", "v"),
          reason="levels of 100 pulls: exploration alone takes 409", **DEFICIT),
    *near("C21", lambda x: predicted("tau_power_025", law(x)), (1.0, "h"), (1.06, "f"),
          quantity="regret over its prediction"),
)  # fmt: skip


@table(*LAWS, *SHRINKING)
def test_laws(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    ("claim", "made", "limits"),
    [
        ("C07", lambda: predicted("regular"), [4 / 0.15]),
        ("C08", lambda: predicted("regular"), [2]),
        # tau (A - Delta) Delta/A, and 2 Delta/(Delta - A)^2 x (Delta - A).
        ("C19", thresholds, [0.2 * 0.2 * 0.2 / 0.4, 2 * 0.2 / 0.2**2]),
    ],
)
def test_limits_of_laws(claim: str, made: Callable[[], Runs], limits: list[float]) -> None:
    parts = result_of(claim, made()).parts[: len(limits)]
    assert [part.asymptote for part in parts] == pytest.approx(limits)
    assert parts[0].measured == pytest.approx(parts[0].predicted, rel=0.01)


@pytest.mark.parametrize(
    ("order", "least", "share", "statuses"),
    [
        *((x, 1.0, 1.01, f"{s}hh")
          for x, s in ((1.049, "h"), (1.051, "f"), (0.951, "h"), (0.949, "f"))),
        (1.0, 0.0, 1.01, "hfh"),
        (1.0, 1.0, 0.99, "hhf"),
    ],
)  # fmt: skip
def test_what_cannot_be_improved(
    monkeypatch: pytest.MonkeyPatch, order: float, least: float, share: float, statuses: str
) -> None:
    """Regret at 10^12 over that at 10^9; what any policy loses; regret over 1/8 of the bound."""

    def regret(bandit: Instance, horizon: float) -> float:
        return order if horizon == LONGER else 1.0

    module = "penalized_bandits.claims.paper.log_law"
    monkeypatch.setattr(f"{module}._regret_over_log", regret)
    monkeypatch.setattr(f"{module}._least_over_log", lambda _: least)
    monkeypatch.setattr(f"{module}._bound_over_log", lambda _: 8 * order / share)
    check(Case("C38", lambda: log_laws("regular", lambda _: np.ones(4).tolist()), statuses))
