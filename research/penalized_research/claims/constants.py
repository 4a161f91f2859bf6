"""Claims on the constants of the laws log T and T (theorems 1 to 4, A and G).

With N the arms of Delta_k > A_k, regret is the sum over N of (Delta_k - A_k) N_k(T) and a rest
that stays bounded (theorem A, part 4).  The first sum, here the leading term, grows like log T.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Self

import numpy as np

from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.exploration import Exploration, exploration_of
from penalized_bandits.theory.fluid import predicted_pulls, predicted_regret
from penalized_bandits.theory.limits import linear_constant, log_constant
from penalized_bandits.theory.lower_bound import lower_constant
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, exact
from penalized_replication.claims.horizon_series import HorizonSeries, by_instance, grouped
from penalized_replication.claims.measures.fluid_law import FluidComparison, regret_comparison
from penalized_replication.claims.rules import Above, AsPredicted, Exactly
from penalized_replication.common.errors import NotMeasuredError
from penalized_replication.storage.replicates import Outcome
from penalized_research.measures.growth import EXPONENT, growth_exponent
from penalized_research.rules import near_one

STUDIES = ("sharp_short", "sharp_long", "sharp_kl")
SETTLED = 30_000
"""Laws are compared with runs from here on: before, non-critical arms have their fairness level."""
KL, SIGMA, SOFT = "kl_hard_threshold", "hard_threshold_sigma", "soft_threshold_ucb"
FEW = 10
"""Pulls up to which an arm counts as given up."""
FAR = 1e15
"""A horizon at which the prediction is compared with its limit."""
AT_FAR, SHARES = "prediction at T = 10¹⁵ over its limit", "pulls over the prediction"
NEAR_LIMIT = near_one(0.01, of=AT_FAR, over="For each of these", exact=True)
LATE = f"For bandits with such an arm, from T = {SETTLED:,} on, each T on its own random numbers"
LEADING = "mean of Σ (Δ − A) N (arms with Δ > A)"
WideLaw = partial(AsPredicted, of=LEADING, on_average=0.1, change=0.2)
"""Noise takes 1/(2 log T) of the pulls of policies that explore no more than it requires, 5 % at
T = 30,000, and one run's error is 38 %: as much again in the mean over some horizons.  From 3·10^4
to 10^7 (log T)^1.5 in the place of log T changes by 22 %, log² T by 44 %."""
LIMIT = "limit of regret over log T (computed, not measured) over the lower bound's constant"
AsLeast = partial(Exactly, 1.0, of=LIMIT, rounding=1e-6)
TIMES_LEAST = {
    f"bernoulli {KL}": AsLeast(over="KL-UCB's index, Bernoulli rewards"),
    f"gaussian {SIGMA}": AsLeast(over="Scaled radius, Gaussian rewards"),
    f"bernoulli {PAPER_POLICY}": Above(
        4.0, of=LIMIT, over="Published policy, Bernoulli rewards", exact=True
    ),
    f"gaussian {PAPER_POLICY}": AsLeast(over="Published policy, Gaussian rewards", times="1/σ²"),
}
"""Rules by law and policy."""


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
        law = self.bandit.rewards
        rule = exploration_of(self.policy, law.noise, law=law)
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
        late = [run for run in self.outcomes if run.horizon >= first and self._settled(run.horizon)]
        return replace(self, outcomes=tuple(late))

    def ends(self) -> tuple[Outcome, Outcome] | None:
        """Return the longest runs when they had settled, and at their end; None without the two."""
        early = [run for run in self.earlier if self._settled(run.horizon)]
        return (early[0], self.last) if early else None

    def leading(self, run: Outcome) -> FloatArray:
        """Return the leading term of each replicate, (R,)."""
        return (run.pulls * self.margins).sum(axis=1)

    def predicted(self, horizon: float) -> float:
        """Return the fluid prediction of the leading term."""
        pulls = predicted_pulls(self.bandit, horizon, rule=self.exploration)
        return float((pulls * self.margins).sum())

    def leading_law(self) -> Measurement:
        """Return the leading term beside its prediction."""
        late = self.settled(SETTLED)
        predicted = [np.full(1, self.predicted(t)) for t in late.rounds]
        measured, scale = [self.leading(run) for run in late.outcomes], 1 / np.log(late.rounds)
        data = FluidComparison(late.rounds, measured, predicted, scale=scale, logarithmic=True)
        return Measurement(data, self.place(), asymptote=self.constant)


def sharp_series(
    evidence: Evidence, policies: Sequence[str], studies: Sequence[str] = STUDIES
) -> list[SharpSeries]:
    """Return the series of some policies on all their bandits; raise NotMeasuredError if none."""
    played = [x for x in product(studies, policies) if x[1] in evidence.section(x[0]).policies]
    outcomes = (run for study, p in played for run in evidence.outcomes(study, policy=p))
    if not played:
        raise NotMeasuredError(f"no study has the policies {', '.join(policies)}")
    series: list[SharpSeries] = []
    for (_, instance), runs in grouped(outcomes, lambda x: (x.policy, x.info.instance)).items():
        runs.sort(key=lambda run: run.horizon)
        ends = tuple(run for run in runs if run.horizon == run.info.horizon)
        earlier = tuple([run for run in runs if run.case == ends[-1].case][:-1])
        series.append(SharpSeries(instance, ends[0].info.label, ends, earlier))
    return series


@claim("S01", {"": AsPredicted(of=LEADING, over=LATE), AT_FAR: NEAR_LIMIT})
def published_constant(evidence: Evidence) -> Measured:
    for series in sharp_series(evidence, [PAPER_POLICY]):
        if series.margins.any():
            yield series.leading_law()
            constant = float((2 / series.margins[series.margins > 0]).sum())
            ratio = series.predicted(FAR) / np.log(FAR) / constant
            yield Measurement(exact(ratio), series.place(AT_FAR))


@claim("S02", WideLaw(over=LATE))
def optimal_policies(evidence: Evidence) -> Measured:
    for series in sharp_series(evidence, (KL, SIGMA)):
        if series.margins.any():
            yield series.leading_law()


@claim("S05", TIMES_LEAST)
def lower_bound(evidence: Evidence) -> Measured:
    for series in sharp_series(evidence, (PAPER_POLICY, KL, SIGMA)):
        least = float(lower_constant(series.bandit))
        rule = f"{series.bandit.rewards.id} {series.policy}"
        # At a best mean of 1 nothing that grows has to be lost.
        if not series.margins.any() or least == 0 or rule not in TIMES_LEAST:
            continue
        shares = series.leading(series.last) / (least * np.log(series.last.horizon))
        error = float(shares.std(ddof=1) / np.sqrt(shares.size))
        values = {"last": series.last.horizon, "mean": float(shares.mean()), "error": error}
        unit = 1 / series.bandit.rewards.noise**2 if rule == f"gaussian {PAPER_POLICY}" else 1.0
        ratio = exact(series.constant / least)
        yield Measurement(ratio, series.place(), rule=rule, unit=unit, values=values)


@claim(
    "S06",
    {
        "": AsPredicted(of="mean regret", over=LATE),
        AT_FAR: NEAR_LIMIT,
        SHARES: near_one(0.05, of=f"mean {SHARES}", over="Each such arm (alike ones once), last T"),
    },
)
def linear_regret(evidence: Evidence) -> Measured:
    for series in sharp_series(evidence, [SOFT]):
        constant = float(linear_constant(series.bandit))
        if constant == 0:
            continue
        late, rule = series.settled(SETTLED), series.exploration
        data = regret_comparison(late, exploration=rule, scale=1 / late.rounds)
        yield Measurement(data, series.place(), asymptote=constant)
        at_far = float(predicted_regret(series.bandit, FAR, rule=rule, soft=True))
        yield Measurement(exact(at_far / FAR / constant), series.place(AT_FAR))
        yield from _shares(series)


def _shares(series: SharpSeries) -> Measured:
    """Yield the pulls of each arm with 0 < Delta < A; of identical arms of the first."""
    pulls, horizon, gap = series.last.pulls, series.last.horizon, series.bandit.gaps
    fluid = predicted_pulls(series.bandit, horizon, rule=series.exploration, soft=True)
    limits = series.bandit.fairness * (1 - gap / series.bandit.penalties)
    arms = {(gap[k], limits[k]): int(k) for k in np.flatnonzero((gap > 0) & series.served)[::-1]}
    for k in sorted(arms.values()):
        place, limit = series.place(SHARES, arm=k + 1, horizon=horizon), float(limits[k])
        measured, predicted = (float(x / horizon) for x in (pulls[:, k].mean(), fluid[k]))
        numbers = {"measured": measured, "predicted": predicted, "asymptote": limit}
        yield replace(Measurement(pulls[:, k] / fluid[k], place), **numbers)


@claim(
    "S07",
    Above(
        0.5, of=EXPONENT, over="For each σ > 1 (half leaves room for the o(1))", times="(1 − 1/σ²)"
    ),
)
def power_of_t(evidence: Evidence) -> Measured:
    for series in by_instance(evidence.outcomes("narrow_radius", policy=PAPER_POLICY)):
        law = series.bandit.rewards
        if isinstance(law, Gaussian) and law.sd > 1:
            given_up = [float((run.pulls.min(axis=1) <= FEW).mean()) for run in series.outcomes]
            values = {"few": FEW, "given_up": given_up, "horizons": list(series.horizons)}
            values |= {"sd": law.sd, "power": 1 - 1 / law.sd**2}
            yield growth_exponent(series, unit=values["power"], values=values)
