"""Claims measured, decided and described on factories' replicates; samples of a given mean."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.ledger.render import tell
from penalized_replication.claims.parts import Part
from penalized_replication.claims.results import ClaimResult, decide, measure, read_results, to_json

Near = tuple[Any, str]
"""Arguments of a factory, a tuple of several or one alone, and the statuses that follow."""
SURE: tuple[Near, ...] = ((60, "h"), (57, "u"), (51, "u"), (49, "f"))
"""Successes of 60 for a probability that is to be above 0.9, by Wilson's interval."""
HALF: tuple[Near, ...] = ((22, "h"), (23, "u"), (37, "u"), (38, "f"))
"""Successes of 60 for a probability that is to be below one half."""
MAJORITY: tuple[Near, ...] = ((38, "h"), (37, "u"), (23, "u"), (22, "f"))
"""Successes of 60 for a probability that is to be above one half."""
RARE: tuple[Near, ...] = ((10, "h"), (18, "u"), (22, "u"), (32, "f"))
"""Successes of 400 for a probability that is to be below 0.05."""
RATIO: tuple[Near, ...] = (
    *(((0.99, 0.01), "h"), ((0.998, 0.02), "u"), ((1.002, 0.02), "u"), ((1.01, 0.01), "f")),
)
"""Ratio to a bound and spread: an interval is about a third of the spread."""


@dataclass(frozen=True)
class Case:
    """Replicates, and the statuses that the rule of a claim gives to its parts."""

    claim: str
    evidence: Callable[[], Evidence]
    statuses: str
    """First letters of the statuses, in the order of the parts."""
    reason: str = ""
    """Reason of the first of the parts."""
    parts: dict[str, Any] = field(default_factory=dict)
    """Fields of the parts that are looked at; by default all parts are."""


def near(
    claims: str, evidence: Callable[..., Evidence], *cases: Near, reason: str = "", **parts: Any
) -> Iterator[Case]:
    """Yield the cases of some claims near a limit, from the arguments of a factory of evidence."""
    for claim in claims.split():
        for x, statuses in cases:
            made = partial(evidence, *(x if isinstance(x, tuple) else (x,)))
            yield Case(claim, made, statuses, reason, parts)


def result_of(identifier: str, evidence: Evidence) -> ClaimResult:
    """Return the result of a claim, measured, written, read, decided and described as in a run."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "measured.json"
        path.write_text(to_json([measure(identifier, evidence)]), encoding="utf-8")
        (read,) = read_results(path)
    return tell(decide(read))


def check(case: Case) -> None:
    every = result_of(case.claim, case.evidence()).parts
    parts = [p for p in every if all(getattr(p, n) == v for n, v in case.parts.items())]
    described = [(part.name, part.estimate, part.low, part.high, part.status) for part in parts]
    assert "".join(part.status[0] for part in parts) == case.statuses, described
    assert not parts or parts[0].reason == case.reason


def table(*cases: Case) -> pytest.MarkDecorator:
    names = ("-".join([c.claim, *map(str, c.parts.values()), c.statuses]) for c in cases)
    params = [pytest.param(case, id=name) for case, name in zip(cases, names, strict=True)]
    return pytest.mark.parametrize("case", params)


def alternating(mean: float, spread: float, n: int) -> FloatArray:
    """Return n values, an even number, half of them above the mean and half below."""
    return np.where(np.arange(n) % 2 == 0, mean + spread, mean - spread)


def first(k: int, n: int) -> BoolArray:
    return np.arange(n) < k


DECLARED = {"declared": "2026-11-21", "changed": "", "digest": "0123456789ab", "mended": False}


def result(identifier: str, *parts: Part, **fields: Any) -> ClaimResult:
    """Return the result of a claim with these parts; ``fields`` replace those of the ledger.

    Its note is empty, because the template needs facts of a measurement.
    """
    decided = decide(ClaimResult(identifier, parts))
    described = tell(replace(decided, id="C23" if parts else identifier))
    return replace(described, id=identifier, **DECLARED | {"note": "a note"} | fields)
