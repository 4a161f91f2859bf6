"""Sections 2 and 3: the prophet's loss; LFG and Flearn keep no fairness levels."""

from dataclasses import replace

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.regret import optimal_loss
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims.base import Evidence, Measured, claim, grouped
from penalized_replication.claims.horizon_series import HALF, SURE, all_served, deficits_of
from penalized_replication.claims.paper.figure_2 import all_paths
from penalized_replication.claims.parts import Fields, about, below, exact, frequency, unknown

INSTANCES = 200


def _least_loss(bandit: Instance, horizon: int) -> float:
    """Return the optimum of the linear program of eq. (9), in units of reward."""
    from scipy.optimize import linprog  # takes long to import

    n_arms = bandit.n_arms
    # Variables: pulls of each arm, then the pulls that each arm is short of.
    solution = linprog(
        np.r_[bandit.gaps, bandit.penalties],
        A_ub=-np.hstack([np.eye(n_arms), np.eye(n_arms)]),
        b_ub=-bandit.fairness * horizon,
        A_eq=np.r_[np.ones(n_arms), np.zeros(n_arms)][None],
        b_eq=[horizon],
    )
    return float(solution.fun)


@claim(
    "C01",
    where="section 2, eq. (9)",
    statement="L*(T) = T Σ min(Δ_k, A_k) τ_k is what the best allocation of T pulls loses.",
    rule="Holds if the formula and scipy's linear program differ by less than 1e-9 a round on "
    "every one of 200 random instances (K from 2 to 20); fails otherwise.",
    quantity="largest error of L*(T) / T",
    kind="identity",
    plain="for each arm the best plan serves the share or pays the penalty, whichever costs less",
)
def prophet_loss(_: Evidence) -> Measured:
    generator = np.random.default_rng(20250301)
    errors = []
    for _number in range(INSTANCES):
        n_arms = int(generator.integers(2, 21))
        means = generator.random(n_arms)
        fairness = generator.dirichlet(np.ones(n_arms + 1))[:-1]
        penalties = generator.random(n_arms) * 2
        horizon = int(generator.integers(100, 100_000))
        bandit = instance_of(means, fairness, penalties)
        error = float(optimal_loss(bandit, horizon)) - _least_loss(bandit, horizon)
        errors.append(abs(error) / horizon)
    yield below(exact(max(errors)), 1e-9, case="random", label=f"{INSTANCES} random instances")


@claim(
    "C33",
    where="section 3",
    statement="LFG does not guarantee asymptotic fairness when η₀ > 0, in the sense of "
    "Theorem 4.1: there is a bandit and an η₀ with which it is not fair.",
    rule="For the largest η₀ and each horizon: holds if the Wilson interval of the probability "
    f"that all arms have ⌊τ_k T⌋ pulls lies below {HALF:g}, fails if above.",
    quantity="probability that every arm has its ⌊τ_k T⌋ pulls",
    plain="LFG can end with arms short of their shares",
)
def lfg_is_not_fair(evidence: Evidence) -> Measured:
    section = evidence.section("lfg_fairness")
    largest, last = max(section.eta_0), section.horizons[-1]
    smaller = []
    for outcome in evidence.outcomes("lfg_fairness", policy="lfg"):
        fair = all_served(outcome)
        if outcome.tuning == largest:
            lacks = deficits_of(outcome).sum(axis=1)
            values = {"eta_0": largest, "lacks": float(lacks.mean())}
            yield frequency(fair, most=HALF, **about(outcome), values=values)
        elif outcome.horizon == last:
            smaller.append({"eta_0": outcome.tuning, "fair": float(fair.mean())})
    hard = evidence.outcomes("lfg_fairness", policy=PAPER_POLICY, horizon=last)
    share = float(np.mean([all_served(outcome).mean() for outcome in hard]))
    yield {"smaller": smaller, "hard": share, "last": last}


@claim(
    "C33R",
    where="not in the paper; Li, Liu and Ji 2019",
    statement="For every η₀ LFG keeps the fractions in the long run: lim inf N_k/T ≥ τ_k.",
    rule="For each η₀ at the largest horizon T: holds if the mean shortfall of all arms together, "
    "Σ (τ_k T − N_k)₊, is less than a pull an arm, or a round less than √(T′/T) times that at T′, "
    "the horizon before (t-intervals, paired by replicate); fails if it is more than both.",
    quantity="shortfall Σ (τ_k T − N_k)₊ in pulls; where it is more than a pull an arm, the "
    "shortfall a round less √(T′/T) times the one at T′, the horizon before",
    ours=True,
    plain="LFG keeps the shares in the long run: what an arm lacks is negligible",
)
def lfg_keeps_fractions(evidence: Evidence) -> Measured:
    runs = evidence.outcomes("lfg_fairness", policy="lfg")
    for own in grouped(runs, lambda run: (run.case, run.tuning)).values():
        last, *earlier = sorted(own, key=lambda run: run.horizon, reverse=True)
        fields: Fields = about(last) | {"quantity": f"shortfall at η₀ = {last.tuning:g}"}
        if not earlier:
            yield unknown("one horizon", **fields)
            continue
        before, n_arms = earlier[0], last.fairness.size
        lacks, lacked = (deficits_of(outcome).sum(axis=1) for outcome in (last, before))
        fields["values"] = {"lacks": float(lacks.mean()), "before": float(lacked.mean())}
        mean, share = mean_estimate(lacks), lacked / before.horizon
        if mean.high < n_arms:
            yield below(mean.interval, float(n_arms), **fields)
        else:
            growth = lacks / last.horizon - (before.horizon / last.horizon) ** 0.5 * share
            part = below(mean_estimate(growth).interval, 0.0, float(share.mean()), **fields)
            unclear = part.status == "fails" and mean.low <= n_arms
            yield replace(part, status="undecided") if unclear else part


@claim(
    "C50",
    where="section 3",
    statement="Flearn makes each arm be pulled at its level τ_k T if α = 0, and at no α of a pull "
    "or more; below a pull ⌊τ_k T⌋ hides what α leaves out.",
    rule="In each case of Setting 2, two parts. With α = 0: holds if the Wilson interval of the "
    f"probability that all arms have ⌊τ_k T⌋ pulls lies above {SURE:g}, fails if below. With "
    "α > 0: of all α on the grid of a pull or more, at the one where this probability is "
    "largest, and of several the one where least lacks: holds if the interval lies below "
    f"{HALF:g}, fails if above.",
    quantity="probability that every arm has its ⌊τ_k T⌋ pulls",
    plain="Flearn serves each share in full at tolerance 0, and at none of a pull or more",
)
def flearn_at_zero(evidence: Evidence) -> Measured:
    for paths in all_paths(evidence, "fair_learn"):
        fair = np.asarray(~paths.unfair.any(axis=2))
        for place in np.flatnonzero(paths.tuning == 0)[:1]:
            yield frequency(fair[place], least=SURE, **paths.about(quantity="probability at α = 0"))
        fields = paths.about(quantity="probability at α > 0")
        positive = np.flatnonzero(paths.tuning >= 1)
        if not positive.size:
            yield unknown("no α of a pull or more", **fields)
            continue
        chances, lacks = fair[positive].sum(axis=1), paths.short[positive].sum(axis=2).mean(axis=1)
        best = np.lexsort((lacks, -chances))[0]
        place = positive[best]
        # alpha is no field: it is chosen by the data, and a part keeps its key in other data.
        fields["values"] = {"alpha": float(paths.tuning[place]), "lacks": float(lacks[best])}
        yield frequency(fair[place], most=HALF, **fields)
