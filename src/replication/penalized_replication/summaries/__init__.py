"""Summaries of replicates as tables for others to read."""
