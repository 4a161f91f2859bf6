"""Claims: a statement, the rule that decides it, a function that measures it, and the evidence."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from penalized_replication.claims.parts import LEVEL, Part
from penalized_replication.common.errors import ClaimError, NotMeasuredError
from penalized_replication.experiments.catalogue import experiment as experiment_of
from penalized_replication.storage.replicates import Outcome, read_replicates

Verdict = Literal[
    "reproduced", "consistent", "partly", "not reproduced", "undecided", "identity", "not measured"
]
Kind = Literal["pattern", "theorem", "bound", "identity"]
Measured = Iterator[Part | dict[str, Any]]
"""Parts, and facts: numbers for the claim's note and for figures."""
Measure = Callable[..., Measured]
"""It takes `Evidence`, and arguments."""

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
    ratio = bound_ratio_of(parts)
    # Where nothing but 0 is measured twice the value keeps the bound too.
    nothing = math.isnan(ratio) and any(p.estimate <= 0 for p in parts if p.status == "holds")
    return "consistent" if kind == "bound" and (nothing or ratio >= FAR) else "reproduced"


def grouped(outcomes: Iterable[Outcome], key: Callable[[Outcome], Any]) -> dict[Any, list[Outcome]]:
    """Return outcomes by a key, in order."""
    groups: dict[Any, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return groups


class Evidence:
    """Replicates of some experiments, read when first asked for, and their sections."""

    level: float = LEVEL
    """Of all tests of a claim together; a confirmation divides it between its seeds."""

    def __init__(
        self,
        sections: Mapping[str, Mapping[str, Any]],
        replicates: Mapping[str, Sequence[Path | str]],
    ) -> None:
        self._sections = {
            name: experiment_of(name).section.model_validate(dict(values))
            for name, values in sections.items()
        }
        self._paths = dict(replicates)
        self._outcomes: dict[str, list[Outcome]] = {}

    def section(self, experiment: str) -> Any:
        """Return an experiment's section of the config."""
        return self._sections[experiment]

    def outcomes(
        self,
        experiment: str,
        *,
        case: str | None = None,
        policy: str | None = None,
        horizon: int | None = None,
    ) -> list[Outcome]:
        """Return an experiment's outcomes, in order; those of a case, policy or horizon.

        Where there are none, raises NotMeasuredError if the policy is not to run, else ClaimError.
        """
        if experiment not in self._outcomes:
            self._outcomes[experiment] = [*read_replicates(self._paths[experiment])]
        found = [
            outcome
            for outcome in self._outcomes[experiment]
            if case in (None, outcome.case)
            and policy in (None, outcome.policy)
            and horizon in (None, outcome.horizon)
        ]
        if not found:
            if policy is not None and policy not in self.section(experiment).policies:
                raise NotMeasuredError(f"{experiment} has no policy {policy}")
            wanted = f"case {case}, policy {policy}, horizon {horizon}"
            raise ClaimError(f"{experiment} has no outcome of {wanted}")
        return found

    def outcome(self, experiment: str, case: str, policy: str, horizon: int) -> Outcome:
        """Return the one outcome of a case, policy and horizon (the first of its tunings)."""
        return self.outcomes(experiment, case=case, policy=policy, horizon=horizon)[0]

    def cases(self, experiment: str) -> list[str]:
        """Return the cases of an experiment, in order."""
        return list(dict.fromkeys(outcome.case for outcome in self.outcomes(experiment)))
