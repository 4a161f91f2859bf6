"""Rules of the claims on Theorems 4.1 to 4.3, Lemma 4.4 and laws of growth: near each limit."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from config_helpers import PAPER
from outcome_factories import Runs, cells, outcome
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims.measures.proof_steps import ProofSteps, proof_steps
from penalized_replication.experiments.base import Context, Readings, case_of
from penalized_replication.experiments.catalogue import STUDIES
from penalized_replication.experiments.simulate import simulate_experiment
from penalized_replication.experiments.theory.log_laws import LawInstance
from penalized_replication.storage.replicates import Outcome
from rule_helpers import RARE, RATIO, Case, alternating, check, first, near, result_of, table

N = 40
LATE = (10_000, 31_623, 100_000, 316_228, 1_000_000)
LAST = LATE[-1:]
Values = Callable[[int], Sequence[FloatArray | float]]
"""Values of arms by horizon: one for each replicate, or one number."""
CONSTRUCTED = {**PAPER["deterministic"], "horizons": [10_000, 31_600, 200_000]}


def whole(mean: float, n: int = N) -> FloatArray:
    """Return n whole numbers, next to each other, of a given mean."""
    return np.floor(mean) + first(round((mean - np.floor(mean)) * n), n)


def instance_model(instance: str) -> LawInstance:
    """Return an instance of ``log_laws`` as the config has it."""
    return LawInstance.model_validate(PAPER["log_laws"]["instances"][instance])


def log_laws(
    instance: str,
    pulls: Values,
    *,
    deficits: Values | None = None,
    horizons: Sequence[int] = LAST,
    n: int = N,
) -> Runs:
    """Return n replicates of an instance: pulls of arms 2 to K, and largest deficits of all."""
    given = PAPER["log_laws"]["instances"][instance]
    section = {**PAPER["log_laws"], "horizons": list(horizons), "instances": {instance: given}}
    model, runs = instance_model(instance), []

    def columns(values: Sequence[FloatArray | float]) -> FloatArray:
        return np.column_stack([np.broadcast_to(value, n) for value in values])

    for horizon in horizons:
        bandit = (model.means, model.fairness_at(horizon), model.penalties_at(horizon))
        largest = None if deficits is None else columns(deficits(horizon))
        more = {"case": case_of(instance, horizon), "max_deficit": largest}
        runs.append(outcome(columns(pulls(horizon)), horizon, *bandit, **more))
    return Runs({"log_laws": runs}, {"log_laws": section})


def lacking(
    deficit: Callable[[int], FloatArray | float],
    *,
    n: int = N,
    horizons: Sequence[int] = (10_000, 1_000_000),
) -> Runs:
    """Return ``all_critical`` at its levels of T / 10, but for what arm 2 lacks."""
    return log_laws(
        "all_critical", lambda t: [t / 10 - deficit(t), *[t / 10] * 3], n=n, horizons=horizons
    )


@cache
def _simulated() -> tuple[Outcome, ...]:
    """Return the constructions under the hard threshold, at three horizons."""
    study = STUDIES["deterministic"]
    model = study.section.model_validate(CONSTRUCTED)
    return tuple(simulate_experiment(study, model, Context(1, Readings(), 0, 1)))


def levels_reached(run: Outcome) -> Outcome:
    """Every arm has its level, rounded up, and an arm with the largest mean has the rest."""
    pulls = np.ceil(run.fairness * run.horizon - 1e-6).astype(np.int32)
    pulls[int(np.argmax(run.means[0]))] += run.horizon - pulls.sum()
    return replace(run, pulls=pulls[None])


def with_constructions(laws: Runs, change: Callable[[Outcome], Outcome] = levels_reached) -> Runs:
    """Return outcomes of ``log_laws`` with those of the constructions, which are changed."""
    sections = {"log_laws": laws.section("log_laws").model_dump(), "deterministic": CONSTRUCTED}
    runs = [change(run) for run in _simulated()]
    return Runs({"log_laws": laws.made["log_laws"], "deterministic": runs}, sections)


# --- Laws of growth, constants and shrinking fractions -----------------------------

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
    ratio: float = 0.5, spread: float = 0.0, deficit: float = 0.0, power: str = "025"
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
    # No suboptimal arm is critical: regret of the soft threshold is not linear.
    *near("C19", lambda rate: thresholds(penalty=rate), (0.15, "h"), case="a"),
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
    return replace(ROUNDS, applicable=np.ones_like(wrong), violated=wrong)


def waited(ratio: float, spread: float) -> ProofSteps:
    values = alternating(ratio * WAITS, spread * WAITS, 100)
    return replace(ROUNDS, waits=np.column_stack([values, values]))


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
    *near("C06", changed, (unchanged, "f"), **OF_4_2),
    *near("C06P", changed, (unchanged, "h"), **OF_4_2),
    *near("C13", changed, (unchanged, "h"), (never, "f"), **OF_4_4),
    # Bounds above T, above the level, or equal to it.
    *near("C04 C06", levels, (("small_gap", 1000, 3162), "v"), case="small_gap",
          reason="the bound exceeds T at every horizon"),
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


# --- C09, C12: identities ---------------------------------------------------------


@pytest.mark.parametrize(("change", "statuses", "differing"), [(0, "hh", 0), (1, "fh", len(LATE))])
def test_without_penalties(change: int, statuses: str, differing: int) -> None:
    """A replicate that differs from UCB1 counts at each horizon."""
    parts = result_of("C09", beside_ucb1(change)).parts
    assert "".join(part.status[0] for part in parts) == statuses
    assert parts[0].estimate == differing


@pytest.mark.parametrize("instance", ["least_margin", "below_the_margin", "at_the_gap"])
def test_observation_1_is_true_of_every_policy(instance: str) -> None:
    # The worst that there is: every arm but the first is never pulled at all.
    (part,) = result_of("C12", log_laws(instance, lambda _: [0.0] * 4)).parts
    assert part.status == "holds"


# --- C42, C45: rounds of the proofs -----------------------------------------------


@pytest.mark.parametrize(
    ("claim", "steps", "statuses"),
    [
        *(("C42", violated(k), s) for k, s in ((0, "hh"), (2, "uu"), (9, "uu"), (10, "ff"))),
        ("C42", ROUNDS, "vv"),
        *(("C45", waited(*x), f"{s}h") for x, s in RATIO),
        # Arm 1 has a largest deficit of its fraction of 0.3, and above it.
        *(
            ("C45", replace(ROUNDS, deficits=NONE + np.array([x, 0.0])), f"h{s}")
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
