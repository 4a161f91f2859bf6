"""Settings for all tests, and copies of the project that many of them share."""

import pytest
from hypothesis import settings

from workflow_helpers import fresh_fixture as fresh_fixture
from workflow_helpers import in_groups_fixture as in_groups_fixture
from workflow_helpers import miniature_fixture as miniature_fixture
from workflow_helpers import one_figure_fixture as one_figure_fixture

# The same examples on every run and every machine: a red test stays red, a green one
# green.  No deadline, because the first call of a policy may compile its kernel.
settings.register_profile("replication", deadline=None, derandomize=True, database=None)
settings.load_profile("replication")

COPIES = {"fresh", "miniature", "in_groups", "one_figure"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with files that take long: one worker compiles, another makes the copies."""
    of_copies = {item.path for item in items if COPIES & {*getattr(item, "fixturenames", ())}}
    items.sort(
        key=lambda item: (
            item.path.name != "test_same_everywhere.py",
            item.path not in of_copies,
            item.path.parent.name != "workflow",
        )
    )
