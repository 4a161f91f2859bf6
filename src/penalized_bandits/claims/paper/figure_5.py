"""Figure 5: reward at equal unfairness under three reward laws, Setting 5."""

from collections.abc import Iterator
from typing import Any

from penalized_bandits.claims.base import claim
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.tradeoff import QUANTITY, RULE, highest_reward
from penalized_bandits.claims.parts import EstimateSeries, Part


@claim(
    "C31",
    where="Figure 5",
    statement="For each number of arms, τ and reward law, the hard threshold has a higher reward "
    "than Flearn and LFG (as in this paper, and as its authors published it) at every level of "
    "unfairness that both reach.",
    rule=RULE,
    quantity=QUANTITY,
    plain="on simulated bandits it earns more than equally fair rivals",
)
def under_three_laws(evidence: Evidence) -> Iterator[Part | EstimateSeries | dict[str, Any]]:
    """Compare rewards at equal unfairness in Setting 5."""
    return highest_reward(evidence, "setting_5")
