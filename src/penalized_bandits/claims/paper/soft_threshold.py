"""Section 5, "On hard threshold": a soft threshold is neither nearly optimal nor fair."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from penalized_bandits.bandit.regret import gaps
from penalized_bandits.claims.base import claim
from penalized_bandits.claims.evidence import Evidence, penalties_of
from penalized_bandits.claims.horizon_series import SETTLED, HorizonSeries, bandit_at
from penalized_bandits.claims.measures.fair_arms import HALF
from penalized_bandits.claims.measures.fluid_law import (
    RULE,
    FluidComparison,
    agreement,
    regret_comparison,
    rival_facts,
)
from penalized_bandits.claims.measures.regret import crossover_cells
from penalized_bandits.claims.parts import Part, about, probability, unknown
from penalized_bandits.common.typing import BoolArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import linear_constant, log_constant

SOFT = "soft_threshold_ucb"


def _asymptote(outcome: Outcome) -> float:
    """Return the limit of R(T)/T under the soft threshold, of R(T)/log T under the hard one.

    NaN if there is none.
    """
    if outcome.policy == SOFT:
        drawn = instance_of(outcome.means, outcome.fairness, penalties_of(outcome))
        return float(linear_constant(drawn).mean())
    # Over bandits drawn anew the mean of 1/(Delta_k - A_k) is infinite.
    bandit = bandit_at(outcome)
    return np.nan if (outcome.means != bandit.means).any() else float(log_constant(bandit))


def _exponents(comparisons: Sequence[FluidComparison]) -> list[float]:
    """Return the power of T by which each regret grows from its first horizon to its last."""
    exponents = []
    for one in comparisons:
        first, last = float(one.measured[0].mean()), float(one.measured[-1].mean())
        if len(one.horizons) > 1 and min(first, last) > 0:
            times = one.horizons[-1] / one.horizons[0]
            exponents.append(float(np.log(last / first) / np.log(times)))
    return exponents


@claim(
    "C19",
    where='section 5, "On hard threshold"',
    statement="A soft threshold does not have nearly optimal penalized regret, and the hard one "
    "has: wherever some arm has 0 < Δ_k < A_k it is linear in T for the one, log T for the other.",
    rule="In each cell of the studies with such an arm, from T = 10,000 on, mean regret over its "
    "fluid prediction, which is linear in T for the soft threshold and grows like log T for the "
    f"hard one, bandit by bandit: {RULE}",
    quantity="mean regret over its fluid prediction",
)
def linear_and_logarithmic(evidence: Evidence) -> Iterator[Part | dict[str, Any]]:
    """Compare the regret of both thresholds with its fluid prediction."""
    hard: list[FluidComparison] = []
    for study, case in crossover_cells(evidence):
        for policy, quantity in ((SOFT, "R(T)/T"), (PAPER_POLICY, "R(T)/log T")):
            outcomes = tuple(evidence.outcomes(study, case=case, policy=policy))
            series = HorizonSeries(case, outcomes[0].info.label, outcomes)
            fields = series.about() | {"quantity": quantity}
            late = series.since()
            if not len(late):
                yield unknown(f"no horizon from {SETTLED} on", **fields)
                continue
            limit = _asymptote(late.outcomes[0])
            if policy == SOFT and limit == 0:
                continue  # No suboptimal arm is critical: the bonus is of no use to it.
            comparison = regret_comparison(late, quantity=quantity)
            scale = 1 / (late.rounds if policy == SOFT else np.log(late.rounds))
            yield agreement(comparison, scale, limit)
            if policy == PAPER_POLICY:
                hard.append(comparison)
    yield {"exponents": _exponents(hard), **rival_facts(hard)}


def guaranteed(outcome: Outcome) -> BoolArray:
    """Return the suboptimal arms that meet the condition of Theorem 4.1, shape (R, K).

    It is A_k - Delta_k >= sqrt(32 log T/(tau_k T)).
    """
    gap = gaps(outcome.means)
    level = outcome.fairness * outcome.horizon
    root = np.sqrt(32 * np.log(outcome.horizon) / np.maximum(level, 1e-9))
    return np.asarray((gap > 0) & (penalties_of(outcome) - gap >= root))


def served(outcome: Outcome, arms: BoolArray) -> BoolArray:
    """Return whether all of these arms (R, K) have floor(tau_k T) pulls.

    One value for each replicate that has such arms.
    """
    whole = np.floor(outcome.fairness * outcome.horizon + 1e-9)
    kept = np.asarray(((outcome.pulls >= whole) | ~arms).all(axis=1))
    return kept[arms.any(axis=1)]


def _lacking(outcome: Outcome, arms: BoolArray) -> dict[str, float]:
    """Return the share of their level that arms lack on average, and its limit."""
    level = outcome.fairness * outcome.horizon
    lacks = (np.maximum(level - outcome.pulls, 0) / level)[arms].mean()
    limit = (gaps(outcome.means) / penalties_of(outcome))[arms].mean()
    return {"lacks": float(lacks), "asymptote": float(limit)}


@claim(
    "C51",
    where='section 5, "On hard threshold"',
    statement="A soft threshold is not asymptotically fair: arms whose penalty rates are above "
    "their gaps stay short of their levels.",
    rule="In each cell at the largest horizon, over the suboptimal arms with A_k − Δ_k ≥ "
    "√(32 log T/(τ_k T)), the condition of Theorem 4.1, and the replicates that have such arms: "
    "holds if the Wilson interval of the probability that all of them have ⌊τ_k T⌋ pulls lies "
    f"below {HALF:g}, fails if above. A cell without such arms says nothing.",
    quantity="probability that the soft threshold gives all arms that must be fair ⌊τ_k T⌋ pulls",
)
def soft_is_not_fair(evidence: Evidence) -> Iterator[Part | dict[str, Any]]:
    """Measure how often the soft threshold gives arms their pulls that Theorem 4.1 keeps fair."""
    hard: list[float] = []
    for study, case in crossover_cells(evidence):
        outcome = max(evidence.outcomes(study, case=case, policy=SOFT), key=lambda run: run.horizon)
        arms = guaranteed(outcome)
        if not arms.any():
            continue
        fair = served(outcome, arms)
        successes, values = int(fair.sum()), _lacking(outcome, arms)
        yield probability(successes, fair.size, most=HALF, **about(outcome), values=values)
        ours = evidence.outcome(study, case, PAPER_POLICY, outcome.horizon)
        hard.append(float(served(ours, guaranteed(ours)).mean()))
    yield {"hard": min(hard, default=np.nan)}
