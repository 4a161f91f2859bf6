"""Settings for all tests, and copies of the project that many of them share."""

from importlib.util import find_spec

import pytest
from hypothesis import settings

# The library is tested without the replication too.
pytest_plugins = ["workflow_helpers"] if find_spec("penalized_replication") else []

# The same examples on every run and every machine: a red test stays red, a green one
# green.  No deadline, because the first call of a policy may compile its kernel.
settings.register_profile("replication", deadline=None, derandomize=True, database=None)
settings.load_profile("replication")

COPIES = {"fresh", "smoke_run", "one_figure"}
COMPILE_NOTHING = {"bandit", "config", "datasets", "docs", "figures", "pages", "security"}
"""Folders of tests that need no kernel, or few."""


class Failures:
    """Prints each failure when it happens: pytest itself waits until all tests are done."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            (writer := self.config.get_terminal_writer()).sep("_", report.nodeid)
            report.toterminal(writer)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # workers have no terminal
        config.pluginmanager.register(Failures(config))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Call the sample slow, and begin with files that take long.

    One worker compiles what the main job needs; the other makes the smoke run when that is
    there, and tests of copies come last, because they would wait for it.  A third begins with
    Slurm, which waits most of the time.
    """
    for item in items:
        if item.get_closest_marker("sample"):
            item.add_marker("slow")
    of_copies = {item.path for item in items if COPIES & {*getattr(item, "fixturenames", ())}}

    def turn(item: pytest.Item) -> int:
        if item.path.name in ("test_same_everywhere.py", "test_slurm.py"):
            return 0
        if item.path in of_copies:
            return 2 if item.path.name == "test_workflow_contract.py" else 4
        return 1 if item.path.parent.name in COMPILE_NOTHING else 3

    items.sort(key=turn)
