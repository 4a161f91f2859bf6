"""Claims on the least constant of log T where rewards are ratings (Theorems 2' and 3')."""

from functools import partial

from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import ratio_of_means
from penalized_bandits.theory.lower_bound import lower_constant
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, exact
from penalized_replication.claims.horizon_series import regret_of
from penalized_replication.claims.rules import Above
from penalized_research.claims import constants
from penalized_research.claims.constants import KL, LIMIT

EMPIRICAL = "empirical_kl_hard_threshold_log"
_series = partial(constants.sharp_series, studies=("sharp_ratings",))
OF_KL, OF_PAPERS = (f"For each bandit, {name}" for name in ("KL-UCB's index", "published policy"))
LIMITS = {
    EMPIRICAL: constants.AsLeast(over="For each bandit, empirical index"),
    KL: Above(3.0, of=LIMIT, over=OF_KL, exact=True),
    PAPER_POLICY: Above(15.0, of=LIMIT, over=OF_PAPERS, exact=True),
}
OVER_EMPIRICAL = "mean regret at the largest T over that with the empirical index (same rewards)"
# Smaller factors, as the published policy's regret is far below its limit at the largest T.
MEASURED = {
    KL: Above(2.0, of=OVER_EMPIRICAL, over=OF_KL),
    PAPER_POLICY: Above(8.0, of=OVER_EMPIRICAL, over=OF_PAPERS),
}


@claim("S21", constants.WideLaw(over=constants.LATE))
def law_of_ratings(evidence: Evidence) -> Measured:
    for series in _series(evidence, [EMPIRICAL]):
        yield series.leading_law()


@claim("S22", LIMITS)
def least_on_ratings(evidence: Evidence) -> Measured:
    for series in (x for policy in LIMITS for x in _series(evidence, [policy])):
        least = float(lower_constant(series.bandit))
        yield Measurement(exact(series.constant / least), series.place(), rule=series.policy)


@claim("S23", MEASURED)
def price_of_the_wrong_law(evidence: Evidence) -> Measured:
    least = {series.instance: regret_of(series.last) for series in _series(evidence, [EMPIRICAL])}
    for series in (x for policy in MEASURED for x in _series(evidence, [policy])):
        ratio = ratio_of_means(regret_of(series.last), least[series.instance])
        place = series.place(horizon=series.last.horizon, rival=EMPIRICAL)
        yield Measurement(ratio.interval, place, rule=series.policy)
