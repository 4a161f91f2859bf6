"""Paired comparisons of regret in the cells of Figure 1."""

from penalized_bandits.claims.base import Finding, Part, by_p_values
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.regret import penalized_regret
from penalized_bandits.replicates import Outcome
from penalized_bandits.typing import FloatArray


def regret_of(outcome: Outcome) -> FloatArray:
    """Penalized regret of each replicate, shape (R,)."""
    assert outcome.penalties is not None  # noqa: S101
    return penalized_regret(outcome.pulls, outcome.means, outcome.fairness, outcome.penalties)


def smaller_regret(evidence: Evidence, policy: str, other: str) -> Finding:
    """Say in each cell whether a policy's mean regret is smaller than another's."""
    from penalized_bandits.theory.statistics import paired_difference

    parts: list[Part] = []
    p_less: list[float] = []
    p_more: list[float] = []
    section = evidence.section("setting_1")
    for case in evidence.cases("setting_1"):
        for horizon in section.horizons:
            ours, theirs = (
                regret_of(evidence.outcome("setting_1", case, p, horizon)) for p in (policy, other)
            )
            difference = paired_difference(ours, theirs)
            found = difference.difference
            name = f"{case} T={horizon}"
            parts.append(Part(name, found.value, found.low, found.high, "undecided", 0.0))
            p_less.append(difference.p_less)
            p_more.append(difference.p_greater)
    decided = by_p_values(parts, p_less, p_more)
    same = [part.name for part in decided if part.estimate == part.low == part.high == 0]
    note = f"The same arms pulled, pull by pull, in {', '.join(same)}." if same else ""
    return Finding(
        f"mean difference of penalized regret, {policy} minus {other}",
        decided,
        headline=decided[-1],
        note=note,
    )
