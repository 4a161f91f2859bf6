"""What the smoke run measures of each claim is what the committed file has.

`tests/workflow/test_workflow_extended.py` has the same test of the extended and sharp claims.
"""

import pytest

from golden_claims import assert_as_committed, committed, measured_in
from workflow_helpers import Project

COMMITTED = committed("paper")


@pytest.mark.parametrize("claim", COMMITTED)
def test_measured_as_committed(smoke_run: Project, claim: str) -> None:
    assert_as_committed(measured_in(smoke_run.folder, "paper")[claim], COMMITTED[claim])
