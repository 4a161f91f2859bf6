"""Policies for a system of your own: choose an arm, learn from its reward (no numba needed)."""

from penalized_bandits.live.choice import Choice
from penalized_bandits.live.player import Player

__all__ = ["Choice", "Player"]
