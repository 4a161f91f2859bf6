"""Policies without floors of the literature, and the paper's threshold with their indices."""
