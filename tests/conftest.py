"""Settings for the tests of the library and of the replication."""

pytest_plugins = ["suite"]
