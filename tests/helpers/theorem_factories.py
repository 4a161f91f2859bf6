"""Factories of evidence on the theorems and their proofs: values near each bound."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from outcome_factories import Runs
from penalized_bandits.claims.measures.proof_steps import ProofSteps
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.storage.replicates import Outcome
from rule_helpers import alternating, first
from series_factories import LAST, LATE, N, lacking, log_laws, whole, with_constructions

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


def grown(mean: float) -> Runs:
    """Arm 2 lacks so many pulls at the last horizon, and none before."""
    return with_constructions(lacking(lambda t: whole(mean) if t == T else 0.0))


def classical(deficit: float, regret: float, spread: float) -> Runs:
    """Largest deficit and regret grow by these, and 1.5 times what they are at T = 10,000."""

    def pulls(t: int) -> list[FloatArray | float]:
        # Regret is 0.1 for each pull of arm 2 above its level.
        above = alternating(300 + 10 * regret, 10 * spread, N) if t == T else 200.0
        return [t / 10 + above, t / 10, t / 10, t / 10]

    def deficits(t: int) -> list[FloatArray | float]:
        return [0.0, alternating(3 + deficit, spread, N) if t == T else 2.0, 0.0, 0.0, 0.0]

    return log_laws("all_critical", pulls, deficits=deficits, horizons=(10_000, T))


BOUND_OF_PULLS = 8 * LOG / 0.15**2 + 10
BOUND_OF_REGRET = (8 * LOG / 0.15 + 20) / 0.15


def critical_pulls(ratio: float, spread: float) -> Runs:
    """Arm 2 of ``all_critical`` has its level of T / 10, and ten pulls, times a ratio."""
    limit = T / 10 + 10
    values = alternating(ratio * limit, spread * limit, N)
    return log_laws("all_critical", lambda _: [values, 0.0, 0.0, 0.0])


def explored(ratio: float, spread: float, limit: float = BOUND_OF_PULLS) -> Runs:
    """Arm 2 of ``two_arms``, of margin Δ − A = 0.15, has a number of pulls times a ratio."""
    return log_laws("two_arms", lambda _: [alternating(ratio * limit, spread * limit, N)])


def costly(ratio: float, spread: float) -> Runs:
    """Regret of ``two_arms`` is the bound of Theorem 4.2d times a ratio."""
    return with_constructions(explored(ratio, spread, BOUND_OF_REGRET))


def largest_deficits(ratio: float, spread: float) -> Runs:
    """Arm 1 of ``two_arms`` has S_1 − S_2 = 1.15: a_1 = 8/1.15²."""
    limit = 8 / 1.15**2 * LOG + 10
    values = alternating(ratio * limit, spread * limit, N)
    return log_laws("two_arms", lambda _: [2 * LOG / 0.15**2], deficits=lambda _: [values, 0.0])


def scale_of_deficits(ratio: float, spread: float) -> Runs:
    """Arm 2 of ``all_critical`` has A − Δ = 0.9: the scale is 32 τ K log T/0.81."""
    limit = 32 * 0.1 * 5 * LOG / 0.81
    values = alternating(ratio * limit, spread * limit, N)
    return with_constructions(lacking(lambda _: values, horizons=LAST))


def changed(change: Callable[[Outcome], Outcome]) -> Runs:
    return with_constructions(explored(0.5, 0.0, 100.0), change)


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
NO_ROUND = np.zeros(100, np.int64)
ROUNDS = ProofSteps(NO_ROUND, NO_ROUND, NO_ROUND, NO_ROUND, NONE.astype(np.int64), NONE, NONE)
WAITS = 8 / 1.15**2 * math.log(10_000) + 10
"""The bound b_1 log T + 10 of ``two_arms``, on T = 10,000 rounds."""


def violated(k: int) -> ProofSteps:
    """Both observations apply, and are wrong in k of 100 replicates."""
    applicable, wrong = np.ones(100, np.int64), first(k, 100).astype(np.int64)
    return replace(ROUNDS, applicable_3=applicable, violated_3=wrong, applicable_4=applicable,
                   violated_4=wrong)  # fmt: skip


def waited(ratio: float, spread: float) -> ProofSteps:
    values = alternating(ratio * WAITS, spread * WAITS, 100)
    return replace(ROUNDS, waits=np.column_stack([values, values]))


def excess(pulls: float) -> ProofSteps:
    """Arm 1 has a largest deficit above its fraction of 0.3 by so many pulls."""
    return replace(ROUNDS, deficits=np.column_stack([np.full(100, 0.3 + pulls), np.zeros(100)]))
