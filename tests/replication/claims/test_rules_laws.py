"""Rules on laws of growth, constants and shrinking fractions, on runs made for them."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from law_helpers import LATE, N, instance_model, log_laws, whole
from outcome_factories import Runs, cells, outcome
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from rule_helpers import RATIO, Case, alternating, check, near, result_of, table

SOFT = "soft_threshold_ucb"
Law = Callable[[int], float]


def law(level: float = 1.0, change: float = 0.0) -> Law:
    """Return a factor of a level on average that changes so much along log T."""
    return lambda t: level + change * (math.log10(t) - 5) / 2


AS_PREDICTED = law()


def predicted(instance: str, factor: Law = AS_PREDICTED, spread: float = 0.005) -> Runs:
    """Non-critical arms have their fluid prediction times a factor; others have their level."""
    model = instance_model(instance)

    def pulls(t: int) -> list[FloatArray | float]:
        bandit = instance_of(model.means, model.fairness_at(t), model.penalties_at(t))
        by = alternating(factor(t), spread, N)
        arms = zip(predicted_pulls(bandit, t)[1:], bandit.non_critical[1:], strict=True)
        return [by * fluid if noisy else math.ceil(fluid) for fluid, noisy in arms]

    return log_laws(instance, pulls, horizons=LATE)


def regular(level: float, change: float, spread: float) -> Runs:
    return predicted("regular", law(level, change), spread)


def thresholds(
    factor: Law = AS_PREDICTED,
    spread: float = 0.001,
    policy: str = PAPER_POLICY,
    horizons: tuple[int, ...] = LATE,
    penalty: float = 0.4,
) -> Runs:
    """Return both thresholds with regret as predicted, that of one policy times a factor.

    Of the hard threshold arm 3 is off its prediction, of the soft one arm 2 that lacks pulls.
    """
    runs, bandit = [], ((0.9, 0.7, 0.3), (0.2, 0.2, 0.2), (penalty,) * 3)
    for name in (PAPER_POLICY, SOFT):
        for horizon in horizons:
            soft = name == SOFT
            pulls = np.tile(predicted_pulls(instance_of(*bandit), horizon, soft=soft)[1:], (N, 1))
            by = factor(horizon) if name == policy else 1.0
            by = alternating(by, spread * by, N)
            pulls[:, 1] *= by
            if soft:
                # Regret of arm 2 is 0.2 for each pull that it lacks.
                pulls[:, 0] = 0.2 * horizon - by * (0.2 * horizon - pulls[:, 0])
            runs.append(outcome(pulls, horizon, *bandit, case="a", policy=name))
    return Runs(cells(runs))


def off(level: float, change: float, spread: float, policy: str = PAPER_POLICY) -> Runs:
    return thresholds(law(level, change), spread, policy)


LONG = 10**8
"""LONG^0.75 is a whole number."""

BOUND = 16 * math.log(LONG) / 0.15 + 5


def shrinking(
    ratio: float = 0.5, spread: float = 0, deficit: float = 0, power: str = "025"
) -> Runs:
    """Arm 2 lacks pulls, whole on each replicate; arm 4, of margin 0.15, is explored."""

    def pulls(t: int) -> list[FloatArray | float]:
        level = t ** (1 - float(power) / 100)
        explored = alternating(ratio * BOUND / 0.15, spread * BOUND / 0.15, N)
        return [level - whole(deficit), level, explored, 0.0]

    return log_laws(f"tau_power_{power}", pulls, horizons=(LONG,))


# --- C07, C08, C19: regret and pulls beside the fluid prediction ----------------------
RIVALS = (lambda x: x**2, lambda x: x**1.5, lambda x: x * math.log(x), lambda x: math.exp(x / 5))
HARD_PART, SOFT_PART = ({"case": "a", "quantity": f"R(T)/{of}"} for of in ("log T", "T"))
LIMITS = (
    # Within 5 % on average, a change of less than 10 %: both have to hold, one is enough to fail.
    *(((1.049, 0, 0.005), "h"), ((1.049, 0, 0.02), "u"), ((1.051, 0, 0.02), "u")),
    *(((1.051, 0, 0.005), "f"), ((0.951, 0, 0.005), "h"), ((0.949, 0, 0.005), "f")),
    *(((1, 0.09, 0.01), "h"), ((1, 0.09, 0.08), "u"), ((1, 0.11, 0.08), "u")),
    *(((1, 0.11, 0.01), "f"), ((1, -0.09, 0.01), "h"), ((1, -0.11, 0.01), "f")),
    *(((1.06, 0, 0.02), "f"), ((1.049, 0.11, 0.01), "f")),
)
LAWS = (
    *near("C07", regular, *LIMITS),
    # Two non-critical arms.
    *near("C08", regular, *((x, 2 * s) for x, s in LIMITS)),
    # Other laws in place of log T, the same at T = 100,000.
    *near("C07 C08", lambda shape: predicted("two_arms", lambda t: (
        shape(math.log(t)) / math.log(t) * math.log(1e5) / shape(math.log(1e5)))),
          *((shape, "f") for shape in RIVALS)),
    *near("C19", off, ((1.04, 0, 0.005), "h"), ((1.045, 0, 0.1), "u"), ((1.06, 0, 0.005), "f"),
          ((1, -0.085, 0.005), "h"), ((1, 0.115, 0.005), "f"), **HARD_PART),
    *near("C19", off, ((1.04, 0, 0.005, SOFT), "h"), ((1.06, 0, 0.005, SOFT), "f"), **SOFT_PART),
    *near("C19", lambda *t: thresholds(horizons=t), (LATE[:2], "uu"), case="a",
          reason="2 horizons: a law takes 3"),
    *near("C19", lambda *t: thresholds(horizons=t), (1000, "uu"), case="a",
          reason="no horizon from 10000 on"),
    # No suboptimal arm is critical: of such a cell nothing is said.
    *near("C19", lambda rate: thresholds(penalty=rate), (0.15, ""), case="a"),
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
    over_log = (1.0, order, 8 * order / share, least)
    monkeypatch.setattr("penalized_replication.claims.paper.log_law._over_log", lambda _: over_log)
    check(Case("C38", lambda: log_laws("regular", lambda _: np.ones(4).tolist()), statuses))
