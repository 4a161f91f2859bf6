"""Figure 5: reward at equal unfairness under three reward laws, Setting 5."""

from collections.abc import Iterator
from typing import Any

from penalized_bandits.claims.base import claim
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.tradeoff import (
    PUBLISHED_LFG,
    QUANTITY,
    RULE,
    highest_reward,
)
from penalized_bandits.claims.parts import EstimateSeries, Part


@claim(
    "C31",
    where="Figure 5",
    statement="For each number of arms, τ and reward law, the hard threshold has a higher reward "
    "than Flearn and LFG as this paper restates it at every level of unfairness that both reach.",
    rule=RULE,
    quantity=QUANTITY,
    plain="on simulated bandits it earns more than equally fair rivals",
)
def under_three_laws(evidence: Evidence) -> Iterator[Part | EstimateSeries | dict[str, Any]]:
    """Compare rewards at equal unfairness in Setting 5."""
    return highest_reward(evidence, "setting_5")


@claim(
    "C31L",
    where="Figure 5; not in the paper",
    statement="For each number of arms, τ and reward law, the hard threshold has a higher reward "
    "than LFG as its authors published it at every level of unfairness that both reach.",
    rule=RULE,
    quantity=QUANTITY,
    ours=True,
)
def published_lfg_under_three_laws(
    evidence: Evidence,
) -> Iterator[Part | EstimateSeries | dict[str, Any]]:
    """Compare rewards with those of the published LFG."""
    return highest_reward(evidence, "setting_5", PUBLISHED_LFG)
