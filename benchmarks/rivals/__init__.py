"""UCB1 by this package, by other packages and by loops written by hand.

Each function that `specs.yaml` names takes a case and returns the pulls, shape (R, K).
"""
