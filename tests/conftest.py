"""Settings for all tests."""

from hypothesis import settings

# The same examples on every run and every machine: a red test stays red, a green one
# green.  No deadline, because the first call of a policy may compile its kernel.
settings.register_profile("replication", deadline=None, derandomize=True, database=None)
settings.load_profile("replication")
