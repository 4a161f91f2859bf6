"""The model of the paper (Section 2): instances, rewards, penalized regret, oracle frontier."""
