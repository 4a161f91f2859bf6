"""Factories of outcomes and evidence, so that what is true of them is known."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from config_helpers import PAPER
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims.base import Evidence
from penalized_replication.experiments.base import part_of
from penalized_replication.storage.cases import CaseInfo
from penalized_replication.storage.replicates import Outcome

N = 40
"""Replicates."""


def info_of(identifier: str, fairness: Sequence[float] | FloatArray, **fields: Any) -> CaseInfo:
    """Return the fields of a case; ``<instance>_T<horizon>`` is an instance at a horizon."""
    instance, _, horizon = identifier.rpartition("_T")
    known = {
        "instance": instance or identifier,
        "horizon": int(horizon) if instance else None,
        "label": instance or identifier,
        "n_arms": len(fairness),
        "total_fairness": float(np.sum(fairness)),
        "law": "gaussian",
        "parameters": {"sd": 1.0},
    }
    return CaseInfo(id=identifier, **known | fields)


class Runs(Evidence):
    def __init__(
        self, outcomes: Mapping[str, Sequence[Outcome]], sections: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(sections or {}, {name: ["none"] for name in outcomes})
        self.made = self._outcomes
        for name, found in outcomes.items():
            self.made[name] = list(found)
            policies = list(dict.fromkeys(run.policy for run in found))
            self._sections.setdefault(name, SimpleNamespace(policies=policies))


def study(name: str, runs: Sequence[Outcome], **changes: Any) -> Runs:
    """Return evidence from an experiment's outcomes; its section is the paper's with changes."""
    return Runs({name: runs}, {name: PAPER[name] | changes})


BY_REPLICATE = ("pulls", "max_deficit", "means", "penalties")


def part(whole: Outcome, number: int, parts: int) -> Outcome:
    first, count = part_of(len(whole.pulls), number, parts)
    by_replicate = {name: getattr(whole, name) for name in BY_REPLICATE}
    rows = {n: v if v is None else v[first : first + count] for n, v in by_replicate.items()}
    return replace(whole, first_replicate=first, **rows)


def outcome(
    others: FloatArray,
    horizon: int,
    means: Sequence[float] | FloatArray,
    fairness: Sequence[float] | FloatArray,
    penalties: float | Sequence[float] | FloatArray | None,
    *,
    case: str | CaseInfo = "case_1",
    policy: str = PAPER_POLICY,
    scale: float | None = None,
    tuning: float | None = None,
    max_deficit: FloatArray | None = None,
) -> Outcome:
    """Make an outcome from the pulls of all arms but the first, which has what is left."""
    counts = np.rint(others).astype(np.int64)
    pulls = np.column_stack([horizon - counts.sum(axis=1), counts])
    assert (pulls >= 0).all()
    rates = None if penalties is None else np.broadcast_to(penalties, pulls.shape)
    return Outcome(
        info=info_of(case, fairness) if isinstance(case, str) else case,
        policy=policy,
        scale=scale,
        tuning=tuning,
        horizon=horizon,
        first_replicate=0,
        pulls=pulls.astype(np.int32),
        max_deficit=np.zeros(pulls.shape) if max_deficit is None else max_deficit,
        means=np.broadcast_to(means, pulls.shape).astype(np.float64),
        fairness=np.asarray(fairness, dtype=np.float64),
        penalties=None if rates is None else rates.astype(np.float64),
    )
