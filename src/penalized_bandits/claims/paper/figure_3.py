"""Figure 3: reward at equal unfairness on MovieLens, Setting 3."""

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
    "C28",
    where="Figure 3",
    statement="On MovieLens, for each m0, the hard threshold has a higher reward than Flearn and "
    "LFG as this paper restates it at every level of unfairness that both reach.",
    rule=RULE,
    quantity=QUANTITY,
    plain="on movie ratings it earns more than equally fair rivals",
)
def on_movielens(evidence: Evidence) -> Iterator[Part | EstimateSeries | dict[str, Any]]:
    """Compare rewards at equal unfairness in Setting 3."""
    return highest_reward(evidence, "setting_3")


@claim(
    "C28L",
    where="Figure 3; not in the paper",
    statement="On MovieLens, for each m0, the hard threshold has a higher reward than LFG as its "
    "authors published it at every level of unfairness that both reach.",
    rule=RULE,
    quantity=QUANTITY,
    ours=True,
)
def published_lfg(evidence: Evidence) -> Iterator[Part | EstimateSeries | dict[str, Any]]:
    """Compare rewards with those of the published LFG."""
    return highest_reward(evidence, "setting_3", PUBLISHED_LFG)
