"""Policies for a system of your own: choose an arm, learn from its reward."""

from penalized_bandits.live.choice import Choice, RepeatedRewardError
from penalized_bandits.live.journal import Journal
from penalized_bandits.live.player import Player

__all__ = ["Choice", "Journal", "Player", "RepeatedRewardError"]
