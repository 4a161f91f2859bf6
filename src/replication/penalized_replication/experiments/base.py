"""Experiments: cases, and in each case runs to simulate.

An experiment is one file: the model of its section in the config, and the cases.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, Literal

import numpy as np

from penalized_bandits.bandit.by_value import parameters_of
from penalized_bandits.bandit.changing import Bandit
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import FAMILIES, Gaussian, RewardFamily
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine.unit_rewards import check_rewards
from penalized_bandits.policies import POLICIES, Policy
from penalized_replication.common.section import Section
from penalized_replication.experiments import keys
from penalized_replication.storage.cases import CaseInfo


class Interpretations(Section):
    """Choices that the paper leaves open and a user may switch (⇄ in the list of them)."""

    log_of: Literal["n", "n-1"] = "n"
    """R1: log n in round n, or log(n − 1)."""
    means: Literal["per_replicate", "once"] = "per_replicate"
    """R4: means of Settings 1 and 5, drawn `per_replicate` or `once`."""
    movielens_rewards: Literal["unit", "fraction"] = "unit"
    """R8: rewards (rating − 1)/4, `unit`, or rating/highest, `fraction`."""
    setting_4_rewards: Literal["gaussian", "bernoulli"] = "gaussian"
    """R10: reward law of Setting 4, `gaussian` (variance 1/K²) or `bernoulli`."""
    lfg: Literal["paper", "original"] = "paper"
    """R13: LFG as in the `paper`, or `original` as Li, Liu and Ji published it."""


@dataclass(frozen=True, eq=False)
class PolicyRun:
    """One policy with one tuning, simulated once, seen at its checkpoints."""

    policy: str
    """Id in the tables."""
    rule: Policy
    checkpoints: tuple[int, ...]
    tuning: float | None = None
    """The policy's own parameter, as the simulator takes it."""
    scale: float | None = None
    """eta, where the experiment has one."""
    penalties: float | FloatArray | None = None
    """Penalty rates A, scalar or (R, K); None where none is defined."""
    tuning_shown: float | None = None
    """The tuning in the tables, if it is another: A where A is what is tuned."""


@dataclass(frozen=True, eq=False)
class Case:
    """One panel of a figure: a bandit without its penalties, and the runs on it; see `CaseInfo`."""

    id: str
    means: FloatArray
    """Shape (K,), or (R, K) where drawn for each replicate."""
    fairness: FloatArray
    """Shape (K,)."""
    rewards: RewardFamily
    runs: tuple[PolicyRun, ...] = ()
    instance: str | None = field(default=None, kw_only=True)
    """By default the id."""
    label: str | None = field(default=None, kw_only=True)
    """By default ``instance`` with spaces for underscores."""
    horizon: int | None = field(default=None, kw_only=True)
    group: str | None = field(default=None, kw_only=True)
    m0: int | None = field(default=None, kw_only=True)
    ceilings: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    @cached_property
    def info(self) -> CaseInfo:
        """Its fields, as tables have them."""
        instance, same = self.instance or self.id, ("id", "horizon", "group", "m0", "ceilings")
        return CaseInfo(
            **{name: getattr(self, name) for name in same},
            instance=instance,
            label=self.label or instance.replace("_", " "),
            n_arms=self.fairness.size,
            total_fairness=round(math.fsum(self.fairness), 12),
            law=self.rewards.id,
            parameters=parameters_of(self.rewards),
        )

    def bandit(self, instance: Instance) -> Bandit:
        """Return the bandit that is simulated, from that of the means."""
        return instance

    def seen(self, outcomes: Iterable[Any]) -> Iterable[Any]:
        """Return the outcomes that are kept, from those after each round that was looked at."""
        return outcomes


@dataclass(frozen=True)
class Context:
    """Inputs of the cases of a job besides the section of the experiment."""

    seed: int
    interpretations: Interpretations
    first_replicate: int
    replicates: int
    """Replicates of this job (a part of the experiment's where they are split)."""
    rating_counts: str | None = None
    """Path of the table of rating counts, for experiments that need it."""


Cases = Callable[[Any, Context], Iterable[Case]]
"""Cases in order, from a section of the config and the context."""


