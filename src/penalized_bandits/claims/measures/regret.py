"""Penalized regret of replicates, and policies compared by it in pairs."""

from collections.abc import Mapping

import numpy as np

from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.claims.base import Finding, Part, below, by_p_values
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.typing import FloatArray


def regret_of(outcome: Outcome) -> FloatArray:
    """Penalized regret of each replicate, shape (R,)."""
    assert outcome.penalties is not None  # noqa: S101
    return penalized_regret(outcome.pulls, outcome.means, outcome.fairness, outcome.penalties)


def regret_at(
    evidence: Evidence, experiment: str, case: str, policy: str, horizon: int
) -> FloatArray:
    """Penalized regret of each replicate of a policy in a case, shape (R,)."""
    return regret_of(evidence.outcome(experiment, case, policy, horizon))


def smaller(pairs: Mapping[str, tuple[FloatArray, FloatArray]]) -> tuple[Part, ...]:
    """Decide for each case whether the first of two regrets is smaller, by pairs of replicates."""
    from penalized_bandits.statistics.estimates import paired_difference

    found = {name: paired_difference(*pair) for name, pair in pairs.items()}
    parts = [
        below(
            name,
            one.difference.value,
            one.difference.low,
            one.difference.high,
            0.0,
            stake=float(np.abs(pairs[name][1].mean())),
        )
        for name, one in found.items()
    ]
    return by_p_values(
        parts,
        [one.p_less for one in found.values()],
        [one.p_greater for one in found.values()],
    )


def smaller_regret(evidence: Evidence, policy: str, other: str) -> Finding:
    """Say in each cell of Figure 1 whether a policy's mean regret is smaller than another's."""
    decided = smaller(
        {
            f"{case} T={horizon}": (
                regret_at(evidence, "setting_1", case, policy, horizon),
                regret_at(evidence, "setting_1", case, other, horizon),
            )
            for case in evidence.cases("setting_1")
            for horizon in evidence.section("setting_1").horizons
        }
    )
    same = [part.name for part in decided if part.estimate == part.low == part.high == 0]
    note = f"The same arms pulled, pull by pull, in {', '.join(same)}." if same else ""
    return Finding(
        f"mean difference of penalized regret, {policy} minus {other}",
        decided,
        note=note,
    )
