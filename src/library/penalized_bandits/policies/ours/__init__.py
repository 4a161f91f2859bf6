"""Policies of our own."""
