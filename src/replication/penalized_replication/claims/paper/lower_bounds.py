"""The lower bounds of Theorems 4.6 to 4.8, and the bandits of their proofs.

``experiments/theory/deterministic.py`` makes the bandits.  In 4.6 arms must be pulled
log T/(Delta - A)^2 times, and for large T are 2 log T/(Delta - A + sqrt(2 log T/N_1))^2 times.

``assumption_4_6`` and ``assumption_4_7`` check the proof's assumption.  Its steps also need
tau_1 <= 1/2, that arm 1 is pulled once more after T/2 pulls of it, and that an arm with the pulls
claimed overtakes it by round T/2; where one of these fails the bound may still hold, but the proof
does not show it.
"""

import math
from dataclasses import replace
from itertools import product

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory import bounds
from penalized_bandits.theory.inputs import ratio
from penalized_bandits.theory.limits import PULLS
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, Place, exact, place_of
from penalized_replication.claims.horizon_series import bandit_at, regret_of
from penalized_replication.claims.measures.growth import own_regrets
from penalized_replication.claims.rules import Above


def assumption_4_6(bandit: Instance, horizon: float) -> bool:
    """Theorem 4.6: tau_k T/2 >= 8 log T/(Delta_k - A_k)^2 for non-critical arms."""
    explored = ratio(8 * np.log(horizon), bandit.margins**2)
    return bool((bandit.fairness * horizon / 2 >= explored)[bandit.non_critical].all())


def assumption_4_7(bandit: Instance, horizon: float) -> bool:
    """Theorem 4.7: exploration as in Theorem 4.2 takes less than T/2 rounds in all, and more.

    That is 8 log T/(Delta_k - A_k)^2 pulls of non-critical arms and 8 log T/Delta_k^2 of
    critical ones.  The proof also assumes tau_k T <= log T/Delta_k^2 for critical arms: for
    fixed gaps and fractions that ends at some T, so the bound speaks of fractions that shrink
    like log T/T, or gaps like sqrt(log T/T).  Its steps need Delta_2 a little larger than assumed
    (with one critical arm Delta_2 > 4 sqrt(log T/T) is assumed and about 4.83 sqrt(log T/T) used).
    """
    margin = np.where(bandit.non_critical, -bandit.margins, bandit.gaps)
    explored = ratio(8 * np.log(horizon), margin**2)[~bandit.optimal]
    pulls = ratio(np.log(horizon), margin**2)
    low = (pulls >= bandit.fairness * horizon)[bandit.critical]
    return bool(horizon / 2 > explored.sum() and low.all())


THEOREMS = {
    "4_6": (bounds.lower_bounds_4_6, assumption_4_6),
    "4_7": (bounds.lower_bounds_4_7, assumption_4_7),
}
"""Bounds by arm, and whether the proof's assumption holds."""
WHERE_ASSUMED = "At each horizon where the proof's assumptions hold, without noise"
OVER_ITS_BOUND = Above(
    1.0, of="least regret of an arm over its own bound", over=WHERE_ASSUMED, exact=True
)


@claim("C16", OVER_ITS_BOUND, theorem="4_6")
def over_bounds(evidence: Evidence, theorem: str, *, of_pulls: bool = False) -> Measured:
    """Yield at each horizon the least ratio of an arm's regret, or pulls, to its own bound."""
    bounds_of, assumption = THEOREMS[theorem]
    for outcome in evidence.outcomes("deterministic", policy=PAPER_POLICY):
        if outcome.info.instance != f"theorem_{theorem}":
            continue
        bandit, horizon, asymptote = bandit_at(outcome), outcome.horizon, math.nan
        least = bounds_of(bandit, horizon)
        label = f"{outcome.info.label}, the arm with the least ratio"
        place = replace(place_of(outcome), case=outcome.info.instance, label=label)
        if of_pulls:
            ratios = outcome.pulls[0][least.arms] / least.pulls
        else:
            informative = least.regret > 0
            regrets = own_regrets(outcome)[least.arms][informative]
            ratios = regrets / least.regret[informative]
            # In the end an arm is pulled 2 log T/margin², twice the number in the theorem.
            limits = 1 + (least.margin * least.pulls)[informative] / least.regret[informative]
            asymptote = float(limits.min()) if limits.size else math.nan
        if not ratios.size:
            yield Measurement(None, place).undecided("the bound is 0")
            continue
        ratio = Measurement(exact(float(ratios.min())), place, asymptote=asymptote)
        short = not assumption(bandit, horizon)
        yield ratio.silent("the proof's assumptions need a larger T", when=short)


