"""Extended experiments, one file each or several that share their bandits."""
