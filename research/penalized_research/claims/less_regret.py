"""Claims that one policy has less regret, or more reward, than another, beyond a margin of 1 %."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

from scipy.stats import gmean

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import paired_difference
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import regret_of
from penalized_replication.claims.measures.comparison import curve_of
from penalized_replication.claims.parts import (
    LEVEL,
    Part,
    about,
    below,
    by_p_values,
    irrelevant,
    unknown,
)
from penalized_research import REGRET, TRADEOFF
from penalized_research.measures import comparison
from penalized_research.measures.comparison import UNIT_REWARDS, Regrets

LEAST = "hard_threshold_sigma"
"""The policy of least regret in the exploration, fixed by name since."""
LEAST_ALIKE = "kl_hard_threshold"
"""The policy of least regret with the same information as the paper's: without the noise."""
UNIT = "hard_threshold_unit"
"""The paper's policy with the radius that rewards in [0, 1] need: the saving of the constant."""
RIVALS = ("lfg", "fair_learn", "soft_threshold_ucb")
MARGIN = 0.01
"""Differences up to this share of the reference scale do not count: the other's regret, or the
range of reward on the frontier."""
SHOWN = f"{100 * MARGIN:g} %"
Pair = tuple[FloatArray, FloatArray, dict[str, Any]]
"""Two regrets of the same replicates, shape (R,) each, and the fields of their part."""
BY_CASE = "comparison_by_case.csv"

RULE = (
    f"holds if the mean regret said to be less is below {1 - MARGIN:g} times the other, fails if "
    f"above {1 + MARGIN:g} times (paired, Holm over all cases, and over the seeds of a "
    f"confirmation, p < 0.05); vacuous where the two are the same within {SHOWN} (both one-sided "
    "p < 0.05)"
)


def less_regret(pairs: Iterable[Pair], level: float = LEVEL) -> tuple[Part, ...]:
    """Decide by `RULE` for each pair if the first regret is less; all tests share the level."""
    parts, same = [], []
    for ours, theirs, fields in pairs:
        difference = paired_difference(ours, theirs).difference
        scale = abs(float(theirs.mean()))
        under, over = ((1 + sign * MARGIN) * theirs for sign in (-1, 1))
        lower, upper = paired_difference(ours, under), paired_difference(ours, over)
        numbers: dict[str, Any] = {"p_holds": lower.p_less, "p_fails": upper.p_greater}
        numbers["values"] = {"ours": float(ours.mean()), "theirs": float(theirs.mean())}
        parts.append(below(difference.interval, -MARGIN * scale, scale, **fields, **numbers))
        close = max(lower.p_greater, upper.p_less) < LEVEL
        equal = "the same in every replicate"
        same.append(equal if (ours == theirs).all() else f"the same within {SHOWN}" * close)
    pairs_of_both = zip(by_p_values(parts, level), same, strict=True)
    return tuple(irrelevant(part, reason) if reason else part for part, reason in pairs_of_both)


def all_regrets(evidence: Evidence, policy: str) -> dict[tuple[str, str], Regrets]:
    """Return a policy's regrets by experiment and case."""
    return {
        (name, case): comparison.regrets_of(evidence, name, case, policy)
        for name in REGRET
        for case in evidence.cases(name)
    }


less_than_papers = partial(
    claim,
    rule=f"In each case, at the largest horizon: {RULE}. The policy is fixed by name; it was "
    "chosen on data of the exploration.",
    quantity="penalized regret less that of the hard threshold, both as published",
    evidence=BY_CASE,
)


@less_than_papers(
    "E01",
    arguments={"policy": LEAST},
    statement=f"{LEAST}, the hard threshold with its bonus scaled to the noise, which it is "
    "told, "  # codespell:ignore told
    "has less penalized regret than the paper's hard threshold in every case, both as published.",
)
@less_than_papers(
    "E10",
    arguments={"policy": LEAST_ALIKE},
    statement=f"{LEAST_ALIKE}, "
    "told no more "  # codespell:ignore told
    "than the paper's hard threshold, has less penalized "
    "regret in every case, both as published.",
)
@claim(
    "E03",
    arguments={"policy": LEAST_ALIKE, "tuned": True},
    statement=f"{LEAST_ALIKE} has less penalized regret than the hard threshold also where both "
    "are tuned on the same budget.",
    rule="Each policy's tuning is the one with the least mean regret on half of the replicates, "
    "the published one included and no exploration at all the last, and is measured on the other "
    f"half, both ways round. In each case, at the largest horizon: {RULE}.",
    quantity="penalized regret less that of the hard threshold, each tuned",
    evidence=BY_CASE,
)
def less_than_paper(evidence: Evidence, policy: str, *, tuned: bool = False) -> Measured:
    """Compare a policy with the paper's hard threshold in each case."""
    ours, theirs = all_regrets(evidence, policy), all_regrets(evidence, PAPER_POLICY)
    played = all(UNIT in evidence.section(name).policies for name, _ in ours)
    between = all_regrets(evidence, UNIT) if played and policy == LEAST_ALIKE and not tuned else {}
    pairs: list[Pair] = []
    ratios: dict[str, list[float]] = {}
    of_constant: dict[str, list[float]] = {}
    for name, case in ours:
        one, other = (found[name, case] for found in (ours, theirs))
        label = f"{evidence.outcomes(name, case=case)[0].info.label} ({name})"
        fields = {"case": f"{name} {case}", "label": label, "policy": policy, "rival": PAPER_POLICY}
        regrets = (one.tuned, other.tuned) if tuned else (one.published, other.published)
        pairs.append((*regrets, fields))
        law = evidence.outcomes(name, case=case)[0].info.law
        bounded = "Gaussian rewards" if law == "gaussian" else UNIT_REWARDS
        ratios.setdefault(bounded, []).append(float(regrets[0].mean() / regrets[1].mean()))
        if between:
            share = between[name, case].published.mean() / regrets[1].mean()
            of_constant.setdefault(bounded, []).append(float(share))
    yield from less_regret(pairs, evidence.level)
    chosen = {"chosen": sorted({one.chosen for one in theirs.values()})} if tuned else {}
    constant = {"of_constant": _spans(of_constant)} if of_constant else {}
    yield {"ratios": _spans(ratios), **chosen, **constant}


