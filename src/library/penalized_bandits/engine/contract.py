"""Contract of a policy, checked by playing it; ``penalized-bandits check-policy`` prints it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Bernoulli, Gaussian
from penalized_bandits.common.errors import BanditError
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import loops_for, simulate_part, why_plain
from penalized_bandits.engine.simulation import Simulation
from penalized_bandits.engine.streams import Stream
from penalized_bandits.policies import POLICIES, Policy
from penalized_bandits.policies.reads import knows_floors_alone

SEED = 20250301
STREAM = Stream(SEED, ("contract",))
HORIZON = 400
REPLICATES = 20  # enough for lanes, of which the last vector is not full
ORACLE_REPLICATES = 2
MANY_ARMS = 160
LONG = 3000  # rounds enough that a loop that skips arms does so


@dataclass(frozen=True)
class Check:
    """The result of one check."""

    name: str
    passed: bool
    detail: str = ""  # the fault, or the extent of the check


@dataclass(frozen=True)
class Trial:
    """A policy and the extent of its checks."""

    policy: Policy
    horizon: int = HORIZON
    replicates: int = REPLICATES


@cache
def trial_of(policy: Policy) -> Trial:
    """Choose the extent of the checks: less in plain Python."""
    plain = why_plain(policy) is not None
    return Trial(policy, 100, ORACLE_REPLICATES) if plain else Trial(policy)


def instances(trial: Trial) -> dict[str, Instance]:
    """Return the bandits that a policy is checked on, by name; with ceilings, if it has them."""
    varied, law = np.random.default_rng(SEED).uniform(size=(trial.replicates, 6)), Bernoulli()
    limits = [0.5, 0.4, 0.2], [0.3, 0.1, np.inf]
    given: dict[str, tuple[Any, ...]] = {
        "three arms with ceilings": ([0.9, 0.7, 0.4], [0.0, 0.1, 0.2], 0.3, law, *limits),
        "one arm": ([0.5], 0.3, 1.0, law),
        "two arms with equal means": ([0.5, 0.5], 0.2, 0.4, law),
        "five arms": ([0.9, 0.8, 0.6, 0.3, 0.2], 0.1, [1.0, 1, 1, 0.45, 0.55], Gaussian(0.2)),
        "an arm without a fairness fraction": ([0.9, 0.6, 0.5, 0.4], [0.3, 0.2, 0, 0.1], 0.3, law),
        "means and penalties of each replicate": (varied, 0.1, varied[:, ::-1] / 2, Gaussian(0.5)),
    }
    if knows_floors_alone(trial.policy):
        del given["three arms with ceilings"]
    return {name: Instance(*each) for name, each in given.items()}


def tunings(
    policy: Policy, n_arms: int, horizon: int = HORIZON, points: int = 3
) -> list[float | None]:
    """Return the tuning values to check with: those that the policy's own rules give."""
    rule = policy.tuning
    if rule is None:
        return [None]
    level = 0.5 / n_arms * horizon
    values: list[float | None] = []
    if rule.regret is not None:
        values.append(rule.regret(n_arms, horizon))
    if rule.tradeoff is not None:
        grid = rule.tradeoff(points, level, horizon)
        if len(grid) != points:
            raise BanditError(f"tradeoff gave {len(grid)} values, {points} were asked")
        values += grid
    if rule.path is not None:
        values += [rule.path(scale, level, horizon) for scale in (0.0, 0.5, 1.0)]
    if not values:
        raise BanditError(f"{rule.symbol} has no rule: give Tuning a regret=, path= or tradeoff=")
    return list(dict.fromkeys(values))


