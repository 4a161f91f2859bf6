"""Claims that one policy has less regret, or more reward, than another, beyond a margin of 1 %."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from scipy.stats import gmean

from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, Place, place_of
from penalized_replication.claims.horizon_series import regret_of
from penalized_replication.claims.measures.comparison import curve_of
from penalized_research import REGRET, TRADEOFF
from penalized_research.measures import comparison
from penalized_research.measures.comparison import UNIT_REWARDS, Regrets
from penalized_research.rules import ClearlyLess, NoMoreReward

LEAST = "hard_threshold_sigma"
"""The policy of least regret in the exploration, fixed by name since."""
LEAST_ALIKE = "kl_hard_threshold"
"""The policy of least regret with the same information as the paper's: without the noise."""
UNIT = "hard_threshold_unit"
"""The paper's policy with the radius that rewards in [0, 1] need: the saving of the constant."""
RIVALS = ("lfg", "fair_learn", "soft_threshold_ucb")
LESS_THAN_PAPERS = ClearlyLess(
    of="penalized regret less that of the hard threshold (both as published)",
    over="In each case at the largest horizon, for a policy chosen in the exploration, fixed since",
)
LESS_IF_TUNED = ClearlyLess(
    of="penalized regret less that of the hard threshold (each tuned)",
    over="In each case at the largest horizon, each with the tuning (the published one and none "
    "included) of least mean regret on half of the replicates, on the other half, both ways round",
)


def all_regrets(evidence: Evidence, policy: str) -> dict[tuple[str, str], Regrets]:
    """Return a policy's regrets by experiment and case."""
    return {
        (name, case): comparison.regrets_of(evidence, name, case, policy)
        for name in REGRET
        for case in evidence.cases(name)
    }


@claim("E01", LESS_THAN_PAPERS, policy=LEAST)
@claim("E10", LESS_THAN_PAPERS, policy=LEAST_ALIKE)
@claim("E03", LESS_IF_TUNED, policy=LEAST_ALIKE, tuned=True)
def less_than_paper(evidence: Evidence, policy: str, *, tuned: bool = False) -> Measured:
    """Yield a policy's regret and that of the paper's hard threshold in each case."""
    ours, theirs = all_regrets(evidence, policy), all_regrets(evidence, PAPER_POLICY)
    played = all(UNIT in evidence.section(name).policies for name, _ in ours)
    between = all_regrets(evidence, UNIT) if played and policy == LEAST_ALIKE and not tuned else {}
    laws: dict[tuple[str, str], str] = {}
    ratios: dict[tuple[str, str], float] = {}
    for name, case in ours:
        key, info = (name, case), evidence.outcomes(name, case=case)[0].info
        first, second = (x.tuned if tuned else x.published for x in (ours[key], theirs[key]))
        label = f"{info.label} ({name})"
        place = Place(case=f"{name} {case}", label=label, policy=policy, rival=PAPER_POLICY)
        yield Measurement((first, second), place)
        laws[key] = "Gaussian rewards" if info.law == "gaussian" else UNIT_REWARDS
        ratios[key] = float(first.mean() / second.mean())
    yield {"ratios": _spans(ratios, laws)}
    if tuned:
        yield {"chosen": sorted({regrets.chosen for regrets in theirs.values()})}
    shares = {k: float(x.published.mean() / theirs[k].published.mean()) for k, x in between.items()}
    if shares:
        yield {"of_constant": _spans(shares, laws)}


def _spans(ratios: Mapping[Any, float], laws: Mapping[Any, str]) -> dict[str, list[float]]:
    """Return the least, the largest and the geometric mean of the ratios of each law."""
    of_law = {law: [x for k, x in ratios.items() if laws[k] == law] for law in laws.values()}
    return {law: [min(x), max(x), float(gmean(x))] for law, x in of_law.items()}


@claim(
    "E06",
    ClearlyLess(of="hard threshold's regret less the rival's", over="Each case and rival, last T"),
    experiment="heterogeneous_penalties",
    rivals=RIVALS,
    last=True,
)
@claim(
    "E09",
    ClearlyLess(of="hard threshold's regret less that of UCB1", over="Each case and horizon"),
    experiment="many_arms",
    rivals=["ucb1"],
)
def less_than_rivals(
    evidence: Evidence, experiment: str, rivals: Sequence[str], *, last: bool = False
) -> Measured:
    """Yield the hard threshold's regret and rivals' in each case, at each horizon or the last."""
    horizons = sorted(evidence.section(experiment).horizons)[-1 if last else 0 :]
    for case, rival, t in product(evidence.cases(experiment), rivals, horizons):
        both = [evidence.outcome(experiment, case, policy, t) for policy in (PAPER_POLICY, rival)]
        yield Measurement((*map(regret_of, both),), place_of(both[0], rival=rival))


@claim(
    "E05",
    NoMoreReward(
        of="reward less that of the hard threshold at equal unfairness, over the frontier's range",
        over="For each panel and policy, mean over nine levels of unfairness that both reach (its "
        "own, for a policy without a trade-off)",
    ),
)
def no_more_reward(evidence: Evidence) -> Measured:
    """Yield how far each policy is behind the hard threshold in each panel."""
    for name, case in ((x, case) for x in TRADEOFF for case in evidence.cases(x)):
        ours = curve_of(evidence, name, case, PAPER_POLICY)
        outcome = evidence.outcomes(name, case=case)[0]
        for policy in (p for p in evidence.section(name).policies if p != PAPER_POLICY):
            place = Place(case=f"{name} {case}", label=outcome.info.label, policy=policy)
            distances = comparison.distance(ours, curve_of(evidence, name, case, policy), outcome)
            if distances:
                yield Measurement(distances[1], place)
            else:
                reason = "no unfairness in common"
                yield Measurement(None, place).silent(reason)
