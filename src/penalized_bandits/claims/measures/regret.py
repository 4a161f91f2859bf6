"""Penalized regret of replicates, and policies compared by it in pairs."""

from collections.abc import Mapping

from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.claims.base import Finding, Part, below, by_p_values
from penalized_bandits.claims.evidence import Evidence, penalties_of
from penalized_bandits.claims.measures.effects import NEGLIGIBLE, VERSION, sized
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import paired_difference
from penalized_bandits.storage.replicates import Outcome


def regret_of(outcome: Outcome) -> FloatArray:
    """Penalized regret of each replicate, shape (R,)."""
    bandits = (outcome.means, outcome.fairness, penalties_of(outcome))
    return penalized_regret(outcome.pulls, *bandits)


def regret_at(
    evidence: Evidence, experiment: str, case: str, policy: str, horizon: int
) -> FloatArray:
    """Penalized regret of each replicate of a policy in a case, shape (R,)."""
    return regret_of(evidence.outcome(experiment, case, policy, horizon))


def smaller(pairs: Mapping[str, tuple[FloatArray, FloatArray]]) -> tuple[Part, ...]:
    """Decide for each case whether the first of two regrets is smaller, by pairs of replicates."""
    found = {name: paired_difference(*pair) for name, pair in pairs.items()}
    parts = [
        below(name, *one.difference.interval, 0.0, stake=abs(float(pairs[name][1].mean())))
        for name, one in found.items()
    ]
    p_holds = [one.p_less for one in found.values()]
    p_fails = [one.p_greater for one in found.values()]
    return by_p_values(parts, p_holds, p_fails)


SMALLER_REGRET = (
    "A cell (panel and horizon) holds if the mean paired difference is below 0, fails if it is "
    "above 0, each at Holm-adjusted one-sided p < 0.05 over all cells. It is undecided where the "
    f"difference is negligible: where its 95 % interval is within {100 * NEGLIGIBLE:g} % of the "
    "rival's mean regret."
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
    parts = tuple(sized(part, "the rival's regret") for part in decided)
    shares = [part.estimate / part.stake for part in parts if part.stake > 0]
    same = [part.name for part in parts if part.estimate == part.low == part.high == 0]
    note = ""
    if shares:
        note += (
            f"The difference is {min(shares):+.1%} to {max(shares):+.1%} of the rival's regret. "
        )
    if same:
        note += f"The same arms pulled, pull by pull, in {', '.join(same)}. "
    return Finding(
        f"mean difference of penalized regret, {policy} minus {other}", parts, note=note + VERSION
    )
