"""C51: a soft threshold does not keep arms fair (section 5, "On hard threshold")."""

from dataclasses import replace

import numpy as np

from penalized_bandits.bandit.regret import gaps
from penalized_bandits.claims.base import Claim, Finding, Part, share_of
from penalized_bandits.claims.evidence import Evidence, penalties_of
from penalized_bandits.claims.measures.fair_arms import HALF
from penalized_bandits.claims.measures.overtaking import cells
from penalized_bandits.common.typing import BoolArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome

SOFT = "soft_threshold_ucb"


def owed(outcome: Outcome) -> BoolArray:
    """Suboptimal arms with A_k − Δ_k ≥ √(32 log T/(τ_k T)), as in Theorem 4.1, shape (R, K)."""
    gap = gaps(outcome.means)
    level = outcome.fairness * outcome.horizon
    root = np.sqrt(32 * np.log(outcome.horizon) / np.maximum(level, 1e-9))
    return np.asarray((gap > 0) & (penalties_of(outcome) - gap >= root))


def served(outcome: Outcome, arms: BoolArray) -> BoolArray:
    """Whether all of these arms (R, K) have ⌊τ_k T⌋ pulls, of the replicates that have any."""
    whole = np.floor(outcome.fairness * outcome.horizon + 1e-9)
    kept = np.asarray(((outcome.pulls >= whole) | ~arms).all(axis=1))
    return kept[arms.any(axis=1)]


def _part(case: str, outcome: Outcome) -> Part | None:
    arms = owed(outcome)
    if not arms.any():
        return None
    fair = served(outcome, arms)
    part = share_of(f"{case} T={outcome.horizon}", int(fair.sum()), fair.size, most=HALF)
    level = outcome.fairness * outcome.horizon
    lacks = (np.maximum(level - outcome.pulls, 0) / level)[arms].mean()
    limit = (gaps(outcome.means) / penalties_of(outcome))[arms].mean()
    detail = f"these arms lack {lacks:.1%} of their level on average; as T → ∞ {limit:.1%}"
    return replace(part, detail=detail)


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    hard: list[float] = []
    for study, case in cells(evidence):
        outcome = max(evidence.outcomes(study, case=case, policy=SOFT), key=lambda run: run.horizon)
        part = _part(case, outcome)
        if part is None:
            continue
        parts.append(part)
        ours = evidence.outcome(study, case, PAPER_POLICY, outcome.horizon)
        hard.append(float(served(ours, owed(ours)).mean()))
    note = (
        "The soft threshold balances at N_k = τ_k T (1 − Δ_k/A_k): an arm lacks the share Δ_k/A_k "
        "of its level as T → ∞."
    )
    if hard:
        note += f" The hard threshold keeps the same arms fair: with probability {min(hard):.3g}."
    return Finding(
        "probability that the soft threshold gives all arms that must be fair ⌊τ_k T⌋ pulls",
        tuple(parts),
        note=note,
    )


CLAIM = Claim(
    where='section 5, "On hard threshold"',
    statement="A soft threshold is not asymptotically fair: arms whose penalty rates are above "
    "their gaps stay short of their levels.",
    rule="In each cell at the largest horizon, over the suboptimal arms with A_k − Δ_k ≥ "
    "√(32 log T/(τ_k T)), the condition of Theorem 4.1, and the replicates that have such arms: "
    "holds if the Wilson interval of the probability that all of them have ⌊τ_k T⌋ pulls lies "
    f"below {HALF:g}, fails if above. A cell without such arms says nothing.",
    measure=_measure,
)
