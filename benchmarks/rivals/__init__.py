"""UCB1 by this package, by other packages and by loops written by hand.

Each function (`play`, but for `packages`) takes a case and returns the pulls, shape (R, K).
"""
