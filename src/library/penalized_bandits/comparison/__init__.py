"""Policies compared on the same rewards: results, tables, figures; sweeps and predictions."""
