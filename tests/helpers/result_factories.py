"""Results of claims with given parts, with their texts as in a run."""

from dataclasses import replace
from typing import Any

from penalized_replication.claims.deciding import decide
from penalized_replication.claims.ledger.tell import tell
from penalized_replication.claims.parts import Part
from penalized_replication.claims.results import ClaimResult

DECLARED = {"declared": "2026-11-21", "changed": "", "digest": "0123456789ab", "mended": False}


def result(identifier: str, *parts: Part, **fields: Any) -> ClaimResult:
    """Return the result of a claim with these parts; ``fields`` replace those of the ledger.

    Its note is empty, because the template needs facts of a measurement.
    """
    described = tell(
        replace(decide(ClaimResult(identifier, parts)), id="C23" if parts else identifier)
    )
    return replace(described, id=identifier, **DECLARED | {"note": "a note"} | fields)
