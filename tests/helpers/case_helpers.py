"""Fields of cases whose ids tests make up."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from penalized_bandits.common.typing import FloatArray
from penalized_replication.storage.cases import CaseInfo


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
