"""Replicates made up for claims, so that what is true of them is known; and cases of a rule."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from case_helpers import info_of
from penalized_bandits.claims import claim
from penalized_bandits.claims.base import Finding, Part, verdict_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import row_of
from penalized_bandits.claims.measured import to_json
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.cases import CaseInfo
from penalized_bandits.storage.replicates import Outcome

N = 40
"""Replicates."""
THEOREMS = {
    *("C02", "C03", "C06", "C06P", "C09", "C11", "C12", "C13"),
    *("C37", "C38", "C39", "C40", "C41", "C42", "C43", "C45"),
}
"""Claims whose rules ``test_rules_theorems.py`` tries."""


class MadeUp(Evidence):
    """Evidence from outcomes at hand."""

    def __init__(
        self, outcomes: Mapping[str, Sequence[Outcome]], sections: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(sections or {}, {name: ["made up"] for name in outcomes})
        self.made = self._outcomes
        for name, found in outcomes.items():
            self.made[name] = list(found)
            policies = list(dict.fromkeys(run.policy for run in found))
            self._sections.setdefault(name, SimpleNamespace(policies=policies))


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


def around(
    values: float | Sequence[float], arms: int, seed: int, spread: float | FloatArray = 1.0
) -> FloatArray:
    """Spread values over replicates as counts spread, shape (N, arms)."""
    centre = np.broadcast_to(np.asarray(values, dtype=np.float64), (N, arms))
    noise = np.random.default_rng(seed).normal(0, spread, (N, arms))
    return np.maximum(centre + noise * np.sqrt(np.maximum(centre, 0)), 0)


def row(identifier: str, parts: Sequence[Part], note: str = "", **changes: Any) -> dict[str, Any]:
    """Return a claim's row of the ledger, its parts made up, as if declared once and for all."""
    declared = {"declared": "2026-11-21", "changed": "", "digest": "0123456789ab"}
    finding = Finding("something measured", tuple(parts), note)
    return row_of(identifier, finding) | declared | changes


def part(name: str, estimate: float | None, status: str = "holds", **more: Any) -> dict[str, Any]:
    """Return a part as a file of the ledger has it; it holds within 5 % of 1."""
    found = {"status": status, "limit": 1.0, "least": 0.95, "most": 1.05, **more, "name": name}
    found |= {key: more.get(key, estimate) for key in ("estimate", "low", "high")}
    return json.loads(to_json([vars(Part(**found))]))[0]


def decided(identifier: str, evidence: Evidence) -> tuple[Finding, str]:
    """Measure a claim, check that its numbers can be written down, and decide it."""
    wanted = claim(identifier)
    finding = wanted.measure(evidence)
    assert finding.parts
    assert len({part.name for part in finding.parts}) == len(finding.parts)
    json.loads(to_json([{"parts": [vars(part) for part in (*finding.parts, finding.shown)]}]))
    return finding, verdict_of(finding.parts, wanted.kind)


def statuses(finding: Finding, word: str = "") -> str:
    """Return the first letters of the statuses of parts with a word in their names."""
    return "".join(part.status[0] for part in finding.parts if word in part.name)


@dataclass(frozen=True)
class Case:
    """Replicates, and what a rule is to say of them."""

    made: Callable[[], Evidence]
    verdict: str
    statuses: str = ""
    """First letters of the parts' statuses, where they are looked at."""
    note: str = ""
    """Words of the finding's note or of a part's detail."""


Rules = Mapping[str, Sequence[Case]]


def cases(rules: Rules) -> list[tuple[str, Case]]:
    """Return (claim, case) of all rules."""
    return [(identifier, case) for identifier, found in rules.items() for case in found]


def check_case(identifier: str, case: Case) -> None:
    """Check what a rule says of the replicates of a case."""
    finding, verdict = decided(identifier, case.made())
    assert verdict == case.verdict, [(part.name, part.status) for part in finding.parts]
    assert statuses(finding) == case.statuses or not case.statuses
    assert case.note in " ".join([finding.note, *(part.detail for part in finding.parts)])


def check_can_fail(rules: Rules, ids: set[str]) -> None:
    """Check that each claim is met by replicates that keep it, and by some that break it."""
    assert set(rules) == ids
    for identifier, found in rules.items():
        verdicts = {case.verdict for case in found}
        assert verdicts & {"reproduced", "consistent", "identity"}, identifier
        assert verdicts & {"not reproduced", "partly"}, identifier
