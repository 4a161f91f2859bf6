"""Claims on laws of growth: long runs, shrinking fractions, heavy tails."""

from collections.abc import Iterator

import numpy as np

from penalized_bandits.policies import PAPER_POLICY, POLICIES
from penalized_bandits.theory.exploration import Exploration, exploration_of
from penalized_bandits.theory.limits import linear_constant, log_constant
from penalized_bandits.theory.lower_bound import lower_constant
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, exact
from penalized_replication.claims.horizon_series import HorizonSeries, by_instance, regret_of
from penalized_replication.claims.measures.fluid_law import regret_comparison
from penalized_replication.claims.rules import AsPredicted, Below
from penalized_research.measures.growth import EXPONENT, growth_exponent

LONG = ("long_runs", "long_runs_kl")
SHRINKING, HEAVY = "shrinking_fairness", "heavy_tails"


def _long_series(evidence: Evidence) -> Iterator[tuple[HorizonSeries, Exploration | None]]:
    """Yield each policy on each bandit, with its exploration where a prediction knows it."""
    for policy in dict.fromkeys(p for name in LONG for p in evidence.section(name).policies):
        name = next(name for name in LONG if policy in evidence.section(name).policies)
        for series in by_instance(evidence.outcomes(name, policy=policy)):
            variances = series.bandit.rewards.variances(series.bandit.means)
            yield series, exploration_of(policy, series.bandit.rewards.noise, variances)


def _limits(series: HorizonSeries, rule: Exploration) -> tuple[float, float]:
    """Return the limit of the fluid regret over T, and of that over log T if the first is 0."""
    soft = POLICIES[series.policy].card.bound == "soft_radius"
    linear = float(linear_constant(series.bandit)) if soft else 0.0
    return linear, float(log_constant(series.bandit, rule))


@claim(
    "E02",
    AsPredicted(
        of="mean regret",
        over="For each policy with a fluid prediction and each case, from T = 4,000 on, each T on "
        "random numbers of its own",
    ),
)
def predicted_laws(evidence: Evidence) -> Measured:
    without: dict[str, None] = {}
    for series, rule in _long_series(evidence):
        if rule is None:
            without[series.policy] = None
            continue
        late, (linear, log) = series.settled(4_000), _limits(series, rule)
        scale = 1 / (late.rounds if linear > 0 else np.log(late.rounds))
        data = regret_comparison(late, exploration=rule, scale=scale, logarithmic=not linear > 0)
        yield Measurement(data, series.place(), asymptote=linear if linear > 0 else log)
    yield {"without_prediction": list(without)}


@claim(
    "E04",
    Below(
        2.0,
        of="limit of regret over log T over the constant of the instance lower bound",
        over="For each policy with a known limit and each case (∞ where regret is linear in T)",
        exact=True,
    ),
)
def near_the_lower_bound(evidence: Evidence) -> Measured:
    for series, rule in _long_series(evidence):
        constant = float(lower_constant(series.bandit))
        if constant == 0:
            continue
        last, bound = series.last, constant * float(np.log(series.last.horizon))
        values = {"last": last.horizon, "regret": float(regret_of(last).mean()) / bound}
        data, reason = None, "no limit is known"
        if rule is not None:
            end = regret_comparison(series.since(last.horizon), exploration=rule)
            values["predicted"] = float(end.curve[-1]) / bound
            linear, log = _limits(series, rule)
            limit = np.inf if linear > 0 else log / constant
            # Below the bound: a radius too narrow for the noise, log T is not the law.
            reason = f"the limit would be {limit:.3g}, below the bound"
            if limit >= 1 - 1e-6:
                data, reason = exact(limit), "regret is linear in T" if linear > 0 else ""
        yield Measurement(data, series.place(), reason=reason, values=values)


@claim(
    "E07",
    AsPredicted(of="mean regret", over="For each b, over all T (vacuous where pulls are UCB1's)"),
)
def shrinking_fractions(evidence: Evidence) -> Measured:
    for series in by_instance(evidence.outcomes(SHRINKING, policy=PAPER_POLICY)):
        data, last = regret_comparison(series, logarithmic=True), series.last
        measurement = Measurement(data, series.place())
        if "ucb1" in evidence.section(SHRINKING).policies:
            ucb1 = evidence.outcome(SHRINKING, last.case, "ucb1", last.horizon)
            if (ucb1.pulls == last.pulls).all():
                reason = "the same pulls as UCB1: the threshold never acts"
                measurement = measurement.silent(reason)
        yield measurement


@claim("E08", Below(0.5, of=EXPONENT, over="For each tail index"))
def heavy_tails(evidence: Evidence) -> Measured:
    for series in by_instance(evidence.outcomes(HEAVY, policy=PAPER_POLICY)):
        yield growth_exponent(series)
