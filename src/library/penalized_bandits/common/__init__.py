"""Shared by all folders: errors, types of arrays, numbers for reading, parts of a config."""
