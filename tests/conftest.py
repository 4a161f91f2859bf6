"""Settings for all tests, and copies of the project that many of them share."""

from hypothesis import settings

from workflow_helpers import fresh_fixture as fresh_fixture
from workflow_helpers import miniature_fixture as miniature_fixture
from workflow_helpers import one_figure_fixture as one_figure_fixture

# The same examples on every run and every machine: a red test stays red, a green one
# green.  No deadline, because the first call of a policy may compile its kernel.
settings.register_profile("replication", deadline=None, derandomize=True, database=None)
settings.load_profile("replication")
