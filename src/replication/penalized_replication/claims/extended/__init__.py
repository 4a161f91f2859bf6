"""The claims of our own on the extended experiments, one file a topic."""
