"""What a setting of the paper is: cases, and in each case runs to simulate.

A setting is one file: the model of its section in the config, the groups that its cases
are simulated in (one job each), and the cases themselves.
"""

import math
import re
import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal, Self, TypeVar

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from penalized_bandits.policies import POLICIES, Policy
from penalized_bandits.rewards import RewardFamily
from penalized_bandits.typing import FloatArray

T = TypeVar("T")

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 120
_SHORT.maxlist = _SHORT.maxdict = _SHORT.maxtuple = _SHORT.maxset = 12
_SHORT.maxlevel = 3


class Section(BaseModel):
    """A part of the config: unknown keys and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Readings(Section):
    """What the paper leaves open and a reader may switch (⇄ in the list of readings)."""

    log_of: Literal["n", "n-1"] = "n"
    """R1: log n in round n, or log(n - 1) as Algorithm 1 computes it."""
    means: Literal["per_replicate", "once"] = "per_replicate"
    """R4: whether Settings 1 and 5 draw the means for each replicate or once."""
    movielens_rewards: Literal["unit", "fraction"] = "unit"
    """R8: rewards (rating - 1) / 4 or rating / 5."""
    setting_4_rewards: Literal["gaussian", "bernoulli"] = "gaussian"
    """R10: reward law of Setting 4."""
    lfg: Literal["paper", "original"] = "paper"
    """R13: LFG as the paper restates it, or as Li, Liu and Ji published it."""


def _known_policy(name: str) -> str:
    if name not in POLICIES:
        raise ValueError(f"unknown policy {name!r}: known are {', '.join(POLICIES)}")
    return name


LARGEST_TOTAL = 1 - 1e-12
"""Fairness fractions sum to no more, so that rounding cannot make 1 of their sum."""


def brief(value: object) -> str:
    """Return the ``repr`` of a value, cut short however large or nested it is."""
    try:
        text = _SHORT.repr(value)
    except ValueError:
        # A whole number of thousands of digits.
        text = f"{type(value).__name__} too long to show"
    return text if len(text) <= 120 else f"{text[:117]}..."


def shown(value: object) -> str:
    """Return a value as it stands in the names of cases."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def distinct(values: list[T]) -> list[T]:
    """Check that no two values of a list would give cases of one name."""
    if len({shown(value) for value in values}) != len(values):
        raise ValueError(f"values must differ from one another, got {brief(values)}")
    return values


def _file_name(name: str) -> str:
    # File systems take 255 bytes; temporary names and suffixes stand around this one.
    if not re.fullmatch(r"\w[\w-]{0,99}", name, re.ASCII):
        raise ValueError(
            f"case name {brief(name)} must be of letters, digits, _ and -, at most 100: "
            "it becomes a file's name"
        )
    return name


CaseName = Annotated[str, AfterValidator(_file_name)]


def tuned_by(rule: str) -> Callable[[list[str]], list[str]]:
    """Make a check that policies with a tuning of their own have this rule for it."""

    def check(policies: list[str]) -> list[str]:
        for policy in policies:
            tuning = POLICIES[policy].tuning
            if tuning is not None and getattr(tuning, rule) is None:
                raise ValueError(
                    f"policy {policy} has no rule for its {tuning.symbol} here: "
                    f"give Tuning({rule}=...) in its file, or leave it out"
                )
        return policies

    return check


PolicyList = Annotated[
    list[Annotated[str, AfterValidator(_known_policy)]],
    Field(min_length=1),
    AfterValidator(distinct),
]


def untuned(policies: list[str]) -> list[str]:
    """Check that no policy of a list has a tuning of its own."""
    for policy in policies:
        if POLICIES[policy].tuning is not None:
            raise ValueError(f"only policies without a tuning of their own, not {policy}")
    return policies


def _increasing(values: list[int]) -> list[int]:
    if any(b <= a for a, b in pairwise(values)):
        raise ValueError(f"horizons must increase, got {brief(values)}")
    return values


def _with_a_tradeoff(policies: list[str]) -> list[str]:
    """Check that policies with a tuning have a grid for it, or penalties to vary beside it."""
    for policy in policies:
        rule = POLICIES[policy]
        if rule.ignores_penalties or rule.tuning is None or rule.tuning.regret is None:
            tuned_by("tradeoff")([policy])
    return policies


