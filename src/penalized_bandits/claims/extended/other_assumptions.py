"""Claims outside the paper's assumptions: shrinking fractions, heavy tails."""

from collections.abc import Iterator
from typing import Any

from penalized_bandits.claims.base import claim
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.horizon_series import HorizonSeries
from penalized_bandits.claims.measures.fluid_law import (
    RULE,
    FluidComparison,
    agreement,
    regret_comparison,
    rival_facts,
)
from penalized_bandits.claims.measures.growth import growth_exponent
from penalized_bandits.claims.parts import Fields, Part, irrelevant
from penalized_bandits.policies import PAPER_POLICY

SHRINKING, HEAVY = "shrinking_fairness", "heavy_tails"
LIMIT = 0.5


def _series(evidence: Evidence) -> Iterator[HorizonSeries]:
    """Yield the bandits with shrinking fractions at increasing horizons."""
    outcomes: dict[str, list[Any]] = {}
    for outcome in evidence.outcomes(SHRINKING, policy=PAPER_POLICY):
        outcomes.setdefault(outcome.info.instance, []).append(outcome)
    for instance, runs in outcomes.items():
        yield HorizonSeries(instance, runs[0].info.label, tuple(runs))


@claim(
    "E07",
    where="not in the paper (Remark on small fractions)",
    statement="Where fractions shrink with the horizon as T^-b, the hard threshold's penalized "
    "regret still follows its fluid prediction, whose law is log T.",
    rule="For each b, over all horizons, mean regret over the fluid prediction with the fractions "
    f"of each horizon: {RULE} Vacuous where the hard threshold pulls what UCB1 does.",
    quantity="mean regret over its fluid prediction",
)
def shrinking_fractions(evidence: Evidence) -> Iterator[Part | dict[str, Any]]:
    """Compare regret with the prediction where fractions shrink."""
    comparisons: list[FluidComparison] = []
    for series in _series(evidence):
        comparison = regret_comparison(series)
        part, last = agreement(comparison), series.last
        if "ucb1" in evidence.section(SHRINKING).policies:
            ucb1 = evidence.outcome(SHRINKING, last.case, "ucb1", last.horizon)
            if (ucb1.pulls == last.pulls).all():
                part = irrelevant(part, "the same pulls as UCB1: the threshold never acts")
        yield part
        comparisons.append(comparison)
    yield rival_facts(comparisons)


@claim(
    "E08",
    where="not in the paper",
    statement="Under rewards with heavy tails the hard threshold's penalized regret still grows "
    "more slowly than the square root of T.",
    rule="For each tail index: the exponent of mean regret between the smallest and the largest "
    "horizon; holds if its 95 % interval is below 0.5, fails if above.",
    quantity="exponent of mean regret in T",
)
def heavy_tails(evidence: Evidence) -> Iterator[Part]:
    """Return the exponents of regret under heavy tails."""
    for case in evidence.cases(HEAVY):
        horizons = evidence.section(HEAVY).horizons
        runs = [evidence.outcome(HEAVY, case, PAPER_POLICY, horizon) for horizon in horizons]
        yield growth_exponent(runs, LIMIT, Fields(case=case, label=runs[0].info.label))
