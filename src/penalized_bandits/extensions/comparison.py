"""All policies side by side: regret against the lower bound, reward against the frontier."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from penalized_bandits.catalogue import experiment
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.figure_1 import regret_of
from penalized_bandits.claims.tradeoff import Curve, common_levels, curve_of
from penalized_bandits.extensions.lower_bound import lower_bound
from penalized_bandits.frontier import oracle_frontier
from penalized_bandits.policies import POLICIES
from penalized_bandits.replicates import Outcome
from penalized_bandits.rewards import RewardFamily
from penalized_bandits.settings import Context, Readings
from penalized_bandits.theory.statistics import Estimate, resampled_means
from penalized_bandits.typing import FloatArray

REGRET = ("extended_1", "extended_regret")
TRADEOFF = ("extended_3", "extended_5")
OURS = "hard_threshold_ucb"
RESAMPLES = 999


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
    """Which tuning was best on the replicates that it was chosen on."""


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

    What is tuned is chosen on the even replicates and measured on the odd ones.
    """

    horizon: int
    published: FloatArray
    tuned: FloatArray
    """Shape (R / 2,): of the odd replicates."""
    chosen: str

    @property
    def published_odd(self) -> FloatArray:
        """As published, of the replicates that the tuned regret is measured on."""
        return self.published[1::2]


def _name_of(outcome: Outcome) -> str:
    if published(outcome):
        return "as published"
    if outcome.scale is not None:
        return f"exploration x {outcome.scale:g}"
    return f"tuning {outcome.tuning:.4g}"


def regrets_of(evidence: Evidence, name: str, case: str, policy: str) -> Regrets:
    """Return a policy's regrets at the last horizon of a case."""
    horizon = max(evidence.section(name).horizons)
    runs = evidence.outcomes(name, case=case, policy=policy, horizon=horizon)
    usual = next(run for run in runs if published(run))
    regrets = [regret_of(run) for run in runs]
    best = int(np.argmin([regret[::2].mean() for regret in regrets]))
    return Regrets(horizon, regret_of(usual), regrets[best][1::2], _name_of(runs[best]))


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
                for measure, values, below, chosen in (
                    ("published", found.published, least, "as published"),
                    ("tuned", found.tuned, least[1::2], found.chosen),
                ):
                    ones = np.ones_like(values)
                    for what, estimate in (
                        ("regret", ratio_of_means(values, ones)),
                        ("over_bound", ratio_of_means(values, below)),
                    ):
                        yield Row(
                            name,
                            case,
                            policy,
                            f"{what}_{measure}",
                            *(estimate.value, estimate.low, estimate.high),
                            values.size,
                            found.horizon,
                            chosen,
                        )


def _levels(ours: Curve, theirs: Curve) -> FloatArray | None:
    """Return levels of unfairness at which two policies can be compared; None if there are none."""
    low, high = ours.reach
    if theirs.unfairness.shape[1] == 1:
        # A policy without a trade-off to make: at its own unfairness.
        level = theirs.unfairness.mean()
        return np.array([level]) if low <= level <= high else None
    return common_levels([ours, theirs])


def distance(
    ours: Curve, theirs: Curve, outcome: Outcome, seed: int = 0
) -> tuple[Estimate, Estimate] | None:
    """Return how far a policy is below the frontier, and below the paper's hard threshold.

    Means over the levels of unfairness that both reach, as shares of the frontier's range of
    reward; intervals from a bootstrap of replicates, the frontier being that of all of them.
    None if they have no level in common.
    """
    from penalized_bandits.claims.tradeoff import interpolated

    levels = _levels(ours, theirs)
    means = outcome.means[0] if (outcome.means == outcome.means[0]).all() else outcome.means
    frontier = oracle_frontier(means, outcome.fairness, outcome.horizon)
    span = float(frontier.reward[-1] - frontier.reward[0])
    if levels is None or span <= 0:
        return None
    best = frontier.reward_at(levels)
    # Reward less what the best arm would earn: instances differ in that far more.
    rows = np.hstack([theirs.unfairness, theirs.reward, ours.unfairness, ours.reward])
    most = outcome.horizon * outcome.means.max(axis=1, keepdims=True)
    n, j, i = len(rows), theirs.reward.shape[1], ours.reward.shape[1]
    rows[:, j : 2 * j] -= most
    rows[:, 2 * j + i :] -= most
    rng = np.random.default_rng(seed)
    drawn = np.vstack([rows.mean(axis=0), resampled_means(rows, np.arange(n), RESAMPLES, rng)])
    loss = (best - float(most.mean()))[None]
    of_theirs = interpolated(drawn[:, :j], drawn[:, j : 2 * j], levels)
    of_ours = interpolated(drawn[:, 2 * j : 2 * j + i], drawn[:, 2 * j + i :], levels)
    found = []
    for values in (
        (loss - of_theirs).mean(axis=1) / span,
        (of_ours - of_theirs).mean(axis=1) / span,
    ):
        low, high = np.quantile(values[1:], [0.025, 0.975])
        found.append(Estimate(float(values[0]), float(low), float(high), n))
    return found[0], found[1]


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
                for measure, estimate in zip(("below_frontier", "below_ours"), found, strict=True):
                    yield Row(
                        name,
                        case,
                        policy,
                        measure,
                        *(estimate.value, estimate.low, estimate.high),
                        estimate.n,
                        outcome.horizon,
                    )


def by_case(evidence: Evidence, laws: Laws) -> pd.DataFrame:
    """Return every measure of every policy in every case, in the columns ``COLUMNS``."""
    rows = [*regret_rows(evidence, laws), *tradeoff_rows(evidence)]
    return pd.DataFrame([asdict(row) for row in rows], columns=list(COLUMNS))


def told(policy: str) -> str:
    """Say what a policy is told besides fractions and rewards: the oracle's knowledge."""
    rule = POLICIES[policy]
    known = [] if rule.ignores_penalties else ["penalty rates (oracle: half the spread of μ)"]
    if rule.scaled_by_noise:
        known.append("σ of the rewards")
    return ", ".join(known) or "nothing more"


def _geometric(values: pd.Series) -> float:
    positive = values[values > 0]
    return float(np.exp(np.log(positive).mean())) if len(positive) == len(values) else np.nan


def comparison(cases: pd.DataFrame, laws_of: Mapping[str, tuple[int, int]]) -> pd.DataFrame:
    """Return one row a policy: averages over cases.

    Parameters
    ----------
    cases
        The table of `by_case`.
    laws_of
        For each policy that was followed to long horizons, the cases in which its regret is no
        power law of T, and all of them that say something.
    """
    rows = []
    for policy in dict.fromkeys(cases["policy"]):
        own = cases[cases["policy"] == policy]

        def of(measure: str, where: tuple[str, ...], own: pd.DataFrame = own) -> pd.Series:
            chosen = own[(own["measure"] == measure) & own["experiment"].isin(where)]
            return chosen["estimate"]

        kept, asked = laws_of.get(policy, (0, 0))
        row: dict[str, Any] = {"policy": policy, "label": POLICIES[policy].label}
        row["told"] = told(policy)
        for name in REGRET:
            for measure in ("published", "tuned"):
                row[f"{name}_over_bound_{measure}"] = _geometric(
                    of(f"over_bound_{measure}", (name,))
                )
        for name in TRADEOFF:
            below = of("below_frontier", (name,))
            row[f"{name}_below_frontier"] = float(below.mean()) if len(below) else np.nan
            row[f"{name}_panels"] = len(below)
        row["no_power_law"] = f"{kept} of {asked}" if asked else ""
        rows.append(row)
    return pd.DataFrame(rows)
