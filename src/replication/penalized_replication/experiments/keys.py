"""Keys that the sections of several experiments have, and what their values may be."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, Field

from penalized_bandits.policies import POLICIES, unknown_policy
from penalized_replication.common.section import Section, brief

T = TypeVar("T")
Number = TypeVar("Number", int, float)


def _known_policy(name: str) -> str:
    if name not in POLICIES:
        raise ValueError(unknown_policy(name))
    return name


LARGEST_TOTAL = 1 - 1e-12
"""Fairness fractions sum to no more, so that rounding cannot make 1 of their sum."""


def format_for_id(value: object) -> str:
    """Return a value in the form that ids of cases have: a number in up to six digits."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def distinct(values: list[T]) -> list[T]:
    """Check that the ids of cases differ for all values of a list."""
    if len({format_for_id(value) for value in values}) != len(values):
        raise ValueError(f"values must differ from one another, got {brief(values)}")
    return values


CaseName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$")]
"""Names of cases: they stand in tables, keys and pages."""
Named = Annotated[dict[CaseName, T], Field(min_length=1, description="Bandits by name.")]


def _tuned(policies: list[str], rule: str) -> list[str]:
    """Check that policies with a tuning of their own have this rule for it."""
    for policy in policies:
        tuning = POLICIES[policy].tuning
        if tuning is not None and getattr(tuning, rule) is None:
            remedy = f"give Tuning({rule}=...) in its file, or leave it out"
            raise ValueError(f"policy {policy} has no rule for its {tuning.symbol} here: {remedy}")
    return policies


Values = Annotated[list[T], Field(min_length=1), AfterValidator(distinct)]
PolicyList = Annotated[
    Values[Annotated[str, AfterValidator(_known_policy)]],
    Field(description="Ids of policies, in the order of the legend."),
]
PathPolicies = Annotated[PolicyList, AfterValidator(partial(_tuned, rule="path"))]


def _untuned(policies: list[str]) -> list[str]:
    for policy in policies:
        if POLICIES[policy].tuning is not None:
            raise ValueError(f"only policies without a tuning of their own, not {policy}")
    return policies


UntunedPolicies = Annotated[PolicyList, AfterValidator(_untuned)]


def increasing(values: list[Number]) -> list[Number]:
    """Check that a list increases."""
    if any(b <= a for a, b in pairwise(values)):
        raise ValueError(f"values must increase, got {brief(values)}")
    return values


def _with_a_tradeoff(policies: list[str]) -> list[str]:
    """Check that policies with a tuning have a grid for it, or penalties to vary beside it."""
    for policy in policies:
        rule = POLICIES[policy]
        if rule.ignores_penalties or rule.tuning is None or rule.tuning.regret is None:
            _tuned([policy], "tradeoff")
    return policies


Replicates = Annotated[
    int, Field(ge=1, le=10_000_000, description="Replicates of each case (R5, R7).")
]
Horizon = Annotated[int, Field(ge=2, le=1_000_000_000)]
"""Rounds T; log T, which every bound divides by or grows with, is 0 in one round."""
Fraction = Annotated[float, Field(ge=0, le=LARGEST_TOTAL, allow_inf_nan=False)]
"""Fairness fractions tau_k."""
_TOTAL = Field(description="Total τ of the fairness fractions, or a list; each arm has τ/K.")
Total = Annotated[Fraction, _TOTAL]
Totals = Annotated[Values[Fraction], _TOTAL]
Mean = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Means = Annotated[list[Mean], Field(min_length=2, description="Mean rewards of the arms.")]
Share = Annotated[float, Field(gt=0, lt=1)]
_ARMS = "Number of arms K, or a list."
SeveralArms = Annotated[int, Field(ge=2, le=100_000, description=_ARMS)]
Rate = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
RewardLaw = Literal["gaussian", "beta", "bernoulli"]
Horizons = Annotated[
    list[Horizon],
    Field(min_length=1, description="Horizons T, increasing (R5)."),
    AfterValidator(increasing),
]
ArmNumbers = Annotated[Values[Annotated[int, Field(ge=1, le=100_000)]], Field(description=_ARMS)]
Threshold = Annotated[int, Field(ge=1, lt=2**53)]
Thresholds = Annotated[
    Values[Threshold],
    Field(description="Thresholds: movies with more than m0 ratings are the arms (R9)."),
]
Rates = Values[Rate]
GridSize = Annotated[
    int, Field(ge=2, le=10_000, description="Number of tuning values of each policy.")
]


class RegretSection(Section):
    """A comparison of penalized regret over horizons."""

    replicates: Replicates
    policies: Annotated[PolicyList, AfterValidator(partial(_tuned, rule="regret"))]
    horizons: Horizons


class GridSection(RegretSection):
    """A comparison of penalized regret on a grid of cells (`experiments.base.drawn_cell`)."""

    arms: ArmNumbers
    fairness: Totals


class TradeoffSection(Section):
    """A comparison of reward against unfairness along the tuning of each policy."""

    replicates: Replicates
    policies: Annotated[PolicyList, AfterValidator(_with_a_tradeoff)]
    horizon: Horizon
    """Horizon T, in Settings 2 and 4 at least the number of arms."""
    tuning_values: GridSize


class MoviesSection(RegretSection):
    """A comparison of penalized regret with movies for arms (`experiments.movies`)."""

    m0: Thresholds
    fairness: Total


class LongRegretSection(RegretSection):
    """A comparison up to long horizons."""

    tuned_horizons: Horizons
    """Horizons of policies that are tuned to each horizon."""


def below_one(total: float, where: str = "") -> None:
    """Check that fairness fractions, whose total this is, leave something to choose."""
    if total > LARGEST_TOTAL:
        raise ValueError(f"fairness fractions{where} sum to {total:g}: it must be below 1")


def feasible(means: Sequence[float], **lists: Sequence[float] | None) -> None:
    """Check that a case's lists, by their keys, agree and its fractions leave something."""
    for key, values in lists.items():
        if values is not None and len(values) != len(means):
            raise ValueError(f"{len(means)} means but {len(values)} {key}")
    below_one(math.fsum(lists.get("fairness") or ()))


def a_pull_each(horizon: int, cases: Mapping[str, Any]) -> None:
    """Check that a horizon lets each arm of every case be pulled, which predictions need."""
    for name, case in cases.items():
        if horizon < (n_arms := len(case.means)):
            some = f"some of the {n_arms} arms of cases.{name} without a pull"
            raise ValueError(f"horizon {horizon} leaves {some}: it must be at least {n_arms}")


class NamedCase(Section):
    """A bandit whose name in the config is not the one for reading."""

    label: Annotated[str, Field(pattern=r"^[\w .,:=+/()−√-]+$", max_length=60)] | None = None
    """Name for reading; by default that in the config, with spaces for underscores."""


class FairCase(Section):
    """A bandit with fixed means."""

    means: Means
    fairness: list[Fraction]
    """Fairness fractions τ_k of the arms, with a sum below 1."""

    def _check(self) -> None:
        feasible(self.means, fairness=self.fairness)
