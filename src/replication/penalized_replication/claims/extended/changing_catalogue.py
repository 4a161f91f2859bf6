"""Claims on the cost of rewards in batches and of arms that sleep."""

import math
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from penalized_bandits.bandit.regret import loss
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import paired_difference
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.horizon_series import bandit_at, regret_of
from penalized_replication.claims.parts import Part, about, above, below
from penalized_replication.experiments.extended import changing_catalogue as study
from penalized_replication.storage.replicates import Outcome

NAME = "changing_catalogue"
SHARE = 0.02
"""Reward a round that sleeping may cost."""
SAMPLERS = {
    "thompson_hard_threshold": "hard_threshold_ucb",
    "thompson_beta_hard_threshold": "kl_hard_threshold",
    "thompson_beta": "kl_ucb",
}
"""Policies that draw their indices, and those of the same kind that compute them."""
TESTS = "intervals are paired and Bonferroni-corrected over all parts"


Cost = tuple[FloatArray, FloatArray, Outcome]
"""Regret with a change and without, (R,) each of the same replicates; the changed run's outcome."""


def _in_batches(evidence: Evidence, batch: int) -> Iterator[Cost]:
    section = evidence.section(NAME)
    for name, policy in product(section.cases, section.policies):
        cases = study.batch_case(name, batch), name
        changed, usual = (evidence.outcome(NAME, c, policy, section.horizons[-1]) for c in cases)
        yield regret_of(changed), regret_of(usual), changed


def _sleeping_regrets(
    evidence: Evidence, name: str, accrual: str, horizon: int
) -> dict[str, tuple[FloatArray, Outcome]]:
    """Return loss (R,) less that of the best rule that knows means and availability, by policy."""
    from penalized_replication.claims.measures.sleeping import least_loss

    outcomes = evidence.outcomes(NAME, case=study.sleeping_case(name, accrual), horizon=horizon)
    there = study.availability(evidence.section(NAME), evidence.seed(NAME), name)[:horizon]
    sets = np.unique(there, axis=0, return_counts=True)
    least = least_loss(bandit_at(outcomes[0]), *sets)
    return {run.policy: (loss(run.pulls, run.bandits) - least, run) for run in outcomes}


def _limited(evidence: Evidence, costs: Sequence[tuple[Cost, float]]) -> Iterator[Part]:
    """Yield a part for each cost, which is to lie below its limit."""
    for (changed, usual, outcome), limit in costs:
        level = evidence.confidence(len(costs))
        difference = paired_difference(changed, usual, level).difference
        means = {"ours": float(changed.mean()), "theirs": float(usual.mean())}
        yield below(difference.interval, limit, limit, **about(outcome), values=means)


@claim(
    "E11",
    statement="Rewards that come in batches of b rounds cost no policy more penalized regret than "
    "one batch of pulls of each arm would, (b - 1) Σ Δ_k.",
    rule="For each bandit, batch and policy, at the largest horizon: holds if the interval of "
    "regret in batches less regret without is below (b - 1) Σ Δ_k, fails if above; "
    f"{TESTS}.",
    quantity="penalized regret in batches less without",
)
def batches_cost_a_batch_an_arm(evidence: Evidence) -> Iterator[Part]:
    costs = [
        (cost, (batch - 1) * float(cost[-1].bandits.gaps[0].sum()))
        for batch in evidence.section(NAME).batches
        for cost in _in_batches(evidence, batch)
    ]
    yield from _limited(evidence, costs)


@claim(
    "E12",
    statement="Long batches cost a policy that samples its indices less penalized regret than the "
    "policy of its kind that computes them.",
    rule="For each bandit and pair of policies, with the largest batch at the largest horizon: "
    "holds if the interval of the cost to the sampler less that to the other is below 0, fails if "
    f"above; {TESTS}.",
    quantity="cost of batches to a sampler less to the policy without samples",
)
def samplers_lose_less_in_batches(evidence: Evidence) -> Iterator[Part]:
    batch = max(evidence.section(NAME).batches)
    costs = {(cost[-1].case, cost[-1].policy): cost for cost in _in_batches(evidence, batch)}
    pairs = [
        (*costs[case, policy], *costs[case, rival])
        for case, policy in costs
        if (rival := SAMPLERS.get(policy)) and (case, rival) in costs
    ]
    for changed, usual, run, their_changed, their_usual, theirs in pairs:
        level, scale = evidence.confidence(len(pairs)), float(their_usual.mean())
        costs_of_both = changed - usual, their_changed - their_usual
        difference = paired_difference(*costs_of_both, level).difference
        yield below(difference.interval, 0.0, scale, **about(run), rival=theirs.policy)


@claim(
    "E13",
    statement="Arms that sleep cost no policy more than 0.02 of reward a round, beyond what they "
    "cost the best rule that knows means and availability.",
    rule="For each bandit, accrual of floors and policy, at the largest horizon: penalized regret "
    "against the best rule for the same availability, less regret with all arms there. Holds if "
    f"the interval of the difference is below {SHARE:g} T, fails if above; {TESTS}.",
    quantity="penalized regret with arms asleep less without",
)
def sleeping_costs_little(evidence: Evidence) -> Iterator[Part]:
    section, costs = evidence.section(NAME), []
    last = section.horizons[-1]
    for name, accrual in product(section.cases, study.FLOORS_GROW):
        for policy, (regret, outcome) in _sleeping_regrets(evidence, name, accrual, last).items():
            usual = regret_of(evidence.outcome(NAME, name, policy, last))
            costs.append(((regret, usual, outcome), SHARE * last))
    yield from _limited(evidence, costs)


@claim(
    "E14",
    statement="While arms sleep and floors always grow, regret against the best rule that knows "
    "means and availability grows faster than √T also for the policies whose regret is least.",
    rule="For each bandit and each of two policies fixed by name: holds if the interval of regret "
    "at the largest horizon less √(T/T₁) times that at the first, T₁, is above 0, fails if below; "
    f"{TESTS}.",
    quantity="regret at T less √(T/T₁) times regret at T₁",
)
def sleeping_regret_is_not_logarithmic(evidence: Evidence) -> Iterator[Part]:
    section = evidence.section(NAME)
    first, last = section.horizons[0], section.horizons[-1]
    least = "kl_hard_threshold", "thompson_beta_hard_threshold"
    policies = [policy for policy in least if policy in section.policies]
    for name in section.cases if first < last and policies else ():
        before, after = (_sleeping_regrets(evidence, name, "always", t) for t in (first, last))
        for policy in policies:
            early, (late, run) = before[policy][0], after[policy]
            grown = math.sqrt(last / first) * early
            level = evidence.confidence(len(policies) * len(section.cases))
            difference = paired_difference(late, grown, level).difference
            means = {"ours": float(late.mean()), "theirs": float(early.mean())}
            yield above(difference.interval, 0.0, means["ours"], **about(run), values=means)
