"""Benchmarks of the simulation engine: see ``README.md`` beside this file."""