def _spans(ratios: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """Return the least, the largest and the geometric mean of the ratios of each law."""
    return {law: [min(x), max(x), float(gmean(x))] for law, x in ratios.items()}


@claim(
    "E06",
    arguments={"experiment": "heterogeneous_penalties", "rivals": RIVALS, "last": True},
    statement="Also where penalty rates differ between arms the hard threshold has less penalized "
    "regret than LFG, Flearn and the soft threshold.",
    rule=f"In each case and against each rival, at the largest horizon: {RULE}.",
    quantity="penalized regret of the hard threshold less the rival's",
)
@claim(
    "E09",
    arguments={"experiment": "many_arms", "rivals": ["ucb1"]},
    statement="With hundreds of movies for arms the hard threshold has less penalized regret than "
    "UCB1.",
    rule=f"In each case and at each horizon: {RULE}.",
    quantity="penalized regret of the hard threshold less that of UCB1",
)
def less_than_rivals(
    evidence: Evidence, experiment: str, rivals: Sequence[str], *, last: bool = False
) -> Measured:
    """Compare the hard threshold with rivals in each case, at each horizon or the last."""
    horizons, pairs = evidence.section(experiment).horizons, []
    horizons = [max(horizons)] if last else horizons
    for case, rival, t in product(evidence.cases(experiment), rivals, horizons):
        policies = PAPER_POLICY, rival
        ours, theirs = (evidence.outcome(experiment, case, policy, t) for policy in policies)
        pairs.append((regret_of(ours), regret_of(theirs), about(ours) | {"rival": rival}))
    yield from less_regret(pairs, evidence.level)


@claim(
    "E05",
    statement="At equal unfairness no policy has more reward than the hard threshold, by more than "
    f"{SHOWN} of the range of reward on the frontier.",
    rule="For each panel and policy, the mean over nine levels of unfairness that both reach (its "
    "own unfairness, for a policy without a trade-off): holds if its reward is larger by less than "
    f"{SHOWN} of the frontier's range, fails if larger by more (errors from a bootstrap of "
    "replicates, Student's t, Holm over all, and over the seeds of a confirmation, p < 0.05). "
    "Vacuous where they reach no unfairness in common, or are the same there.",
    quantity="reward less that of the hard threshold at equal unfairness, as a share of the "
    "frontier's range",
    evidence=BY_CASE,
)
def no_more_reward(evidence: Evidence) -> Measured:
    parts: list[Part] = []
    vacuous: list[Part] = []
    for name, case in ((x, case) for x in TRADEOFF for case in evidence.cases(x)):
        ours = curve_of(evidence, name, case, PAPER_POLICY)
        outcome = evidence.outcomes(name, case=case)[0]
        for policy in evidence.section(name).policies:
            if policy == PAPER_POLICY:
                continue
            fields = {"case": f"{name} {case}", "label": outcome.info.label, "policy": policy}
            distances = comparison.distance(ours, curve_of(evidence, name, case, policy), outcome)
            if distances is None:
                reason = "no unfairness in common"
                vacuous.append(irrelevant(unknown(reason, **fields), reason))
                continue
            behind = distances[1]
            # Reward of the policy less that of the hard threshold.
            less = behind.estimate
            part = below((-less.value, -less.high, -less.low), MARGIN, 1.0, **fields)
            if behind.same:
                vacuous.append(irrelevant(part, "the same there as the hard threshold"))
            else:
                p_holds, p_fails = behind.p_values(-MARGIN)
                parts.append(replace(part, p_holds=p_holds, p_fails=p_fails))
    yield from by_p_values(parts, evidence.level)
    yield from vacuous
