"""All policies side by side: regret against the lower bound, reward against the frontier."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from penalized_bandits.catalogue import experiment
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.figure_1 import regret_of
from penalized_bandits.claims.tradeoff import Curve, common_levels, curve_of, interpolated
from penalized_bandits.extensions import OURS
from penalized_bandits.extensions.lower_bound import lower_bound
from penalized_bandits.frontier import Frontier, oracle_frontier
from penalized_bandits.policies import POLICIES
from penalized_bandits.replicates import Outcome
from penalized_bandits.rewards import RewardFamily
from penalized_bandits.settings import Context, Readings
from penalized_bandits.theory.statistics import Estimate, resampled_means
from penalized_bandits.typing import FloatArray

REGRET = ("extended_1", "extended_regret")
TRADEOFF = ("extended_3", "extended_5")
RESAMPLES = 999
ROUNDING = 1e-9
"""Differences below this share of a range are none."""


@dataclass(frozen=True)
class Row:
    """One policy in one case by one measure."""

    experiment: str
    case: str
    policy: str
    measure: str
    estimate: float
    ci_low: float
    ci_high: float
    n_replicates: int
    horizon: int
    chosen: str = ""
    """Which tuning was best on each half of the replicates; where a trade-off was compared."""


COLUMNS = tuple(Row.__dataclass_fields__)


def ratio_of_means(above: FloatArray, below: FloatArray) -> Estimate:
    """Return mean(above) / mean(below) over replicates, with its 95 % t-interval (linearised)."""
    from scipy.special import stdtrit

    n, middle = above.size, float(below.mean())
    value = float(above.mean()) / middle
    if n == 1:
        return Estimate(value, -np.inf, np.inf, n)
    error = float((above - value * below).std(ddof=1)) / np.sqrt(n) / abs(middle)
    half = float(stdtrit(n - 1, 0.975)) * error
    return Estimate(value, value - half, value + half, n)


def published(outcome: Outcome) -> bool:
    """Say whether a run of a regret experiment is as published, not one of the tuned ones."""
    return outcome.scale == 1.0


@dataclass(frozen=True, eq=False)
class Regrets:
    """A policy's penalized regret in a case, as published and tuned, shape (R,) each.

    The tuning is chosen on the even replicates for the odd ones, and the other way round.
    """

    horizon: int
    published: FloatArray
    tuned: FloatArray
    chosen: str


def _name_of(outcome: Outcome, runs: Sequence[Outcome]) -> str:
    """Name a tuning, and say if it is the last of those tried."""
    if published(outcome):
        return "as published"
    if outcome.scale is not None:
        name, tried = f"exploration x {outcome.scale:.3g}", [run.scale for run in runs]
        value, ends = outcome.scale, (min(x for x in tried if x is not None),)
    else:
        assert outcome.tuning is not None  # noqa: S101
        name = f"tuning {outcome.tuning:.4g}"
        own = [run.tuning for run in runs if run.scale is None and run.tuning is not None]
        value, ends = outcome.tuning, (min(own), max(own))
    return f"{name} (the last tried)" if value in ends else name


def regrets_of(evidence: Evidence, name: str, case: str, policy: str) -> Regrets:
    """Return a policy's regrets at the last horizon of a case."""
    horizon = max(evidence.section(name).horizons)
    runs = evidence.outcomes(name, case=case, policy=policy, horizon=horizon)
    usual = next(run for run in runs if published(run))
    regrets = np.stack([regret_of(run) for run in runs])
    tuned = np.empty(regrets.shape[1])
    chosen = []
    for half in (0, 1):
        other = slice(1 - half, None, 2)
        best = int(np.argmin(regrets[:, half::2].mean(axis=1)))
        tuned[other] = regrets[best, other]
        chosen.append(_name_of(runs[best], runs))
    return Regrets(horizon, regret_of(usual), tuned, " / ".join(dict.fromkeys(chosen)))


class Laws:
    """The reward laws of cases, which replicates do not hold."""

    def __init__(
        self,
        sections: Mapping[str, Any],
        seed: int,
        readings: Mapping[str, Mapping[str, Any]],
        counts: str,
    ) -> None:
        self._sections, self._seed = sections, seed
        self._readings, self._counts = readings, counts
        self._of = cache(self._all)

    def _all(self, name: str) -> dict[str, RewardFamily]:
        setting = experiment(name)
        section = setting.section.model_validate(dict(self._sections[name]))
        context = Context(self._seed, Readings(**self._readings[name]), 0, 1, self._counts)
        return {
            case.id: case.rewards
            for group in setting.groups(section)
            for case in setting.cases(section, group, context)
        }

    def of(self, name: str, case: str) -> RewardFamily:
        """Return the reward law of a case of an experiment."""
        return self._of(name)[case]


