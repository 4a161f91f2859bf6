"""The playground: the package's simulator and theory in one page that a browser plays."""

from penalized_bandits.policies import PAPER_POLICY

LIVE = (PAPER_POLICY, "ucb1")
"""Policies of the guide, and of the chart on the reproduction page."""
PRESENTED = ("setting_1", "setting_2", "setting_3", "deterministic")
"""Experiments whose bandits are among the presets."""
