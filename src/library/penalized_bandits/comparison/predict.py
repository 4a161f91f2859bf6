"""What theory says of policies on a bandit, without noise and without a simulation."""

import warnings
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from penalized_bandits.bandit import regret
from penalized_bandits.bandit.instances import Instance, check_instance
from penalized_bandits.common.errors import BanditError, ExplorationWarning, extra
from penalized_bandits.comparison.compare import listed
from penalized_bandits.engine.unit_rewards import check_rewards
from penalized_bandits.policies import PAPER_POLICY, POLICIES, Policy, get_policy
from penalized_bandits.policies.reads import check_ceilings
from penalized_bandits.theory import limits
from penalized_bandits.theory.exploration import Exploration, exploration_of
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import check_single, free_share, one_horizon
from penalized_bandits.theory.lower_bound import lower_constant

if TYPE_CHECKING:
    from pandas import DataFrame


def rule_of(policy: Policy, instance: Instance) -> Exploration:
    """Return the exploration of a policy; BanditError if none is known, or none for this law."""
    law, noise = instance.rewards, instance.rewards.noise
    rule = POLICIES.get(policy.id)
    if rule is None or rule.card.bound is None or rule != policy:
        predicted = ", ".join(p.id for p in POLICIES.values() if p.card.bound)
        raise BanditError(f"no prediction is known for policy {policy.id}, but for {predicted}")
    knows_noise = callable(rule.exploration) or "variance" in rule.card.bound
    if knows_noise and not 0 < noise < float("inf"):
        raise BanditError(f"{policy.id} is predicted for noise above 0 and finite, not {noise:g}")
    variances = law.variances(instance.means)
    plain = rule.ignores_penalties
    exploration = exploration_of(policy.id, noise, variances, law=law, classical=plain)
    if exploration is None:
        raise BanditError(f"{policy.id} is predicted for finite supports in [0, 1], not {law.id}")
    return exploration


def predict(
    instance: Instance,
    horizon: float,
    policies: str | Policy | Iterable[str | Policy] = PAPER_POLICY,
) -> "DataFrame":
    """Predict pulls and regret of policies, and limits: theirs, and the least of any policy.

    Parameters
    ----------
    instance
        One bandit with K arms.
    horizon
        Number of rounds T, at least K and 2.
    policies
        Policies of the package, or their ids.

    Returns
    -------
    DataFrame
        A row is a ``quantity`` of a ``policy`` (missing: of any policy), of the whole run
        (``arm`` is missing) or of an arm, from 1: its ``value``, ``unit`` and ``source``, the
        equation, theorem or method.  The lower bound of R(T)/log T as T grows is left out for
        reward laws without one, and the soft threshold's limit where the fractions sum to 1.

    Raises
    ------
    BanditError
        If no prediction is known for a policy, the means do not suit it, they vary by replicate,
        the instance has ceilings and the policy knows floors alone, or the horizon is too short.
    MissingExtraError
        Without pandas.

    Warns
    -----
    ExplorationWarning
        If a policy explores too little for the reward law: more regret than predicted.

    Examples
    --------
    >>> from penalized_bandits import Bernoulli, Instance
    >>> bandit = Instance([0.9, 0.5], fairness=0.2, penalties=0.3, rewards=Bernoulli())
    >>> table = predict(bandit, 1000)
    >>> table[table.quantity == "pulls"].value.round().tolist()
    [800.0, 200.0]
    """
    check_instance(instance)
    check_single(instance)
    rounds = one_horizon(horizon, instance.n_arms)
    paper = free_share(instance.fairness) > 0 and not instance.charges_excess
    formula = "(D′)" if instance.charges_excess else "eq. (10)"
    rows: list[dict[str, Any]] = []

    def add(quantity: str, value: Any, unit: str, source: str, **of: Any) -> None:
        about = {"quantity": quantity, "policy": None, "arm": None} | of
        rows.append(about | {"value": float(value), "unit": unit, "source": source})

    for policy in map(get_policy, listed("policies", policies)):
        rule, bound = rule_of(policy, instance), policy.card.bound or ""
        check_ceilings(policy, instance)
        soft = bound == "soft_radius"
        if rule.below_one and not ((instance.means >= 0) & (instance.means < 1)).all():
            raise BanditError(f"means: {policy.id} is predicted for means from 0 to below 1")
        check_rewards(policy, instance.means, instance.rewards)
        known, costs = map(policy.penalties_known, (instance.penalties, instance.excess_penalties))
        seen = replace(instance, penalties=known, excess_penalties=costs)
        noise = instance.rewards.noise
        little = bound.endswith("radius") and not limits.wide_enough(policy, noise)
        with suppress(BanditError):  # no divergence is known
            little = little or limits.explores_too_little(seen, rule)
        if little:
            warnings.warn(
                f"{policy.id} explores too little for {instance.rewards.id} rewards of noise "
                f"{noise:g}: it may give up the best arm in some runs, and have more regret on "
                "average than predicted",
                ExplorationWarning,
                stacklevel=2,
            )
        pulls = predicted_pulls(seen, rounds, rule=rule, soft=soft)
        fluid, of = "fluid prediction", {"policy": policy.id}
        if bound == "kl" and (policy.choose or policy.draws):  # IMED, Beta posteriors
            fluid += " of KL-UCB, whose limit it has; at finite T up to twice its regret"
        by_arm = {"pulls": pulls, "arm_unfairness": regret.shortfall(pulls, instance)}
        for name, values in by_arm.items():
            for k, value in enumerate(values, start=1):
                add(name, value, "pulls", fluid, arm=k, **of)
        whole = regret.penalized_regret(pulls, instance)
        add("penalized_regret", whole, "reward", f"{fluid}, {formula}", **of)
        add("expected_reward", regret.expected_reward(pulls, instance), "reward", fluid, **of)
        add("unfairness", regret.unfairness(pulls, instance), "pulls", fluid, **of)
        if not policy.ignores_penalties and (paper or not soft):
            linear = float(limits.linear_constant(instance)) if soft else 0.0
            proved = limits.proved_constant(policy.id, instance) is not None
            theorem = "Theorem 2′" if "empirical_kl" in bound else "Theorem A"
            theorem = theorem if paper else "Theorem V"
            source = theorem if proved else f"limit of the {fluid}"
            limit = linear or limits.log_constant(instance, rule)
            add(f"penalized_regret/{'T' if linear else 'log T'}", limit, "reward", source, **of)
    # Of a reward law without a divergence none is known; without noise there is none.
    with suppress(BanditError, FloatingPointError), np.errstate(divide="raise", invalid="raise"):
        source = "Theorem 3" if paper else "Theorem W"
        add("lower_bound/log T", lower_constant(instance), "reward", source)
    add("optimal_loss", regret.optimal_loss(instance, rounds), "reward", "eq. (9)")
    return extra("pandas", "pandas").DataFrame(rows).astype({"arm": "Int64"})