def _leaves_something(fraction: float) -> float:
    if fraction > LARGEST_TOTAL:
        raise ValueError(f"fairness fraction {fraction!r} is within rounding of 1: it must be less")
    return fraction


TradeoffPolicies = Annotated[PolicyList, AfterValidator(_with_a_tradeoff)]
Replicates = Annotated[int, Field(ge=1, le=10_000_000)]
Horizon = Annotated[int, Field(ge=2, le=1_000_000_000)]
"""Rounds T; log T, which every bound divides by or grows with, is 0 in one round."""
Fraction = Annotated[
    float, Field(ge=0, lt=1, allow_inf_nan=False), AfterValidator(_leaves_something)
]
Mean = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Rate = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
Horizons = Annotated[list[Horizon], Field(min_length=1), AfterValidator(_increasing)]
ArmNumbers = Annotated[
    list[Annotated[int, Field(ge=1, le=100_000)]], Field(min_length=1), AfterValidator(distinct)
]
Thresholds = Annotated[
    list[Annotated[int, Field(ge=1, lt=2**53)]], Field(min_length=1), AfterValidator(distinct)
]
"""Numbers of ratings m0."""
Fractions = Annotated[list[Fraction], Field(min_length=1), AfterValidator(distinct)]
Rates = Annotated[list[Rate], Field(min_length=1), AfterValidator(distinct)]
GridSize = Annotated[int, Field(ge=2, le=10_000)]


def feasible(means: Sequence[float], fairness: Sequence[float]) -> None:
    """Check that a case's lists agree and its fractions leave something to choose."""
    if len(means) != len(fairness):
        raise ValueError(f"{len(means)} means but {len(fairness)} fairness fractions")
    if math.fsum(fairness) > LARGEST_TOTAL:
        raise ValueError(f"fairness fractions sum to {math.fsum(fairness):g}: it must be below 1")


def a_pull_each(horizon: int, cases: Mapping[str, Any]) -> None:
    """Check that a horizon lets each arm of every case be pulled, which predictions need."""
    for name, case in cases.items():
        if horizon < len(case.means):
            raise ValueError(
                f"horizon {horizon} leaves some of the {len(case.means)} arms of cases.{name} "
                f"without a pull: it must be at least {len(case.means)}"
            )


class FairCase(Section):
    """A bandit with fixed means."""

    means: Annotated[list[Mean], Field(min_length=2)]
    fairness: list[Fraction]
    """tau_k of each arm."""

    @model_validator(mode="after")
    def _feasible(self) -> Self:
        feasible(self.means, self.fairness)
        return self


@dataclass(frozen=True, eq=False)
class Run:
    """One policy with one tuning, simulated once, seen at its checkpoints."""

    policy: str
    """Id in the tables."""
    rule: Policy
    """What is simulated for it, under the readings in force."""
    checkpoints: tuple[int, ...]
    tuning: float | None = None
    """The policy's own parameter, as the simulator takes it."""
    scale: float | None = None
    """eta, where the setting has one."""
    penalties: float | FloatArray | None = None
    """Penalty rates A, scalar or (R, K); None where none is defined."""
    tuning_shown: float | None = None
    """The tuning in the tables: A where A is what is tuned."""


@dataclass(frozen=True, eq=False)
class Case:
    """One panel of a figure: a bandit without its penalties, and the runs on it."""

    id: str
    means: FloatArray
    """Shape (K,), or (R, K) where drawn for each replicate."""
    fairness: FloatArray
    """Shape (K,)."""
    rewards: RewardFamily
    runs: tuple[Run, ...]


@dataclass(frozen=True)
class Context:
    """What the cases of a job are made from, besides the setting's own section."""

    seed: int
    readings: Readings
    first_replicate: int
    replicates: int
    """Replicates of this job (a part of the setting's where they are split)."""
    rating_counts: str | None = None
    """Path of the table of rating counts, for settings that need it."""
    drawn: bool = True
    """Whether bandits have their means and reward distributions; without them cases are good
    for counting pulls, and made in no time."""


