"""Experiments beyond the paper, one file each or several that share their bandits."""
