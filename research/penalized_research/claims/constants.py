"""Claims on the constants of the laws log T and T (theorems 1 to 4, A and G).

With N the arms of Delta_k > A_k, regret is the sum over N of (Delta_k - A_k) N_k(T) and a rest
that stays bounded (theorem A, part 4).  The first sum, here the leading term, grows like log T.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Self

import numpy as np

from penalized_bandits.bandit.rewards import Bernoulli, Gaussian
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.exploration import Exploration, exploration_of
from penalized_bandits.theory.fluid import predicted_pulls, predicted_regret
from penalized_bandits.theory.limits import linear_constant, log_constant
from penalized_bandits.theory.lower_bound import lower_constant
from penalized_replication.claims.base import Evidence, Measured, claim, grouped
from penalized_replication.claims.horizon_series import HorizonSeries, by_instance
from penalized_replication.claims.measures import fluid_law
from penalized_replication.claims.measures.fluid_law import RULE, FluidComparison
from penalized_replication.claims.parts import Fields, Part, above, exact, within
from penalized_replication.common.errors import NotMeasuredError
from penalized_replication.storage.replicates import Outcome
from penalized_research.measures.growth import growth_exponent

STUDIES = ("sharp_short", "sharp_long", "sharp_kl")
SETTLED = 30_000
"""Laws are compared with runs from here on: before, non-critical arms have their fairness level."""
KL, SIGMA = "kl_hard_threshold", "hard_threshold_sigma"
FAR = 1e15
"""A horizon at which the prediction is compared with its limit."""
AT_FAR = "prediction at T = 10¹⁵ over its limit"
ROUNDED = 0.01
"""How far it may be from it there."""
ON_AVERAGE = 0.1
"""Noise takes 1/(2 log T) of the pulls of policies that explore no more than it requires, 5 % at
T = 30,000, and one run's error is 38 %: as much again in the mean over some horizons."""
CHANGE = 0.2
"""From 3·10^4 to 10^7 (log T)^1.5 in the place of log T changes by 22 %, log² T by 44 %."""
EXACT = 1e-6
TIMES = 4.0
LEADING = "mean of Σ (Δ − A) N over the arms with Δ > A, over its fluid prediction"
LAW = (
    f"holds if the mean over horizons is within {ON_AVERAGE:.0%} of 1 and a straight line through "
    f"it in log T changes by less than {CHANGE:.0%} over the range, both with their whole 95 % "
    "intervals; fails if one of the two is outside with its whole interval."
)


@dataclass(frozen=True, eq=False)
class SharpSeries(HorizonSeries):
    """One policy on one bandit at m horizons, each on random numbers of its own."""

    earlier: tuple[Outcome, ...] = ()
    """The longest runs themselves, after fewer rounds."""

    @property
    def margins(self) -> FloatArray:
        """Delta - A of the non-critical arms, 0 of all others, shape (K,)."""
        return np.maximum(-self.bandit.margins, 0.0)

    @property
    def served(self) -> BoolArray:
        """Arms with A > Delta, which keep their level, shape (K,)."""
        return self.bandit.margins > 0

    @property
    def exploration(self) -> Exploration:
        """The exploration of the policy."""
        rule = exploration_of(self.policy, self.law.noise, law=self.law)
        assert rule is not None  # noqa: S101
        return rule

    @property
    def constant(self) -> float:
        """Limit of the leading term over log T under the prediction."""
        return float(log_constant(self.bandit, self.exploration))

    def _settled(self, horizon: int) -> bool:
        """Whether the published radius of each arm at its level is within |A - Delta|."""
        level = (self.bandit.fairness * self.bandit.margins**2 * horizon)[self.bandit.margins != 0]
        return bool((2 * np.log(horizon) <= level).all())

    def settled_since(self, first: int) -> Self:
        """Return the settled horizons from a given one on, which may be none."""
        late = [o for o in self.outcomes if o.horizon >= first and self._settled(o.horizon)]
        return replace(self, outcomes=tuple(late))

    def ends(self) -> tuple[Outcome, Outcome] | None:
        """Return the longest runs when they had settled, and at their end; None without the two."""
        early = [one for one in self.earlier if self._settled(one.horizon)]
        return (early[0], self.last) if early else None

    def leading(self, one: Outcome) -> FloatArray:
        """Return the leading term of each replicate, (R,)."""
        return (one.pulls * self.margins).sum(axis=1)

    def predicted(self, horizon: float) -> float:
        """Return the fluid prediction of the leading term."""
        pulls = predicted_pulls(self.bandit, horizon, rule=self.exploration)
        return float((pulls * self.margins).sum())

    def comparison(self) -> FluidComparison:
        """Return the leading term beside its prediction."""
        predicted = [np.full(1, self.predicted(t)) for t in self.rounds]
        measured = [self.leading(one) for one in self.outcomes]
        return FluidComparison(self.rounds, measured, predicted, fields=self.about())


