"""Claims: a statement, the rule that decides it, and a function that measures it.

The parts and the kind of the claim alone decide the verdict (:func:`verdict_of`): a theorem falls
with one counterexample, a pattern does not.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from penalized_replication.claims.parts import Part

Verdict = Literal[
    "reproduced", "consistent", "partly", "not reproduced", "undecided", "identity", "not measured"
]
Kind = Literal["pattern", "theorem", "bound", "identity"]
Measured = Iterator[Part | dict[str, Any]]
"""Parts, and facts: numbers for the claim's note and for figures."""
Measure = Callable[..., Measured]
"""It takes `claims.evidence.Evidence`, and arguments."""

FAR = 2.0
"""A bound is far away if even twice the measured value would keep it."""


@dataclass(frozen=True)
class Claim:
    """A statement that data can decide."""

    id: str
    statement: str
    """In our words."""
    rule: str
    """When a part holds and when it fails: declared before data are read."""
    quantity: str
    """What the estimates are, with their unit."""
    measure: Measure = field(repr=False)
    where: str = "not in the paper"
    """Where the paper makes it."""
    kind: Kind = "pattern"
    """``theorem``: one counterexample refutes it.  ``bound``: a theorem whose parts are ratios
    to its bound.  ``identity``: only an error in the code could make a part fail."""
    ours: bool = False
    """Whether the question is ours, though the claim is among the paper's."""
    evidence: str = ""
    """The table behind it, from the folder of the scenario; by default the first experiment's
    summary, or the claims themselves where nothing is simulated."""
    low_power: str = ""
    """Why a rule that would often miss a violation by a factor 2 is acceptable."""
    plain: str = ""
    """The statement for somebody who does not know the field; without it the first screen of the
    reproduction page does not name the claim."""
    repeats: str = ""
    """Id of a claim that is decided on the same numbers; tallies count that one alone."""
    mended: bool = False
    """Whether the statement was repaired before it was judged, as it has no meaning as printed."""


DECLARED: dict[str, Claim] = {}
"""The claims of the modules that have been imported."""


def claim(
    identifier: str, *, arguments: Mapping[str, Any] | None = None, **fields: Any
) -> Callable[[Measure], Measure]:
    """Declare the claim that the decorated function measures; the fields are those of `Claim`.

    With ``arguments``, beside the evidence, one function measures several claims.
    """

    def declare(measure: Measure) -> Measure:
        own = partial(measure, **(arguments or {}))
        DECLARED[identifier] = Claim(identifier, measure=own, **fields)
        return measure

    return declare


def bound_ratio_of(parts: Sequence[Part]) -> float:
    """Return the least ratio of bound to measured value over the parts that hold."""
    ratios = (p.bound_ratio for p in parts if p.status == "holds")
    return min((ratio for ratio in ratios if not math.isnan(ratio)), default=math.nan)


def verdict_of(parts: Sequence[Part], kind: Kind = "pattern") -> Verdict:
    """Return the verdict that follows from the statuses of the parts.

    It depends on which statuses there are, never on their numbers: splitting an easy part in
    two changes nothing.  Vacuous parts do not count, and a negligible part is not one that holds.

    - ``not measured``: there are no parts;
    - ``not reproduced``: some part fails and none holds; or, of a theorem, a bound or an
      identity, any part fails: one counterexample refutes it;
    - ``partly``: parts hold, others fail, are undecided or negligible;
    - ``undecided``: none holds and none fails;
    - where all parts hold: ``identity`` if nothing else was possible, ``consistent`` if the
      nearest bound is at least ``FAR`` times the measured value, else ``reproduced``.
    """
    if not parts:
        return "not measured"
    statuses = {part.status for part in parts}
    if "fails" in statuses and ("holds" not in statuses or kind != "pattern"):
        return "not reproduced"
    if "holds" not in statuses:
        return "undecided"
    if statuses & {"fails", "undecided", "negligible"}:
        return "partly"
    if kind == "identity":
        return "identity"
    return "consistent" if kind == "bound" and bound_ratio_of(parts) >= FAR else "reproduced"
