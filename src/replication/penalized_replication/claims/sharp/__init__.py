"""The claims on the sharp constants, one file a topic."""