def bound_of(evidence: Evidence, laws: Laws, name: str, case: str, horizon: int) -> FloatArray:
    """Return each replicate's instance lower bound at a horizon, shape (R,)."""
    first = evidence.outcomes(name, case=case)[0]
    assert first.penalties is not None  # noqa: S101
    means, penalties, law = first.means, first.penalties, laws.of(name, case)
    if (means == means[0]).all() and (penalties == penalties[0]).all():
        # One bandit in all replicates: divergences of many movies take time.
        one = lower_bound(means[:1], first.fairness, penalties[:1], law, horizon)
        return np.broadcast_to(one, len(means))
    return lower_bound(means, first.fairness, penalties, law, horizon)


def policies_of(evidence: Evidence, name: str) -> list[str]:
    """Return the policies of an experiment, in order."""
    return list(evidence.section(name).policies)


def regret_rows(evidence: Evidence, laws: Laws) -> Iterable[Row]:
    """Yield regret and its ratio to the lower bound, for each case and policy."""
    for name in REGRET:
        for case in evidence.cases(name):
            horizon = max(evidence.section(name).horizons)
            least = bound_of(evidence, laws, name, case, horizon)
            for policy in policies_of(evidence, name):
                found = regrets_of(evidence, name, case, policy)
                for measure, values, chosen in (
                    ("published", found.published, "as published"),
                    ("tuned", found.tuned, found.chosen),
                ):
                    for what, below in (("regret", np.ones_like(values)), ("over_bound", least)):
                        estimate = ratio_of_means(values, below)
                        yield Row(
                            name,
                            case,
                            policy,
                            f"{what}_{measure}",
                            *(estimate.value, estimate.low, estimate.high),
                            values.size,
                            horizon,
                            chosen,
                        )


@dataclass(frozen=True)
class Distance:
    """How far a policy's reward is below something, as a share of the frontier's range."""

    estimate: Estimate
    p_below: float
    """One-sided p-value: small where the reward is shown to be below."""
    p_above: float
    same: bool = False
    """Whether the two are the same in every resample."""


def _distance(values: FloatArray, n: int) -> Distance:
    """Make a distance of the value (first) and its resamples, with Student's t."""
    from scipy.special import stdtr, stdtrit

    value, error = float(values[0]), float(values[1:].std()) * np.sqrt(n / (n - 1))
    if np.ptp(values) <= ROUNDING:
        sure = float(value <= ROUNDING), float(value >= -ROUNDING)
        return Distance(Estimate(value, value, value, n), *sure, same=abs(value) <= ROUNDING)
    half = float(stdtrit(n - 1, 0.975)) * error
    estimate = Estimate(value, value - half, value + half, n)
    return Distance(
        estimate, float(stdtr(n - 1, -value / error)), float(stdtr(n - 1, value / error))
    )


def _rewards_at(
    ours: FloatArray, theirs: FloatArray, levels: FloatArray | None, best: Frontier
) -> tuple[FloatArray, FloatArray]:
    """Return reward below the frontier and below the other policy's, for each resample.

    ``ours`` and ``theirs`` have unfairness and reward of each tuning, shape (B, 2, J).  Without
    levels ``theirs`` has one tuning: the two are compared at its unfairness in each resample.
    """
    if levels is not None:
        of_theirs = interpolated(theirs[:, 0], theirs[:, 1], levels)
        of_ours = interpolated(ours[:, 0], ours[:, 1], levels)
        frontier = best.reward_at(levels)[None]
    else:
        own, of_theirs = theirs[:, 0, :1], theirs[:, 1, :1]
        frontier = best.reward_at(own)
        of_ours = np.array(
            [
                interpolated(row[None, 0], row[None, 1], u)[0]
                for row, u in zip(ours, own, strict=True)
            ]
        )
    return (frontier - of_theirs).mean(axis=1), (of_ours - of_theirs).mean(axis=1)


def _reaches(ours: Curve, theirs: Curve) -> bool:
    """Say whether the one point of a policy lies within the other's reach."""
    low, high = ours.reach
    level = float(theirs.unfairness.mean(axis=0)[0])
    slack = ROUNDING * max(high, 1.0)
    return low - slack <= level <= high + slack


