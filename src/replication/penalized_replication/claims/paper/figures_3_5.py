"""Figures 3 and 5: reward at equal unfairness, on MovieLens and under three reward laws."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from penalized_bandits.bandit.frontier import oracle_frontier
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, place_of
from penalized_replication.claims.measures import comparison as tradeoff
from penalized_replication.claims.rules import MoreAtEveryLevel

RIVALS = ("fair_learn", "lfg")
"""Those that the paper compares; its LFG has a wider radius than the published one."""
PUBLISHED_LFG = ("lfg_original",)
"""LFG as its authors published it."""
MORE_REWARD = MoreAtEveryLevel(
    of="total expected reward of the hard threshold less the rival's at equal unfairness, at the "
    "level where it is least (reward)",
    over="For each panel and rival, at nine levels of unfairness (10 %, ..., 90 % of the range "
    "that both policies reach; undecided without one), each policy's mean reward interpolated "
    "along its curve, errors from a bootstrap of replicates, the same ones for both",
    scale="the oracle frontier's range of reward",
)


@claim("C28", MORE_REWARD, setting="setting_3")
@claim("C28L", MORE_REWARD, setting="setting_3", rivals=PUBLISHED_LFG)
@claim("C31", MORE_REWARD, setting="setting_5")
@claim("C31L", MORE_REWARD, setting="setting_5", rivals=PUBLISHED_LFG)
def highest_reward(evidence: Evidence, setting: str, rivals: Sequence[str] = RIVALS) -> Measured:
    distances: dict[str, list[float]] = {}
    gains: list[dict[str, Any]] = []
    same_sign: list[bool] = []
    for case in evidence.cases(setting):
        curves = {p: tradeoff.curve_of(evidence, setting, case, p) for p in (PAPER_POLICY, *rivals)}
        outcome = evidence.outcomes(setting, case=case, policy=PAPER_POLICY)[0]
        frontier = oracle_frontier(outcome.bandits, outcome.horizon)
        span = float(frontier.reward[-1] - frontier.reward[0])
        levels = tradeoff.common_levels(list(curves.values()))
        if levels is not None and span > 0:
            best = frontier.reward_at(levels)
            for name, curve in curves.items():
                below = float((best - curve.at(levels)).mean()) / span
                distances.setdefault(name, []).append(below)
        for rival in rivals:
            place = place_of(outcome, rival=rival, horizon=False)
            pair = curves[PAPER_POLICY], curves[rival]
            levels = tradeoff.common_levels([*pair])
            if levels is None:
                yield Measurement(None, place).undecided("no range of unfairness in common")
                continue
            found = tradeoff.curve_difference(*pair, levels)
            difference = found.interval[0]
            values: dict[str, Any] = {
                "share": [float(difference.min() / span), float(difference.max() / span)],
                "level": float(levels[found.worst]),
                "levels": [float(levels[0]), float(levels[-1])],
                "mean": float(difference.mean()),
            }
            yield Measurement(found, place, scale=span, values=values)
            # The differences along the levels, as shares of the frontier's range.
            each = zip(("estimate", "low", "high"), (found.interval / span).tolist(), strict=True)
            gains.append({"case": case, "rival": rival, "levels": levels.tolist(), **dict(each)})
            # Whether the least difference keeps its sign without every second tuning.
            few = [tradeoff.Curve(c.unfairness[:, ::2], c.reward[:, ::2]) for c in pair]
            if (levels := tradeoff.common_levels(few)) is not None:
                least = (few[0].at(levels) - few[1].at(levels)).min()
                same_sign.append(bool(np.sign(least) == np.sign(difference.min())))
    yield {
        "gains": gains,
        "same_sign": [sum(same_sign), len(same_sign)],
        "distances": {policy: [min(values), max(values)] for policy, values in distances.items()},
        "panels": len(distances.get(PAPER_POLICY, ())),
    }
