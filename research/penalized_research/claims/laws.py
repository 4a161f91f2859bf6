"""Claims on laws of growth: long runs, shrinking fractions, heavy tails."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from penalized_bandits.policies import PAPER_POLICY, POLICIES
from penalized_bandits.theory.exploration import Exploration, exploration_of
from penalized_bandits.theory.limits import linear_constant, log_constant
from penalized_bandits.theory.lower_bound import lower_constant
from penalized_replication.claims import parts
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import HorizonSeries, by_instance, regret_of
from penalized_replication.claims.measures import fluid_law
from penalized_replication.claims.measures.fluid_law import RULE, FluidComparison
from penalized_research.measures.growth import growth_exponent

LONG = ("long_runs", "long_runs_kl")
FACTOR = 2.0


def _long_series(evidence: Evidence) -> Iterator[HorizonSeries]:
    """Yield each policy on each bandit."""
    for policy in dict.fromkeys(p for name in LONG for p in evidence.section(name).policies):
        name = next(name for name in LONG if policy in evidence.section(name).policies)
        yield from by_instance(evidence.outcomes(name, policy=policy))


def _exploration(series: HorizonSeries) -> Exploration | None:
    variances = series.law.variances(series.bandit.means)
    return exploration_of(series.policy, series.law.noise, variances)


def _limits(series: HorizonSeries, rule: Exploration) -> tuple[float, float]:
    """Return the limit of the fluid regret over T, and of that over log T if the first is 0."""
    soft = POLICIES[series.policy].card.bound == "soft_radius"
    linear = float(linear_constant(series.bandit)) if soft else 0.0
    return linear, float(log_constant(series.bandit, rule))


@claim(
    "E02",
    statement="The index policies of the long runs have the law of their fluid prediction: regret "
    "of those with a hard threshold grows like log T, of the soft threshold linearly wherever an "
    "arm has 0 < Δ_k < A_k.",
    rule="For each policy with a fluid prediction and each case, from T = 4,000 on, each horizon "
    f"on random numbers of its own, mean regret over the prediction: {RULE}",
    quantity="mean regret over its fluid prediction",
)
def predicted_laws(evidence: Evidence) -> Measured:
    logarithmic: list[FluidComparison] = []
    without: list[str] = []
    for series in _long_series(evidence):
        rule = _exploration(series)
        if rule is None:
            without.append(series.policy)
            continue
        late = series.settled(4_000)
        comparison = fluid_law.regret_comparison(late, rule=rule)
        linear, log = _limits(series, rule)
        scale = 1 / (late.rounds if linear > 0 else np.log(late.rounds))
        yield fluid_law.agreement(comparison, scale, linear if linear > 0 else log)
        if not linear > 0:
            logarithmic.append(comparison)
    yield {"without_prediction": list(dict.fromkeys(without)), **fluid_law.rival_facts(logarithmic)}


@claim(
    "E04",
    statement="The policies of the long runs come within a factor 2 of the instance lower bound as "
    "T grows.",
    rule="For each policy with a known limit and each case of the long runs: the limit of R(T) "
    f"over log T, over the bound's constant; holds if it is below {FACTOR:g}, fails if above, and "
    "where regret is linear in T. Undecided where no limit is known.",
    quantity="limit of regret over log T, over the constant of the instance lower bound",
)
def near_the_lower_bound(evidence: Evidence) -> Measured:
    for series in _long_series(evidence):
        constant = float(lower_constant(replace(series.bandit, rewards=series.law)))
        if constant == 0:
            continue
        last, bound = series.last, constant * float(np.log(series.last.horizon))
        values = {"last": last.horizon, "regret": float(regret_of(last).mean()) / bound}
        fields = series.about(values=values)
        rule = _exploration(series)
        if rule is None:
            yield parts.unknown("no limit is known", **fields)
            continue
        end = fluid_law.regret_comparison(series.since(last.horizon), rule=rule)
        values["predicted"] = float(end.curve[-1]) / bound
        linear, log = _limits(series, rule)
        ratio = log / constant
        if linear > 0:
            yield parts.exactly(False, np.inf, FACTOR, reason="regret is linear in T", **fields)
        elif ratio < 1 - 1e-6:
            # A radius too narrow for the noise: log T is not the law.
            yield parts.unknown(f"the limit would be {ratio:.3g}, below the bound", **fields)
        else:
            yield parts.below(parts.exact(ratio), FACTOR, **fields)


SHRINKING, HEAVY = "shrinking_fairness", "heavy_tails"


@claim(
    "E07",
    where="not in the paper (Remark on small fractions)",
    statement="Where fractions shrink with the horizon as T^-b, the hard threshold's penalized "
    "regret still follows its fluid prediction, whose law is log T.",
    rule="For each b, over all horizons, mean regret over the fluid prediction with the fractions "
    f"of each horizon: {RULE} Vacuous where the hard threshold pulls what UCB1 does.",
    quantity="mean regret over its fluid prediction",
)
def shrinking_fractions(evidence: Evidence) -> Measured:
    comparisons: list[FluidComparison] = []
    for series in by_instance(evidence.outcomes(SHRINKING, policy=PAPER_POLICY)):
        comparison = fluid_law.regret_comparison(series)
        part, last = fluid_law.agreement(comparison), series.last
        if "ucb1" in evidence.section(SHRINKING).policies:
            ucb1 = evidence.outcome(SHRINKING, last.case, "ucb1", last.horizon)
            if (ucb1.pulls == last.pulls).all():
                part = parts.irrelevant(part, "the same pulls as UCB1: the threshold never acts")
        yield part
        comparisons.append(comparison)
    yield fluid_law.rival_facts(comparisons)


@claim(
    "E08",
    statement="Under rewards with heavy tails the hard threshold's penalized regret still grows "
    "more slowly than the square root of T.",
    rule="For each tail index: the exponent of mean regret between the smallest and the largest "
    "horizon; holds if its 95 % interval is below 0.5, fails if above.",
    quantity="exponent of mean regret in T",
)
def heavy_tails(evidence: Evidence) -> Measured:
    for series in by_instance(evidence.outcomes(HEAVY, policy=PAPER_POLICY)):
        fields = parts.Fields(case=series.instance, label=series.label)
        yield growth_exponent(series.outcomes, 0.5, fields)
