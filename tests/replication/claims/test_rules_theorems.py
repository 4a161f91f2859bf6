"""Rules of the claims on Theorems 4.1 to 4.3, Lemma 4.4 and laws of growth: near each limit."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from config_helpers import PAPER
from law_helpers import LAST, LATE, N, lacking, levels_reached, log_laws, whole, with_constructions
from outcome_factories import Runs
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims.measures.proof_steps import ProofSteps, proof_steps
from penalized_replication.storage.replicates import Outcome
from rule_helpers import RARE, RATIO, Case, alternating, check, first, near, result_of, table

# --- Theorems 4.1 to 4.3, Lemma 4.4 and their proofs -------------------------------

T = 1_000_000
LOG = math.log(T)


def never(run: Outcome) -> Outcome:
    """No arm but the best is ever pulled."""
    pulls = np.zeros_like(run.pulls)
    pulls[:, int(np.argmax(run.means[0]))] = run.horizon
    return replace(run, pulls=pulls)


def unchanged(run: Outcome) -> Outcome:
    return run


def short(k: int, before: int = 0, lack: float = 2.0) -> Runs:
    """Arm 2 lacks pulls in k of 400 replicates at the last horizon, and in some before."""
    runs = lacking(lambda t: np.where(first(k if t == T else before, 400), lack, 0.0), n=400)
    return with_constructions(runs)


def constructed(change: Callable[[Outcome], Outcome]) -> Runs:
    """Constructions, which come first, are changed; random arms lack nothing."""
    return with_constructions(lacking(lambda _: 0.0, n=400), change)


def classical(deficit: float, regret: float, spread: float) -> Runs:
    """Largest deficit and regret grow by these, and 1.5 times what they are at T = 10,000."""

    def pulls(t: int) -> list[FloatArray | float]:
        # Regret is 0.1 for each pull of arm 2 above its level.
        above = alternating(300 + 10 * regret if t == T else 200.0, 10 * spread, N)
        return [t / 10 + above, t / 10, t / 10, t / 10]

    def deficits(t: int) -> list[FloatArray | float]:
        return [0.0, alternating(3 + deficit if t == T else 2.0, spread, N), 0.0, 0.0, 0.0]

    return log_laws("all_critical", pulls, deficits=deficits, horizons=(10_000, T))


def over(limit: float, made: Callable[[FloatArray], Runs]) -> Callable[[float, float], Runs]:
    """Return a factory of evidence from values that are a limit times a ratio, with a spread."""
    return lambda ratio, spread: made(alternating(ratio * limit, spread * limit, N))


def two_arms(pulls: FloatArray | float) -> Runs:
    """Return pulls of arm 2 of ``two_arms``, of margin Δ − A = 0.15."""
    return log_laws("two_arms", lambda _: [pulls])


def changed(change: Callable[[Outcome], Outcome]) -> Runs:
    return with_constructions(two_arms(50.0), change)


def levels(instance: str, *horizons: int) -> Runs:
    """All arms of an instance have the level of a fraction of 0.1, at the last horizon or more."""
    arms = 1 if instance == "small_gap" else 4
    laws = log_laws(instance, lambda t: [t / 10] * arms, deficits=lambda _: [1.0] * (arms + 1),
                    horizons=horizons or LAST)  # fmt: skip
    return with_constructions(laws)


def beside_ucb1(change: int) -> Runs:
    """The hard threshold without penalties, and UCB1, whose last replicate differs."""
    pulls = [2 * LOG / gap**2 for gap in (0.1, 0.3, 0.6, 0.7)]
    runs = log_laws("no_penalties", lambda _: pulls, horizons=LATE)
    for run in list(runs.made["log_laws"]):
        changed = run.pulls.copy()
        changed[-1] += np.array([change, -change, 0, 0, 0], dtype=np.int32)
        runs.made["log_laws"].append(replace(run, policy="ucb1", pulls=changed))
    return runs


NONE = np.zeros((100, 2))
NO_ROUND = np.zeros((2, 100), np.int64)
ROUNDS = ProofSteps(NO_ROUND, NO_ROUND, NONE.astype(np.int64), NONE, NONE)
WAITS = 8 / 1.15**2 * math.log(10_000) + 10
"""The bound b_1 log T + 10 of ``two_arms``, on T = 10,000 rounds."""


def violated(k: int) -> ProofSteps:
    """Both observations apply, and are wrong in k of 100 replicates."""
    wrong = np.tile(first(k, 100).astype(np.int64), (2, 1))
    return ROUNDS._replace(applicable=np.ones_like(wrong), violated=wrong)


def waited(ratio: float, spread: float) -> ProofSteps:
    values = alternating(ratio * WAITS, spread * WAITS, 100)
    return ROUNDS._replace(waits=np.column_stack([values, values]))


RANDOM = {"case": "all_critical"}

# --- C02, C43: shares of replicates; C03, C37: growth -----------------------------
GROWTH = (
    *near("C02 C43", lambda k: short(k, k), *RARE, **RANDOM),
    # More often than at the first horizon by Fisher's exact test, level 0.025.
    *near("C02", short, (5, "h"), (7, "f"), ((11, 3), "h"), ((12, 3), "f"), **RANDOM),
    # Theorem 4.1 is about whole levels, C43 about more than one pull.
    *near("C43", short, ((400, 0, 1.0), "h"), **RANDOM),
    *near("C02", constructed, (levels_reached, "hhhhh"), (unchanged, "ffffh")),
    *near("C43", constructed, (unchanged, "hfh")),
    # Arm 2 lacks less than one pull more at the last horizon than before, by an interval.
    *near("C03", lambda x: with_constructions(lacking(lambda t: whole(x) if t == T else 0.0)),
          (0.85, "h"), (0.95, "u"), (1.05, "u"), (1.1, "f"), **RANDOM),
    # Of one replicate nothing is known.
    *near("C03", lambda n: with_constructions(lacking(lambda _: 0.0, n=n)), (1, "u"), **RANDOM),
    # Less than one pull, or one unit of reward, more than log T grows: both at once.
    *near("C37", classical, ((0.9, 0.9, 0.1), "hh"), ((0.9, 0.9, 0.5), "uu"),
          ((1.1, 1.1, 0.1), "ff"), ((0.9, 1.1, 0.1), "hf")),
)  # fmt: skip

# --- C04, C05, C06, C06P, C11, C13: ratios to bounds ------------------------------
OF_4_2, OF_4_4 = {"case": "theorem_4_2"}, {"case": "least_margin_lemma_4_4_K11"}
RATIOS = (
    # Arm 2 of all_critical has its level of T / 10, and ten pulls.
    *near("C04", over(T / 10 + 10, lambda x: log_laws("all_critical", lambda _: [x, 0, 0, 0])),
          *RATIO),
    *near("C05", over(8 * LOG / 0.15**2 + 10, two_arms), *RATIO),
    *near("C06 C06P", over((8 * LOG / 0.15 + 20) / 0.15, lambda x: with_constructions(two_arms(x))),
          *RATIO, case="two_arms"),
    # Arm 1 of two_arms has S_1 − S_2 = 1.15: a_1 = 8/1.15².
    *near("C11", over(8 / 1.15**2 * LOG + 10, lambda x: log_laws(
        "two_arms", lambda _: [2 * LOG / 0.15**2], deficits=lambda _: [x, 0.0])), *RATIO),
    # Arm 2 of all_critical has A − Δ = 0.9: the scale is 32 τ K log T/0.81.
    *near("C13", over(32 * 0.1 * 5 * LOG / 0.81, lambda x: with_constructions(
        lacking(lambda _: x, horizons=LAST))), *RATIO, **RANDOM),
    # The constructions: of Theorem 4.7 with a fixed gap, and of Lemma 4.4.
    *near("C06A", changed, (unchanged, "h"), (levels_reached, "f"), **OF_4_2),
    *near("C06P", changed, (unchanged, "h"), **OF_4_2),
    *near("C13", changed, (unchanged, "h"), (never, "f"), **OF_4_4),
    # Bounds above T, above the level, or equal to it.
    *near("C04 C06", levels, (("small_gap", 1000, 3162), "v"), case="small_gap",
          reason="at no horizon is the bound below what holds anyway"),
    *near("C11", levels, ("ties", "v"),
          reason="a_j log T exceeds τ_j T at the largest horizon"),
    *near("C13", levels, ("least_margin", "v"), case="least_margin",
          reason="the scale is the level itself"),
)  # fmt: skip


@table(*GROWTH, *RATIOS)
def test_theorems(case: Case) -> None:
    check(case)


def test_growth_has_the_noise_of_both_horizons() -> None:
    # The logarithms are as 3 to 2.
    half = 1.96 * 0.1 * math.sqrt((1 + 1.5**2) / (N - 1))
    for part in result_of("C37", classical(0.9, 0.9, 0.1)).parts:
        assert (part.high - part.low) / 2 == pytest.approx(half, rel=1e-3)


def test_the_nearest_horizon_decides_with_an_interval_for_all() -> None:
    def pulls(t: int) -> list[FloatArray]:
        limit = 8 * math.log(t) / 0.15**2 + 10
        return [alternating((0.8 if t == T else 0.5) * limit, 0.01 * limit, N)]

    (alone,) = result_of("C05", log_laws("two_arms", pulls)).parts
    (nearest,) = result_of("C05", log_laws("two_arms", pulls, horizons=LATE[2:])).parts
    assert nearest.estimate == alone.estimate
    assert nearest.values["nearest_horizon"] == T
    # Student's t with 39 degrees of freedom at 95 % and, of three horizons, at 98.3 %.
    wider = (nearest.high - nearest.low) / (alone.high - alone.low)
    assert wider == pytest.approx(2.5025 / 2.0227, rel=1e-3)


# --- C09: an identity -------------------------------------------------------------


@pytest.mark.parametrize(("change", "statuses", "differing"), [(0, "hh", 0), (1, "fh", len(LATE))])
def test_without_penalties(change: int, statuses: str, differing: int) -> None:
    """A replicate that differs from UCB1 counts at each horizon."""
    parts = result_of("C09", beside_ucb1(change)).parts
    assert "".join(part.status[0] for part in parts) == statuses
    assert parts[0].estimate == differing


# --- C42, C45: rounds of the proofs -----------------------------------------------


@pytest.mark.parametrize(
    ("claim", "steps", "statuses"),
    [
        *(("C42", violated(k), s) for k, s in ((0, "hh"), (2, "uu"), (9, "uu"), (10, "ff"))),
        ("C42", ROUNDS, "vv"),
        *(("C45", waited(*x), f"{s}h") for x, s in RATIO),
        # Arm 1 has a largest deficit of its fraction of 0.3, and above it.
        *(
            ("C45", ROUNDS._replace(deficits=NONE + np.array([x, 0.0])), f"h{s}")
            for x, s in ((0.3, "h"), (0.3 + 1e-6, "f"))
        ),
    ],
)
def test_rounds_of_the_proofs(
    monkeypatch: pytest.MonkeyPatch, claim: str, steps: ProofSteps, statuses: str
) -> None:
    for module in ("theorem_4_2", "theorem_4_3"):
        path = f"penalized_replication.claims.paper.{module}.proof_steps"
        monkeypatch.setattr(path, lambda *_: steps)
    check(Case(claim, lambda: two_arms(50.0), statuses,
               "the observation applies to no round" if "v" in statuses else ""))  # fmt: skip


@pytest.mark.parametrize(("instance", "applies"), [("all_critical", 3), ("regular", 4)])
def test_observations_are_not_wrong_where_they_apply(instance: str, applies: int) -> None:
    given = PAPER["log_laws"]["instances"][instance]
    bandit = instance_of(given["means"], given["fairness"], given["penalties"])
    steps = proof_steps(bandit, 10_000, 5)
    assert (steps.applicable[applies - 3] > 0).all()
    assert not steps.violated.any()
