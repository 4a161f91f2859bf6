"""Claims: a statement, the rule that decides it, a function that measures it, and the evidence."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from penalized_replication.claims import Entry, Kind, entry_of
from penalized_replication.claims.comparisons import Comparison, Measured
from penalized_replication.claims.rules import Rule, digest_of
from penalized_replication.common.errors import ClaimError, NotMeasuredError
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.storage.replicates import Outcome, read_replicates

Verdict = Literal[
    "holds",
    "not contradicted",
    "holds in part",
    "fails",
    "undecided",
    "holds by algebra",
    "descriptive",
    "no verdict",
    "not measured",
]
Measure = Callable[..., Measured]
"""It takes `Evidence`, and arguments."""

FAR = 2.0
"""A bound is far away if even twice the measured value would keep it."""
NO_EVIDENCE = 1000.0
"""Times the measured value from which on a bound that is kept is no evidence for it."""


@dataclass(frozen=True, kw_only=True)
class Claim(Entry):
    """A statement that data can decide."""

    rules: Mapping[str, Rule]
    """The rule that decides each quantity, declared before data are read; of a claim with one rule
    its key is empty."""
    measure: Measure = field(repr=False)

    @property
    def rule(self) -> str:
        """The rules for reading."""
        return " ".join(rule.sentence for rule in self.rules.values())

    @property
    def quantity(self) -> str:
        """What the estimates are, with their unit."""
        return "; ".join(dict.fromkeys(rule.quantity for rule in self.rules.values()))

    @property
    def digest(self) -> str:
        """The digest of the statement, of all parameters of its rules, and of how they decide."""
        far = f"{FAR:g} {NO_EVIDENCE:g}" if self.kind == "bound" else ""
        return digest_of(f"{self.statement}\n{self.kind} {far} {self.unjudged}", self.rules)

    def verdict(self, comparisons: Sequence[Comparison]) -> Verdict:
        """Return the verdict that follows from its comparisons."""
        if comparisons and not any(rule.can_fail for rule in self.rules.values()):
            return "descriptive"
        verdict = verdict_of(comparisons, self.kind)
        # A counterexample refutes all the same.
        against = verdict in ("fails", "holds in part", "not measured")
        return "no verdict" if self.unjudged and not against else verdict


DECLARED: dict[str, Claim] = {}
"""The claims of the modules that have been imported."""


def claim(
    identifier: str, rule: Rule | Mapping[str, Rule], **arguments: Any
) -> Callable[[Measure], Measure]:
    """Declare by which rule a claim of the list is decided; the decorated function measures it.

    With ``arguments``, beside the evidence, one function measures several claims.
    """
    rules = {"": rule} if isinstance(rule, Rule) else rule

    def declare(measure: Measure) -> Measure:
        entry, own = vars(entry_of(identifier)), partial(measure, **arguments)
        DECLARED[identifier] = Claim(**entry, rules=rules, measure=own)
        return measure

    return declare


def claim_of(identifier: str) -> Claim:
    """Return a claim by its id; raise ClaimError if there is none of it."""
    import_module(entry_of(identifier).module)
    return DECLARED[identifier]


def bound_ratio_of(comparisons: Sequence[Comparison]) -> float:
    """Return the least ratio of bound to measured value over the comparisons that hold."""
    ratios = (one.bound_ratio for one in comparisons if one.status == "holds")
    return min((ratio for ratio in ratios if not math.isnan(ratio)), default=math.nan)


def verdict_of(comparisons: Sequence[Comparison], kind: Kind = "empirical") -> Verdict:
    """Return the verdict that follows from the statuses of the comparisons.

    It depends on which statuses there are, never on their numbers: splitting an easy comparison
    in two changes nothing.  Vacuous ones do not count, and a negligible one does not hold.  The
    page of the documentation on verdicts has the list.
    """
    if not comparisons:
        return "not measured"
    statuses = {one.status for one in comparisons}
    if "fails" in statuses and ("holds" not in statuses or kind != "empirical"):
        return "fails"
    if "holds" not in statuses:
        return "undecided"
    if statuses & {"fails", "undecided", "negligible"}:
        return "holds in part"
    if kind == "algebra":
        return "holds by algebra"
    ratio = bound_ratio_of(comparisons)
    if kind != "bound" or ratio < FAR:
        return "holds"
    if ratio >= NO_EVIDENCE:
        return "no verdict"
    # Where nothing but 0 is measured twice the value keeps the bound too.
    nothing = any(one.estimate <= 0 for one in comparisons if one.status == "holds")
    return "not contradicted" if ratio >= FAR or nothing else "holds"


class Evidence:
    """Replicates of some experiments, read when first asked for, and their sections."""

    def __init__(
        self,
        sections: Mapping[str, Mapping[str, Any]],
        replicates: Mapping[str, Sequence[Path | str]],
    ) -> None:
        self._sections = {
            name: EXPERIMENTS[name].section.model_validate(dict(values))
            for name, values in sections.items()
        }
        self._paths = dict(replicates)
        self._outcomes: dict[str, list[Outcome]] = {}

    def section(self, experiment: str) -> Any:
        """Return an experiment's section of the config."""
        return self._sections[experiment]

    def outcomes(
        self, experiment: str, *, case: str = "", policy: str = "", horizon: int = 0
    ) -> list[Outcome]:
        """Return an experiment's outcomes, in order; those of a case, policy or horizon.

        Where there are none, raises NotMeasuredError if the policy is not to run, else ClaimError.
        """
        if experiment not in self._outcomes:
            self._outcomes[experiment] = [*read_replicates(self._paths[experiment])]
        outcomes = [*self._outcomes[experiment]]
        given = {"case": case, "policy": policy, "horizon": horizon}
        wanted = {name: value for name, value in given.items() if value}
        for name, value in wanted.items():
            outcomes = [outcome for outcome in outcomes if getattr(outcome, name) == value]
        if not outcomes:
            if policy and policy not in self.section(experiment).policies:
                raise NotMeasuredError(f"{experiment} has no policy {policy}")
            key = ", ".join(f"{name} {value}" for name, value in wanted.items())
            raise ClaimError(f"{experiment} has no outcome of {key}")
        return outcomes

    def outcome(self, experiment: str, case: str, policy: str, horizon: int) -> Outcome:
        """Return the one outcome of a case, policy and horizon (the first of its tunings)."""
        return self.outcomes(experiment, case=case, policy=policy, horizon=horizon)[0]

    def cases(self, experiment: str) -> list[str]:
        """Return the cases of an experiment, in order."""
        return list(dict.fromkeys(outcome.case for outcome in self.outcomes(experiment)))
