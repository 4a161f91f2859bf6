"""Rules of the claims on the worst case, lower bounds and formulas: cases near each limit."""

import math
from collections.abc import Callable

import numpy as np

from config_helpers import PAPER
from outcome_factories import Runs, outcome, study
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_regret
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.experiments.catalogue import STUDIES
from rule_helpers import RATIO, Case, alternating, check, near, table

N, T = 40, 80_000
ROUNDS = (3000, 7000, 16_000, 36_000, T)
Growth = Callable[[int], float]


def worst(
    regret: Growth,
    spread: float = 0.005,
    *,
    multiple: float = 1.0,
    fairness: float = 0.5,
    horizons: tuple[int, ...] = ROUNDS,
) -> Runs:
    """Return regret at the gap of one multiple of its scale, with A = Δ/2."""
    chosen = {"horizons": list(horizons), "gaps": [multiple], "penalty_ratios": [0.5]}
    section = {**PAPER["worst_case"], **chosen, "fairness": fairness}
    model, runs = STUDIES["worst_case"].section.model_validate(section), []
    for t in horizons:
        gap, level = min(model.gap_at(multiple, t), 0.5), fairness / 5 * t
        bandit = (0.5 + gap, *(0.5,) * 4), (fairness / 5,) * 5, gap / 2
        own = alternating(regret(t), spread * regret(t), N) / 4
        # Below its level a pull costs Δ − A, above it Δ.
        below = own / (gap / 2)
        pulls = np.where(below <= level, below, (own + gap / 2 * level) / gap)
        case = f"T{t}_gap{multiple:g}_ratio0.5"
        for policy in (PAPER_POLICY, "explore_then_commit"):
            others = np.tile(pulls[:, None], 4)
            runs.append(outcome(others, t, *bandit, case=case, policy=policy))
    return Runs({"worst_case": runs}, {"worst_case": section})


def as_predicted(factor: float = 1.0, power: float = 0.0) -> Growth:
    """Return the fluid regret at the gap of one multiple, times a factor and a power of T."""

    def growth(t: int) -> float:
        gap = math.sqrt(5 * math.log(t) / t)
        bandit = instance_of(0.5 + gap * (np.arange(5) == 0), 0.1, gap / 2)
        regret = float(predicted_regret(bandit, t))
        return regret * factor * (t / 16_000) ** power

    return growth


def largest(ratio: float, spread: float, t: int = T) -> Runs:
    """Return the bound of Theorem 4.5 with C = 0 and τ_k = 0.01, times a ratio, at a gap of 1/2."""
    root = math.sqrt(t * math.log(t))
    bound = 8 * root * 5 * math.sqrt(0.01) + 8 * root * math.sqrt(0.99 * 5)
    return worst(lambda _: ratio * bound, spread, multiple=32.0, fairness=0.05, horizons=(t,))


def constructions(ratio: float, last: float | None = None) -> Runs:
    """Both constructions, whose arms exceed their bounds by a ratio; the last by another.

    Of Theorem 4.6 arms have pulls, of 4.7 the two critical arms regret, above a level of half.
    """
    ratios, runs = np.array([ratio, ratio if last is None else last]), []
    horizons = [1000, 100_000, 1_000_000]
    for t in horizons:
        unit = math.log(t) / 0.2**2
        level = 0.5 * unit / t
        of_4_6 = ((0.5, 0, 0, 0, 0), (0.15,) * 5, 0.3)
        tau = (0.05, level, level, 0.05, 0.05)
        of_4_7 = ((0.6, 0.4, 0.4, 0.2, 0.2), tau, (0.5, 0.5, 0.5, 0.2, 0.2))
        pulls_4_6, pulls_4_7 = np.tile(ratios * unit, 2), (0.5 + 0.5 * ratios) * unit
        for theorem, pulls, bandit in (
            ("4_6", pulls_4_6, of_4_6),
            ("4_7", np.append(pulls_4_7, [0, 0]), of_4_7),
        ):
            few = np.minimum(pulls[None], t / 5)
            runs.append(outcome(few, t, *bandit, case=f"theorem_{theorem}_T{t}"))
    return study("deterministic", runs, horizons=horizons)


# --- C14, C15 ---------------------------------------------------------------------
EXPONENT, OVER = {"quantity": "exponent in T"}, {"quantity": "over prediction", "horizon": T}
WORST = (
    *near("C14", largest, *RATIO),
    *near("C14", largest, ((0.3, 0.01, 3000), "v"), reason="the bound is 3,378, more than T"),
    # Within 0.03 of 1/2; power 0 is 1/2.
    *near("C15", lambda power, spread: worst(as_predicted(1.0, power), spread),
          ((0.027, 0.005), "h"), ((0.027, 0.05), "u"), ((0.033, 0.005), "f"),
          ((-0.027, 0.005), "h"), ((-0.033, 0.005), "f"), **EXPONENT),
    # Within 10 % of the prediction.
    *near("C15", lambda factor, spread: worst(as_predicted(factor), spread),
          ((1.09, 0.01), "h"), ((1.09, 0.05), "u"), ((1.11, 0.01), "f"), ((0.91, 0.01), "h"),
          ((0.89, 0.01), "f"), **OVER),
    *near("C15", lambda *t: worst(as_predicted(), horizons=t), (ROUNDS[:2], "u"),
          reason="too few horizons", **EXPONENT),
)  # fmt: skip

# --- C16, C17, C44: nothing is random ---------------------------------------------
LOWER = (
    *(case for claim, times in (("C16", 1), ("C17", 1), ("C44", 2)) for case in near(
        claim, constructions, (1.02, "vhh" * times), (0.98, "vff" * times),
        ((1.02, 0.98), "vff" * times), reason="the proof's assumptions need a larger T")),
)  # fmt: skip


@table(*WORST, *LOWER)
def test_worst_case_and_lower_bounds(case: Case) -> None:
    check(case)
