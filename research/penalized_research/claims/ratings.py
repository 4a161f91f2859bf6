"""Claims on the least constant of log T where rewards are ratings (Theorems 2' and 3')."""

from dataclasses import replace
from functools import partial

from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import ratio_of_means
from penalized_bandits.theory.lower_bound import lower_constant
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import regret_of
from penalized_replication.claims.parts import above, exact, within
from penalized_research.claims import constants
from penalized_research.claims.constants import EXACT, KL

EMPIRICAL = "empirical_kl_hard_threshold_log"
LIMITS = {KL: 3.0, PAPER_POLICY: 15.0}
"""Factors over the least constant."""
MEASURED = {KL: 2.0, PAPER_POLICY: 8.0}
"""Factors over the empirical index's regret: smaller, as the published policy's regret is far below
its limit at the largest T."""
_series = partial(constants.sharp_series, studies=("sharp_ratings",))


@claim(
    "S21",
    where="not in the paper; theorem 2′",
    statement="On ratings, under the hard threshold with the empirical index and f = log n, an arm "
    "with Δ_k > A_k is pulled log T/K(ν_k, μ* − A_k) times as T grows, K the least divergence from "
    "its law to one on [0, 1] of that mean.",
    rule=f"For each bandit, from T = {constants.SETTLED:,} on, each horizon on random numbers of "
    "its own, the mean of Σ (Δ_k − A_k) N_k(T) over the arms with Δ_k > A_k over its fluid "
    f"prediction: {constants.LAW}",
    quantity=constants.LEADING,
    kind="theorem",
)
def law_of_ratings(evidence: Evidence) -> Measured:
    for series in _series(evidence, [EMPIRICAL]):
        yield constants.law(series)


@claim(
    "S22",
    where="not in the paper; theorem 3′",
    statement="On ratings the limit of regret over log T is the least that a policy consistent on "
    "all laws can have for the empirical index, more than "
    f"{LIMITS[KL]:g} times that for KL-UCB's and more than {LIMITS[PAPER_POLICY]:g} times for the "
    "published policy's.",
    rule="For each of the three policies and each bandit, the limit of the fluid prediction over "
    f"the constant of the lower bound: holds if it is 1 up to {EXACT:g}, or above "
    f"{LIMITS[KL]:g} or {LIMITS[PAPER_POLICY]:g}; fails if not. The limits are computed, not "
    "measured.",
    quantity="limit of regret over log T, over the constant of the lower bound",
    kind="identity",
)
def least_on_ratings(evidence: Evidence) -> Measured:
    for policy in (EMPIRICAL, *LIMITS):
        for series in _series(evidence, [policy]):
            least = float(lower_constant(replace(series.bandit, rewards=series.law)))
            ratio = exact(series.constant / least)
            if policy in LIMITS:
                yield above(ratio, LIMITS[policy], **series.about())
            else:
                yield within(ratio, 1 - EXACT, 1 + EXACT, 1.0, **series.about())


@claim(
    "S23",
    where="not in the paper; theorems 2, 2′",
    statement="On ratings, at the largest T, the KL hard threshold has more than "
    f"{MEASURED[KL]:g} times the regret of the hard threshold with the empirical index, and the "
    f"published policy more than {MEASURED[PAPER_POLICY]:g} times.",
    rule="For each of the two policies and each bandit, at the largest T: the ratio of mean "
    f"regrets on the same rewards holds if above {MEASURED[KL]:g}, or {MEASURED[PAPER_POLICY]:g}, "
    "with its 95 % interval, fails if below.",
    quantity="mean regret over that with the empirical index",
)
def price_of_the_wrong_law(evidence: Evidence) -> Measured:
    ours = {one.instance: regret_of(one.last) for one in _series(evidence, [EMPIRICAL])}
    for policy, least in MEASURED.items():
        for series in _series(evidence, [policy]):
            theirs = regret_of(series.last)
            ratio = ratio_of_means(theirs, ours[series.instance])
            fields = series.about(horizon=series.last.horizon, rival=EMPIRICAL)
            yield above(ratio.interval, least, **fields)
