"""How quantities grow with T, beside bounds: on the bandits of ``log_laws``, and constructed."""

from collections.abc import Sequence

import numpy as np

from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_replication.claims import parts
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.horizon_series import (
    HorizonSeries,
    bandit_at,
    by_instance,
    deficits_of,
)
from penalized_replication.storage.replicates import Outcome

CONSTANT = 10.0
"""Pulls allowed for O(1), or reward an arm for O(K)."""


def log_law_series(evidence: Evidence, *, fixed: bool = False) -> list[HorizonSeries]:
    """Return the bandits of ``log_laws``, on independent random numbers at each horizon.

    With ``fixed`` those whose tau and A are the same at all horizons.
    """
    instances = evidence.section("log_laws").instances
    series = by_instance(evidence.outcomes("log_laws", policy=PAPER_POLICY))
    return [one for one in series if instances[one.instance].fixed or not fixed]


def meets_4_2(outcome: Outcome) -> bool:
    """Whether the bandit meets conditions (i) and (ii) of Theorem 4.2 at the horizon."""
    return all(one.all() for one in conditions_4_2(bandit_at(outcome), outcome.horizon))


def always_vacuous(fields: parts.Fields) -> parts.Part:
    """Return the part on a bound that says nothing at any horizon."""
    part = parts.unknown("", **fields)
    return parts.irrelevant(part, "at no horizon is the bound below what holds anyway")


def largest_ratio(
    samples: Sequence[FloatArray],
    bounds: FloatArray,
    horizons: Sequence[int],
    fields: parts.Fields,
    informative: BoolArray | None = None,
) -> parts.Part:
    """Return the part on a mean that stays below a bound, at the horizon nearest to it.

    The estimate is the largest ratio of mean to bound over the horizons at which the bound is
    informative, by default all; intervals are Bonferroni-corrected for that choice.
    """
    kept = [i for i in range(len(samples)) if informative is None or informative[i]]
    if not kept:
        return always_vacuous(fields)
    ratios = []
    for i in kept:
        interval = mean_estimate(samples[i], level=1 - parts.LEVEL / len(kept)).interval
        ratios.append((*(x / bounds[i] if bounds[i] > 0 else np.inf for x in interval), i))
    value, low, high, nearest = max(ratios)
    # The horizon is no field: it is chosen by the data, and a part keeps its key in other data.
    values = {"nearest_horizon": horizons[nearest]}
    return parts.below((value, low, high), 1.0, **fields, values=values)


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
    return by_instance(evidence.outcomes("deterministic", policy=PAPER_POLICY))


def waiting_series(evidence: Evidence) -> list[HorizonSeries]:
    """Return the constructions in which a number of arms with small fractions are pulled first."""
    return [one for one in constructions(evidence) if one.last.info.group == "theorem_4_1"]


def limit_series(evidence: Evidence, limit: str) -> list[HorizonSeries]:
    """Return the constructions near the least margin of a theorem."""
    cases = evidence.section("deterministic").cases
    near = {f"least_margin_{name}" for name, given in cases.items() if given.limit == limit}
    return [one for one in constructions(evidence) if one.instance in near]