@dataclass(frozen=True)
class Setting:
    """An experiment of the paper."""

    id: str
    title: str
    section: type[Any]
    """Model of its part of the config."""
    groups: Callable[[Any], list[str]]
    """Names of the jobs that its cases are split into, from its section."""
    cases: Callable[[Any, str, Context], list[Case]]
    """The cases of a group, from (section, group, context)."""
    readings: tuple[str, ...]
    """Readings that its results depend on."""
    needs_ratings: bool = False
    has_frontier: bool = False
    """Whether an oracle frontier is drawn beside its trade-off curves."""


def rule_of(policy: str, readings: Readings) -> Policy:
    """Return what is simulated under a policy's id."""
    if policy == "lfg" and readings.lfg == "original":
        return POLICIES["lfg_original"]
    return POLICIES[policy]


def drawn_means(context: Context, n_arms: int, *stream: str) -> FloatArray:
    """Draw mu from U[0, 1) for each replicate, shape (R, K); or once, shape (K,) (R4)."""
    if not context.drawn:
        return np.zeros(n_arms)
    # numba is not needed to read a config: see penalized_bandits/__init__.py.
    from penalized_bandits.streams import stream_key, uniforms

    key = stream_key(context.seed, *stream, "means")
    if context.readings.means == "once":
        return uniforms(key, 0, 1, n_arms)[0]
    return uniforms(key, context.first_replicate, context.replicates, n_arms)


def half_spread(means: FloatArray) -> FloatArray:
    """A_k = (max mu - min mu) / 2 for every arm, from the true means: an oracle choice."""
    spread = (means.max(axis=-1, keepdims=True) - means.min(axis=-1, keepdims=True)) / 2
    return np.broadcast_to(spread, means.shape)


def regret_runs(
    policies: Sequence[str],
    horizons: Sequence[int],
    context: Context,
    penalties: FloatArray,
    tuned_horizons: Sequence[int] | None = None,
) -> tuple[Run, ...]:
    """Return the runs of a comparison of regret over horizons, all policies on one instance.

    Policies with a tuning of their own have it chosen for each horizon, by their rule
    for regret; ``tuned_horizons`` are theirs where they are not to have all.
    """
    runs: list[Run] = []
    for policy in policies:
        rule = rule_of(policy, context.readings)
        tunings: dict[int, float | None] = dict.fromkeys(horizons)
        if rule.tuning is not None:
            assert rule.tuning.regret is not None  # noqa: S101  (checked in the config)
            n_arms = penalties.shape[-1]
            tunings = {t: rule.tuning.regret(n_arms, t) for t in tuned_horizons or horizons}
        # One run serves all horizons with the same tuning: rewards are common, so a
        # longer run begins with the shorter one (reading R5).
        for tuning in dict.fromkeys(tunings.values()):
            shared = tuple(t for t, value in tunings.items() if value == tuning)
            runs.append(Run(policy, rule, shared, tuning, penalties=penalties, tuning_shown=tuning))
    return tuple(runs)


def tradeoff_runs(
    policies: Sequence[str],
    readings: Readings,
    horizon: int,
    level: float,
    points: int,
    n_arms: int,
) -> tuple[Run, ...]:
    """Return the runs of a trade-off curve (Settings 3 and 5), ``points`` a policy.

    Policies with a grid of their own run over that; for others that know penalties the rate
    A runs over [0, 1], their own parameter being that of Setting 1.  ``level`` is the
    fairness level tau_k T.
    """
    runs: list[Run] = []
    for policy in policies:
        rule = rule_of(policy, readings)
        if rule.tuning is not None and rule.tuning.tradeoff is not None:
            # Where the range is a point (a level of 0, a horizon of 1) one run says all.
            values = dict.fromkeys(rule.tuning.tradeoff(points, level, horizon))
            runs += [Run(policy, rule, (horizon,), v, tuning_shown=v) for v in values]
        elif rule.ignores_penalties:
            runs.append(Run(policy, rule, (horizon,)))
        else:
            # Finer near 0: the gaps of the MovieLens arms are all below 0.2.
            rates = [(i / (points - 1)) ** 2 for i in range(points)]
            own = None
            if rule.tuning is not None:
                assert rule.tuning.regret is not None  # noqa: S101  (TradeoffPolicies)
                own = rule.tuning.regret(n_arms, horizon)
            runs += [Run(policy, rule, (horizon,), own, penalties=a, tuning_shown=a) for a in rates]
    return tuple(runs)