def sharp_series(
    evidence: Evidence, policies: Sequence[str], studies: Sequence[str] = STUDIES
) -> list[SharpSeries]:
    """Return the series of some policies on all their bandits; raise NotMeasuredError if none."""
    played = [x for x in product(studies, policies) if x[1] in evidence.section(x[0]).policies]
    outcomes = (one for study, p in played for one in evidence.outcomes(study, policy=p))
    if not played:
        raise NotMeasuredError(f"no study has the policies {', '.join(policies)}")
    series: list[SharpSeries] = []
    for (_, instance), runs in grouped(outcomes, lambda x: (x.policy, x.info.instance)).items():
        runs.sort(key=lambda one: one.horizon)
        ends = tuple(one for one in runs if one.horizon == one.info.horizon)
        earlier = tuple([one for one in runs if one.case == ends[-1].case][:-1])
        series.append(SharpSeries(instance, ends[0].info.label, ends, earlier))
    return series


def law(series: SharpSeries) -> Part:
    """Return the part on the leading term of a series, decided by `LAW`."""
    comparison = series.settled(SETTLED).comparison()
    scale, limits = 1 / np.log(comparison.horizons), {"on_average": ON_AVERAGE, "change": CHANGE}
    return fluid_law.agreement(comparison, scale, series.constant, **limits)


@claim(
    "S01",
    where="not in the paper; theorem 1",
    statement="Under the published policy an arm with Δ_k > A_k is pulled 2 log T/(Δ_k − A_k)² "
    "times as T grows, on every bandit with 1-sub-Gaussian rewards, so that these arms cost "
    "Σ 2/(Δ_k − A_k) log T.",
    rule=f"For each bandit with such an arm, from T = {SETTLED:,} on, each horizon on random "
    "numbers of its own, the mean of Σ (Δ_k − A_k) N_k(T) over these arms over its fluid "
    f"prediction: {RULE} Besides, the prediction at T = 10^15 over Σ 2/(Δ_k − A_k) log T: holds "
    f"if within {ROUNDED:.0%} of 1, fails if not.",
    quantity=LEADING,
    kind="theorem",
)
def published_constant(evidence: Evidence) -> Measured:
    comparisons: list[FluidComparison] = []
    for series in sharp_series(evidence, [PAPER_POLICY]):
        if not series.margins.any():
            continue
        comparison = series.settled(SETTLED).comparison()
        comparisons.append(comparison)
        constant = float((2 / series.margins[series.margins > 0]).sum())
        yield fluid_law.agreement(comparison, 1 / np.log(comparison.horizons), constant)
        ratio = exact(series.predicted(FAR) / np.log(FAR) / constant)
        yield within(ratio, 1 - ROUNDED, 1 + ROUNDED, 1.0, quantity=AT_FAR, **series.about())
    yield fluid_law.rival_facts(comparisons)


@claim(
    "S02",
    where="not in the paper; theorems A and 2",
    statement="Under the hard threshold with KL-UCB's index, rewards in [0, 1], an arm with "
    "Δ_k > A_k is pulled log T/kl(μ_k, μ* − A_k) times as T grows; with the radius "
    "σ √(2 log n/N), σ-sub-Gaussian rewards, 2σ² log T/(Δ_k − A_k)² times.",
    rule=f"For each of the two policies and each bandit with such an arm, from T = {SETTLED:,} on, "
    "each horizon on random numbers of its own, the mean of Σ (Δ_k − A_k) N_k(T) over these arms "
    f"over its fluid prediction: {LAW}",
    quantity=LEADING,
    evidence="summaries/sharp_kl.csv",
    kind="theorem",
)
def optimal_policies(evidence: Evidence) -> Measured:
    for series in sharp_series(evidence, (KL, SIGMA)):
        if series.margins.any():
            yield law(series)


@claim(
    "S05",
    where="not in the paper; theorem 3 and its corollary",
    statement="The limit of regret over log T is the least that a consistent policy can have for "
    "the KL hard threshold on Bernoulli rewards and for the scaled one on Gaussian rewards of "
    "known σ; the published policy's is more than 4 times that on Bernoulli rewards, 1/σ² times on "
    "Gaussian ones.",
    rule="For each of these policies and bandits, the limit of the fluid prediction over the "
    f"constant of the lower bound: holds if it is 1, or 1/σ², up to {EXACT:g}, or above "
    f"{TIMES:g}; fails if not. The limits are computed, not measured.",
    quantity="limit of regret over log T, over the constant of the lower bound",
    evidence="claims/claims.json",
    kind="identity",
)
def lower_bound(evidence: Evidence) -> Measured:
    for series in sharp_series(evidence, (PAPER_POLICY, KL, SIGMA)):
        if not series.margins.any():
            continue
        least = float(lower_constant(replace(series.bandit, rewards=series.law)))
        if least == 0:
            continue  # At a best mean of 1 nothing that grows has to be lost.
        shares = series.leading(series.last) / (least * np.log(series.last.horizon))
        error = float(shares.std(ddof=1) / np.sqrt(shares.size))
        measured = {"last": series.last.horizon, "mean": float(shares.mean()), "error": error}
        ratio, fields = exact(series.constant / least), series.about(values=measured)
        played = type(series.law), series.policy
        if played == (Bernoulli, PAPER_POLICY):
            yield above(ratio, TIMES, **fields)
        elif played in ((Bernoulli, KL), (Gaussian, SIGMA), (Gaussian, PAPER_POLICY)):
            target = 1 / series.law.noise**2 if series.policy == PAPER_POLICY else 1.0
            yield within(ratio, target * (1 - EXACT), target * (1 + EXACT), target, **fields)


