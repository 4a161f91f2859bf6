"""Ratings data: obtain them, check them, and turn them into reward distributions.

Nothing is imported here, so that a job that only reads a table of counts does not
load the download code.
"""
