"""The variability of pulls, as the article's related work has it: floors beside a wider radius."""

import re
from dataclasses import replace
from pathlib import Path

from penalized_bandits import POLICIES, Bernoulli, Instance, Policy, simulate
from penalized_bandits.common.typing import PullArray

RELATED = Path(__file__).parents[1] / "article/related.typ"
HORIZON, GAPS = 10_000, (0.02, 0.04, 0.08, 0.16, 0.32)


def pulls(policy: Policy, gap: float = 0.0, floor: float = 0.0) -> PullArray:
    bandit = Instance([0.5 + gap / 2, 0.5 - gap / 2], floor, 0.5, Bernoulli())
    tuning = 0.0 if policy.tuning else None
    return simulate(policy, bandit, HORIZON, replicates=400, seed=1, tuning=tuning).at(HORIZON)


def share_sd(policy: Policy, floor: float = 0.0) -> str:
    return f"{pulls(policy, floor=floor)[:, 0].std(ddof=1) / HORIZON:.3f}"


def test_the_article_says_what_is_simulated() -> None:
    text = " ".join(RELATED.read_text(encoding="utf-8").split())
    (said,) = re.findall(r"The variability of pulls.*?no remedy", text)
    wider = [replace(POLICIES["ucb1"], id=f"ucb_{c:.0f}", exploration=c) for c in (2.0, 8.0, 32.0)]
    worst = [max(gap * pulls(rule, gap)[:, 1].mean() for gap in GAPS) for rule in wider]
    stable = [share_sd(rule) for rule in wider]
    floors = {POLICIES[rule] for rule in ("hard_threshold_ucb", "fair_learn")}
    kept = [{share_sd(rule, floor) for rule in floors} for floor in (0.1, 0.25, 0.4)]
    assert kept == [{stable[0]}, {stable[0]}, {"0.065"}]
    assert f"is {stable[0]} with UCB1" in said
    assert f"as wide makes it {stable[1]}, four times {stable[2]}" in said
    assert f"from 0.02 to 0.32 is {worst[0]:.0f}, {worst[1]:.0f} and {worst[2]:.0f}" in said
    assert f"leave {stable[0]}, of 0.4 make it 0.065" in said