@claim("C17", OVER_ITS_BOUND)
def critical_lower_bound(evidence: Evidence) -> Measured:
    yield from over_bounds(evidence, "4_7")
    level = evidence.section("deterministic").theorem_4_7.level
    limit = (PULLS - level) / (1 - level) if level < 1 else np.inf
    yield {"limit": limit, "pulls": PULLS, "level": level}


WIDEST, POINTS = 16.0, 3201
"""Log-odds beyond which a policy is sure, and numbers of log-odds up to there."""


def least_regret(gap: float, fairness: float, decisions: int = 100) -> float:
    """Return the least regret in the worse of two instances that a policy knows, over sqrt(T).

    Arm 1 has mean d = gap/sqrt(T) and arm 2 has 0 in the one instance, 2 d in the other; rewards
    are Gaussian of variance 1, A_k > d, and either arm has tau = ``fairness``, below 1/2.  The
    policy may change the arm ``decisions`` times: for gaps up to 1, a hundred come within half a
    percent of what more would attain.

    Arm 1 has one law in both instances, so that arm 2 alone distinguishes them: the best policy
    pulls arm 2 up to some time and arm 1 from then on.  With the time in units of T, the
    first tau of arm 2 costs nothing, as its level requires it; each further unit costs
    gap sqrt(T) in the first instance, and each missing one as much in the second.  The log-odds
    of the second instance move by +-2 gap^2 a unit with variance 4 gap^2.  The Bayes risk by
    backward induction, at the prior that makes it largest, is the minimax risk.
    """
    odds = np.linspace(-WIDEST, WIDEST, POINTS)
    second = 1 / (1 + np.exp(-odds))
    step = (1 - 2 * fairness) / decisions
    risk = np.zeros(POINTS)
    for left in range(1, decisions + 1):
        explored = (1 - second) * gap * step + _expected(risk, odds, gap, step)
        risk = np.minimum(second * gap * step * left, explored)
    return float(_expected(risk, odds, gap, fairness).max())


def _expected(risk: FloatArray, odds: FloatArray, gap: float, time: float) -> FloatArray:
    """Return the expected risk after arm 2 was pulled for some time, by odds."""
    from scipy.ndimage import gaussian_filter1d

    if time == 0:
        return risk
    # The log-odds move to y from x with density exp(-v/8) cosh(y/2)/cosh(x/2) times that of the
    # normal law of mean x and variance v: the mixture of both instances.
    variance = 4 * gap**2 * time
    width = math.sqrt(variance) / (odds[1] - odds[0])
    tilt = np.cosh(odds / 2)
    smooth = gaussian_filter1d(tilt * risk, width, mode="constant", truncate=8.0)
    return math.exp(-variance / 8) * smooth / tilt


@claim(
    "C18",
    Above(
        1.0,
        of="larger of the mean regrets in the two instances, over the bound",
        over="For each policy and horizon, and for the least worst-case regret of any policy with "
        "two arms, by dynamic programming",
    ),
)
def two_instances(evidence: Evidence) -> Measured:
    section = evidence.section("two_instances")
    tau = section.fairness / 2
    # At T = 1; the bound needs a longer horizon.  Both grow with sqrt(T).
    regret_of_any = least_regret(section.model_copy(update={"arms": 2}).gap_at(1), tau)
    least = 10 * regret_of_any / float(bounds.lower_bound_4_8(np.full(2, tau), 100))
    label = "best of all policies that know both instances, 2 arms"
    yield Measurement(exact(least), Place(case="least_regret", label=label))
    stated = []
    for policy, horizon in product(section.policies, section.horizons):
        # A second instance for each arm but the first; its best arm is the one pulled least.
        first, *others = evidence.outcomes("two_instances", policy=policy, horizon=horizon)
        second = others[int(np.argmin(first.pulls[:, 1:].mean(axis=0)))]
        # The worse of the two: at the larger of two levels, both intervals count.
        regret = max((regret_of(outcome) for outcome in (first, second)), key=np.mean)
        bound = float(bounds.lower_bound_4_8(first.fairness, horizon))
        yield Measurement(regret / bound, Place(policy=policy, horizon=horizon))
        bound = float(bounds.lower_bound_4_8(first.fairness, horizon, interpretation="stated"))
        stated.append(float(regret.mean()) / bound)
    yield {"least": least, "stated": min(stated)}


@claim(
    "C44",
    Above(
        1.0,
        of="least pulls of an arm over log T/(Δ_k − A_k)² (4.6) or log T/Δ_k² (4.7)",
        over=WHERE_ASSUMED,
        exact=True,
    ),
)
def pulls_by_arm(evidence: Evidence) -> Measured:
    for theorem in THEOREMS:
        yield from over_bounds(evidence, theorem, of_pulls=True)