@dataclass(frozen=True)
class Experiment:
    """A setting of the paper, a study of its theory, or an experiment beyond it."""

    id: str
    title: str
    section: type[Any]
    """Model of its part of the config."""
    cases: Cases
    interpretations: tuple[str, ...]
    """Interpretations that its results depend on."""
    needs_ratings: bool = False
    has_frontier: bool = False
    """Whether an oracle frontier is drawn beside its trade-off curves."""
    figure_shows_claims: bool = False
    compared: bool = False
    """Whether all policies are compared with the paper's, and tuned on some of the replicates."""
    package: str = ""

    def all_cases(self, section: Any, context: Context) -> list[Case]:
        """Return the cases; raise BanditError if rewards leave [0, 1] where a policy needs it."""
        cases = list(self.cases(section, context))
        for case in cases:
            for rule in {run.policy: run.rule for run in case.runs}.values():
                check_rewards(rule, case.means, case.rewards)
        return cases


def declare(*interpretations: str, **fields: Any) -> Callable[[Cases], Experiment]:
    """Declare the experiment whose cases the decorated function yields.

    The function has the experiment's id for a name, its title for a docstring, and first an
    argument with the model of the section.  ``fields`` are others of `Experiment`.
    """

    def made(cases: Cases) -> Experiment:
        section, *_ = cases.__annotations__.values()
        title = (cases.__doc__ or "").removesuffix(".")
        fields["needs_ratings"] = "movielens_rewards" in interpretations
        fields["has_frontier"] = issubclass(section, keys.TradeoffSection)
        return Experiment(cases.__name__, title, section, cases, interpretations, **fields)

    return made


def name_of(experiment: str) -> str:
    """Name an experiment; policies have labels and cases have `CaseInfo.label`."""
    words = {"setting": "Setting", "lfg": "LFG"}
    return " ".join(words.get(word, word) for word in experiment.split("_"))


def case_of(instance: str, horizon: int) -> str:
    """Return the id of the case of an instance at a horizon."""
    return f"{instance}_T{horizon}"


def part_of(replicates: int, part: int, parts: int) -> tuple[int, int]:
    """Return (first replicate, number of replicates) of a part, parts numbered from 1."""
    first = replicates * (part - 1) // parts
    return first, replicates * part // parts - first


def rule_of(policy: str, interpretations: Interpretations) -> Policy:
    """Return the rule that is simulated for a policy under the interpretations in force."""
    original = policy == "lfg" and interpretations.lfg == "original"
    return POLICIES["lfg_original" if original else policy]


def drawn_means(context: Context, n_arms: int, *stream: str) -> FloatArray:
    """Draw mu from U[0, 1) for each replicate, shape (R, K); or once, shape (K,) (R4)."""
    # numba is not needed to read a config: see penalized_bandits/__init__.py.
    from penalized_bandits.engine.streams import Stream

    names = (*stream, "means")
    if context.interpretations.means == "once":
        return Stream(context.seed, names).uniforms(1, n_arms)[0]
    return Stream(context.seed, names, context.first_replicate).uniforms(context.replicates, n_arms)


def cell_id(n_arms: int, tau: float, law: keys.RewardLaw | None = None) -> str:
    """Return the id of a cell of the grids of Settings 1 and 5."""
    return f"K{n_arms}_tau{keys.format_for_id(tau)}{f'_{law}' if law else ''}"


def drawn_cell(
    context: Context, setting: str, n_arms: int, tau: float, law: keys.RewardLaw | None = None
) -> Case:
    """Return a cell without runs: K arms with tau_k = tau / K and the means of ``setting``.

    Rewards are Gaussian of variance 1 / K^2 where no law is named.
    """
    identifier = cell_id(n_arms, tau, law)
    means = drawn_means(context, n_arms, setting, identifier)
    fairness = np.full(n_arms, tau / n_arms)
    rewards = Gaussian(1 / n_arms) if law in (None, "gaussian") else FAMILIES[law]()
    label = f"K = {n_arms}, τ = {tau:g}{f', {law.capitalize()}' if law else ''}"
    return Case(identifier, means, fairness, rewards, label=label)


