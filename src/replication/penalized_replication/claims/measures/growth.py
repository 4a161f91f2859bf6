"""How quantities grow with T, beside bounds: on the bandits of ``log_laws``, and constructed."""

import numpy as np

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import NORMAL
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_replication.claims import horizon_series
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.comparisons import Interval
from penalized_replication.claims.horizon_series import HorizonSeries, bandit_at, deficits_of
from penalized_replication.storage.replicates import Outcome


def log_law_series(evidence: Evidence, *, fixed: bool = False) -> list[HorizonSeries]:
    """Return the bandits of ``log_laws``, on independent random numbers at each horizon.

    With ``fixed`` those whose tau and A are the same at all horizons.
    """
    instances = evidence.section("log_laws").instances
    series = horizon_series.by_instance(evidence.outcomes("log_laws", policy=PAPER_POLICY))
    return [one for one in series if instances[one.instance].fixed or not fixed]


def meets_4_2(outcome: Outcome, horizon: int | None = None) -> bool:
    """Whether the bandit meets (i) and (ii) of Theorem 4.2, at its horizon or another."""
    return all(one.all() for one in conditions_4_2(bandit_at(outcome), horizon or outcome.horizon))


def own_regrets(outcome: Outcome) -> FloatArray:
    """Return each arm's part of eq. (10), shape (K,), reward; their sum is the penalized regret."""
    bandit, deficits = bandit_at(outcome), deficits_of(outcome)[0]
    gap, level = bandit.gaps, bandit.fairness * outcome.horizon
    free = np.minimum(gap, bandit.penalties) * level
    return gap * outcome.pulls[0] + bandit.penalties * deficits - free


def lacking(outcome: Outcome) -> FloatArray:
    """Return (tau_k T - N_k(T))_+ of a deterministic run, shape (K,); 0 where it is rounding."""
    deficits = deficits_of(outcome)[0]
    return np.where(deficits > 1e-9 * outcome.horizon, deficits, 0.0)


def constructions(evidence: Evidence) -> list[HorizonSeries]:
    """Return the deterministic constructions; at horizons too short for one it has no outcome."""
    return horizon_series.by_instance(evidence.outcomes("deterministic", policy=PAPER_POLICY))


def waiting_series(evidence: Evidence) -> list[HorizonSeries]:
    """Return the constructions in which a number of arms with small fractions are pulled first."""
    return [one for one in constructions(evidence) if one.last.info.group == "theorem_4_1"]


def limit_series(evidence: Evidence, limit: str) -> list[HorizonSeries]:
    """Return the constructions near the least margin of a theorem."""
    cases = evidence.section("deterministic").cases
    near = {f"least_margin_{name}" for name, given in cases.items() if given.limit == limit}
    return [one for one in constructions(evidence) if one.instance in near]


def exponent(first: FloatArray, last: FloatArray, times: float) -> Interval | None:
    """Return the exponent of a mean in T, of values (R,) at two horizons ``times`` apart.

    The interval is by the delta method, the replicates at the two taken as independent (which
    widens it where they share random numbers).  None where a mean is not positive, or the horizons
    are the same.
    """
    if times == 1 or min(first.mean(), last.mean()) <= 0:
        return None
    value, half = float(np.log(last.mean() / first.mean()) / np.log(times)), np.inf
    if min(first.size, last.size) > 1:
        errors = [v.std(ddof=1) / np.sqrt(v.size) / v.mean() for v in (first, last)]
        half = NORMAL * float(np.hypot(*errors) / np.log(times))
    return value, value - half, value + half