def distance(
    ours: Curve, theirs: Curve, outcome: Outcome, seed: int = 0
) -> tuple[Distance, Distance] | None:
    """Return how far a policy is below the frontier, and below the paper's hard threshold.

    Means over the nine levels of unfairness that both reach, or, for a policy with one tuning,
    at its own unfairness; as shares of the frontier's range of reward.  Errors are from a
    bootstrap of replicates, the same for both, the frontier being that of all of them.  None if
    they have no unfairness in common.
    """
    single = theirs.unfairness.shape[1] == 1
    levels = None if single else common_levels([ours, theirs])
    means = outcome.means[0] if (outcome.means == outcome.means[0]).all() else outcome.means
    frontier = oracle_frontier(means, outcome.fairness, outcome.horizon)
    span = float(frontier.reward[-1] - frontier.reward[0])
    reached = _reaches(ours, theirs) if single else levels is not None
    if not reached or span <= 0:
        return None
    n = len(theirs.reward)
    # Reward less what the best arm would earn: instances differ in that far more.
    most = outcome.horizon * outcome.means.max(axis=1, keepdims=True)
    curves = [np.stack([c.unfairness, c.reward - most], axis=1) for c in (ours, theirs)]
    rows = np.hstack([curve.reshape(n, -1) for curve in curves])
    rng = np.random.default_rng(seed)
    drawn = np.vstack([rows.mean(axis=0), resampled_means(rows, np.arange(n), RESAMPLES, rng)])
    split = curves[0][0].size
    first, second = (
        part.reshape(len(drawn), 2, -1) for part in (drawn[:, :split], drawn[:, split:])
    )
    lowered = Frontier(frontier.unfairness, frontier.reward - float(most.mean()))
    below, behind = _rewards_at(first, second, levels, lowered)
    return _distance(below / span, n), _distance(behind / span, n)


def tradeoff_rows(evidence: Evidence) -> Iterable[Row]:
    """Yield the distance to the frontier and to the hard threshold, by case and policy."""
    for name in TRADEOFF:
        for case in evidence.cases(name):
            ours = curve_of(evidence, name, case, OURS)
            outcome = evidence.outcomes(name, case=case)[0]
            for policy in policies_of(evidence, name):
                theirs = curve_of(evidence, name, case, policy)
                found = distance(ours, theirs, outcome)
                if found is None:
                    continue
                own = "at its own unfairness" if theirs.unfairness.shape[1] == 1 else ""
                for measure, each in zip(("below_frontier", "below_ours"), found, strict=True):
                    estimate = each.estimate
                    yield Row(
                        name,
                        case,
                        policy,
                        measure,
                        *(estimate.value, estimate.low, estimate.high),
                        estimate.n,
                        outcome.horizon,
                        own,
                    )


def by_case(evidence: Evidence, laws: Laws) -> pd.DataFrame:
    """Return every measure of every policy in every case, in the columns ``COLUMNS``."""
    rows = [*regret_rows(evidence, laws), *tradeoff_rows(evidence)]
    return pd.DataFrame([asdict(row) for row in rows], columns=list(COLUMNS))


def told(policy: str) -> str:
    """Say what a policy is told besides fractions and rewards: an oracle's knowledge, or T."""
    rule = POLICIES[policy]
    known = [] if rule.ignores_penalties else ["A (half the spread of the true μ)"]
    if rule.scaled_by_noise:
        known.append("σ of the rewards")
    regret = None if rule.tuning is None else rule.tuning.regret
    if regret is not None and regret(5, 1000) != regret(5, 4000):
        known.append("T")
    return ", ".join(known) or "nothing more"


def _geometric(values: pd.Series) -> float:
    positive = values[values > 0]
    return float(np.exp(np.log(positive).mean())) if len(positive) == len(values) else np.nan


def comparison(cases: pd.DataFrame, laws_of: Mapping[str, str]) -> pd.DataFrame:
    """Return one row a policy: averages over cases.

    Parameters
    ----------
    cases
        The table of `by_case`.
    laws_of
        For each policy that was followed to long horizons, what was decided of its law.
    """
    rows = []
    for policy in dict.fromkeys(cases["policy"]):
        own = cases[cases["policy"] == policy]

        def of(measure: str, where: str, own: pd.DataFrame = own) -> pd.Series:
            return own[(own["measure"] == measure) & (own["experiment"] == where)]["estimate"]

        row: dict[str, Any] = {"policy": policy, "label": POLICIES[policy].label}
        row["told"] = told(policy)
        for name in REGRET:
            for measure in ("published", "tuned"):
                row[f"{name}_over_bound_{measure}"] = _geometric(of(f"over_bound_{measure}", name))
        for name in TRADEOFF:
            for measure in ("below_frontier", "below_ours"):
                found = of(measure, name)
                row[f"{name}_{measure}"] = float(found.mean()) if len(found) else np.nan
            row[f"{name}_panels"] = len(of("below_ours", name))
        points = own[own["measure"] == "below_ours"]
        row["one_point"] = bool(len(points)) and bool((points["chosen"] != "").all())
        row["law"] = laws_of.get(policy, "")
        rows.append(row)
    return pd.DataFrame(rows)
