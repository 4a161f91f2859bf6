"""What the smoke run measures of each claim is what the committed file has."""

from collections.abc import Callable
from typing import Any

import pytest

from golden_claims import committed, measured_in, values_of
from workflow_helpers import Project

COMMITTED = committed()


def _where(row: Any, condition: Callable[[Any], bool]) -> dict[str, Any]:
    return {place: value for place, value in values_of(row) if condition(value)}


def _is_number(value: Any) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool)


@pytest.mark.parametrize("claim", COMMITTED)
def test_measured_as_committed(smoke_run: Project, claim: str) -> None:
    """Last digits may differ between machines; `tools/golden_claims.py` writes the file."""
    measured, expected = measured_in(smoke_run.folder)[claim], COMMITTED[claim]
    numbers = _where(expected, _is_number)
    assert _where(measured, _is_number) == pytest.approx(numbers, rel=1e-6, abs=1e-9)
    texts = _where(expected, lambda value: not _is_number(value))
    assert _where(measured, lambda value: not _is_number(value)) == texts