def _play(trial: Trial, instance: Instance, tuning: float | None, **options: Any) -> Simulation:
    arguments: dict[str, Any] = {
        "replicates": trial.replicates,
        "stream": STREAM,
        "tuning": tuning,
        "checkpoints": [1, trial.horizon // 3, trial.horizon],
        **options,
    }
    return simulate_part(trial.policy, instance, trial.horizon, **arguments)


def _all_runs(trial: Trial) -> Iterator[tuple[str, Instance, float | None]]:
    for name, instance in instances(trial).items():
        for tuning in tunings(trial.policy, instance.n_arms):
            yield name if tuning is None else f"{name}, tuning {tuning:g}", instance, tuning


def _as_the_oracle(trial: Trial) -> str:
    for where, instance, tuning in _all_runs(trial):
        result = _play(trial, instance, tuning)
        for r in range(ORACLE_REPLICATES):
            played = trace(
                trial.policy, instance, trial.horizon, replicate=r, stream=STREAM, tuning=tuning
            )
            pulls = np.bincount(played.arms, minlength=instance.n_arms)
            if not np.array_equal(pulls, result.pulls[r, -1]):
                raise BanditError(
                    f"{where}, replicate {r}: pulls {result.pulls[r, -1].tolist()} where plain "
                    f"Python has {pulls.tolist()} (does it keep something outside its memory?)"
                )
    replicates = f"{ORACLE_REPLICATES} replicates of {trial.horizon} rounds"
    return f"{len(instances(trial))} bandits, {replicates}, round by round in plain Python"


def _many_arms(trial: Trial) -> str:
    policy, long = trial.policy, Trial(trial.policy, LONG, ORACLE_REPLICATES)
    if why_plain(policy) is not None:
        return "plain Python looks at all arms"
    first, *others = loops_for(policy)
    if not others:
        return "its loop looks at all arms"
    rng = np.random.default_rng(SEED + 1)
    instance = Instance(rng.uniform(size=MANY_ARMS), 0.7 / MANY_ARMS, 0.2, Bernoulli())
    for tuning in tunings(policy, MANY_ARMS):
        every = _play(long, instance, tuning, engine=first).pulls
        for engine in others:
            if not np.array_equal(every, _play(long, instance, tuning, engine=engine).pulls):
                why = f"than looking at all: {policy.hints} promise too much"
                raise BanditError(f"{MANY_ARMS} arms: looking at some of them pulls others {why}")
    return f"{MANY_ARMS} arms, {LONG} rounds, looking at some and at all"


def _without_penalties(trial: Trial) -> str:
    policy, classical = trial.policy, trial.policy.card.classical
    if policy.ignores_penalties:
        return "played with A = 0 whatever the penalty rates are"
    for where, given, tuning in _all_runs(trial):
        instance = replace(given, penalties=0.0, ceilings=1.0)
        free = _play(trial, instance, tuning)
        other = replace(instance, fairness=0.0)
        if not np.array_equal(free.pulls, _play(trial, other, tuning).pulls):
            raise BanditError(
                f"{where}: at A = 0 fairness fractions change its pulls (a rule that "
                "keeps floors whatever the rates are has ignores_penalties=True)"
            )
        if classical is not None:
            twin = Trial(POLICIES[classical], trial.horizon, trial.replicates)
            played = _play(twin, instance, tuning if twin.policy.tuning else None)
            if not np.array_equal(free.pulls, played.pulls):
                raise BanditError(f"{where}: at A = 0 it is not {classical}")
    return f"at A = 0 it is {classical or 'free of fairness fractions'}"


def _tuning_rules(trial: Trial) -> str:
    policy = trial.policy
    if policy.tuning is None:
        return "no parameter of its own"
    for n_arms, horizon in ((1, 1), (5, 1000), (20, 16000)):
        for value in tunings(policy, n_arms, horizon, points=7):
            policy.check_tuning(value)
    return f"{policy.tuning.symbol} is valid wherever its rules give it"


CHECKS: dict[str, Callable[[Trial], str]] = {
    "equal to the oracle": _as_the_oracle,
    "many arms": _many_arms,
    "without penalties": _without_penalties,
    "tuning rules": _tuning_rules,
}
"""The checks, by name; each returns what it covered, or raises."""


def check(policy: Policy, name: str) -> Check:
    """Run one check of a policy."""
    try:
        return Check(name, passed=True, detail=CHECKS[name](trial_of(policy)))
    except Exception as error:  # formulas are a user's code, and may raise anything
        kind = "" if isinstance(error, BanditError) else f"{type(error).__name__}: "
        return Check(name, passed=False, detail=f"{kind}{error}")
