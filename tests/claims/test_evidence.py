"""Evidence: replicates read from tables."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outcome_factories
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.common.errors import ClaimError, NotMeasuredError
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome, write_replicates

NAME = "equal_penalties"
SECTION: dict[str, Any] = {
    "replicates": 4,
    "policies": [PAPER_POLICY],
    "horizons": [20, 40],
    "cases": {"case_1": {"means": [0.9, 0.5], "fairness": [0.1, 0.1]}},
}


def outcome(horizon: int) -> Outcome:
    others = np.arange(9.0, 5.0, -1.0)[:, None]
    return outcome_factories.outcome(others, horizon, (0.9, 0.5), (0.1, 0.1), 0.2, tuning=0.2)


@pytest.fixture(name="evidence")
def evidence_fixture(tmp_path: Path) -> Evidence:
    path = tmp_path / "all.1of1.parquet"
    write_replicates(path, (outcome(20), outcome(40)), {"setting": NAME, "part": 1, "parts": 1})
    return Evidence({NAME: SECTION}, {NAME: [path]})


def test_evidence_of_an_unknown_experiment(evidence: Evidence) -> None:
    with pytest.raises(ClaimError, match="no evidence from log_laws: there is some from equal_pen"):
        evidence.section("log_laws")
    with pytest.raises(ClaimError, match="no tables of replicates of log_laws"):
        evidence.outcomes("log_laws")
    with pytest.raises(ValueError, match="replicates"):
        Evidence({NAME: {**SECTION, "replicates": 0}}, {})


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"case": "case_2"}, "no outcome of case case_2"),
        ({"policy": "ucb1"}, "no policy ucb1"),
        ({"horizon": 30}, "no outcome of case None, policy None, horizon 30"),
    ],
)
def test_evidence_that_is_not_there(evidence: Evidence, wanted: dict[str, Any], words: str) -> None:
    with pytest.raises(ClaimError, match=f"^equal_penalties has {words}") as caught:
        evidence.outcomes(NAME, **wanted)
    # A case of the config without replicates is an error.
    assert isinstance(caught.value, NotMeasuredError) == ("policy" in wanted)