SOFT = "soft_threshold_ucb"
WITHIN = 0.05


def _shares(series: SharpSeries) -> Measured:
    """Yield a part for each arm with 0 < Delta < A; of identical arms for the first."""
    pulls, horizon, gap = series.last.pulls, series.last.horizon, series.bandit.gaps
    predicted = predicted_pulls(series.bandit, horizon, rule=series.exploration, soft=True)
    shares = series.bandit.fairness * (1 - gap / series.bandit.penalties)
    arms = {(gap[k], shares[k]): int(k) for k in np.flatnonzero((gap > 0) & series.served)[::-1]}
    for k in sorted(arms.values()):
        interval = mean_estimate(pulls[:, k] / predicted[k]).interval
        numbers = {
            "measured": float(pulls[:, k].mean() / horizon),
            "predicted": float(predicted[k] / horizon),
            "asymptote": float(shares[k]),
        }
        fields = series.about(quantity="pulls over the prediction", arm=k + 1, horizon=horizon)
        yield within(interval, 1 - WITHIN, 1 + WITHIN, 1.0, **fields, **numbers)


@claim(
    "S06",
    where="not in the paper; theorem 4",
    statement="Under the soft threshold an arm with 0 < Δ_k < A_k has the share τ_k (1 − Δ_k/A_k) "
    "of all pulls as T grows, so that R(T)/T tends to Σ τ_k (A_k − Δ_k) Δ_k/A_k.",
    rule=f"For each bandit with such an arm, from T = {SETTLED:,} on, each horizon on random "
    f"numbers of its own, mean regret over its fluid prediction: {RULE} Besides, the prediction of "
    f"R(T)/T at T = 10^15 over the limit holds if within {ROUNDED:.0%} of 1, and for each such arm "
    "(of arms that are alike the first) mean pulls at the largest horizon over their prediction "
    f"if within {WITHIN:.0%} of 1 with the whole 95 % interval; they fail if outside, with all of "
    "it.",
    quantity="mean of R(T), or N_k(T), over its fluid prediction; the prediction over its limit",
    evidence="summaries/sharp_long.csv",
    kind="theorem",
)
def linear_regret(evidence: Evidence) -> Measured:
    for series in sharp_series(evidence, [SOFT]):
        constant = float(linear_constant(series.bandit))
        if constant == 0:
            continue
        late = series.settled(SETTLED)
        comparison = fluid_law.regret_comparison(late, rule=series.exploration)
        yield fluid_law.agreement(comparison, 1 / late.rounds, constant)
        at_far = predicted_regret(series.bandit, FAR, rule=series.exploration, soft=True)
        ratio = exact(float(at_far) / FAR / constant)
        yield within(ratio, 1 - ROUNDED, 1 + ROUNDED, 1.0, quantity=AT_FAR, **series.about())
        yield from _shares(series)


SHARE = 0.5
FEW = 10
"""Pulls up to which an arm counts as given up."""


@claim(
    "S07",
    where="not in the paper; proposition G",
    statement="With the radius √(c log n/N) and c < 2σ² regret is no longer O(log T): under the "
    "published policy, c = 2, and Gaussian rewards with σ > 1 it grows like a power of T.",
    rule="For each bandit with Gaussian rewards of σ > 1: the exponent of mean regret in T between "
    f"the first horizon and the last holds if above {SHARE:g} (1 − 1/σ²) with its whole 95 % "
    "interval, fails if below. The proposition has at least 1 − 1/σ² − o(1); the share leaves room "
    "for the o(1).",
    quantity="exponent of mean regret in T",
    kind="theorem",
)
def power_of_t(evidence: Evidence) -> Measured:
    for series in by_instance(evidence.outcomes("narrow_radius", policy=PAPER_POLICY)):
        law = series.law
        if not isinstance(law, Gaussian) or law.sd <= 1:
            continue
        power, fields = 1 - 1 / law.sd**2, Fields(case=series.instance, label=series.label)
        part = growth_exponent(series.outcomes, SHARE * power, fields, above)
        given_up = [float((one.pulls.min(axis=1) <= FEW).mean()) for one in series.outcomes]
        seen = {"few": FEW, "given_up": given_up, "horizons": list(series.horizons)}
        yield replace(part, values={"sd": law.sd, "power": power, **seen})
