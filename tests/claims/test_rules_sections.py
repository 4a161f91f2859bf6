"""Rules of the claims on LFG's fairness and on the studies of long horizons: near each limit."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from config_helpers import PAPER
from outcome_factories import Runs, outcome
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from rule_helpers import Case, alternating, check, first, result_of, table

N = 40

# --- C33, C33R ------------------------------------------------------------------------


def lfg(
    lacks: Callable[[float, int], np.ndarray], horizons: tuple[int, ...] = (1000, 10_000)
) -> Runs:
    """Return LFG whose arms 2 and 3 lack pulls in each replicate, by tuning and horizon."""
    section = PAPER["lfg_fairness"] | {"horizons": list(horizons)}
    bandit, runs = ((0.9, 0.5, 0.4), (0.1,) * 3, 1.0), []
    for horizon in horizons:
        full = np.full((N, 2), horizon / 10)
        runs.append(outcome(full, horizon, *bandit))
        for eta in section["eta_0"]:
            short = full - lacks(eta, horizon)[:, None]
            runs.append(outcome(short, horizon, *bandit, policy="lfg", tuning=eta))
    return Runs({"lfg_fairness": runs}, {"lfg_fairness": section})


def fair(k: int) -> Runs:
    """At the largest tuning all arms have their levels in k replicates, at the smaller in all."""
    return lfg(lambda eta, _: np.where(first(k, N) | (eta < 100), 0.0, 1.0))


def lacking(last: float, spread: float, before: float = 0.0) -> Runs:
    """Both arms lack so many pulls at the last horizon, and at the horizon before."""
    return lfg(lambda _, t: alternating(last, spread, N) if t > 1000 else np.full(N, before))


OF_1000, LARGEST = {"horizon": 1000}, {"quantity": "shortfall at η₀ = 100"}
FAIRNESS = (
    *(Case("C33", lambda k=k: fair(k), s, parts=OF_1000) for k, s in
      ((13, "h"), (14, "u"), (26, "u"), (27, "f"))),
    # A pull an arm: three for two arms that lack some.  Before, nothing is lacking.
    *(Case("C33R", lambda x=x: lacking(*x), s, parts=LARGEST) for x, s in
      (((1, 1), "h"), ((2, 1), "f"))),
    # A round less than 0.316 times 0.04 before: 126 pulls, half of it each.
    *(Case("C33R", lambda x=x: lacking(*x, before=20), s, parts=LARGEST) for x, s in
      (((60, 6), "h"), ((62, 10), "u"), ((64, 10), "u"), ((66, 6), "f"))),
    Case("C33R", lambda: lfg(lambda *_: np.zeros(N), (1000,)), "uuu", "one horizon"),
)  # fmt: skip


@table(*FAIRNESS)
def test_fairness_of_lfg(case: Case) -> None:
    check(case)


def cells(runs: Sequence[Outcome], other: str = "b") -> dict[str, list[Outcome]]:
    """Return runs of case a in one study, and the same under another name in the other."""
    again = [replace(run, info=replace(run.info, id=other)) for run in runs]
    return {"crossover": list(runs), "movie_crossover": again}


CELL = {"case": "a"}

# --- C19, C51 -------------------------------------------------------------------------
SOFT = "soft_threshold_ucb"
LATE = (10_000, 31_623, 100_000, 316_228, 1_000_000)
BANDIT = (0.9, 0.7, 0.3), (0.2, 0.2, 0.2), (0.4, 0.4, 0.4)


def thresholds(
    factor: Callable[[int], float] = lambda _: 1.0,
    spread: Callable[[int], float] = lambda _: 0.001,
    policy: str = PAPER_POLICY,
    horizons: tuple[int, ...] = LATE,
) -> Runs:
    """Return both thresholds with regret as predicted, that of one policy times a factor.

    Of the hard threshold arm 3 is off its prediction, of the soft one arm 2 that lacks pulls.
    """
    runs = []
    for name in (PAPER_POLICY, SOFT):
        for horizon in horizons:
            soft = name == SOFT
            pulls = np.tile(predicted_pulls(instance_of(*BANDIT), horizon, soft=soft)[1:], (N, 1))
            by = factor(horizon) if name == policy else 1.0
            by = alternating(by, spread(horizon) * by, N)
            if soft:
                # Regret of arm 2 is 0.2 for each pull that it lacks.
                pulls[:, 0] = 0.2 * horizon - by * (0.2 * horizon - pulls[:, 0])
                pulls[:, 1] *= by
            else:
                pulls[:, 1] *= by
            runs.append(outcome(pulls, horizon, *BANDIT, case="a", policy=name))
    return Runs(cells(runs))


def changing(change: float) -> Callable[[int], float]:
    """Return a factor that is 1 on average and changes so much along log T."""
    return lambda t: 1 + change * (math.log10(t) - 5) / 2


def constant(value: float) -> Callable[[int], float]:
    return lambda _: value


def twisted(spread: float) -> Callable[[int], float]:
    """Return a spread that leaves replicates no common trend: its sign changes along T."""
    return lambda t: spread if t < 100_000 else -spread


HARD_PART, SOFT_PART = CELL | {"quantity": "R(T)/log T"}, CELL | {"quantity": "R(T)/T"}
LAWS = (
    # Within 5 % on average, and a change of less than 10 %.
    *(Case("C19", lambda f=f, d=d: thresholds(constant(f), constant(d)), s, parts=HARD_PART)
      for f, d, s in ((1.045, 0.005, "h"), (1.045, 0.08, "u"), (1.055, 0.08, "u"),
                      (1.055, 0.005, "f"), (0.955, 0.005, "h"), (0.945, 0.005, "f"))),
    *(Case("C19", lambda c=c, d=d: thresholds(changing(c), twisted(d)), s, parts=HARD_PART)
      for c, d, s in ((0.09, 0.005, "h"), (0.09, 0.06, "u"), (0.11, 0.06, "u"),
                      (0.11, 0.005, "f"), (-0.09, 0.005, "h"), (-0.11, 0.005, "f"))),
    *(Case("C19", lambda f=f: thresholds(constant(f), constant(0.005), SOFT), s, parts=SOFT_PART)
      for f, s in ((1.045, "h"), (1.055, "f"))),
    Case("C19", lambda: thresholds(horizons=LATE[:2]), "uu", "2 horizons: a law takes 3", CELL),
    Case("C19", lambda: thresholds(horizons=(1000,)), "uu", "no horizon from 10000 on", CELL),
)  # fmt: skip


@table(*LAWS)
def test_laws_of_the_two_thresholds(case: Case) -> None:
    check(case)


def test_the_limit_of_the_soft_threshold_s_regret() -> None:
    soft, hard, *_ = result_of("C19", thresholds()).parts
    # tau (A - Delta) Delta/A, and 2 Delta/(Delta - A)^2 x (Delta - A).
    assert soft.asymptote == pytest.approx(0.2 * 0.2 * 0.2 / 0.4)
    assert hard.asymptote == pytest.approx(2 * 0.2 / 0.2**2)
    assert soft.measured == pytest.approx(soft.predicted, rel=0.01)


def not_fair(k: int, rate: float = 0.8) -> Runs:
    """The soft threshold has the critical arm's pulls in k replicates, the hard one in all."""
    bandit = (0.9, 0.7), (0.1, 0.1), rate
    lacks = np.where(first(k, N), 0.0, 1.0)
    runs = [
        outcome(10_000 - short[:, None], 100_000, *bandit, case="a", policy=policy)
        for policy, short in ((PAPER_POLICY, np.zeros(N)), (SOFT, lacks))
    ]
    return Runs(cells(runs))