def fixed_bandit(
    name: str, given: keys.FairCase, rewards: RewardFamily | None = None, **fields: Any
) -> Case:
    """Return a bandit of the config, with Gaussian rewards of variance 1 / K^2 by default."""
    law = rewards or Gaussian(1 / len(given.means))
    return Case(name, np.array(given.means), np.array(given.fairness), law, **fields)


def half_spread(means: FloatArray) -> FloatArray:
    """A_k = (max mu - min mu) / 2 for every arm, from the true means: an oracle choice."""
    return np.broadcast_to(np.ptp(means, axis=-1, keepdims=True) / 2, means.shape)


def regret_runs(
    policies: Sequence[str],
    horizons: Sequence[int],
    context: Context,
    penalties: FloatArray,
    tuned_horizons: Sequence[int] | None = None,
) -> tuple[PolicyRun, ...]:
    """Return the runs of a comparison of regret over horizons, all policies on one instance.

    Tunings are chosen for each horizon; ``tuned_horizons`` are those of policies with a tuning.
    """
    runs: list[PolicyRun] = []
    for policy in policies:
        rule = rule_of(policy, context.interpretations)
        seen = horizons if rule.tuning is None else tuned_horizons or horizons
        tunings = {t: rule.published_tuning(penalties.shape[-1], t) for t in seen}
        # One run serves all horizons with the same tuning: rewards are common, so a
        # longer run begins with the shorter one (interpretation R5).
        for tuning in dict.fromkeys(tunings.values()):
            shared = tuple(t for t, value in tunings.items() if value == tuning)
            runs.append(PolicyRun(policy, rule, shared, tuning, penalties=penalties))
    return tuple(runs)


def at_horizon(
    bandit: Case,
    horizon: int,
    policies: Sequence[str],
    context: Context,
    penalties: FloatArray,
    seen: Sequence[int] = (),
) -> Case:
    """Return the case of a bandit at a horizon of its own; its runs may be seen earlier too."""
    runs = regret_runs(policies, [*seen, horizon], context, penalties)
    identifier = case_of(bandit.id, horizon)
    return replace(bandit, id=identifier, instance=bandit.id, horizon=horizon, runs=runs)


def rate_runs(
    policies: Sequence[str], horizons: Sequence[int], context: Context, rates: Sequence[float]
) -> tuple[PolicyRun, ...]:
    """Return the runs of policies at rates A that all arms share, which tables show as tunings."""
    rules, seen = [(p, rule_of(p, context.interpretations)) for p in policies], tuple(horizons)
    runs = product(rules, rates)
    return tuple(PolicyRun(*rule, seen, penalties=a, tuning_shown=a) for rule, a in runs)


def tradeoff_runs(
    section: keys.TradeoffSection, context: Context, n_arms: int, tau: float
) -> tuple[PolicyRun, ...]:
    """Return the runs of a trade-off curve (Settings 3 and 5) where each arm has tau_k = tau / K.

    Policies with a grid of their own run over that; for others that know penalties the rate
    A runs over [0, 1], their own parameter being that of Setting 1.
    """
    horizon, points = section.horizon, section.tuning_values
    level = tau / n_arms * horizon
    runs: list[PolicyRun] = []
    for policy in section.policies:
        rule = rule_of(policy, context.interpretations)
        if rule.tuning is not None and rule.tuning.tradeoff is not None:
            # Where the range is a point (a level of 0, a horizon of 1) one run says all.
            values = dict.fromkeys(rule.tuning.tradeoff(points, level, horizon))
            runs += [PolicyRun(policy, rule, (horizon,), value) for value in values]
        elif rule.ignores_penalties:
            runs.append(PolicyRun(policy, rule, (horizon,)))
        else:
            # Finer near 0: the gaps of the MovieLens arms are all below 0.2.
            rates = [(i / (points - 1)) ** 2 for i in range(points)]
            own = rule.published_tuning(n_arms, horizon)
            at_rates = rate_runs([policy], [horizon], context, rates)
            runs += [replace(run, tuning=own) for run in at_rates]
    return tuple(runs)
