"""The result of a claim: measured, compared by its rules, with the texts of the claims table."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from penalized_replication.claims.base import Evidence, bound_ratio_of, claim_of
from penalized_replication.claims.comparisons import Comparison, Measurement, against
from penalized_replication.claims.power import power_of
from penalized_replication.claims.rules.base import decided
from penalized_replication.common.errors import ClaimError, NotMeasuredError

COLUMNS = (
    "id where statement rule estimate ci_low ci_high verdict evidence quantity headline "
    "comparisons hold fail negligible undecided vacuous interpretations note asked_by best "
    "bound_ratio detection_10 detection_50 detection_100 declared changed path effect violation "
    "low_power digest config"
)
"""Of the claims table; `results/README.md` explains them."""
PAPERS = "config/config.yaml"
"""The config that verdicts on the paper are of; a result's ``config`` names what differs."""


@dataclass(frozen=True)
class ClaimResult:
    """The result of one claim."""

    id: str
    comparisons: tuple[Comparison, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Numbers for the note and for figures."""
    missing: str = ""
    """Why it was not measured."""
    verdict: str = ""
    """Empty until the claim is decided."""
    detection: tuple[float, ...] = ()
    """Probability of noticing a violation by each of `power.FACTORS`; NaN where undefined."""
    weakest: int | None = None
    """Index of the comparison with the least power."""
    where: str = ""
    statement: str = ""
    rule: str = ""
    quantity: str = ""
    evidence: str = ""
    interpretations: str = ""
    asked_by: str = ""
    low_power: str = ""
    note: str = ""
    best: str = ""
    violation: str = ""
    declared: str = ""
    changed: str = ""
    digest: str = ""
    config: str = ""
    confirmed: str = ""
    path: str = ""
    """Verdicts under each wording of the rule, the first one first."""
    repeats: str = ""
    corrected: bool = False

    @property
    def headline(self) -> Comparison:
        """The comparison that speaks most against the claim, whose numbers the claims table has."""
        nothing = Comparison(estimate=math.nan, low=math.nan, high=math.nan, status="undecided")
        return max(self.comparisons, key=against, default=nothing)

    @property
    def best_comparison(self) -> Comparison | None:
        """The comparison that holds with the largest margin, or the nearest to it."""
        return min(
            self.comparisons, key=lambda p: (against(p)[0] or 5, against(p)[1]), default=None
        )

    @property
    def statuses(self) -> Counter[str]:
        """Number of comparisons by status."""
        return Counter(comparison.status for comparison in self.comparisons)

    @property
    def bound_ratio(self) -> float:
        """Ratio of the nearest bound to the measured value; NaN if undefined."""
        return bound_ratio_of(self.comparisons)

    def row(self) -> dict[str, Any]:
        """Return the row of the claims table, by column."""
        shown, count = self.headline, self.statuses
        ten, fifty, double = self.detection or (math.nan,) * 3
        values = {**vars(self), "comparisons": len(self.comparisons)}
        values |= {"detection_10": ten, "detection_50": fifty, "detection_100": double}
        values |= {"headline": shown.name, "estimate": shown.estimate, "effect": shown.effect}
        values |= {"ci_low": shown.low, "ci_high": shown.high, "bound_ratio": self.bound_ratio}
        values |= {"hold": count["holds"], "fail": count["fails"]}
        values |= {status: count[status] for status in ("negligible", "undecided", "vacuous")}
        more = ["confirmed"] if self.confirmed else []
        return {name: values[name] for name in COLUMNS.split() + more}

    def to_json(self) -> dict[str, Any]:
        """Return the fields; of a result with its texts, the row of the table comes first."""
        values = vars(self) | {"comparisons": [one.to_json() for one in self.comparisons]}
        if not self.statement:
            return {n: v for n, v in values.items() if n == "id" or v not in ("", None, (), {}, [])}
        return self.row() | {"n_comparisons": len(self.comparisons)} | values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "ClaimResult":
        """Return the result that `to_json` wrote; None stands for NaN."""
        own = {f.name: values[f.name] for f in fields(cls) if f.name in values}
        own["detection"] = tuple(math.nan if x is None else x for x in own.get("detection", ()))
        own["comparisons"] = tuple(
            Comparison(**one | {name: math.nan for name, x in one.items() if x is None})
            for one in own.get("comparisons", ())
        )
        return cls(**own)


def measure(identifier: str, evidence: Evidence, shared: int = 1) -> ClaimResult:
    """Measure a claim and compare by its rules, whose level is divided by ``shared``.

    Where the config provides too little data, the result says what is missing.  Raises ClaimError
    if two comparisons have the same place.
    """
    declared, facts = claim_of(identifier), dict[str, Any]()
    measurements: dict[str, list[Measurement]] = {key: [] for key in declared.rules}
    experiments = ", ".join(declared.experiments)
    try:
        for item in declared.measure(evidence):
            if not isinstance(item, Measurement):
                facts |= item
                continue
            key = item.place.quantity if item.rule is None else item.rule
            key = "" if [*measurements] == [""] else key
            if key not in measurements:
                raise ClaimError(f"{identifier} measures {key!r}, for which it has no rule")
            measurements[key].append(item)
    except NotMeasuredError as error:
        return ClaimResult(identifier, missing=f"{error} (it is measured on {experiments})")
    comparisons: dict[Any, Comparison] = {}
    for key, rule in declared.rules.items():
        for comparison in decided(rule, measurements[key], shared):
            if comparison.key in comparisons:
                raise ClaimError(f"{identifier} has two comparisons {comparison.key}")
            comparisons[comparison.key] = comparison
        facts = rule.facts(measurements[key]) | facts
    if not comparisons:
        missing = f"no case of {experiments} meets the statement's conditions"
        return ClaimResult(identifier, missing=missing)
    return ClaimResult(identifier, tuple(comparisons.values()), facts)


def decide(result: ClaimResult) -> ClaimResult:
    """Return a measured result with its verdict, and the power of its rule."""
    verdict = claim_of(result.id).verdict(result.comparisons)
    detection, weakest = power_of(result.comparisons)
    return replace(result, verdict=verdict, detection=detection, weakest=weakest)


def to_json(results: Iterable[Any]) -> str:
    """Return results as JSON text; NaN becomes null, infinities become text."""
    plain: dict[str, str | None] = {"NaN": None, "Infinity": "inf", "-Infinity": "-inf"}
    text = json.dumps([result.to_json() for result in results], default=lambda x: x.item())
    rows = json.loads(text, parse_constant=plain.get)
    return json.dumps(rows, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read_results(*paths: Path | str) -> list[ClaimResult]:
    """Return the results of files that `to_json` wrote; raise ClaimError for another form."""
    results = []
    for path in paths:
        text = Path(path).read_text("utf-8")
        text = text.replace('"inf"', "Infinity").replace('"-inf"', "-Infinity")
        try:
            results += map(ClaimResult.from_json, json.loads(text))
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            text = f"{path} holds no results of claims ({error!r})"
            raise ClaimError(f"{text}: delete it and run again") from None
    return results


def by_id(results: Sequence[ClaimResult]) -> dict[str, ClaimResult]:
    """Return results by the ids of their claims."""
    return {result.id: result for result in results}


def config_name(changed: Sequence[str]) -> str:
    """Name a config by its keys that differ from the paper's."""
    if not changed:
        return PAPERS
    more = f" and {len(changed) - 3} keys more" if len(changed) > 3 else ""
    return f"{PAPERS} with other values of {', '.join(changed[:3])}{more}"


def warning(config: str) -> str:
    """Return the warning that verdicts are of another config than the paper's, or nothing."""
    if config in ("", PAPERS):
        return ""
    return (
        f"Not the paper's config, but {config}. Verdicts are about this one: with few replicates "
        "or short horizons a claim may fail for that reason alone."
    )