@table(
    *(Case("C51", lambda k=k: not_fair(k), s, parts=CELL) for k, s in
      ((13, "h"), (14, "u"), (26, "u"), (27, "f"))),
)  # fmt: skip
def test_arms_that_the_soft_threshold_keeps_short(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(("above", "decided"), [(1.01, 2), (0.99, 0)])
def test_arms_that_theorem_4_1_keeps_fair(above: float, decided: int) -> None:
    margin = math.sqrt(32 * math.log(100_000) / 10_000)
    assert len(result_of("C51", not_fair(0, 0.2 + above * margin)).parts) == decided


# --- C34, C36 -------------------------------------------------------------------------
HORIZONS = (1000, 3162, 10_000, 31_623, 100_000)


def leads(*leads_: float, spread: float = 10.0, rival: str = "ucb1", n: int = N) -> Runs:
    """Return the hard threshold's lead in regret at each horizon; 0.8 a pull of arm 2."""
    runs, bandit = [], ((0.9, 0.1), (0.1, 0.0), 0.4)
    for horizon, lead in zip(HORIZONS, leads_, strict=False):
        ours = np.full((n, 1), 400.0)
        theirs = ours + alternating(lead, spread, n)[:, None] / 0.8
        for policy, pulls in ((PAPER_POLICY, ours), (rival, theirs)):
            runs.append(outcome(pulls, horizon, *bandit, case="a", policy=policy))
    return Runs(cells(runs) | {"setting_1": cells(runs, "c")["movie_crossover"]})


CHANGES = (
    # The last clear sign decides; a standard error is spread/6.2, in five tests by Holm.
    ((-80, -60, -40, -20, 8), "h", "overtakes"),
    ((-80, -60, -40, 3.5, 3.5), "u", "not yet"),
    ((-80, -60, -40, -20, -8), "u", "not yet"),
    ((8, 20, 40, 60, 80), "h", "always ahead"),
    ((80, 60, 40, 20, -8), "u", "is overtaken"),
    ((80, 60, 40, -3.5, -3.5), "h", "always ahead"),
)


@pytest.mark.parametrize(("claim", "rival"), [("C34", "ucb1"), ("C36", "explore_then_commit")])
@pytest.mark.parametrize(("leads_", "status", "change"), CHANGES)
def test_overtaking(
    claim: str, rival: str, leads_: tuple[float, ...], status: str, change: str
) -> None:
    part, _ = result_of(claim, leads(*leads_, rival=rival)).parts
    assert (part.status[0], part.values["change"]) == (status, change)
    assert (part.values["first"], part.values["last"], part.limit) == (1000, 100_000, 100_000)


@table(
    Case("C34", lambda: leads(8, 8), "u", "too few horizons", CELL),
    Case("C34", lambda: leads(1, -1, 1, -1, 1), "u", "no difference at any horizon", CELL),
)
def test_nothing_to_overtake(case: Case) -> None:
    check(case)


def test_the_horizon_of_overtaking() -> None:
    """A lead of -60 at T = 10,000 and of 20 half a decade later: three quarters of the way."""
    made = leads(-80, -70, -60, 20, 80)
    part, _ = result_of("C34", made).parts
    assert part.estimate == pytest.approx(10**4.375, rel=0.01)
    assert part.low < part.estimate < part.high
    # More replicates of the same cell, up to shorter horizons, where it is within them.
    for earlier, expected in ((leads(-80, -20, 60), 10**3.625), (leads(-80, -70, -60), 10**4.375)):
        shared = Runs({**made.made, "setting_1": earlier.made["crossover"]})
        part, _ = result_of("C34", shared).parts
        assert part.estimate == pytest.approx(expected, rel=0.01)
        assert ("longer" in part.values) == (expected < 10_000)
