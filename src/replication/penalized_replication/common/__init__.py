"""Shared by all folders: errors, parts of a config."""
