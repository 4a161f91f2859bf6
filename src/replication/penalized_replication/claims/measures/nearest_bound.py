"""Regret beside a bound: of each group of bandits the one that speaks most against it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_replication.claims.evidence import Evidence, grouped
from penalized_replication.claims.parts import Part, about, against, below
from penalized_replication.storage.replicates import Outcome


def nearest_to_bound(
    evidence: Evidence,
    runs: Sequence[Outcome],
    key: Callable[[Outcome], Any],
    ratio: Callable[[Outcome], FloatArray],
) -> Iterator[Part]:
    """Yield a part for each group of runs by a key: the mean of regret over its bound, below 1.

    ``ratio`` returns that of each replicate, shape (R,).  Intervals hold for all runs at once
    (Bonferroni).
    """
    for group in grouped(runs, key).values():
        parts = []
        for one in group:
            mean = mean_estimate(ratio(one), evidence.confidence(len(runs)))
            parts.append(below(mean.interval, 1.0, **about(one)))
        yield max(parts, key=lambda part: (against(part), part.high))
