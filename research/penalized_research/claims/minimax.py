"""Claims on bounds free of the gaps (Theorems I, J and M, Proposition H)."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from math import isclose

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics import estimates
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import regret_of
from penalized_replication.claims.parts import about, above, below, exact, within
from penalized_replication.common.errors import NotMeasuredError
from penalized_replication.storage.replicates import Outcome
from penalized_research.experiments import minimax as study
from penalized_research.measures.growth import nearest_to_bound
from penalized_research.theory.gap_free import upper_bound_i, upper_bound_m

CHEAP = "minimax", "minimax_long"
POLICIES = "minimax_policies"
MOSS, KL = "moss_hard_threshold", "kl_hard_threshold"
CLOSE = 0.1
SHARE = 0.5
ROUNDING = 1e-9


def _outcomes(evidence: Evidence, policy: str) -> list[Outcome]:
    return [one for name in CHEAP for one in evidence.outcomes(name, policy=policy)]


def _scaled(one: Outcome) -> FloatArray:
    """Return R(T)/sqrt(K T) of each replicate, (R,)."""
    return regret_of(one) / np.sqrt(one.info.n_arms * one.horizon)


within_bound = partial(
    claim,
    rule="For each number of arms and T, of the bandits with chosen gaps, of the random ones and "
    "of the others the one that speaks most against it: mean regret over the bound, in the mean "
    "over the replicates' bandits, holds if below 1 with its interval (Bonferroni over all "
    "bandits), fails if above.",
    quantity="mean regret over its bound",
    kind="bound",
)


@within_bound(
    "S09",
    arguments={"policy": PAPER_POLICY, "bound": upper_bound_i},
    where="not in the paper; theorem I",
    statement="For rewards in [0, 1] and all gaps, fractions with a sum up to 1 and penalty rates, "
    "the published policy's regret is at most √(8KT log T) + √(2KT) + Σ Δ_k + "
    "(K − 1) max (A_k − Δ_k)₊ + 1/(2K).",
)
@within_bound(
    "S10",
    arguments={"policy": MOSS, "bound": upper_bound_m},
    where="not in the paper; theorem M",
    statement="For rewards in [0, 1] and all gaps, fractions with a sum up to 1 and penalty rates, "
    "the regret of MOSS with the hard threshold is at most 7.8 √(KT) + Σ Δ_k + "
    "(K − 1) max (A_k − Δ_k)₊.",
)
def regret_within_bound(
    evidence: Evidence, policy: str, bound: Callable[[Instance, float], FloatArray]
) -> Measured:
    """Yield for each kind, K and T the bandit that speaks most against the bound."""
    yield from nearest_to_bound(
        evidence,
        _outcomes(evidence, policy),
        lambda one: (one.info.group, one.info.n_arms, one.horizon),
        lambda one: regret_of(one) / bound(one.bandits, one.horizon),
    )


@claim(
    "S11",
    where="not in the paper; theorems I and M",
    statement="On gaps of the order √(K log T/T) the published policy's regret is of the order "
    "√(KT log T), while that of MOSS with the hard threshold is of the order √(KT).",
    rule="For each K, without fractions and with the gap ½ √(K log T/T): the growth of R/√(KT) "
    "from the smallest T to the largest, over that of √(log T), holds for the published policy "
    f"if within {CLOSE:.0%} of 1 with its 95 % interval, fails if outside; for MOSS the growth "
    f"less 1 holds if below {SHARE:g} of that of √(log T), fails if above.",
    quantity="growth of R/√(KT), over that of √(log T)",
    kind="theorem",
)
def growth(evidence: Evidence) -> Measured:
    several: list[int] = evidence.section(CHEAP[0]).arms
    for policy, arms in product((PAPER_POLICY, MOSS), several):
        name = study.without_fractions(arms, study.GROWTH)
        runs = [one for one in _outcomes(evidence, policy) if one.info.instance == name]
        if len(runs) < 2:
            raise NotMeasuredError("growth takes two horizons")
        first, last = runs[0], runs[-1]
        times = float(np.sqrt(np.log(last.horizon) / np.log(first.horizon)))
        grown = estimates.ratio_of_independent_means(_scaled(last), _scaled(first))
        if policy == PAPER_POLICY:
            yield within((grown / times).interval, 1 - CLOSE, 1 + CLOSE, 1.0, **about(last))
        else:
            limit = 1 + SHARE * (times - 1)
            yield below(grown.interval, limit, quantity="growth of R/√(KT)", **about(last))


def _worst(runs: Sequence[Outcome], arms: int, free: float) -> Outcome:
    """Return the outcome with the largest regret for K and 1 - sum tau."""
    alike = [one for one in runs if (one.info.group, one.info.n_arms) == (study.WORST, arms)]
    alike = [x for x in alike if isclose(x.info.total_fairness, 1 - free, abs_tol=ROUNDING)]
    return max(alike, key=lambda one: _scaled(one).mean())


@claim(
    "S12",
    where="not in the paper; theorem M",
    statement="For penalty rates up to ½ the worst case over gaps does not vanish as the fractions "
    "come to share all pulls, as the factor 1 − Σ τ of Theorem 4.8 suggests.",
    rule="For each policy, K and T, the largest mean regret over gaps where 1 − Σ τ is smallest, "
    f"over that where it is largest: holds if above {SHARE:g} with its 95 % interval, fails if "
    "below.",
    quantity="worst regret at the smallest 1 − Σ τ over that at the largest",
)
def full_fractions(evidence: Evidence) -> Measured:
    for name in (*CHEAP, POLICIES):
        section = evidence.section(name)
        shares = [share for share in section.free if share > 0]
        others = evidence.section(CHEAP[0]).policies if name == POLICIES else ()
        policies = [p for p in section.policies if p not in others and len(shares) > 1]
        for policy, arms, horizon in product(policies, section.arms, section.horizons):
            runs = evidence.outcomes(name, policy=policy, horizon=horizon)
            few, many = (_worst(runs, arms, free(shares)) for free in (min, max))
            ratio = estimates.ratio_of_independent_means(_scaled(few), _scaled(many))
            yield above(ratio.interval, SHARE, **about(few))


@claim(
    "S13",
    where="not in the paper; proposition H",
    statement="Where two arms come due together, regret under large penalty rates A is at least "
    "(A − 0.4)/5, so that no bound without a term linear in A can hold for the published policy.",
    rule="For each A and T of Proposition H's bandit without noise: regret of the published policy "
    "over (A − 0.4)/5 holds if at least 1, fails if not.",
    quantity="regret over (A − 0.4)/5",
    kind="bound",
)
def linear_in_rates(evidence: Evidence) -> Measured:
    for one in _outcomes(evidence, PAPER_POLICY):
        if one.info.group == study.TOGETHER:
            least = (float(one.bandits.penalties[0, 0]) - 0.4) / 5
            yield above(exact(float(regret_of(one).min()) / least), 1 - ROUNDING, **about(one))


@claim(
    "S14",
    statement="For fixed gaps the KL threshold, which is asymptotically optimal, has less regret "
    "than MOSS with the hard threshold.",
    rule="On the bandit with fixed gaps, for each T: the mean difference of regret to "
    "MOSS's on the same rewards holds if below 0 with its 95 % interval, fails if above.",
    quantity="difference of regret to MOSS's with the hard threshold",
)
def fixed_gaps(evidence: Evidence) -> Measured:
    of_both = (evidence.outcomes(POLICIES, policy=policy) for policy in (KL, MOSS))
    runs = ([one for one in found if one.info.group == study.FIXED] for found in of_both)
    for one, other in zip(*runs, strict=True):
        rival = regret_of(other)
        difference = estimates.paired_difference(regret_of(one), rival).difference
        yield below(difference.interval, 0.0, float(rival.mean()), **about(one), rival=MOSS)
