"""Penalized regret: of pairs of policies, and the largest over gaps."""

from collections.abc import Iterator, Sequence

from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.horizon_series import regret_of
from penalized_bandits.claims.measures.effects import NEGLIGIBLE, unless_negligible
from penalized_bandits.claims.parts import Fields, Part, about, below, by_p_values
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import paired_difference
from penalized_bandits.storage.replicates import Outcome

SMALLER_REGRET = (
    "A cell (panel and horizon) holds if the mean paired difference is below 0, fails if it is "
    "above 0, each at Holm-adjusted one-sided p < 0.05 over all cells. It is negligible, and "
    "counts neither as holding nor as failing, where the 95 % interval of the difference is within "
    f"{100 * NEGLIGIBLE:g} % of the rival's mean regret."
)


def smaller_of(pairs: Sequence[tuple[FloatArray, FloatArray, Fields]]) -> tuple[Part, ...]:
    """Decide for each pair of regrets (R,) whether the first is smaller, by paired replicates.

    The third of each triple are the fields of its part.
    """
    found = [paired_difference(ours, theirs) for ours, theirs, _ in pairs]
    parts = [
        below(one.difference.interval, 0.0, abs(float(theirs.mean())), **fields)
        for one, (_, theirs, fields) in zip(found, pairs, strict=True)
    ]
    return by_p_values(parts, [one.p_less for one in found], [one.p_greater for one in found])


def smaller_regret(
    evidence: Evidence, experiment: str, policy: str, rival: str, *, last: bool = False
) -> Iterator[Part]:
    """Compare the mean regret of two policies in each case and at each horizon, or the last."""
    pairs = []
    for case in evidence.cases(experiment):
        for horizon in evidence.section(experiment).horizons[-1 if last else 0 :]:
            ours = evidence.outcome(experiment, case, policy, horizon)
            theirs = evidence.outcome(experiment, case, rival, horizon)
            pairs.append((regret_of(ours), regret_of(theirs), about(ours) | {"rival": rival}))
    yield from map(unless_negligible, smaller_of(pairs))


def worst_outcomes(evidence: Evidence, policy: str) -> list[Outcome]:
    """Return at each horizon the outcome of the gap and ratio A / Δ with the largest regret."""
    horizons = evidence.section("worst_case").horizons
    studies = (evidence.outcomes("worst_case", policy=policy, horizon=t) for t in horizons)
    return [max(study, key=lambda outcome: regret_of(outcome).mean()) for study in studies]


def crossover_cells(evidence: Evidence) -> list[tuple[str, str]]:
    """Return study and case of every cell of the studies at increasing horizons."""
    studies = ("crossover", "movie_crossover")
    return [(study, case) for study in studies for case in evidence.cases(study)]
