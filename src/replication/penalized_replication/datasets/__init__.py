"""Ratings data: obtain them, check them, and turn them into reward distributions."""
